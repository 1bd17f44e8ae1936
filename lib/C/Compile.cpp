//===- Compile.cpp - the compiler for C -----------------------------------===//
//
// Bytes of an Image go to the runtime's library, whose handle comes back: the
// two share nothing else.
//
//===----------------------------------------------------------------------===//

#include "fuse-c/FuseCompiler.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Compiler/SourceCompiler.h"

using namespace fuse;

static FuseStatus fail(const RuntimeError &error) {
  FuseStatus status = FUSE_BAD_USAGE;
  switch (error.code()) {
  case ErrorCode::BadUsage:
    status = FUSE_BAD_USAGE;
    break;
  case ErrorCode::BadInput:
    status = FUSE_BAD_INPUT;
    break;
  case ErrorCode::Unsupported:
    status = FUSE_UNSUPPORTED;
    break;
  case ErrorCode::Output:
    status = FUSE_OUTPUT;
    break;
  case ErrorCode::Device:
    status = FUSE_DEVICE;
    break;
  }
  return fuse_fail(status, error.message().c_str());
}

static FuseStatus failNull(const char *what) {
  std::string text = std::string(what) + " is needed, but NULL was given";
  return fuse_fail(FUSE_BAD_USAGE, text.c_str());
}

static FuseStatus compile(llvm::StringRef source, llvm::StringRef name,
                          const char *const *options, size_t numOptions,
                          FuseImage *image) {
  llvm::SmallVector<llvm::StringRef> texts;
  for (size_t i = 0; i < numOptions; ++i) {
    if (!options || !options[i])
      return failNull("every option");
    texts.push_back(options[i]);
  }
  Result<SourceOptions> parsed = parseSourceOptions(texts);
  if (!parsed)
    return fail(parsed.error());
  Result<std::string> bytes = compileSource(source, name, *parsed);
  if (!bytes)
    return fail(bytes.error());
  return fuse_image_parse(bytes->data(), bytes->size(), image);
}

FuseStatus fuse_compile(const void *source, size_t source_bytes,
                        const char *name, const char *const *options,
                        size_t num_options, FuseImage *image) {
  if (!image)
    return failNull("a place for the image");
  *image = nullptr;
  if (!source)
    return failNull("the source");
  return compile({static_cast<const char *>(source), source_bytes},
                 name ? name : "<memory>", options, num_options, image);
}

FuseStatus fuse_compile_file(const char *path, const char *const *options,
                             size_t num_options, FuseImage *image) {
  if (!image)
    return failNull("a place for the image");
  *image = nullptr;
  if (!path)
    return failNull("a path");
  auto source = readSource(path);
  if (!source)
    return fail(source.error());
  return compile((*source)->getBuffer(), path, options, num_options, image);
}

const char *fuse_compiler_version(void) {
  static const std::string version = producerOfImages();
  return version.c_str();
}
