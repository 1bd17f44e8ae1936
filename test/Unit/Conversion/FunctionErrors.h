//===- FunctionErrors.h - how far off compiled functions are ----*- C++ -*-===//
//
// Functions of 16 floats, compiled for this processor, and who compares them
// with those of a wider type.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_CONVERSION_FUNCTIONERRORS_H
#define FUSE_TEST_UNIT_CONVERSION_FUNCTIONERRORS_H

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

namespace fuse {

inline constexpr size_t kChunk = 4096;

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

inline std::string replaceAll(std::string text, llvm::StringRef what,
                              llvm::StringRef by) {
  for (size_t at = 0; (at = text.find(what.data(), at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// An op of two operands, or of one, which is compiled for arrays.
template <typename T> class Compiled {
public:
  /// `code` gives %r of %a and %b, $t being the type of elements. `prepare` is
  /// run on it first.
  explicit Compiled(llvm::StringRef code,
                    llvm::function_ref<mlir::LogicalResult(mlir::ModuleOp)>
                        prepare = nullptr) {
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
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module || (prepare && failed(prepare(*module))))
      return;
    mlir::PassManager passes(&context);
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
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<mlir::ExecutionEngine> engine;
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

inline uint64_t stepOfAll() {
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

inline constexpr const char *kGeluTanh =
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

template <typename Wide> Wide geluTanh(Wide x) {
  Wide inner = x + Wide(0.044715L) * x * x * x;
  return x / 2 * (1 + std::tanh(std::sqrt(2 / Wide(M_PIl)) * inner));
}

} // namespace fuse

#endif // FUSE_TEST_UNIT_CONVERSION_FUNCTIONERRORS_H
