//===- Element.h - one element of a graph, as an expression -----*- C++ -*-===//
//
// An element expression says what a tensor holds at one index: loads from the
// tensors that a kernel reads, constants, the index itself, pointwise ops, and
// reductions that bind variables of their own. Slices, transpositions, reshapes
// and broadcasts are gone: they only say at which index something is read.
//
// Expressions are unique: equal ones are one object. Reductions bind variables
// by *canonical* names, a size and a level, the level being the least that is
// not in use around the reduction. So two reductions over "the same" dimension
// bind the same variable, alpha-equivalent bodies are one object, and sharing
// operands, common subexpressions and loops is one look-up. For example, with
// x : [M, K], w : [K, 2N], an element [m, n] of each half of x @ w is
//
//     dot_k0(load x[m, k0], load w[k0, n])
//     dot_k0(load x[m, k0], load w[k0, n + N])
//
// and `load x[m, k0]` is one object.
//
// What this is not: variables are shadowed. A reduction may bind a variable of
// the name of one that is bound somewhere inside it. Whoever follows a
// variable into a body has to stop where it is bound again.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_ELEMENT_H
#define FUSE_ANALYSIS_ELEMENT_H

#include "fuse/Analysis/Sizes.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"

namespace fuse {

/// A variable that runs from 0 to its size. Those of an output are at level
/// `kOutput` and named by their place; those that reductions bind are named by
/// their size and a level. Where what is read changes along one of those, each
/// part of its range may have a variable of its own, from `kFirstPart` on.
struct IndexVar {
  static constexpr int32_t kOutput = -1;
  static constexpr int32_t kFirstPart = 1 << 16;

  Size size = Size::number(0);
  int32_t level = 0;
  /// For outputs: which variable of the output's index it is.
  int32_t place = 0;

  bool isOfPart() const { return level >= kFirstPart; }

  friend bool operator==(const IndexVar &a, const IndexVar &b) {
    return a.size == b.size && a.level == b.level && a.place == b.place;
  }
  friend bool operator!=(const IndexVar &a, const IndexVar &b) {
    return !(a == b);
  }
  friend bool operator<(const IndexVar &a, const IndexVar &b) {
    return std::tuple(a.level, a.place, a.size) <
           std::tuple(b.level, b.place, b.size);
  }
  friend llvm::hash_code hash_value(const IndexVar &var) {
    return llvm::hash_combine(var.size, var.level, var.place);
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const IndexVar &var);

/// A sorted set of variables; there are never many.
using VarSet = llvm::SmallVector<IndexVar, 4>;

/// constant + sum of coefficient * variable, in the order of the variables and
/// without coefficients of 0.
struct AffineIndex {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<IndexVar, int64_t>, 2> terms;

  static AffineIndex of(IndexVar var, int64_t coefficient = 1);

  AffineIndex operator+(const AffineIndex &other) const;
  AffineIndex operator*(int64_t factor) const;

  /// *this = inner * first + second, with 0 <= second < inner, if that can be
  /// seen without a division: how a collapsed dimension is taken apart.
  std::optional<std::pair<AffineIndex, AffineIndex>> split(int64_t inner) const;

  friend bool operator==(const AffineIndex &a, const AffineIndex &b) {
    return a.constant == b.constant && a.terms == b.terms;
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const AffineIndex &index);

class Element;

/// Where something is read: affine in the variables, or computed from data.
struct Index {
  AffineIndex affine;
  const Element *computed = nullptr;

  Index(AffineIndex affine) : affine(std::move(affine)) {}
  Index(const Element *computed) : computed(computed) {}

  friend bool operator==(const Index &a, const Index &b) {
    return a.computed == b.computed && a.affine == b.affine;
  }
};

/// What an element expression is made of.
enum class ElementKind : uint8_t {
  Load,      ///< A tensor at an index; 0 where the index is out of bounds.
  Constant,  ///< A number.
  Position,  ///< An affine index as a number.
  Extent,    ///< A size as a number: for sizes that are symbols.
  Slot,      ///< A value that is known by other means than an expression.
  Pointwise, ///< An op of arith or math on scalars.
  Reduce,    ///< A reduction of the one operand over variables that it binds.
  Dot,       ///< The sum of the two operands' product, over such variables.
};

class Element;

} // namespace fuse

/// Expressions remember their hash: a search makes so many that comparing and
/// moving them would otherwise take a tenth of its time.
template <>
struct llvm::FoldingSetTrait<fuse::Element>
    : DefaultFoldingSetTrait<fuse::Element> {
  static bool Equals(const fuse::Element &element, const FoldingSetNodeID &id,
                     unsigned hash, FoldingSetNodeID &scratch);
  static unsigned ComputeHash(const fuse::Element &element, FoldingSetNodeID &);
};

namespace fuse {

class Element : public llvm::FoldingSetNode {
public:
  ElementKind kind() const { return elementKind; }
  mlir::Type type() const { return elementType; }
  llvm::ArrayRef<const Element *> operands() const { return args; }
  /// Counts up in the order in which expressions were made.
  unsigned id() const { return number; }

  /// The variables that the element varies with.
  llvm::ArrayRef<IndexVar> freeVars() const { return free; }
  bool variesWith(const IndexVar &var) const {
    return llvm::is_contained(free, var);
  }
  /// Whether it is read from memory so that its neighbours there are those of
  /// one of `vars`.
  bool liesAlong(llvm::ArrayRef<IndexVar> vars) const;
  /// Every reduction and dot in it, itself included, however deep.
  llvm::ArrayRef<const Element *> reductions() const { return inside; }

  bool isReduction() const {
    return elementKind == ElementKind::Reduce ||
           elementKind == ElementKind::Dot;
  }

  /// Load: the tensor, and where it is read. Computed indices are operands.
  mlir::Value tensor() const { return source; }
  llvm::ArrayRef<Index> indices() const { return where; }
  /// Constant: the number.
  mlir::TypedAttr constant() const { return attribute; }
  /// Position: what it is the number of.
  const AffineIndex &position() const { return where.front().affine; }
  /// Extent: the size that it is the number of.
  Size extent() const { return size; }
  /// Slot: what tells it from other slots.
  unsigned slotNumber() const { return slot; }
  /// Pointwise: the op and its attributes, without those that say nothing.
  mlir::OperationName pointwise() const { return *opName; }
  mlir::DictionaryAttr pointwiseAttributes() const { return opAttributes; }
  /// Reduce and Dot: the variables that it binds.
  llvm::ArrayRef<IndexVar> boundVars() const { return bound; }
  /// Reduce: how it combines.
  CombineKind combine() const { return combineKind; }
  /// Dot: how exactly it multiplies.
  Precision precision() const { return productPrecision; }

  void Profile(llvm::FoldingSetNodeID &id) const;
  void print(llvm::raw_ostream &os) const;

private:
  friend class ElementContext;
  friend struct llvm::FoldingSetTrait<Element>;

  unsigned hash = 0;
  ElementKind elementKind = ElementKind::Constant;
  mlir::Type elementType;
  unsigned number = 0;
  llvm::SmallVector<const Element *, 2> args;
  VarSet free, bound;
  llvm::SmallVector<const Element *, 2> inside;
  mlir::Value source;
  llvm::SmallVector<Index, 2> where;
  mlir::TypedAttr attribute;
  Size size = Size::number(0);
  unsigned slot = 0;
  std::optional<mlir::OperationName> opName;
  mlir::DictionaryAttr opAttributes;
  CombineKind combineKind = CombineKind::Sum;
  Precision productPrecision = Precision::Ieee;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const Element &element) {
  element.print(os);
  return os;
}

/// Makes expressions, owns them, and makes each only once.
class ElementContext {
public:
  explicit ElementContext(mlir::MLIRContext *context) : context(context) {}

  const Element *load(mlir::Value tensor, llvm::ArrayRef<Index> indices);
  const Element *constant(mlir::TypedAttr value);
  const Element *position(const AffineIndex &index, mlir::Type type);
  const Element *extent(Size size, mlir::Type type);
  /// A new placeholder for a value that varies with `vars`: the state of a
  /// loop, which whoever writes the loop puts in its place.
  const Element *slot(mlir::Type type, llvm::ArrayRef<IndexVar> vars);
  /// An op on scalars, of which `type` is the result's.
  const Element *pointwise(mlir::OperationName name,
                           mlir::DictionaryAttr attributes, mlir::Type type,
                           llvm::ArrayRef<const Element *> operands);
  template <typename OpTy>
  const Element *pointwise(mlir::Type type,
                           llvm::ArrayRef<const Element *> operands,
                           mlir::DictionaryAttr attributes = {}) {
    return pointwise(mlir::OperationName(OpTy::getOperationName(), context),
                     attributes, type, operands);
  }
  const Element *reduce(CombineKind kind, llvm::ArrayRef<IndexVar> vars,
                        const Element *body);
  const Element *dot(llvm::ArrayRef<IndexVar> vars, const Element *lhs,
                     const Element *rhs, mlir::Type type, Precision precision);
  /// `element` made of other operands; of a load these are computed indices.
  const Element *withOperands(const Element *element,
                              llvm::ArrayRef<const Element *> operands);

  mlir::MLIRContext *getContext() const { return context; }

private:
  const Element *unique(Element &&element);

  mlir::MLIRContext *context;
  llvm::FoldingSet<Element> elements;
  std::vector<std::unique_ptr<Element>> owned;
  unsigned numSlots = 0;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_ELEMENT_H
