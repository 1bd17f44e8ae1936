//===- ErrorFunction.cpp - erf and erfc -----------------------------------===//
//
// erf is a polynomial below 1. What is far out is
//
//   erfc x = e^(-x^2) G(t) / (1 + 2x)      t = (x - 3) / (x + 3)
//
// where G is a polynomial: it hardly changes from 1/2 to where erfc is 0. The
// square is a pair, as its last digits count in the power.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace mlir;
using namespace fuse;

/// The terms are for erf x / x - 1.
Value fuse::erfOfSmall(FloatBuilder &b, Value x) {
  static constexpr float single[] = {
      0x1.4ae4cep-14f, -0x1.a485eep-11f, 0x1.5419f6p-8f, -0x1.b7fbb4p-6f,
      0x1.ce2d2p-4f,   -0x1.81273ep-2f,  0x1.06eba8p-3f};
  static constexpr double full[] = {
      0x1.06274bb749acep-34,  -0x1.38ac1bc73b82p-30,  0x1.f7b99ab4b4ebfp-27,
      -0x1.5f1f40a8e0b63p-23, 0x1.b9df3050d8543p-20,  -0x1.f4d1e4339e1bdp-17,
      0x1.f9a321e4a6658p-14,  -0x1.c02db3db48b95p-11, 0x1.565bcd0dbd8d2p-8,
      -0x1.b82ce31284f36p-6,  0x1.ce2f21a042b34p-4,   -0x1.812746b0379e6p-2,
      0x1.06eba8214db69p-3};
  Value square = b.mul(x, x);
  return b.fma(x, b.polynomial(square, {single, full}), x);
}

/// For x >= 1/2. Beyond 28, in f32 beyond 11, there are no results but 0.
static Value erfcOfLarge(FloatBuilder &b, Value x) {
  static constexpr float single[] = {
      -0x1.8ff2b6p-13f, -0x1.6d782p-11f, 0x1.007e2cp-9f,  0x1.48de7ep-9f,
      -0x1.85c3dcp-6f,  0x1.17cc7p-4f,   -0x1.e88942p-4f, 0x1.09835ap-3f,
      -0x1.85a18ap-5f,  -0x1.15c084p-3f, 0x1.40c522p+0f};
  static constexpr double full[] = {
      -0x1.1f668b328936cp-28, -0x1.748a85406c97fp-27, 0x1.22ba103e37e3cp-25,
      0x1.aa80821ba8eb6p-24,  -0x1.1f7fa7f078363p-23, -0x1.4a54b72930d25p-21,
      0x1.7a658f11e3aa9p-22,  0x1.d203713204addp-19,  -0x1.87e2fea5ac5cap-21,
      -0x1.513b49a378b53p-16, 0x1.4c21ab683a118p-18,  0x1.065a37cc3541dp-13,
      -0x1.b9126db1f68e7p-14, -0x1.98db511eb43fbp-11, 0x1.ef1bdd3f12f47p-10,
      0x1.4b884e447919fp-9,   -0x1.8574c40bc8c62p-6,  0x1.17ca2877f0dbp-4,
      -0x1.e88b803a49398p-4,  0x1.098366a5b46cdp-3,   -0x1.85a15c58aa5ccp-5,
      -0x1.15c084bb9e8f3p-3,  0x1.40c522d7e4987p+0};
  x = b.min(x, b.number({10.2f, 27.3}));
  Value one = b.number(1), three = b.number(3);
  Value t = b.div(b.sub(x, three), b.add(x, three));
  // All of it in pairs, since there are three factors that would be rounded.
  Terms higher = {ArrayRef(single).drop_back(), ArrayRef(full).drop_back()};
  Pair sum = b.product(t, b.polynomial(t, higher));
  Pair above = b.sumOrdered(
      b.number({std::end(single)[-1], std::end(full)[-1]}), sum.high);
  above.low = b.add(above.low, sum.low);
  Pair scaled = b.quotient(above, b.sum(b.add(x, x), one));
  ExpParts power = splitExp(b, b.negPair(b.product(x, x)));
  Pair rest = b.sumOrdered(one, power.rest.high);
  rest.low = b.add(rest.low, power.rest.low);
  return b.scale(b.round(b.product(scaled, rest)), power.power);
}

Value fuse::expandErf(FloatBuilder &b, Value x) {
  Value size = b.abs(x), one = b.number(1);
  Value far = b.sub(one, erfcOfLarge(b, size));
  Value isFar = b.lt(one, size);
  return b.copySign(b.select(isFar, far, erfOfSmall(b, size)), x);
}

Value fuse::expandErfc(FloatBuilder &b, Value x) {
  Value size = b.abs(x);
  Value far = erfcOfLarge(b, size);
  far = b.select(b.isNegative(x), b.sub(b.number(2), far), far);
  Value near = b.sub(b.number(1), erfOfSmall(b, x));
  return b.select(b.lt(size, b.number(0.5)), near, far);
}
