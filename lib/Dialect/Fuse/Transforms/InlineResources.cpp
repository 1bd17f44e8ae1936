//===- InlineResources.cpp - numbers in place of named data ---------------===//
//
// Upstream's passes look at the elements of constants, and end the process
// where those are the data of a resource.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace fuse {
#define GEN_PASS_DEF_INLINERESOURCES
#include "fuse/Dialect/Fuse/Transforms/Passes.h.inc"
} // namespace fuse

using namespace mlir;
using namespace fuse;

/// As memory has them: a byte for a boolean, 64 bits for an index.
static int64_t bytesOf(Type element) {
  constexpr int64_t bitsOfByte = 8, bytesOfIndex = 8;
  return element.isIndex()
             ? bytesOfIndex
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), bitsOfByte);
}

static LogicalResult inlineData(arith::ConstantOp constant) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (!resource)
    return success();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return constant.emitOpError("names data that the module does not have");
  ShapedType type = resource.getType();
  ArrayRef<char> data = blob->getData();
  int64_t needed = type.getNumElements() * bytesOf(type.getElementType());
  if (static_cast<int64_t>(data.size()) != needed)
    return constant.emitOpError("names data of ")
           << data.size() << " bytes, but its type needs " << needed;
  if (type.getElementType().isInteger(1)) {
    auto isSet = llvm::map_to_vector(data, [](char c) { return c != 0; });
    constant.setValueAttr(DenseElementsAttr::get(type, ArrayRef<bool>(isSet)));
    return success();
  }
  constant.setValueAttr(DenseElementsAttr::getFromRawBuffer(type, data));
  return success();
}

namespace {

struct InlineResourcesPass final
    : fuse::impl::InlineResourcesBase<InlineResourcesPass> {
  void runOnOperation() final {
    WalkResult walked =
        getOperation().walk([](arith::ConstantOp constant) -> WalkResult {
          return inlineData(constant);
        });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
