//===- FloatBuilder.h - arithmetic on f32 or f64 ----------------*- C++ -*-===//
//
// What expansions of functions are written in: one text serves both types, on
// scalars and on vectors of any shape.
//
// A sum or product of floats leaves a rest that is a float, too. A pair of
// floats holds both, and with them about twice as many digits. That is all that
// is used where one float has not enough.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H
#define FUSE_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {

/// high + low, where high is the sum, rounded.
struct Pair {
  mlir::Value high, low;
};

/// A number in both types: the nearest float is not always what is wanted, nor
/// has a polynomial as many terms.
struct Constant {
  float single;
  double full;
};
struct PairConstant {
  Constant high, low;
};
struct Terms {
  llvm::ArrayRef<float> single;
  llvm::ArrayRef<double> full;
};

/// `value` as a scalar or as each element of a vector.
mlir::Value splat(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                  mlir::TypedAttr value);
/// Whether a condition holds for any element, as one i1.
mlir::Value anyOf(mlir::ImplicitLocOpBuilder &b, mlir::Value condition);

class FloatBuilder : public mlir::ImplicitLocOpBuilder {
public:
  FloatBuilder(mlir::Location loc, mlir::OpBuilder &builder, mlir::Type floats);

  /// f32 or f64, and vectors of them.
  static bool supports(mlir::Type type);

  bool isF64;
  /// The bits of the mantissa that are stored, and what is added to exponents.
  int mantissa, bias;
  mlir::Type floats, integers;

  /// A vector of `element` where floats are vectors.
  mlir::Type withElements(mlir::Type element);

  mlir::Value number(double value);
  mlir::Value number(Constant value);
  Pair pair(PairConstant value);
  mlir::Value integer(int64_t value);
  /// 2^exponent, of a normal float.
  mlir::Value power(int exponent);
  mlir::Value infinity();
  mlir::Value nan();

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value sum);
  mlir::Value neg(mlir::Value a);
  mlir::Value abs(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value trunc(mlir::Value a);
  /// NaN if either is.
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value copySign(mlir::Value size, mlir::Value sign);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::Value lt(mlir::Value a, mlir::Value b);
  mlir::Value le(mlir::Value a, mlir::Value b);
  mlir::Value eq(mlir::Value a, mlir::Value b);
  mlir::Value isNaN(mlir::Value a);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value negation(mlir::Value a);

  mlir::Value addInt(mlir::Value a, mlir::Value b);
  mlir::Value subInt(mlir::Value a, mlir::Value b);
  mlir::Value andInt(mlir::Value a, mlir::Value b);
  mlir::Value shiftLeft(mlir::Value a, int by);
  mlir::Value shiftRight(mlir::Value a, int by);
  mlir::Value shiftRightSigned(mlir::Value a, int by);
  /// Whether any of the bits of `mask` is set.
  mlir::Value hasBits(mlir::Value a, int64_t mask);
  /// Whether the sign is set, of a NaN and of zeros as well.
  mlir::Value isNegative(mlir::Value a);

  mlir::Value toBits(mlir::Value a);
  mlir::Value fromBits(mlir::Value a);
  mlir::Value toFloat(mlir::Value integer);

  /// The terms from the highest power to the lowest.
  mlir::Value polynomial(mlir::Value x, Terms terms);

  /// a + b, nothing lost; the second one where |a| >= |b|, or a is 0.
  Pair sum(mlir::Value a, mlir::Value b);
  Pair sumOrdered(mlir::Value a, mlir::Value b);
  Pair product(mlir::Value a, mlir::Value b);
  Pair product(Pair a, mlir::Value b);
  Pair product(Pair a, Pair b);
  /// The quotient of a pair, and of one whose parts are positive.
  Pair quotient(Pair a, Pair b);
  Pair negPair(Pair a);
  mlir::Value round(Pair a);

  /// The nearest whole number to a * factor, as a float and as an integer; the
  /// product is below 2^20. A NaN gives some integer.
  struct Whole {
    mlir::Value number, integer;
  };
  Whole nearest(mlir::Value a, Constant factor);

  /// a * 2^n, rounded once; |n| is below twice the largest exponent.
  mlir::Value scale(mlir::Value a, mlir::Value n);
  /// 2^n of what is the exponent of a normal float.
  mlir::Value powerOf(mlir::Value n);
};

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_EXPANDMATH_FLOATBUILDER_H
