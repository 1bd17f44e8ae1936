//===- SourceCompiler.cpp - from the text of a graph to an Image ----------===//
//
// Options, the cache, the parser, the compiler; and what is said on the way.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/SourceCompiler.h"
#include "ForkGate.h"
#include "fuse/Analysis/Sizes.h"
#include "fuse/Compiler/ImageCache.h"
#include "fuse/Compiler/LargeStack.h"
#include "fuse/Compiler/ScheduleOption.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Runtime/ThreadPool.h"
#include "fuse/Target/Ptxas.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

#include <mutex>

using namespace mlir;
using namespace fuse;

static RuntimeError error(ErrorCode code, const llvm::Twine &text) {
  return RuntimeError(code, text.str());
}

static RuntimeError badUsage(const llvm::Twine &text) {
  return error(ErrorCode::BadUsage, text);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Result<bool> parseSwitch(StringRef value) {
  if (value == "on" || value == "off")
    return value == "on";
  return badUsage("'on' or 'off' is needed");
}

static Result<unsigned> parseNumber(StringRef value, unsigned least,
                                    unsigned most) {
  unsigned number = 0;
  if (value.getAsInteger(10, number) || number < least || number > most)
    return badUsage("a number from " + llvm::Twine(least) + " to " +
                    llvm::Twine(most) + " is needed");
  return number;
}

/// Named twice, by its name and as what this machine has, it is compiled once.
static void addOnce(const GpuChip &chip, ImageOptions &image) {
  if (llvm::none_of(image.gpu.chips, [&](const GpuChip &known) {
        return known.name == chip.name;
      }))
    image.gpu.chips.push_back(chip);
}

static void addOnce(CpuLevel level, ImageOptions &image) {
  if (!llvm::is_contained(image.cpus, level))
    image.cpus.push_back(level);
}

static Status addChip(StringRef name, ImageOptions &image) {
  if (name == "cpu") {
    Result<CpuLevel> level = cpuLevelOfThisMachine();
    if (!level)
      return level.takeError();
    addOnce(*level, image);
    return Status::success();
  }
  if (name == "cuda") {
    auto device = CudaDevice::open();
    if (!device)
      return device.takeError();
    Result<GpuChip> chip = gpuChipOf(**device);
    if (!chip)
      return chip.takeError();
    addOnce(*chip, image);
    return Status::success();
  }
  if (std::optional<GpuChip> chip = GpuChip::byName(name)) {
    addOnce(*chip, image);
    return Status::success();
  }
  Result<CpuLevel> level = parseCpuLevel(name.str());
  if (!level)
    return badUsage("there is code for " + listGpuChips() +
                    ", x86-64, x86-64-v2, x86-64-v3, x86-64-v4, cpu and cuda");
  addOnce(*level, image);
  return Status::success();
}

Result<ArgumentShape> fuse::parseShape(StringRef text) {
  ArgumentShape shape;
  if (text == "scalar")
    return shape;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t size;
    if (part.getAsInteger(10, size))
      return badUsage("expected sizes with 'x' between them, but got '" + text +
                      "'");
    if (size < 0)
      return badUsage("a size must not be negative, but got " + part);
    shape.push_back(size);
  }
  return shape;
}

/// Takes what `parse` yields, if it yields anything.
template <class T> static Status take(Result<T> parsed, auto &place) {
  if (!parsed)
    return parsed.takeError();
  place = std::move(*parsed);
  return Status::success();
}

static Status applyOption(StringRef name, StringRef value,
                          SourceOptions &options) {
  GpuOptions &gpu = options.image.gpu;
  if (name == "entry") {
    if (value.empty())
      return badUsage("the name of a function is needed");
    options.entry = value.str();
    return Status::success();
  }
  if (name == "chip") {
    for (StringRef chip : llvm::split(value, ','))
      if (Status status = addChip(chip, options.image); !status)
        return status;
    return Status::success();
  }
  if (name == "shape") {
    auto [argument, text] = value.split(':');
    if (argument.empty() || text.empty())
      return badUsage("NAME:SIZES is needed, such as x:8x128");
    Result<ArgumentShape> shape = parseShape(text);
    if (!shape)
      return shape.takeError();
    if (!options.shapes.try_emplace(argument, std::move(*shape)).second)
      return badUsage("there is a shape for '" + argument + "' already");
    return Status::success();
  }
  if (name == "open-sizes")
    return take(parseSwitch(value), gpu.leavesSizesOpen);
  if (name == "schedule") {
    auto [kernel, text] = value.split(':');
    if (!kernel.consume_front("@") || text.empty())
      return badUsage("@KERNEL:SCHEDULE is needed");
    auto [entry, isNew] = gpu.formation.schedules.try_emplace(kernel);
    if (!isNew)
      return badUsage("there is a schedule for '@" + kernel + "' already");
    return take(checkScheduleText(text), entry->second);
  }
  if (name == "variants")
    return take(parseMemoryClasses(value), gpu.classes);
  if (name == "most-kernels")
    return take(parseNumber(value, 0, 1u << 20), gpu.formation.mostKernels);
  if (name == "opt-level")
    return take(parseNumber(value, 0, 3), gpu.optLevel);
  if (name == "threads")
    return take(parseNumber(value, 1, maxThreads), options.image.threads);
  if (name == "ptxas")
    return take(parseSwitch(value), gpu.assembles);
  if (name == "cache")
    return take(parseSwitch(value), options.usesCache);
  return badUsage("there is no such option: there are entry, chip, shape, "
                  "open-sizes, schedule, variants, most-kernels, opt-level, "
                  "threads, ptxas and cache");
}

Result<SourceOptions> fuse::parseSourceOptions(ArrayRef<StringRef> texts) {
  SourceOptions options;
  ArrayRef<MemoryClass> all = allMemoryClasses();
  options.image.gpu.classes.assign(all.begin(), all.end());
  llvm::StringSet<> seen;
  for (StringRef text : texts) {
    auto [name, value] = text.split('=');
    if (text == "open-sizes")
      value = "on";
    // These are about one of several.
    bool isList = name == "chip" || name == "shape" || name == "schedule";
    if (!isList && !seen.insert(name).second)
      return badUsage("option '" + text + "': '" + name +
                      "' is given twice, but has one value");
    if (Status status = applyOption(name, value, options); !status)
      return std::move(status.takeError())
          .withContext("option '" + text.str() + "'");
  }
  ImageOptions &image = options.image;
  if (image.gpu.chips.empty() && image.cpus.empty())
    if (Status status = addChip("cpu", image); !status)
      return status.takeError();
  if (image.threads == 0 && !image.cpus.empty())
    if (Status s = take(defaultNumThreads(), image.threads); !s)
      return s.takeError();
  return options;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

Result<func::FuncOp> fuse::findEntry(ModuleOp module, StringRef entry,
                                     StringRef file, StringRef howToChoose) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (entry.empty() ? function.isPublic() && !function.isExternal()
                      : function.getName() == entry)
      functions.push_back(function);
  if (functions.empty())
    return error(ErrorCode::BadInput,
                 entry.empty() ? file + ": has no public function with a body"
                               : file + ": has no function '" + entry + "'");
  if (functions.size() > 1) {
    std::string names;
    for (func::FuncOp function : functions)
      names += (names.empty() ? "'" : ", '") + function.getName().str() + "'";
    return badUsage(file + ": has several functions, " + names +
                    "; choose one with " + howToChoose);
  }
  if (functions.front().isExternal())
    return error(ErrorCode::BadInput, file + ": function '" +
                                          functions.front().getName() +
                                          "' has no body");
  return functions.front();
}

/// "8x256" for ?x256.
static std::string likelyShape(RankedTensorType type) {
  ArgumentShape shape(type.getShape());
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size))
      size = 8;
  return formatShape(shape);
}

static Status bindArgument(func::FuncOp function, unsigned index,
                           const ArgumentShape *given, StringRef name,
                           bool areOpen, ArgumentShape &shape) {
  Type type = function.getArgument(index).getType();
  auto fail = [&](const llvm::Twine &text) {
    return error(ErrorCode::BadInput, "argument '" + name + "' " + text);
  };
  if (type.isIndex()) {
    if (!given || given->size() != 1)
      return fail("is an index; its value is needed, shape=" + name + ":N");
    shape = *given;
    return Status::success();
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return fail("is no tensor with a rank");
  if (!given && !tensor.hasStaticShape()) {
    std::string option = "shape=" + name.str() + ":" + likelyShape(tensor);
    return areOpen ? fail("leaves sizes open: " + option +
                          " says which to expect, or fuse.size_hints in the "
                          "graph")
                   : fail("has open sizes; they are needed, " + option);
  }
  ArgumentShape own(tensor.getShape());
  shape = given ? *given : own;
  bool fits = shape.size() == own.size();
  for (size_t dim = 0; fits && dim < own.size(); ++dim)
    fits = ShapedType::isDynamic(own[dim]) || own[dim] == shape[dim];
  if (fits)
    return Status::success();
  std::string text;
  llvm::raw_string_ostream(text)
      << "has type " << type << ", but is given the shape "
      << formatShape(shape);
  return fail(text);
}

/// Sizes that are left open are those that the module itself finds likely,
/// where no others are given.
static Result<SmallVector<ArgumentShape>>
bindArguments(func::FuncOp function,
              const llvm::StringMap<ArgumentShape> &shapes, bool areOpen) {
  SmallVector<ArgumentShape> bound(function.getNumArguments());
  llvm::StringSet<> known, used;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    known.insert(std::to_string(i));
    if (auto name = function.getArgAttrOfType<StringAttr>(i, "fuse.name"))
      known.insert(name);
  }
  for (StringRef name : shapes.keys())
    if (!known.contains(name))
      return badUsage("a shape is given for '" + name + "', but @" +
                      function.getName() + " has no such argument");
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto attribute = function.getArgAttrOfType<StringAttr>(i, "fuse.name");
    std::string number = std::to_string(i);
    std::string name = attribute ? attribute.str() : number;
    auto found = shapes.find(name);
    if (found == shapes.end())
      found = shapes.find(number);
    if (found != shapes.end())
      used.insert(found->first());
    const ArgumentShape *given =
        found == shapes.end() ? nullptr : &found->second;
    ArgumentShape likely;
    auto hints = function.getArgAttrOfType<DenseI64ArrayAttr>(i, sizeHintsName);
    if (!given && areOpen && hints) {
      likely.assign(hints.asArrayRef().begin(), hints.asArrayRef().end());
      given = &likely;
    }
    if (Status s = bindArgument(function, i, given, name, areOpen, bound[i]);
        !s)
      return s.takeError();
  }
  for (StringRef name : shapes.keys())
    if (!used.contains(name))
      return badUsage("a shape is given for argument '" + name +
                      "' by its name already");
  return bound;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {

/// Keeps what is said about a graph, a line for each complaint.
class Complaints {
public:
  explicit Complaints(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          std::lock_guard lock(mutex);
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(diagnostic);
          return success();
        }) {}

  RuntimeError behind(RuntimeError error) const {
    return RuntimeError(error.code(), error.message() + text);
  }

private:
  void add(Diagnostic &diagnostic) {
    llvm::raw_string_ostream stream(text);
    stream << "\n";
    if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << at.getFilename().getValue() << ":" << at.getLine() << ":"
             << at.getColumn() << ": ";
    stream << diagnostic;
  }

  std::mutex mutex;
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace

static Result<std::string> compileHere(StringRef source, StringRef name,
                                       const SourceOptions &options) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  Complaints complaints(context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, ParserConfig(&context), name);
  if (!module)
    return complaints.behind(
        error(ErrorCode::BadInput, name + ": is not a valid module"));
  Result<func::FuncOp> entry =
      findEntry(*module, options.entry, name, "the option entry");
  if (!entry)
    return entry.takeError();
  auto shapes =
      bindArguments(*entry, options.shapes, options.image.gpu.leavesSizesOpen);
  if (!shapes)
    return std::move(shapes.takeError()).withContext(name);
  Result<GpuCode> code =
      compileImage(*module, entry->getName(), *shapes, options.image,
                   [](StringRef, ModuleOp) {});
  if (!code)
    return complaints.behind(code.takeError());
  return serializeImage(code->image);
}

/// All that the bytes depend on.
static std::string keyOf(StringRef source, StringRef name,
                         const SourceOptions &options) {
  const ImageOptions &image = options.image;
  std::string chips, shapes, schedules, ptxas;
  for (const GpuChip &chip : image.gpu.chips)
    chips += chip.name + " ";
  for (CpuLevel level : image.cpus)
    chips += std::string(levelName(level)) + " ";
  for (MemoryClass memoryClass : image.gpu.classes)
    chips += nameOf(memoryClass).str() + " ";
  // Maps have no order of their own.
  std::map<std::string, std::string> sorted;
  for (const auto &shape : options.shapes)
    sorted["shape " + shape.first().str()] = formatShape(shape.second);
  for (const auto &schedule : image.gpu.formation.schedules)
    sorted["schedule " + schedule.first().str()] = schedule.second;
  SmallVector<StringRef> parts = {compilerIdentity(), source, name,
                                  options.entry, chips};
  std::string numbers = std::to_string(image.threads) + " " +
                        std::to_string(image.gpu.optLevel) + " " +
                        std::to_string(image.gpu.leavesSizesOpen) + " " +
                        std::to_string(image.gpu.formation.mostKernels);
  parts.push_back(numbers);
  if (image.gpu.assembles && !image.gpu.chips.empty())
    if (std::optional<std::string> program = findPtxas()) {
      Result<PtxasVersion> version = askPtxasVersion(*program);
      ptxas = version ? version->text : "unknown";
    }
  parts.push_back(ptxas);
  for (const auto &[what, value] : sorted) {
    parts.push_back(what);
    parts.push_back(value);
  }
  return ImageCache::keyOf(parts);
}

Result<std::string> fuse::compileSource(StringRef source, StringRef name,
                                        const SourceOptions &options) {
  if (source.trim().empty())
    return error(ErrorCode::BadInput, name + ": is empty, but a module is "
                                             "needed");
  if (isImage(source))
    return error(ErrorCode::BadInput,
                 name + ": is an image, but a module is needed: an image is "
                        "compiled already");
  if (!isBytecode(llvm::MemoryBufferRef(source, name)))
    if (auto place = findExcessiveNesting(source))
      return error(ErrorCode::BadInput,
                   name + ":" + llvm::Twine(place->first) + ":" +
                       llvm::Twine(place->second) +
                       ": brackets or signs nest more than " +
                       llvm::Twine(maxNesting) + " deep");
  std::optional<ImageCache> cache;
  std::string key;
  if (options.usesCache)
    if (Status status = take(ImageCache::fromEnvironment(), cache); !status)
      return status.takeError();
  if (cache) {
    key = keyOf(source, name, options);
    if (std::optional<std::string> found = cache->find(key))
      return std::move(*found);
  }
  std::optional<Result<std::string>> made;
  {
    WithoutForks whileCompiling;
    if (Status s =
            runOnLargeStack([&] { made = compileHere(source, name, options); });
        !s)
      return std::move(s.takeError()).withContext(name);
  }
  if (*made && cache)
    cache->keep(key, **made);
  return std::move(*made);
}
