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
#include "llvm/ADT/BitVector.h"

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

/// Whether a statement makes one of these tiles, those in its loop included.
bool makesAny(const Statement &statement, const llvm::DenseSet<TileId> &tiles) {
  if (statement.kind != Statement::Kind::Loop)
    return tiles.contains(statement.result);
  return llvm::any_of(statement.loop->carried,
                      [&](const CarriedTile &tile) {
                        return tiles.contains(tile.result);
                      }) ||
         llvm::any_of(statement.loop->body, [&](const Statement &inner) {
           return makesAny(inner, tiles);
         });
}

/// Adds what a statement needs, those in its loop included.
void need(const Statement &statement, llvm::DenseSet<TileId> &needed,
          bool &multiplies) {
  needed.insert(statement.operands.begin(), statement.operands.end());
  multiplies |= isProduct(statement);
  if (statement.kind != Statement::Kind::Loop)
    return;
  for (const NestBound &bound : statement.loop->bounds)
    if (bound.computed)
      needed.insert(*bound.computed);
  for (const CarriedTile &tile : statement.loop->carried)
    if (tile.from)
      needed.insert(*tile.from);
  for (const Statement &inner : statement.loop->body)
    need(inner, needed, multiplies);
}

/// Puts the statements at these places in front of the one at `front`, in their
/// order, and each of all once: there may be many.
void moveForward(Statements &statements, size_t front,
                 const llvm::BitVector &moved) {
  Statements behind;
  auto next = statements.begin() + front;
  for (size_t place = front; place < moved.size(); ++place)
    if (moved.test(place))
      *next++ = std::move(statements[place]);
    else
      behind.push_back(std::move(statements[place]));
  std::move(behind.begin(), behind.end(), next);
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
  llvm::BitVector moved(sumPlace);
  for (size_t place = sumPlace; place-- > 0;) {
    if (!makesAny(statements[place], needed))
      continue;
    if (place == loopPlace || !isPure(statements[place]))
      return false;
    need(statements[place], needed, multiplies);
    if (place > loopPlace)
      moved.set(place);
  }
  if (!multiplies)
    return false;

  carried->from = added;
  carried->result = result;
  moveForward(statements, loopPlace, moved);
  statements.erase(statements.begin() + sumPlace);
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
