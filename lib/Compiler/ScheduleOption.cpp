//===- ScheduleOption.cpp - schedules that somebody gives -----------------===//
//
// Attributes need a context, which is of no further use.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/ScheduleOption.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "fuse/Dialect/Fuse/IR/FuseSchedule.h"
#include "mlir/IR/MLIRContext.h"

using namespace fuse;

Result<std::string> fuse::checkScheduleText(llvm::StringRef text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<FuseDialect>();
  if (auto parsed = parseSchedule(text, &context); !parsed)
    return RuntimeError(ErrorCode::BadUsage,
                        llvm::toString(parsed.takeError()));
  return text.str();
}
