//===- RowPitch.h - how rows lie that only kernels see ----------*- C++ -*-===//
//
// What one kernel stores and another reads is nobody else's, so its rows may
// have gaps between them: where they begin at multiples of 16 bytes, vectors
// and the copy engine take them, and in whole lines each is asked for once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_ROWPITCH_H
#define FUSE_ANALYSIS_ROWPITCH_H

#include "mlir/IR/Value.h"

namespace fuse {

/// How many elements it is from one row of so many to the next.
int64_t rowPitch(int64_t elements, int64_t elementBytes);

/// Whether a value of a graph, if it is stored, is seen by kernels only: it is
/// no argument, no constant and no result.
bool isSeenByKernelsOnly(mlir::Value value);

/// Whether each row of a tensor begins at a multiple of so many bytes, if the
/// tensor does. `pitchesRows`: those that kernels only see may be apart.
bool haveRowsAt(int64_t bytes, mlir::Value tensor, bool pitchesRows);

} // namespace fuse

#endif // FUSE_ANALYSIS_ROWPITCH_H
