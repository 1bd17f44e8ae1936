//===- fuse-baselines.cpp - kernels beside memcpy and OpenBLAS ------------===//
//
// Times graphs and what they are measured by in turns, in one process, so that
// both see the same machine. What is printed is the median of the ratios of the
// turns: it stays where it is when the whole machine is slow for a while.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Fused.h"
#include "fuse/Runtime/Fill.h"
#include "fuse/Runtime/ThreadPool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

using namespace fuse;
namespace cl = llvm::cl;

// Not --threads, which LLVM has.
static cl::opt<unsigned> threads(cl::Positional, cl::init(1),
                                 cl::desc("[THREADS"));
static cl::opt<unsigned> samples(cl::Positional, cl::init(21),
                                 cl::desc("[TURNS]]"));
static cl::opt<std::string> blas(
    "blas", cl::init("libopenblas.so.0"),
    cl::desc("the library to multiply matrices with; any that is OpenBLAS"));

namespace {

/// What is timed beside what, and by what it is counted.
struct Pair {
  const char *name, *baseline, *graph;
  /// Bytes that memcpy is given, or 0 where OpenBLAS is the baseline.
  size_t copied;
  /// Operations or bytes, for the rate that is printed, and its unit.
  double work;
  const char *unit;
};

} // namespace

static constexpr size_t kArray = size_t(4096) * 4096 * 4;

/// All of the first three move as many bytes as the copy beside them.
static constexpr Pair pairs[] = {
    {"relu(x + b), f32 4096 x 4096", "memcpy of 64 MiB",
     R"(func.func @main(%x: tensor<4096x4096xf32>, %b: tensor<4096xf32>) -> tensor<4096x4096xf32> {
          %0 = fuse.broadcast %b dims [1] : tensor<4096xf32> -> tensor<4096x4096xf32>
          %1 = arith.addf %x, %0 : tensor<4096x4096xf32>
          %2 = fuse.relu %1 : tensor<4096x4096xf32>
          return %2 : tensor<4096x4096xf32>
        })",
     kArray, 2.0 * kArray, "GB/s"},
    {"softmax of rows, f32 4096 x 4096", "memcpy of 64 MiB",
     R"(func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
          %0 = fuse.softmax %x dim 1 : tensor<4096x4096xf32>
          return %0 : tensor<4096x4096xf32>
        })",
     kArray, 2.0 * kArray, "GB/s"},
    {"sum of rows, f32 8192 x 4096", "memcpy of 64 MiB",
     R"(func.func @main(%x: tensor<8192x4096xf32>) -> tensor<8192xf32> {
          %0 = fuse.reduce sum %x dims [1] : tensor<8192x4096xf32>
          return %0 : tensor<8192xf32>
        })",
     kArray, 2.0 * kArray, "GB/s"},
    {"product, f32 1024^3", "cblas_sgemm",
     R"(func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
          %0 = fuse.matmul %a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
          return %0 : tensor<1024x1024xf32>
        })",
     0, 2.0 * 1024 * 1024 * 1024, "GFLOP/s"},
};

/// Ends the program: there is nobody to hand an error to.
template <typename T> static T take(Result<T> result) {
  if (result)
    return std::move(*result);
  llvm::errs() << "fuse-baselines: " << result.error().message() << "\n";
  std::exit(1);
}

static double secondsOf(llvm::function_ref<void()> body) {
  auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

static double median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A copy of `bytes`, a part for each thread.
static std::function<void()> makeCopy(size_t bytes, ThreadPool &pool) {
  auto allocate = [&] {
    return std::make_shared<HostBuffer>(take(
        HostBuffer::allocate(ElementType::I8, {static_cast<int64_t>(bytes)})));
  };
  std::shared_ptr<HostBuffer> from = allocate(), to = allocate();
  std::memset(from->data(), 1, bytes);
  std::memset(to->data(), 2, bytes);
  return [=, &pool] {
    auto part = [&](int64_t begin, int64_t end, unsigned) {
      std::memcpy(static_cast<char *>(to->data()) + begin,
                  static_cast<const char *>(from->data()) + begin, end - begin);
    };
    (void)pool.parallelFor(0, bytes, bytes / pool.numThreads(), part);
  };
}

/// OpenBLAS on the matrices that the graph gets, or nothing without it.
static std::function<void()> makeProduct(const HostBuffer &a,
                                         const HostBuffer &b, HostBuffer &c) {
  auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(blas.c_str());
  auto setThreads = reinterpret_cast<void (*)(int)>(
      library.getAddressOfSymbol("openblas_set_num_threads"));
  using Product =
      void (*)(int order, int transA, int transB, int m, int n, int k,
               float alpha, const float *a, int lda, const float *b, int ldb,
               float beta, float *c, int ldc);
  auto product =
      reinterpret_cast<Product>(library.getAddressOfSymbol("cblas_sgemm"));
  if (!setThreads || !product)
    return {};
  setThreads(threads);
  constexpr int rowMajor = 101, asItIs = 111, n = 1024;
  return [=, &a, &b, &c] {
    product(rowMajor, asItIs, asItIs, n, n, n, 1,
            static_cast<const float *>(a.data()), n,
            static_cast<const float *>(b.data()), n, 0,
            static_cast<float *>(c.data()), n);
  };
}

static void compare(const Pair &pair, mlir::MLIRContext &context,
                    ThreadPool &pool) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(pair.graph, &context);
  if (!module)
    std::exit(1);
  FusedOptions options;
  options.threads = threads;
  llvm::SmallVector<ArgumentShape> shapes;
  module->walk([&](mlir::func::FuncOp function) {
    for (mlir::Type type : function.getArgumentTypes())
      shapes.emplace_back(llvm::cast<mlir::RankedTensorType>(type).getShape());
  });
  auto program =
      take(FusedProgram::compile(*module, "main", shapes, options,
                                 [](llvm::StringRef, mlir::ModuleOp) {}));
  std::vector<HostBuffer> inputs, outputs, spare;
  for (const TensorSignature &input : program->inputs()) {
    inputs.push_back(take(HostBuffer::allocate(input.type, input.shape)));
    fill(inputs.back(), FillSpec::defaultFor(input.type), inputs.size());
  }
  for (const TensorSignature &output : program->outputs()) {
    outputs.push_back(take(HostBuffer::allocate(output.type, output.shape)));
    spare.push_back(take(HostBuffer::allocate(output.type, output.shape)));
  }
  std::vector<const HostBuffer *> given;
  for (const HostBuffer &input : inputs)
    given.push_back(&input);

  std::function<void()> baseline =
      pair.copied ? makeCopy(pair.copied, pool)
                  : makeProduct(inputs[0], inputs[1], spare[0]);
  std::vector<double> ours, theirs, ratios;
  for (unsigned turn = 0; turn < samples + 2; ++turn) {
    auto run = [&] {
      if (Status status = program->run(given, outputs); !status) {
        llvm::errs() << "fuse-baselines: " << status.error().message() << "\n";
        std::exit(1);
      }
    };
    // First some for nothing: they find the caches as the other side left them,
    // and threads that the system has yet to spread over processors.
    for (int i = 0; i < 5; ++i)
      run();
    double mine = secondsOf(run), other = 0;
    if (baseline) {
      baseline();
      other = secondsOf(baseline);
      // Threads of OpenBLAS wait for more work in a loop, for a while.
      if (!pair.copied)
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    if (turn < 2)
      continue;
    ours.push_back(mine);
    theirs.push_back(other);
    ratios.push_back(other != 0 ? mine / other : 0);
  }
  llvm::outs() << llvm::format("%-34s %8.2f ms %7.1f %-8s", pair.name,
                               median(ours) * 1e3,
                               pair.work / median(ours) * 1e-9, pair.unit);
  if (baseline)
    llvm::outs() << llvm::format("%-17s %8.2f ms   %.2f times as long\n",
                                 pair.baseline, median(theirs) * 1e3,
                                 median(ratios));
  else
    llvm::outs() << pair.baseline << ": " << blas << " is not there\n";
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(
      argc, argv,
      "fuse-baselines: kernels beside memcpy and OpenBLAS, in turns\n");
  if (samples == 0) {
    llvm::errs() << "fuse-baselines: at least 1 turn is needed, but "
                    "TURNS is 0\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  std::unique_ptr<ThreadPool> pool = take(ThreadPool::create(threads));
  for (const Pair &pair : pairs)
    compare(pair, context, *pool);
  return 0;
}
