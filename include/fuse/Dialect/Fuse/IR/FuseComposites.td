//===- FuseComposites.td - words for graphs of plain ops ---*- tablegen -*-===//
//
// Ops that fuse-decompose expands at once. A description gives the formula;
// the expansion in FuseExpansions.cpp is the definition.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSECOMPOSITES_TD
#define FUSE_DIALECT_FUSE_IR_FUSECOMPOSITES_TD

include "fuse/Dialect/Fuse/IR/FuseOps.td"

class Fuse_Composite<string mnemonic, list<Trait> traits = []>
    : Fuse_Op<mnemonic, !listconcat(
        [Pure, DeclareOpInterfaceMethods<Fuse_CompositeOpInterface>], traits)>;

/// A function of one tensor, element by element or along rows.
class Fuse_UnaryComposite<string mnemonic, list<Trait> traits = []>
    : Fuse_Composite<mnemonic, !listconcat(
        [AllTypesMatch<["source", "result"]>], traits)> {
  let arguments = (ins Fuse_MathTensor:$source);
  let results = (outs Fuse_MathTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fuse_ReluOp : Fuse_UnaryComposite<"relu"> {
  let summary = "max(x, 0)";
  let description = [{
    NaN stays NaN.

    Example:
    ```mlir
    %y = fuse.relu %x : tensor<?x128xf32>
    ```
  }];
}

def Fuse_LeakyReluOp : Fuse_UnaryComposite<"leaky_relu"> {
  let summary = "x where x >= 0, else alpha * x";
  let description = [{
    Example:
    ```mlir
    %y = fuse.leaky_relu %x alpha 0.01 : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source, F64Attr:$alpha);
  let assemblyFormat = "$source `alpha` $alpha attr-dict `:` type($source)";
}

def Fuse_SigmoidOp : Fuse_UnaryComposite<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let description = [{
    Example:
    ```mlir
    %y = fuse.sigmoid %x : tensor<?x128xf32>
    ```
  }];
}

def Fuse_SiluOp : Fuse_UnaryComposite<"silu"> {
  let summary = "x * sigmoid(x)";
  let description = [{
    Written as `x / (1 + exp(-x))`; at -inf it is NaN, as that quotient is.

    Example:
    ```mlir
    %y = fuse.silu %x : tensor<?x128xf32>
    ```
  }];
}

def Fuse_GeluOp : Fuse_UnaryComposite<"gelu"> {
  let summary = "x times the normal distribution function of x";
  let description = [{
    `erf`: `x * 0.5 * (1 + erf(x / sqrt(2)))`. `tanh`:
    `x * 0.5 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`. Which of the
    two is always written. At -inf it is NaN, as `-inf * 0` is.

    Example:
    ```mlir
    %y = fuse.gelu tanh %x : tensor<?x128xf32>
    %z = fuse.gelu erf %x : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_GeluFormAttr:$form, Fuse_MathTensor:$source);
  let assemblyFormat = "custom<GeluForm>($form) $source attr-dict `:` type($source)";
}

def Fuse_ScaleOp : Fuse_UnaryComposite<"scale"> {
  let summary = "x times a constant";
  let description = [{
    The constant is rounded to the element type first.

    Example:
    ```mlir
    %y = fuse.scale %x by 0.125 : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source, F64Attr:$factor);
  let assemblyFormat = "$source `by` $factor attr-dict `:` type($source)";
}

def Fuse_ClampOp : Fuse_UnaryComposite<"clamp"> {
  let summary = "the nearest number between two bounds";
  let description = [{
    `min(max(x, low), high)`; NaN stays NaN.

    Example:
    ```mlir
    %y = fuse.clamp %x min -1.0 max 1.0 : tensor<?x128xf32>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source, F64Attr:$low, F64Attr:$high);
  let assemblyFormat = [{
    $source `min` $low `max` $high attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def Fuse_SoftmaxOp : Fuse_UnaryComposite<"softmax"> {
  let summary = "exp(x), normalised along one dimension";
  let description = [{
    `exp(x - max) / sum(exp(x - max))` along `dim`, computed in the element type
    and rounded to it after every step: extend f16 and bf16 first if f32 is
    meant, or a sum of more than 65504 terms is infinite in f16. Where `mask` is given, elements
    at which it is false count as -inf.

    A row in which every element is -inf, or masked out, gives zeros. So does a
    row of size 0. A NaN or +inf in a row makes the row NaN.

    Example:
    ```mlir
    %p = fuse.softmax %x dim 1 : tensor<?x128xf32>
    %q = fuse.softmax %x dim 1 mask %keep : tensor<?x128xf32>, tensor<?x128xi1>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       Optional<Fuse_BoolTensor>:$mask);
  let assemblyFormat = [{
    $source `dim` $dim (`mask` $mask^)? attr-dict
    `:` type($source) (`,` type($mask)^)?
  }];
  let hasVerifier = 1;
}

def Fuse_LayerNormOp : Fuse_UnaryComposite<"layer_norm",
                                           [AttrSizedOperandSegments]> {
  let summary = "rows with mean 0 and variance 1, then scaled and shifted";
  let description = [{
    Along the last dimension: `(x - mean) / sqrt(variance + eps)`, times
    `scale`, plus `shift`. The variance is the mean of `(x - mean)^2`: it
    keeps its digits where the mean is large. Computed in the element type.

    Example:
    ```mlir
    %0 = fuse.layer_norm %x eps 1.0e-5 : tensor<?x128xf32>
    %1 = fuse.layer_norm %x scale %g shift %b eps 1.0e-5 : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source,
                       Optional<Fuse_MathTensor>:$scale,
                       Optional<Fuse_MathTensor>:$shift, F64Attr:$eps);
  let assemblyFormat = [{
    $source `` custom<ScaleAndShift>($scale, $shift) `eps` $eps attr-dict
    `:` type($source) (`,` type($scale)^)? (`,` type($shift)^)?
  }];
  let hasVerifier = 1;
}

def Fuse_RmsNormOp : Fuse_UnaryComposite<"rms_norm"> {
  let summary = "rows with mean square 1, then scaled";
  let description = [{
    Along the last dimension: `x / sqrt(mean(x^2) + eps)`, times `scale`.
    Computed in the element type.

    Example:
    ```mlir
    %0 = fuse.rms_norm %x scale %g eps 1.0e-6 : tensor<?x128xf32>, tensor<128xf32>
    ```
  }];
  let arguments = (ins Fuse_MathTensor:$source,
                       Optional<Fuse_MathTensor>:$scale, F64Attr:$eps);
  let assemblyFormat = [{
    $source (`scale` $scale^)? `eps` $eps attr-dict
    `:` type($source) (`,` type($scale)^)?
  }];
  let hasVerifier = 1;
}

def Fuse_LinearOp : Fuse_Composite<"linear",
    [DeclareOpInterfaceMethods<Fuse_RefinableOpInterface>]> {
  let summary = "x times a weight matrix, plus a bias";
  let description = [{
    Multiplies the rows of `source`, whatever its leading dimensions, with the
    matrix `weight` of K rows and N columns, and adds `bias` to every row of
    the product. The product has the result's element type, and so has the
    bias; see `fuse.matmul` for both and for `precision`.

    Example:
    ```mlir
    %y = fuse.linear %x, %w : tensor<8x?x64xbf16>, tensor<64x32xbf16> -> tensor<8x?x32xf32>
    %z = fuse.linear %x, %w bias %b : tensor<8x?x64xbf16>, tensor<64x32xbf16>, tensor<32xf32> -> tensor<8x?x32xf32>
    ```
  }];
  let arguments = (ins Fuse_FloatTensor:$source, Fuse_FloatTensor:$weight,
                       Optional<Fuse_SumTensor>:$bias,
                       DefaultValuedAttr<Fuse_PrecisionAttr,
                                         "::fuse::Precision::Ieee">:$precision);
  let results = (outs Fuse_SumTensor:$result);
  let assemblyFormat = [{
    $source `,` $weight (`bias` $bias^)? (`precision` `` $precision^)? attr-dict
    `:` type($source) `,` type($weight) (`,` type($bias)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Fuse_CausalMaskOp : Fuse_Composite<"causal_mask",
    [DeclareOpInterfaceMethods<Fuse_RefinableOpInterface>]> {
  let summary = "which keys a query may see: none behind it";
  let description = [{
    Over the last two dimensions, queries and keys: true where key `j` is not
    behind query `i`. `top_left` means `j <= i`, `bottom_right` means
    `j <= i + keys - queries`. With `window`, the keys that are that far behind
    or farther are hidden too: `j > i - window` is asked for as well, shifted
    in the same way. `sizes` gives the size of each dynamic dimension.

    Example:
    ```mlir
    %0 = fuse.causal_mask top_left : tensor<64x64xi1>
    %1 = fuse.causal_mask bottom_right window 16 sizes [%n] : tensor<?x64xi1>
    ```
  }];
  let arguments = (ins Fuse_CornerAttr:$corner,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$window,
                       Variadic<Index>:$sizes);
  let results = (outs Fuse_BoolTensor:$result);
  let assemblyFormat = [{
    `` $corner (`window` $window^)? (`sizes` ` ` `[` $sizes^ `]`)? attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

def Fuse_PaddingMaskOp : Fuse_Composite<"padding_mask",
    [DeclareOpInterfaceMethods<Fuse_RefinableOpInterface>]> {
  let summary = "which positions of a row are not padding";
  let description = [{
    Adds one dimension behind those of `count` and is true at the positions `j`
    along it that hold data. `left`: the first `count` positions are padding
    (`j >= count`). `right`: everything from `count` on is (`j < count`).
    `sizes` gives the size of the new dimension where it is dynamic.

    Example:
    ```mlir
    %keep = fuse.padding_mask left %pad : tensor<?xi32> -> tensor<?x64xi1>
    ```
  }];
  let arguments = (ins Fuse_SideAttr:$side, Fuse_IndexTensor:$count,
                       Variadic<Index>:$sizes);
  let results = (outs Fuse_BoolTensor:$result);
  let assemblyFormat = [{
    `` $side $count (`sizes` ` ` `[` $sizes^ `]`)? attr-dict
    `:` type($count) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FUSE_DIALECT_FUSE_IR_FUSECOMPOSITES_TD
