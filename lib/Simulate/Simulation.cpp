//===- Simulation.cpp - what all blocks of a kernel share -----------------===//
//
// Ops are looked at once, however often they are done.
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"
#include "TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

Simulation::Simulation(tile::KernelOp kernel, ArrayRef<SimulatedMemory> given,
                       const SimulationOptions &options)
    : kernel(kernel), timing(options.seed), mostWork(options.mostWork) {
  memory.resize(given.size());
  for (auto [index, each] : llvm::enumerate(memory)) {
    each.view = given[index];
    if (index + kernel.getOutputs() >= given.size())
      each.writers.resize(each.spannedElements());
  }
}

const OpFacts &Simulation::factsOf(Operation *op) {
  std::unique_ptr<OpFacts> &own = facts[op];
  if (own)
    return *own;
  own = std::make_unique<OpFacts>();
  own->pointwise = findPointwise(op);
  if (op->getNumResults() == 1)
    own->type = ArrayType::of(op->getResult(0).getType());
  if (isa<tile::LoadOp, tile::GatherOp, tile::StoreOp, tile::CopyOp>(op))
    own->access.emplace(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && own->type)
    own->constant = evaluateConstant(*own->type, constant.getValue());
  return *own;
}

bool Simulation::work(Operation *op, uint64_t amount) {
  workDone += amount;
  if (workDone <= mostWork)
    return true;
  op->emitOpError("is where the simulation has done ")
      << mostWork << " operations; smaller sizes need fewer";
  return false;
}

LogicalResult Simulation::checkWritten() {
  for (auto [argument, each] : llvm::zip_equal(kernel.getMemory(), memory)) {
    if (each.writers.empty())
      continue;
    SmallVector<int64_t, 4> strides = each.strides(), place(strides.size(), 0);
    int64_t offset = 0;
    auto next = [&] {
      for (size_t dim = place.size(); dim-- > 0;) {
        offset += strides[dim];
        if (++place[dim] < each.view.shape[dim])
          return true;
        offset -= strides[dim] * each.view.shape[dim];
        place[dim] = 0;
      }
      return false;
    };
    do {
      if (each.writers[offset] != 0)
        continue;
      InFlightDiagnostic diagnostic = kernel.emitOpError("leaves element [");
      llvm::interleave(
          place, [&](int64_t index) { diagnostic << index; },
          [&] { diagnostic << ", "; });
      return diagnostic << "] of argument #" << argument.getArgNumber()
                        << " unwritten";
    } while (next());
  }
  return success();
}
