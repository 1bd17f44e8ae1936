//===- NestChoices.cpp - what blocks of a launch do not choose ------------===//
//
// The part of the walk that knows how many blocks compute a tile at all. What
// is put together of several tensors is a choice among them by positions, and a
// block whose positions are all on one side computes nothing of the other: D4's
// features are those of a perceptron and of 26 tables, of which a block of 16
// columns needs one.
//
//===----------------------------------------------------------------------===//

#include "NestWalker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::cost;

/// Of more windows nobody asks each.
static constexpr double kMostWindows = 64;

namespace {

/// Goes from what a block stores back to what it needs for that.
class Chooser {
public:
  /// Which windows of the variable need a tile.
  using Needs = SmallVector<bool>;

  Chooser(const IndexVar &var, int64_t window, int64_t windows,
          BlockTruths &truths)
      : var(var), window(window), truths(truths), all(windows, true) {}

  void add(const Statement &statement, bool isForAll);
  double partOf(TileId tile) const {
    auto it = needs.find(tile);
    return it == needs.end()
               ? 1.0
               : static_cast<double>(llvm::count(it->second, true)) /
                     static_cast<double>(all.size());
  }

  /// Whether it tells some windows apart.
  bool tellsApart(const Element *predicate) const {
    return llvm::any_of(truthsOf(predicate),
                        [](Truth truth) { return truth != Truth::Mixed; });
  }
  /// Whether a tile takes reading, multiplying or reducing.
  bool isMuch(TileId tile) const { return much.contains(tile); }
  void traceMuch(const Statement &statement);

private:
  /// In each window.
  ArrayRef<Truth> truthsOf(const Element *predicate) const {
    return truths.of(predicate, var, window, all.size());
  }
  void need(TileId tile, const Needs &windows) {
    Needs &known = needs.try_emplace(tile, all.size(), false).first->second;
    for (auto [own, other] : llvm::zip_equal(known, windows))
      own |= other;
  }
  void needInside(const std::vector<Statement> &body, const Needs &windows) {
    for (const Statement &statement : body) {
      for (TileId tile : statement.operands)
        need(tile, windows);
      if (statement.loop)
        needInside(statement.loop->body, windows);
    }
  }

  IndexVar var;
  int64_t window;
  BlockTruths &truths;
  Needs all;
  llvm::DenseMap<TileId, Needs> needs;
  llvm::DenseSet<TileId> much;
};

} // namespace

void Chooser::traceMuch(const Statement &statement) {
  bool isOwn =
      statement.kind == Statement::Kind::Reduce ||
      (statement.element && statement.element->kind() == ElementKind::Load);
  if (isOwn || llvm::any_of(statement.operands,
                            [&](TileId tile) { return isMuch(tile); }))
    much.insert(statement.result);
  if (statement.loop)
    for (const CarriedTile &tile : statement.loop->carried)
      much.insert(tile.result);
}

/// The statements behind it have been added.
void Chooser::add(const Statement &statement, bool isForAll) {
  Needs own(all.size(), false);
  auto take = [&](TileId tile) {
    if (auto it = needs.find(tile); it != needs.end())
      for (auto [to, from] : llvm::zip_equal(own, it->second))
        to |= from;
  };
  switch (statement.kind) {
  case Statement::Kind::Store:
  case Statement::Kind::StorePart:
    own = all;
    break;
  case Statement::Kind::Loop:
    for (const CarriedTile &tile : statement.loop->carried)
      take(tile.result);
    break;
  default:
    take(statement.result);
  }
  if (isForAll)
    own = all;
  if (statement.loop) {
    for (const CarriedTile &tile : statement.loop->carried) {
      need(tile.result, own);
      if (tile.from)
        need(*tile.from, own);
    }
    needInside(statement.loop->body, own);
    return;
  }
  if (isForAll)
    need(statement.result, own);
  const Element *element = statement.element;
  bool isChoice = statement.kind == Statement::Kind::Compute &&
                  isOp<arith::SelectOp>(element) &&
                  isMuch(statement.operands[1]) &&
                  isMuch(statement.operands[2]);
  if (!isChoice) {
    for (TileId tile : statement.operands)
      need(tile, own);
    return;
  }
  need(statement.operands[0], own);
  Needs first = own, last = own;
  for (auto [number, truth] :
       llvm::enumerate(truthsOf(element->operands()[0]))) {
    first[number] = first[number] && truth != Truth::Never;
    last[number] = last[number] && truth != Truth::Always;
  }
  need(statement.operands[1], first);
  need(statement.operands[2], last);
}

/// What four warps multiply together no block leaves out, nor a round of a loop
/// anything.
void Walk::findParts(const std::vector<Statement> &statements) {
  if (machine.hasAnyTile)
    return;
  auto isChoice = [](const Statement &statement) {
    return statement.kind == Statement::Kind::Compute &&
           isOp<arith::SelectOp>(statement.element);
  };
  if (llvm::none_of(statements, isChoice))
    return;
  auto isByGroups = [&](auto &self, const Statement &statement) -> bool {
    if (statement.loop)
      return llvm::any_of(statement.loop->body, [&](const Statement &inner) {
        return self(self, inner);
      });
    double rate = statement.kind == Statement::Kind::Reduce &&
                          statement.element->kind() == ElementKind::Dot
                      ? rateOf(statement)
                      : 0;
    return machine.hasGroups && rate != 0 && rate != machine.dotSingle &&
           rate != machine.dotDouble;
  };
  for (const IndexVar &var : grid) {
    double windows = tilesOf(var);
    if (windows < 2 || windows > kMostWindows || !var.size.isNumber())
      continue;
    Chooser chooser(var, static_cast<int64_t>(windowOf(var)),
                    static_cast<int64_t>(windows), truths);
    if (llvm::none_of(statements, [&](const Statement &statement) {
          return isChoice(statement) &&
                 chooser.tellsApart(statement.element->operands()[0]);
        }))
      continue;
    isChoosing = true;
    for (const Statement &statement : statements)
      chooser.traceMuch(statement);
    for (const Statement &statement : llvm::reverse(statements))
      chooser.add(statement, isByGroups(isByGroups, statement));
    for (const Statement &statement : statements) {
      if (statement.loop)
        for (const CarriedTile &tile : statement.loop->carried)
          parts[tile.result] = chooser.partOf(tile.result);
      else
        parts[statement.result] = chooser.partOf(statement.result);
    }
    return;
  }
}

double Walk::partOf(const Statement &statement) const {
  auto known = [&](TileId tile) {
    auto it = parts.find(tile);
    return it == parts.end() ? 1.0 : it->second;
  };
  switch (statement.kind) {
  case Statement::Kind::Store:
  case Statement::Kind::StorePart:
    return 1;
  case Statement::Kind::Loop: {
    double most = statement.loop->carried.empty() ? 1 : 0;
    for (const CarriedTile &tile : statement.loop->carried)
      most = std::max(most, known(tile.result));
    return most;
  }
  default:
    return known(statement.result);
  }
}
