//===- GraphWriter.h - a graph in the making --------------------*- C++ -*-===//
//
// Holds the values that there are and what is known of each: how large it is,
// and whether all roads agree on its bits. Every way to add an op asks what is
// known, and gives nothing where the op would make a graph that cannot be
// judged.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_FUZZ_GRAPHWRITER_H
#define FUSE_TOOLS_FUSE_FUZZ_GRAPHWRITER_H

#include "Generator.h"
#include "Random.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fuse {

using Shape = llvm::SmallVector<int64_t>;

/// What is known of a value.
struct Facts {
  /// No element's absolute value is above this, infinities apart.
  double bound = 1;
  /// No element is less than this, if it is above 0: what can be divided by.
  double least = 0;
  /// Whether nothing on the way to it rounds, so that a comparison with it has
  /// one right result.
  bool isPure = true;
  /// Whether elements may be infinite.
  bool hasInfinity = false;
};

class GraphWriter {
public:
  GraphWriter(FuzzGraph &graph, mlir::MLIRContext &context, Random &random);

  /// Adds one op, or a few that belong together, if what was drawn fits.
  bool addPointwise();
  bool addMove();
  bool addReduction();
  bool addProduct();
  bool addMaskedValue();
  bool addComposition();

  /// Ends the function with some of the values as its results.
  void finish();

  unsigned numOps() const { return entry.getOperations().size(); }

private:
  using Value = mlir::Value;
  using Type = mlir::Type;

  // What GraphWriter.cpp knows: values, their types and their facts.
  static mlir::RankedTensorType typeOf(Value value);
  static Type elementOf(Value value);
  static llvm::ArrayRef<int64_t> shapeOf(Value value);
  static int64_t rankOf(Value value) { return shapeOf(value).size(); }
  static bool isFloatTensor(Value value);
  static bool isIntTensor(Value value);
  static bool isBoolTensor(Value value);
  static bool isSmall(llvm::ArrayRef<int64_t> shape);
  /// The largest number up to which `type` holds every whole number, or up to
  /// which values are let grow where they round.
  double limitOf(Type type) const;
  const Facts &factsOf(Value value) const { return facts.at(value); }
  /// Enters a value, unless it is larger than can be judged.
  Value keep(Value value, const Facts &known);
  /// As `keep`, for what rounds in a float graph.
  Value keepRounded(Value value, Facts known);

  Type drawFloat();
  int64_t drawSize();
  Shape drawShape(unsigned minRank, unsigned maxRank);
  /// A value that there is and that `suits`, recent ones first.
  Value pickValue(llvm::function_ref<bool(Value)> suits);
  /// A value of a type, which may be a new argument.
  Value valueOf(Type element, llvm::ArrayRef<int64_t> shape);
  Value newArgument(Type element, llvm::ArrayRef<int64_t> shape);
  Value newArgument(Type element, llvm::ArrayRef<int64_t> shape, FillKind kind,
                    double low, double high);
  Value constant(Type element, llvm::ArrayRef<int64_t> shape, double number);
  /// A float tensor, made if there is none.
  Value anyFloat(unsigned minRank = 0);

  // Pointwise.cpp
  bool addFloatUnary(Value x);
  /// The function of this number.
  bool addPlainUnary(unsigned number, Value x);
  bool addCurvedUnary(unsigned number, Value x);
  bool addRoot(Value x);
  bool addFloatBinary(Value x, Value y);
  bool addIntBinary(Value x, Value y);
  bool addBoolOp(Value x);
  bool addCast(Value x);
  bool addComparison(Value x, Value y);
  Value castTo(Value x, Type element);
  Value add(Value x, Value y);
  Value subtract(Value x, Value y);
  Value multiply(Value x, Value y);
  Value positive(Value x);
  Value divideBySum(Value x, Value y);
  Value exponential(Value x);

  // Moves.cpp
  Value broadcast(Value x, llvm::ArrayRef<int64_t> dims,
                  llvm::ArrayRef<int64_t> shape);
  /// Repeats what a reduction over `dims` of `like` left.
  Value broadcastBack(Value x, llvm::ArrayRef<int64_t> dims, Value like);
  Value iota(Type element, llvm::ArrayRef<int64_t> shape, int64_t dim);
  Value transpose(Value x, llvm::ArrayRef<int64_t> permutation);
  Value swapLast(Value x);
  bool addBroadcast(Value x);
  bool addSlice(Value x);
  bool addReshape(Value x);
  bool addConcat(Value x);
  bool addGather(Value x);

  // Contractions.cpp
  Value reduce(CombineKind kind, Value x, llvm::ArrayRef<int64_t> dims);
  Value product(Value x, Value y, Type result);
  Value weightFor(Value x, int64_t columns, bool isBatched);

  // Compositions.cpp
  Value mask(llvm::ArrayRef<int64_t> shape, bool keepsDiagonal);
  Value normalise(Value x);
  Value activate(Value x);
  bool addAttention();
  bool addNormLinear();
  bool addPerceptron();
  bool addSoftmaxByHand();
  bool addVariance();
  bool addExactCascade();

  Random &random;
  FuzzGraph &graph;
  mlir::ImplicitLocOpBuilder builder;
  mlir::func::FuncOp function;
  mlir::Block &entry;
  llvm::SmallVector<Value> values;
  llvm::DenseMap<Value, Facts> facts;
  /// Few sizes in one graph, so that they are often the same.
  llvm::SmallVector<int64_t> sizes;
  Type mainFloat;
  bool isDynamic = false;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_FUZZ_GRAPHWRITER_H
