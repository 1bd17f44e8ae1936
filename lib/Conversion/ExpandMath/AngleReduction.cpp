//===- AngleReduction.cpp - what is left of an angle ----------------------===//
//
// A float is never a multiple of pi/2, but may be so near one that all its
// digits are lost in the difference: 2^-61 is the least there is in f64. So
//
//  * what is not large loses n pi/2, where pi/2 has three times the digits of a
//    float. The first of the differences is exact, the others are pairs;
//  * what is large is multiplied by 2/pi as an integer, of which just those
//  bits
//    are taken that are neither whole turns nor too small: three words,
//    wherever the exponent says that they begin. This is Payne's and Hanek's
//    method.
//
//===----------------------------------------------------------------------===//

#include "AngleReduction.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuse;

static ReducedAngle reduceSmall(FloatBuilder &b, Value size) {
  static constexpr Constant twoOverPi = {0x1.45f306p-1f, 0x1.45f306dc9c883p-1};
  static constexpr Constant high = {0x1.921fb6p+0f, 0x1.921fb54442d18p+0};
  static constexpr Constant middle = {-0x1.777a5cp-25f, 0x1.1a62633145c07p-54};
  static constexpr Constant low = {-0x1.ee59dap-50f, -0x1.f1976b7ed8fbcp-110};
  FloatBuilder::Whole n = b.nearest(size, twoOverPi);
  Value minus = b.neg(n.number);
  // Both are multiples of the last place of pi/2, and the difference is
  // below 2.
  Value rest = b.fma(minus, b.number(high), size);
  Pair product = b.product(minus, b.number(middle));
  Pair sum = b.sum(rest, product.high);
  Value digits = b.fma(minus, b.number(low), b.add(product.low, sum.low));
  return {n.integer, b.sumOrdered(sum.high, digits)};
}

/// 19 * 64 bits of 2/pi behind the point.
static constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab};

/// Those bits in words of the builder's integers, with a word of zeros before
/// them; what a float's exponent can ask for, and not more.
static SmallVector<Value> wordsOfTwoOverPi(FloatBuilder &b) {
  SmallVector<Value> words = {b.integer(0)};
  if (b.isF64) {
    for (uint64_t word : kTwoOverPi)
      words.push_back(b.integer(int64_t(word)));
    return words;
  }
  for (uint64_t word : ArrayRef(kTwoOverPi).take_front(4)) {
    words.push_back(b.integer(int32_t(word >> 32)));
    words.push_back(b.integer(int32_t(word)));
  }
  return words;
}

/// Three words of 2/pi, from bit `first` on.
static SmallVector<Value> windowOfTwoOverPi(FloatBuilder &b, Value first) {
  int bits = b.isF64 ? 64 : 32, log = b.isF64 ? 6 : 5;
  SmallVector<Value> words = wordsOfTwoOverPi(b);
  Value zero = b.integer(0);
  // By as many words as each bit of the number says, if it is set. Beyond the
  // end there is nothing, nor does a number that is not large end here.
  Value index = b.shiftRight(first, log);
  for (int bit = b.isF64 ? 4 : 2; bit >= 0; --bit) {
    int by = 1 << bit, needed = 4 + by - 1;
    Value isSet = b.hasBits(index, by);
    SmallVector<Value> moved;
    for (int i = 0; i < needed; ++i) {
      auto at = [&](size_t place) {
        return place < words.size() ? words[place] : zero;
      };
      moved.push_back(b.select(isSet, at(i + by), at(i)));
    }
    words = moved;
  }
  // And by less than a word; a shift by all of a word is not defined.
  Value by = b.andInt(first, b.integer(bits - 1));
  Value rest = b.subInt(b.integer(bits - 1), by);
  SmallVector<Value> window;
  for (int i = 0; i < 3; ++i) {
    Value left = arith::ShLIOp::create(b, words[i], by);
    Value right =
        arith::ShRUIOp::create(b, b.shiftRight(words[i + 1], 1), rest);
    window.push_back(arith::OrIOp::create(b, left, right));
  }
  return window;
}

/// A fraction of two words, which is below 1/2, as a pair.
static Pair toPair(FloatBuilder &b, Value first, Value second) {
  // Halves of words are floats.
  int bits = b.isF64 ? 64 : 32, half = bits / 2;
  Value mask = b.integer((int64_t(1) << half) - 1);
  auto part = [&](Value bitsOfPart, int place) {
    return b.mul(b.toFloat(bitsOfPart), b.power(-half * place));
  };
  Pair low = b.sumOrdered(part(b.andInt(first, mask), 2),
                          part(b.shiftRight(second, half), 3));
  Value least = b.add(low.low, part(b.andInt(second, mask), 4));
  Pair high = b.sumOrdered(part(b.shiftRight(first, half), 1), low.high);
  return b.sumOrdered(high.high, b.add(high.low, least));
}

static ReducedAngle reduceLarge(FloatBuilder &b, Value size) {
  int bits = b.isF64 ? 64 : 32;
  // The number is an integer times 2^exponent.
  Value code = b.toBits(size);
  int64_t one = int64_t(1) << b.mantissa;
  Value integer = arith::OrIOp::create(b, b.andInt(code, b.integer(one - 1)),
                                       b.integer(one));
  Value exponent =
      b.subInt(b.shiftRight(code, b.mantissa), b.integer(b.bias + b.mantissa));
  // Bits before this one make whole turns. A word of zeros comes before all.
  SmallVector<Value> window =
      windowOfTwoOverPi(b, b.addInt(exponent, b.integer(bits - 2)));

  // The product as three words, of which the first two bits count right angles;
  // above them are turns.
  auto multiply = [&](Value word) {
    return arith::MulUIExtendedOp::create(b, integer, word);
  };
  auto third = multiply(window[2]), second = multiply(window[1]);
  auto middle =
      arith::AddUIExtendedOp::create(b, second.getLow(), third.getHigh());
  Value first = arith::MulIOp::create(b, integer, window[0]);
  first = b.addInt(first, second.getHigh());
  first = b.addInt(first,
                   arith::ExtUIOp::create(b, b.integers, middle.getOverflow()));
  Value quadrant = b.shiftRight(first, bits - 2);
  auto withoutFirstTwo = [&](Value word, Value next) -> Value {
    return arith::OrIOp::create(b, b.shiftLeft(word, 2),
                                b.shiftRight(next, bits - 2));
  };
  Value high = withoutFirstTwo(first, middle.getSum());
  Value low = withoutFirstTwo(middle.getSum(), third.getLow());
  // More than a half is less than none of the next.
  Value isMore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, high, b.integer(0));
  Value sign = b.shiftRightSigned(high, bits - 1);
  quadrant = b.subInt(quadrant, sign);
  high = arith::XOrIOp::create(b, high, sign);
  low = arith::XOrIOp::create(b, low, sign);

  static constexpr PairConstant rightAngle = {
      {0x1.921fb6p+0f, 0x1.921fb54442d18p+0},
      {-0x1.777a5cp-25f, 0x1.1a62633145c07p-54}};
  Pair rest = b.product(toPair(b, high, low), b.pair(rightAngle));
  rest = b.sumOrdered(rest.high, rest.low);
  return {quadrant,
          {b.select(isMore, b.neg(rest.high), rest.high),
           b.select(isMore, b.neg(rest.low), rest.low)}};
}

ReducedAngle fuse::reduceAngle(FloatBuilder &b, Value size) {
  ReducedAngle small = reduceSmall(b, size);
  Value isLarge = b.lt(b.power(b.isF64 ? 30 : 16), size);
  auto branch = scf::IfOp::create(b, TypeRange{b.integers, b.floats, b.floats},
                                  anyOf(b, isLarge),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    ReducedAngle large = reduceLarge(b, size);
    SmallVector<Value> chosen = {
        b.select(isLarge, large.quadrant, small.quadrant),
        b.select(isLarge, large.rest.high, small.rest.high),
        b.select(isLarge, large.rest.low, small.rest.low)};
    scf::YieldOp::create(b, chosen);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(
        b, ValueRange{small.quadrant, small.rest.high, small.rest.low});
  }
  return {branch.getResult(0), {branch.getResult(1), branch.getResult(2)}};
}
