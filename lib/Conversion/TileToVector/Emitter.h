//===- Emitter.h - expressions, nests and dots as vector code ---*- C++ -*-===//
//
// Writes the body of one kernel. A *strip* is a run of elements along one axis
// of a loop nest: what one vector holds. Expressions are evaluated on strips,
// from loads to results, so that tiles in between never exist.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_CONVERSION_TILETOVECTOR_EMITTER_H
#define FUSE_LIB_CONVERSION_TILETOVECTOR_EMITTER_H

#include "Plan.h"
#include "fuse/Dialect/Tile/Analysis/Combine.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <map>

namespace fuse::tile {

/// Some elements along one axis of a nest, at one place of the others.
struct Strip {
  /// Where the first element is, for each axis of the nest.
  llvm::SmallVector<mlir::Value> position;
  unsigned axis = 0;
  int64_t lanes = 1;
  /// Elements may be outside of their limits.
  bool isChecked = false;
  /// The strip of one lane for what does not vary along the axis, and the loop
  /// in front of which that is evaluated.
  Strip *single = nullptr;
  mlir::Operation *loop = nullptr;
  std::map<std::pair<void *, AxisMap>, mlir::Value> known;
};

/// An expression over the axes of a nest: what a value is through a map.
struct Expression {
  mlir::Value value;
  AxisMap map;
};

/// One of several reductions over the same axes in one nest.
struct Reduction {
  CombineKind kind;
  mlir::Type element;
  /// Adds a strip to what was combined so far.
  llvm::function_ref<mlir::Value(mlir::Value, Strip &)> body;
  /// Takes the results of a strip of the axes that are kept.
  llvm::function_ref<void(mlir::Value, Strip &)> take;
};

class Emitter {
public:
  Emitter(mlir::ImplicitLocOpBuilder &builder, const Plan &plan,
          const VectorTarget &target, mlir::Block *entry)
      : b(builder), plan(plan), target(target), entry(entry) {}

  void emitBlock(mlir::Block &block);
  mlir::IRMapping &scalars() { return mapping; }

private:
  // Emitter.cpp: ops in their order.
  void emit(mlir::Operation *op);
  void emitLoop(mlir::scf::ForOp loop);
  void emitBranch(mlir::scf::IfOp branch);
  void makeCopies(mlir::Value value);

  // Small constants.
  mlir::Value index(int64_t number);
  mlir::Value splat(mlir::Value scalar, int64_t lanes);
  mlir::Value constant(mlir::TypedAttr number, int64_t lanes);
  mlir::Value zero(mlir::Type element, int64_t lanes);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  /// The sum of `row` times `position`, plus `base` where there is one.
  mlir::Value linear(mlir::Value base, llvm::ArrayRef<int64_t> row,
                     llvm::ArrayRef<mlir::Value> position);
  /// `base + factor * lane` as a vector of indices.
  mlir::Value count(mlir::Value base, mlir::Value factor, int64_t lanes);
  /// A vector as it is stored, and back.
  mlir::Value toStored(mlir::Value vector);
  mlir::Value fromStored(mlir::Value vector, mlir::Type element);

  // Expressions.cpp
  mlir::Value evaluate(mlir::Value value, const AxisMap &map, Strip &strip);
  mlir::Value evaluateOp(mlir::Operation *op, const AxisMap &map, Strip &strip);
  mlir::Value evaluateMask(MaskOp op, const AxisMap &map, Strip &strip);
  mlir::Value evaluateIota(IotaOp op, const AxisMap &map, Strip &strip);
  mlir::Value convert(mlir::Value indices, mlir::Type element);
  mlir::Value neutral(CombineKind kind, mlir::Type element, int64_t lanes);
  /// What a reduction has so far, and a strip of what it reduces, as one.
  mlir::Value merge(ReduceOp reduce, mlir::Value sum, mlir::Value strip);
  mlir::Value combineLanes(CombineKind kind, mlir::Value vector);

  // Access.cpp
  struct Access;
  mlir::Value limitMask(mlir::ValueRange starts, mlir::ValueRange limits,
                        llvm::ArrayRef<int64_t> axes, const AxisMap &map,
                        Strip &strip);
  mlir::Value broadcastMask(mlir::Value scalar, mlir::Value vector,
                            int64_t lanes);
  Access accessOf(mlir::Value memory, mlir::ValueRange indices,
                  const AxisMap &map, Strip &strip);
  void guard(Access &access, Strip &strip);
  mlir::Value read(Access &access, mlir::Type element, Strip &strip);
  void write(Access &access, mlir::Value vector, Strip &strip);
  mlir::Value evaluateLoad(LoadOp op, const AxisMap &map, Strip &strip);
  mlir::Value evaluateGather(GatherOp op, const AxisMap &map, Strip &strip);
  void storeStrip(StoreOp op, mlir::Value vector, Strip &strip);
  mlir::Value readObject(const Object &object, mlir::Type element,
                         const AxisMap &map, Strip &strip);
  void writeObject(const Object &object, mlir::Value vector, const AxisMap &map,
                   Strip &strip);
  mlir::Value dimOf(mlir::Value memory, unsigned dim);

  // Prefetch.cpp
  /// The second level of the caches of one thread.
  static constexpr int64_t kCacheBytes = 2 << 20;
  /// Whether the root that is being emitted is the second to read a load.
  bool isSecondWalk(LoadOp op);
  /// Asks for what the next block loads in place of what is at `position`.
  void prefetchNext(LoadOp op, mlir::Value memory,
                    llvm::ArrayRef<mlir::Value> position);

  // Nests.cpp
  using StripBody = llvm::function_ref<void(Strip &)>;
  /// Whether every limit that the expressions depend on is beyond their tiles;
  /// null if they depend on none.
  mlir::Value isWhole(llvm::ArrayRef<Expression> expressions, StoreOp store);
  void collectWhole(mlir::Value value, mlir::Value &all,
                    llvm::DenseSet<mlir::Value> &seen);
  void requireLimits(mlir::ValueRange starts, mlir::ValueRange limits,
                     llvm::ArrayRef<int64_t> axes, mlir::RankedTensorType type,
                     mlir::Value &all);
  /// Emits once without checks, and once more with them where that is needed.
  void emitBoth(llvm::ArrayRef<Expression> expressions, StoreOp store,
                llvm::function_ref<void(bool isChecked)> emitOne);
  /// How the nest of the given sizes is best cut into strips.
  unsigned chooseAxis(llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<Expression> expressions,
                      llvm::ArrayRef<AxisMap> writes);
  /// The axes of a nest that is read along one and written along another.
  struct Crossing {
    unsigned read, write;
  };
  std::optional<Crossing> findCrossing(llvm::ArrayRef<int64_t> sizes,
                                       const Expression &expression,
                                       const AxisMap &write);
  void emitCrossing(llvm::ArrayRef<int64_t> sizes, Crossing crossing,
                    bool isChecked,
                    llvm::function_ref<mlir::Value(Strip &)> read,
                    llvm::function_ref<void(mlir::Value, Strip &)> write);
  void transpose(llvm::SmallVectorImpl<mlir::Value> &rows);
  /// Cuts a nest that evaluates and writes each element once into strips.
  void emitElements(llvm::ArrayRef<int64_t> sizes, const Expression &expression,
                    const AxisMap &writeMap, StoreOp store,
                    llvm::function_ref<mlir::Value(Strip &)> read,
                    llvm::function_ref<void(mlir::Value, Strip &)> write);
  struct Costs;
  void addCosts(mlir::Value value, const AxisMap &map, Costs &costs);
  void forEachStrip(llvm::ArrayRef<int64_t> sizes, unsigned axis,
                    bool isChecked, StripBody body);
  void stripsAlong(llvm::ArrayRef<mlir::Value> position,
                   llvm::ArrayRef<int64_t> sizes, unsigned axis, bool isChecked,
                   StripBody body);
  /// Writes `value` to an object.
  void materialize(mlir::Value value, const Object &object);
  void copy(const Object &from, const Object &to, mlir::RankedTensorType type);
  void emitStore(StoreOp op);

  // Reductions.cpp
  /// Reduces, and writes `made` to its object on the way if it is not null.
  void emitReduce(llvm::ArrayRef<ReduceOp> group, mlir::Value made);
  /// Does `before` with each strip, if there is one, and then reduces it.
  void emitReductions(llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<bool> isReduced, unsigned axis,
                      bool isChecked, llvm::ArrayRef<Reduction> reductions,
                      StripBody before = {});
  mlir::Value combineVectors(CombineKind kind,
                             llvm::ArrayRef<mlir::Value> vectors,
                             int64_t count);
  void reduceAlong(llvm::ArrayRef<mlir::Value> position,
                   llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<bool> isReduced, unsigned axis,
                   bool isChecked, llvm::ArrayRef<Reduction> reductions,
                   StripBody before);
  void reduceAcross(llvm::ArrayRef<mlir::Value> position,
                    llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<bool> isReduced, unsigned axis,
                    bool isChecked, llvm::ArrayRef<Reduction> reductions,
                    StripBody before);
  /// Loops over some axes, carrying values.
  llvm::SmallVector<mlir::Value>
  carryLoops(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<unsigned> axes,
             llvm::SmallVector<mlir::Value> position, mlir::ValueRange carried,
             llvm::function_ref<llvm::SmallVector<mlir::Value>(
                 llvm::ArrayRef<mlir::Value>, mlir::ValueRange)>
                 body);

  // Dots.cpp
  void emitDot(DotOp op);
  void emitThinDot(DotOp op);
  void emitColumns(DotOp op, const DotShape &shape, mlir::Value batch,
                   mlir::Value column, llvm::ArrayRef<int64_t> widths,
                   mlir::TypedAttr start);
  void emitMicroKernel(DotOp op, const DotShape &shape, mlir::Value batch,
                       mlir::Value row, mlir::Value column, int64_t rows,
                       llvm::ArrayRef<int64_t> widths, mlir::TypedAttr start);
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value x, mlir::Value sum);
  mlir::Value widen(mlir::Value vector, mlir::Type element);

  mlir::ImplicitLocOpBuilder &b;
  const Plan &plan;
  const VectorTarget &target;
  /// Where constants are.
  mlir::Block *entry;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  mlir::IRMapping mapping;
  llvm::DenseSet<mlir::Value> emitted;
  /// The op that is being emitted, and the first two that read a load.
  mlir::Operation *walk = nullptr;
  struct Walks {
    mlir::Operation *first, *second;
  };
  llvm::DenseMap<mlir::Operation *, Walks> walks;
};

} // namespace fuse::tile

#endif // FUSE_LIB_CONVERSION_TILETOVECTOR_EMITTER_H
