//===- Image.h - what a compiler leaves --------------------------*- C++ -*-=//
//
// A compiled graph that can be kept in a file: code for one or more chips, and
// a plan that says which kernels run on which buffers. Sizes may be unknown;
// what depends on them is an expression. docs/Image.md tells the whole
// contract.
//
//   inputs ──▶ launch 0 ──▶ intermediate ──▶ launch 1 ──▶ outputs
//              │ variant 0: kernel, guard    │ ...
//              │ variant 1: kernel, no guard │
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_IMAGE_H
#define FUSE_RUNTIME_IMAGE_H

#include "fuse/Runtime/Buffer.h"
#include "fuse/Runtime/Chip.h"
#include "fuse/Runtime/CpuCode.h"
#include "fuse/Runtime/SizeExpression.h"
#include "fuse/Runtime/TensorMap.h"

#include <array>

namespace fuse {

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// "8.6", "12.4": of the PTX language, or of CUDA.
struct CodeVersion {
  uint32_t major = 0, minor = 0;
  std::string str() const;
  auto operator<=>(const CodeVersion &) const = default;
};

/// Machine code.
struct ImageCubin {
  Chip chip;
  /// The CUDA version whose ptxas made it; 0.0 if that is not known.
  CodeVersion toolkit;
  std::string code;
};

/// What is loaded at once. The PTX is always there: it is what a chip that came
/// later runs, and it can be read.
struct ImageModule {
  std::string name;
  std::string ptx;
  /// What the PTX says in `.target` and `.version`.
  Chip chip;
  CodeVersion ptxVersion;
  std::vector<ImageCubin> cubins;
};

/// What ptxas said about a kernel for one chip.
struct KernelReport {
  Chip chip;
  uint32_t registers = 0;
  uint32_t spillStoreBytes = 0, spillLoadBytes = 0;
  uint32_t sharedBytes = 0, stackBytes = 0;
  std::vector<std::string> warnings;
};

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// How an argument may lie in memory; each accepts what those before it do.
enum class ArgumentStrides : uint8_t {
  Contiguous, ///< Row-major without gaps.
  Rows,       ///< Elements of the last dimension follow each other.
  Any,        ///< Any strides from 0 on.
};

struct ImageBuffer {
  enum class Kind : uint8_t {
    Input,
    Output,
    Constant,
    Intermediate, ///< Lives in the workspace, where it shares memory.
    Counters,     ///< Zero before the first run; a run leaves zeros behind.
  };
  Kind kind = Kind::Intermediate;
  /// Which of the inputs, outputs or constants it is.
  uint32_t number = 0;
  /// For people: the name of the argument or result, or of what made it.
  std::string name;
  ElementType type = ElementType::F32;
  /// A size of an input that is just itself, `size(number, dim)`, can be any;
  /// every other one has to be what its expression says.
  std::vector<SizeExpression> shape;
  /// By how much the address of an input or an output is divisible: a power of
  /// two, at least the size of an element. Others are aligned to
  /// workspaceAlignment anyhow.
  uint32_t alignment = 1;
  /// Of an input or an output; others are contiguous.
  ArgumentStrides strides = ArgumentStrides::Contiguous;
  /// Of an input: data that make sense for it, as FillSpec reads them, for
  /// tools that try an Image without the graph; empty if nobody said.
  std::string fill;
};

/// Bytes: where intermediates, constants and counters lie.
inline constexpr uint32_t workspaceAlignment = 256;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Parameters are in the order of the kernel's.
struct KernelParameter {
  enum class Kind : uint8_t {
    Pointer,   ///< The address of `buffer`, plus `value` bytes.
    Scalar64,  ///< `value`, as 64 bits.
    Scalar32,  ///< `value`, which has to fit 32 bits, signed.
    TensorMap, ///< `map`, by value.
    Stride,    ///< Of dimension `dim` of an argument, `buffer`, in elements, as
               ///< 64 bits.
  };
  Kind kind = Kind::Pointer;
  uint32_t buffer = 0, dim = 0;
  SizeExpression value;
  TensorMap map;
  /// Of a pointer or a tensor map: whether the kernel writes through it.
  bool isWritten = false;

  static KernelParameter pointer(uint32_t buffer, bool isWritten = false);
  static KernelParameter scalar64(SizeExpression value);
  static KernelParameter scalar32(SizeExpression value);
  static KernelParameter tensorMap(TensorMap map, bool isWritten = false);
  static KernelParameter stride(uint32_t buffer, uint32_t dim);

  /// The buffer of a pointer or a tensor map.
  std::optional<uint32_t> accessedBuffer() const;
};

/// A kernel as it is launched at one place of the plan. Two of them may be the
/// same function.
struct ImageKernel {
  std::string symbol;
  uint32_t module = 0;
  /// Where the graph has what it computes: "model.mlir:12:8".
  std::string location;
  /// How it is divided, as `#fuse.schedule` says it; empty if that is not
  /// known.
  std::string schedule;
  std::vector<KernelParameter> parameters;
  std::array<uint32_t, 3> threads = {1, 1, 1};
  /// 1x1x1 is no cluster.
  std::array<uint32_t, 3> cluster = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  /// It waits itself for the kernels before it, so it may begin before they
  /// end.
  bool waits = false;
  /// One to three extents, x first; one is a count of all blocks. If one is 0
  /// nothing is launched.
  std::vector<SizeExpression> grid;
  std::vector<KernelReport> reports;
};

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

struct Condition {
  enum class Kind : uint8_t {
    Divisible, ///< `lhs` by `rhs`.
    Equal,
    LessEqual,
    // About where an argument lies, which is known last.
    Aligned,    ///< The address of `buffer` is divisible by `rhs`, a constant.
    Contiguous, ///< `buffer` is row-major without gaps.
    Rows,       ///< Elements of the last dimension of `buffer` follow each
                ///< other, and its other strides are divisible by `rhs` bytes,
                ///< a constant.
  };
  Kind kind = Kind::Equal;
  SizeExpression lhs, rhs;
  uint32_t buffer = 0;

  static Condition divisible(SizeExpression lhs, SizeExpression rhs);
  static Condition equal(SizeExpression lhs, SizeExpression rhs);
  static Condition lessEqual(SizeExpression lhs, SizeExpression rhs);
  static Condition aligned(uint32_t buffer, int64_t bytes);
  static Condition contiguous(uint32_t buffer);
  static Condition rows(uint32_t buffer, int64_t bytes);

  /// Whether it is about a buffer, and not about sizes.
  bool isAboutMemory() const { return kind >= Kind::Aligned; }
  bool operator==(const Condition &) const = default;
};

/// One way to do a launch, and what must hold for it.
struct LaunchVariant {
  uint32_t kernel = 0;
  /// All of them.
  std::vector<Condition> guard;
  /// For people, who want to see a slow choice: "TMA", "any alignment".
  std::string note;
};

/// The first variant is run whose module runs on the device and whose guard
/// holds; if there is none, nothing of the program runs.
struct ImageLaunch {
  std::string name;
  std::vector<LaunchVariant> variants;
  /// For people: the operations in its products, a multiplication and an
  /// addition being two; 0 where there are none, or they cannot be counted.
  SizeExpression dotFlops = 0;
};

/// An output that no launch writes: a constant, an input, or what is another
/// output already. Numbers of buffers.
struct ImageCopy {
  uint32_t from = 0, output = 0;
};

/// What the graph needs of its inputs beyond their shapes. No condition on
/// where they lie.
struct Requirement {
  Condition condition;
  /// What to say where it does not hold; lower case.
  std::string message;
};

struct Image {
  /// "fuse 0.1.0": who made it.
  std::string producer;
  /// The name of the function.
  std::string name;
  /// What the compiler warned of or remarked, such as "a.mlir:3:5: warning:
  /// ...", in alphabetical order.
  std::vector<std::string> diagnostics;
  std::vector<ImageModule> modules;
  std::vector<ImageBuffer> buffers;
  std::vector<HostBuffer> constants;
  /// The names of the arguments that are numbers.
  std::vector<std::string> scalars;
  std::vector<Requirement> requirements;
  std::vector<ImageKernel> kernels;
  std::vector<ImageLaunch> launches;
  /// Done when all launches are.
  std::vector<ImageCopy> copies;
  /// The same graph for processors, a level at most once.
  std::vector<CpuCode> cpus;

  /// Whether there is a plan for GPUs; else there are inputs and outputs only.
  bool isForGpus() const { return !launches.empty() || !copies.empty(); }

  /// The buffer of each input or output, in their order.
  std::vector<uint32_t> inputs() const;
  std::vector<uint32_t> outputs() const;
};

/// Whether the bytes begin as an Image does.
bool isImage(std::string_view bytes);

/// Whether everything refers to what is there, and means something: what a
/// compiler should check before it hands an Image on. A reader always does.
Status checkImage(const Image &image);

/// The shapes of `inputs` and the scalars, if they fit the contract.
Result<SizeBindings> bindSizes(const Image &image,
                               std::span<const HostBuffer *const> inputs,
                               std::span<const int64_t> scalars = {});

/// Checks shapes, and the requirements, against the contract.
Status checkBindings(const Image &image, const SizeBindings &bindings);

/// Whether `condition` holds; those about memory are not asked here.
Result<bool> holds(const Condition &condition, const SizeBindings &bindings);

/// Fails at the first that does not hold, and says what is needed and which
/// sizes there are.
Status checkRequirements(std::span<const Requirement> requirements,
                         const SizeBindings &bindings);

std::string describe(const Condition &condition, const Image &image);

/// The plan, for people.
std::string describe(const Image &image);

/// The text with `?` for what terminals obey: control characters but for ends
/// of lines and tabs. Texts of a file may be anybody's.
std::string printable(std::string text);

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Of the format; see docs/Image.md for when it changes.
inline constexpr uint32_t imageFormatVersion = 6;

/// The same Image always gives the same bytes.
std::string serializeImage(const Image &image);

/// Trusts nothing: whatever the bytes are, the result is an Image that
/// checkImage accepts, or an error. No more memory is taken than a small
/// multiple of the bytes.
Result<Image> parseImage(std::string_view bytes);

/// Errors name the file. Writing leaves the old file or the new one.
Result<Image> readImage(const std::string &path);
Status writeImage(const std::string &path, const Image &image);

} // namespace fuse

#endif // FUSE_RUNTIME_IMAGE_H
