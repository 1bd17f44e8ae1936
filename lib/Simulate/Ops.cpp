//===- Ops.cpp - what single ops do ---------------------------------------===//
//
// All ops but those of control. A tile in registers is an array; one in a slot
// is looked up when somebody reads it.
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"
#include "TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::optional<AccessOperands>
Interpreter::accessOperands(Strand &strand, const AccessPlan &plan) {
  AccessOperands operands;
  for (Value index : plan.access.indices)
    operands.indices.push_back(integerOf(strand, index));
  for (Value start : plan.access.starts)
    operands.starts.push_back(integerOf(strand, start));
  for (Value limit : plan.access.limits)
    operands.limits.push_back(integerOf(strand, limit));
  if (auto gather = dyn_cast<tile::GatherOp>(plan.access.op))
    for (Value positions : gather.getPositions()) {
      operands.positions.push_back(arrayOf(positions, gather, strand));
      if (!operands.positions.back())
        return std::nullopt;
    }
  return operands;
}

Outcome Interpreter::executeMemory(Strand &strand, Operation *op) {
  const AccessPlan &plan = *simulation.factsOf(op).access;
  const Memory &from = *std::get<Memory *>(valueOf(strand, plan.access.memory));
  std::optional<AccessOperands> operands = accessOperands(strand, plan);
  if (!operands)
    return Outcome::Failed;
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    ArrayPtr source = arrayOf(store.getSource(), op, strand);
    Memory &to = *std::get<Memory *>(valueOf(strand, plan.access.memory));
    return source && succeeded(write(plan, *operands, *source, number, to))
               ? Outcome::Done
               : Outcome::Failed;
  }
  auto tile = std::make_shared<Array>(*ArrayType::of(plan.access.tile));
  if (!simulation.work(op, tile->size()) ||
      failed(read(plan, *operands, from, *tile)))
    return Outcome::Failed;
  auto copy = dyn_cast<tile::CopyOp>(op);
  if (!copy)
    return setResult(strand, op, ArrayPtr(std::move(tile)));
  if (copy.getRounded())
    for (float &number : MutableArrayRef(tile->get<float>(), tile->size()))
      number = roundToTf32(number);
  return std::get<Ring *>(valueOf(strand, copy.getRing()))
      ->copy(copy, integerOf(strand, copy.getNumber()), std::move(tile),
             strand);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Outcome Interpreter::executePointwise(Strand &strand, Operation *op,
                                      const OpFacts &facts) {
  SmallVector<ArrayPtr, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(arrayOf(operand, op, strand));
    if (!operands.back())
      return Outcome::Failed;
  }
  if (op->getResult(0).getType().isIndex() && overflows(op, operands)) {
    op->emitOpError("gives more than 64 bits hold, of ")
        << operands[0]->integer() << " and " << operands[1]->integer();
    return Outcome::Failed;
  }
  auto result = std::make_shared<Array>(*facts.type);
  if (!simulation.work(op, result->size()))
    return Outcome::Failed;
  (*facts.pointwise)(op, operands, *result);
  return setResult(strand, op, ArrayPtr(std::move(result)));
}

/// An element of a tile, a tile of numbers, or of one number.
static bool executeTensor(Operation *op, ArrayRef<ArrayPtr> operands,
                          Array &result) {
  if (isa<tensor::FromElementsOp, tensor::SplatOp>(op)) {
    result.visit([&](auto *to) {
      using T = std::remove_pointer_t<decltype(to)>;
      for (size_t i = 0; i < result.size(); ++i)
        to[i] = *operands[isa<tensor::SplatOp>(op) ? 0 : i]->get<T>();
    });
    return true;
  }
  const Array &source = *operands.front();
  int64_t at = 0;
  for (auto [index, size, stride] : llvm::zip_equal(
           operands.drop_front(), source.shape(), stridesOf(source.shape()))) {
    if (index->integer() < 0 || index->integer() >= size)
      return false;
    at += index->integer() * stride;
  }
  result.visit([&](auto *to) {
    *to = source.get<std::remove_pointer_t<decltype(to)>>()[at];
  });
  return true;
}

Outcome Interpreter::executeShape(Strand &strand, Operation *op) {
  // Only names of axes change: what is in a slot stays there.
  if (auto transposed = dyn_cast<tile::TransposeOp>(op))
    if (const auto *tile =
            std::get_if<SharedTile>(&valueOf(strand, transposed.getSource()))) {
      SharedTile moved = *tile;
      moved.permutation.clear();
      for (int64_t axis : transposed.getPermutation())
        moved.permutation.push_back(
            tile->permutation.empty() ? axis : tile->permutation[axis]);
      return setResult(strand, op, std::move(moved));
    }

  SmallVector<ArrayPtr, 4> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(arrayOf(operand, op, strand));
    if (!operands.back())
      return Outcome::Failed;
  }
  if (isa<tile::ConvertLayoutOp, tile::HoldOp>(op))
    return setResult(strand, op, operands.front());
  if (auto dot = dyn_cast<tile::DotOp>(op)) {
    auto sum = std::make_shared<Array>(*operands[2]);
    Product product{static_cast<unsigned>(dot.getBatch()),
                    static_cast<unsigned>(dot.getContract()),
                    dot.getPrecision()};
    if (!simulation.work(op,
                         addProduct(product, *operands[0], *operands[1], *sum)))
      return Outcome::Failed;
    return setResult(strand, op, ArrayPtr(std::move(sum)));
  }
  std::shared_ptr<Array> result =
      std::make_shared<Array>(*simulation.factsOf(op).type);
  if (!simulation.work(op, result->size()))
    return Outcome::Failed;
  bool isDone =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](tile::ReduceOp reduction) {
            reduce(reduction.getKind(), reduction.getDims(), *operands[0],
                   *result);
            return true;
          })
          .Case([&](tile::BroadcastOp repeat) {
            broadcast(repeat.getDims(), *operands[0], *result);
            return true;
          })
          .Case([&](tile::TransposeOp transposed) {
            transpose(transposed.getPermutation(), *operands[0], *result);
            return true;
          })
          .Case([&](tile::IotaOp count) {
            iota(count, operands[0]->integer(), *result);
            return true;
          })
          .Case<tile::LeastOp, tile::MostOp>([&](Operation *bound) {
            // All threads of a strand go on together.
            ArrayRef<int64_t> all(operands[0]->get<int64_t>(),
                                  operands[0]->size());
            *result->get<int64_t>() = isa<tile::LeastOp>(bound)
                                          ? *llvm::min_element(all)
                                          : *llvm::max_element(all);
            return true;
          })
          .Case([&](tile::MaskOp masked) {
            SmallVector<int64_t, 4> starts, limits;
            size_t numStarts = masked.getStarts().size();
            for (auto [number, edge] :
                 llvm::enumerate(ArrayRef(operands).drop_front()))
              (number < numStarts ? starts : limits).push_back(edge->integer());
            mask(masked, *operands[0], starts, limits, *result);
            return true;
          })
          .Default([&](Operation *other) {
            return executeTensor(other, operands, *result);
          });
  if (!isDone) {
    op->emitOpError("reads beside its tile");
    return Outcome::Failed;
  }
  return setResult(strand, op, ArrayPtr(std::move(result)));
}

/// Waits until all blocks of the cluster have come here.
Outcome Interpreter::executeCollect(Strand &strand, tile::CollectOp op) {
  auto &all = cluster.collectedAt(op);
  if (all.size() != op.getBlocks()) {
    op.emitOpError("collects from ")
        << op.getBlocks() << " blocks, but its cluster has " << all.size();
    return Outcome::Failed;
  }
  if (all[rank].empty())
    for (Value source : op.getSources()) {
      all[rank].push_back(arrayOf(source, op, strand));
      if (!all[rank].back())
        return Outcome::Failed;
    }
  if (llvm::any_of(all, [](const auto &sources) { return sources.empty(); }))
    return Outcome::Blocked;
  for (auto [number, axis] : llvm::enumerate(op.getAxes()))
    for (auto [block, share] : llvm::enumerate(op.sharesOf(number))) {
      auto result = std::make_shared<Array>(*ArrayType::of(share.getType()));
      SmallVector<int64_t, 4> strides = stridesOf(all[block][number]->shape());
      pick(*all[block][number], strides, *result,
           rank * result->shape()[axis] * strides[axis]);
      if (!simulation.work(op, result->size()) ||
          !set(strand, share, ArrayPtr(std::move(result))))
        return Outcome::Failed;
    }
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

Outcome Interpreter::executeRing(Strand &strand, Operation *op) {
  if (auto made = dyn_cast<tile::RingOp>(op)) {
    rings.push_back(std::make_unique<Ring>(made, simulation.timing, rank,
                                           cluster.ringsOf(made)));
    return setResult(strand, op, rings.back().get());
  }
  Ring &ring = *std::get<Ring *>(valueOf(strand, op->getOperand(0)));
  int64_t number = integerOf(strand, op->getOperand(1));
  if (number < 0) {
    op->emitOpError("has the number ") << number;
    return Outcome::Failed;
  }
  if (auto acquire = dyn_cast<tile::AcquireOp>(op))
    return ring.acquire(acquire, number);
  if (auto commit = dyn_cast<tile::CommitOp>(op))
    return ring.commit(commit, number, strand);
  if (auto release = dyn_cast<tile::ReleaseOp>(op)) {
    SmallVector<IssuePtr> groups;
    for (Value group : release.getGroups())
      groups.push_back(std::get<IssuePtr>(valueOf(strand, group)));
    return ring.release(release, number, groups, strand);
  }
  auto wait = cast<tile::WaitOp>(op);
  Outcome outcome = ring.wait(wait, number, strand);
  if (outcome != Outcome::Done)
    return outcome;
  int64_t first = wait.getRing().getType().firstPartOf(wait.getKind());
  for (auto [index, part] : llvm::enumerate(wait.getParts()))
    if (!set(
            strand, part,
            SharedTile{&ring, number, first + static_cast<int64_t>(index), {}}))
      return Outcome::Failed;
  return Outcome::Done;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Outcome Interpreter::execute(Strand &strand, Operation *op) {
  const OpFacts &facts = simulation.factsOf(op);
  if (facts.constant)
    return setResult(strand, op, facts.constant);
  if (facts.pointwise)
    return executePointwise(strand, op, facts);
  if (facts.access)
    return executeMemory(strand, op);
  if (isa<tile::RingOp, tile::AcquireOp, tile::CommitOp, tile::WaitOp,
          tile::ReleaseOp>(op))
    return executeRing(strand, op);
  if (isa<tile::ConvertLayoutOp, tile::HoldOp, tile::DotOp, tile::ReduceOp,
          tile::BroadcastOp, tile::TransposeOp, tile::IotaOp, tile::LeastOp,
          tile::MostOp, tile::MaskOp, tensor::ExtractOp, tensor::FromElementsOp,
          tensor::SplatOp>(op))
    return executeShape(strand, op);
  if (auto collect = dyn_cast<tile::CollectOp>(op))
    return executeCollect(strand, collect);
  if (auto product = dyn_cast<tile::DotIssueOp>(op))
    return issue(strand, product);
  if (auto starting = dyn_cast<tile::StartOp>(op))
    return start(strand, starting);
  if (isa<tile::PinOp>(op))
    return Outcome::Done;
  if (isa<tile::CrewOp>(op))
    return setResult(strand, op, scalar(ElementType::Index, strand.crew));
  if (auto turn = dyn_cast<tile::TakeTurnOp>(op))
    return takeTurn(strand, turn);
  if (auto turn = dyn_cast<tile::GiveTurnOp>(op))
    return giveTurn(strand, turn);
  if (auto taking = dyn_cast<tile::TakeOp>(op))
    return take(strand, taking);
  if (auto waiting = dyn_cast<tile::RetireOp>(op))
    return retire(strand, waiting);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    const Memory &of = *std::get<Memory *>(valueOf(strand, dim.getSource()));
    int64_t number = integerOf(strand, dim.getIndex());
    if (number >= 0 && number < static_cast<int64_t>(of.view.shape.size()))
      return setResult(strand, op,
                       scalar(ElementType::Index, of.view.shape[number]));
  }
  op->emitOpError("cannot be simulated");
  return Outcome::Failed;
}
