//===- FuseDialect.td - the graph dialect ------------------*- tablegen -*-===//
//
// The dialect itself and the base classes of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSEDIALECT_TD
#define FUSE_DIALECT_FUSE_IR_FUSEDIALECT_TD

include "mlir/IR/OpBase.td"

def Fuse_Dialect : Dialect {
  let name = "fuse";
  let cppNamespace = "::fuse";
  let summary = "graphs of tensor ops, before any decision about kernels";
  let description = [{
    A graph is a function over ranked tensors. Pointwise math is upstream's
    `arith` and `math` on tensors; this dialect adds only what upstream lacks:
    contractions, reductions and the ops that move elements without computing.

    Three rules hold everywhere:

    - *No implicit broadcast.* Shapes of pointwise operands are equal;
      `fuse.broadcast` says where a dimension is repeated.
    - *No implicit cast.* What is rounded is an `arith.truncf` that can be seen.
    - *Values, not memory.* No op has a side effect, and none says how it is
      computed.

    Floats travel as IEEE 754 says: NaN and infinities are inputs like any
    others. A reduction over nothing gives the neutral element, and every
    dimension may have size 0.

    The *composites* (`fuse.softmax`, `fuse.gelu`, ...) are words for graphs
    that are written often. `fuse-decompose` expands each at once into the
    plain ops, which are its definition; nothing later knows the word.

    Arguments of a function may carry attributes that tools read: `fuse.name`, a
    name for people and files, `fuse.fill`, the data that makes sense when none is
    given, and `fuse.size_hints`, the sizes that an argument is likely to have
    (`array<i64: 128, 64>`) where a graph is compiled before they are known.
    Results may have a `fuse.name`, too.

    Which ops are run together is written down by `fuse.kernel`, and how they
    are run by its `#fuse.schedule`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasOperationAttrVerify = 1;
}

class Fuse_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fuse_Dialect, mnemonic, traits>;

#endif // FUSE_DIALECT_FUSE_IR_FUSEDIALECT_TD
