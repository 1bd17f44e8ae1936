//===- MemoryClass.h - how arguments may lie in memory ----------*- C++ -*-===//
//
// A kernel is compiled in several variants, one for each class of memory that
// its arguments may be of. What is known of a class is known when the kernel is
// compiled; the rest are parameters.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_MEMORYCLASS_H
#define FUSE_COMPILER_MEMORYCLASS_H

#include "fuse/Runtime/ArrayLayout.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fuse {

/// From the fastest to the one that is always possible.
enum class MemoryClass {
  Aligned, ///< Row-major without gaps, from a multiple of 16 bytes on.
  Pitched, ///< Rows without gaps that all begin at multiples of 16 bytes.
  Rows,    ///< Rows without gaps that begin anywhere.
  Any,     ///< Any strides.
};

llvm::StringRef nameOf(MemoryClass memoryClass);

/// A list of names with commas between them; the result is in order.
Result<llvm::SmallVector<MemoryClass>> parseMemoryClasses(llvm::StringRef text);

/// All, in order.
llvm::ArrayRef<MemoryClass> allMemoryClasses();

/// The first class that an array is of.
MemoryClass classOf(const ArrayLayout &layout, std::span<const int64_t> shape,
                    ElementType type);

} // namespace fuse

#endif // FUSE_COMPILER_MEMORYCLASS_H
