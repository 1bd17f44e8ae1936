//===- BeginSums.cpp - a sum begins with what is added to it --------------===//
//
//   s = for ... carrying c = 0: c + a . b        t = ... p . q ...
//   t = ... p . q ...                      ->    r = for ... carrying c = t:
//   r = s + t                                          c + a . b
//
// A sum of products takes as many registers as a block has for it. What another
// product adds to it takes as many again where both are there at a time.
//
//===----------------------------------------------------------------------===//

#include "BeginSums.h"
#include "NestUses.h"
#include "fuse/Analysis/Algebra.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;

namespace {

using Statements = std::vector<Statement>;

class SumBeginner {
public:
  explicit SumBeginner(KernelNest &kernel) : kernel(kernel) {}

  void run();

private:
  void visit(Statements &statements);
  bool begin(Statements &statements, size_t sumPlace);
  bool beginAt(Statements &statements, size_t sumPlace, TileId sum,
               TileId added);
  CarriedTile *plainSumOf(NestLoop &loop, TileId result) const;

  KernelNest &kernel;
  nest::UseCounts uses;
};

bool isSum(const Statement &statement) {
  return statement.kind == Statement::Kind::Compute &&
         statement.operands.size() == 2 &&
         isOp<arith::AddFOp, arith::AddIOp>(statement.element);
}

bool isProduct(const Statement &statement) {
  return statement.kind == Statement::Kind::Reduce &&
         statement.element->kind() == ElementKind::Dot;
}

/// What a statement makes, and what it needs, those in its loop included.
void collect(const Statement &statement, llvm::DenseSet<TileId> &made,
             llvm::DenseSet<TileId> &needed, bool &multiplies) {
  needed.insert(statement.operands.begin(), statement.operands.end());
  multiplies |= isProduct(statement);
  if (statement.kind != Statement::Kind::Loop) {
    made.insert(statement.result);
    return;
  }
  for (const NestBound &bound : statement.loop->bounds)
    if (bound.computed)
      needed.insert(*bound.computed);
  for (const CarriedTile &tile : statement.loop->carried) {
    made.insert(tile.result);
    if (tile.from)
      needed.insert(*tile.from);
  }
  for (const Statement &inner : statement.loop->body)
    collect(inner, made, needed, multiplies);
}

/// Whether it does nothing but make tiles of what was there before the kernel.
bool isPure(const Statement &statement) {
  switch (statement.kind) {
  case Statement::Kind::Compute:
  case Statement::Kind::Mask:
  case Statement::Kind::Reduce:
    return true;
  case Statement::Kind::Store:
  case Statement::Kind::StorePart:
  case Statement::Kind::LoadPart:
    return false;
  case Statement::Kind::Loop:
    return llvm::all_of(statement.loop->body, isPure);
  }
  llvm_unreachable("unknown kind of statement");
}

} // namespace

/// What the loop carries for a sum that it only adds products to.
CarriedTile *SumBeginner::plainSumOf(NestLoop &loop, TileId result) const {
  CarriedTile *sum = llvm::find_if(loop.carried, [&](const CarriedTile &tile) {
    return tile.result == result;
  });
  if (sum == loop.carried.end() || sum->from || uses.lookup(sum->inside) != 1 ||
      uses.lookup(sum->next) != 1)
    return nullptr;
  for (const Statement &statement : loop.body) {
    if (!isSum(statement) || statement.result != sum->next)
      continue;
    size_t place = statement.operands[0] == sum->inside ? 1 : 0;
    TileId added = statement.operands[place];
    bool addsProduct = llvm::any_of(loop.body, [&](const Statement &other) {
      return isProduct(other) && other.result == added;
    });
    return statement.operands[1 - place] == sum->inside && addsProduct
               ? sum
               : nullptr;
  }
  return nullptr;
}

bool SumBeginner::beginAt(Statements &statements, size_t sumPlace, TileId sum,
                          TileId added) {
  TileId result = statements[sumPlace].result;
  if (uses.lookup(sum) != 1 || uses.lookup(added) != 1 ||
      kernel.tiles[sum].axes != kernel.tiles[added].axes ||
      kernel.tiles[sum].axes != kernel.tiles[result].axes)
    return false;
  CarriedTile *carried = nullptr;
  size_t loopPlace = 0;
  for (; loopPlace < sumPlace && !carried; ++loopPlace)
    if (Statement &statement = statements[loopPlace];
        statement.kind == Statement::Kind::Loop && statement.loop->chunks == 1)
      carried = plainSumOf(*statement.loop, sum);
  if (!carried)
    return false;
  --loopPlace;

  // What is added, and all that it alone is made of.
  llvm::DenseSet<TileId> needed = {added};
  bool multiplies = false;
  SmallVector<size_t> moved;
  for (size_t place = sumPlace; place-- > 0;) {
    llvm::DenseSet<TileId> made, operands;
    bool hasProduct = false;
    collect(statements[place], made, operands, hasProduct);
    if (llvm::none_of(made, [&](TileId tile) { return needed.contains(tile); }))
      continue;
    if (place == loopPlace || !isPure(statements[place]))
      return false;
    multiplies |= hasProduct;
    needed.insert(operands.begin(), operands.end());
    if (place > loopPlace)
      moved.push_back(place);
  }
  if (!multiplies)
    return false;

  carried->from = added;
  carried->result = result;
  statements.erase(statements.begin() + sumPlace);
  auto loop = statements.begin() + loopPlace;
  // The last is found first; those in front of it stay where they are.
  for (size_t i = 0; i < moved.size(); ++i) {
    auto last = statements.begin() + moved[i] + i;
    std::rotate(loop, last, last + 1);
  }
  return true;
}

bool SumBeginner::begin(Statements &statements, size_t sumPlace) {
  if (!isSum(statements[sumPlace]))
    return false;
  TileId a = statements[sumPlace].operands[0],
         b = statements[sumPlace].operands[1];
  return beginAt(statements, sumPlace, a, b) ||
         beginAt(statements, sumPlace, b, a);
}

void SumBeginner::visit(Statements &statements) {
  for (size_t place = 0; place < statements.size();) {
    if (statements[place].kind == Statement::Kind::Loop)
      visit(statements[place].loop->body);
    if (!begin(statements, place))
      ++place;
  }
}

void SumBeginner::run() {
  for (Nest &nest : kernel.nests) {
    uses = nest::countUses(nest.body);
    visit(nest.body);
  }
}

void nest::beginSums(KernelNest &kernel) { SumBeginner(kernel).run(); }
