//===- ScaleSums.cpp - a factor of all terms scales their sum -------------===//
//
//   t = f * y                         s = sum_k y * w
//   s = sum_k t * w            ->     r = f * s
//
// Where f does not vary within the window of k. There are fewer sums than
// terms, and y may be read as it lies in memory, where t would have to be made
// by threads and put down for the others, round by round.
//
// Tensor cores add to sums that they keep. For these a sum of its own in each
// round would be dearer than t is.
//
//===----------------------------------------------------------------------===//

#include "ScaleSums.h"
#include "NestUses.h"
#include "fuse/Analysis/Algebra.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;

namespace {

using Statements = std::vector<Statement>;

class SumScaler {
public:
  explicit SumScaler(KernelNest &kernel) : kernel(kernel) {}

  void run();

private:
  void visit(Statements &statements);
  bool scale(Statements &statements, size_t productPlace, size_t side);
  bool isLess(TileId sum, TileId factor) const;

  KernelNest &kernel;
  TileSizes windows;
  nest::UseCounts uses;
};

} // namespace

/// Whether a product of f32 has too few columns for four warps to multiply it
/// by parts, and a right factor that they cannot read along k either.
static bool isNarrow(const Element *dot) {
  constexpr int64_t fewest = 64;
  const Element *left = dot->operands()[0], *right = dot->operands()[1];
  ArrayRef<IndexVar> bound = dot->boundVars();
  if (right->kind() != ElementKind::Load || right->liesAlong(bound))
    return false;
  int64_t columns = 1;
  for (const Index &index : right->indices())
    for (const auto &[var, factor] : index.affine.terms)
      if (!llvm::is_contained(bound, var) && !left->variesWith(var)) {
        if (!var.size.isNumber())
          return false;
        columns *= var.size.getNumber();
      }
  return columns < fewest;
}

/// Whether number by number is how it is multiplied.
static bool isPlainProduct(const Element *element) {
  if (element->kind() != ElementKind::Dot)
    return false;
  Type type = element->operands()[0]->type();
  return type.isF64() ||
         (type.isF32() &&
          (element->precision() == Precision::Ieee ||
           (element->precision() == Precision::Tf32x3 && isNarrow(element))));
}

bool nest::mayScaleSum(const Element *reduction) {
  return isPlainProduct(reduction) &&
         llvm::any_of(reduction->operands(), [](const Element *operand) {
           return isOp<arith::MulFOp, arith::DivFOp>(operand);
         });
}

/// Whether there is at most half as much of `sum` as of `factor`.
bool SumScaler::isLess(TileId sum, TileId factor) const {
  auto volumeOf = [&](TileId tile) {
    double volume = 1;
    for (const IndexVar &var : kernel.tiles[tile].axes)
      volume *= static_cast<double>(windows.sizeOf(var));
    return volume;
  };
  return 2 * volumeOf(sum) <= volumeOf(factor);
}

bool SumScaler::scale(Statements &statements, size_t productPlace,
                      size_t side) {
  Statement &product = statements[productPlace];
  TileId factor = product.operands[side], sum = product.result;
  if (uses.lookup(factor) != 1 ||
      kernel.tiles[factor].type != kernel.tiles[sum].type ||
      !isLess(sum, factor))
    return false;
  auto before = MutableArrayRef(statements).take_front(productPlace);
  auto *made = llvm::find_if(before, [&](const Statement &statement) {
    return statement.kind == Statement::Kind::Compute &&
           statement.result == factor;
  });
  if (made == before.end() || made->operands.size() != 2 ||
      !isOp<arith::MulFOp, arith::DivFOp>(made->element))
    return false;
  auto varies = [&](TileId tile) {
    return llvm::any_of(kernel.tiles[tile].axes, [&](const IndexVar &var) {
      return windows.sizeOf(var) > 1 &&
             llvm::is_contained(product.element->boundVars(), var);
    });
  };
  // What is divided stays inside, and what divides may leave.
  for (size_t leaving : {1, 0}) {
    TileId scale = made->operands[leaving], term = made->operands[1 - leaving];
    if (varies(scale) || (leaving == 0 && isOp<arith::DivFOp>(made->element)))
      continue;
    Statement scaled;
    scaled.kind = Statement::Kind::Compute;
    scaled.element = made->element;
    scaled.result = sum;
    product.operands[side] = term;
    product.result = kernel.tiles.size();
    kernel.tiles.push_back(kernel.tiles[sum]);
    scaled.operands = made->operands;
    scaled.operands[1 - leaving] = product.result;
    uses[product.result] = 1;
    statements.insert(statements.begin() + productPlace + 1, std::move(scaled));
    statements.erase(statements.begin() + (made - before.begin()));
    return true;
  }
  return false;
}

void SumScaler::visit(Statements &statements) {
  for (size_t place = 0; place < statements.size(); ++place) {
    if (statements[place].kind == Statement::Kind::Loop)
      visit(statements[place].loop->body);
    else if (statements[place].kind == Statement::Kind::Reduce &&
             isPlainProduct(statements[place].element))
      // One statement is gone before the product and one is there behind it.
      while (scale(statements, place, 0) || scale(statements, place, 1))
        --place;
  }
}

void SumScaler::run() {
  for (Nest &nest : kernel.nests) {
    windows = kernel.sizesOf(nest);
    uses = nest::countUses(nest.body);
    visit(nest.body);
  }
}

void nest::scaleSums(KernelNest &kernel) { SumScaler(kernel).run(); }
