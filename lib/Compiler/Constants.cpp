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

static Status copyBytes(ArrayRef<char> bytes, HostBuffer &buffer) {
  if (bytes.size() != buffer.sizeInBytes())
    return RuntimeError(ErrorCode::BadInput,
                        "holds " + formatBytes(bytes.size()) +
                            ", but its type needs " +
                            formatBytes(buffer.sizeInBytes()));
  // memcpy must not be told to copy nothing from nowhere.
  if (!bytes.empty())
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
  return Status::success();
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

Result<HostBuffer> fuse::bufferOf(ElementsAttr elements,
                                  const TensorSignature &signature) {
  Result<HostBuffer> buffer =
      HostBuffer::allocate(signature.type, signature.shape);
  if (!buffer)
    return buffer;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (dense.isSplat() || signature.type == ElementType::I1)
      copyElements(dense, *buffer);
    else if (Status status = copyBytes(dense.getRawData(), *buffer); !status)
      return status.takeError();
    return buffer;
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return RuntimeError(ErrorCode::BadInput,
                          "names data that the module does not have");
    if (Status status = copyBytes(blob->getData(), *buffer); !status)
      return status.takeError();
    return buffer;
  }
  return RuntimeError(ErrorCode::Unsupported,
                      "is neither dense nor a dense resource");
}
