//===- Trace.h - runs as a timeline -----------------------------*- C++ -*-===//
//
// Writes what ran when as a file that chrome://tracing and ui.perfetto.dev
// show.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_TRACE_H
#define FUSE_TOOLS_FUSE_RUN_TRACE_H

#include "Options.h"
#include "fuse/Compiler/Gpu.h"
#include "fuse/Runtime/Cuda/Trace.h"

namespace fuse {

/// Runs `program` on `data` as often as samples are asked for, and writes the
/// timeline to the file that `options` names. `gpu` is null on a processor.
Status writeProfile(Program &program, GpuProgram *gpu,
                    llvm::ArrayRef<const HostBuffer *> data,
                    const RunOptions &options);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_TRACE_H
