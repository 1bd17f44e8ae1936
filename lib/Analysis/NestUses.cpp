//===- NestUses.cpp - how often tiles are used ----------------------------===//

#include "NestUses.h"

using namespace fuse;
using namespace fuse::nest;

static void countIn(const std::vector<Statement> &statements, UseCounts &uses) {
  for (const Statement &statement : statements) {
    for (TileId operand : statement.operands)
      ++uses[operand];
    if (statement.kind != Statement::Kind::Loop)
      continue;
    for (const NestBound &bound : statement.loop->bounds)
      if (bound.computed)
        ++uses[*bound.computed];
    for (const CarriedTile &tile : statement.loop->carried) {
      ++uses[tile.next];
      if (tile.from)
        ++uses[*tile.from];
    }
    countIn(statement.loop->body, uses);
  }
}

UseCounts nest::countUses(const std::vector<Statement> &statements) {
  UseCounts uses;
  countIn(statements, uses);
  return uses;
}
