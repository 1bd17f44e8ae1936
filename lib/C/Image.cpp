//===- Image.cpp - images for C -------------------------------------------===//
//
// Files, and what is in them.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "fuse/Version.h"

#include <algorithm>
#include <cstring>

using namespace fuse;
using namespace fuse::c;

//===----------------------------------------------------------------------===//
// Versions and types
//===----------------------------------------------------------------------===//

uint32_t fuse_abi_version(void) { return FUSE_ABI_VERSION; }
const char *fuse_version(void) { return version; }

FuseStatus fuse_check_abi(uint32_t header_version) {
  if (header_version == FUSE_ABI_VERSION)
    return FUSE_OK;
  return fail(RuntimeError(
      ErrorCode::Unsupported,
      "the program was built for version " + std::to_string(header_version) +
          " of fuse's C interface, but the library has version " +
          std::to_string(FUSE_ABI_VERSION) +
          ": build it with the header "
          "that came with the library"));
}

static bool isType(FuseType type) {
  return type >= FUSE_I1 && type <= FUSE_F64;
}

static_assert(int(ElementType::F64) == FUSE_F64 &&
                  int(ElementType::F8E4M3FN) == FUSE_F8E4M3FN,
              "types have the same numbers on both sides");

size_t fuse_type_bytes(FuseType type) {
  return isType(type) ? byteSize(static_cast<ElementType>(type)) : 0;
}

const char *fuse_type_name(FuseType type) {
  // Each is a literal.
  return isType(type) ? typeName(static_cast<ElementType>(type)).data()
                      : nullptr;
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

ImageObject::ImageObject(Image made)
    : Object(handleKind),
      image(std::make_shared<const Image>(std::move(made))) {
  for (const ImageBuffer &buffer : image->buffers) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    std::vector<std::string> &texts = sizes.emplace_back();
    for (const SizeExpression &size : buffer.shape) {
      shape.push_back(size.constant().value_or(-1));
      texts.push_back(size.str());
    }
  }
}

static FuseStatus giveImage(Result<Image> read, FuseImage *image) {
  if (!read)
    return fail(read.error());
  return give(std::make_shared<ImageObject>(std::move(*read)), image);
}

FuseStatus fuse_image_parse(const void *bytes, size_t size, FuseImage *image) {
  if (!clear(image))
    return failNull("a place for the image");
  if (!bytes && size != 0)
    return failNull("the image's bytes");
  return giveImage(parseImage({static_cast<const char *>(bytes), size}), image);
}

FuseStatus fuse_image_read(const char *path, FuseImage *image) {
  if (!clear(image))
    return failNull("a place for the image");
  if (!path)
    return failNull("a path");
  return giveImage(readImage(path), image);
}

FuseStatus fuse_image_write(FuseImage image, const char *path) {
  if (!path)
    return failNull("a path");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  Status status = writeImage(path, *(*found)->image);
  return status ? FUSE_OK : fail(status.error());
}

static FuseStatus copyOut(std::string_view text, void *to, size_t capacity,
                          size_t *size) {
  if (!size)
    return failNull("a place for the size");
  *size = text.size();
  if (to && capacity >= text.size())
    std::memcpy(to, text.data(), text.size());
  return FUSE_OK;
}

FuseStatus fuse_image_serialize(FuseImage image, void *bytes, size_t capacity,
                                size_t *size) {
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  return copyOut(serializeImage(*(*found)->image), bytes, capacity, size);
}

FuseStatus fuse_image_describe(FuseImage image, char *text, size_t capacity,
                               size_t *size) {
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  std::string made = describe(*(*found)->image);
  return copyOut({made.c_str(), made.size() + 1}, text, capacity, size);
}

FuseStatus fuse_image_name(FuseImage image, const char **name) {
  if (!clear(name))
    return failNull("a place for the name");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  *name = (*found)->image->name.c_str();
  return FUSE_OK;
}

FuseStatus fuse_image_count_diagnostics(FuseImage image, size_t *count) {
  if (!clear(count))
    return failNull("a place for the count");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  *count = (*found)->image->diagnostics.size();
  return FUSE_OK;
}

FuseStatus fuse_image_diagnostic(FuseImage image, size_t number,
                                 const char **text) {
  if (!clear(text))
    return failNull("a place for the text");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  const std::vector<std::string> &texts = (*found)->image->diagnostics;
  if (number >= texts.size())
    return fail(RuntimeError(ErrorCode::BadUsage,
                             "diagnostic " + std::to_string(number) +
                                 " was asked for, but there are " +
                                 std::to_string(texts.size())));
  *text = texts[number].c_str();
  return FUSE_OK;
}

FuseStatus fuse_image_has_code(FuseImage image, FuseDeviceKind kind,
                               int32_t *answer) {
  if (!clear(answer))
    return failNull("a place for the answer");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  const Image &own = *(*found)->image;
  *answer = kind == FUSE_CUDA  ? own.isForGpus()
            : kind == FUSE_CPU ? !own.cpus.empty()
                               : false;
  return FUSE_OK;
}

FuseStatus fuse_image_destroy(FuseImage image) {
  Status status =
      closeHandle(reinterpret_cast<uintptr_t>(image), HandleKind::Image);
  return status ? FUSE_OK : fail(status.error());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Writes as much of `argument` as the caller has room for.
static FuseStatus handOut(FuseArgument made, FuseArgument *argument) {
  if (!argument)
    return failNull("a place for the argument");
  // The first version ends with the alignment.
  constexpr size_t least =
      offsetof(FuseArgument, alignment) + sizeof(FuseArgument::alignment);
  if (argument->struct_bytes < least)
    return fail(RuntimeError(ErrorCode::BadUsage,
                             "struct_bytes of the argument is " +
                                 std::to_string(argument->struct_bytes) +
                                 ", but sizeof(FuseArgument), at least " +
                                 std::to_string(least) + ", is needed"));
  made.struct_bytes = argument->struct_bytes;
  std::memcpy(argument, &made, std::min(made.struct_bytes, sizeof(made)));
  return FUSE_OK;
}

FuseStatus fuse::c::fillArgument(const ImageBuffer &buffer,
                                 std::span<const int64_t> shape, bool isOnCpu,
                                 FuseArgument *argument) {
  FuseArgument made = {};
  made.name = buffer.name.c_str();
  made.shape = shape.data();
  made.rank = static_cast<int32_t>(shape.size());
  made.type = static_cast<FuseType>(buffer.type);
  made.alignment = buffer.alignment;
  if (isOnCpu && buffer.kind == ImageBuffer::Kind::Output)
    made.alignment =
        std::max<decltype(made.alignment)>(made.alignment, cpuOutputAlignment);
  return handOut(made, argument);
}

static Result<size_t> countArguments(const Image &image,
                                     FuseArgumentKind kind) {
  switch (kind) {
  case FUSE_INPUT:
    return image.inputs().size();
  case FUSE_OUTPUT_ARGUMENT:
    return image.outputs().size();
  case FUSE_SCALAR:
    return image.scalars.size();
  default:
    return RuntimeError(ErrorCode::BadUsage,
                        std::to_string(kind) + " is no kind of arguments");
  }
}

FuseStatus fuse_image_count(FuseImage image, FuseArgumentKind kind,
                            size_t *count) {
  if (!clear(count))
    return failNull("a place for the count");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  Result<size_t> made = countArguments(*(*found)->image, kind);
  if (!made)
    return fail(made.error());
  *count = *made;
  return FUSE_OK;
}

/// Whether there is an argument of this number.
static Status checkNumber(const Image &image, FuseArgumentKind kind,
                          size_t number) {
  Result<size_t> count = countArguments(image, kind);
  if (!count)
    return count.takeError();
  if (number < *count)
    return Status::success();
  return RuntimeError(ErrorCode::BadUsage,
                      "argument " + std::to_string(number) +
                          " was asked for, but there are " +
                          std::to_string(*count) + " of its kind");
}

/// The buffer of an input or output that is there.
static uint32_t bufferOf(const Image &image, FuseArgumentKind kind,
                         size_t number) {
  return (kind == FUSE_INPUT ? image.inputs() : image.outputs())[number];
}

FuseStatus fuse_image_argument(FuseImage image, FuseArgumentKind kind,
                               size_t number, FuseArgument *argument) {
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  const Image &own = *(*found)->image;
  if (Status status = checkNumber(own, kind, number); !status)
    return fail(status.error());
  if (kind == FUSE_SCALAR) {
    FuseArgument made = {};
    made.name = own.scalars[number].c_str();
    made.type = FUSE_INDEX;
    return handOut(made, argument);
  }
  uint32_t buffer = bufferOf(own, kind, number);
  return fillArgument(own.buffers[buffer], (*found)->shapes[buffer],
                      !own.cpus.empty(), argument);
}

FuseStatus fuse_image_size(FuseImage image, FuseArgumentKind kind,
                           size_t number, size_t dimension, const char **text) {
  if (!clear(text))
    return failNull("a place for the size");
  Result<ImageObject *> found = find<ImageObject>(image);
  if (!found)
    return fail(found.error());
  const Image &own = *(*found)->image;
  if (Status status = checkNumber(own, kind, number); !status)
    return fail(status.error());
  // A scalar has no sizes.
  size_t rank = 0;
  const std::vector<std::string> *sizes = nullptr;
  if (kind != FUSE_SCALAR) {
    sizes = &(*found)->sizes[bufferOf(own, kind, number)];
    rank = sizes->size();
  }
  if (dimension >= rank)
    return fail(
        RuntimeError(ErrorCode::BadUsage, "size " + std::to_string(dimension) +
                                              " was asked for, but there are " +
                                              std::to_string(rank)));
  *text = (*sizes)[dimension].c_str();
  return FUSE_OK;
}
