//===- Arguments.h - the data that a graph is run on ------------*- C++ -*-===//
//
// Brings together what a function declares, what the command line says and what
// files hold.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_ARGUMENTS_H
#define FUSE_TOOLS_FUSE_RUN_ARGUMENTS_H

#include "Options.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuse {

/// One argument of the entry.
struct Argument {
  /// Its 'fuse.name', or its number.
  std::string name;
  /// The sizes of a tensor; the value of an index.
  ArgumentShape shape;
  /// Where the data come from, for people.
  std::string origin;
  /// Absent for an index.
  std::optional<ElementType> type;
  /// Absent for an index, and where nothing is run.
  std::optional<HostBuffer> data;
};

/// Shapes of all arguments of `function` and their data. Complains about the
/// function in the order in which its arguments are written.
Result<std::vector<Argument>> bindArguments(mlir::func::FuncOp function,
                                            const RunOptions &options);

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_ARGUMENTS_H
