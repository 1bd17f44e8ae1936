//===- Passes.td - kernels become code for a chip ----------*- tablegen -*-===//
//
// The last pass on the road to a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_PASSES_TD
#define FUSE_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNVVMToBinary : Pass<"convert-nvvm-to-binary", "::mlir::ModuleOp"> {
  let summary = "make PTX and machine code of the kernels in every gpu.module";
  let description = [{
    Afterwards every `gpu.module` is a `gpu.binary` of the same name, with an
    object for each form of code that `format` asks for: PTX is an `assembly`
    object, machine code a `bin` one. The table of kernels in each object says
    what a launch needs: `threads` of a block and bytes of `dynamic_shared`
    memory. Beside machine code it has what ptxas says of the kernel as well:
    `registers` of a thread, `spill_stores`, `spill_loads`, `stack` and `shared`
    in bytes, and how many blocks a multiprocessor runs at a time,
    `resident_blocks`.

    A module that says for which chip it was lowered, by its attribute
    `tile.chip`, becomes code for no other.

    A kernel that spills registers to memory is a warning where the kernel was
    written, and so is whatever ptxas warns of, such as products of a warpgroup
    that have to wait for each other.

    It is the emission that `fuse-run` uses: math is LLVM's, no library of
    device functions is linked, and ptxas is the one that the environment's
    `FUSE_PTXAS` names, that of `CUDA_HOME`, of the path, or of
    `/usr/local/cuda`. PTX alone needs none.
    (example: test/Target/nvvm-to-binary.mlir)
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "which GPU to make code for, by the name of its architecture">,
    Option<"format", "format", "::fuse::CodeFormat",
           "::fuse::CodeFormat::Ptx", "which form of code to make",
           [{::llvm::cl::values(
    clEnumValN(::fuse::CodeFormat::Ptx, "ptx", "PTX, as text"),
    clEnumValN(::fuse::CodeFormat::Cubin, "cubin", "machine code; needs ptxas"),
    clEnumValN(::fuse::CodeFormat::Both, "both", "PTX and machine code"))}]>,
    Option<"optLevel", "opt-level", "unsigned", "3",
           "how much LLVM and ptxas optimise, from 0 to 3">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // FUSE_TARGET_PASSES_TD
