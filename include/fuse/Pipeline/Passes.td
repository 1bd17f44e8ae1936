//===- Passes.td - checks between stages -------------------*- tablegen -*-===//
//
// What may be left in the IR when a stage is over.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_PIPELINE_PASSES_TD
#define FUSE_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckStage : Pass<"fuse-check-stage"> {
  let summary = "check that only the ops of a stage are left";
  let description = [{
    Fails at the first op that does not belong to `stage`, and names it. Every
    pipeline ends with this check, so that a mistake in the order of passes
    shows at once, and where it is.
    (example: test/Pipeline/check-stage.mlir)
  }];
  let options = [Option<"stage", "stage", "::fuse::Stage",
                        /*default=*/"::fuse::Stage::Graph",
                        "the stage that has been reached",
                        [{::llvm::cl::values(
    clEnumValN(::fuse::Stage::Graph, "graph", "graphs as users write them"),
    clEnumValN(::fuse::Stage::Linalg, "linalg", "the unfused reference"),
    clEnumValN(::fuse::Stage::Tiles, "tiles", "kernels over tiles"),
    clEnumValN(::fuse::Stage::Vector, "vector", "functions over vectors"),
    clEnumValN(::fuse::Stage::Placed, "placed", "kernels over placed tiles"),
    clEnumValN(::fuse::Stage::Staged, "staged", "kernels that copy ahead"),
    clEnumValN(::fuse::Stage::Threads, "threads", "what one thread of a GPU does"),
    clEnumValN(::fuse::Stage::LLVM, "llvm", "the LLVM dialect, and nvvm on a GPU"),
    clEnumValN(::fuse::Stage::Binary, "binary", "code for a GPU"))}]>];
}

def DropHost : Pass<"fuse-drop-host", "::mlir::ModuleOp"> {
  let summary = "drop the functions that launch kernels";
  let description = [{
    Afterwards the module holds kernels only. What a host function says, which
    kernels run in which order on which buffers, has become a plan by then and
    is no code.
    (example: test/Pipeline/tiles-to-llvm.mlir)
  }];
}

#endif // FUSE_PIPELINE_PASSES_TD
