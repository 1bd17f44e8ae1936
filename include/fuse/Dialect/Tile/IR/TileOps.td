//===- TileOps.td - the ops of kernels ---------------------*- tablegen -*-===//
//
// Kernels and their launches; loads, stores and what changes shapes. Every
// example below is parsed by test/Dialect/Tile/documentation.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILEOPS_TD
#define FUSE_DIALECT_TILE_IR_TILEOPS_TD

include "fuse/Dialect/Tile/IR/TileAttrs.td"
include "fuse/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel",
    [Symbol, IsolatedFromAbove, HasParent<"::mlir::ModuleOp">,
     SingleBlockImplicitTerminator<"ReturnOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a program for one block of a grid";
  let description = [{
    The arguments are memrefs, possibly of dynamic sizes, then one index for each
    dimension of the grid: the block's place. The last `outputs` memrefs are
    written and never read, all others are read and never written. Memory is
    row-major, or has the strides that its type says; on the way to a GPU these
    may be dynamic. If they are known, what is between rows belongs to the memory:
    it may be read, and written, and is nothing. `promises` says what is known of each memory beyond its type;
    without it, that addresses are multiples of 16 bytes.

    Together the blocks write every element of every output. Where several write
    the same element, they write the same number.

    A kernel that `walks` is started with any number of blocks, each of which does
    every so many of the grid's places: its indices are the number of the block, how
    many were started, and the extents of the grid.

    Example:
    ```mlir
    tile.kernel @scale(%x: memref<?x32xf32>, %y: memref<?x32xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %row = arith.muli %i, %c8 : index
      %rows = memref.dim %x, %c0 : memref<?x32xf32>
      %left = arith.subi %rows, %row : index
      %two = arith.constant dense<2.0> : tensor<8x32xf32>
      %t = tile.load %x[%row, %c0] limits(%left) axes [0] : memref<?x32xf32> -> tensor<8x32xf32>
      %u = arith.mulf %t, %two : tensor<8x32xf32>
      tile.store %u, %y[%row, %c0] limits(%left) axes [0] : tensor<8x32xf32>, memref<?x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I64Attr, [IntPositive]>:$outputs,
                       OptionalAttr<Tile_PromisesAttr>:$promises,
                       UnitAttr:$walks);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::llvm::ArrayRef<::mlir::Type>":$memory,
                   "int64_t":$outputs, "int64_t":$gridRank)>
  ];
  let extraClassDeclaration = [{
    /// The memrefs, inputs before outputs.
    ::mlir::Block::BlockArgListType getMemory();
    ::mlir::Block::BlockArgListType getInputMemory();
    ::mlir::Block::BlockArgListType getOutputMemory();
    /// The block's place in each dimension of the grid, or if the kernel walks
    /// the block's number, how many there are, and the extents of the grid.
    ::mlir::Block::BlockArgListType getPlace();
    /// Of how many dimensions the grid is.
    unsigned getGridRank();
    bool isOutput(::mlir::Value memory);
    /// What is promised of a memory.
    PromiseAttr promiseOf(::mlir::Value memory);
  }];
}

def Tile_ReturnOp : Tile_Op<"return",
    [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel";
  let description = [{
    Results are what was stored, so it returns nothing.

    Example:
    ```mlir
    tile.kernel @nothing(%y: memref<4xf32>) outputs 1 blocks() {
      tile.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_LaunchOp : Tile_Op<"launch",
    [Pure, AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run every block of a kernel";
  let description = [{
    Stands in a function of the host, on tensors: reads `inputs`, which are the
    kernel's first memrefs, and makes its outputs. `grid` says how many blocks
    there are in each dimension; with a 0 among them nothing runs, which is right
    only if there is nothing to write. `sizes` gives the dynamic sizes of the results, in order.

    Example:
    ```mlir
    tile.kernel @copy(%x: memref<?x4xf32>, %y: memref<?x4xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %t = tile.load %x[%i, %c0] : memref<?x4xf32> -> tensor<1x4xf32>
      tile.store %t, %y[%i, %c0] : tensor<1x4xf32>, memref<?x4xf32>
      tile.return
    }
    func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?x4xf32>
      %y = tile.launch @copy blocks(%n) (%x) sizes(%n) : (tensor<?x4xf32>) -> tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Index>:$grid,
                       Variadic<Tile_HostTensor>:$inputs,
                       Variadic<Index>:$sizes);
  let results = (outs Variadic<Tile_HostTensor>:$outputs);
  let assemblyFormat = [{
    $kernel `blocks` `(` $grid `)` `(` $inputs `)` (`sizes` `(` $sizes^ `)`)?
    attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Between memory and tiles
//===----------------------------------------------------------------------===//

def Tile_LoadOp : Tile_Op<"load", [Pure, AttrSizedOperandSegments]> {
  let summary = "read a tile";
  let description = [{
    Element `a` of the tile is the element `indices + map(a)` of the memory.
    `map` takes the axes of the tile to the dimensions of the memory; it is
    linear, and the identity where it is left out. So axes can be permuted,
    dropped (the tile repeats along an axis that no dimension uses), strided and
    combined, and coefficients may be negative.

    `limits` belong to the listed `axes`: an element whose index along one of
    them is at or beyond its limit reads 0. So does one that is before a start,
    if `from` says where each of these axes starts: a tile may begin in front of
    the row that it reads. Without a limit an axis is promised to stay inside of
    the memory. `guarded` drops that promise: an element any of whose indices is
    outside reads 0, too. Where 0 is read, threads touch no memory but what is in
    one chunk of 16 bytes with an element that counts, and only inside of it.

    Of `unused` axes, which are some of those with limits, nothing that counts is
    made of what lies behind the limit, so it need not be 0, but may be anything.

    `disjoint` promises that the axes which move along one dimension are as the
    digits of a number, and so is where they start: no digit starts below 0 or
    at or behind its end, and what those with smaller coefficients come to is, of
    elements inside their limits, less than the next larger coefficient. The
    dimension may then be seen as several.

    Example:
    ```mlir
    tile.kernel @load(%m: memref<?x512xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %0 = tile.load %m[%i, %c0] : memref<?x512xf32> -> tensor<64x32xf32>
      %1 = tile.load %m[%i, %c0] map (d0, d1) -> (d1, d0 * 2) limits(%i) axes [0] : memref<?x512xf32> -> tensor<64x32xf32>
      %2 = tile.load %m[%i, %c0] map (d0, d1) -> (0, d1 * 32) guarded : memref<?x512xf32> -> tensor<64x32xf32>
      %c3 = arith.constant 3 : index
      %c-3 = arith.constant -3 : index
      %3 = tile.load %m[%i, %c-3] map (d0) -> (0, d0) from(%c3) limits(%i) axes [0] : memref<?x512xf32> -> tensor<32xf32>
      %4 = tile.load %m[%i, %c0] map (d0, d1, d2) -> (d0, d1 * 128 + d2) disjoint : memref<?x512xf32> -> tensor<16x4x128xf32>
      %5 = tile.load %m[%i, %c0] limits(%i) axes [0] unused [0] : memref<?x512xf32> -> tensor<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    Tile_Buffer:$memory, Variadic<Index>:$indices, OptionalAttr<AffineMapAttr>:$map,
    Variadic<Index>:$starts, Variadic<Index>:$limits,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axes,
    OptionalAttr<DenseI64ArrayAttr>:$unused, UnitAttr:$guarded,
    UnitAttr:$disjoint);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memory `[` $indices `]` (`map` custom<AxisMap>($map)^)?
    (`from` `(` $starts^ `)`)?
    (`limits` `(` $limits^ `)` `axes` $axes)? (`unused` $unused^)?
    (`guarded` $guarded^)?
    (`disjoint` $disjoint^)? attr-dict
    `:` type($memory) `->` type($result)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "::mlir::Value":$memory,
                   "::mlir::ValueRange":$indices,
                   CArg<"::mlir::AffineMap", "{}">:$map,
                   CArg<"::mlir::ValueRange", "{}">:$limits,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$axes,
                   CArg<"bool", "false">:$isGuarded,
                   CArg<"::mlir::ValueRange", "{}">:$starts,
                   CArg<"bool", "false">:$isDisjoint,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$unused)>
  ];
  let extraClassDeclaration = [{
    /// From axes to dimensions, also where it is not written.
    ::mlir::AffineMap getAxisMap();
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure, AttrSizedOperandSegments]> {
  let summary = "read a tile through tiles of positions";
  let description = [{
    Like a guarded `tile.load`, but in each of the listed `dims` of the memory a
    tile of integers, of the result's shape, is added to the index. What is
    outside of the memory reads 0.

    Example:
    ```mlir
    tile.kernel @gather(%m: memref<1000x512xf32>, %ids: memref<?xi64>, %y: memref<4xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %rows = tile.load %ids[%i] map (d0, d1) -> (d0) limits(%i) axes [0] : memref<?xi64> -> tensor<64x32xi64>
      %0 = tile.gather %m[%c0, %c0] at(%rows) dims [0] map (d0, d1) -> (0, d1) limits(%i) axes [0] : memref<1000x512xf32>, tensor<64x32xi64> -> tensor<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    Tile_Buffer:$memory, Variadic<Index>:$indices,
    Variadic<Tile_PositionTile>:$positions, DenseI64ArrayAttr:$dims,
    OptionalAttr<AffineMapAttr>:$map, Variadic<Index>:$limits,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axes);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $memory `[` $indices `]` `at` `(` $positions `)` `dims` $dims
    (`map` custom<AxisMap>($map)^)? (`limits` `(` $limits^ `)` `axes` $axes)?
    attr-dict `:` type($memory) `,` type($positions) `->` type($result)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::RankedTensorType":$type, "::mlir::Value":$memory,
                   "::mlir::ValueRange":$indices,
                   "::mlir::ValueRange":$positions,
                   "::llvm::ArrayRef<int64_t>":$dims,
                   CArg<"::mlir::AffineMap", "{}">:$map,
                   CArg<"::mlir::ValueRange", "{}">:$limits,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$axes)>
  ];
  let extraClassDeclaration = [{
    /// From axes to dimensions, also where it is not written.
    ::mlir::AffineMap getAxisMap();
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store",
    [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "write a tile";
  let description = [{
    Element `a` of the tile goes to the element `indices + map(a)` of an output
    of the kernel; see `tile.load` for `map`. Elements at or beyond a limit, or
    before a start, are not written. No two elements go to one place, so `map` uses every axis whose
    size is not 1.

    With `staged`, threads write pieces of the tile to shared memory, where there is
    room for so many of them, and the copy engine brings them to memory while the
    threads go on. The tile has to be placed.

    Example:
    ```mlir
    tile.kernel @store(%y: memref<?x512xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %t = arith.constant dense<1.0> : tensor<64x32xf32>
      tile.store %t, %y[%i, %c0] : tensor<64x32xf32>, memref<?x512xf32>
      tile.store %t, %y[%c0, %i] map (d0, d1) -> (d1, d0) limits(%i, %i) axes [0, 1] : tensor<64x32xf32>, memref<?x512xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    Tile_Tile:$source, Tile_Buffer:$memory, Variadic<Index>:$indices,
    OptionalAttr<AffineMapAttr>:$map, Variadic<Index>:$starts,
    Variadic<Index>:$limits,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axes,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$staged);
  let assemblyFormat = [{
    $source `,` $memory `[` $indices `]` (`map` custom<AxisMap>($map)^)?
    (`from` `(` $starts^ `)`)?
    (`limits` `(` $limits^ `)` `axes` $axes)? (`staged` $staged^)? attr-dict
    `:` type($source) `,` type($memory)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$memory,
                   "::mlir::ValueRange":$indices,
                   CArg<"::mlir::AffineMap", "{}">:$map,
                   CArg<"::mlir::ValueRange", "{}">:$limits,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$axes,
                   CArg<"::mlir::ValueRange", "{}">:$starts)>
  ];
  let extraClassDeclaration = [{
    /// From axes to dimensions, also where it is not written.
    ::mlir::AffineMap getAxisMap();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// From tile to tile
//===----------------------------------------------------------------------===//

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "a product of matrices, added to an accumulator";
  let description = [{
    `lhs` has the axes `[batch.., m.., k..]`, `rhs` `[batch.., k.., n..]`, `acc`
    and the result `[batch.., m.., n..]`. `batch` counts the leading axes that
    all share, `contract` the axes that are summed over; each of the groups may
    have no axis or several.

    Both operands have one element type. Products and sums are computed in the
    accumulator's type: f32 or f64 for floats, at least as wide as the
    operands; any integer type for integers. The order of the sum is not
    specified, and a product and its sum may be rounded together.

    In the placed form `atom` says with which instruction it is done. The
    accumulator and the operands are laid out as that instruction wants them;
    an operand may lie in shared memory instead.

    Example:
    ```mlir
    tile.kernel @dot(%a: memref<64x32xf16>, %b: memref<32x48xf16>, %y: memref<64x48xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %a[%c0, %c0] : memref<64x32xf16> -> tensor<64x32xf16>
      %1 = tile.load %b[%c0, %c0] : memref<32x48xf16> -> tensor<32x48xf16>
      %zero = arith.constant dense<0.0> : tensor<64x48xf32>
      %2 = tile.dot %0, %1, %zero : tensor<64x32xf16>, tensor<32x48xf16> -> tensor<64x48xf32>
      %3 = tile.load %a[%c0, %c0] map (d0, d1, d2) -> (d0 * 4 + d1, d2) : memref<64x32xf16> -> tensor<2x4x8xf16>
      %4 = tile.load %b[%c0, %c0] map (d0, d1, d2) -> (d0 * 8 + d1, d2) : memref<32x48xf16> -> tensor<2x8x6xf16>
      %none = arith.constant dense<0.0> : tensor<2x4x6xf32>
      %5 = tile.dot %3, %4, %none batch = 1 contract = 1 precision = tf32 : tensor<2x4x8xf16>, tensor<2x8x6xf16> -> tensor<2x4x6xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    Tile_Tile:$lhs, Tile_Tile:$rhs, Tile_SumTile:$acc,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$batch,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "1">:$contract,
    DefaultValuedAttr<Tile_PrecisionAttr,
                      "::fuse::tile::Precision::Ieee">:$precision,
    OptionalAttr<Tile_AtomAttr>:$atom);
  let results = (outs Tile_SumTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`batch` `=` $batch^)? (`contract` `=` $contract^)?
    (`precision` `=` `` $precision^)? (`atom` `=` `` $atom^)? attr-dict
    `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combine the elements along some axes";
  let description = [{
    Combines along `dims`, which disappear from the result, in the element type.
    The order is not specified. `max` and `min` of floats are NaN when any
    element is; integers are signed, and their sums and products wrap.

    Example:
    ```mlir
    tile.kernel @reduce(%x: memref<64x32xf32>, %y: memref<4xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
      %1 = tile.reduce max %0 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
      %2 = tile.reduce sum %0 dims [0, 1] : tensor<64x32xf32> -> tensor<f32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_CombineKindAttr:$kind, Tile_NumberTile:$source,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Tile_NumberTile:$result);
  let assemblyFormat = [{
    `` $kind $source `dims` $dims attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::fuse::tile::CombineKind":$kind, "::mlir::Value":$source,
                   "::llvm::ArrayRef<int64_t>":$dims)>
  ];
  let hasVerifier = 1;
}

def Tile_CollectOp : Tile_Op<"collect", []> {
  let summary = "a share of what all blocks of a cluster have";
  let description = [{
    `blocks` neighbours in the first dimension of the grid form a cluster. Each
    cuts its sources along `axes`, one for each source, into as many shares, and
    gets of all blocks the share that is its own number in the cluster: of the
    first source that of each block in turn, then of the second. It waits for
    all blocks, so all of them have to come to it, and once: it stands in the
    kernel itself, or in the role that computes. Only chips with clusters have
    code for it.

    Example:
    ```mlir
    tile.kernel @collect(%x: memref<2x64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks(%block) attributes {tile.cluster = array<i64: 2>, tile.grid = array<i64: 2>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %row = arith.muli %block, %c32 : index
      %part = tile.load %x[%block, %c0, %c0] map (d0, d1) -> (0, d0, d1) : memref<2x64x32xf32> -> tensor<64x32xf32>
      %all:2 = tile.collect %part axes [0] blocks 2 : (tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>)
      %sum = arith.addf %all#0, %all#1 : tensor<32x32xf32>
      tile.store %sum, %y[%row, %c0] : tensor<32x32xf32>, memref<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_NumberTile>:$sources,
                       DenseI64ArrayAttr:$axes, I64Attr:$blocks);
  let results = (outs Variadic<Tile_NumberTile>:$shares);
  let assemblyFormat = [{
    $sources `axes` $axes `blocks` $blocks attr-dict `:`
    functional-type($sources, $shares)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$sources,
                   "::llvm::ArrayRef<int64_t>":$axes, "int64_t":$blocks)>
  ];
  let extraClassDeclaration = [{
    /// What it gets of one of the sources, from each block.
    ::mlir::ResultRange sharesOf(unsigned source) {
      return getShares().slice(source * getBlocks(), getBlocks());
    }
  }];
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat a tile along new axes";
  let description = [{
    Axis `i` of the source becomes axis `dims[i]` of the result, in increasing
    order; along the others the source is repeated.

    Example:
    ```mlir
    tile.kernel @broadcast(%x: memref<64xf32>, %y: memref<4xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
      %1 = tile.broadcast %0 dims [0] : tensor<64xf32> -> tensor<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `dims` $dims attr-dict `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The axes of the result that the source does not have.
    ::llvm::SmallVector<unsigned> getNewAxes();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure]> {
  let summary = "permute the axes";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    Example:
    ```mlir
    tile.kernel @transpose(%x: memref<64x32xf32>, %y: memref<4xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
      %1 = tile.transpose %0 [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source,
                   "::llvm::ArrayRef<int64_t>":$permutation)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "count along axes";
  let description = [{
    Element `a` is `base` plus the sum of `coefficients[i] * a[i]`, counted in
    `index` and then converted to the element type.

    Example:
    ```mlir
    tile.kernel @iota(%y: memref<4xf32>) outputs 1 blocks(%i) {
      %0 = tile.iota %i coefficients [1, 0] : tensor<64x32xi64>
      tile.return
    }
    ```
  }];
  let arguments = (ins Index:$base, DenseI64ArrayAttr:$coefficients);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $base `coefficients` $coefficients attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

class Tile_BoundOp<string mnemonic, string which> : Tile_Op<mnemonic, [Pure]> {
  let summary = "what no " # which # " number in one's part of a tile passes";
  let description = [{
    Threads that go on together agree on it: those of a group of four warps. Of
    different groups each may look at what it has itself of a `tile.iota`, or at
    all of it. So nothing may depend on it but how soon something is done, or
    whether it is, where that changes nothing.

    Example:
    ```mlir
    #rows = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
    tile.kernel @bounds(%y: memref<4xf32>) outputs 1 blocks(%i) {
      %0 = tile.iota %i coefficients [1] : tensor<128xi32, #rows>
      %1 = tile.least %0 : tensor<128xi32, #rows>
      %2 = tile.most %0 : tensor<128xi32, #rows>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Index:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Tile_LeastOp : Tile_BoundOp<"least", "smaller">;
def Tile_MostOp : Tile_BoundOp<"most", "larger">;

def Tile_MaskOp : Tile_Op<"mask",
    [Pure, AttrSizedOperandSegments, AllTypesMatch<["source", "result"]>]> {
  let summary = "replace what is at or beyond a limit by a number";
  let description = [{
    Elements whose index along one of the listed axes is at or beyond its limit,
    or before its start, if there are any behind `from`, become the number behind
    `else`; the others stay. What a load leaves out is
    0, which is no neutral element of a maximum: a mask makes it one.

    Example:
    ```mlir
    tile.kernel @mask(%x: memref<64x32xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0, %c0] limits(%i) axes [1] : memref<64x32xf32> -> tensor<64x32xf32>
      %1 = tile.mask %0 limits(%i) axes [1] : tensor<64x32xf32> else 0xFF800000
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Index>:$starts,
                       Variadic<Index>:$limits, DenseI64ArrayAttr:$axes,
                       TypedAttrInterface:$otherwise);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source (`from` `(` $starts^ `)`)? `limits` `(` $limits `)` `axes` $axes attr-dict `:` type($source)
    `else` custom<Element>($otherwise, ref(type($source)))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_RoundOp : Tile_Op<"round",
    [Pure, AllTypesMatch<["source", "result"]>] # ElementwiseMappable.traits> {
  let summary = "round numbers to those that precision tf32 multiplies";
  let description = [{
    To nearest with 10 bits of mantissa, of two equally near ones to the even
    one. Infinities and NaNs stay, the latter perhaps with other bits.

    Example:
    ```mlir
    tile.kernel @round(%x: memref<64x32xf32>, %y: memref<64x32xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32>
      %1 = tile.round %0 : tensor<64x32xf32>
      tile.store %1, %y[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins TensorOf<[F32]>:$source);
  let results = (outs TensorOf<[F32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Placed tiles
//===----------------------------------------------------------------------===//

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "bring a placed tile into another layout";
  let description = [{
    The same elements, held by other threads or in other registers, or in shared
    memory. It is the only op of the placed form that moves data between
    threads. Depending on the layouts it costs nothing (other names for
    registers), shuffles inside of warps, or a trip through shared memory.

    Example:
    ```mlir
    #rows = #tile.layout<cell = [32, 2] reg = [[0, 1]] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
    #columns = #tile.layout<cell = [32, 2] reg = [[16, 0]] lane = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0]]>
    tile.kernel @convert(%x: memref<32x2xf32>, %y: memref<32x2xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0, %c0] : memref<32x2xf32> -> tensor<32x2xf32, #rows>
      %1 = tile.convert_layout %0 : tensor<32x2xf32, #rows> -> tensor<32x2xf32, #columns>
      tile.store %1, %y[%c0, %c0] : tensor<32x2xf32, #columns>, memref<32x2xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // FUSE_DIALECT_TILE_IR_TILEOPS_TD
