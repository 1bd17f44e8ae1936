//===- Session.h - one run of fuse-run --------------------------*- C++ -*-===//
//
// Reads a module, binds data to the arguments of its entry, runs it, and
// collects what came out and whether that is right.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_SESSION_H
#define FUSE_TOOLS_FUSE_RUN_SESSION_H

#include "Arguments.h"
#include "Options.h"
#include "Report.h"
#include "WrittenFiles.h"
#include "fuse/Compiler/Gpu.h"
#include "fuse/Compiler/Reference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>

namespace fuse {

class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// One run of fuse-run.
class Session {
public:
  Session(const RunOptions &options, mlir::MLIRContext &context)
      : options(options), context(context) {}

  Status run();

  RunReport report;
  std::vector<Argument> arguments;

private:
  // Session.cpp: what is done, in its order.
  Status load();
  Status loadImage(Result<Image> read);
  Status chooseRoad();
  Status bind(const RunOptions &sized);
  Result<std::vector<HostBuffer>> execute(Program &program,
                                          llvm::StringRef what);
  void summariseOutputs(llvm::ArrayRef<HostBuffer> outputs);
  Status repeat();
  Status runFurther(Program &program,
                    const llvm::StringMap<ArgumentShape> &further);
  Status bench(Program &program);
  std::vector<const HostBuffer *> inputs() const;

  // SessionCode.cpp: what is compiled, or loaded.
  Result<std::unique_ptr<Program>> compile();
  Result<std::unique_ptr<Program>> compileGpu();
  Result<std::unique_ptr<Program>> compileSimulated();
  Result<std::unique_ptr<Program>> makeImageProgram();
  Result<std::unique_ptr<Program>> compileReference(ReferenceFloats floats,
                                                    llvm::StringRef prefix,
                                                    int64_t sumStride = 1);
  Status writeImage();
  Result<ArgumentLayouts> layOut(llvm::ArrayRef<TensorSignature> inputs,
                                 llvm::ArrayRef<TensorSignature> outputs);
  Status layOutOnGpu();

  // SessionFiles.cpp: what is written beside the graph.
  std::string outputName(size_t number);
  Result<size_t> outputNumber(llvm::StringRef text, llvm::StringRef option);
  template <typename T>
  Status checkOutputNames(const llvm::StringMap<T> &map,
                          llvm::StringRef option);
  Status checkOutputs();
  Status checkFiles();
  std::string fileOfOutput(size_t number);
  Status saveInputs();
  Status saveOutputs(llvm::ArrayRef<HostBuffer> outputs);

  // SessionVerify.cpp: whether results are right.
  Result<std::vector<HostBuffer>> runReference(ReferenceFloats floats,
                                               llvm::StringRef prefix,
                                               llvm::StringRef what,
                                               int64_t sumStride = 1);
  Status verify(llvm::ArrayRef<HostBuffer> outputs);
  Status tryOtherOrders(llvm::ArrayRef<HostBuffer> outputs,
                        llvm::ArrayRef<HostBuffer> unfused,
                        llvm::ArrayRef<HostBuffer> exact,
                        llvm::MutableArrayRef<OutputReport> reports);
  Status expect(llvm::ArrayRef<HostBuffer> outputs);

  static RuntimeError error(ErrorCode code, const llvm::Twine &text) {
    return RuntimeError(code, text.str());
  }

  const RunOptions &options;
  mlir::MLIRContext &context;
  // Diagnostics show the lines of the file that they are about.
  llvm::SourceMgr sources;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp entry;
  std::vector<ArgumentShape> shapes;
  WrittenFiles files;
  /// Null where the CPU is used.
  std::shared_ptr<CudaDevice> device;
  GpuProgram *gpuProgram = nullptr;
  /// What is run in place of a module.
  std::optional<Image> image;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_SESSION_H
