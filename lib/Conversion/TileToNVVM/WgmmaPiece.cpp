//===- WgmmaPiece.cpp - products by four warps, in pieces -----------------===//
//
// Nothing comes between the instructions of a piece of assembly. Factors in
// shared memory are described by where they start and how they go on.
//
//===----------------------------------------------------------------------===//

#include "WgmmaPiece.h"
#include "Assembly.h"
#include "fuse/Dialect/Tile/Analysis/Warpgroups.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;
using namespace fuse::tile;

std::optional<MatrixProduct> MatrixProduct::of(RankedTensorType lhs,
                                               RankedTensorType sum) {
  std::optional<Layout> matrix = sumAsMatrix(lhs, sum);
  auto form = matrix ? wgmmaFormOf(*matrix) : std::nullopt;
  if (!form)
    return std::nullopt;
  Coordinates extents = matrix->tile().extents();
  if (form->isTransposed)
    std::swap(extents[0], extents[1]);
  return MatrixProduct{ProductForm{*form}, *matrix, extents[0], extents[1],
                       lhs.getShape().back()};
}

SmallVector<Value> fuse::tile::leftWords(ImplicitLocOpBuilder &b,
                                         const HeldFactor &factor,
                                         const ProductForm &form,
                                         unsigned elementBytes, Spot block,
                                         int64_t k) {
  int64_t perWord = 4 / elementBytes;
  block[form.columnAxis(block)] = k;
  SmallVector<Value> words;
  for (int64_t column : {int64_t(0), 4 * perWord})
    for (int64_t row : {int64_t(0), form.nextRow()}) {
      SmallVector<Value> parts;
      for (int64_t next = 0; next < perWord; ++next)
        parts.push_back(factor.elements[factor.spots.registerAt(
            form.moved(block, row, column + next))]);
      auto type = VectorType::get(perWord, parts.front().getType());
      Value vector = vector::FromElementsOp::create(b, type, parts);
      Value word = vector::BitCastOp::create(
          b, VectorType::get(1, b.getI32Type()), vector);
      words.push_back(vector::ExtractOp::create(b, word, int64_t(0)));
    }
  return words;
}

SmallVector<unsigned> ProductForm::registersOf(const SpotTable &spots,
                                               Spot block,
                                               int64_t columns) const {
  SmallVector<unsigned> registers;
  for (int64_t at = 0; at < columns; at += 8)
    for (int64_t half : {int64_t(0), nextRow()})
      for (int64_t next : {0, 1})
        registers.push_back(spots.registerAt(moved(block, half, at + next)));
  return registers;
}

static std::string operandList(unsigned first, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += (i == 0 ? "$" : ", $") + std::to_string(first + i);
  return list + "}";
}

void fuse::tile::repeatConstraint(std::string &constraints,
                                  StringRef constraint, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    constraints += (constraints.empty() ? "" : ",") + constraint.str();
}

void fuse::tile::tieConstraints(std::string &constraints, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);
}

/// The end of an instruction's name.
static StringRef kindOf(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return "k32.f32.e4m3.e4m3";
  if (element.isF32())
    return "k8.f32.tf32.tf32";
  return element.isBF16() ? "k16.f32.bf16.bf16" : "k16.f32.f16.f16";
}

void WgmmaPiece::step(unsigned block, int64_t row, int64_t column, int64_t k) {
  std::string from;
  if (left) {
    text += "add.s64 left, $" + std::to_string(firstLeft) + ", " +
            std::to_string(left->offset(row, k)) + ";\n\t";
    from = "left";
  } else {
    from = operandList(firstLeft, 4);
    firstLeft += 4;
  }
  text += "add.s64 right, $" + std::to_string(rightNumber) + ", " +
          std::to_string(right->offset(column, k)) + ";\n\t";
  text += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
          kindOf(element).str() + " " + operandList(block * numSums, numSums) +
          ", " + from + ", right, " + (isFresh[block] ? "0" : "1") + ", 1, 1";
  // Others are read along k only.
  if (element.getIntOrFloatBitWidth() == 16) {
    if (left)
      text += left->access.isKMajor ? ", 0" : ", 1";
    text += right->access.isKMajor ? ", 0" : ", 1";
  }
  text += ";\n\t";
  isFresh[block] = false;
}

SmallVector<Value> WgmmaPiece::emit(ImplicitLocOpBuilder &b) {
  return assemble(b, text + "}", constraints, operands, numAll());
}
