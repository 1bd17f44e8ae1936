//===- KernelVariants.h - kernels for classes of memory ---------*- C++ -*-===//
//
// Copies the kernels of a plan, so that there is one for each class of memory
// that makes a difference, and says when which of them may be run.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_KERNELVARIANTS_H
#define FUSE_LIB_COMPILER_KERNELVARIANTS_H

#include "LaunchPlan.h"
#include "fuse/Compiler/MemoryClass.h"
#include "fuse/Runtime/Image.h"

namespace fuse {

/// One way to do a launch. Parameters and conditions are as if the buffers of
/// the plan were those of an Image.
struct KernelVariant {
  tile::KernelOp kernel;
  /// Kernels are called as PTX allows it, whatever the graph is called.
  std::string name;
  size_t launch = 0;
  MemoryClass memoryClass = MemoryClass::Aligned;
  std::vector<KernelParameter> parameters;
  std::vector<Condition> guard;
};

/// In the order of launches, and for each of them of `classes`.
std::vector<KernelVariant> makeVariants(const LaunchPlan &plan,
                                        llvm::ArrayRef<MemoryClass> classes);

/// The bytes that arguments are aligned to, and how they lie, if there are
/// variants for these classes.
uint32_t contractAlignment(ElementType type,
                           llvm::ArrayRef<MemoryClass> classes);
ArgumentStrides contractStrides(llvm::ArrayRef<MemoryClass> classes);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_KERNELVARIANTS_H
