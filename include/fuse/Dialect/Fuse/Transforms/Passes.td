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
    definition of a composite, so this pass chooses nothing. A `math.sincos` is
    a `math.sin` and a `math.cos` then.
    (example: test/Dialect/Fuse/decompose.mlir)
  }];
  let statistics = [Statistic<"numExpanded", "expanded",
                              "composites expanded">];
  let dependentDialects = ["::fuse::FuseDialect", "::mlir::math::MathDialect"];
}

def DissolveKernels : Pass<"fuse-dissolve-kernels"> {
  let summary = "put the body of every kernel in the kernel's place";
  let description = [{
    Afterwards there is no `fuse.kernel`. The graph means what it meant, since a
    kernel means what its body means; its schedules are forgotten. The reference
    road begins with this pass.
    (example: test/Dialect/Fuse/kernel-dissolve.mlir)
  }];
  let statistics = [Statistic<"numDissolved", "dissolved",
                              "kernels dissolved">];
  let dependentDialects = ["::fuse::FuseDialect"];
}

def DropPromises : Pass<"fuse-drop-promises"> {
  let summary = "drop what integers promise";
  let description = [{
    Afterwards no op has `overflow` flags or is `exact`. What is computed where
    such a promise does not hold is then what it is without. All roads begin
    with this pass.
    (example: test/Dialect/Fuse/drop-promises.mlir)
  }];
}

def FactorScales : Pass<"fuse-factor-scales"> {
  let summary = "subtract a maximum before the scale, not behind it";
  let description = [{
    `exp(c x - max(c x))` with a positive constant `c` becomes
    `exp(c (x - max x))`, also where a mask, a broadcast or a choice between
    zeros and infinities stands in between. Where the maximum is computed in the
    same kernel as what it is subtracted from, no element is scaled for it, and
    the difference is exact where two products would have been rounded. A bias
    that is added to `c x`, slopes times positions, is divided by `c` where the
    slopes are.
    (example: test/Dialect/Fuse/factor-scales.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitConversions : Pass<"fuse-split-conversions"> {
  let summary = "convert positions to floats before they are added";
  let description = [{
    A sum or a difference of positions (`fuse.iota`) and constants that is
    converted to f32 or f64 becomes one of floats, if those hold all integers
    that there may be. Positions are converted once for each row or column then,
    not for each element.
    (example: test/Dialect/Fuse/split-conversions.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitResults : Pass<"fuse-split-results"> {
  let summary = "make ops of two results ones of one";
  let description = [{
    `arith.addui_extended` becomes a sum and a comparison, and
    `arith.mulsi_extended` and `arith.mului_extended` become two products: of what
    has up to 32 bits, the upper half is computed in twice as many, and of 64 by
    halves. Afterwards every pointwise op has one result.
    (example: test/Dialect/Fuse/split-results.mlir)
  }];
  let dependentDialects = ["::fuse::FuseDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CopyFactors : Pass<"fuse-copy-factors"> {
  let summary = "let factors be copied whose rows begin anywhere";
  let description = [{
    Behind arguments and results whose rows begin elsewhere than at multiples of 16
    bytes, and slices that do, products read a `fuse.copy`. If it is stored, which
    `fuse-form-kernels` decides by its cost, its rows begin where the copy engine
    takes them; if not, it is nothing.
    (example: test/Dialect/Fuse/copy-factors.mlir)
  }];
}

def FormKernels : Pass<"fuse-form-kernels", "::mlir::ModuleOp"> {
  let summary = "group a graph into kernels";
  let description = [{
    Afterwards every op of a graph stands in a `fuse.kernel` with a complete
    `#fuse.schedule`, and what a kernel does not yield is never stored. Kernels
    that were there before stay as they are; those without a schedule get one.

    Which values are stored is searched for by predicted cost, beginning with
    everything fused and with nothing fused. The remarks of category `fusion`
    say for every edge of the graph why it was fused, or what fusing it would
    have cost; those of category `schedule` say how reductions share loops. The
    same decisions go to the file `report`, as JSON. A graph with many such
    values is searched in stretches between values through which everything
    passes, and kernels that look the same are costed once, so that planning a
    network of equal layers takes as long as planning a few of them.

    With `most-kernels` fewer values are stored than would pay, until so few
    kernels are left; it is an error if there is no way. Kernels that were there
    before are not counted.

    `schedules` replaces the schedules of kernels: `@name:` and, in braces, what
    stands in the attribute; commas are between one kernel and the next, as in
    `@f_0:{parallel = [8], split = 2},@f_1:{owned = 1}`. A kernel is named by its
    function and a number.

    `rejected` names schedules, in the same way, that kernels may not have: each
    then has the best of the others. How many times as long as predicted it is
    thought to take, 1.5 if nothing is said, and a reason may follow, as in
    `@f_0:{parallel = [8]}:{1.2}:{it spills}`. If all others are predicted to
    take longer than the first that is named, the kernel has that one. A remark
    of category `schedule` tells what was rejected, why, and what is taken.
    Which values are stored does not change, and what `schedules` or the graph
    gives to a kernel stays.
    (example: test/Dialect/Fuse/form-kernels.mlir)
    (example: test/Dialect/Fuse/form-kernels-rejected.mlir)
  }];
  let options = [
    Option<"machine", "machine", "::fuse::MachineKind",
           "::fuse::MachineKind::Cpu", "whose costs to compare",
           "llvm::cl::values("
           "clEnumValN(::fuse::MachineKind::Cpu, \"cpu\", \"this machine\"), "
           "clEnumValN(::fuse::MachineKind::H200, \"h200\", \"an H200\"))">,
    Option<"threads", "threads", "unsigned", "2", "how many threads a CPU runs">,
    Option<"sharedBytes", "shared-bytes", "unsigned", "0",
           "how much shared memory a block of a GPU may have; 0: what the "
           "machine has">,
    Option<"hasWarpgroups", "warpgroups", "bool", "true",
           "whether four warps of a GPU can multiply together">,
    Option<"sharedPart", "shared-part", "double", "1.0",
           "what part of it to count on: what a kernel needs is estimated, and "
           "who finds that one needs more asks for less">,
    Option<"prefix", "prefix", "std::string", "\"\"",
           "what kernels are called; the function's name if nothing is said">,
    Option<"report", "report", "std::string", "\"\"",
           "a file for all decisions">,
    Option<"mostKernels", "most-kernels", "unsigned", "0",
           "how many kernels to make at most, though more would be faster; "
           "0: as many as pay">,
    ListOption<"schedules", "schedules", "std::string",
               "schedules of kernels: @name:{...}, ...">,
    ListOption<"rejected", "rejected", "std::string",
               "schedules that kernels may not have: @name:{...}, ...">
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels formed">,
    Statistic<"numCosted", "costed", "kernels costed, copies not counted">
  ];
  let dependentDialects = ["::fuse::FuseDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BindSizes : Pass<"fuse-bind-sizes", "::mlir::func::FuncOp"> {
  let summary = "make a function's sizes static, given those of its arguments";
  let description = [{
    Afterwards every tensor of the function has a static shape, in kernels too.
    `shapes` gives the shape of each argument in order (`13x37`, `scalar` for
    rank 0); for an argument of type `index` it gives the value, and the
    argument stays, unused, as does an operand of a kernel that is a size.

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

def InlineResources : Pass<"fuse-inline-resources", "::mlir::func::FuncOp"> {
  let summary = "make numbers of data that constants name";
  let description = [{
    Afterwards no `arith.constant` is a `dense_resource`: its data are elements.
    Data that are missing, or of another size than the type needs, are an error.
    (example: test/Dialect/Fuse/inline-resources.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
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

def ReorderSums : Pass<"fuse-reorder-sums", "::mlir::func::FuncOp"> {
  let summary = "sum the same terms in another order";
  let description = [{
    The terms of every product, sum, mean and product of elements of static size
    are taken in another order: every `stride`th from the first on, then from
    the second on, and so on. What is computed differs by roundings only. The
    reference road runs with several strides to find out how far roundings can
    lead: the largest error of few results is a matter of luck.

    Composites must have been decomposed: their sums are not seen.
    (example: test/Dialect/Fuse/reorder-sums.mlir)
  }];
  let options = [Option<"stride", "stride", "int64_t", "2",
                        "how far apart terms are that follow each other">];
  let dependentDialects = ["::fuse::FuseDialect"];
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
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def PrintCascades : Pass<"fuse-print-cascades", "::mlir::func::FuncOp"> {
  let summary = "print how reductions of reductions can share a loop";
  let description = [{
    Prints, for every reduction that needs others over its own variables, by
    which strategy it joins their loop and what the loop then carries, or why
    it needs a loop of its own. Behind them stand the conditions without which
    the loop's accumulators get nothing, and what they say about its ends.
    Changes nothing.

    Composites must have been decomposed.
    (example: test/Analysis/cascade.mlir)
  }];
  let options = [
    Option<"strategy", "strategy", "::fuse::CascadeStrategy",
           /*default=*/"::fuse::CascadeStrategy::Auto",
           "what to ask for, for every reduction and every statistic",
           [{::llvm::cl::values(
             clEnumValN(::fuse::CascadeStrategy::Auto, "auto",
                        "what the rule finds"),
             clEnumValN(::fuse::CascadeStrategy::Sequential, "sequential",
                        "a loop of its own"),
             clEnumValN(::fuse::CascadeStrategy::Rescale, "rescale",
                        "corrected when the statistic moves"),
             clEnumValN(::fuse::CascadeStrategy::Defer, "defer",
                        "the statistic is applied behind the loop"),
             clEnumValN(::fuse::CascadeStrategy::Pilot, "pilot",
                        "corrected once, from the first block's mean"))}]>,
    Option<"allowDeferShift", "allow-defer-shift", "bool", /*default=*/"false",
           "shifts may come late although digits cancel">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // FUSE_DIALECT_FUSE_TRANSFORMS_PASSES_TD
