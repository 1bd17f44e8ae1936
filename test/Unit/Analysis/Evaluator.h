//===- Evaluator.h - what an element is on data -----------------*- C++ -*-===//
//
// Computes element expressions in double on random tensors, op by op and
// without any of the code under test. Casts between floats are dropped, so that
// what is left of an error is an error of the algebra.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TEST_UNIT_ANALYSIS_EVALUATOR_H
#define FUSE_TEST_UNIT_ANALYSIS_EVALUATOR_H

#include "fuse/Analysis/Algebra.h"
#include <map>
#include <random>

class Evaluator {
public:
  using Point = std::map<fuse::IndexVar, int64_t>;

  explicit Evaluator(unsigned seed) : random(seed) {}

  /// Where tensors have not been set, they are random numbers around 0.3.
  void set(mlir::Value tensor, std::vector<double> numbers) {
    data[tensor] = std::move(numbers);
  }

  double evaluate(const fuse::Element *element, const Point &at);
  /// A reduction over some of the values of its variables.
  double reduceOver(const fuse::Element *reduction, const fuse::Element *body,
                    llvm::ArrayRef<Point> points, double start,
                    const Point &at);
  /// All values of these variables.
  static std::vector<Point> pointsOf(llvm::ArrayRef<fuse::IndexVar> vars);
  static double combine(fuse::CombineKind kind, double a, double b);
  static double identityOf(fuse::CombineKind kind);

  /// Values that are given: of slots, and of reductions.
  llvm::DenseMap<const fuse::Element *, double> known;

private:
  double load(const fuse::Element *element, const Point &at);
  double applyOp(const fuse::Element *element, llvm::ArrayRef<double> x);

  std::mt19937 random;
  llvm::DenseMap<mlir::Value, std::vector<double>> data;
};

#endif // FUSE_TEST_UNIT_ANALYSIS_EVALUATOR_H
