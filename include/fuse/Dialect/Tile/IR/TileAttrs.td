//===- TileAttrs.td - attributes of the dialect of kernels -*- tablegen -*-===//
//
// The choices that ops leave open.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILEATTRS_TD
#define FUSE_DIALECT_TILE_IR_TILEATTRS_TD

include "fuse/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fuse::tile";
  let genSpecializedAttr = 0;
}

def Tile_CombineKind : Tile_Enum<"CombineKind", "how a reduction combines", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">
]>;
def Tile_CombineKindAttr
    : EnumAttr<Tile_Dialect, Tile_CombineKind, "combine"> {
  let summary = "how a reduction combines two elements";
  let description = "The kinds of `tile.reduce`; it is printed as one word.";
}

def Tile_Precision : Tile_Enum<"Precision", "how exact an f32 product is", [
  I32EnumAttrCase<"Ieee", 0, "ieee">,
  I32EnumAttrCase<"Tf32", 1, "tf32">,
  I32EnumAttrCase<"Tf32x3", 2, "tf32x3">
]>;
def Tile_PrecisionAttr : EnumAttr<Tile_Dialect, Tile_Precision, "precision"> {
  let summary = "how exactly f32 operands of a dot are multiplied";
  let description = [{
    - `ieee`: f32 numbers are multiplied as they are.
    - `tf32`: both are first rounded to nearest with 10 bits of mantissa.
    - `tf32x3`: a target may split each into two such numbers; on a CPU it is
      `ieee`, which promises no less.
  }];
}

#endif // FUSE_DIALECT_TILE_IR_TILEATTRS_TD
