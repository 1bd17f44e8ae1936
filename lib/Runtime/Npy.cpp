//===- Npy.cpp - read and write .npy files --------------------------------===//
//
// The format is numpy's NEP 1: a magic string, a version, the length of the
// header, the header (a Python dictionary), then the elements. The header is
// padded so that the elements start at a multiple of 64 bytes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Npy.h"
#include "fuse/Runtime/File.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

using namespace fuse;

static constexpr std::string_view magic = "\x93NUMPY";

/// Magic, version and a four-byte length: the longest start of a header.
static constexpr size_t maxPreamble = 12;

/// Ours are below 2 KiB; a length beyond this is a damaged file's.
static constexpr uint64_t maxHeader = 1 << 20;

/// numpy's own limit.
static constexpr size_t maxRank = 64;

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

/// Makes text from a file fit for a message: short and printable.
static std::string quote(std::string_view text) {
  constexpr size_t limit = 40;
  std::string quoted = "'";
  for (char c : text.substr(0, limit))
    quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + (text.size() > limit ? "...'" : "'");
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// How numpy names the type, as it is written.
static std::string_view npyDescr(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
  case ElementType::Index:
    return "<i8";
  case ElementType::F8E4M3FN:
    return "<V1";
  case ElementType::BF16:
    return "<V2";
  case ElementType::F16:
    return "<f2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  }
  __builtin_unreachable();
}

static bool isDescrOf(ElementType type, std::string_view descr) {
  if (descr == npyDescr(type))
    return true;
  // Order means nothing to opaque bytes, and numpy itself writes `|`.
  switch (type) {
  case ElementType::F8E4M3FN:
    return descr == "|V1";
  case ElementType::BF16:
    return descr == "|V2" || descr == "bfloat16";
  default:
    return false;
  }
}

/// What MLIR would call a type that numpy names so, if there is such a type.
static std::string mlirSpelling(std::string_view descr) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::F16, ElementType::F32, ElementType::F64,
        ElementType::BF16, ElementType::F8E4M3FN})
    if (isDescrOf(type, descr))
      return std::string(typeName(type));

  static constexpr std::array<std::pair<std::string_view, const char *>, 6>
      foreign = {{{"|u1", "ui8"},
                  {"<u2", "ui16"},
                  {"<u4", "ui32"},
                  {"<u8", "ui64"},
                  {"<c8", "complex<f32>"},
                  {"<c16", "complex<f64>"}}};
  for (auto [name, spelling] : foreign)
    if (descr == name)
      return spelling;
  return "unknown to MLIR";
}

static Status checkType(std::string_view descr, ElementType expected) {
  if (isDescrOf(expected, descr))
    return Status::success();
  std::string needed = quote(npyDescr(expected)) + " (" +
                       std::string(typeName(expected)) + ") is needed";
  if (descr.starts_with('>'))
    return badInput("the elements are big-endian " + quote(descr) +
                    ", but little-endian " + needed);
  return badInput("the elements are " + quote(descr) + " (" +
                  mlirSpelling(descr) + "), but " + needed);
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {

/// The part of the header whose form depends on the version.
struct Preamble {
  size_t dictionaryOffset;
  uint64_t dataOffset;
};

/// Parses the one dictionary numpy writes: exactly the keys 'descr',
/// 'fortran_order' and 'shape', in any order.
class DictionaryParser {
public:
  DictionaryParser(std::string_view text, size_t begin)
      : text(text), position(begin) {}

  Status parse(NpyHeader &header);

private:
  Status parseEntry(NpyHeader &header);
  Status parseDescr(NpyHeader &header);
  Status parseOrder(NpyHeader &header);
  Status parseShape(NpyHeader &header);
  Result<std::string> parseString();
  Result<int64_t> parseSize();

  void skipSpace() {
    position =
        std::min(text.find_first_not_of(" \t\r\n", position), text.size());
  }

  /// Takes `token` if it comes next, after white space.
  bool consume(std::string_view token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }

  RuntimeError needed(std::string_view what) {
    skipSpace();
    std::string found = position < text.size() ? quote(text.substr(position, 1))
                                               : std::string("the end");
    return badInput("the header is malformed: found " + found + " at byte " +
                    std::to_string(position) + ", needed " + std::string(what));
  }

  std::string_view text;
  size_t position;
  bool hasDescr = false;
  bool hasOrder = false;
  bool hasShape = false;
};

} // namespace

Status DictionaryParser::parse(NpyHeader &header) {
  if (!consume("{"))
    return needed("'{'");
  while (!consume("}")) {
    if (Status status = parseEntry(header); !status)
      return status;
    if (consume(","))
      continue;
    if (!consume("}"))
      return needed("',' or '}'");
    break;
  }
  skipSpace();
  if (position != text.size())
    return needed("the end");
  if (!hasDescr || !hasOrder || !hasShape)
    return badInput(std::string("the header lacks the key ") +
                    (!hasDescr   ? "'descr'"
                     : !hasOrder ? "'fortran_order'"
                                 : "'shape'"));
  return Status::success();
}

Status DictionaryParser::parseEntry(NpyHeader &header) {
  Result<std::string> key = parseString();
  if (!key)
    return key.takeError();
  if (!consume(":"))
    return needed("':'");

  bool *seen = *key == "descr"           ? &hasDescr
               : *key == "fortran_order" ? &hasOrder
               : *key == "shape"         ? &hasShape
                                         : nullptr;
  if (!seen)
    return badInput("the header has the unknown key " + quote(*key));
  if (std::exchange(*seen, true))
    return badInput("the header has the key " + quote(*key) + " twice");
  return seen == &hasDescr   ? parseDescr(header)
         : seen == &hasOrder ? parseOrder(header)
                             : parseShape(header);
}

Status DictionaryParser::parseDescr(NpyHeader &header) {
  skipSpace();
  if (text.substr(position).starts_with('['))
    return RuntimeError(ErrorCode::Unsupported,
                        "the elements are structures " +
                            quote(text.substr(position)) +
                            ", but single numbers are needed");
  Result<std::string> descr = parseString();
  if (!descr)
    return descr.takeError();
  header.descr = std::move(*descr);
  return Status::success();
}

Status DictionaryParser::parseOrder(NpyHeader &header) {
  if (consume("True"))
    header.isFortranOrder = true;
  else if (!consume("False"))
    return needed("'True' or 'False'");
  return Status::success();
}

Status DictionaryParser::parseShape(NpyHeader &header) {
  if (!consume("("))
    return needed("'('");
  while (!consume(")")) {
    Result<int64_t> size = parseSize();
    if (!size)
      return size.takeError();
    header.shape.push_back(*size);
    if (header.shape.size() > maxRank)
      return RuntimeError(ErrorCode::Unsupported,
                          "the shape has more than " + std::to_string(maxRank) +
                              " dimensions, the most that are supported");
    if (consume(","))
      continue;
    // To Python `(3)` is a number; numpy refuses it too.
    if (header.shape.size() == 1)
      return needed("','");
    if (!consume(")"))
      return needed("',' or ')'");
    break;
  }
  return Status::success();
}

Result<std::string> DictionaryParser::parseString() {
  skipSpace();
  char mark = position < text.size() ? text[position] : '\0';
  if (mark != '\'' && mark != '"')
    return needed("a string");
  size_t begin = position + 1;
  size_t end = text.find(mark, begin);
  std::string_view content = text.substr(begin, end - begin);
  if (end == std::string_view::npos || content.find('\\') != content.npos)
    return badInput("the header is malformed: the string at byte " +
                    std::to_string(position) +
                    (end == std::string_view::npos ? " does not end"
                                                   : " contains an escape"));
  position = end + 1;
  return std::string(content);
}

Result<int64_t> DictionaryParser::parseSize() {
  skipSpace();
  const char *begin = text.data() + position;
  int64_t size = 0;
  auto [end, error] = std::from_chars(begin, text.data() + text.size(), size);
  if (error == std::errc::invalid_argument)
    return needed("a number");
  std::string_view digits(begin, end - begin);
  if (digits.starts_with('-'))
    return badInput("the shape has the negative size " + quote(digits));
  if (error == std::errc::result_out_of_range)
    return badInput("the shape has the size " + quote(digits) +
                    ", but at most 63 bits are needed");
  position += digits.size();
  return size;
}

static RuntimeError truncatedHeader(uint64_t found, uint64_t needed) {
  return badInput("the header is truncated: found " + formatBytes(found) +
                  ", needed " + formatBytes(needed));
}

static Result<Preamble> parsePreamble(std::string_view bytes) {
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()))
    return badInput("found " + quote(bytes.substr(0, magic.size())) +
                    " at the start, needed the magic string of an .npy file");
  auto byteAt = [&](size_t i) -> uint8_t { return bytes[i]; };
  size_t versionOffset = magic.size();
  size_t lengthOffset = versionOffset + 2;
  if (bytes.size() < lengthOffset)
    return truncatedHeader(bytes.size(), lengthOffset + 2);

  int major = byteAt(versionOffset), minor = byteAt(versionOffset + 1);
  if (major < 1 || major > 3 || minor != 0)
    return RuntimeError(ErrorCode::Unsupported,
                        "found version " + std::to_string(major) + "." +
                            std::to_string(minor) +
                            " of the .npy format, needed 1.0, 2.0 or 3.0");

  size_t dictionaryOffset = lengthOffset + (major == 1 ? 2 : 4);
  if (bytes.size() < dictionaryOffset)
    return truncatedHeader(bytes.size(), dictionaryOffset);
  uint64_t length = 0;
  for (size_t i = dictionaryOffset; i-- > lengthOffset;)
    length = length << 8 | byteAt(i);
  if (length > maxHeader)
    return RuntimeError(ErrorCode::Unsupported,
                        "the header has " + formatBytes(length) +
                            ", but at most " + formatBytes(maxHeader) +
                            " are supported");
  return Preamble{dictionaryOffset, dictionaryOffset + length};
}

Result<NpyHeader> fuse::parseNpyHeader(std::string_view bytes) {
  Result<Preamble> preamble = parsePreamble(bytes);
  if (!preamble)
    return preamble.takeError();
  if (bytes.size() < preamble->dataOffset)
    return truncatedHeader(bytes.size(), preamble->dataOffset);

  NpyHeader header;
  header.dataOffset = preamble->dataOffset;
  DictionaryParser parser(bytes.substr(0, preamble->dataOffset),
                          preamble->dictionaryOffset);
  if (Status status = parser.parse(header); !status)
    return status.takeError();
  return header;
}

/// To the byte what np.save writes, so that `cmp` can compare files.
static std::string formatHeader(ElementType type,
                                std::span<const int64_t> shape) {
  std::string dictionary = "{'descr': '" + std::string(npyDescr(type)) +
                           "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    dictionary += (i ? ", " : "") + std::to_string(shape[i]);
  dictionary += shape.size() == 1 ? ",), }" : "), }";

  // Room for the first size to grow to 21 digits in place, then up to the
  // boundary; a header that ends on it gets 64 more.
  if (!shape.empty())
    dictionary.append(21 - std::to_string(shape[0]).size(), ' ');
  size_t preamble = magic.size() + 4;
  dictionary.append(64 - (preamble + dictionary.size() + 1) % 64, ' ');
  dictionary += '\n';

  // Version 1.0 counts the length in two bytes, enough for any 64 sizes.
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(dictionary.size() & 0xFF),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A bool that is neither 0 nor 1 would mean different things to a kernel that
/// compares it with 0 and to one that looks at its lowest bit.
static Status checkBooleans(const HostBuffer &buffer) {
  for (size_t i = 0, count = buffer.elementCount(); i < count; ++i)
    if (uint64_t bits = loadBits(ElementType::I1, buffer.data(), i); bits > 1)
      return badInput("element " + std::to_string(i) + " is the byte " +
                      std::to_string(bits) + ", but 0 or 1 is needed for i1");
  return Status::success();
}

static Result<HostBuffer> readArray(int fd, uint64_t fileSize,
                                    ElementType expected) {
  std::string bytes;
  auto readUpTo = [&](uint64_t size) -> Status {
    size_t before = bytes.size();
    bytes.resize(std::max<size_t>(std::min(size, fileSize), before));
    Result<size_t> count =
        readFully(fd, bytes.data() + before, bytes.size() - before);
    if (!count)
      return count.takeError();
    bytes.resize(before + *count);
    return Status::success();
  };
  if (Status status = readUpTo(maxPreamble); !status)
    return status.takeError();
  Result<Preamble> preamble = parsePreamble(bytes);
  if (!preamble)
    return preamble.takeError();
  if (Status status = readUpTo(preamble->dataOffset); !status)
    return status.takeError();
  Result<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return header.takeError();
  if (Status status = checkType(header->descr, expected); !status)
    return status.takeError();
  if (header->isFortranOrder)
    return badInput("the elements are in column-major order (fortran_order), "
                    "but row-major order is needed");

  Result<size_t> needed = requiredBytes(expected, header->shape);
  if (!needed)
    return needed.takeError();
  uint64_t found = fileSize - header->dataOffset;
  std::string what = " for shape " + formatShape(header->shape) + " of " +
                     std::string(typeName(expected));
  if (found < *needed)
    return badInput("the data is truncated: found " + std::to_string(found) +
                    " bytes, needed " + std::to_string(*needed) + what);
  if (found > *needed)
    return badInput("the data has trailing bytes: found " +
                    std::to_string(found) + " bytes, needed " +
                    std::to_string(*needed) + what);

  Result<HostBuffer> buffer =
      HostBuffer::allocate(expected, std::move(header->shape));
  if (!buffer)
    return buffer.takeError();
  if (::lseek(fd, header->dataOffset, SEEK_SET) < 0)
    return badInput("cannot read: " + describeErrno(errno));
  Result<size_t> count = readFully(fd, buffer->data(), *needed);
  if (!count)
    return count.takeError();
  if (*count != *needed)
    return badInput("the file shrank while it was read: found " +
                    std::to_string(*count) + " bytes of data, needed " +
                    std::to_string(*needed) + what);
  if (expected == ElementType::I1)
    if (Status status = checkBooleans(*buffer); !status)
      return status.takeError();
  return buffer;
}

Result<HostBuffer> fuse::readNpy(const std::string &path,
                                 ElementType expected) {
  Result<OpenedFile> file = openRegularFile(path);
  if (!file)
    return file.takeError();
  Result<HostBuffer> buffer =
      readArray(file->descriptor.get(), file->size, expected);
  if (!buffer)
    return buffer.takeError().withContext("'" + path + "'");
  return buffer;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Status fuse::writeNpy(const std::string &path, const HostBuffer &buffer) {
  if (buffer.shape().size() > maxRank)
    return RuntimeError(ErrorCode::Unsupported,
                        "cannot write '" + path + "': the shape has " +
                            std::to_string(buffer.shape().size()) +
                            " dimensions, but at most " +
                            std::to_string(maxRank) + " are supported");
  std::string header = formatHeader(buffer.type(), buffer.shape());
  std::array<std::string_view, 2> pieces = {
      header, std::string_view(static_cast<const char *>(buffer.data()),
                               buffer.sizeInBytes())};
  return writeFile(path, pieces);
}
