//===- Arguments.h - what is said of arguments ------------------*- C++ -*-===//
//
// How errors name inputs and outputs, whoever checks them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ARGUMENTS_H
#define FUSE_RUNTIME_ARGUMENTS_H

#include "fuse/Runtime/Image.h"

namespace fuse {

/// "input 0 'x'".
std::string nameArgument(const ImageBuffer &buffer);

/// Fails if there are not as many `what`, such as "inputs", as the graph has.
Status checkCount(const Image &image, size_t found, size_t needed,
                  const char *what);

} // namespace fuse

#endif // FUSE_RUNTIME_ARGUMENTS_H
