//===- Plan.h - which tiles exist in memory ---------------------*- C++ -*-===//
//
// Most tiles of a kernel never exist: an expression is evaluated for a few
// elements where it is needed. The plan says which tiles do exist, where in the
// workspace they are, and which values share one place.
//
// A *root* is an op whose lowering evaluates expressions: a store, a reduction,
// a dot, a loop's start and its yield, and every op whose result exists.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_PLAN_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_PLAN_H

#include "AxisMap.h"
#include "fuse/Dialect/Tile/IR/Tile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <memory>

namespace fuse::tile {

/// What vectors the target has.
struct VectorTarget {
  int64_t bits = 512;

  /// Lanes of expressions, whatever their types.
  int64_t lanes() const { return bits / 32; }
  /// Lanes of a dot that accumulates in `type`.
  int64_t lanesOf(mlir::Type type) const;
  /// Rows and vectors of the block of a dot that is kept in registers.
  int64_t dotRows() const { return bits == 512 ? 14 : 6; }
  int64_t dotVectors() const { return 2; }
};

/// Whether it is a float of less than 32 bits.
bool isNarrowFloat(mlir::Type element);

/// The width in which elements of a type are stored: i1 takes a byte.
mlir::Type storedType(mlir::Type element);
int64_t storedBytes(mlir::Type element);

/// A tile in the workspace. Element `a` is at the sum of `strides[i] * a[i]`.
struct Object {
  mlir::Type element;
  AxisMap::Row strides;
  /// From this axis on elements are contiguous; rows may be apart.
  int64_t columnAxis = 0;
  int64_t elements = 0;
  /// From the first op that writes to the last that reads, by number.
  int64_t first = 0, last = 0;
  int64_t offset = 0;
  /// The memref of rank 1 in the function, once there is one.
  mlir::Value memory;

  int64_t bytes() const { return elements * storedBytes(element); }
};

/// The sizes of a dot, groups of axes counted as one.
struct DotShape {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;

  explicit DotShape(DotOp op);
  /// Too few products for each number that is read to be worth copying it.
  bool isThin() const { return rows < 4 || columns < 4; }
};

/// One step of the end of a loop's body.
struct YieldStep {
  unsigned number;
  /// Writes the carried tile itself, or from or to a copy of the new value.
  enum Kind { Direct, ToCopy, FromCopy } kind;
  Object *copy = nullptr;
};

class Plan {
public:
  explicit Plan(KernelOp kernel);

  /// Where a value is, or null if it is evaluated where it is needed.
  Object *objectOf(mlir::Value value) const { return objects.lookup(value); }
  /// Where a value is for a dot to read, made when the value is defined.
  Object *operandOf(DotOp dot, bool isLeft) const {
    return operands.lookup({dot, unsigned(isLeft)});
  }
  /// What is to be made for dots when `value` is defined.
  llvm::ArrayRef<Object *> copiesOf(mlir::Value value) const;
  Object *carriedBy(mlir::scf::ForOp loop, unsigned carried) const {
    return carriedObjects.lookup(loop)[carried];
  }
  llvm::ArrayRef<YieldStep> stepsOf(mlir::scf::ForOp loop) const;
  /// The reductions that share a nest with this one, which is their first.
  /// Or, of an op whose result exists, the reductions whose nest writes it.
  llvm::ArrayRef<ReduceOp> groupOf(mlir::Operation *first) const;
  int64_t workspaceBytes() const { return total; }
  llvm::ArrayRef<std::unique_ptr<Object>> allObjects() const { return owned; }

private:
  struct Reader {
    mlir::Operation *root;
    /// Each element is evaluated more than once by the root.
    bool isRepeated;
    /// Element `a` is only needed for element `a` of what the root writes.
    bool isInPlace;
  };

  void number(KernelOp kernel);
  void plan(mlir::Operation *op);
  void planValue(mlir::Value value);
  void planDot(DotOp dot);
  void planLoop(mlir::scf::ForOp loop);
  void planBranch(mlir::scf::IfOp branch);
  void addReader(mlir::Value value, Reader reader);
  void addOperand(DotOp dot, bool isLeft);
  Object *make(mlir::RankedTensorType type, mlir::Type element,
               int64_t firstColumnAxis, mlir::Operation *writer);
  void schedule(mlir::scf::ForOp loop);
  bool canLiveIn(mlir::scf::ForOp loop, unsigned carried,
                 mlir::Value next) const;
  void extend(Object &object, mlir::Value from, mlir::Operation *reader);
  int64_t knownFrom(mlir::Value value) const;
  void groupReductions(mlir::Block &block);
  bool isInPlaceOf(mlir::Value value, mlir::Value tile) const;
  void moveToProducer(ReduceOp first);
  void finishLifetimes();
  void place();

  llvm::DenseMap<mlir::Operation *, int64_t> numbers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Reader, 2>> readers;
  llvm::DenseMap<mlir::Value, Object *> objects;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Object *> operands;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Object *, 1>> copies;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Object *>> carriedObjects;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<YieldStep>> steps;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ReduceOp>> groups;
  llvm::SmallVector<std::unique_ptr<Object>> owned;
  int64_t total = 0;
};

/// Whether a value is a tile.
inline bool isTile(mlir::Value value) {
  return llvm::isa<mlir::RankedTensorType>(value.getType());
}

/// Whether an op's lowering evaluates its operands itself. All other ops on
/// tiles are evaluated where their results are needed.
bool isRoot(mlir::Operation *op);

/// How an op that is no root needs operand `number` for its own axes.
AxisMap operandMap(mlir::Operation *op, unsigned number);

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_PLAN_H
