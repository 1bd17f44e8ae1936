//===- RejectedSchedules.cpp - schedules kernels may not have -------------===//
//
// Reading them, and telling what became of them.
//
//===----------------------------------------------------------------------===//

#include "RejectedSchedules.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuse;

FailureOr<ScheduleText> fuse::parseScheduleText(StringRef text, Operation *op) {
  auto [kernel, rest] = text.split(':');
  ScheduleText parts{kernel, rest, ""};
  // Without braces it ends at its first comma.
  if (rest.starts_with("{") && rest.ends_with("}"))
    std::tie(parts.schedule, parts.rest) =
        rest.drop_front().drop_back().split("}:{");
  if (!parts.kernel.consume_front("@") || parts.schedule.empty())
    return op->emitError("expected a schedule as '@kernel:{parallel = [64], "
                         "...}', got '")
           << text << "'";
  return parts;
}

FailureOr<ScheduleAttr> fuse::parseScheduleOf(const ScheduleText &text,
                                              Operation *op) {
  auto parsed = parseSchedule(text.schedule, op->getContext());
  if (!parsed)
    return op->emitError("in the schedule of @")
           << text.kernel << ": " << llvm::toString(parsed.takeError());
  return *parsed;
}

FailureOr<RejectedSchedules>
fuse::parseRejectedSchedules(ArrayRef<std::string> texts, Operation *op) {
  RejectedSchedules rejected;
  for (const std::string &text : texts) {
    FailureOr<ScheduleText> parts = parseScheduleText(text, op);
    if (failed(parts))
      return failure();
    FailureOr<ScheduleAttr> schedule = parseScheduleOf(*parts, op);
    if (failed(schedule))
      return failure();
    RejectedSchedule &own = rejected[parts->kernel].emplace_back();
    own.schedule = *schedule;
    auto [factor, reason] = parts->rest.split("}:{");
    own.reason = reason.str();
    if (!factor.empty() && (factor.getAsDouble(own.factor) || own.factor < 1))
      return op->emitError("expected how many times as long as predicted the "
                           "schedule of @")
             << parts->kernel << " takes, at least 1, got '" << factor << "'";
  }
  return rejected;
}

static std::string predicted(double seconds) {
  return std::isfinite(seconds)
             ? llvm::formatv("predicted to take {0:f2} us", seconds * 1e6).str()
             : "of which nothing is predicted";
}

void fuse::remarkOnRejected(KernelOp kernel,
                            ArrayRef<RejectedSchedule> rejected, double seconds,
                            double otherSeconds) {
  for (const RejectedSchedule &each : rejected) {
    bool isKept = each.schedule == kernel.getScheduleAttr();
    std::string text;
    llvm::raw_string_ostream os(text);
    os << kernel.getName() << (isKept ? " keeps " : " rejects ")
       << each.schedule << ", " << predicted(each.seconds);
    if (!each.reason.empty())
      os << (isKept ? ", though " : ", since ") << each.reason;
    if (!isKept)
      os << "; it takes " << kernel.getScheduleAttr() << ", "
         << predicted(seconds);
    else if (std::isfinite(otherSeconds))
      os << "; any other is " << predicted(otherSeconds) << " or more";
    // Who asks for no remarks should know of this one, since kernels may be
    // slower than the model wanted them to be.
    if (kernel.getContext()->getRemarkEngine())
      remark::missed(
          kernel.getLoc(),
          remark::RemarkOpts::name("FormKernels").category("schedule"))
          << text;
    else
      kernel.emitRemark(text);
  }
}
