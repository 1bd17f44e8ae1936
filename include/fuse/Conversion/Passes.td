//===- Passes.td - conversions between dialects ------------*- tablegen -*-===//
//
// Lowerings: from our dialects to upstream's, and from what upstream cannot
// lower as we need it to what it can.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_CONVERSION_PASSES_TD
#define FUSE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFuseToLinalg : Pass<"convert-fuse-to-linalg"> {
  let summary = "lower a graph op by op, nothing fused: the reference meaning";
  let description = [{
    Afterwards no op or attribute of the `fuse` dialect is left, and every constant whose
    elements are all one number is a `linalg.fill`. Each op becomes one loop
    nest or one move of its own and stores its whole result. The pass is the
    judge of everything that fuses, so it shares no code with it and chooses
    nothing.

    Composites must have been decomposed.
    (example: test/Conversion/FuseToLinalg/convert-fuse-to-linalg.mlir)
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ExpandIntegerCasts : Pass<"arith-expand-integer-casts"> {
  let summary = "round integers to narrow floats once";
  let description = [{
    Afterwards no scalar `arith.sitofp` or `arith.uitofp` gives a float of 8 or
    16 bits: the integer becomes an f64, which is then rounded. By way of f32,
    as upstream does it, 33685505 becomes another bf16 than the nearest.
    (example: test/Conversion/ExpandIntegerCasts/expand-integer-casts.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandNarrowCasts : Pass<"arith-expand-narrow-casts"> {
  let summary = "cast to and from f16, bf16 and f8E4M3FN with integer arithmetic";
  let description = [{
    LLVM has no 8-bit floats, and for the 16-bit ones it calls functions that
    not every machine has. Afterwards no scalar `arith.extf` or `arith.truncf`
    has a float of 8 or 16 bits on either side: the casts are done on bits.

    Rounding is to nearest even, once, whatever type the number comes in. What
    is too large becomes infinity, or 448 in f8E4M3FN, which has none: NVIDIA's
    chips do the same. NaN becomes a quiet NaN.
    (example: test/Conversion/ExpandNarrowCasts/expand-narrow-casts.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandDivisions : Pass<"arith-expand-divisions"> {
  let summary = "make divisions of integers total";
  let description = [{
    Afterwards no scalar integer division traps. By 0, and of the least integer
    by -1, the result is some number; `arith` leaves it undefined, and a wrong
    input must not end the program. Divisions that round up or down are
    expanded into others.
    (example: test/Conversion/ExpandDivisions/expand-divisions.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MemRefCopyToLinalg : Pass<"memref-copy-to-linalg"> {
  let summary = "copy buffers by loops";
  let description = [{
    Afterwards there is no `memref.copy`. Upstream lowers one between buffers of
    different strides to a call of a support library that we do not need
    otherwise.
    (example: test/Conversion/MemRefCopyToLinalg/memref-copy-to-linalg.mlir)
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

#endif // FUSE_CONVERSION_PASSES_TD
