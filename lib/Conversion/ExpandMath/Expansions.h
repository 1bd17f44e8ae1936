//===- Expansions.h - functions as arithmetic -------------------*- C++ -*-===//
//
// One function for each op: its operands, as floats of the builder's type or
// integers, to its result. All of them take every number, NaN and infinities,
// and branch only where it says so. How far off they are is in docs/Math.md.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_EXPANDMATH_EXPANSIONS_H
#define FUSE_LIB_CONVERSION_EXPANDMATH_EXPANSIONS_H

#include "FloatBuilder.h"

namespace fuse {

/// ln 2 in two parts, the first of which has few enough digits for its product
/// with an exponent to be exact.
inline constexpr PairConstant kSplitLn2 = {
    {0x1.62e8p-1f, 0x1.62e42fefa4p-1},
    {-0x1.e8082ep-16f, -0x1.8432a1b0e2634p-43}};

// Exp.cpp
mlir::Value expandExp(FloatBuilder &b, mlir::Value x);
/// What softmax waits for, of f32 alone: results below the least normal number
/// are 0, and n is added to the exponent of the polynomial at once.
mlir::Value expandExpOfSingle(FloatBuilder &b, mlir::Value x);
mlir::Value expandExp2(FloatBuilder &b, mlir::Value x);
mlir::Value expandExpM1(FloatBuilder &b, mlir::Value x);

/// e^x of a pair that is at most ten times too large for a result.
mlir::Value expOfPair(FloatBuilder &b, Pair x);
/// e^x is 2^power * (1 + rest), where rest is between -0.3 and 0.42. The bounds
/// are those of expOfPair.
struct ExpParts {
  mlir::Value power;
  Pair rest;
};
ExpParts splitExp(FloatBuilder &b, Pair x);
/// factor * (e^x - 1), where `power` is factor * 2^n.
Pair timesExpM1(FloatBuilder &b, mlir::Value power, double factor, Pair rest);

// Log.cpp
mlir::Value expandLog(FloatBuilder &b, mlir::Value x);
mlir::Value expandLog2(FloatBuilder &b, mlir::Value x);
mlir::Value expandLog10(FloatBuilder &b, mlir::Value x);
mlir::Value expandLog1p(FloatBuilder &b, mlir::Value x);

/// A positive number as 2^power * rest, where rest is between the roots of 1/2
/// and 2.
struct LogParts {
  /// As a float.
  mlir::Value power;
  mlir::Value rest;
};
LogParts splitLog(FloatBuilder &b, mlir::Value x);

// Power.cpp
mlir::Value expandPowF(FloatBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value expandFPowI(FloatBuilder &b, mlir::Value x, mlir::Value n);
mlir::Value expandCbrt(FloatBuilder &b, mlir::Value x);

// Hyperbolic.cpp
mlir::Value expandSinh(FloatBuilder &b, mlir::Value x);
mlir::Value expandCosh(FloatBuilder &b, mlir::Value x);
mlir::Value expandTanh(FloatBuilder &b, mlir::Value x);
mlir::Value expandAsinh(FloatBuilder &b, mlir::Value x);
mlir::Value expandAcosh(FloatBuilder &b, mlir::Value x);
mlir::Value expandAtanh(FloatBuilder &b, mlir::Value x);

// Trigonometric.cpp. These branch where an element is large.
mlir::Value expandSin(FloatBuilder &b, mlir::Value x);
mlir::Value expandCos(FloatBuilder &b, mlir::Value x);
mlir::Value expandTan(FloatBuilder &b, mlir::Value x);
/// The sine, then the cosine.
std::pair<mlir::Value, mlir::Value> expandSinCos(FloatBuilder &b,
                                                 mlir::Value x);

// InverseTrigonometric.cpp
mlir::Value expandAsin(FloatBuilder &b, mlir::Value x);
mlir::Value expandAcos(FloatBuilder &b, mlir::Value x);
mlir::Value expandAtan(FloatBuilder &b, mlir::Value x);
mlir::Value expandAtan2(FloatBuilder &b, mlir::Value y, mlir::Value x);

// ErrorFunction.cpp
mlir::Value expandErf(FloatBuilder &b, mlir::Value x);
mlir::Value expandErfc(FloatBuilder &b, mlir::Value x);
/// erf of numbers between -1 and 1.
mlir::Value erfOfSmall(FloatBuilder &b, mlir::Value x);

// IntegerPower.cpp. A loop, of as many rounds as the largest exponent has bits.
mlir::Value expandIPowI(mlir::ImplicitLocOpBuilder &b, mlir::Value base,
                        mlir::Value exponent);

// Instruction.cpp
/// The instruction `name` of a GPU, on each element.
mlir::Value instruction(FloatBuilder &b, llvm::StringRef name,
                        mlir::ValueRange operands);

// PairedReciprocals.cpp
/// 1 / (1 + power), of a vector of f32 that are powers or NaN, by half as many
/// instructions `rcp` as elements; 0 below the least normal number, and of a
/// NaN that has a neighbour.
mlir::Value pairedReciprocals(FloatBuilder &b, mlir::Value power);

// Remainder.cpp. A loop, of one round where the quotient is below 2^20.
mlir::Value expandRemF(FloatBuilder &b, mlir::Value x, mlir::Value y);

} // namespace fuse

#endif // FUSE_LIB_CONVERSION_EXPANDMATH_EXPANSIONS_H
