//===- FuseOps.td - the plain ops of the graph dialect -----*- tablegen -*-===//
//
// What upstream's tensor math lacks. Every example below is parsed by
// test/Dialect/Fuse/documentation.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSEOPS_TD
#define FUSE_DIALECT_FUSE_IR_FUSEOPS_TD

include "fuse/Dialect/Fuse/IR/FuseAttrs.td"
include "fuse/Dialect/Fuse/IR/FuseDialect.td"
include "fuse/Dialect/Fuse/IR/FuseInterfaces.td"
include "fuse/Dialect/Fuse/IR/FuseTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// An op whose result type follows from its operands and attributes.
class Fuse_InferredOp<string mnemonic, list<Trait> traits = []>
    : Fuse_Op<mnemonic, !listconcat([Pure, InferTypeOpAdaptor], traits)>;

/// An op whose result type is written, because part of it is a choice.
class Fuse_WrittenOp<string mnemonic, list<Trait> traits = []>
    : Fuse_Op<mnemonic, !listconcat(
        [Pure, DeclareOpInterfaceMethods<Fuse_RefinableOpInterface>], traits)> {
  let hasVerifier = 1;
}

def Fuse_MatmulOp : Fuse_WrittenOp<"matmul"> {
  let summary = "product of matrices, accumulated in f32 or f64";
  let description = [{
    Multiplies the matrices in the last two dimensions of `lhs` and `rhs`; the
    dimensions before them are batch dimensions, equal on both sides. Both
    operands have one element type. The result's element type is the type of
    the accumulation: f64 for f64 operands, else f32 or f64. The order of the
    sum is not specified. A contraction over a dimension of size 0 gives zeros.

    `precision` is for f32 operands and an f32 result, and is `ieee` unless
    said otherwise (see `#fuse.precision`). Operands that are stored transposed
    are written with `fuse.transpose`, which costs nothing.

    Example:
    ```mlir
    %y = fuse.matmul %x, %w : tensor<8x?x64xbf16>, tensor<8x64x32xbf16> -> tensor<8x?x32xf32>
    %z = fuse.matmul %a, %b precision tf32 : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins
    Fuse_FloatTensor:$lhs,
    Fuse_FloatTensor:$rhs,
    DefaultValuedAttr<Fuse_PrecisionAttr,
                      "::fuse::Precision::Ieee">:$precision);
  let results = (outs Fuse_SumTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`precision` `` $precision^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

def Fuse_ReduceOp : Fuse_InferredOp<"reduce"> {
  let summary = "combine the elements along some dimensions";
  let description = [{
    Combines all elements along `dims`, which disappear from the result. `sum`,
    `prod`, `max`, `min` and `mean`; integers are signed and have no `mean`.
    Sums, products and means of f16 and bf16 accumulate in f32 and are rounded
    once, at the end. The order is not specified.

    `max` and `min` are NaN when any element is. Over no elements at all, `sum`
    is 0, `prod` is 1, `max` is -inf (or the least integer), `min` is +inf (or
    the largest) and `mean` is NaN.

    Example:
    ```mlir
    %m = fuse.reduce max %x dims [1] : tensor<?x128xf32>
    %s = fuse.reduce sum %x dims [0, 1] : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_CombineKindAttr:$kind, Fuse_NumberTensor:$source,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Fuse_NumberTensor:$result);
  let assemblyFormat = "`` $kind $source `dims` $dims attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Fuse_BroadcastOp : Fuse_WrittenOp<"broadcast"> {
  let summary = "repeat a tensor along new dimensions";
  let description = [{
    `dims` says which dimension of the result each dimension of `source`
    becomes, in increasing order. Along the others the source is repeated. A
    dimension of size 1 is not special: it stays of size 1 where it goes.

    `sizes` gives the size of each dynamic dimension of the result that no
    dimension of the source becomes, in order.

    Example:
    ```mlir
    %0 = fuse.broadcast %bias dims [1] : tensor<128xf32> -> tensor<64x128xf32>
    %1 = fuse.broadcast %bias dims [1] sizes [%n] : tensor<128xf32> -> tensor<?x128xf32>
    %2 = fuse.broadcast %scalar dims [] : tensor<f32> -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, DenseI64ArrayAttr:$dims,
                       Variadic<Index>:$sizes);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source `dims` $dims (`sizes` ` ` `[` $sizes^ `]`)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The dimensions of the result that repeat the source, in order.
    ::llvm::SmallVector<int64_t> getRepeatedDims();
  }];
}

def Fuse_TransposeOp : Fuse_InferredOp<"transpose"> {
  let summary = "permute the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the source.

    Example:
    ```mlir
    %t = fuse.transpose %x [0, 2, 1] : tensor<8x?x64xf32>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Fuse_SliceOp : Fuse_InferredOp<"slice"> {
  let summary = "take a range of every dimension";
  let description = [{
    For each dimension `start:stop:step`: the elements at `start`,
    `start + step`, ... before `stop`. A missing `start` is 0, a missing `stop`
    the end of the dimension, a missing `step` 1. `step` is positive and `stop`
    within the dimension.

    Example:
    ```mlir
    %left = fuse.slice %x[:, 0:64] : tensor<?x128xf32>
    %odd  = fuse.slice %x[:, 1::2] : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$stops, DenseI64ArrayAttr:$steps);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source `[` custom<SliceRanges>($starts, $stops, $steps) `]` attr-dict
    `:` type($source)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// How a missing `stop` is stored.
    static constexpr int64_t kEnd = ::mlir::ShapedType::kDynamic;
    /// The stop of dimension `dim`, `size` being the size of the source there.
    int64_t getStopOr(int64_t dim, int64_t size) {
      return getStops()[dim] == kEnd ? size : getStops()[dim];
    }
  }];
}

def Fuse_ExpandOp : Fuse_InferredOp<"expand",
    [DeclareOpInterfaceMethods<Fuse_RefinableOpInterface>]> {
  let summary = "split one dimension into several";
  let description = [{
    Replaces dimension `dim` by the dimensions of the result in its place,
    row-major: the last varies fastest. Their product is the size of the
    dimension. If more than one of them is dynamic, `sizes` gives all that are,
    in order; one alone is computed.

    Example:
    ```mlir
    %heads = fuse.expand %x dim 1 into [12, 64] : tensor<?x768xf32>
    %batch = fuse.expand %x dim 0 into [?, 16] : tensor<?x768xf32>
    %both  = fuse.expand %x dim 0 into [?, ?] sizes [%b, %s] : tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       DenseI64ArrayAttr:$factors, Variadic<Index>:$sizes);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source `dim` $dim `into` ` ` `[` custom<Factors>($factors) `]`
    (`sizes` ` ` `[` $sizes^ `]`)? attr-dict `:` type($source)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Fuse_CollapseOp : Fuse_InferredOp<"collapse"> {
  let summary = "merge neighbouring dimensions into one";
  let description = [{
    The dimensions `dims`, which are neighbours in increasing order, become one
    dimension, row-major: the last varies fastest.

    Example:
    ```mlir
    %rows = fuse.collapse %x dims [0, 1] : tensor<?x16x64xf32>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "$source `dims` $dims attr-dict `:` type($source)";
  let hasFolder = 1;
}

def Fuse_ConcatOp : Fuse_InferredOp<"concat"> {
  let summary = "put tensors one behind the other";
  let description = [{
    Joins the sources along `dim`; all their other dimensions are equal.

    Example:
    ```mlir
    %c = fuse.concat %a, %b dim 1 : tensor<?x16xf32>, tensor<?x432xf32>
    ```
  }];
  let arguments = (ins Variadic<Fuse_Tensor>:$sources,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "$sources `dim` $dim attr-dict `:` type($sources)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Fuse_CopyOp : Fuse_Op<"copy", [Pure, SameOperandsAndResultType]> {
  let summary = "the same tensor, which may lie elsewhere";
  let description = [{
    Every element is that of the source. It says that the tensor may be stored once
    more if that pays, and is nothing where it is not. What lies between two kernels
    has rows that begin at multiples of 16 bytes; an argument lies as its caller has it.

    Example:
    ```mlir
    %y = fuse.copy %x : tensor<?x777xbf16>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fuse_IotaOp : Fuse_WrittenOp<"iota"> {
  let summary = "the position along one dimension";
  let description = [{
    Every element is its own index along `dim`. `sizes` gives the size of each
    dynamic dimension of the result, in order. Positions that the element type
    cannot hold are rounded (floats) or wrap around (integers).

    Example:
    ```mlir
    %col = fuse.iota dim 1 : tensor<64x128xi32>
    %row = fuse.iota dim 0 sizes [%n] : tensor<?x128xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       Variadic<Index>:$sizes);
  let results = (outs Fuse_NumberTensor:$result);
  let assemblyFormat = [{
    `dim` $dim (`sizes` ` ` `[` $sizes^ `]`)? attr-dict `:` type($result)
  }];
  let hasCanonicalizer = 1;
}

def Fuse_GatherOp : Fuse_InferredOp<"gather"> {
  let summary = "look up rows of a table by index";
  let description = [{
    For every element of `indices` the row (all dimensions but the first) of
    `source` with that number. An index outside of the table, negative ones
    included, gives a row of zeros: never an access outside, never an error.

    Example:
    ```mlir
    %rows = fuse.gather %table[%ids] : tensor<1000x16xf32>, tensor<?xi64>
    ```
  }];
  let arguments = (ins Fuse_Tensor:$source, Fuse_IndexTensor:$indices);
  let results = (outs Fuse_Tensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `,` type($indices)
  }];
}

#endif // FUSE_DIALECT_FUSE_IR_FUSEOPS_TD
