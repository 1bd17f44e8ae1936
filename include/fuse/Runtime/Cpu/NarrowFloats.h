//===- NarrowFloats.h - conversions that code calls -------------*- C++ -*-===//
//
// LLVM converts floats of 16 bits by functions of the compiler's own library
// where a processor has no instruction, also between two ops that convert
// nothing. Old libraries do not have them, and a loader should not depend on
// any.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CPU_NARROWFLOATS_H
#define FUSE_RUNTIME_CPU_NARROWFLOATS_H

#include <span>
#include <string_view>

namespace fuse {

struct NarrowFloatFunction {
  std::string_view name;
  void *address;
};

std::span<const NarrowFloatFunction> narrowFloatFunctions();

} // namespace fuse

#endif // FUSE_RUNTIME_CPU_NARROWFLOATS_H
