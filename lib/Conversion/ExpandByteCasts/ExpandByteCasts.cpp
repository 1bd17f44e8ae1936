//===- ExpandByteCasts.cpp - four integers of a word as floats ------------===//
//
// A byte that stands in the low bits of a float's mantissa has been added to
// that float, of which the sum is exact. Signed ones are moved up by 128 first,
// which flips their upper bit.
//
//===----------------------------------------------------------------------===//

#include "fuse/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace fuse {
#define GEN_PASS_DEF_EXPANDBYTECASTS
#include "fuse/Conversion/Passes.h.inc"
} // namespace fuse

using namespace mlir;

namespace {

constexpr int64_t bytesOfWord = 4;
/// By how much signed bytes are moved up.
constexpr int64_t signBias = 128;

/// Writes the casts of one word after another.
class WordCast {
public:
  WordCast(ImplicitLocOpBuilder &b, Type element, bool isSigned)
      : b(b), element(element), isSigned(isSigned) {}

  /// Its four bytes, in order, in vectors of one number or two.
  SmallVector<Value> of(Value word);

private:
  Value i32(uint32_t bits) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(bits)));
  }
  /// Bytes 0 to 3 are the word's, 4 to 7 those of `others`.
  Value permute(Value word, uint32_t others, uint32_t selector) {
    return NVVM::PermuteOp::create(b, b.getI32Type(), word, i32(others),
                                   i32(selector), NVVM::PermuteMode::DEFAULT);
  }
  Value floats(Value bits, int64_t count) {
    return LLVM::BitcastOp::create(b, VectorType::get(count, element), bits);
  }
  Value splat(double value, int64_t count) {
    auto type = VectorType::get(count, element);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, b.getFloatAttr(element, value)));
  }
  Value f32(Value word, uint32_t byte);
  Value f16Pair(Value word, uint32_t first);
  Value bf16Pair(Value word, uint32_t first);

  ImplicitLocOpBuilder &b;
  Type element;
  bool isSigned;
};

} // namespace

/// Of numbers from 2^23 on the last bit counts 1.
Value WordCast::f32(Value word, uint32_t byte) {
  constexpr uint32_t start = 0x4b000000;
  constexpr double value = 1 << 23;
  Value sum = floats(permute(word, start, 0x7440 | byte), 1);
  return arith::SubFOp::create(
      b, sum, splat(value + (isSigned ? signBias : 0), /*count=*/1));
}

/// Of numbers from 2^10 on the last bit counts 1. As ops of LLVM, since those
/// of `arith` are computed in f32.
Value WordCast::f16Pair(Value word, uint32_t first) {
  constexpr uint32_t start = 0x64646464;
  constexpr double value = 1 << 10;
  uint32_t selector = 0x4040 | first | (first + 1) << 8;
  Value sum = floats(permute(word, start, selector), 2);
  return LLVM::FAddOp::create(
      b, sum, splat(-value - (isSigned ? signBias : 0), /*count=*/2));
}

/// Of numbers from 2^7 to 2^8 the last bit counts 1, and they hold seven bits.
/// The eighth says whether 2^7 is taken off again, or as much and what signed
/// bytes were moved up by.
Value WordCast::bf16Pair(Value word, uint32_t first) {
  constexpr uint32_t start = 0x43434343, lowBits = 0xff7fff7f,
                     highBits = 0xff80ff80, flipped = 0x80808080;
  uint32_t selector = 0x4040 | first | (first + 1) << 8;
  Value bytes = permute(word, start, selector);
  Value low = arith::AndIOp::create(b, bytes, i32(lowBits));
  Value less = arith::XOrIOp::create(
      b, arith::AndIOp::create(b, bytes, i32(highBits)), i32(flipped));
  // Not an addition, which not every chip has.
  return LLVM::FMAOp::create(b, floats(low, 2), splat(1, 2), floats(less, 2));
}

SmallVector<Value> WordCast::of(Value word) {
  constexpr uint32_t upperBits = 0x80808080;
  if (isSigned)
    word = arith::XOrIOp::create(b, word, i32(upperBits));
  SmallVector<Value> parts;
  if (element.isF32())
    for (uint32_t byte = 0; byte < bytesOfWord; ++byte)
      parts.push_back(f32(word, byte));
  else
    for (uint32_t first = 0; first < bytesOfWord; first += 2)
      parts.push_back(element.isF16() ? f16Pair(word, first)
                                      : bf16Pair(word, first));
  return parts;
}

namespace {

template <typename CastOp> struct CastWords final : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const final {
    constexpr bool isSigned = std::is_same_v<CastOp, arith::SIToFPOp>;
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    auto to = dyn_cast<VectorType>(op.getType());
    if (!from || from.getRank() != 1 ||
        !from.getElementType().isSignlessInteger(8) ||
        from.getNumElements() % bytesOfWord != 0)
      return rewriter.notifyMatchFailure(op, "casts no words of bytes");
    Type element = to.getElementType();
    bool isPair = element.isF16() || (element.isBF16() && isSigned);
    if (!isPair && !element.isF32() && !element.isBF16())
      return rewriter.notifyMatchFailure(op, "the result is of another type");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // The upper half of an unsigned byte has no room beside the lower one.
    Type computed = isPair ? element : b.getF32Type();
    auto wide = to.clone(computed);
    auto words = vector::BitCastOp::create(
        b, VectorType::get(from.getNumElements() / bytesOfWord, b.getI32Type()),
        op.getIn());
    WordCast casts(b, computed, isSigned);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < words.getResultVectorType().getNumElements(); ++i)
      for (Value part : casts.of(vector::ExtractOp::create(b, words, i)))
        for (int64_t j = 0; j < cast<VectorType>(part.getType()).getDimSize(0);
             ++j)
          elements.push_back(vector::ExtractOp::create(b, part, j));
    Value result = vector::FromElementsOp::create(b, wide, elements);
    if (computed != element)
      result = arith::TruncFOp::create(b, to, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandByteCastsPass final
    : fuse::impl::ExpandByteCastsBase<ExpandByteCastsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    patterns.add<CastWords<arith::SIToFPOp>, CastWords<arith::UIToFPOp>>(
        &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
