//===- FuseKernel.td - groups of ops that are run as one ---*- tablegen -*-===//
//
// The kernel, which draws a line around a part of a graph.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSEKERNEL_TD
#define FUSE_DIALECT_FUSE_IR_FUSEKERNEL_TD

include "fuse/Dialect/Fuse/IR/FuseComposites.td"
include "fuse/Dialect/Fuse/IR/FuseSchedule.td"

def Fuse_KernelOp : Fuse_Op<"kernel",
    [IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable,
     SingleBlock]> {
  let summary = "a part of a graph that is run as one kernel";
  let description = [{
    Only what a kernel yields is stored; everything else in its body exists one
    tile at a time. The body is a graph of plain ops: `fuse` ops other than
    kernels and composites, pointwise `arith` and `math`, constants, `tensor.dim`,
    `tensor.cast`, and arithmetic on sizes. It sees nothing but its arguments,
    which are its operands by other names: tensors, and sizes of type `index`.

    A kernel means what its body means, whatever its `schedule` says;
    `fuse-dissolve-kernels` puts the body in its place. The name is for
    reports, and is the only one of its kind in the function.

    Example:
    ```mlir
    %y:2 = fuse.kernel @norm(%a = %x, %g = %gamma) schedule(#fuse.schedule<parallel = [8]>) : (tensor<8x16xf32>, tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
      %v = fuse.broadcast %g dims [1] : tensor<16xf32> -> tensor<8x16xf32>
      %p = arith.mulf %a, %v : tensor<8x16xf32>
      %s = fuse.reduce sum %p dims [1] : tensor<8x16xf32>
      fuse.yield %p, %s : tensor<8x16xf32>, tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name,
                       Variadic<AnyTypeOf<[Fuse_Tensor, Index]>>:$inputs,
                       OptionalAttr<Fuse_ScheduleAttr>:$schedule);
  let results = (outs Variadic<Fuse_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// The body gets its arguments, and ops and a `fuse.yield` by the caller.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$resultTypes,
                   "::mlir::ValueRange":$inputs,
                   CArg<"::fuse::ScheduleAttr", "{}">:$schedule)>
  ];
  let extraClassDeclaration = [{
    /// What is yielded, in the order of the results.
    ::mlir::OperandRange getYielded();
  }];
}

def Fuse_YieldOp : Fuse_Op<"yield", [Pure, Terminator,
                                     ParentOneOf<["KernelOp"]>]> {
  let summary = "what a kernel stores";
  let description = [{
    Ends the body of a `fuse.kernel` and gives its results.

    Example:
    ```mlir
    %y = fuse.kernel @twice(%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
      %s = arith.addf %a, %a : tensor<8xf32>
      fuse.yield %s : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Fuse_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // FUSE_DIALECT_FUSE_IR_FUSEKERNEL_TD
