//===- Assembly.h - pieces of assembly --------------------------*- C++ -*-===//
//
// For instructions that the NVVM dialect has no op for, or only one that says
// less than we know. None of these may be moved or left out.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETONVVM_ASSEMBLY_H
#define FUSE_LIB_CONVERSION_TILETONVVM_ASSEMBLY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse::tile {

/// The results are `numResults` f32, which constraints list first.
llvm::SmallVector<mlir::Value> assemble(mlir::ImplicitLocOpBuilder &b,
                                        const std::string &text,
                                        const std::string &constraints,
                                        llvm::ArrayRef<mlir::Value> operands,
                                        unsigned numResults);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETONVVM_ASSEMBLY_H
