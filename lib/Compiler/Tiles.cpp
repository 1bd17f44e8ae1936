//===- Tiles.cpp - from a module to kernels over tiles --------------------===//
//
// Two beginnings: a graph, and tiles that somebody wrote.
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"
#include "Entry.h"
#include "fuse/Dialect/Tile/IR/Tile.h"

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

/// A graph whose sizes are bound, and the function that launches its kernels.
static Result<func::FuncOp> formTiles(ModuleOp module, StringRef road,
                                      StringRef entry,
                                      SmallVectorImpl<ArgumentShape> &shapes,
                                      const FormationOptions &options,
                                      StageObserver observe) {
  auto prepared = prepareGraph(module, road, entry, shapes, observe,
                               /*dissolvesKernels=*/false);
  if (!prepared)
    return prepared.takeError();
  FormationOptions named = options;
  named.prefix = entry.str();
  if (Status status =
          runStage(module, road, "make kernels of this graph",
                   [&](OpPassManager &pm) { buildGraphToTiles(pm, named); });
      !status)
    return status.takeError();
  auto function = module.lookupSymbol<func::FuncOp>(entryName);
  shapes.clear();
  for (Type type : function.getArgumentTypes())
    shapes.emplace_back(cast<RankedTensorType>(type).getShape());
  return function;
}

Result<func::FuncOp> fuse::makeTiles(ModuleOp module, StringRef road,
                                     StringRef entry,
                                     SmallVectorImpl<ArgumentShape> &shapes,
                                     const FormationOptions &options,
                                     StageObserver observe) {
  Result<func::FuncOp> function =
      hasTileKernels(module)
          ? takeTiles(module, road, entry, options)
          : formTiles(module, road, entry, shapes, options, observe);
  if (function)
    observe("tiles", module);
  return function;
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
