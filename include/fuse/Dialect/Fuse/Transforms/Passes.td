//===- Passes.td - passes from graphs to graphs ------------*- tablegen -*-===//
//
// What can be done to a graph while it stays one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_TD
#define FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"fuse-decompose"> {
  let summary = "expand the composites into the ops that they are words for";
  let description = [{
    Afterwards no op implements `CompositeOpInterface`. The expansion is the
    definition of a composite, so this pass chooses nothing.
    (example: test/Dialect/Fuse/decompose.mlir)
  }];
  let statistics = [Statistic<"numExpanded", "expanded",
                              "composites expanded">];
  let dependentDialects = ["::fuse::FuseDialect"];
}

def BindSizes : Pass<"fuse-bind-sizes", "::mlir::func::FuncOp"> {
  let summary = "make a function's sizes static, given those of its arguments";
  let description = [{
    Afterwards every tensor of the function has a static shape. `shapes` gives
    the shape of each argument in order (`13x37`, `scalar` for rank 0); for an
    argument of type `index` it gives the value, and the argument stays, unused.

    Sizes that contradict each other anywhere in the function are reported at
    the op that brings them together. So are sizes that do not follow from the
    arguments.
    (example: test/Dialect/Fuse/bind-sizes.mlir)
  }];
  let options = [ListOption<"shapes", "shapes", "std::string",
                            "shape of each argument, or value of an index">];
  let dependentDialects = ["::fuse::FuseDialect",
                           "::mlir::arith::ArithDialect"];
}

def WidenFloats : Pass<"fuse-widen-floats", "::mlir::func::FuncOp"> {
  let summary = "compute everything in f64";
  let description = [{
    Afterwards every float of the function, its arguments and results included,
    is an f64, and every product has precision `ieee`. Constants keep the
    number that they are in their narrow type.

    The casts that the user wrote either vanish (`casts=drop`: the exact value
    of the mathematics) or go on rounding to what they rounded to
    (`casts=round`: exact but for what the user asked to be rounded).

    Composites must have been decomposed: their constants would be others.
    (example: test/Dialect/Fuse/widen-floats.mlir)
  }];
  let options = [Option<"casts", "casts", "::fuse::WidenedCasts",
                        /*default=*/"::fuse::WidenedCasts::Drop",
                        "what becomes of casts between floats",
                        [{::llvm::cl::values(
    clEnumValN(::fuse::WidenedCasts::Drop, "drop", "they vanish"),
    clEnumValN(::fuse::WidenedCasts::Round, "round", "they still round"))}]>];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PrintElements : Pass<"fuse-print-elements", "::mlir::func::FuncOp"> {
  let summary = "print each result of a graph as an expression of one element";
  let description = [{
    Prints what the elements of every result are in terms of the arguments: the
    first half of how kernels are derived. `o0`, `o1`, ... are the index of the
    result; `r64_0` is a variable that a reduction over a dimension of size 64
    binds. What stands in the expression once is shared. Changes nothing.

    Composites must have been decomposed.
    (example: test/Analysis/elements.mlir)
  }];
}

#endif // FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_TD
