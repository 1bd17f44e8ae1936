//===- KeepPowers.cpp - powers that stay what they are --------------------===//
//
// Of a power that may be approximate, to an integer that became a float, LLVM
// makes `llvm.powi`. For vectors of exponents that has no code at all, which
// ends the process, and for one number it is a call of compiler-rt.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/IR/Matchers.h"

namespace fuse {
#define GEN_PASS_DEF_KEEPPOWERS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

struct KeepPowersPass final : fuse::impl::KeepPowersBase<KeepPowersPass> {
  void runOnOperation() final {
    getOperation()->walk([](math::PowFOp power) {
      // A few products do for a constant.
      if (!matchPattern(power.getRhs(), m_Constant()))
        power.setFastmath(power.getFastmath() & ~arith::FastMathFlags::afn);
    });
  }
};

} // namespace
