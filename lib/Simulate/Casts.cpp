//===- Casts.cpp - from one element type to another -----------------------===//
//
// Every cast rounds once, whatever lies between the types.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

/// To a float of up to 16 bits. By way of f32 it would be rounded twice.
static float roundOnce(ElementType type, double value) {
  uint16_t bits;
  storeDouble(type, &bits, 0, value);
  return loadAsDouble(type, &bits, 0);
}

/// With 53 bits, of which the last one stays set if any that are left out are:
/// rounded to fewer bits, it gives what the number itself would give.
template <typename T> static double roundToOdd(T number) {
  bool isNegative = number < 0;
  auto bits = static_cast<uint64_t>(number);
  bits = isNegative ? -bits : bits;
  unsigned excess = std::max(0, 11 - llvm::countl_zero(bits));
  uint64_t dropped = bits & llvm::maskTrailingOnes<uint64_t>(excess);
  bits = (bits >> excess | (dropped != 0)) << excess;
  return isNegative ? -static_cast<double>(bits) : static_cast<double>(bits);
}

void simulate::castFloats(Operation *, ArrayRef<ArrayPtr> in, Array &out) {
  const double *doubles = in[0]->getIf<double>();
  bool isNarrow = out.type() != ElementType::F32 && !out.getIf<double>();
  if (doubles && isNarrow) {
    for (size_t i = 0, e = out.size(); i < e; ++i)
      out.get<float>()[i] = roundOnce(out.type(), doubles[i]);
    return;
  }
  auto loop = [&](auto *to, const auto *from) {
    std::copy(from, from + out.size(), to);
  };
  if (double *to = out.getIf<double>())
    doubles ? loop(to, doubles) : loop(to, in[0]->get<float>());
  else
    doubles ? loop(out.get<float>(), doubles)
            : loop(out.get<float>(), in[0]->get<float>());
  out.normalise();
}

template <bool isSigned>
void simulate::castIntegersToFloats(Operation *, ArrayRef<ArrayPtr> in,
                                    Array &out) {
  unsigned bits = integerBits(in[0]->type());
  const int64_t *from = in[0]->get<int64_t>();
  auto loop = [&]<typename T>(T *to, auto round) {
    for (size_t i = 0, e = out.size(); i < e; ++i)
      to[i] = isSigned ? round(asSigned(from[i], bits))
                       : round(asUnsigned(from[i], bits));
  };
  if (double *doubles = out.getIf<double>())
    return loop(doubles, [](auto x) -> double { return x; });
  loop(out.get<float>(), [&](auto x) -> float {
    if (out.type() == ElementType::F32)
      return x;
    return roundOnce(out.type(), roundToOdd(x));
  });
}

template <bool isSigned>
void simulate::castFloatsToIntegers(Operation *, ArrayRef<ArrayPtr> in,
                                    Array &out) {
  unsigned bits = integerBits(out.type());
  auto convert = [&](double value) -> int64_t {
    if (std::isnan(value))
      return 0;
    double limit = std::ldexp(1.0, isSigned ? bits - 1 : bits);
    if (value >= limit)
      return isSigned ? llvm::maxIntN(bits)
                      : static_cast<int64_t>(~uint64_t(0));
    if (isSigned)
      return value <= -limit ? llvm::minIntN(bits)
                             : static_cast<int64_t>(value);
    return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
  };
  auto loop = [&](const auto *from) {
    for (size_t i = 0, e = out.size(); i < e; ++i)
      out.get<int64_t>()[i] = convert(from[i]);
  };
  if (const double *doubles = in[0]->getIf<double>())
    loop(doubles);
  else
    loop(in[0]->get<float>());
  out.normalise();
}

template <bool isSigned>
void simulate::castIntegers(Operation *, ArrayRef<ArrayPtr> in, Array &out) {
  unsigned bits = integerBits(in[0]->type());
  const int64_t *from = in[0]->get<int64_t>();
  for (size_t i = 0, e = out.size(); i < e; ++i)
    out.get<int64_t>()[i] =
        isSigned ? asSigned(from[i], bits)
                 : static_cast<int64_t>(asUnsigned(from[i], bits));
  out.normalise();
}

void simulate::castBits(Operation *, ArrayRef<ArrayPtr> in, Array &out) {
  std::vector<uint64_t> bytes(in[0]->size());
  storeRun(*in[0], 0, bytes.data(), 0, 1, in[0]->size());
  loadRun(out, 0, bytes.data(), 0, 1, out.size());
}

template void simulate::castIntegersToFloats<true>(Operation *,
                                                   ArrayRef<ArrayPtr>, Array &);
template void
simulate::castIntegersToFloats<false>(Operation *, ArrayRef<ArrayPtr>, Array &);
template void simulate::castFloatsToIntegers<true>(Operation *,
                                                   ArrayRef<ArrayPtr>, Array &);
template void
simulate::castFloatsToIntegers<false>(Operation *, ArrayRef<ArrayPtr>, Array &);
template void simulate::castIntegers<true>(Operation *, ArrayRef<ArrayPtr>,
                                           Array &);
template void simulate::castIntegers<false>(Operation *, ArrayRef<ArrayPtr>,
                                            Array &);
