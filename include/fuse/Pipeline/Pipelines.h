//===- Pipelines.h - stages, and how each is reached ------------*- C++ -*-===//
//
// One function builds the pipeline to each stage. The same pipelines run in
// fuse-opt, by name, and in everything that compiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PIPELINE_PIPELINES_H
#define FUSE_PIPELINE_PIPELINES_H

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "fuse/Target/GpuChip.h"
#include "fuse/Target/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fuse {

/// What the IR consists of between pipelines.
enum class Stage {
  Graph,
  Linalg,
  Tiles,
  Vector,
  Placed,
  Staged,
  Threads,
  LLVM,
  Binary
};

/// In which floats the reference computes.
enum class ReferenceFloats {
  /// In those that are written: what running the ops one by one gives.
  Same,
  /// In f64, every cast between floats dropped: the exact mathematics.
  Exact,
  /// In f64, but casts still round to the type that is written.
  Round,
};

/// How a graph is cut into kernels.
struct FormationOptions {
  /// Whose costs are compared.
  MachineKind machine = MachineKind::Cpu;
  /// How much shared memory a block of a GPU may have; 0: what the machine has.
  unsigned sharedBytes = 0;
  /// Whether four warps of a GPU can multiply together.
  bool hasWarpgroups = true;
  /// What part of it to count on.
  double sharedPart = 1;
  /// By kernel: the schedule that it has to have, in place of a chosen one.
  llvm::StringMap<std::string> schedules;
  /// Schedules that kernels may not have, as the option of `fuse-form-kernels`.
  std::vector<std::string> rejected;
  /// The file to which every decision is written, or nothing.
  std::string reportFile;
  /// What kernels are called, before their numbers; the function's name if
  /// nothing is said.
  std::string prefix;
  /// How many threads will run them.
  unsigned threads = 2;
  /// How many kernels there may be, though more would be faster; 0: as many as
  /// pay.
  unsigned mostKernels = 0;
};

#define GEN_PASS_DECL
#include "fuse/Pipeline/Passes.h.inc"

/// A graph whose ops, one after the other, compute in `floats`. A `sumStride`
/// above 1 sums terms in another order.
void buildReferenceGraph(mlir::OpPassManager &pm, ReferenceFloats floats,
                         int64_t sumStride = 1);

/// Graph -> linalg, op by op. With a `sumStride` above 1 terms are summed in
/// another order than that in which they lie (fuse-reorder-sums).
void buildReferenceToLinalg(mlir::OpPassManager &pm, ReferenceFloats floats,
                            int64_t sumStride = 1);
/// linalg -> LLVM, for a CPU. Results become arguments of the function,
/// behind the others; `_mlir_ciface_` wrappers take them as descriptors.
void buildLinalgToLLVM(mlir::OpPassManager &pm);

/// Graph -> tiles: kernels over tiles, and the functions that launch them. The
/// report goes to `report` if there is one, in place of the file.
void buildGraphToTiles(mlir::OpPassManager &pm, const FormationOptions &options,
                       std::string *report = nullptr);
/// Tiles -> vector: every kernel becomes a function that runs a range of its
/// blocks; the functions that launch kernels are dropped. `vectorBits` is the
/// width of the vectors, 128, 256 or 512.
void buildTilesToVector(mlir::OpPassManager &pm, unsigned vectorBits);
/// Vector -> LLVM, for this CPU.
void buildVectorToLLVM(mlir::OpPassManager &pm);
/// The same for a CPU that has casts of f16, or has not.
void buildVectorToLLVMWith(mlir::OpPassManager &pm, bool nativeF16);

/// Tiles -> placed: every tile has a layout; the functions that launch kernels
/// are dropped.
void buildTilesToPlaced(mlir::OpPassManager &pm, const GpuChip &chip);
/// Placed -> staged: what loops read is copied ahead, as the chip can.
void buildPlacedToStaged(mlir::OpPassManager &pm, const GpuChip &chip);
/// Staged -> threads: what one thread of a GPU does, on vectors. Kernels that
/// are only placed are lowered, too.
void buildStagedToThreads(mlir::OpPassManager &pm, const GpuChip &chip);
/// Threads -> LLVM, for a GPU. Kernels stay in their `gpu.module`.
void buildThreadsToLLVM(mlir::OpPassManager &pm);

/// LLVM, for a GPU -> PTX or machine code, in a `gpu.binary`.
void buildNVVMToBinary(mlir::OpPassManager &pm,
                       const ConvertNVVMToBinaryOptions &options);

/// The width of the widest vectors that this processor computes with.
unsigned hostVectorBits();
/// Whether this processor has casts of f16.
bool hostHasF16();

/// Every dialect that a stage consists of, with what its passes need.
void registerDialects(mlir::DialectRegistry &registry);
/// Every pass and pipeline of ours, and upstream's on the same dialects.
void registerPasses();

} // namespace fuse

#endif // FUSE_PIPELINE_PIPELINES_H
