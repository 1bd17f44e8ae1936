//===- PairReciprocals.cpp - two reciprocals by one instruction -----------===//
//
// A gelu or a silu of x is x / (1 + 2^y). A processor of a GPU does 16 powers
// or reciprocals in a cycle, and 128 products. Where all of its threads do this
// at the same time, and nothing else, reciprocals are what they wait for, and
// two are cheaper by way of their product:
//
//   r = 1 / (a b),  1 / a = r b,  1 / b = r a
//
// That takes a bound for a and b, so that their product is a number, and none
// of them may be NaN, since the other one would be, too. This pass finds where
// that pays and does no harm; what it marks is written by
// `math-expand-for-nvvm`.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/PairedReciprocal.h"
#include "fuse/Dialect/Tile/Analysis/Logistic.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fuse {
#define GEN_PASS_DEF_PAIRRECIPROCALS
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

/// Whether the quotient is only a factor beside an x that makes a NaN of the
/// product where the exponent is NaN.
static bool mayBePaired(arith::DivFOp division) {
  auto type = dyn_cast<RankedTensorType>(division.getType());
  if (!type || !type.getElementType().isF32() ||
      !bitEnumContainsAll(division.getFastmath(), arith::FastMathFlags::afn))
    return false;
  Value exponent =
      isOne(division.getLhs()) ? exponentOf(division.getRhs()) : Value();
  return exponent && llvm::all_of(division->getUses(), [&](OpOperand &use) {
           auto product = dyn_cast<arith::MulFOp>(use.getOwner());
           return product &&
                  growsWith(exponent,
                            product->getOperand(1 - use.getOperandNumber()));
         });
}

/// Whether the processor has other work meanwhile: products of the same round,
/// or those of the crew whose turn it is.
static bool isBesideProducts(Operation *op) {
  if (auto role = op->getParentOfType<RoleOp>(); role && role.getCrews() > 1)
    return true;
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop && llvm::any_of(*loop.getBody(), [](Operation &other) {
           return isa<DotOp, DotIssueOp>(other);
         });
}

namespace {

struct PairReciprocalsPass final
    : fuse::impl::PairReciprocalsBase<PairReciprocalsPass> {
  void runOnOperation() final {
    getOperation()->walk([](arith::DivFOp division) {
      if (mayBePaired(division) && !isBesideProducts(division))
        division->setAttr(pairedReciprocalAttr,
                          UnitAttr::get(division.getContext()));
    });
  }
};

} // namespace
