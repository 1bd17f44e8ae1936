//===- Compiler.h - what every road from a graph to results is --*- C++ -*-===//
//
// A program is a function of a module, compiled for arguments of certain
// shapes. The reference road and the fused road make programs that are used in
// the same way.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_COMPILER_COMPILER_H
#define FUSE_COMPILER_COMPILER_H

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Runtime/Buffer.h"
#include "fuse/Runtime/Executor.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuse {

/// The type and shape of one argument or result of a compiled graph.
struct TensorSignature {
  ElementType type;
  std::vector<int64_t> shape;
};

/// A tensor that a kernel writes to memory.
struct StoredTensor {
  TensorSignature signature;
  /// Whether it is a result of the graph, or only made for other kernels.
  bool isOutput = false;
};

/// What a kernel became for a GPU.
struct KernelCode {
  /// What ptxas says of it.
  struct Assembled {
    /// Of a thread.
    unsigned registers = 0;
    /// Bytes that a thread writes to memory and reads back for want of
    /// registers, and all that it has there.
    uint64_t spillStoreBytes = 0, spillLoadBytes = 0, stackBytes = 0;
    /// How many blocks a multiprocessor runs at a time.
    unsigned residentBlocks = 0;
  };
  std::string chip;
  /// For which class of memory it is; empty if there is no other one.
  std::string memoryClass;
  unsigned warps = 0;
  /// What a block has, whether the code or the launch asks for it.
  uint64_t sharedBytes = 0;
  /// Absent where there was no ptxas.
  std::optional<Assembled> assembled;
};

/// One kernel of a compiled graph.
struct PlanStep {
  /// Its name; on the reference road kernels have none.
  std::string kernel;
  /// The ops in it, the types of what it makes, and where it was written.
  std::vector<std::string> ops;
  std::string result, location;
  std::vector<StoredTensor> stored;
  /// How many blocks there are in each dimension, and how they are run.
  std::vector<int64_t> grid;
  std::string schedule;
  /// The sizes of all arrays that it reads and of all that it writes.
  uint64_t bytesRead = 0, bytesWritten = 0;
  /// Operations in products, a multiplication and an addition being two; absent
  /// where loops end at numbers that are found while they run.
  std::optional<uint64_t> dotFlops;
  /// For each chip that code was made for.
  std::vector<KernelCode> code;
};

/// Memory that a program takes beside its inputs and outputs.
struct PlanMemory {
  /// What all intermediate tensors take together, and would take if no two of
  /// them shared memory.
  uint64_t intermediates = 0, unshared = 0;
  /// What each of the threads needs for itself; there are none on a GPU.
  uint64_t workspace = 0;
  unsigned threads = 1;
};

/// The element type of buffers that hold `type`, if there is one.
std::optional<ElementType> elementTypeFor(mlir::Type type);

/// Is shown the module at every stage on the way.
using StageObserver =
    llvm::function_ref<void(llvm::StringRef stage, mlir::ModuleOp module)>;

class Program {
public:
  virtual ~Program();

  /// Arguments of type index are not among the inputs: they were bound.
  llvm::ArrayRef<TensorSignature> inputs() const { return inputTypes; }
  llvm::ArrayRef<TensorSignature> outputs() const { return outputTypes; }
  /// Buffers for them, with anything in them.
  Result<std::vector<HostBuffer>> allocateOutputs() const;
  /// The kernels in the order in which they run.
  llvm::ArrayRef<PlanStep> plan() const { return steps; }
  /// Absent where it is not planned: op by op, every tensor has its own memory.
  const std::optional<PlanMemory> &memory() const { return planMemory; }

  /// Runs once. Every buffer has to have the type and shape that the signature
  /// says. If `times` is given, it is told when each step of the plan
  /// ran, or nothing where steps cannot be told apart.
  Status run(llvm::ArrayRef<const HostBuffer *> inputs,
             llvm::MutableArrayRef<HostBuffer> outputs,
             std::vector<LaunchTime> *times = nullptr);

  /// Makes it run on arguments of these shapes from now on, where sizes were
  /// left open when it was compiled.
  virtual Status bind(llvm::ArrayRef<ArgumentShape> shapes);

  /// Runs once, on data that may be of other types than the program computes
  /// in, as with a reference in f64. Outputs are poisoned before: an element
  /// that nobody writes must not look like a result.
  Result<std::vector<HostBuffer>>
  runOn(llvm::ArrayRef<const HostBuffer *> data);

protected:
  /// Runs on buffers that have been checked.
  virtual Status execute(llvm::ArrayRef<const HostBuffer *> inputs,
                         llvm::MutableArrayRef<HostBuffer> outputs,
                         std::vector<LaunchTime> *times) = 0;

  std::vector<TensorSignature> inputTypes, outputTypes;
  std::vector<PlanStep> steps;
  std::optional<PlanMemory> planMemory;
};

} // namespace fuse

#endif // FUSE_COMPILER_COMPILER_H
