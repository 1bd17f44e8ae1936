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

#include "Jit.h"
#include "fuse/Conversion/Passes.h"
#include "fuse/Pipeline/Pipelines.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>

using namespace mlir;
using namespace fuse;

namespace {

constexpr size_t kChunk = 4096;

/// Values and references of either type.
template <typename T> struct Float;
template <> struct Float<float> {
  using Wide = double;
  using Bits = uint32_t;
  static constexpr const char *name = "f32";
  static constexpr int mantissa = 23, largest = 127;
};
template <> struct Float<double> {
  using Wide = long double;
  using Bits = uint64_t;
  static constexpr const char *name = "f64";
  static constexpr int mantissa = 52, largest = 1023;
};

template <typename T> T fromBits(typename Float<T>::Bits bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// In units in the last place of `want`, or of `size` if that is larger. An
/// infinity is the number behind the largest; zeros have signs.
template <typename T>
double errorOf(T got, typename Float<T>::Wide want, T size = 0) {
  using F = Float<T>;
  constexpr double wrong = INFINITY;
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (std::isinf(want))
    return got == want ? 0 : wrong;
  if (want == 0)
    return got == 0 && std::signbit(got) == std::signbit(want) ? 0 : wrong;
  if (got == 0 && std::signbit(got) != std::signbit(want))
    return wrong;
  typename F::Wide value = got;
  typename F::Wide end = std::ldexp(typename F::Wide(1), F::largest + 1);
  if (std::fabs(want) > end)
    want = std::copysign(end, want);
  if (std::isinf(got))
    value = std::copysign(end, got);
  typename F::Wide larger = std::max(std::fabs(want), typename F::Wide(size));
  int exponent = std::max(std::ilogb(larger), 1 - F::largest);
  return double(std::fabs(value - want) /
                std::ldexp(typename F::Wide(1), exponent - F::mantissa));
}

std::string replaceAll(std::string text, StringRef what, StringRef by) {
  for (size_t at = 0; (at = text.find(what.data(), at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// An op of two operands, or of one, which is compiled for arrays.
template <typename T> class Compiled {
public:
  /// `code` gives %r of %a and %b, $t being the type of elements.
  explicit Compiled(StringRef code) {
    std::string text = replaceAll(R"(
func.func @f(%x: memref<4096x$t>, %y: memref<4096x$t>, %out: memref<4096x$t>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    %a = vector.load %x[%i] : memref<4096x$t>, vector<16x$t>
    %b = vector.load %y[%i] : memref<4096x$t>, vector<16x$t>
    $code
    vector.store %r, %out[%i] : memref<4096x$t>, vector<16x$t>
  }
  return
})",
                                  "$code", code);
    text = replaceAll(text, "$t", Float<T>::name);
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return;
    PassManager passes(&context);
    passes.addPass(createExpandFunctions());
    buildVectorToLLVM(passes);
    if (failed(passes.run(*module)))
      return;
    auto made = createJit(*module, {});
    if (!made)
      return;
    engine = std::move(*made);
    if (auto packed = findPacked(*engine, "f"))
      function = *packed;
  }

  explicit operator bool() const { return function; }

  std::vector<T> operator()(const std::vector<T> &x,
                            const std::vector<T> &y) const {
    std::vector<T> out(kChunk);
    const T *data[] = {x.data(), y.data(), out.data()};
    struct Descriptor {
      const T *allocated, *aligned;
      int64_t offset = 0, size = kChunk, stride = 1;
    } descriptors[3];
    void *pointers[3], *arguments[3];
    for (int i = 0; i < 3; ++i) {
      descriptors[i].allocated = descriptors[i].aligned = data[i];
      pointers[i] = &descriptors[i];
      arguments[i] = &pointers[i];
    }
    function(arguments);
    return out;
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};

/// Takes pairs of operands, and remembers where the error is largest.
template <typename T> class Judge {
public:
  using Wide = typename Float<T>::Wide;

  Judge(const Compiled<T> &got, std::function<Wide(Wide, Wide)> want)
      : got(got), want(std::move(want)) {}

  void take(T x, T y = 0) {
    xs.push_back(x);
    ys.push_back(y);
    if (xs.size() == kChunk)
      flush();
  }

  void flush() {
    xs.resize(kChunk, T(1));
    ys.resize(kChunk, T(1));
    std::vector<T> results = got(xs, ys);
    for (size_t i = 0; i < kChunk; ++i) {
      double error = errorOf<T>(results[i], want(xs[i], ys[i]),
                                isRelativeToX ? std::fabs(xs[i]) : T(0));
      if (error > worst || (!hasAny && error == worst)) {
        worst = error;
        worstX = xs[i], worstY = ys[i], worstResult = results[i];
      }
      hasAny = true;
    }
    xs.clear();
    ys.clear();
  }

  /// Where a result is a difference, its own digits are not what counts.
  bool isRelativeToX = false;
  double worst = 0;
  T worstX = 0, worstY = 0, worstResult = 0;

private:
  const Compiled<T> &got;
  std::function<Wide(Wide, Wide)> want;
  std::vector<T> xs, ys;
  bool hasAny = false;
};

uint64_t stepOfAll() {
  const char *step = std::getenv("FUSE_MATH_STEP");
  return step ? std::strtoull(step, nullptr, 10) : 0;
}

/// Some numbers that every function takes in its own way.
template <typename T> std::vector<T> specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           Limits::denorm_min(),
                           Limits::min() - Limits::denorm_min(),
                           Limits::min(),
                           T(0.5),
                           T(1) - Limits::epsilon() / 2,
                           T(1),
                           T(1) + Limits::epsilon(),
                           T(1.5),
                           2,
                           3,
                           T(M_PI),
                           std::ldexp(T(1), Float<T>::mantissa),
                           std::ldexp(T(1), Float<T>::mantissa + 1) - 1,
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
  for (size_t i = 0, count = values.size(); i < count; ++i)
    values.push_back(-values[i]);
  return values;
}

/// Every exponent, and more of where functions change.
template <typename T> void takeSample(Judge<T> &judge) {
  using F = Float<T>;
  using Bits = typename F::Bits;
  std::mt19937_64 random(17);
  for (T x : specials<T>())
    judge.take(x);
  constexpr int perExponent = sizeof(T) == 4 ? 64 : 16;
  Bits mask = (Bits(1) << F::mantissa) - 1;
  for (Bits exponent = 0; exponent < Bits(4 * F::largest + 8); ++exponent)
    for (int i = 0; i < perExponent; ++i) {
      Bits rest = i == 0 ? 0 : i == 1 ? mask : Bits(random()) & mask;
      judge.take(fromBits<T>((exponent << F::mantissa) | rest));
    }
  for (T bound : {T(1), T(12), T(110), T(800), T(1e6)}) {
    std::uniform_real_distribution<T> uniform(-bound, bound);
    for (int i = 0; i < 10000; ++i)
      judge.take(uniform(random));
  }
  // Next to multiples of a right angle.
  for (int i = 0; i < 20000; ++i) {
    auto multiple =
        std::ldexp((long double)(random() >> 12), -int(random() % 52));
    judge.take(T(M_PI_2l * std::round(multiple)));
  }
  uint64_t step = stepOfAll();
  if (step == 0)
    return;
  for (uint64_t i = 0; i < uint64_t(1) << 32; i += step)
    judge.take(fromBits<T>(sizeof(T) == 4 ? Bits(i) : Bits(random())));
}

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

template <typename T>
void report(const char *name, const Judge<T> &judge, double most) {
  std::ostringstream text;
  text << std::setprecision(4) << name << " of " << Float<T>::name << ": error "
       << judge.worst << " at " << std::hexfloat << judge.worstX << ", "
       << judge.worstY << ", which gives " << judge.worstResult
       << std::defaultfloat << " (" << judge.worstX << ")";
  if (std::getenv("FUSE_MATH_REPORT"))
    std::cout << text.str() << std::endl;
  EXPECT_LE(judge.worst, most) << text.str();
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

constexpr const char *kGeluTanh =
    R"(%one = arith.constant dense<1.0> : vector<16x$t>
    %half = arith.constant dense<0.5> : vector<16x$t>
    %c = arith.constant dense<0.044715> : vector<16x$t>
    %root = arith.constant dense<0.79788456080286535588> : vector<16x$t>
    %square = arith.mulf %a, %a : vector<16x$t>
    %cube = arith.mulf %square, %a : vector<16x$t>
    %part = arith.mulf %c, %cube : vector<16x$t>
    %inner = arith.addf %a, %part : vector<16x$t>
    %x0 = arith.mulf %root, %inner : vector<16x$t>
    %bell = math.tanh %x0 : vector<16x$t>
    %sum = arith.addf %one, %bell : vector<16x$t>
    %h = arith.mulf %a, %half : vector<16x$t>
    %r = arith.mulf %h, %sum : vector<16x$t>)";

template <typename Wide> Wide sigmoid(Wide x) { return 1 / (1 + std::exp(-x)); }
template <typename Wide> Wide geluErf(Wide x) {
  return x / 2 * std::erfc(-x / std::sqrt(Wide(2)));
}
template <typename Wide> Wide geluTanh(Wide x) {
  Wide inner = x + Wide(0.044715L) * x * x * x;
  return x / 2 * (1 + std::tanh(std::sqrt(2 / Wide(M_PIl)) * inner));
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
