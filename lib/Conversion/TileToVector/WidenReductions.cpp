//===- WidenReductions.cpp - reductions of narrow floats ------------------===//
//
// One rewrite.
//
//===----------------------------------------------------------------------===//

#include "WidenReductions.h"
#include "Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

void tile::widenReductions(KernelOp kernel) {
  kernel.walk([](ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getSource().getType());
    if (!isNarrowFloat(type.getElementType()))
      return;
    OpBuilder b(reduce);
    Location loc = reduce.getLoc();
    Value wide = arith::ExtFOp::create(b, loc, type.clone(b.getF32Type()),
                                       reduce.getSource());
    Value reduced =
        ReduceOp::create(b, loc, reduce.getKind(), wide, reduce.getDims());
    Value narrow =
        arith::TruncFOp::create(b, loc, reduce.getResult().getType(), reduced);
    reduce.getResult().replaceAllUsesWith(narrow);
    reduce.erase();
  });
}
