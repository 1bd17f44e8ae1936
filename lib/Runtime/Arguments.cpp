//===- Arguments.cpp - what is said of arguments --------------------------===//
//
// How errors name inputs and outputs, whoever checks them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Arguments.h"

using namespace fuse;

std::string fuse::nameArgument(const ImageBuffer &buffer) {
  bool isInput = buffer.kind == ImageBuffer::Kind::Input;
  return (isInput ? "input " : "output ") + std::to_string(buffer.number) +
         " '" + buffer.name + "'";
}

Status fuse::checkCount(const Image &image, size_t found, size_t needed,
                        const char *what) {
  if (found == needed)
    return Status::success();
  return RuntimeError(ErrorCode::BadUsage,
                      "'" + image.name + "' has " + std::to_string(needed) +
                          " " + what + ", but " + std::to_string(found) +
                          (found == 1 ? " was given" : " were given"));
}
