//===- FuseAttrs.td - attributes of the graph dialect ------*- tablegen -*-===//
//
// Every choice that an op leaves open is an enum here, never a string.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSEATTRS_TD
#define FUSE_DIALECT_FUSE_IR_FUSEATTRS_TD

include "fuse/Dialect/Fuse/IR/FuseDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

// An attribute of an enum prints a space of its own in front. An op's format
// takes its own away with an empty literal: `` $kind.
class Fuse_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fuse";
  let genSpecializedAttr = 0;
}

def Fuse_CombineKind : Fuse_Enum<"CombineKind", "how a reduction combines", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Prod", 3, "prod">,
  I32EnumAttrCase<"Mean", 4, "mean">
]>;
def Fuse_CombineKindAttr
    : EnumAttr<Fuse_Dialect, Fuse_CombineKind, "combine"> {
  let summary = "how a reduction combines two elements";
  let description = "The kinds of `fuse.reduce`; it is printed as one word.";
}

def Fuse_Precision : Fuse_Enum<"Precision", "how exact an f32 product is", [
  I32EnumAttrCase<"Ieee", 0, "ieee">,
  I32EnumAttrCase<"Tf32", 1, "tf32">,
  I32EnumAttrCase<"Tf32x3", 2, "tf32x3">
]>;
def Fuse_PrecisionAttr : EnumAttr<Fuse_Dialect, Fuse_Precision, "precision"> {
  let summary = "how exactly f32 operands are multiplied";
  let description = [{
    - `ieee`: the product of two f32 numbers is rounded once, to f32 or not at
      all. This is the default: f32 means f32.
    - `tf32`: both operands are first rounded to nearest with 10 bits of
      mantissa.
    - `tf32x3`: each operand is split into two tf32 numbers and three of their
      four products are summed. The error is that of `ieee` within a factor
      of two.
  }];
}

def Fuse_GeluForm : Fuse_Enum<"GeluForm", "which function gelu is", [
  I32EnumAttrCase<"Erf", 0, "erf">,
  I32EnumAttrCase<"Tanh", 1, "tanh">
]>;
def Fuse_GeluFormAttr : EnumAttr<Fuse_Dialect, Fuse_GeluForm, "gelu_form"> {
  let summary = "which of the two functions called gelu";
  let description = [{
    `erf` is the definition, `tanh` the approximation that many models were
    trained with. They differ by up to 5e-4, so neither replaces the other.
  }];
}

def Fuse_Side : Fuse_Enum<"Side", "which end of a row is padding", [
  I32EnumAttrCase<"Left", 0, "left">,
  I32EnumAttrCase<"Right", 1, "right">
]>;
def Fuse_SideAttr : EnumAttr<Fuse_Dialect, Fuse_Side, "side"> {
  let summary = "which end of a row is padding";
  let description = "Says where `fuse.padding_mask` finds its padding.";
}

def Fuse_Corner : Fuse_Enum<"Corner", "where a causal diagonal is anchored", [
  I32EnumAttrCase<"TopLeft", 0, "top_left">,
  I32EnumAttrCase<"BottomRight", 1, "bottom_right">
]>;
def Fuse_CornerAttr : EnumAttr<Fuse_Dialect, Fuse_Corner, "corner"> {
  let summary = "the corner through which a causal mask's diagonal runs";
  let description = [{
    `top_left` aligns the first query with the first key, `bottom_right` the
    last with the last. They differ where the two lengths do.
  }];
}

def Fuse_FillKind : Fuse_Enum<"FillKind", "how generated data is made", [
  I32EnumAttrCase<"Uniform", 0, "uniform">,
  I32EnumAttrCase<"Normal", 1, "normal">,
  I32EnumAttrCase<"Integers", 2, "integers">,
  I32EnumAttrCase<"Constant", 3, "constant">
]>;
def Fuse_FillAttr : AttrDef<Fuse_Dialect, "Fill"> {
  let mnemonic = "fill";
  let summary = "the data that makes sense for an argument";
  let description = [{
    A hint for tools that generate inputs, set as `fuse.fill` on an argument of
    a function; it means nothing to the compiler.

    - `#fuse.fill<uniform, -1, 1>`: reals between the two bounds;
    - `#fuse.fill<normal, 0, 0.02>`: mean and standard deviation;
    - `#fuse.fill<integers, 0, 99>`: whole numbers, both bounds included;
    - `#fuse.fill<constant, 5, 5>`: one number, given twice.
  }];
  let parameters = (ins EnumParameter<Fuse_FillKind>:$kind,
                        APFloatParameter<"first number">:$low,
                        APFloatParameter<"second number">:$high);
  let assemblyFormat = [{
    `<` $kind `,` custom<Number>($low) `,` custom<Number>($high) `>`
  }];
  let genVerifyDecl = 1;
}

#endif // FUSE_DIALECT_FUSE_IR_FUSEATTRS_TD
