//===- LaunchPlan.h - what a host function does -----------------*- C++ -*-===//
//
// A function at the stage `tiles` launches kernels and computes sizes, nothing
// else. Here it is evaluated: sizes that are known are numbers, the others are
// expressions over the sizes of inputs. What is left of it is a list of
// launches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_LAUNCHPLAN_H
#define FUSE_LIB_COMPILER_LAUNCHPLAN_H

#include "OpenSizes.h"
#include "fuse/Compiler/Compiler.h"
#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "fuse/Runtime/HostPlan.h"

namespace fuse {

/// A plan for arguments of certain sizes.
struct SizedPlan {
  std::vector<TensorSignature> inputs, outputs;
  /// The launches have no functions, and there are no constants.
  HostPlan host;
  std::vector<PlanStep> steps;
};

struct LaunchPlan {
  struct Buffer {
    PlanBuffer::Kind kind = PlanBuffer::Kind::Intermediate;
    /// Which of the inputs, outputs or constants it is.
    size_t number = 0;
    ElementType type = ElementType::F32;
    std::vector<SizeExpression> shape;
    /// How many elements it is from one row to the next where there are gaps
    /// between them; else 0.
    int64_t pitch = 0;

    /// What is between its bytes included.
    std::vector<SizeExpression> shapeInMemory() const;
  };
  struct Launch {
    /// What the kernel reads, then what it writes.
    std::vector<size_t> buffers;
    size_t numOutputs = 0;
    std::vector<SizeExpression> grid;

    /// How many blocks there are.
    SizeExpression numBlocks() const;
  };

  std::vector<Buffer> buffers;
  std::vector<HostBuffer> constants;
  std::vector<Launch> launches;
  /// Outputs that no launch writes.
  std::vector<PlanCopy> copies;
  /// The buffer of each output; of those that are copied what they are a copy
  /// of.
  std::vector<size_t> outputs;
  std::vector<Requirement> requirements;
  /// For each launch: its kernel, and what there is to say about it, apart from
  /// sizes.
  std::vector<tile::KernelOp> kernels;
  std::vector<PlanStep> steps;
  /// Of one block; see countDotFlops.
  std::vector<std::optional<uint64_t>> blockFlops;

  /// What a launch multiplies and adds in products; 0 if nobody knows.
  SizeExpression dotFlops(size_t launch) const;

  /// The plan for inputs of these shapes, which are checked.
  Result<SizedPlan> bind(llvm::ArrayRef<ArgumentShape> shapes) const;
};

/// Evaluates `function`, which is at the stage `tiles`, for inputs of the
/// shapes in `sizes`; `scalars` are the values of arguments that are no
/// tensors, in order. What is wrong with it has been reported as a diagnostic
/// where it is.
Result<LaunchPlan> planLaunches(mlir::func::FuncOp function,
                                const OpenSizes &sizes,
                                llvm::ArrayRef<int64_t> scalars);

/// Gives rows that nobody but kernels sees gaps, so that all begin where
/// vectors and the copy engine can take them.
void pitchRows(LaunchPlan &plan);

/// The operations in the products of one block: a multiplication and an
/// addition are two. Absent where a loop around one ends at a number that is
/// not known.
std::optional<uint64_t> countDotFlops(tile::KernelOp kernel);

} // namespace fuse

#endif // FUSE_LIB_COMPILER_LAUNCHPLAN_H
