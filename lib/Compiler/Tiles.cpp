//===- Tiles.cpp - from a module to kernels over tiles --------------------===//
//
// Two beginnings: a graph, and tiles that somebody wrote.
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"
#include "Entry.h"
#include "fuse/Runtime/File.h"

using namespace mlir;
using namespace fuse;

bool fuse::hasTileKernels(ModuleOp module) {
  return !module.getOps<tile::KernelOp>().empty();
}

/// The host function of a module that is at the stage `tiles` already.
static Result<func::FuncOp> takeTiles(ModuleOp module, StringRef road,
                                      StringRef entry,
                                      const FormationOptions &options) {
  if (!options.schedules.empty())
    return RuntimeError(ErrorCode::BadUsage,
                        "--schedule names kernel '" +
                            options.schedules.begin()->first().str() +
                            "', but the module consists of tiles already");
  if (!options.reportFile.empty())
    return RuntimeError(ErrorCode::BadUsage,
                        "--fuse-report has nothing to say: the module consists "
                        "of tiles already");
  if (options.mostKernels != 0)
    return RuntimeError(ErrorCode::BadUsage,
                        "--most-kernels has nothing to do: the module consists "
                        "of tiles already");
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return RuntimeError(ErrorCode::BadInput,
                        ("there is no function '" + entry + "'").str());
  auto functions = module.getOps<func::FuncOp>();
  for (func::FuncOp other : llvm::make_early_inc_range(functions))
    if (other != function)
      other.erase();
  if (Status status = runStage(module, road, "take this op among tiles",
                               [](OpPassManager &pm) {
                                 pm.addPass(createCheckStage({Stage::Tiles}));
                               });
      !status)
    return status.takeError();
  auto kernels = module.getOps<tile::KernelOp>();
  for (tile::KernelOp kernel : llvm::make_early_inc_range(kernels))
    if (SymbolTable::symbolKnownUseEmpty(kernel, module))
      kernel.erase();
  return function;
}

/// Kernels have names only when they are formed. Where that stopped because of
/// a schedule for a kernel that there is not, who asked for it is wrong, and
/// not the graph.
static Status checkScheduledKernels(ModuleOp module,
                                    const FormationOptions &options) {
  llvm::SetVector<StringRef> names;
  module.walk([&](KernelOp kernel) { names.insert(kernel.getName()); });
  // Those that have been converted before one could not be.
  module.walk([&](tile::KernelOp kernel) { names.insert(kernel.getName()); });
  if (names.empty())
    return Status::success();
  for (StringRef name : options.schedules.keys())
    if (!names.contains(name))
      return RuntimeError(ErrorCode::BadUsage, "there is a schedule for @" +
                                                   name.str() +
                                                   ", but the kernels are @" +
                                                   llvm::join(names, ", @"));
  return Status::success();
}

/// The function that launches the kernels of a graph.
static Result<TiledGraph>
formTiles(ModuleOp module, StringRef road, StringRef entry,
          ArrayRef<ArgumentShape> shapes, bool leavesSizesOpen,
          const FormationOptions &options, StageObserver observe) {
  auto prepared = prepareGraph(module, road, entry, shapes, observe,
                               /*dissolvesKernels=*/false, leavesSizesOpen);
  if (!prepared)
    return prepared.takeError();
  FailureOr<OpenSizes> sizes = findOpenSizes(*prepared);
  if (failed(sizes))
    return RuntimeError(
        ErrorCode::Unsupported,
        (road + " cannot leave the sizes of this graph open").str());
  FormationOptions named = options;
  named.prefix = entry.str();
  std::string report;
  std::string *wanted = options.reportFile.empty() ? nullptr : &report;
  Status formed = runStage(
      module, road, "make kernels of this graph",
      [&](OpPassManager &pm) { buildGraphToTiles(pm, named, wanted); });
  // Also where kernels were formed for which there is no code.
  if (std::string_view piece = report; !piece.empty())
    if (Status status = writeFile(options.reportFile, {&piece, 1}); !status)
      return std::move(status.takeError()).withContext("--fuse-report");
  if (!formed) {
    if (Status status = checkScheduledKernels(module, options); !status)
      return status.takeError();
    return formed.takeError();
  }
  TiledGraph tiled;
  tiled.function = module.lookupSymbol<func::FuncOp>(entryName);
  tiled.sizes = std::move(*sizes);
  return tiled;
}

/// The sizes of arguments of kernels that somebody wrote.
static void takeSizes(TiledGraph &tiled, ArrayRef<ArgumentShape> shapes,
                      bool leavesSizesOpen) {
  for (auto [argument, shape] :
       llvm::zip(tiled.function.getArguments(), shapes)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (argument.getType().isIndex()) {
      llvm::append_range(tiled.scalars, shape);
      continue;
    }
    std::vector<SizeExpression> sizes(shape.begin(), shape.end());
    for (uint32_t dim = 0; leavesSizesOpen && dim < sizes.size(); ++dim)
      if (type && type.isDynamicDim(dim))
        sizes[dim] = SizeExpression::size(tiled.sizes.inputs.size(), dim);
    tiled.sizes.inputs.push_back(std::move(sizes));
  }
}

/// A kernel but for its name.
static std::string textOf(tile::KernelOp kernel) {
  OwningOpRef<tile::KernelOp> nameless = kernel.clone();
  nameless->setName("kernel");
  std::string text;
  llvm::raw_string_ostream stream(text);
  nameless->print(stream, OpPrintingFlags().assumeVerified().useLocalScope());
  return text;
}

/// The layers of a model have the same kernels by other names: all of them
/// launch the first one, so that it is compiled once. The plan's steps keep
/// their names, by which schedules are given.
static void mergeEqualKernels(TiledGraph &tiled) {
  llvm::StringMap<tile::KernelOp> byText;
  llvm::DenseMap<StringAttr, tile::KernelOp> firsts;
  llvm::SetVector<Operation *> others;
  for (tile::KernelOp &kernel : tiled.plan.kernels) {
    tile::KernelOp &first = firsts[kernel.getSymNameAttr()];
    if (!first)
      first = byText.try_emplace(textOf(kernel), kernel).first->second;
    if (first != kernel)
      others.insert(kernel);
    kernel = first;
  }
  tiled.function.walk([&](tile::LaunchOp launch) {
    tile::KernelOp first = firsts.lookup(launch.getKernelAttr().getAttr());
    launch.setKernel(first.getSymName());
  });
  for (Operation *other : others)
    other->erase();
}

Result<TiledGraph>
fuse::makeTiles(ModuleOp module, StringRef road, StringRef entry,
                ArrayRef<ArgumentShape> shapes, bool leavesSizesOpen,
                const FormationOptions &options, StageObserver observe) {
  TiledGraph tiled;
  auto original = module.lookupSymbol<func::FuncOp>(entry);
  SmallVector<ArgumentShape> inputs;
  if (original)
    for (auto [argument, shape] : llvm::zip(original.getArguments(), shapes))
      if (!argument.getType().isIndex())
        inputs.push_back(shape);
  if (hasTileKernels(module)) {
    Result<func::FuncOp> function = takeTiles(module, road, entry, options);
    if (!function)
      return function.takeError();
    tiled.function = *function;
    takeSizes(tiled, shapes, leavesSizesOpen);
  } else {
    auto formed = formTiles(module, road, entry, shapes, leavesSizesOpen,
                            options, observe);
    if (!formed)
      return formed.takeError();
    tiled = std::move(*formed);
  }
  tiled.inputs = std::move(inputs);
  observe("tiles", module);
  Result<LaunchPlan> plan =
      planLaunches(tiled.function, tiled.sizes, tiled.scalars);
  if (!plan)
    return plan.takeError();
  tiled.plan = std::move(*plan);
  mergeEqualKernels(tiled);
  return tiled;
}

Status fuse::stageTiles(ModuleOp module, StringRef road, const GpuChip &chip,
                        StageObserver observe) {
  auto place = [&](OpPassManager &pm) { buildTilesToPlaced(pm, chip); };
  if (Status status = runStage(module, road, "lay these tiles out", place);
      !status)
    return status;
  observe(chip.name + "-placed", module);
  auto stage = [&](OpPassManager &pm) { buildPlacedToStaged(pm, chip); };
  if (Status status =
          runStage(module, road, "copy ahead in these kernels", stage);
      !status)
    return status;
  observe(chip.name + "-staged", module);
  return Status::success();
}
