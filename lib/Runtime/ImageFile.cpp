//===- ImageFile.cpp - Images as bytes ------------------------------------===//
//
// The reader stops at the first thing that is wrong, and whoever asks it for
// more then gets zeros. Nothing is allocated on the word of the file: lists
// grow by what has been read.
//
//===----------------------------------------------------------------------===//

#include "Checksum.h"
#include "ImageFormat.h"
#include "fuse/Runtime/File.h"

#include <cstring>

using namespace fuse;

bool fuse::isImage(std::string_view bytes) {
  return bytes.substr(0, imageMagic.size()) == imageMagic;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

class Writer {
public:
  std::string bytes;

  template <class T> void number(const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
  }
  void flag(bool value) { bytes += value ? '\1' : '\0'; }
  template <class E> void choice(E value, E) {
    bytes += static_cast<char>(value);
  }
  void text(std::string_view value) {
    number(uint64_t(value.size()));
    bytes += value;
  }
  template <class T> void list(std::vector<T> &values) {
    number(static_cast<uint32_t>(values.size()));
    for (T &value : values)
      transfer(*this, value);
  }
  void expression(SizeExpression &value) {
    number(static_cast<uint32_t>(value.steps().size()));
    for (SizeExpression::Step step : value.steps())
      transfer(*this, step);
  }
  void constants(std::vector<HostBuffer> &values) {
    number(static_cast<uint32_t>(values.size()));
    for (HostBuffer &value : values) {
      choice(value.type(), ElementType::F64);
      number(static_cast<uint32_t>(value.shape().size()));
      for (int64_t size : value.shape())
        number(size);
      text({static_cast<const char *>(value.data()), value.sizeInBytes()});
    }
  }
};

} // namespace

/// Without the header.
static std::string serializeBody(const Image &image) {
  Writer writer;
  // One description serves both directions; a writer changes nothing.
  transfer(writer, const_cast<Image &>(image));
  return std::move(writer.bytes);
}

static std::string makeHeader(std::string_view body) {
  Writer writer;
  writer.bytes = imageMagic;
  writer.number(imageFormatVersion);
  writer.number(uint32_t(0));
  writer.number(uint64_t(imageHeaderBytes + body.size()));
  writer.number(checksum(body));
  return std::move(writer.bytes);
}

std::string fuse::serializeImage(const Image &image) {
  std::string body = serializeBody(image);
  return makeHeader(body) + body;
}

Status fuse::writeImage(const std::string &path, const Image &image) {
  if (Status status = checkImage(image); !status)
    return std::move(status.takeError()).withContext("'" + path + "'");
  std::string body = serializeBody(image);
  std::string header = makeHeader(body);
  std::string_view pieces[] = {header, body};
  return writeFile(path, pieces);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

namespace {

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes), size(bytes.size()) {}

  template <class T> void number(T &value) {
    value = T();
    std::string_view bytes = take(sizeof(T));
    if (!failure)
      std::memcpy(&value, bytes.data(), sizeof(T));
  }
  void flag(bool &value) {
    uint8_t byte = 0;
    number(byte);
    if (byte > 1)
      fail("a truth value is " + std::to_string(byte));
    value = byte == 1;
  }
  template <class E> void choice(E &value, E last) {
    uint8_t byte = 0;
    number(byte);
    if (byte > static_cast<uint8_t>(last))
      fail("a kind is " + std::to_string(byte) + ", but at most " +
           std::to_string(static_cast<uint8_t>(last)) + " is known");
    value = failure ? E() : static_cast<E>(byte);
  }
  void text(std::string &value) {
    uint64_t length = 0;
    number(length);
    value = take(length);
  }
  template <class T> void list(std::vector<T> &values) {
    values.clear();
    uint32_t count = 0;
    number(count);
    for (uint32_t i = 0; i < count && !failure; ++i)
      transfer(*this, values.emplace_back());
  }
  void expression(SizeExpression &value) {
    std::vector<SizeExpression::Step> steps;
    list(steps);
    if (failure)
      return;
    Result<SizeExpression> made = SizeExpression::fromSteps(std::move(steps));
    if (made)
      value = std::move(*made);
    else
      fail(made.error().message());
  }
  void constants(std::vector<HostBuffer> &values) {
    values.clear();
    uint32_t count = 0;
    number(count);
    for (uint32_t i = 0; i < count && !failure; ++i)
      constant(values);
  }

  /// The outcome when all should have been read.
  Status finish() {
    if (!failure && !rest.empty())
      fail("there are " + std::to_string(rest.size()) +
           " bytes behind the end");
    if (failure)
      return std::move(*failure);
    return Status::success();
  }

private:
  std::string_view take(uint64_t count) {
    if (count > rest.size())
      fail(std::to_string(count) + " bytes are needed, but " +
           std::to_string(rest.size()) + " are left");
    if (failure)
      return {};
    std::string_view result = rest.substr(0, count);
    rest.remove_prefix(count);
    return result;
  }

  void constant(std::vector<HostBuffer> &values) {
    ElementType type = ElementType::F32;
    choice(type, ElementType::F64);
    uint32_t rank = 0;
    number(rank);
    std::vector<int64_t> shape;
    for (uint32_t dim = 0; dim < rank && !failure; ++dim)
      number(shape.emplace_back());
    uint64_t length = 0;
    number(length);
    std::string_view data = take(length);
    if (failure)
      return;
    Result<size_t> bytes = requiredBytes(type, shape);
    if (!bytes)
      return fail(bytes.error().message());
    if (*bytes != length)
      return fail("a constant has " + std::to_string(length) +
                  " bytes, but needs " + std::to_string(*bytes));
    Result<HostBuffer> buffer = HostBuffer::allocate(type, std::move(shape));
    if (!buffer)
      return fail(buffer.error().message());
    std::memcpy(buffer->data(), data.data(), data.size());
    values.push_back(std::move(*buffer));
  }

  void fail(const std::string &message) {
    if (!failure)
      failure = badInput("the image is malformed at byte " +
                         std::to_string(imageHeaderBytes + size - rest.size()) +
                         ": " + message);
  }

  std::string_view rest;
  size_t size;
  std::optional<RuntimeError> failure;
};

} // namespace

template <class T> static T readAt(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

static Status checkHeader(std::string_view bytes) {
  size_t common = std::min(bytes.size(), imageMagic.size());
  if (common == 0 || bytes.substr(0, common) != imageMagic.substr(0, common))
    return badInput("this is no image: it starts with other bytes than one");
  if (bytes.size() < imageHeaderBytes)
    return badInput("the image is truncated: found " +
                    std::to_string(bytes.size()) + " bytes, needed " +
                    std::to_string(imageHeaderBytes));
  auto version = readAt<uint32_t>(bytes, 8);
  if (version != imageFormatVersion)
    return RuntimeError(ErrorCode::Unsupported,
                        "found version " + std::to_string(version) +
                            " of the image format, needed " +
                            std::to_string(imageFormatVersion) +
                            (version > imageFormatVersion
                                 ? ": the image was made by a newer fuse"
                                 : ": compile the graph again"));
  if (readAt<uint32_t>(bytes, 12) != 0)
    return badInput("the image is corrupt: its reserved bytes are not zero");
  auto length = readAt<uint64_t>(bytes, 16);
  if (length > bytes.size())
    return badInput("the image is truncated: found " +
                    std::to_string(bytes.size()) + " bytes, needed " +
                    std::to_string(length));
  if (length < bytes.size())
    return badInput("the image has trailing bytes: found " +
                    std::to_string(bytes.size()) + " bytes, needed " +
                    std::to_string(length));
  if (readAt<uint64_t>(bytes, 24) != checksum(bytes.substr(imageHeaderBytes)))
    return badInput("the image is corrupt: its checksum does not fit");
  return Status::success();
}

Result<Image> fuse::parseImage(std::string_view bytes) {
  if (Status status = checkHeader(bytes); !status)
    return status.takeError();
  Image image;
  Reader reader(bytes.substr(imageHeaderBytes));
  transfer(reader, image);
  if (Status status = reader.finish(); !status)
    return status.takeError();
  // What the checksum fits may still have been made by somebody else, and
  // errors name what is in it.
  if (Status status = checkImage(image); !status) {
    RuntimeError error = status.takeError();
    return RuntimeError(error.code(), "the image is malformed: " +
                                          printable(error.message()));
  }
  return image;
}

Result<Image> fuse::readImage(const std::string &path) {
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.takeError();
  Result<Image> image = parseImage(*bytes);
  if (!image)
    return std::move(image.takeError()).withContext("'" + path + "'");
  return image;
}
