//===- Digits.cpp - how many digits of a tile are seen --------------------===//
//
// Follows a tile to where it is rounded.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Digits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Ops whose results are off by a small multiple of what their operands are.
static bool keepsErrorsSmall(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::SelectOp, math::AbsFOp,
             math::FmaOp, math::TanhOp, math::ErfOp, BroadcastOp, TransposeOp,
             MaskOp>(op);
}

std::optional<unsigned> fuse::tile::digitsIn16Bits(Value tile) {
  unsigned most = 0;
  SetVector<Value> tiles;
  tiles.insert(tile);
  for (unsigned next = 0; next < tiles.size(); ++next)
    for (OpOperand &use : tiles[next].getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      if (auto cast = dyn_cast<arith::TruncFOp>(user)) {
        auto type = mlir::cast<FloatType>(getElementTypeOrSelf(cast.getType()));
        if (type.getWidth() > 16)
          return std::nullopt;
        most = std::max(most, type.getFPMantissaWidth());
      } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
        if (!isa<scf::ForOp, scf::IfOp>(yield->getParentOp()))
          return std::nullopt;
        tiles.insert(yield->getParentOp()->getResult(number));
        if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp()))
          tiles.insert(loop.getRegionIterArg(number));
      } else if (auto loop = dyn_cast<scf::ForOp>(user)) {
        BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
        if (!carried)
          return std::nullopt;
        tiles.insert(carried);
        tiles.insert(loop.getTiedLoopResult(&use));
      } else if (auto dot = dyn_cast<DotOp>(user)) {
        if (use != dot.getAccMutable())
          return std::nullopt;
        tiles.insert(dot.getResult());
      } else if (keepsErrorsSmall(user)) {
        tiles.insert(user->getResult(0));
      } else {
        return std::nullopt;
      }
    }
  return most;
}
