//===- InstructionErrorsTest.cpp - functions by instructions of a GPU -----===//
//
// What math-expand-for-nvvm makes of functions is compiled for this processor,
// with arithmetic in place of the instructions: as far off as NVIDIA's
// documentation of PTX allows them to be. The errors that are allowed are those
// of docs/Math.md.
//
//===----------------------------------------------------------------------===//

#include "FunctionErrors.h"

using namespace mlir;
using namespace fuse;

namespace {

/// How many units in the last place the instructions are off.
struct Off {
  int power, inverse;
};

/// The number that is so many units away, where there is a number at all.
Value moveBy(ImplicitLocOpBuilder &b, Value x, int units) {
  auto constant = [&](TypedAttr value) {
    return arith::ConstantOp::create(b, value);
  };
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
  Value moved = arith::BitcastOp::create(
      b, b.getF32Type(),
      arith::AddIOp::create(b, bits, constant(b.getI32IntegerAttr(units))));
  Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x,
                                      constant(b.getF32FloatAttr(0x1p-125f)));
  Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                                      constant(b.getF32FloatAttr(0x1p127f)));
  return arith::SelectOp::create(b, arith::AndIOp::create(b, above, below),
                                 moved, x);
}

LogicalResult replaceInstructions(ModuleOp module, Off off) {
  PassManager passes(module.getContext());
  passes.addPass(createExpandMathForNVVM());
  if (failed(passes.run(module)))
    return failure();
  bool hasOthers = false;
  module.walk([&](LLVM::InlineAsmOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value x = arith::ExtFOp::create(b, b.getF64Type(), op.getOperand(0));
    Value result;
    int units = 0;
    if (op.getAsmString().starts_with("ex2.approx.ftz.f32 ")) {
      result = math::Exp2Op::create(b, x);
      units = off.power;
    } else if (op.getAsmString().starts_with("rcp.approx.ftz.f32 ")) {
      Value one = arith::ConstantOp::create(b, b.getF64FloatAttr(1));
      result = arith::DivFOp::create(b, one, x);
      units = off.inverse;
    } else {
      hasOthers = true;
      return;
    }
    result = arith::TruncFOp::create(b, b.getF32Type(), result);
    op.getResult(0).replaceAllUsesWith(moveBy(b, result, units));
    op.erase();
  });
  return failure(hasOthers);
}

struct Function {
  const char *name, *code;
  double most;
  double (*want)(double);
  bool isRelativeToX = false;
};

std::ostream &operator<<(std::ostream &os, const Function &function) {
  return os << function.name;
}

class InstructionErrors : public testing::TestWithParam<Function> {};

TEST_P(InstructionErrors, F32) {
  for (Off off : {Off{0, 0}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}}) {
    Compiled<float> compiled(GetParam().code, [&](ModuleOp module) {
      return replaceInstructions(module, off);
    });
    ASSERT_TRUE(compiled);
    Judge<float> judge(compiled,
                       [&](double x, double) { return GetParam().want(x); });
    judge.isRelativeToX = GetParam().isRelativeToX;
    takeSample(judge);
    judge.flush();
    report(GetParam().name, judge, GetParam().most);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, InstructionErrors,
    testing::Values(
        Function{"tanh", "%r = math.tanh %a : vector<16x$t>", 3.5, std::tanh},
        Function{"erf", "%r = math.erf %a : vector<16x$t>", 1.5, std::erf},
        Function{"gelu_tanh", kGeluTanh, 3, geluTanh<double>, true}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
