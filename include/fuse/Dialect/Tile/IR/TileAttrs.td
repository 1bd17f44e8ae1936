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
include "mlir/IR/TensorEncoding.td"

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

def Tile_Atom : Tile_Enum<"Atom", "with which instruction a dot is done", [
  I32EnumAttrCase<"Outer", 0, "outer">,
  I32EnumAttrCase<"Mma", 1, "mma">,
  I32EnumAttrCase<"Wgmma", 2, "wgmma">
]>;
def Tile_AtomAttr : EnumAttr<Tile_Dialect, Tile_Atom, "atom"> {
  let summary = "with which instruction a placed dot is done";
  let description = [{
    - `outer`: multiplications and additions of single numbers, by each thread
      those of its patch of an outer product.
    - `mma`: `mma.sync`, by a warp on 16 rows and 8 columns.
    - `wgmma`: `wgmma.mma_async`, by four warps on 64 rows. It reads the right
      factor from shared memory, and the left one from there or from registers.
      Where the accumulator is laid out by columns, the product is the transposed
      one: the columns are the 64 rows, and right and left change places.
  }];
}

def Tile_Feed : Tile_Enum<"Feed", "what fills a ring", [
  I32EnumAttrCase<"CpAsync", 0, "cp_async">,
  I32EnumAttrCase<"Tma", 1, "tma">
]>;
def Tile_FeedAttr : EnumAttr<Tile_Dialect, Tile_Feed, "feed"> {
  let summary = "what fills a ring";
  let description = [{
    - `cp_async`: `cp.async`, by which each thread copies up to 16 bytes.
    - `tma`: the copy engine, which one thread tells to copy a box.
  }];
}

def Tile_RoleKind : Tile_Enum<"RoleKind", "what a role does", [
  I32EnumAttrCase<"Math", 0, "math">,
  I32EnumAttrCase<"Load", 1, "load">
]>;
def Tile_RoleKindAttr : EnumAttr<Tile_Dialect, Tile_RoleKind, "role_kind"> {
  let summary = "what a role does";
  let description = "The kinds of `tile.role`; it is printed as one word.";
}

def Tile_PromiseAttr : AttrDef<Tile_Dialect, "Promise"> {
  let mnemonic = "promise";
  let summary = "what is known of a memory beyond its type";
  let description = [{
    Whoever launches a kernel promises it. The address is a multiple of
    `alignment` bytes, and so are the strides that the type leaves open, apart
    from that of the last dimension. `sizes` numbers the dimensions that the type
    leaves open: those with one number have one size, in all memories of the
    kernel; -1 says nothing. `multiples` says by what each size is divisible.
    Both are there, or none.

    Example: `#tile.promise<alignment = 16, sizes = [0, -1], multiples = [1, 8]>`
  }];
  let parameters = (ins "int64_t":$alignment,
                        OptionalArrayRefParameter<"int64_t">:$sizes,
                        OptionalArrayRefParameter<"int64_t">:$multiples);
  let assemblyFormat = [{
    `<` `alignment` `=` $alignment
        (`,` `sizes` `=` `[` $sizes^ `]` `,` `multiples` `=` `[` $multiples `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_PromisesAttr
    : TypedArrayAttrBase<Tile_PromiseAttr, "array of #tile.promise">;

def Tile_OrderAttr : AttrDef<Tile_Dialect, "Order"> {
  let mnemonic = "order";
  let summary = "in which order the blocks of a kernel start";
  let description = [{
    The attribute `tile.order` of a kernel. `slowest` names dimensions of its grid
    from the one that changes last on; those that it does not name follow in their
    own order. The blocks of a dimension in `down` start from the last on. Blocks
    know nothing of each other, so it changes no result, only who is left when
    there are few.

    Example: `#tile.order<slowest = [2], down = [2]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$slowest,
                        OptionalArrayRefParameter<"int64_t">:$down);
  let assemblyFormat = [{
    `<` `slowest` `=` `[` $slowest `]` (`,` `down` `=` `[` $down^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_TensorMapAttr : AttrDef<Tile_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "how the copy engine sees a memory of a kernel";
  let description = [{
    What the host needs to make the map that a kernel takes as a parameter: the
    number of the memory among the kernel's arguments, what it consists of, the
    sizes of a box by dimension, the bytes of a row within which chunks are
    swizzled, and whether f32 numbers are rounded as `tile.round` does it. With
    `strides = true` rows are as far apart as whoever launches says, else there
    are no gaps.

    The map has the dimensions of the memory, or those listed in `dims`, of which
    some may be one that is divided: each moves along it by its number in `steps`
    at a time, the largest first, and the last by 1. A dimension that is not
    divided may end before the memory does, at its number in `ends`; -1 is where
    the memory ends.

    Example: `#tile.tensor_map<memory = 0, of = f16, box = [128, 64], swizzle = 128>`

    Example: `#tile.tensor_map<memory = 1, of = f32, box = [64, 8, 16], swizzle = 64, dims = [0, 0, 1], steps = [432, 1, 1]>`

    Example: `#tile.tensor_map<memory = 1, of = f16, box = [64, 64], swizzle = 128, ends = [1000, -1]>`
  }];
  let parameters = (ins "int64_t":$memory, "::mlir::Type":$element,
                        ArrayRefParameter<"int64_t">:$box, "int64_t":$swizzle,
                         DefaultValuedParameter<"bool", "false">:$rounded,
                         DefaultValuedParameter<"bool", "false">:$strides,
                         OptionalArrayRefParameter<"int64_t">:$dims,
                         OptionalArrayRefParameter<"int64_t">:$steps,
                         OptionalArrayRefParameter<"int64_t">:$ends);
  let assemblyFormat = [{
    `<` `memory` `=` $memory `,` `of` `=` $element `,` `box` `=` `[` $box `]` `,` `swizzle` `=` $swizzle
    `` custom<MapOptions>($rounded, $strides, $dims, $steps, $ends) `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "which thread holds which element of a tile, in which register";
  let description = [{
    The encoding of a tile in the *placed* form. `cell` is the largest power of
    two in each extent of the tile, and `repeat` how often it occurs. In a cell
    the position of an element is the exclusive or of the listed positions for
    those bits of the register's, lane's, warp's and block's number that are set;
    a position of zeros means copies. Repeats are the outermost registers.
    docs/Layouts.md explains layouts.

    Example: `#tile.layout<cell = [16, 8] reg = [[0, 1], [8, 0]] lane = [[0, 2],
    [0, 4], [1, 0], [2, 0], [4, 0]]>`
  }];
  let parameters = (ins AttrParameter<"::fuse::Layout", "the layout",
                                      "const ::fuse::Layout &">:$value);
  let hasCustomAssemblyFormat = 1;
}

def Tile_SharedAttr : AttrDef<Tile_Dialect, "SharedLayout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shared";
  let summary = "where in shared memory the elements of a tile are";
  let description = [{
    The encoding of a tile that lies in shared memory: for each bit of an
    element's offset the position that it moves to, combined by exclusive or.

    Example: `#tile.shared<cell = [2, 4] offset = [[0, 1], [0, 2], [1, 1]]>`
  }];
  let parameters = (ins AttrParameter<"::fuse::SharedLayout", "the layout",
                                      "const ::fuse::SharedLayout &">:$value);
  let hasCustomAssemblyFormat = 1;
}

#endif // FUSE_DIALECT_TILE_IR_TILEATTRS_TD
