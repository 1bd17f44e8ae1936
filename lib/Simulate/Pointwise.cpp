//===- Pointwise.cpp - ops on single elements -----------------------------===//
//
// A table from names of ops to functions of numbers. A function of floats is
// written once, as a generic lambda, and used for float and double; narrower
// floats are computed with as float and rounded afterwards.
//
//===----------------------------------------------------------------------===//

#include "Pointwise.h"
#include "Casts.h"
#include "TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <bit>
#include <cmath>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// `function` of floats, on all elements of `numOperands` operands.
template <unsigned numOperands, typename F>
PointwiseFunction floats(F function) {
  return [=](Operation *, ArrayRef<ArrayPtr> in, Array &out) {
    auto loop = [&](auto *to) {
      using T = std::remove_pointer_t<decltype(to)>;
      const T *a = in[0]->get<T>(), *b = in[numOperands > 1]->get<T>(),
              *c = in[numOperands > 2 ? 2 : 0]->get<T>();
      for (size_t i = 0, e = out.size(); i < e; ++i)
        if constexpr (numOperands == 1)
          to[i] = function(a[i]);
        else if constexpr (numOperands == 2)
          to[i] = function(a[i], b[i]);
        else
          to[i] = function(a[i], b[i], c[i]);
    };
    if (double *doubles = out.getIf<double>())
      loop(doubles);
    else
      loop(out.get<float>());
    out.normalise();
  };
}

template <typename F> PointwiseFunction unary(F function) {
  return floats<1>(function);
}
template <typename F> PointwiseFunction binary(F function) {
  return floats<2>(function);
}

/// A truth value of each element of floats.
template <typename F> PointwiseFunction test(F function) {
  return [=](Operation *, ArrayRef<ArrayPtr> in, Array &out) {
    auto loop = [&](const auto *a) {
      for (size_t i = 0, e = out.size(); i < e; ++i)
        out.get<int64_t>()[i] = function(a[i]);
    };
    if (const double *doubles = in[0]->getIf<double>())
      loop(doubles);
    else
      loop(in[0]->get<float>());
  };
}

/// `function` of integers as they are held; sums and products need no more.
template <typename F> PointwiseFunction integers(F function) {
  return [=](Operation *, ArrayRef<ArrayPtr> in, Array &out) {
    const int64_t *a = in[0]->get<int64_t>(),
                  *b = in[in.size() > 1]->get<int64_t>();
    int64_t *to = out.get<int64_t>();
    for (size_t i = 0, e = out.size(); i < e; ++i)
      to[i] = function(a[i], b[i]);
    out.normalise();
  };
}

/// Of integers with the sign that they are meant to have.
template <typename F> PointwiseFunction signedIntegers(F function) {
  return [=](Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
    unsigned bits = integerBits(in[0]->type());
    integers([=](int64_t a, int64_t b) {
      return function(asSigned(a, bits), asSigned(b, bits));
    })(op, in, out);
  };
}

template <typename F> PointwiseFunction unsignedIntegers(F function) {
  return [=](Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
    unsigned bits = integerBits(in[0]->type());
    integers([=](int64_t a, int64_t b) {
      return static_cast<int64_t>(
          function(asUnsigned(a, bits), asUnsigned(b, bits)));
    })(op, in, out);
  };
}

//===----------------------------------------------------------------------===//
// Functions of numbers
//===----------------------------------------------------------------------===//

/// NaN if one is, and 0 is more than -0.
template <typename T> T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}
template <typename T> T minimum(T a, T b) { return -maximum(-a, -b); }

/// Wraps, as arithmetic on unsigned numbers does.
int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}
int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  int64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = product(base, base))
    if (exponent & 1)
      result = product(result, base);
  return result;
}

/// By 0, and where it overflows, a division gives some number.
bool isUndefined(int64_t a, int64_t b) {
  return b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min());
}
int64_t divide(int64_t a, int64_t b) { return isUndefined(a, b) ? 0 : a / b; }
int64_t remainder(int64_t a, int64_t b) {
  return isUndefined(a, b) ? 0 : a % b;
}
int64_t divideDown(int64_t a, int64_t b) {
  return divide(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0));
}
int64_t divideUp(int64_t a, int64_t b) {
  return divide(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

template <typename T> bool compare(arith::CmpFPredicate predicate, T a, T b) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !isUnordered;
  case P::UNO:
    return isUnordered;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return a < b || a > b;
  case P::UEQ:
    return isUnordered || a == b;
  case P::UGT:
    return !(a <= b);
  case P::UGE:
    return !(a < b);
  case P::ULT:
    return !(a >= b);
  case P::ULE:
    return !(a > b);
  case P::UNE:
    return a != b;
  }
  llvm_unreachable("every predicate is handled above");
}

bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
             unsigned bits) {
  using P = arith::CmpIPredicate;
  int64_t as = asSigned(a, bits), bs = asSigned(b, bits);
  uint64_t au = asUnsigned(a, bits), bu = asUnsigned(b, bits);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return as < bs;
  case P::sle:
    return as <= bs;
  case P::sgt:
    return as > bs;
  case P::sge:
    return as >= bs;
  case P::ult:
    return au < bu;
  case P::ule:
    return au <= bu;
  case P::ugt:
    return au > bu;
  case P::uge:
    return au >= bu;
  }
  llvm_unreachable("every predicate is handled above");
}

//===----------------------------------------------------------------------===//
// Ops that are no function of numbers of one type
//===----------------------------------------------------------------------===//

void compareFloats(Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
  arith::CmpFPredicate predicate = cast<arith::CmpFOp>(op).getPredicate();
  auto loop = [&](const auto *a, const auto *b) {
    for (size_t i = 0, e = out.size(); i < e; ++i)
      out.get<int64_t>()[i] = compare(predicate, a[i], b[i]);
  };
  if (const double *doubles = in[0]->getIf<double>())
    loop(doubles, in[1]->get<double>());
  else
    loop(in[0]->get<float>(), in[1]->get<float>());
}

void compareIntegers(Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
  arith::CmpIPredicate predicate = cast<arith::CmpIOp>(op).getPredicate();
  unsigned bits = integerBits(in[0]->type());
  const int64_t *a = in[0]->get<int64_t>(), *b = in[1]->get<int64_t>();
  for (size_t i = 0, e = out.size(); i < e; ++i)
    out.get<int64_t>()[i] = compare(predicate, a[i], b[i], bits);
}

void select(Operation *, ArrayRef<ArrayPtr> in, Array &out) {
  const int64_t *condition = in[0]->get<int64_t>();
  // One condition may choose whole tiles.
  size_t step = in[0]->size() == out.size();
  out.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    const T *a = in[1]->get<T>(), *b = in[2]->get<T>();
    for (size_t i = 0, e = out.size(); i < e; ++i)
      to[i] = condition[i * step] ? a[i] : b[i];
  });
}

void raise(Operation *, ArrayRef<ArrayPtr> in, Array &out) {
  const int64_t *exponents = in[1]->get<int64_t>();
  auto loop = [&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    for (size_t i = 0, e = out.size(); i < e; ++i)
      to[i] = std::pow(in[0]->get<T>()[i], static_cast<double>(exponents[i]));
  };
  if (double *doubles = out.getIf<double>())
    loop(doubles);
  else
    loop(out.get<float>());
  out.normalise();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using Table = llvm::StringMap<PointwiseFunction>;

void addFloats(Table &t) {
  t["arith.addf"] = binary([](auto a, auto b) { return a + b; });
  t["arith.subf"] = binary([](auto a, auto b) { return a - b; });
  t["arith.mulf"] = binary([](auto a, auto b) { return a * b; });
  t["arith.divf"] = binary([](auto a, auto b) { return a / b; });
  t["arith.remf"] = binary([](auto a, auto b) { return std::fmod(a, b); });
  t["arith.negf"] = unary([](auto a) { return -a; });
  t["arith.maximumf"] = binary([](auto a, auto b) { return maximum(a, b); });
  t["arith.minimumf"] = binary([](auto a, auto b) { return minimum(a, b); });
  t["arith.maxnumf"] = binary([](auto a, auto b) { return std::fmax(a, b); });
  t["arith.minnumf"] = binary([](auto a, auto b) { return std::fmin(a, b); });
  t["math.atan2"] = binary([](auto a, auto b) { return std::atan2(a, b); });
  t["math.copysign"] =
      binary([](auto a, auto b) { return std::copysign(a, b); });
  t["math.powf"] = binary([](auto a, auto b) { return std::pow(a, b); });
  t["math.fma"] =
      floats<3>([](auto a, auto b, auto c) { return std::fma(a, b, c); });
  t["tile.round"] = unary([](auto a) { return roundToTf32(a); });
  t["math.absf"] = unary([](auto a) { return std::fabs(a); });
  t["math.acos"] = unary([](auto a) { return std::acos(a); });
  t["math.acosh"] = unary([](auto a) { return std::acosh(a); });
  t["math.asin"] = unary([](auto a) { return std::asin(a); });
  t["math.asinh"] = unary([](auto a) { return std::asinh(a); });
  t["math.atan"] = unary([](auto a) { return std::atan(a); });
  t["math.atanh"] = unary([](auto a) { return std::atanh(a); });
  t["math.cbrt"] = unary([](auto a) { return std::cbrt(a); });
  t["math.ceil"] = unary([](auto a) { return std::ceil(a); });
  t["math.cos"] = unary([](auto a) { return std::cos(a); });
  t["math.cosh"] = unary([](auto a) { return std::cosh(a); });
  t["math.erf"] = unary([](auto a) { return std::erf(a); });
  t["math.erfc"] = unary([](auto a) { return std::erfc(a); });
  t["math.exp"] = unary([](auto a) { return std::exp(a); });
  t["math.exp2"] = unary([](auto a) { return std::exp2(a); });
  t["math.expm1"] = unary([](auto a) { return std::expm1(a); });
  t["math.floor"] = unary([](auto a) { return std::floor(a); });
  t["math.log"] = unary([](auto a) { return std::log(a); });
  t["math.log10"] = unary([](auto a) { return std::log10(a); });
  t["math.log1p"] = unary([](auto a) { return std::log1p(a); });
  t["math.log2"] = unary([](auto a) { return std::log2(a); });
  t["math.round"] = unary([](auto a) { return std::round(a); });
  t["math.roundeven"] = unary([](auto a) { return std::nearbyint(a); });
  t["math.rsqrt"] = unary([](auto a) { return 1 / std::sqrt(a); });
  t["math.sin"] = unary([](auto a) { return std::sin(a); });
  t["math.sinh"] = unary([](auto a) { return std::sinh(a); });
  t["math.sqrt"] = unary([](auto a) { return std::sqrt(a); });
  t["math.tan"] = unary([](auto a) { return std::tan(a); });
  t["math.tanh"] = unary([](auto a) { return std::tanh(a); });
  t["math.trunc"] = unary([](auto a) { return std::trunc(a); });
  t["math.fpowi"] = raise;
  t["math.isfinite"] = test([](auto a) { return std::isfinite(a); });
  t["math.isinf"] = test([](auto a) { return std::isinf(a); });
  t["math.isnan"] = test([](auto a) { return std::isnan(a); });
  t["math.isnormal"] = test([](auto a) { return std::isnormal(a); });
}

void addIntegers(Table &t) {
  t["arith.addi"] = integers([](uint64_t a, uint64_t b) { return a + b; });
  t["arith.subi"] = integers([](uint64_t a, uint64_t b) { return a - b; });
  t["arith.muli"] = integers(product);
  t["arith.andi"] = integers([](int64_t a, int64_t b) { return a & b; });
  t["arith.ori"] = integers([](int64_t a, int64_t b) { return a | b; });
  t["arith.xori"] = integers([](int64_t a, int64_t b) { return a ^ b; });
  t["arith.divsi"] = signedIntegers(divide);
  t["arith.remsi"] = signedIntegers(remainder);
  t["arith.ceildivsi"] = signedIntegers(divideUp);
  t["arith.floordivsi"] = signedIntegers(divideDown);
  t["arith.maxsi"] =
      signedIntegers([](int64_t a, int64_t b) { return std::max(a, b); });
  t["arith.minsi"] =
      signedIntegers([](int64_t a, int64_t b) { return std::min(a, b); });
  t["arith.divui"] = unsignedIntegers(
      [](uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; });
  t["arith.remui"] = unsignedIntegers(
      [](uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; });
  t["arith.ceildivui"] = unsignedIntegers(
      [](uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b + (a % b != 0); });
  t["arith.maxui"] =
      unsignedIntegers([](uint64_t a, uint64_t b) { return std::max(a, b); });
  t["arith.minui"] =
      unsignedIntegers([](uint64_t a, uint64_t b) { return std::min(a, b); });
  // By more than there are bits some number comes out, as with a division by 0.
  t["arith.shli"] = unsignedIntegers(
      [](uint64_t a, uint64_t b) { return b > 63 ? 0 : a << b; });
  t["arith.shrui"] = unsignedIntegers(
      [](uint64_t a, uint64_t b) { return b > 63 ? 0 : a >> b; });
  t["arith.shrsi"] = signedIntegers([](int64_t a, int64_t b) {
    return a >> (static_cast<uint64_t>(b) > 63 ? 63 : b);
  });
  t["math.absi"] =
      signedIntegers([](int64_t a, int64_t) { return a < 0 ? -a : a; });
  t["math.ipowi"] = signedIntegers(power);
  t["math.ctpop"] = unsignedIntegers(
      [](uint64_t a, uint64_t) { return uint64_t(llvm::popcount(a)); });
  t["math.ctlz"] = [](Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
    unsigned unused = 64 - integerBits(in[0]->type());
    unsignedIntegers([=](uint64_t a, uint64_t) {
      return uint64_t(llvm::countl_zero(a)) - unused;
    })(op, in, out);
  };
  t["math.cttz"] = [](Operation *op, ArrayRef<ArrayPtr> in, Array &out) {
    unsigned bits = integerBits(in[0]->type());
    unsignedIntegers([=](uint64_t a, uint64_t) {
      return uint64_t(std::min<unsigned>(llvm::countr_zero(a), bits));
    })(op, in, out);
  };
}

void addOthers(Table &t) {
  t["arith.cmpf"] = compareFloats;
  t["arith.cmpi"] = compareIntegers;
  t["arith.select"] = select;
  t["arith.extf"] = castFloats;
  t["arith.truncf"] = castFloats;
  t["arith.sitofp"] = castIntegersToFloats<true>;
  t["arith.uitofp"] = castIntegersToFloats<false>;
  t["arith.fptosi"] = castFloatsToIntegers<true>;
  t["arith.fptoui"] = castFloatsToIntegers<false>;
  t["arith.extsi"] = castIntegers<true>;
  t["arith.extui"] = castIntegers<false>;
  t["arith.trunci"] = castIntegers<true>;
  t["arith.index_cast"] = castIntegers<true>;
  t["arith.index_castui"] = castIntegers<false>;
  t["arith.bitcast"] = castBits;
}

} // namespace

const PointwiseFunction *simulate::findPointwise(Operation *op) {
  static const Table table = [] {
    Table functions;
    addFloats(functions);
    addIntegers(functions);
    addOthers(functions);
    return functions;
  }();
  auto found = table.find(op->getName().getStringRef());
  return found == table.end() ? nullptr : &found->second;
}

bool simulate::overflows(Operation *op, ArrayRef<ArrayPtr> operands) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  int64_t a = operands[0]->integer(), b = operands[1]->integer(), result;
  if (isa<arith::AddIOp>(op))
    return llvm::AddOverflow(a, b, result);
  if (isa<arith::SubIOp>(op))
    return llvm::SubOverflow(a, b, result);
  return llvm::MulOverflow(a, b, result);
}
