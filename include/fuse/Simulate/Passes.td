//===- Passes.td - kernels that are run where they are -----*- tablegen -*-===//
//
// Tests of kernels in any of their forms, and of what they become.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_SIMULATE_PASSES_TD
#define FUSE_SIMULATE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimulateKernels : Pass<"tile-simulate", "::mlir::ModuleOp"> {
  let summary = "run kernels on the CPU and look for races";
  let description = [{
    Changes nothing. Every kernel of the module is run on the same made-up whole
    numbers, `seeds` times with other timing, and fails where it breaks a rule of
    the staged form, reads or writes beside its memory, or leaves an element
    unwritten. What it writes has to be what the first kernel of the module wrote
    at first; so all of them have the same arguments, of static sizes, and the same grid.
    docs/Simulate.md says what is checked.
    (example: test/Simulate/right.mlir)
  }];
  let options = [
    ListOption<"grid", "grid", "int64_t",
               "how many blocks there are in each dimension">,
    Option<"seeds", "seeds", "uint64_t", /*default=*/"6",
           "how many seeds of timing to try">,
    Option<"mostWork", "most-work", "uint64_t", /*default=*/"uint64_t(1) << 38",
           "after how many operations on single elements to give up">
  ];
}

def SimulateThreads : Pass<"threads-simulate", "::mlir::ModuleOp"> {
  let summary = "run the threads of kernels as far as barriers go";
  let description = [{
    Changes nothing. Takes functions that `convert-tile-to-nvvm` has made. The
    threads of the first cluster of blocks, and of the last one, are run `seeds`
    times with other timing: barriers and how many threads and bytes they count,
    what the copy engine is told, registers that are handed over, and who touches
    which bytes of shared memory. Numbers of tiles are not computed, and of sizes
    that are parameters nothing is known but what `sizes` says.
    docs/Simulate.md says what is checked.
    (example: test/Simulate/threads.mlir)
  }];
  let options = [
    ListOption<"grid", "grid", "int64_t",
               "how many blocks there are in each dimension; 2 where it says "
               "nothing, if the kernel does not know">,
    ListOption<"sizes", "sizes", "int64_t",
               "the sizes and strides that are parameters, of all memories in "
               "their order">,
    Option<"seeds", "seeds", "uint64_t", /*default=*/"4",
           "how many seeds of timing to try">
  ];
}

#endif // FUSE_SIMULATE_PASSES_TD
