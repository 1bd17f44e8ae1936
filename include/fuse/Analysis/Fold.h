//===- Fold.h - what an expression is under an assumption -------*- C++ -*-===//
//
// Partial evaluation to a number. Assume that a load is out of bounds, or that
// a predicate is false: if the body of a reduction is then its identity, a
// block of such elements need not be run.
//
// So a causal mask becomes the end of a loop without anyone knowing masks:
// select gives -inf, exp of it is 0, and 0 times the value is 0.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_ANALYSIS_FOLD_H
#define FUSE_ANALYSIS_FOLD_H

#include "fuse/Analysis/Element.h"

namespace fuse {

/// What is assumed of an element: a number of its type, or null.
using Assumption = llvm::function_ref<mlir::TypedAttr(const Element *)>;

/// The number that `element` is if the assumption holds, or null. Casts round.
/// A reduction that binds one of `vars`, which the assumption is about, is
/// unknown: inside it the variable is another one.
///
/// Unknown operands are taken to be finite: 0 * unknown is 0. This is the one
/// place where NaN and Inf do not travel. Behind the end of `vars` only those
/// are that do not vary with these: others are made of what is read there, and
/// a quotient by that is NaN. There a factor that may be infinite does not
/// leave a 0 either: it is that of a whole row. But where `element` is a factor
/// of a product the factors that it is itself a product of may scale the sum,
/// and are taken to be finite. So are other factors of what it is made of, and
/// those of a dot: `trusted` gets the products that are 0 only then.
enum class FoldPlace { Data, BehindEnd, FactorBehindEnd };
mlir::TypedAttr fold(const Element *element, Assumption known,
                     llvm::ArrayRef<IndexVar> vars,
                     FoldPlace place = FoldPlace::Data,
                     llvm::SmallVectorImpl<const Element *> *trusted = nullptr);

/// The op of `element` on numbers, all of them known, or null if it is one
/// that cannot be computed here.
mlir::TypedAttr evaluate(const Element *element,
                         llvm::ArrayRef<mlir::TypedAttr> operands);

/// Whether `number` changes nothing when it is combined with others.
bool isIdentity(CombineKind kind, mlir::TypedAttr number);

/// A number of this type, rounded to it; f8E4M3FN saturates.
mlir::TypedAttr makeNumber(mlir::Type type, double value);

} // namespace fuse

#endif // FUSE_ANALYSIS_FOLD_H
