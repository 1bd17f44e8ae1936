//===- ScaleSums.cpp - a factor of all terms scales their sum -------------===//
//
//   t = f * y                         s = sum_k y * w
//   s = sum_k t * w            ->     r = f * s
//
// Where f does not vary within the window of k. There are fewer sums than
// terms, and y may be read as it lies in memory, where t would have to be made
// by threads and put down for the others, round by round. Where k is several
// variables, and f varies with some of them alone and y with others alone,
//
//   t = f * y                         s = sum_k y * w
//   s = sum_jk t * w           ->     r = sum_j f * s
//
// Tensor cores add to sums that they keep. For these a sum of its own in each
// round would be dearer than t is, unless it has enough columns only so: those
// of w and those of j.
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
  SumScaler(KernelNest &kernel, ElementContext &context)
      : kernel(kernel), context(context) {}

  void run();

private:
  void visit(Statements &statements);
  bool scale(Statements &statements, size_t productPlace, size_t side);
  TileId addTile(Type type, const VarSet &axes);
  SmallVector<Statement, 2> takeOut(Statement &product, size_t side,
                                    const Statement &made, size_t leaving,
                                    const VarSet &axes, const VarSet &outside);
  VarSet summedIn(TileId tile, const Element *product) const;
  bool isLess(const VarSet &sum, const VarSet &factor) const;

  KernelNest &kernel;
  ElementContext &context;
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

static bool isProduct(const Element *element) {
  return isOp<arith::MulFOp, arith::DivFOp>(element);
}

bool nest::mayScaleSum(const Element *reduction) {
  return isPlainProduct(reduction) &&
         llvm::any_of(reduction->operands(), isProduct);
}

/// Whether there is at most half as much of a sum as of a factor.
bool SumScaler::isLess(const VarSet &sum, const VarSet &factor) const {
  auto volumeOf = [&](const VarSet &axes) {
    double volume = 1;
    for (const IndexVar &var : axes)
      volume *= static_cast<double>(windows.sizeOf(var));
    return volume;
  };
  return 2 * volumeOf(sum) <= volumeOf(factor);
}

/// The variables of a product's sum with which a tile varies in a window.
VarSet SumScaler::summedIn(TileId tile, const Element *product) const {
  VarSet vars;
  for (const IndexVar &var : kernel.tiles[tile].axes)
    if (windows.sizeOf(var) > 1 &&
        llvm::is_contained(product->boundVars(), var))
      vars.push_back(var);
  return vars;
}

/// What makes a tile of two others by a product, in front of a statement.
static Statement *findProduct(MutableArrayRef<Statement> before, TileId tile) {
  auto *made = llvm::find_if(before, [&](const Statement &statement) {
    return statement.kind == Statement::Kind::Compute &&
           statement.result == tile;
  });
  if (made == before.end() || made->operands.size() != 2 ||
      !isProduct(made->element))
    return nullptr;
  return made;
}

TileId SumScaler::addTile(Type type, const VarSet &axes) {
  TileId tile = kernel.tiles.size();
  kernel.tiles.push_back({type, axes});
  uses[tile] = 1;
  return tile;
}

/// Makes `product` sum up what `made` multiplies with the scale, which is its
/// operand `leaving`, in a tile with `axes`. What follows then multiplies the
/// sum with the scale, and sums up over `outside`, if that has axes.
SmallVector<Statement, 2> SumScaler::takeOut(Statement &product, size_t side,
                                             const Statement &made,
                                             size_t leaving, const VarSet &axes,
                                             const VarSet &outside) {
  const Element *element = product.element;
  TileId sum = product.result;
  Statement scaled;
  scaled.kind = Statement::Kind::Compute;
  scaled.element = made.element;
  scaled.operands = made.operands;
  scaled.result = sum;
  product.operands[side] = made.operands[1 - leaving];
  product.result = scaled.operands[1 - leaving] =
      addTile(kernel.tiles[sum].type, axes);
  SmallVector<Statement, 2> behind;
  if (outside.empty()) {
    behind.push_back(std::move(scaled));
    return behind;
  }
  // The product is another one, of fewer terms.
  SmallVector<const Element *, 2> factors(element->operands());
  factors[side] = made.element->operands()[1 - leaving];
  VarSet rest(element->boundVars());
  llvm::erase_if(rest, [&](const IndexVar &var) {
    return llvm::is_contained(outside, var);
  });
  product.element = context.dot(rest, factors[0], factors[1], element->type(),
                                element->precision());
  SmallVector<const Element *, 2> both(made.element->operands());
  both[1 - leaving] = product.element;
  scaled.element = context.withOperands(made.element, both);
  scaled.result = addTile(kernel.tiles[sum].type, axes);
  Statement reduced;
  reduced.kind = Statement::Kind::Reduce;
  reduced.element = context.reduce(CombineKind::Sum, outside, scaled.element);
  reduced.operands = {scaled.result};
  reduced.result = sum;
  behind.push_back(std::move(scaled));
  behind.push_back(std::move(reduced));
  return behind;
}

/// Lets one operand of the product that makes a factor wait for the sum, if
/// that is less; the statement that made the factor is gone then.
bool SumScaler::scale(Statements &statements, size_t productPlace,
                      size_t side) {
  Statement &product = statements[productPlace];
  TileId factor = product.operands[side], sum = product.result;
  if (uses.lookup(factor) != 1 ||
      kernel.tiles[factor].type != kernel.tiles[sum].type)
    return false;
  Statement *made =
      findProduct(MutableArrayRef(statements).take_front(productPlace), factor);
  if (!made)
    return false;
  // What is divided stays inside, and what divides may leave.
  for (size_t leaving : {1, 0}) {
    if (leaving == 0 && isOp<arith::DivFOp>(made->element))
      continue;
    VarSet outside = summedIn(made->operands[leaving], product.element),
           inside = summedIn(made->operands[1 - leaving], product.element);
    VarSet axes = kernel.tiles[sum].axes;
    llvm::append_range(axes, outside);
    llvm::sort(axes);
    bool isShared = llvm::any_of(outside, [&](const IndexVar &var) {
      return llvm::is_contained(inside, var);
    });
    if (isShared || (!outside.empty() && inside.empty()) ||
        !isLess(axes, kernel.tiles[factor].axes))
      continue;
    SmallVector<Statement, 2> behind =
        takeOut(product, side, *made, leaving, axes, outside);
    size_t madePlace = made - statements.data();
    statements.insert(statements.begin() + productPlace + 1,
                      std::make_move_iterator(behind.begin()),
                      std::make_move_iterator(behind.end()));
    statements.erase(statements.begin() + madePlace);
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

void nest::scaleSums(KernelNest &kernel, ElementContext &context) {
  SumScaler(kernel, context).run();
}
