//===- FollowStored.cpp - what is known of numbers between kernels --------===//
//
// A kernel that stores f32 for another one does not see that it is rounded
// there, and that one does not see that it reads sums of powers. Where a
// reduction is split, its chunks would compute powers to all digits for a
// result of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/SeenDigits.h"
#include "fuse/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuse {
#define GEN_PASS_DEF_FOLLOWSTORED
#include "fuse/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

namespace {

/// The kernels of a module in the order in which they are launched first, each
/// with all of its launches.
using Launches = llvm::MapVector<KernelOp, SmallVector<LaunchOp>>;

/// What is made before is asked about first, and then what is read last.
class Follower {
public:
  explicit Follower(ModuleOp module);
  void run();

private:
  /// The argument of its kernel that a launch has as an input or a result.
  Value argumentOf(OpOperand &input);
  Value argumentOf(OpResult made);
  void noteLoads(KernelOp kernel);
  bool isPositive(Value output);
  unsigned digitsOfResult(OpResult result);
  unsigned digitsOfInput(Value input);
  void noteStores(KernelOp kernel);

  Launches launches;
  llvm::DenseMap<Operation *, KernelOp> kernelOf;
  /// Arguments to which their kernel writes nothing below zero.
  llvm::DenseSet<Value> positive;
  SeenDigits digits;
};

} // namespace

Follower::Follower(ModuleOp module) {
  module.walk([&](LaunchOp launch) {
    if (auto kernel = module.lookupSymbol<KernelOp>(launch.getKernelAttr())) {
      launches[kernel].push_back(launch);
      kernelOf[launch] = kernel;
    }
  });
}

Value Follower::argumentOf(OpOperand &input) {
  auto launch = cast<LaunchOp>(input.getOwner());
  unsigned number =
      input.getOperandNumber() - launch.getInputs().getBeginOperandIndex();
  return kernelOf[launch].getInputMemory()[number];
}

Value Follower::argumentOf(OpResult made) {
  return kernelOf[made.getOwner()].getOutputMemory()[made.getResultNumber()];
}

static bool isF32(Value memory) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  return type && type.getElementType().isF32();
}

void Follower::noteLoads(KernelOp kernel) {
  for (auto [number, input] : llvm::enumerate(kernel.getInputMemory())) {
    bool isKnown = isF32(input);
    for (LaunchOp launch : launches[kernel]) {
      auto made = dyn_cast<OpResult>(launch.getInputs()[number]);
      isKnown &= made && kernelOf.count(made.getOwner()) &&
                 positive.contains(argumentOf(made));
    }
    if (isKnown)
      for (Operation *user : input.getUsers())
        if (isa<LoadOp>(user))
          user->setAttr(positiveAttrName, UnitAttr::get(user->getContext()));
  }
}

/// Whether a kernel writes nothing below zero to an argument.
bool Follower::isPositive(Value output) {
  Signs signs;
  return llvm::all_of(output.getUses(), [&](OpOperand &use) {
    auto store = dyn_cast<StoreOp>(use.getOwner());
    return (store && signs.isPositive(store.getSource())) ||
           isa<memref::DimOp>(use.getOwner());
  });
}

/// How many digits are seen of what a kernel reads as an argument.
unsigned Follower::digitsOfInput(Value input) {
  unsigned most = 0;
  for (OpOperand &use : input.getUses())
    if (isa<LoadOp>(use.getOwner()))
      most = std::max(most, digits.of(use.getOwner()->getResult(0)));
    else if (!isa<memref::DimOp>(use.getOwner()))
      return SeenDigits::all;
  return most;
}

unsigned Follower::digitsOfResult(OpResult result) {
  unsigned most = 0;
  for (OpOperand &use : result.getUses())
    if (kernelOf.count(use.getOwner()))
      most = std::max(most, digitsOfInput(argumentOf(use)));
    else if (!isa<tensor::DimOp>(use.getOwner()))
      return SeenDigits::all;
  return most;
}

void Follower::noteStores(KernelOp kernel) {
  for (auto [number, output] : llvm::enumerate(kernel.getOutputMemory())) {
    unsigned most = isF32(output) ? 0 : SeenDigits::all;
    for (LaunchOp launch : launches[kernel])
      most = std::max(
          most, digitsOfResult(cast<OpResult>(launch.getOutputs()[number])));
    if (most >= SeenDigits::all)
      continue;
    Builder b(kernel.getContext());
    for (Operation *user : output.getUsers())
      if (isa<StoreOp>(user))
        user->setAttr(digitsAttrName, b.getI64IntegerAttr(most));
  }
}

void Follower::run() {
  for (auto &[kernel, own] : launches) {
    noteLoads(kernel);
    for (Value output : KernelOp(kernel).getOutputMemory())
      if (isF32(output) && isPositive(output))
        positive.insert(output);
  }
  for (auto &[kernel, own] : llvm::reverse(launches))
    noteStores(kernel);
}

namespace {

struct FollowStoredPass final : fuse::impl::FollowStoredBase<FollowStoredPass> {
  void runOnOperation() final { Follower(getOperation()).run(); }
};

} // namespace
