//===- FunctionErrorsTest.cpp - how far off expanded functions are --------===//
//
// Every function that math-expand-functions expands is compiled for this
// processor and compared with the C library's in a wider type. The errors that
// are allowed are those of docs/Math.md, in units in the last place.
//
// FUSE_MATH_STEP=7 takes every seventh of all f32 instead of a sample, and as
// many f64 at random; FUSE_MATH_REPORT=1 prints the largest error found.
//
//===----------------------------------------------------------------------===//

#include "FunctionErrors.h"

using namespace mlir;
using namespace fuse;

namespace {

template <typename T> void takePairs(Judge<T> &judge) {
  using Bits = typename Float<T>::Bits;
  std::mt19937_64 random(19);
  for (T x : specials<T>())
    for (T y : specials<T>())
      judge.take(x, y);
  uint64_t step = stepOfAll();
  int count = step ? int((uint64_t(1) << 30) / step) : 60000;
  std::uniform_real_distribution<T> unit(0, 1);
  for (int i = 0; i < count; ++i) {
    T any = fromBits<T>(Bits(random())), other = fromBits<T>(Bits(random()));
    judge.take(any, other);
    T small = std::ldexp(unit(random), int(random() % 64) - 32);
    judge.take(small, std::ldexp(unit(random), int(random() % 64) - 32));
    judge.take(-small, T(int(random() % 200)) - 100);
    // What makes powers that are numbers, and near 1.
    T power = (unit(random) * 2 - 1) * Float<T>::largest;
    judge.take(small, power / std::log2(small));
    T near = 1 + std::ldexp(unit(random) - T(0.5), -int(random() % 30));
    judge.take(near, power / std::log2(near));
  }
}

struct Unary {
  const char *name;
  double f32, f64;
  double (*wide)(double);
  long double (*wider)(long double);
};

std::ostream &operator<<(std::ostream &os, const Unary &function) {
  return os << function.name;
}

template <typename T, typename Wide>
void checkUnary(const Unary &function, double most, Wide (*want)(Wide)) {
  Compiled<T> compiled(std::string("%r = math.") + function.name +
                       " %a : vector<16x$t>");
  ASSERT_TRUE(compiled);
  Judge<T> judge(compiled, [&](Wide x, Wide) { return want(x); });
  takeSample(judge);
  judge.flush();
  report(function.name, judge, most);
}

class FunctionErrors : public testing::TestWithParam<Unary> {};

TEST_P(FunctionErrors, F32) {
  checkUnary<float, double>(GetParam(), GetParam().f32, GetParam().wide);
}

TEST_P(FunctionErrors, F64) {
  checkUnary<double, long double>(GetParam(), GetParam().f64, GetParam().wider);
}

INSTANTIATE_TEST_SUITE_P(
    All, FunctionErrors,
    testing::Values(Unary{"exp", 1, 1, std::exp, std::exp},
                    Unary{"exp2", 1, 1, std::exp2, std::exp2},
                    Unary{"expm1", 1.25, 1.25, std::expm1, std::expm1},
                    Unary{"log", 1, 1, std::log, std::log},
                    Unary{"log2", 1, 1, std::log2, std::log2},
                    Unary{"log10", 1, 1, std::log10, std::log10},
                    Unary{"log1p", 1, 1, std::log1p, std::log1p},
                    Unary{"cbrt", 0.75, 0.75, std::cbrt, std::cbrt},
                    Unary{"sin", 1, 1, std::sin, std::sin},
                    Unary{"cos", 1, 1, std::cos, std::cos},
                    Unary{"tan", 1.25, 1.25, std::tan, std::tan},
                    Unary{"asin", 1, 1, std::asin, std::asin},
                    Unary{"acos", 1, 1, std::acos, std::acos},
                    Unary{"atan", 1, 1, std::atan, std::atan},
                    Unary{"sinh", 2, 2, std::sinh, std::sinh},
                    Unary{"cosh", 2, 2, std::cosh, std::cosh},
                    Unary{"tanh", 1, 1, std::tanh, std::tanh},
                    Unary{"asinh", 2.5, 2.5, std::asinh, std::asinh},
                    Unary{"acosh", 2.5, 2.5, std::acosh, std::acosh},
                    Unary{"atanh", 2.5, 2.5, std::atanh, std::atanh},
                    Unary{"erf", 1.25, 1.25, std::erf, std::erf},
                    Unary{"erfc", 2, 2, std::erfc, std::erfc}),
    [](const auto &info) { return std::string(info.param.name); });

struct Binary {
  const char *name, *code;
  double f32, f64;
  double (*wide)(double, double);
  long double (*wider)(long double, long double);
};

std::ostream &operator<<(std::ostream &os, const Binary &function) {
  return os << function.name;
}

template <typename T, typename Wide>
void checkBinary(const Binary &function, double most,
                 Wide (*want)(Wide, Wide)) {
  Compiled<T> compiled(function.code);
  ASSERT_TRUE(compiled);
  Judge<T> judge(compiled, want);
  takePairs(judge);
  judge.flush();
  report(function.name, judge, most);
}

class BinaryErrors : public testing::TestWithParam<Binary> {};

TEST_P(BinaryErrors, F32) {
  checkBinary<float, double>(GetParam(), GetParam().f32, GetParam().wide);
}

TEST_P(BinaryErrors, F64) {
  checkBinary<double, long double>(GetParam(), GetParam().f64,
                                   GetParam().wider);
}

/// The second operand as an i32, as the test's code makes one of it.
template <typename Wide> Wide powerOfInteger(Wide x, Wide y) {
  if (std::isnan(y))
    return 1;
  return std::pow(
      x, std::trunc(std::clamp(y, Wide(-2147483648.0), Wide(2147483520.0))));
}

INSTANTIATE_TEST_SUITE_P(
    All, BinaryErrors,
    testing::Values(
        Binary{"powf", "%r = math.powf %a, %b : vector<16x$t>", 1, 1, std::pow,
               std::pow},
        Binary{"atan2", "%r = math.atan2 %a, %b : vector<16x$t>", 1, 1,
               std::atan2, std::atan2},
        Binary{"remf", "%r = arith.remf %a, %b : vector<16x$t>", 0, 0,
               std::fmod, std::fmod},
        Binary{"fpowi_i32", R"(%zero = arith.constant dense<0.0> : vector<16x$t>
    %least = arith.constant dense<-2147483648.0> : vector<16x$t>
    %most = arith.constant dense<2147483520.0> : vector<16x$t>
    %number = arith.cmpf ord, %b, %b : vector<16x$t>
    %some = arith.select %number, %b, %zero : vector<16xi1>, vector<16x$t>
    %raised = arith.maximumf %some, %least : vector<16x$t>
    %bounded = arith.minimumf %raised, %most : vector<16x$t>
    %n = arith.fptosi %bounded : vector<16x$t> to vector<16xi32>
    %r = math.fpowi %a, %n : vector<16x$t>, vector<16xi32>)",
               1, 1, powerOfInteger<double>, powerOfInteger<long double>},
        Binary{"sincos_sin", "%r, %c = math.sincos %a : vector<16x$t>", 1, 1,
               [](double x, double) { return std::sin(x); },
               [](long double x, long double) { return std::sin(x); }},
        Binary{"sincos_cos", "%s, %r = math.sincos %a : vector<16x$t>", 1, 1,
               [](double x, double) { return std::cos(x); },
               [](long double x, long double) { return std::cos(x); }}),
    [](const auto &info) { return std::string(info.param.name); });

//===----------------------------------------------------------------------===//
// What is made of them
//===----------------------------------------------------------------------===//

constexpr const char *kSigmoid =
    R"(%one = arith.constant dense<1.0> : vector<16x$t>
    %minus = arith.negf %a : vector<16x$t>
    %e = math.exp %minus : vector<16x$t>
    %sum = arith.addf %one, %e : vector<16x$t>
    %r = arith.divf %one, %sum : vector<16x$t>)";

constexpr const char *kGeluErf =
    R"(%one = arith.constant dense<1.0> : vector<16x$t>
    %half = arith.constant dense<0.5> : vector<16x$t>
    %root = arith.constant dense<0.70710678118654752440> : vector<16x$t>
    %x0 = arith.mulf %a, %root : vector<16x$t>
    %bell = math.erf %x0 : vector<16x$t>
    %sum = arith.addf %one, %bell : vector<16x$t>
    %h = arith.mulf %a, %half : vector<16x$t>
    %r = arith.mulf %h, %sum : vector<16x$t>)";

template <typename Wide> Wide sigmoid(Wide x) { return 1 / (1 + std::exp(-x)); }
template <typename Wide> Wide geluErf(Wide x) {
  return x / 2 * std::erfc(-x / std::sqrt(Wide(2)));
}
template <typename Wide> Wide rsqrt(Wide x) { return 1 / std::sqrt(x); }

/// Where no power of e is too large for a number.
template <typename T, typename Wide>
void checkMade(const char *name, const char *code, Wide (*want)(Wide),
               bool isRelativeToX, double most) {
  Compiled<T> compiled(code);
  ASSERT_TRUE(compiled);
  Judge<T> judge(compiled, [&](Wide x, Wide) { return want(x); });
  judge.isRelativeToX = isRelativeToX;
  std::mt19937_64 random(23);
  for (T bound : {T(1e-3), T(1), T(12), T(sizeof(T) == 4 ? 80 : 700)}) {
    std::uniform_real_distribution<T> uniform(-bound, bound);
    for (int i = 0; i < 100000; ++i)
      judge.take(uniform(random));
  }
  judge.flush();
  report(name, judge, most);
}

TEST(MadeOfFunctions, Sigmoid) {
  checkMade<float, double>("sigmoid", kSigmoid, sigmoid, false, 3);
  checkMade<double, long double>("sigmoid", kSigmoid, sigmoid, false, 3);
}

TEST(MadeOfFunctions, Gelu) {
  checkMade<float, double>("gelu erf", kGeluErf, geluErf, true, 2);
  checkMade<double, long double>("gelu erf", kGeluErf, geluErf, true, 2);
  checkMade<float, double>("gelu tanh", kGeluTanh, geluTanh, true, 3);
  checkMade<double, long double>("gelu tanh", kGeluTanh, geluTanh, true, 3);
}

TEST(MadeOfFunctions, Rsqrt) {
  const char *code = "%r = math.rsqrt %a : vector<16x$t>";
  checkMade<float, double>("rsqrt", code, rsqrt, false, 1.5);
  checkMade<double, long double>("rsqrt", code, rsqrt, false, 1.5);
}

} // namespace
