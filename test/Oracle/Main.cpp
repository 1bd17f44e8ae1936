//===- Main.cpp - fuse-oracle: are these outputs right? -------------------===//
//
//   fuse-oracle ID --inputs DIR --outputs DIR [--tolerance T]
//                  [--constant NAME=VALUE]...
//
// Computes what workload ID should give for the arrays DIR/<argument>.npy and
// compares that with DIR/out0.npy, DIR/out1.npy, ... Prints the worst element
// of each output, and `ok` when all are right. Exit status: 0 when they are, 1
// when they are not, 3 when the inputs do not make sense.
//
// What is expected is computed in double, without the casts that the graph
// performs on the way. How far a right answer may be from it follows from those
// casts and the data, element by element: see Number.h. With --tolerance, an
// element may instead be off by T times the largest magnitude expected in its
// row (its neighbours along the last dimension). Elements that are exactly zero
// because everything was masked have to be exactly zero in either case.
//
// Not from the arrays, but written in the graph: the window of A_window
// (--constant window=512) and the heads of T1 (--constant heads=12).
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include <charconv>
#include <cstdio>
#include <optional>

using namespace oracle;

/// How many typical errors (Number.h) an answer may be off. Rounding errors are
/// smaller than the half unit that Number.h counts them as, by a factor of two
/// and more; the largest of some thousand is three times the typical one; and
/// what is left is for errors that are not independent.
static constexpr double kDefaultSlack = 4;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Tensor Inputs::read(const std::string &name,
                    std::initializer_list<Extent *> extents) const {
  Tensor tensor = readNpy(directory / (name + ".npy"));
  if (tensor.shape.size() != extents.size())
    throw BadInput(name + " has the shape " + toString(tensor.shape) +
                   ", but " + std::to_string(extents.size()) +
                   " dimensions are needed");
  size_t dim = 0;
  for (Extent *extent : extents) {
    int64_t size = tensor.shape[dim++];
    if (extent->size != -1 && extent->size != size)
      throw BadInput(name + " has the shape " + toString(tensor.shape) +
                     ", but its dimension " + std::to_string(dim - 1) +
                     " needs the size " + std::to_string(extent->size));
    extent->size = size;
  }
  return tensor;
}

int64_t Inputs::constant(std::string_view name, int64_t shipped) const {
  auto found = constants.find(name);
  return found == constants.end() ? shipped : found->second;
}

static const Workload &findWorkload(std::string_view id) {
  for (std::span<const Workload> family :
       {pointwiseWorkloads(), rowWorkloads(), linearWorkloads(),
        attentionWorkloads(), modelWorkloads()})
    for (const Workload &workload : family)
      if (workload.id == id)
        return workload;
  throw BadInput("there is no workload '" + std::string(id) + "'");
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {
struct Difference {
  double error = 0;
  double allowed = 0;

  /// How much of what is allowed is used up.
  double share() const {
    if (error == 0)
      return 0;
    return error / allowed; // Infinite where nothing is allowed.
  }
};
} // namespace

static Difference compare(Number expected, double got, Format format,
                          std::optional<double> tolerance,
                          double rowMagnitude) {
  Difference result;
  if (expected.value == 0 && expected.variance == 0)
    result.allowed = 0;
  else if (tolerance)
    result.allowed = *tolerance * rowMagnitude + underflowOf(format);
  else
    result.allowed = kDefaultSlack * expected.error();

  if (std::isnan(expected.value) || std::isnan(got))
    result.error = std::isnan(expected.value) == std::isnan(got) ? 0 : INFINITY;
  else if (expected.value == got)
    result.error = 0;
  else if (std::isinf(got) && std::signbit(got) == std::signbit(expected.value))
    // Rightly infinite where the type holds nothing large enough.
    result.error = std::max(0.0, largestOf(format) - std::abs(expected.value));
  else
    result.error = std::abs(expected.value - got);
  return result;
}

static std::string positionOf(int64_t offset, const Shape &shape) {
  Shape position(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; offset /= shape[dim])
    position[dim] = offset % shape[dim];
  return toString(position);
}

/// Prints the worst element. Returns whether it is right.
static bool check(const std::string &name, const Tensor &expected,
                  const Tensor &got, std::optional<double> tolerance) {
  if (got.shape != expected.shape || got.format != expected.format) {
    std::printf("%s is %s %s, expected %s %s\n", name.c_str(),
                toString(got.format), toString(got.shape).c_str(),
                toString(expected.format), toString(expected.shape).c_str());
    return false;
  }
  int64_t size = got.elements.size(), numWrong = 0;
  if (size == 0) {
    std::printf("%s has no elements\n", name.c_str());
    return true;
  }
  int64_t rowSize = got.shape.empty() ? 1 : got.shape.back();
  int64_t worst = 0;
  Difference worstDifference;
  for (int64_t row = 0; row < size; row += rowSize) {
    double magnitude = 0;
    for (int64_t i = row; i < row + rowSize; ++i)
      if (std::isfinite(expected.elements[i].value))
        magnitude = std::max(magnitude, std::abs(expected.elements[i].value));
    for (int64_t i = row; i < row + rowSize; ++i) {
      Difference difference =
          compare(expected.elements[i], got.elements[i].value, got.format,
                  tolerance, magnitude);
      // A share that is not a number is not right either.
      numWrong += !(difference.share() <= 1);
      if (!(difference.share() <= worstDifference.share())) {
        worst = i;
        worstDifference = difference;
      }
    }
  }
  std::printf("%s: worst at %s: got %.9g, expected %.9g, error %.3g, allowed "
              "%.3g (%.2f of it)\n",
              name.c_str(), positionOf(worst, got.shape).c_str(),
              got.elements[worst].value, expected.elements[worst].value,
              worstDifference.error, worstDifference.allowed,
              worstDifference.share());
  if (numWrong)
    std::printf("%s: %lld of %lld elements are wrong\n", name.c_str(),
                static_cast<long long>(numWrong), static_cast<long long>(size));
  return numWrong == 0;
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

template <typename T>
static T parse(std::string_view text, std::string_view what) {
  T value{};
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw BadInput(std::string(what) + " needs a number, but got '" +
                   std::string(text) + "'");
  return value;
}

static int run(std::span<char *const> arguments) {
  std::string id, inputs, outputs;
  std::optional<double> tolerance;
  std::map<std::string, int64_t, std::less<>> constants;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (!id.empty())
        throw BadInput("one id is needed, but got '" + id + "' and '" +
                       std::string(argument) + "'");
      id = argument;
      continue;
    }
    if (i + 1 == arguments.size())
      throw BadInput(std::string(argument) + " needs a value");
    std::string_view value = arguments[++i];
    if (argument == "--inputs")
      inputs = value;
    else if (argument == "--outputs")
      outputs = value;
    else if (argument == "--tolerance")
      tolerance = parse<double>(value, argument);
    else if (argument == "--constant" && value.find('=') != value.npos) {
      size_t equals = value.find('=');
      constants[std::string(value.substr(0, equals))] =
          parse<int64_t>(value.substr(equals + 1), argument);
    } else
      throw BadInput("unknown option " + std::string(argument) + " " +
                     std::string(value));
  }
  if (id.empty() || inputs.empty() || outputs.empty())
    throw BadInput("usage: fuse-oracle ID --inputs DIR --outputs DIR "
                   "[--tolerance T] [--constant NAME=VALUE]...");

  Outputs expected = findWorkload(id).compute(Inputs(inputs, constants));
  bool isRight = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    std::string name = "out" + std::to_string(i);
    Tensor got = readNpy(std::filesystem::path(outputs) / (name + ".npy"));
    isRight &= check(name, expected[i], got, tolerance);
  }
  std::string excess = "out" + std::to_string(expected.size());
  if (std::filesystem::exists(std::filesystem::path(outputs) /
                              (excess + ".npy"))) {
    std::printf("%s is there, but %s has no such output\n", excess.c_str(),
                id.c_str());
    isRight = false;
  }
  if (isRight)
    std::puts("ok");
  return isRight ? 0 : 1;
}

int main(int argc, char **argv) {
  try {
    return run(std::span<char *const>(argv, argc).subspan(1));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "fuse-oracle: %s\n", error.what());
    return 3;
  }
}
