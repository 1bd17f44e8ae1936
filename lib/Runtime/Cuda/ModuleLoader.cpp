//===- ModuleLoader.cpp - code for the device at hand ---------------------===//
//
// Machine code first, as it needs no assembler and is what was measured; then
// PTX. What was tried before is told when nothing works.
//
//===----------------------------------------------------------------------===//

#include "ModuleLoader.h"
#include "Driver.h"

#include <algorithm>
#include <array>

using namespace fuse;

/// From the table in the PTX manual, "release notes". Of what comes after, only
/// the order is assumed.
CodeVersion fuse::cudaNeededForPtx(CodeVersion ptx) {
  if (ptx.major < 7)
    return {10, 0};
  if (ptx.major == 7)
    return {11, ptx.minor};
  // 8.5 came with 12.5 and with 12.6.
  if (ptx.major == 8)
    return {12, ptx.minor <= 5 ? ptx.minor : ptx.minor + 1};
  return {ptx.major + 4, ptx.minor};
}

namespace {

class Loader {
public:
  Loader(CudaDevice &device, const ImageModule &module)
      : device(device), module(module) {}

  Result<LoadedModule> run();

private:
  /// True if it was loaded.
  bool tryCubin(const ImageCubin &cubin);
  bool tryPtx();
  bool load(const void *code, const std::string &what);
  void addProblem(const std::string &problem) {
    problems += (problems.empty() ? "" : "; ") + problem;
  }

  CudaDevice &device;
  const ImageModule &module;
  LoadedModule loaded;
  /// What is for this chip and did not work.
  std::string problems;
};

} // namespace

/// The log ends where the assembler stopped writing.
static std::string trimmed(std::string_view log) {
  log = log.substr(0, log.find('\0'));
  size_t last = log.find_last_not_of(" \t\r\n");
  return std::string(log.substr(0, last + 1));
}

bool Loader::load(const void *code, const std::string &what) {
  std::array<char, 16384> log = {};
  CudaJitOption options[] = {CudaJitOption::ErrorLog,
                             CudaJitOption::ErrorLogBytes};
  void *values[] = {log.data(),
                    reinterpret_cast<void *>(uintptr_t(log.size() - 1))};
  void *handle = nullptr;
  int status = device.driver().moduleLoadDataEx(
      &handle, code, std::size(values), options, values);
  if (status == cuda_result::success) {
    loaded.handle = handle;
    loaded.origin = what;
    return true;
  }
  std::string problem = device.failure(status, what).message();
  if (std::string text = trimmed({log.data(), log.size()}); !text.empty())
    problem += ": " + text;
  addProblem(problem);
  return false;
}

bool Loader::tryCubin(const ImageCubin &cubin) {
  std::string what = "cubin for " + cubin.chip.str();
  // Within one major version an old driver loads what a newer ptxas made.
  if (cubin.toolkit.major > device.cudaVersion().major) {
    addProblem(what + ": it needs a driver for CUDA " +
               std::to_string(cubin.toolkit.major) +
               ".0 or newer, but this one is for CUDA " +
               device.cudaVersion().str());
    return false;
  }
  return load(cubin.code.data(), what);
}

bool Loader::tryPtx() {
  std::string what = "PTX for " + module.chip.str();
  CodeVersion needed = cudaNeededForPtx(module.ptxVersion);
  if (needed > device.cudaVersion()) {
    addProblem(what + ": PTX " + module.ptxVersion.str() +
               " needs a driver for CUDA " + needed.str() +
               " or newer, but this one is for CUDA " +
               device.cudaVersion().str());
    return false;
  }
  return load(module.ptx.c_str(), what + ", assembled by the driver");
}

Result<LoadedModule> Loader::run() {
  std::vector<const ImageCubin *> fitting;
  for (const ImageCubin &cubin : module.cubins)
    if (cubin.chip.runsCubinOn(device.chip()))
      fitting.push_back(&cubin);
  // What uses most of the chip first.
  std::sort(fitting.begin(), fitting.end(),
            [](const ImageCubin *a, const ImageCubin *b) {
              if (a->chip.minor != b->chip.minor)
                return a->chip.minor > b->chip.minor;
              if (a->chip.features != b->chip.features)
                return a->chip.features > b->chip.features;
              return a < b;
            });
  for (const ImageCubin *cubin : fitting)
    if (tryCubin(*cubin))
      return std::move(loaded);
  if (module.chip.runsPtxOn(device.chip()) && tryPtx())
    return std::move(loaded);
  if (!problems.empty())
    return RuntimeError(ErrorCode::Unsupported,
                        "module '" + module.name + "' cannot be loaded on " +
                            device.chip().str() + " '" + device.name() +
                            "': " + problems);
  loaded.origin = "not loaded: it is for " + module.chip.str();
  return std::move(loaded);
}

Result<LoadedModule> fuse::loadModule(CudaDevice &device,
                                      const ImageModule &module) {
  return Loader(device, module).run();
}
