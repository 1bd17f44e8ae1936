//===- Algebra.h - arithmetic on element expressions ------------*- C++ -*-===//
//
// Builds typed element expressions, and simplifies what is simple: a sum with
// 0, a product with 1, numbers with numbers. What derives kernels writes
// formulas with it and never meets an op's name or a cast that it forgot.
//
// Floats of different widths meet in the wider one, so a formula is computed
// at least as exactly as the most exact of its parts. A null factor is 1; it
// has no type, and so fits everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_ALGEBRA_H
#define FUSE_ANALYSIS_ALGEBRA_H

#include "fuse/Analysis/Element.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuse {

/// Whether `element` is one of these ops on scalars.
template <typename... OpTys> bool isOp(const Element *element) {
  if (element->kind() != ElementKind::Pointwise)
    return false;
  mlir::TypeID id = element->pointwise().getTypeID();
  return ((id == mlir::TypeID::get<OpTys>()) || ...);
}

/// Whether `element` is a float that another float is rounded or widened to.
bool isFloatCast(const Element *element);
/// Whether it may round.
bool isNarrowingCast(const Element *element);

/// How a reduction combines; a dot is a sum.
CombineKind combineOf(const Element *reduction);
/// What a reduction over no elements gives.
mlir::TypedAttr identityOf(CombineKind kind, mlir::Type type);

/// Whether `attribute` is this number, as an integer or as a float.
bool isNumber(mlir::TypedAttr attribute, double value);
bool isNumber(const Element *element, double value);

/// Whether any of `among` stands in `element`, however deep.
bool containsAny(const Element *element, llvm::ArrayRef<const Element *> among);
/// Whether `part` stands in `element`, not counting where a variable of `part`
/// is bound anew: there it is another value.
bool contains(const Element *element, const Element *part);
bool variesWithAny(const Element *element, llvm::ArrayRef<IndexVar> vars);

class Algebra {
public:
  explicit Algebra(ElementContext &context) : context(context) {}

  ElementContext &getContext() const { return context; }

  const Element *number(mlir::Type type, double value) const;
  const Element *zero(mlir::Type type) const { return number(type, 0); }
  const Element *one(mlir::Type type) const { return number(type, 1); }
  /// How many elements `vars` run over.
  const Element *sizeOf(llvm::ArrayRef<IndexVar> vars, mlir::Type type) const;
  /// The variable itself, as an i64.
  const Element *position(const IndexVar &var) const;

  const Element *add(const Element *a, const Element *b) const;
  const Element *sub(const Element *a, const Element *b) const;
  const Element *mul(const Element *a, const Element *b) const;
  /// Of floats.
  const Element *div(const Element *a, const Element *b) const;
  const Element *neg(const Element *a) const;
  const Element *exp(const Element *a) const;
  const Element *max(const Element *a, const Element *b) const;
  const Element *min(const Element *a, const Element *b) const;
  const Element *select(const Element *condition, const Element *a,
                        const Element *b) const;
  const Element *logicalAnd(const Element *a, const Element *b) const;
  /// The integer `predicate` also says how floats are compared (ordered).
  const Element *compare(mlir::arith::CmpIPredicate predicate, const Element *a,
                         const Element *b) const;
  /// The condition that holds where `condition` does not.
  const Element *logicalNot(const Element *condition) const;
  /// `a` in another type, with the cast that `arith` has for it. Integers are
  /// signed, but for i1.
  const Element *convert(const Element *a, mlir::Type type) const;

  /// A sum like `like`, over other bodies: two for a dot. What does not vary
  /// with the bound variables leaves: sum_j c = n c.
  const Element *makeSum(const Element *like,
                         llvm::ArrayRef<const Element *> bodies) const;
  /// As makeSum, but its value *inside* the loop is wanted: sum_j c is c times
  /// the number of elements seen.
  const Element *makeRunningSum(const Element *like,
                                llvm::ArrayRef<const Element *> bodies) const;
  /// The number of elements seen, a sum like any other. So ragged blocks,
  /// skipped ones and merges need no special case.
  const Element *countOf(llvm::ArrayRef<IndexVar> vars,
                         mlir::Type floatType) const;
  /// The two sides of a dot as a product, or the body of a reduction.
  const Element *bodyOf(const Element *reduction) const;

  /// Called on elements from the outside in: what to put there, or null.
  using Replace = llvm::function_ref<const Element *(const Element *)>;
  /// Replaces elements, in bodies of reductions too, but not where a variable
  /// that the element varies with is bound anew.
  const Element *rebuild(const Element *element, Replace replace) const;
  /// Replaces what `table` has. Reductions are atoms: their bodies are not
  /// entered.
  const Element *substitute(
      const Element *element,
      const llvm::DenseMap<const Element *, const Element *> &table) const;

private:
  /// Both in the wider of their types.
  std::pair<const Element *, const Element *> meet(const Element *a,
                                                   const Element *b) const;
  /// One over which a sum needs no loop, or null.
  const Element *takeOut(const Element *like,
                         llvm::ArrayRef<const Element *> bodies,
                         const Element *count) const;

  ElementContext &context;
};

} // namespace fuse

#endif // FUSE_ANALYSIS_ALGEBRA_H
