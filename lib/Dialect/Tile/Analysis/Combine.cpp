//===- Combine.cpp - what two elements of a reduction give ----------------===//
//
// The table.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuse::tile;

Value fuse::tile::combine(ImplicitLocOpBuilder &b, CombineKind kind, Value lhs,
                          Value rhs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs.getType()));
  switch (kind) {
  case CombineKind::Sum:
    return isFloat ? arith::AddFOp::create(b, lhs, rhs).getResult()
                   : arith::AddIOp::create(b, lhs, rhs).getResult();
  case CombineKind::Prod:
    return isFloat ? arith::MulFOp::create(b, lhs, rhs).getResult()
                   : arith::MulIOp::create(b, lhs, rhs).getResult();
  case CombineKind::Max:
    return isFloat ? arith::MaximumFOp::create(b, lhs, rhs).getResult()
                   : arith::MaxSIOp::create(b, lhs, rhs).getResult();
  case CombineKind::Min:
    return isFloat ? arith::MinimumFOp::create(b, lhs, rhs).getResult()
                   : arith::MinSIOp::create(b, lhs, rhs).getResult();
  }
  llvm_unreachable("every kind is handled above");
}
