//===- Constants.cpp - the data of constants ------------------------------===//
//
// Copies the bytes where an attribute keeps them as a buffer does, and every
// element on its own where it packs them.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;
using namespace fuse;

static void copyBytes(ArrayRef<char> bytes, HostBuffer &buffer) {
  // memcpy must not be told to copy nothing from nowhere.
  if (!bytes.empty())
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
}

static void copyElements(DenseElementsAttr elements, HostBuffer &buffer) {
  size_t width = byteSize(buffer.type());
  auto *out = static_cast<char *>(buffer.data());
  auto put = [&](const APInt &bits) {
    uint64_t value = bits.getZExtValue();
    std::memcpy(out, &value, width);
    out += width;
  };
  if (isFloat(buffer.type()))
    for (const APFloat &value : elements.getValues<APFloat>())
      put(value.bitcastToAPInt());
  else
    for (const APInt &value : elements.getValues<APInt>())
      put(value);
}

Status fuse::checkData(ElementsAttr elements,
                       const TensorSignature &signature) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  if (!resource)
    return Status::success();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return RuntimeError(ErrorCode::BadInput,
                        "names data that the module does not have");
  Result<size_t> needed = requiredBytes(signature.type, signature.shape);
  if (!needed)
    return needed.takeError();
  if (blob->getData().size() != *needed)
    return RuntimeError(ErrorCode::BadInput,
                        "holds " + formatBytes(blob->getData().size()) +
                            ", but its type needs " + formatBytes(*needed));
  return Status::success();
}

Result<HostBuffer> fuse::bufferOf(ElementsAttr elements,
                                  const TensorSignature &signature) {
  if (Status status = checkData(elements, signature); !status)
    return status.takeError();
  Result<HostBuffer> buffer =
      HostBuffer::allocate(signature.type, signature.shape);
  if (!buffer)
    return buffer;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (dense.isSplat() || signature.type == ElementType::I1)
      copyElements(dense, *buffer);
    else
      copyBytes(dense.getRawData(), *buffer);
    return buffer;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    copyBytes(resource.getRawHandle().getBlob()->getData(), *buffer);
    return buffer;
  }
  return RuntimeError(ErrorCode::Unsupported,
                      "is neither dense nor a dense resource");
}
