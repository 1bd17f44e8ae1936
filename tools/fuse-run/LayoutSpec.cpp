//===- LayoutSpec.cpp - what --layout says --------------------------------===//
//
// Gaps in front of an array and between its rows, or any strides.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace fuse;

static RuntimeError badUsage(const Twine &text) {
  return RuntimeError(ErrorCode::BadUsage, text.str());
}

Result<LayoutSpec> LayoutSpec::parse(StringRef text) {
  LayoutSpec spec;
  StringSet<> said;
  for (StringRef part : split(text, ',')) {
    auto [key, value] = part.split('=');
    if (!said.insert(key).second)
      return badUsage("'" + key + "' is given twice, but has one value");
    int64_t number = 0;
    bool isNumber = !value.getAsInteger(10, number);
    if (key == "offset" && isNumber) {
      spec.offset = number;
    } else if (key == "pitch" && isNumber) {
      spec.pitch = number;
    } else if (key == "strides" && !value.empty()) {
      spec.strides.emplace();
      for (StringRef stride : split(value, 'x'))
        if (stride.getAsInteger(10, spec.strides->emplace_back()))
          return badUsage("expected strides with 'x' between them, but got '" +
                          value + "'");
    } else {
      return badUsage("expected offset=N, pitch=N or strides=AxB, but got '" +
                      part + "'");
    }
  }
  if (spec.pitch && spec.strides)
    return badUsage("the pitch is one of the strides, so give one of them");
  return spec;
}

Result<ArrayLayout> LayoutSpec::layoutFor(ArrayRef<int64_t> shape) const {
  ArrayLayout layout;
  layout.offset = offset;
  layout.strides = strides ? *strides : rowMajorStrides(shape);
  if (pitch) {
    if (shape.size() < 2)
      return badUsage("a pitch is from row to row, but the shape " +
                      formatShape(shape) + " has no rows");
    int64_t stride = *pitch;
    for (size_t dim = shape.size() - 1; dim-- > 0;) {
      layout.strides[dim] = stride;
      stride = SaturatingMultiply<uint64_t>(stride, shape[dim]);
    }
  }
  if (Result<int64_t> elements = laidOutElements(layout, shape); !elements)
    return badUsage(elements.error().message());
  return layout;
}

SmallVector<MemoryClass> fuse::classesFor(const RunOptions &options) {
  if (!options.classes.empty())
    return options.classes;
  bool isOpen = options.leavesSizesOpen || !options.image.empty() ||
                !options.layouts.empty() || !options.outputLayouts.empty();
  ArrayRef<MemoryClass> all = allMemoryClasses();
  return SmallVector<MemoryClass>(isOpen ? all : all.take_front());
}
