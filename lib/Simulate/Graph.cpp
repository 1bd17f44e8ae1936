//===- Graph.cpp - run a graph on the CPU, op by op -----------------------===//
//
// Each op computes a whole array, and an array goes with its last reader.
//
//===----------------------------------------------------------------------===//

#include "fuse/Simulate/Graph.h"
#include "Pointwise.h"
#include "TileOps.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Tile/Analysis/GraphCombine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace fuse;
using namespace fuse::simulate;

//===----------------------------------------------------------------------===//
// What can be run
//===----------------------------------------------------------------------===//

static bool isKnown(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<FloatAttr, IntegerAttr, DenseElementsAttr>(constant.getValue());
  return isa<BroadcastOp, TransposeOp, SliceOp, ExpandOp, CollapseOp, ConcatOp,
             IotaOp, GatherOp, MatmulOp, ReduceOp, CopyOp, tensor::CastOp,
             tensor::FromElementsOp, tensor::DimOp, func::ReturnOp>(op) ||
         findPointwise(op);
}

LogicalResult fuse::checkGraphForSimulation(func::FuncOp graph) {
  for (Operation &op : graph.getBody().front()) {
    if (!isKnown(&op))
      return op.emitOpError("cannot be interpreted");
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!ArrayType::of(type) || (tensor && !tensor.hasStaticShape()))
        return op.emitOpError("cannot be interpreted with a result of type ")
               << type;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The same elements, one behind the other, in another shape.
static void copyElements(const Array &source, Array &result) {
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    std::copy_n(source.get<T>(), result.size(), to);
  });
}

static void slice(SliceOp op, const Array &source, Array &result) {
  SmallVector<int64_t, 4> strides = stridesOf(source.shape());
  int64_t first = 0;
  for (auto [stride, start, step] :
       llvm::zip_equal(strides, op.getStarts(), op.getSteps())) {
    first += start * stride;
    stride *= step;
  }
  pick(source, strides, result, first);
}

static void concat(int64_t dim, ArrayRef<ArrayPtr> sources, Array &result) {
  int64_t outer = 1, row = 1;
  for (auto [axis, size] : llvm::enumerate(result.shape()))
    (static_cast<int64_t>(axis) < dim ? outer : row) *= size;
  int64_t at = 0;
  for (const ArrayPtr &source : sources) {
    int64_t part = source->size() / outer;
    result.visit([&](auto *to) {
      using T = std::remove_pointer_t<decltype(to)>;
      const T *from = source->get<T>();
      for (int64_t i = 0; i < outer; ++i)
        std::copy_n(from + i * part, part, to + at + i * row);
    });
    at += part;
  }
}

static void countAlong(int64_t dim, Array &result) {
  int64_t stride = stridesOf(result.shape())[dim];
  int64_t size = result.shape()[dim];
  result.visit([&](auto *to) {
    for (size_t i = 0, e = result.size(); i < e; ++i)
      to[i] = static_cast<int64_t>(i) / stride % size;
  });
  result.normalise();
}

/// A row that is not there is one of zeros.
static void gather(const Array &table, const Array &indices, Array &result) {
  int64_t rows = table.shape().front();
  int64_t length = indices.size() == 0 ? 0 : result.size() / indices.size();
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    for (size_t i = 0, e = indices.size(); i < e; ++i) {
      int64_t row = indices.get<int64_t>()[i];
      if (row >= 0 && row < rows)
        std::copy_n(table.get<T>() + row * length, length, to + i * length);
    }
  });
}

static void multiply(MatmulOp op, const Array &lhs, const Array &rhs,
                     Array &result) {
  Product product;
  product.batch = lhs.shape().size() - 2;
  // tf32x3 promises what ieee gives, so that is its meaning.
  if (op.getPrecision() == Precision::Tf32)
    product.precision = tile::Precision::Tf32;
  addProduct(product, lhs, rhs, result);
}

/// What a reduction of no elements gives.
static void fillNeutral(CombineKind kind, Array &result) {
  result.visit([&](auto *to) {
    using T = std::remove_pointer_t<decltype(to)>;
    using Limits = std::numeric_limits<T>;
    T least = Limits::has_infinity ? -Limits::infinity() : Limits::min();
    T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    unsigned unused =
        64 - (isInteger(result.type()) ? integerBits(result.type()) : 64);
    if constexpr (std::is_integral_v<T>) {
      least >>= unused;
      most >>= unused;
    }
    T neutral = kind == CombineKind::Prod  ? 1
                : kind == CombineKind::Max ? least
                : kind == CombineKind::Min ? most
                                           : 0;
    std::fill_n(to, result.size(), neutral);
  });
}

static void reduceAll(ReduceOp op, const Array &source, Array &result) {
  // Narrow floats are held as f32, in which their sums are taken.
  ArrayType type{source.type(), SmallVector<int64_t, 4>(result.shape())};
  if (isFloat(type.element) && type.element != ElementType::F64)
    type.element = ElementType::F32;
  auto sums = std::make_shared<Array>(type);
  if (source.size() == 0)
    fillNeutral(op.getKind(), *sums);
  else
    simulate::reduce(tile::combineKindFor(op.getKind()), op.getDims(), source,
                     *sums);
  if (op.getKind() == CombineKind::Mean)
    sums->visit([&](auto *elements) {
      using T = std::remove_pointer_t<decltype(elements)>;
      T count = 1;
      for (int64_t dim : op.getDims())
        count *= source.shape()[dim];
      for (size_t i = 0, e = sums->size(); i < e; ++i)
        elements[i] /= count;
    });
  copyElements(*sums, result);
  result.normalise();
}

static void evaluate(Operation *op, ArrayRef<ArrayPtr> operands,
                     Array &result) {
  if (auto reduction = dyn_cast<ReduceOp>(op))
    return reduceAll(reduction, *operands[0], result);
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    *result.get<int64_t>() = operands[0]->shape()[operands[1]->integer()];
    return;
  }
  if (result.size() == 0)
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](BroadcastOp repeat) {
        broadcast(repeat.getDims(), *operands[0], result);
      })
      .Case([&](TransposeOp transposed) {
        transpose(transposed.getPermutation(), *operands[0], result);
      })
      .Case([&](SliceOp part) { slice(part, *operands[0], result); })
      .Case([&](ConcatOp joined) { concat(joined.getDim(), operands, result); })
      .Case([&](IotaOp count) { countAlong(count.getDim(), result); })
      .Case([&](GatherOp) { gather(*operands[0], *operands[1], result); })
      .Case([&](MatmulOp product) {
        multiply(product, *operands[0], *operands[1], result);
      })
      .Case([&](tensor::FromElementsOp numbers) {
        for (auto [i, number] : llvm::enumerate(operands))
          result.visit([&](auto *to) {
            to[i] = *number->get<std::remove_pointer_t<decltype(to)>>();
          });
      })
      .Case<ExpandOp, CollapseOp, CopyOp, tensor::CastOp>(
          [&](Operation *) { copyElements(*operands[0], result); })
      .Default([&](Operation *other) {
        (*findPointwise(other))(other, operands, result);
      });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static ArrayPtr load(const SimulatedMemory &memory) {
  ArrayType type{memory.type, SmallVector<int64_t, 4>(memory.shape)};
  auto array = std::make_shared<Array>(type);
  loadRun(*array, 0, memory.data, 0, 1, array->size());
  return array;
}

void fuse::simulateGraph(func::FuncOp graph, ArrayRef<SimulatedMemory> inputs,
                         ArrayRef<SimulatedMemory> outputs) {
  llvm::DenseMap<Value, ArrayPtr> arrays;
  for (auto [argument, memory] : llvm::zip_equal(graph.getArguments(), inputs))
    arrays[argument] = load(memory);
  llvm::DenseMap<Value, unsigned> readers;
  for (Operation &op : graph.getBody().front()) {
    SmallVector<ArrayPtr, 4> operands;
    for (Value operand : op.getOperands())
      operands.push_back(arrays.lookup(operand));
    if (isa<func::ReturnOp>(op)) {
      for (auto [array, memory] : llvm::zip_equal(operands, outputs))
        storeRun(*array, 0, memory.data, 0, 1, array->size());
      return;
    }
    ArrayType type = *ArrayType::of(op.getResult(0).getType());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      arrays[op.getResult(0)] = evaluateConstant(type, constant.getValue());
      continue;
    }
    auto result = std::make_shared<Array>(type);
    evaluate(&op, operands, *result);
    arrays[op.getResult(0)] = std::move(result);
    for (Value operand : op.getOperands())
      if (++readers[operand] == llvm::range_size(operand.getUses()))
        arrays.erase(operand);
  }
}
