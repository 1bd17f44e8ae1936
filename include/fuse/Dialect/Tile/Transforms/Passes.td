//===- Passes.td - passes on kernels over tiles ------------*- tablegen -*-===//
//
// What takes kernels from one form of the tile dialect to the next.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_TRANSFORMS_PASSES_TD
#define FUSE_DIALECT_TILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayouts : Pass<"tile-assign-layouts", "::fuse::tile::KernelOp"> {
  let summary = "decide which thread holds which element of every tile";
  let description = [{
    Takes kernels from the abstract to the placed form: afterwards every tile has
    a layout, and `tile.convert_layout` stands wherever a tile is needed in
    another one than it has. Nothing is placed twice.

    Tiles that must agree, since a pointwise op or a loop connects them, form a
    class. Classes are placed from the largest to the smallest: those that a dot
    accumulates into as its instruction wants it, others as their neighbours
    imply through reductions, broadcasts and transposes, and what is left as
    memory is read and written fastest.

    The attribute `tile.warps` says how many warps a block has; where it is there
    already, it says how many to take at most.
    (example: test/Dialect/Tile/assign-layouts.mlir)
  }];
  let options = [
    Option<"hasWarpgroups", "warpgroups", "bool", "false",
           "whether the GPU has instructions that four warps do together">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect"];
}

def FormRings : Pass<"tile-form-rings", "::fuse::tile::KernelOp"> {
  let summary = "let what a loop reads go through rings";
  let description = [{
    Takes kernels from the placed to the staged form. Loads in a loop whose tiles
    are only brought to shared memory become copies into a ring of slots, if their
    addresses depend on nothing but the round; all loads of a loop share a slot.
    Each round still copies what it reads itself.

    Loops are made to count their rounds, and loops around them carry how many
    there were, so that the numbers of a ring go up by one in the whole kernel.
    A loop is left as it is where not even two slots fit. The attribute
    `tile.stages` of a kernel says how many slots to take at most.
    (example: test/Dialect/Tile/form-rings.mlir)
  }];
  let options = [
    Option<"slots", "slots", "int64_t", "4",
           "the most slots that a ring gets">,
    Option<"sharedBytes", "shared-bytes", "int64_t", "166912",
           "the shared memory of a processor, in bytes; where two blocks can "
           "share it, slots are so many that they do">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

def PeelPipeline : Pass<"tile-peel-pipeline", "::fuse::tile::KernelOp"> {
  let summary = "copy ahead of what a loop reads";
  let description = [{
    In loops over rings that `cp.async` fills, the copies of later rounds are set
    off in earlier ones: a round waits for its own number, then sets off that
    which is a slot less than the ring has slots ahead.
    (example: test/Dialect/Tile/peel-pipeline.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SplitRoles : Pass<"tile-split-roles", "::fuse::tile::KernelOp"> {
  let summary = "let warps of their own load";
  let description = [{
    Where the copy engine can fill every ring of a kernel, four warps more do
    nothing but tell it to, and the others do the rest. They run through the same
    loops, and registers are given to those who compute.

    A kernel stays as it is if a copy is no box of its memory (sizes that are
    not known, rows that are no multiples of 16 bytes, limits other than the
    memory's ends), if a loop's bounds depend on what was loaded, if the number of
    its warps is no multiple of 4, or if its attribute `tile.roles` is 1.
    (example: test/Dialect/Tile/split-roles.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::scf::SCFDialect"];
}

def RoundFactors : Pass<"tile-round-factors"> {
  let summary = "round the factors of products of precision tf32";
  let description = [{
    A dot of precision tf32 multiplies numbers with 10 bits of mantissa. Its
    operands are rounded to them, to nearest even, where they are computed or
    loaded; a target without such an instruction may then multiply them as they
    are, and one that has it rounds no more.
    (example: test/Dialect/Tile/round-factors.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def WidenReductions : Pass<"tile-widen-reductions"> {
  let summary = "combine narrow floats in f32";
  let description = [{
    Afterwards no `tile.reduce` is of floats narrower than f32: the elements are
    extended before and the result is rounded once.
    (example: test/Dialect/Tile/widen-reductions.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // FUSE_DIALECT_TILE_TRANSFORMS_PASSES_TD
