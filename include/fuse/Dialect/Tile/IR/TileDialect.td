//===- TileDialect.td - the dialect of kernels -------------*- tablegen -*-===//
//
// The dialect itself, which tensors are tiles, and the base class of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILEDIALECT_TD
#define FUSE_DIALECT_TILE_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::fuse::tile";
  let summary = "kernels: what one block of a grid loads, computes and stores";
  let description = [{
    A *tile* is a builtin tensor of static shape, none of whose sizes is 0; a
    scalar is a tile of rank 0. Pointwise math on tiles is upstream's `arith`
    and `math`, with operands and result of one shape. Loops are `scf.for`
    carrying tiles, `scf.if` may occur, and indices are computed with `arith` on
    `index`. `tensor.extract %t[]` takes the number out of a tile of rank 0, for
    limits of loops that depend on data. This dialect adds what moves data
    between memory and tiles, and what changes shapes.

    A kernel is a program for one *block* of a grid. Every block runs exactly
    once, in any order and on any thread, and knows nothing of the others: where
    two blocks need the same intermediate, each computes it.

    In the *abstract* form nothing says how a tile is laid out. In the *placed*
    form every tile has a layout as its encoding, which says what thread holds
    which element: `tensor<16x8xf32, #tile.layout<...>>`. All ops but `tile.store` are free of
    effects, loads included, since what a kernel reads it never writes. So upstream's
    CSE and loop-invariant code motion work on kernels as they are.

    In the *staged* form memory is read ahead of time, through rings of slots in
    shared memory, and products are set off before they are needed. What is under
    way has a type of its own, so that it cannot be read too early.

    *Limits* are how ragged edges are written. A limit counts from the start of
    the tile: elements whose index along the axis is at or beyond it are not
    touched in memory. A limit may be 0 or negative (nothing is touched) or
    beyond the end of the tile (everything is).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
}

/// A ranked tensor of static shape, without an encoding, without sizes of 0.
class Tile_TileOf<list<Type> elements, string summary>
    : Type<And<[RankedTensorOf<elements>.predicate,
                CPred<"::fuse::tile::hasTileShape($_self)">]>,
           summary, "::mlir::RankedTensorType">;

defvar Tile_Floats = [F8E4M3FN, BF16, F16, F32, F64];
defvar Tile_Integers = [I1, I8, I16, I32, I64, Index];
defvar Tile_Elements = !listconcat(Tile_Floats, Tile_Integers);

def Tile_Tile : Tile_TileOf<Tile_Elements,
    "tile (tensor of static sizes above 0) of f8E4M3FN, bf16, f16, f32, f64, "
    "i1, i8, i16, i32, i64 or index values">;
def Tile_NumberTile
    : Tile_TileOf<[BF16, F16, F32, F64, I8, I16, I32, I64, Index],
    "tile (tensor of static sizes above 0) of bf16, f16, f32, f64, i8, i16, "
    "i32, i64 or index values">;
def Tile_SumTile : Tile_TileOf<[F32, F64, I8, I16, I32, I64, Index],
    "tile (tensor of static sizes above 0) of f32, f64, i8, i16, i32, i64 or "
    "index values">;
def Tile_PositionTile : Tile_TileOf<[I8, I16, I32, I64, Index],
    "tile (tensor of static sizes above 0) of i8, i16, i32, i64 or index "
    "values">;

/// Memory as the host hands it over: rows one behind the other, or strides that
/// may be known to whoever launches only.
def Tile_Buffer
    : Type<And<[MemRefOf<Tile_Elements>.predicate,
                CPred<"::fuse::tile::isPlainMemory($_self)">]>,
           "row-major or strided memref of f8E4M3FN, bf16, f16, f32, f64, i1, "
           "i8, i16, i32, i64 or index values in the default memory space",
           "::mlir::MemRefType">;

def Tile_HostTensor : Type<RankedTensorOf<Tile_Elements>.predicate,
    "ranked tensor of f8E4M3FN, bf16, f16, f32, f64, i1, i8, i16, i32, i64 or "
    "index values", "::mlir::RankedTensorType">;

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // FUSE_DIALECT_TILE_IR_TILEDIALECT_TD
