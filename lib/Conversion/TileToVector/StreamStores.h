//===- StreamStores.h - writing past the caches -----------------*- C++ -*-===//
//
// A store to a line that is not in a cache reads the line first. For an array
// that no cache can hold, that is for nothing: it is written past them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_STREAMSTORES_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_STREAMSTORES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse::tile {

/// Marks the stores of whole lines to arguments of at least `leastBytes` bytes
/// as not temporal, and ends the function with a fence if there are any.
void streamStores(mlir::func::FuncOp function, int64_t leastBytes);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_STREAMSTORES_H
