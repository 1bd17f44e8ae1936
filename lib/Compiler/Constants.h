//===- Constants.h - the data of constants ----------------------*- C++ -*-===//
//
// From attributes to buffers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_CONSTANTS_H
#define FUSE_LIB_COMPILER_CONSTANTS_H

#include "fuse/Compiler/Compiler.h"

namespace fuse {

/// Whether the data that a constant of the given type and shape names are
/// there, and as many as it needs.
Status checkData(mlir::ElementsAttr elements, const TensorSignature &signature);

/// A buffer with the elements of a constant of the given type and shape.
Result<HostBuffer> bufferOf(mlir::ElementsAttr elements,
                            const TensorSignature &signature);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_CONSTANTS_H
