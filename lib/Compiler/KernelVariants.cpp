//===- KernelVariants.cpp - kernels for classes of memory -----------------===//
//
// What is known of a class goes into the types of a kernel's memory and into
// its promises. Classes that give the same kernel are one.
//
//===----------------------------------------------------------------------===//

#include "KernelVariants.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static constexpr MemoryClass inOrder[] = {MemoryClass::Aligned,
                                          MemoryClass::Pitched,
                                          MemoryClass::Rows, MemoryClass::Any};

/// What any vector can be loaded from, and what tensor maps need.
static constexpr int64_t vectorAlignment = 16;

/// What memory is aligned to that tensor maps are not for.
static constexpr int64_t unsuitable = vectorAlignment / 2;

ArrayRef<MemoryClass> fuse::allMemoryClasses() { return inOrder; }

StringRef fuse::nameOf(MemoryClass memoryClass) {
  switch (memoryClass) {
  case MemoryClass::Aligned:
    return "aligned";
  case MemoryClass::Pitched:
    return "pitched";
  case MemoryClass::Rows:
    return "rows";
  case MemoryClass::Any:
    return "any";
  }
  llvm_unreachable("every class is handled above");
}

Result<SmallVector<MemoryClass>> fuse::parseMemoryClasses(StringRef text) {
  SmallVector<MemoryClass> found;
  for (StringRef name : llvm::split(text, ',')) {
    const MemoryClass *known = llvm::find_if(
        inOrder, [&](MemoryClass c) { return nameOf(c) == name; });
    if (known == std::end(inOrder))
      return RuntimeError(
          ErrorCode::BadUsage,
          ("'" + name + "' is none of aligned, pitched, rows and any").str());
    if (!llvm::is_contained(found, *known))
      found.push_back(*known);
  }
  llvm::sort(found);
  return found;
}

MemoryClass fuse::classOf(const ArrayLayout &layout,
                          std::span<const int64_t> shape, ElementType type) {
  int64_t bytes = byteSize(type);
  std::vector<int64_t> dense = rowMajorStrides(shape);
  bool isAligned = layout.offset * bytes % vectorAlignment == 0;
  bool isDense = true, isInRows = true, isPitched = true;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    // One element has no distance to others.
    if (shape[dim] <= 1)
      continue;
    isDense &= layout.strides[dim] == dense[dim];
    if (dim + 1 == shape.size())
      isInRows = layout.strides[dim] == 1;
    else
      isPitched &= layout.strides[dim] * bytes % vectorAlignment == 0;
  }
  if (isAligned && isDense)
    return MemoryClass::Aligned;
  if (!isInRows)
    return MemoryClass::Any;
  return isAligned && isPitched ? MemoryClass::Pitched : MemoryClass::Rows;
}

/// Whether all that is known of the address and the strides is that they are
/// whole elements.
static bool isUnaligned(MemoryClass memoryClass) {
  return memoryClass >= MemoryClass::Rows;
}

uint32_t fuse::contractAlignment(ElementType type,
                                 ArrayRef<MemoryClass> classes) {
  return llvm::any_of(classes, isUnaligned) ? byteSize(type) : vectorAlignment;
}

ArgumentStrides fuse::contractStrides(ArrayRef<MemoryClass> classes) {
  if (llvm::is_contained(classes, MemoryClass::Any))
    return ArgumentStrides::Any;
  return llvm::all_equal(
             {classes.front(), classes.back(), MemoryClass::Aligned})
             ? ArgumentStrides::Contiguous
             : ArgumentStrides::Rows;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {

/// What a kernel is compiled for.
struct Signature {
  SmallVector<Type> types;
  SmallVector<Attribute> promises;

  bool operator==(const Signature &other) const = default;
};

/// That of a kernel as it is.
Signature signatureOf(tile::KernelOp kernel) {
  Signature signature;
  for (BlockArgument memory : kernel.getMemory()) {
    signature.types.push_back(memory.getType());
    signature.promises.push_back(kernel.promiseOf(memory));
  }
  return signature;
}

class VariantMaker {
public:
  VariantMaker(const LaunchPlan &plan, ArrayRef<MemoryClass> classes)
      : plan(plan), classes(classes) {}

  std::vector<KernelVariant> make();

private:
  bool isArgument(uint32_t buffer) const {
    PlanBuffer::Kind kind = plan.buffers[buffer].kind;
    return kind == PlanBuffer::Kind::Input || kind == PlanBuffer::Kind::Output;
  }
  Signature signatureFor(size_t launch, MemoryClass memoryClass) const;
  /// By number of a size that is left open: by what it has to be divisible so
  /// that rows are aligned.
  llvm::DenseMap<int64_t, int64_t> rowMultiples(size_t launch) const;
  std::vector<KernelParameter>
  parametersOf(tile::KernelOp kernel, const LaunchPlan::Launch &launch) const;
  std::vector<Condition> guardOf(size_t launch, MemoryClass memoryClass) const;

  const LaunchPlan &plan;
  ArrayRef<MemoryClass> classes;
};

} // namespace

static MemRefType memoryOf(MemRefType type, MemoryClass memoryClass) {
  int64_t rank = type.getRank();
  bool hasRows =
      memoryClass == MemoryClass::Pitched || memoryClass == MemoryClass::Rows;
  if (memoryClass == MemoryClass::Aligned || rank < (hasRows ? 2 : 1))
    return type;
  SmallVector<int64_t> strides(rank, ShapedType::kDynamic);
  if (hasRows)
    strides.back() = 1;
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides));
}

/// With gaps between its rows.
static MemRefType pitched(MemRefType type, const LaunchPlan::Buffer &buffer) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  int64_t stride = buffer.pitch;
  for (int64_t dim = type.getRank() - 1; dim-- > 0;) {
    strides[dim] = stride;
    stride *= buffer.shape[dim].constant().value_or(1);
  }
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides));
}

/// Rows are those of memory with several dimensions, if there is any. Without a
/// variant for other sizes nothing is asked of them.
llvm::DenseMap<int64_t, int64_t>
VariantMaker::rowMultiples(size_t number) const {
  llvm::DenseMap<int64_t, int64_t> multiples;
  if (llvm::none_of(classes, isUnaligned))
    return multiples;
  tile::KernelOp kernel = plan.kernels[number];
  int64_t mostDims = 0;
  for (BlockArgument memory : kernel.getMemory())
    mostDims = std::max(mostDims, cast<MemRefType>(memory.getType()).getRank());
  for (auto [memory, number] :
       llvm::zip_equal(kernel.getMemory(), plan.launches[number].buffers)) {
    ArrayRef<int64_t> symbols = kernel.promiseOf(memory).getSizes();
    const LaunchPlan::Buffer &buffer = plan.buffers[number];
    int64_t rank = buffer.shape.size();
    if (symbols.empty() || rank < std::min<int64_t>(mostDims, 2) ||
        symbols.back() == -1 || buffer.shape.back().constant())
      continue;
    int64_t &multiple = multiples[symbols.back()];
    multiple = std::max<int64_t>(
        {multiple, 1, vectorAlignment / int64_t(byteSize(buffer.type))});
  }
  return multiples;
}

Signature VariantMaker::signatureFor(size_t number,
                                     MemoryClass memoryClass) const {
  tile::KernelOp kernel = plan.kernels[number];
  const LaunchPlan::Launch &launch = plan.launches[number];
  Signature signature;
  llvm::DenseMap<int64_t, int64_t> multiples;
  if (!isUnaligned(memoryClass))
    multiples = rowMultiples(number);
  for (auto [memory, buffer] :
       llvm::zip_equal(kernel.getMemory(), launch.buffers)) {
    auto type = cast<MemRefType>(memory.getType());
    tile::PromiseAttr promise = kernel.promiseOf(memory);
    int64_t alignment = promise.getAlignment();
    if (isArgument(buffer)) {
      type = memoryOf(type, memoryClass);
      if (isUnaligned(memoryClass))
        alignment = byteSize(plan.buffers[buffer].type);
    } else if (plan.buffers[buffer].pitch != 0) {
      type = pitched(type, plan.buffers[buffer]);
    }
    // There is no tensor map of an empty memory. What is empty, or is to be
    // possible for all sizes, has none.
    if (!type.hasStaticShape() &&
        llvm::any_of(plan.buffers[buffer].shape,
                     [&](const SizeExpression &size) {
                       return size == SizeExpression(0) ||
                              (!size.constant() && isUnaligned(memoryClass));
                     }))
      alignment = std::min(alignment, unsuitable);
    SmallVector<int64_t> factors(promise.getMultiples());
    for (auto [symbol, factor] : llvm::zip(promise.getSizes(), factors))
      if (auto known = multiples.find(symbol); known != multiples.end())
        factor = known->second;
    signature.types.push_back(type);
    signature.promises.push_back(tile::PromiseAttr::get(
        kernel.getContext(), alignment, promise.getSizes(), factors));
  }
  return signature;
}

/// As convert-tile-to-nvvm makes them.
std::vector<KernelParameter>
VariantMaker::parametersOf(tile::KernelOp kernel,
                           const LaunchPlan::Launch &launch) const {
  std::vector<KernelParameter> parameters;
  size_t numInputs = launch.buffers.size() - launch.numOutputs;
  for (auto [i, argument] : llvm::enumerate(kernel.getMemory())) {
    auto number = static_cast<uint32_t>(launch.buffers[i]);
    parameters.push_back(
        KernelParameter::pointer(number, /*isWritten=*/i >= numInputs));
    auto type = cast<MemRefType>(argument.getType());
    for (auto [dim, size] : llvm::enumerate(plan.buffers[number].shape))
      if (type.isDynamicDim(dim))
        parameters.push_back(KernelParameter::scalar64(size));
    auto strides = tile::stridesOf(type);
    for (uint32_t dim = 0; strides && dim < type.getRank(); ++dim)
      if (ShapedType::isDynamic((*strides)[dim]))
        parameters.push_back(KernelParameter::stride(number, dim));
  }
  for (const SizeExpression &extent :
       ArrayRef(launch.grid)
           .drop_front(std::min<size_t>(1, launch.grid.size())))
    parameters.push_back(KernelParameter::scalar32(extent));
  return parameters;
}

/// What the contract of arguments says already is not asked again.
std::vector<Condition> VariantMaker::guardOf(size_t number,
                                             MemoryClass memoryClass) const {
  const LaunchPlan::Launch &launch = plan.launches[number];
  std::vector<Condition> guard;
  llvm::SmallDenseSet<size_t> seen;
  for (size_t at : launch.buffers) {
    if (!isArgument(at) || !seen.insert(at).second)
      continue;
    auto buffer = static_cast<uint32_t>(at);
    ElementType type = plan.buffers[at].type;
    if (!isUnaligned(memoryClass) &&
        contractAlignment(type, classes) < vectorAlignment)
      guard.push_back(Condition::aligned(buffer, vectorAlignment));
    ArgumentStrides strides = contractStrides(classes);
    bool hasOne = plan.buffers[at].shape.empty();
    if (hasOne || strides == ArgumentStrides::Contiguous)
      continue;
    if (memoryClass == MemoryClass::Aligned)
      guard.push_back(Condition::contiguous(buffer));
    else if (memoryClass == MemoryClass::Pitched)
      guard.push_back(Condition::rows(buffer, vectorAlignment));
    else if (memoryClass == MemoryClass::Rows &&
             strides != ArgumentStrides::Rows)
      guard.push_back(Condition::rows(buffer, byteSize(type)));
  }
  if (isUnaligned(memoryClass))
    return guard;
  tile::KernelOp kernel = plan.kernels[number];
  llvm::DenseMap<int64_t, int64_t> multiples = rowMultiples(number);
  for (auto [memory, buffer] :
       llvm::zip_equal(kernel.getMemory(), launch.buffers))
    for (auto [symbol, size] : llvm::zip(kernel.promiseOf(memory).getSizes(),
                                         plan.buffers[buffer].shape)) {
      auto multiple = multiples.find(symbol);
      if (multiple == multiples.end() || multiple->second == 1)
        continue;
      Condition isWhole = Condition::divisible(size, multiple->second);
      if (!llvm::is_contained(guard, isWhole))
        guard.push_back(std::move(isWhole));
    }
  return guard;
}

static std::string ptxName(StringRef name, size_t number) {
  std::string text = "fuse_" + std::to_string(number) + "_";
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  return text;
}

std::vector<KernelVariant> VariantMaker::make() {
  std::vector<KernelVariant> variants;
  // Kernels that are launched several times are one, if their memory is.
  struct Made {
    Signature signature;
    tile::KernelOp kernel;
  };
  llvm::MapVector<Operation *, SmallVector<Made, 1>> made;
  for (auto [number, launch] : llvm::enumerate(plan.launches)) {
    tile::KernelOp original = plan.kernels[number];
    SmallVector<Made, 1> &known = made[original];
    SmallVector<Signature> own;
    for (MemoryClass memoryClass : classes) {
      Signature signature = signatureFor(number, memoryClass);
      if (llvm::is_contained(own, signature))
        continue;
      own.push_back(signature);
      auto *same = llvm::find_if(known, [&](const Made &other) {
        return other.signature == signature;
      });
      if (same == known.end()) {
        known.push_back({std::move(signature), original.clone()});
        same = &known.back();
      }
      variants.push_back({same->kernel, "", number, memoryClass, {}, {}});
    }
  }
  // Now that nobody looks at what the originals are like, the copies take
  // their places.
  llvm::DenseMap<Operation *, std::string> names;
  for (auto [number, entry] : llvm::enumerate(made)) {
    tile::KernelOp original = cast<tile::KernelOp>(entry.first);
    OpBuilder b(original);
    for (auto [copy, each] : llvm::enumerate(entry.second)) {
      b.insert(each.kernel);
      for (auto [memory, type] :
           llvm::zip_equal(each.kernel.getMemory(), each.signature.types))
        memory.setType(type);
      if (original.getPromises() || each.signature != signatureOf(original))
        each.kernel.setPromisesAttr(b.getArrayAttr(each.signature.promises));
      std::string name = ptxName(original.getName(), number);
      if (copy != 0)
        name += "_" + std::to_string(copy);
      each.kernel.setName(name);
      names[each.kernel] = std::move(name);
    }
  }
  for (KernelVariant &variant : variants) {
    variant.name = names[variant.kernel];
    variant.parameters =
        parametersOf(variant.kernel, plan.launches[variant.launch]);
    variant.guard = guardOf(variant.launch, variant.memoryClass);
  }
  for (auto &entry : made)
    entry.first->erase();
  return variants;
}

std::vector<KernelVariant> fuse::makeVariants(const LaunchPlan &plan,
                                              ArrayRef<MemoryClass> classes) {
  return VariantMaker(plan, classes).make();
}
