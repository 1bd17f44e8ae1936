//===- SessionVerify.cpp - whether results are right ----------------------===//

#include "Compare.h"
#include "Session.h"
#include "fuse/Runtime/Npy.h"

using namespace mlir;
using namespace fuse;

Result<std::vector<HostBuffer>> Session::runReference(ReferenceFloats floats,
                                                      StringRef prefix,
                                                      StringRef what,
                                                      int64_t sumStride) {
  auto program = compileReference(floats, prefix, sumStride);
  if (!program)
    return program.takeError();
  return execute(**program, what);
}

Status Session::verify(ArrayRef<HostBuffer> outputs) {
  report.verify = options.verify;
  if (options.verify == VerifyMode::None)
    return Status::success();
  // Those of this run.
  auto ownOutputs = MutableArrayRef(report.outputs).take_back(outputs.size());
  auto exact = runReference(options.reference, "reference-",
                            "running the reference in f64");
  if (!exact)
    return exact.takeError();
  if (options.verify == VerifyMode::Exact) {
    report.isJudged = true;
    for (auto [output, wanted, entry] :
         llvm::zip_equal(outputs, *exact, ownOutputs))
      entry.verified = compareExactly(output, wanted);
    return Status::success();
  }
  // The road that runs op by op in the types as written is the yardstick. Its
  // own error can be told, but not judged.
  report.isJudged = report.isFused;
  std::optional<std::vector<HostBuffer>> unfused;
  if (report.isFused) {
    auto same = runReference(ReferenceFloats::Same, "unfused-",
                             "running op by op in the types as written");
    if (!same)
      return same.takeError();
    unfused = std::move(*same);
  }
  for (auto [i, entry] : llvm::enumerate(ownOutputs))
    entry.verified = compareWithUnfused(
        outputs[i], unfused ? (*unfused)[i] : outputs[i], (*exact)[i]);
  return unfused ? tryOtherOrders(outputs, *unfused, *exact, ownOutputs)
                 : Status::success();
}

/// Gives results that seem wrong, and of which there are few, the largest error
/// of several orders of sums.
Status Session::tryOtherOrders(ArrayRef<HostBuffer> outputs,
                               ArrayRef<HostBuffer> unfused,
                               ArrayRef<HostBuffer> exact,
                               MutableArrayRef<OutputReport> reports) {
  for (unsigned order = 0;; ++order) {
    auto mayBeRight = [&](auto pair) {
      auto [output, entry] = pair;
      return !entry.verified->isRight() &&
             std::isfinite(entry.verified->error) &&
             order < ordersToTry(output.elementCount());
    };
    if (llvm::none_of(llvm::zip_equal(outputs, reports), mayBeRight))
      return Status::success();
    auto other =
        runReference(ReferenceFloats::Same, "reordered-",
                     "running op by op with sums in another order", order + 2);
    if (!other)
      return other.takeError();
    for (auto [i, entry] : llvm::enumerate(reports))
      entry.verified =
          compareWithUnfused(outputs[i], unfused[i], exact[i],
                             std::max(entry.verified->unfusedError,
                                      largestError((*other)[i], exact[i])));
  }
}

Status Session::expect(ArrayRef<HostBuffer> outputs) {
  for (const auto &expected : options.expected) {
    auto number = outputNumber(expected.first(), "expect");
    if (!number)
      return number.takeError();
    const HostBuffer &output = outputs[*number];
    auto wanted = readNpy(expected.second, output.type());
    if (!wanted)
      if (auto wide = readNpy(expected.second, ElementType::F64))
        wanted = std::move(wide);
    if (!wanted)
      return wanted.takeError();
    if (wanted->shape() != output.shape())
      return error(ErrorCode::BadInput, expected.second + ": has shape " +
                                            formatShape(wanted->shape()) +
                                            ", but output " + expected.first() +
                                            " has shape " +
                                            formatShape(output.shape()));
    OutputReport &entry = report.outputs[*number];
    entry.expectedFile = expected.second;
    entry.expected = compareWithin(output, *wanted, options.relativeTolerance,
                                   options.absoluteTolerance);
  }
  return Status::success();
}
