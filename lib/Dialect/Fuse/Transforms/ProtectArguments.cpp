//===- ProtectArguments.cpp - a caller's inputs are the caller's ----------===//
//
// Sets the attribute by which bufferization is told so.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"

namespace fuse {
#define GEN_PASS_DEF_PROTECTARGUMENTS
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

struct ProtectArgumentsPass final
    : fuse::impl::ProtectArgumentsBase<ProtectArgumentsPass> {
  void runOnOperation() final {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    auto no = BoolAttr::get(&getContext(), false);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (isa<TensorType>(function.getArgument(i).getType()))
        function.setArgAttr(
            i, bufferization::BufferizationDialect::kWritableAttrName, no);
  }
};

} // namespace
