//===- Source.cpp - read a module from a file -----------------------------===//
//
// Reads and checks; parsing is the caller's.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Source.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Image.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace fuse;

/// Skips a string literal or a comment that starts at `at`; returns what is
/// behind it, or `at` if neither does.
static size_t skipOpaque(StringRef text, size_t at) {
  if (text[at] == '"') {
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"' && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  return at;
}

std::optional<std::pair<unsigned, unsigned>>
fuse::findExcessiveNesting(StringRef text) {
  unsigned depth = 0, minusRun = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t behind = skipOpaque(text, at); behind != at) {
      at = behind;
      continue;
    }
    char c = text[at++];
    // The signs of an arrow and of comparisons open and close nothing.
    StringRef pair = text.substr(at - 1, 2);
    if (pair == "->" || pair == ">=" || pair == "<=") {
      ++at;
      minusRun = 0;
      continue;
    }
    if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}' || c == '>') && depth > 0)
      --depth;
    // Affine expressions negate recursively, without a bracket.
    if (c == '-')
      ++minusRun;
    else if (!llvm::isSpace(c))
      minusRun = 0;
    if (depth > maxNesting || minusRun > maxNesting) {
      StringRef before = text.take_front(at - 1);
      size_t lineStart = before.rfind('\n');
      return std::pair<unsigned, unsigned>(
          before.count('\n') + 1,
          lineStart == StringRef::npos ? at : at - 1 - lineStart);
    }
  }
  return std::nullopt;
}

/// What is no file is read until it ends, if it does.
static Result<std::unique_ptr<MemoryBuffer>> readStream(StringRef path) {
  Result<std::string> bytes = readInput(path.str());
  if (!bytes)
    return bytes.takeError();
  return MemoryBuffer::getMemBufferCopy(*bytes, path == "-" ? "<stdin>" : path);
}

Result<std::unique_ptr<MemoryBuffer>> fuse::readSource(StringRef path) {
  auto fail = [&](const Twine &text) {
    return RuntimeError(ErrorCode::BadInput, (path + ":" + text).str());
  };
  if (path != "-" && sys::fs::is_directory(path))
    return fail(" is a directory, but a module is needed");
  std::unique_ptr<MemoryBuffer> buffer;
  if (path == "-" ||
      (sys::fs::exists(path) && !sys::fs::is_regular_file(path))) {
    auto stream = readStream(path);
    if (!stream)
      return stream.takeError();
    buffer = std::move(*stream);
  } else {
    // Not mapped: an editor that saves meanwhile would take pages away, or put
    // others in the place of those that were looked at.
    auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/true,
                                      /*IsVolatile=*/true);
    if (std::error_code error = file.getError())
      return fail(" cannot be read: " + error.message());
    buffer = std::move(*file);
  }
  StringRef text = buffer->getBuffer();
  if (text.trim().empty())
    return fail(" is empty, but a module is needed");
  if (!mlir::isBytecode(buffer->getMemBufferRef()) && !isImage(text))
    if (auto place = findExcessiveNesting(text))
      return fail(Twine(place->first) + ":" + Twine(place->second) +
                  ": brackets or signs nest more than " + Twine(maxNesting) +
                  " deep");
  return buffer;
}
