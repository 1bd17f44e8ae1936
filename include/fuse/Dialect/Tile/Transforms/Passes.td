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
    already, it says how many to take at most. A dot of 8-bit numbers whose result
    is only seen as bf16 or less has `tile.apart`: how many products may be summed
    in few digits before they are added to the others, which is 128 elsewhere.

    A left factor that stays the same in all rounds of a loop, and that a dot by
    warpgroups would read from shared memory, is held in registers if they have
    room for it beside all sums and the factors that are computed.

    `tile.share` says how many blocks of a cluster hold every tile together: each
    has a part of its last axis, and what is reduced along that goes to all.
    Kernels with products, those in which one block would need anything else of
    another one, and chips without clusters have no such blocks, which a remark
    says.
    (examples: test/Dialect/Tile/assign-layouts.mlir,
    test/Dialect/Tile/share-tiles.mlir)
  }];
  let options = [
    Option<"hasWarpgroups", "warpgroups", "bool", "false",
           "whether the GPU has instructions that four warps do together">,
    Option<"hasClusters", "clusters", "bool", "false",
           "whether blocks can form clusters, and write to each other">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect"];
}

def OrderBlocks : Pass<"tile-order-blocks", "::fuse::tile::KernelOp"> {
  let summary = "let blocks with the longest loops start first";
  let description = [{
    How many rounds a loop has may depend on where its block is in the grid. If it
    grows, or falls, with a dimension, the blocks that take longest are not left
    for the end, where nothing runs beside them: the attribute `tile.order` makes
    that dimension the slowest one, from the last block on if it grows. What is
    not known to go one way, and a kernel that has an order, stays as it is.

    Blocks along that dimension often read the same in their rounds. Where all of
    that is more than half of the second cache, `tile.parts` says in how many parts
    the places of the other dimensions come, each in order of length: so what is
    read is still there when the next block of its part reads it. A processor has
    two blocks of each part at least. Blocks that walk take no notice.
    (example: test/Dialect/Tile/order-blocks.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect"];
}

def AlignRows : Pass<"tile-align-rows", "::fuse::tile::KernelOp"> {
  let summary = "let tiles begin before their rows, at multiples of 16 bytes";
  let description = [{
    Rows whose length is no multiple of 16 bytes begin anywhere, so that no vector
    may be read or written there. But of memory that lies in one piece it is known
    how far before a row the last multiple of 16 bytes is, from the row's index
    alone. Tiles with one row begin there: each index along the row moves to the
    front by so much, each limit to the back, and what is in front of the row is
    left out by loads, stores and masks as what is behind it is (`from`). Loops over a
    row go on for what they began earlier.

    All tiles that have to agree move together, if there is room for it and
    everything that depends on a position in them is known to move along; else
    nothing does. Rows of different lengths, or types, that are read or written
    together begin where the most bytes of them are aligned.
    (example: test/Dialect/Tile/align-rows.mlir)
  }];
  let options = [
    Option<"shortTile", "short-tile", "int64_t", "4096",
           "bytes of a tile up to which it stays where it is">,
  ];
  let dependentDialects = ["::fuse::tile::TileDialect",
                           "::mlir::arith::ArithDialect"];
}

def FormRings : Pass<"tile-form-rings", "::fuse::tile::KernelOp"> {
  let summary = "let what a loop reads go through rings";
  let description = [{
    Takes kernels from the placed to the staged form. Loads in a loop whose tiles
    are only brought to shared memory become copies into a ring of slots, if their
    addresses depend on nothing but the round; all loads of a loop share a slot.
    Each round still copies what it reads itself. Where blocks have a processor
    each and there are three slots, what threads read before a product begins has
    slots of its own, which are released then. What is used behind an inner loop
    is read from its slot there, if registers do not suffice for it beside what
    that loop multiplies (example: test/Dialect/Tile/held-factors.mlir).

    Loops are made to count their rounds, and loops around them carry how many
    there were, so that the numbers of a ring go up by one in the whole kernel.
    A loop is left as it is where not even two slots fit.

    Loops that read one after another have one ring where a role of its own will
    fill it: those that follow each other, and a loop in another one that has read
    all that is its own by then. What lies otherwise in a slot is of another kind
    (example: test/Dialect/Tile/rings-together.mlir). The attribute
    `tile.stages` of a kernel says how many slots to take at most, and
    `tile.residents` how many blocks are to share a processor's memory. Where
    threads multiply number by number slots are as many as last while the blocks
    of a processor multiply, and `tile.together` says how many blocks that are.
    (example: test/Dialect/Tile/form-rings.mlir)
  }];
  let options = [
    Option<"slots", "slots", "int64_t", "4",
           "the most slots that a ring gets">,
    Option<"sharedBytes", "shared-bytes", "int64_t", "166912",
           "the shared memory of a processor, in bytes; where two blocks can "
           "share it, slots are so many that they do">,
    Option<"hasEngine", "engine", "bool", "false",
           "the chip has an engine that copies boxes, and rounds on the way">
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
    loops, and registers are given to those who compute: those that a processor
    has for each of `tile.residents` blocks, or for one.

    A kernel stays as it is if a copy is no box of its memory (sizes that are
    not known, rows that are no multiples of 16 bytes, limits other than the
    memory's ends), if a loop's bounds depend on what was loaded, if the number of
    its warps is no multiple of 4, or if its attribute `tile.roles` is 1. Without
    the attribute one in which no dot is done by wgmma stays as it is, too. Where
    the attribute is 2 a remark says why there is one role. Without `engine` there
    always is.

    Of a kernel that walks, `tile.crews` four warps compute, each at places of its
    own, if nothing else is done behind one another and all places take equally
    many rounds; else a remark says why there is one crew.
    (example: test/Dialect/Tile/split-roles.mlir)
  }];
  let options = [
    Option<"hasEngine", "engine", "bool", "true",
           "whether the copy engine fills rings">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::scf::SCFDialect"];
}

def RoundFactors : Pass<"tile-round-factors"> {
  let summary = "round the factors of products of precision tf32";
  let description = [{
    A dot of precision tf32 multiplies numbers with 10 bits of mantissa. Its
    operands are rounded to them by `tile.round`, where they are computed or
    loaded; a target without such an instruction may then multiply them as they
    are, and one that has it rounds no more.
    (example: test/Dialect/Tile/round-factors.mlir)
  }];
}

def EndEarly : Pass<"tile-end-early", "::fuse::tile::KernelOp"> {
  let summary = "let groups of warps leave loops that only others go on with";
  let description = [{
    A loop that ends where the rows of a block do, since what follows is masked
    out, ends for each group of four warps where its own rows do: `tile.most` of
    them takes the place of the last one in what the loop's bound is computed from.
    What the group does not need of a ring it waits for and releases in a loop of
    its own, so that all count the same numbers.

    That needs rows which no group exchanges with others in the loop, and rings
    that are read nowhere else, as those of products in flight from round to round
    are. Behind `tile-verify-staged`, for which all warps of a role go on together.
    (example: test/Dialect/Tile/end-early.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ExpandRounds : Pass<"tile-expand-rounds"> {
  let summary = "round to tf32 by arithmetic on bits";
  let description = [{
    For processors; the road to GPUs rounds as its chip can.
    (example: test/Dialect/Tile/expand-rounds.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AsyncDots : Pass<"tile-async-dots", "::fuse::tile::KernelOp"> {
  let summary = "let products go on while others run";
  let description = [{
    In loops of the role that computes, a dot of four warps becomes a
    `tile.dot_issue` and the `tile.take` of its sum, which still follows at once.
    A sum to which nothing but the next product is added stays in flight, also
    from round to round; a slot is released when the products that read it are
    retired.

    A loop stays as it is if one of its dots is done otherwise, or reads shared
    memory that the loop itself writes.
    (example: test/Dialect/Tile/async-dots.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect"];
}

def ScheduleLoops : Pass<"tile-schedule-loops", "::fuse::tile::KernelOp"> {
  let summary = "order what a loop does around its products in flight";
  let description = [{
    Each loop with products in flight is modulo scheduled into one or two stages.
    Which ops come a round late is enumerated; what follows from the order of
    values, slots and registers that products borrow is kept; each candidate is
    ordered for warps that issue in order, and run through a model of the tensor
    cores. The shortest round whose registers suffice is taken.

    Two stages become a first part before the loop and a last one behind it, under
    an `scf.if` unless there is a round for certain. Waits then say how many
    products may be under way, and a `tile.pin` stands before a wait that much
    other work was put before.
    (example: test/Dialect/Tile/schedule-loops.mlir)
  }];
  let options = [
    Option<"shouldExplain", "explain", "bool", "false",
           "a remark for every candidate">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def TakeTurns : Pass<"tile-take-turns", "::fuse::tile::KernelOp"> {
  let summary = "let crews feed the tensor cores in turns";
  let description = [{
    Of a role with several crews each takes its turn before the first number of a
    ring that it waits for at a place, and gives it to the next one behind the last
    product that it sets off there. What is done with the sums is done while the
    next one multiplies.
    (example: test/Dialect/Tile/take-turns.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def GuardMasks : Pass<"tile-guard-masks"> {
  let summary = "leave masks out of rounds that have nothing to mask";
  let description = [{
    A `tile.mask`, or an `arith.select` by comparisons of positions with each
    other, with constants or with one number for all, goes into the second branch
    of an `scf.if` if it stands in a loop. The first one yields what was to be
    masked, and is taken where the least and the greatest position tell that
    everything stays. Where a layout gives groups of four warps positions of their
    own, that is asked for those of each group, by `tile.least` and `tile.most`.
    Of conditions that are joined by `arith.andi` each is masked with by itself.
    (example: test/Dialect/Tile/guard-masks.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def GuardChoices : Pass<"tile-guard-choices", "::fuse::tile::KernelOp"> {
  let summary = "compute only what a block chooses";
  let description = [{
    What only one side of an `arith.select` of tiles needs goes into a branch of an
    `scf.if`, if the condition compares positions, as it does where tensors are put
    together. A block for which the least and the greatest position tell that the
    other side is chosen everywhere computes nothing of it. Only a choice between
    two tiles that are both read from memory, or multiplied, or reduced is
    guarded, and none in a loop, where what is read is copied ahead.
    (example: test/Dialect/Tile/guard-choices.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def SumThinProducts : Pass<"tile-sum-thin-products", "::fuse::tile::KernelOp"> {
  let summary = "sum up what is multiplied with one row or column";
  let description = [{
    A `tile.dot` of floats in which one factor has one row, or one column, becomes a
    `tile.reduce` of the other factor times that one, if the other is computed of
    a product: it is in registers then, and stays there. So does what a round
    reads in rows that begin within words of 4 bytes, and so do numbers of 4
    bytes and more, which threads multiply one by one, if `tile.thin` says that
    there is no other row. What else is read from memory is multiplied as
    before. Factors of a `tf32` product have to be
    rounded before (`tile-round-factors`), since a sum rounds none.
    (example: test/Dialect/Tile/sum-thin-products.mlir)
  }];
  let dependentDialects = ["::fuse::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

def CountInside : Pass<"tile-count-inside"> {
  let summary = "know how many elements of a tile are inside";
  let description = [{
    The sum over a whole tile of ones where positions are below some end, and
    zeros elsewhere, is computed from the ends. A mean so far is divided by such
    a number in each round.
    (example: test/Dialect/Tile/count-inside.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def JoinMasks : Pass<"tile-join-masks"> {
  let summary = "mask once what is masked again further on";
  let description = [{
    What a `tile.mask` has made infinite is 0 when a maximum has been subtracted
    from it and it has gone through an exponential. Masks with the same limits
    that make it 0 there are left out, and what is in between is computed from
    the masked tile, if nobody reads it but behind such a mask. A square that is
    masked with 0 is one of what is masked.
    (example: test/Dialect/Tile/join-masks.mlir)
  }];
}

def LimitLoads : Pass<"tile-limit-loads", "::fuse::tile::KernelOp"> {
  let summary = "do not read what a mask hides";
  let description = [{
    A `tile.load` that is only read by an `arith.select` gets limits where the
    mask is false from some position on: where it compares a `tile.iota` along
    an axis with one that does not vary along it. Kernels with products are left
    as they are, since what they multiply is copied ahead.
    (example: test/Dialect/Tile/limit-loads.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FollowStored : Pass<"tile-follow-stored", "::mlir::ModuleOp"> {
  let summary = "note what kernels know of each other's numbers";
  let description = [{
    Kernels are lowered each by itself. Of an f32 that one stores for others of
    the module, and nobody else reads, the `tile.store` says how many binary
    digits are seen there (`tile.digits`), if these are not all; and a
    `tile.load` says so if what it reads is known to be zero or more
    (`tile.positive`). Sums of powers that chunks of a softmax leave are both,
    where its result has 16 bits, so that the chunks may compute powers as the
    whole would: `tile-relax-functions` asks for both.
    (example: test/Dialect/Tile/follow-stored.mlir)
  }];
}

def RelaxFunctions : Pass<"tile-relax-functions"> {
  let summary = "let functions be as exact as what is seen of them";
  let description = [{
    Puts `fastmath<afn>` on functions of f32 whose results are rounded to a
    narrower type before anything else sees them, if the error of the fast form
    is at most a quarter of what that rounding makes: exponentials for f16 and
    bf16, `tanh` for bf16 and f8, divisions of numbers up to 1 and `rsqrt` for
    all of them. On other divisions it puts `fastmath<arcp>`, which allows a
    product with the reciprocal; a silu, `x / (1 + e^-x)`, becomes one with that of
    a fast division.

    Products, quotients, choices, maxima and sums of numbers of one sign leave a
    relative error what it is; sums of products of more than 32 terms have lost
    as many digits themselves. Behind any other op all digits count.

    Where so few digits are seen of `1 + tanh x`, as of a gelu, it becomes
    `2 / (1 + exp(-2 x))`, of which both functions have fast forms, and `1 + erf
    x` becomes a power of two, `2^(|x| P(|x|))` with a polynomial P, where x is
    negative, and 2 less that power elsewhere; but not in loops with products.

    A fast power of e becomes one of two, and the factor that this takes joins a
    constant one in the argument. A `tanh` that is only a term of the argument of
    powers becomes `1 - 2 / (1 + e^2x)`, if what that is off by, 2^-19, is as
    little of what is seen of them.

    A power of e whose argument is a row's number less the row's maximum is fast
    wherever it only becomes a term of a sum of 32 or more, since those that it
    knows less of count less. A product that is added in the argument of a power
    is rounded with the sum.
    (example: test/Dialect/Tile/relax-functions.mlir)
  }];
}

def ScaleMaxima : Pass<"tile-scale-maxima", "::fuse::tile::KernelOp"> {
  let summary = "take a maximum from the argument of powers by one instruction";
  let description = [{
    The powers of a softmax, `2^((x - m) c)`, become `2^(x c - M)`, and
    corrections `2^((m' - m) c)` of what was summed before with another maximum
    `2^(M' - M)`, where M is the product of m and c, rounded. What rounding it is
    off by is a factor of all terms, which cancels where sums of them are divided
    by each other, as long as all terms and corrections have the same M.

    A factor has to be a float, though, and where |M| is beyond 2^31 it is 2^128
    and more. There a number that is not the maximum is so much less that nothing
    comes of it. So where |M| is beyond 2^30, a row has the next power of two in
    place of c, by which no product is rounded; with powers that become f16
    beyond 2^28. More than 1 might make infinity of such a number: if c is, it is
    1, and corrections between rows with c and with 1 are 0.

    This is done where c is 2 at most, where maxima become nothing but maxima,
    choices, comparisons and such powers, and where whatever is stored has as many
    factors of the kind in its dividend as in its divisor. A kernel that stores
    sums and maxima for another one to merge stays as it is.
    (example: test/Dialect/Tile/scale-maxima.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def VerifyStaged : Pass<"tile-verify-staged", "::fuse::tile::KernelOp"> {
  let summary = "check how ops of the staged form follow each other";
  let description = [{
    An error is a mistake of the compiler, and names both ops. The kernel is gone
    through as a chip would, role by role and round by round; where the bounds of
    loops and conditions depend on sizes or data, none, one, two and more rounds
    than a ring has slots are tried, and both branches. Checked are:

    - each ring is filled by one role and read by one role;
    - its numbers are acquired, committed, waited for and released once and in
      order, and each part is copied once in between. Only commits of `cp.async`
      may be of numbers that are not acquired;
    - nobody waits for ever, and where a role fills a ring that it reads itself,
      all of its threads have met since the slot was released;
    - `behind` of a wait, a take or a retire is at most what was committed, or
      set off, since;
    - a tile is read between its wait and its release, and a release comes after
      all products that read it are retired;
    - a sum in flight is taken or added to once, loops carry only sums that each
      round adds to, and registers that a product reads are left alone;
    - threads do not write what a product in flight reads, and what they or
      `cp.async` write, `wgmma` reads by the name that it was written under: by it
      `convert-tile-to-nvvm` finds out where fences have to be;
    - warps and registers of roles, and what a thread of the copy engine does
      alone;
    - a cluster's size divides the grid, and blocks that fill each other's slots
      do so in roles, equally often, and copy the same for all; those that collect
      what others have are all of a cluster;
    - conditions around rings and dots are the same for all threads. Sizes,
      places, counters, and elements of tiles of rank 0 are: every thread has
      them.

    Not checked is what the staged form only says by an attribute, and
    `convert-tile-to-nvvm` makes as a whole: how many threads and bytes a
    barrier counts, and that all of a cluster have ended; that places of staged
    stores are read out before they are written again. `threads-simulate` sees
    that in what comes out. That tiles fit in shared memory that pass sees itself.
    (example: test/Dialect/Tile/verify-staged.mlir)
  }];
  let options = [
    Option<"steps", "steps", "int64_t", "300000",
           "how many ops to go through at most, all rounds together; the rest is "
           "not checked">
  ];
}

def LoadAhead : Pass<"tile-load-ahead", "::fuse::tile::KernelOp"> {
  let summary = "ask for what the next round reads";
  let description = [{
    In loops with functions of many elements, and without products and stores,
    each `tile.load` that depends on the round only is done a round before what
    is computed with it, and carried there in registers, if these are few. Beyond
    the last round it reads nothing.
    (example: test/Dialect/Tile/load-ahead.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoadEarly : Pass<"tile-load-early", "::fuse::tile::KernelOp"> {
  let summary = "load what is needed behind products while they go on";
  let description = [{
    Loads behind the place where products in flight are waited for go before it,
    if what they are computed from allows it and the registers of a thread are
    enough for both.
    (example: test/Dialect/Tile/load-early.mlir)
  }];
}

def StageStores : Pass<"tile-stage-stores", "::fuse::tile::KernelOp"> {
  let summary = "let the copy engine store tiles that are scattered over threads";
  let description = [{
    In kernels whose products are done by four warps together, a store becomes
    `staged` if its threads hold fewer than 16 bytes that follow each other, and the
    engine can bring pieces of the tile to memory.
    (example: test/Dialect/Tile/stage-stores.mlir)
  }];
}

def FormClusters : Pass<"tile-form-clusters", "::fuse::tile::KernelOp"> {
  let summary = "let neighbouring blocks copy for each other";
  let description = [{
    Takes placed kernels whose attribute `tile.cluster` says how many blocks next
    to each other are together in each dimension of the grid, of which
    `tile.grid` has the extents. What their loads in loops read of the same place
    gets the attribute `tile.multicast`, and the ring's copies of it are
    `multicast`: each block brings a share to all of its cluster. Where that
    cannot be, a remark says why, and there are no clusters. Without `engine`
    there are none: what threads copy is for their own block. Blocks with a
    `tile.collect` are in clusters whatever they copy, and are left as they are.
    (example: test/Dialect/Tile/form-clusters.mlir)
  }];
  let options = [
    Option<"hasEngine", "engine", "bool", "true",
           "whether the copy engine fills rings">
  ];
}

def WalkBlocks : Pass<"tile-walk-blocks", "::fuse::tile::KernelOp"> {
  let summary = "let a block do many places of the grid";
  let description = [{
    Takes placed kernels. One whose products are done by four warps each, and whose
    blocks have a processor for themselves or share it with as many as
    `tile.residents` says, becomes a kernel that `walks`, if all blocks have equally
    much to do, or `tile.order` says which have more: so it is started with as many
    blocks as there is room for, and what comes first at one place is copied while
    the last one is stored. In order of length, blocks take turns in who begins;
    those that share a processor do not walk then, since the next one goes where
    one has ended first. Nor do blocks that collect what others of a cluster have.

    Of the last two dimensions of the grid, rows are gone through several at a
    time, as many as make the blocks that run together read least.

    The attribute `tile.blocks` says how many blocks there are, if that is known.
    (example: test/Dialect/Tile/walk-blocks.mlir)
  }];
  let options = [
    Option<"processors", "processors", "int64_t", "132",
           "how many blocks run at the same time">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def StreamBlocks : Pass<"tile-stream-blocks", "::fuse::tile::KernelOp"> {
  let summary = "let neighbours read the same tile of the larger matrix";
  let description = [{
    Blocks are numbered along the last dimension of the grid, and begin in that
    order. Where blocks of a row of the last two dimensions read one tile in each
    round of a loop, and blocks of a column another one, the matrix that has more
    bytes should be gone through once, each tile of it by blocks that begin one after
    the other, while the smaller one stays in the second cache. If that is the one
    that columns read, `tile.order` makes columns the slower dimension. Of two that
    are about as large it is the one with the larger tiles.

    It takes kernels whose `tile.grid` is known, which do not walk and have no order.
    Where a processor has more than one block, it leaves those alone whose columns'
    matrix the second cache holds.
    (example: test/Dialect/Tile/stream-blocks.mlir)
  }];
  let options = [
    Option<"processors", "processors", "int64_t", "132",
           "how many blocks begin at the same time">
  ];
  let dependentDialects = ["::fuse::tile::TileDialect"];
}

def ShareReciprocals : Pass<"tile-share-reciprocals"> {
  let summary = "divide by one number once";
  let description = [{
    A quotient by a tile that was broadcast becomes a product with the
    reciprocal of what was broadcast: a row of a softmax is divided by its sum.
    Of f32 and f64 the product is corrected by its remainder; f16 and bf16 are
    multiplied in f32. The result is that of a quotient, or, where it is below
    the least normal number or next to the largest, one unit in the last place
    from it. With the flag `arcp` the product of an f32 is not corrected, and
    quotients with the flag `afn` stay.
    (example: test/Dialect/Tile/share-reciprocals.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def PairReciprocals : Pass<"tile-pair-reciprocals", "::fuse::tile::KernelOp"> {
  let summary = "let two elements share the reciprocal of a gelu or silu";
  let description = [{
    A GPU does eight products in the time of one power or reciprocal. A quotient
    `1 / (1 + 2^y)` with the flag `afn` gets the attribute `tile.paired`, by which
    `math-expand-for-nvvm` takes one reciprocal for two elements:

    - where a processor has nothing else to do meanwhile: not beside products of
      the same loop, nor where crews take turns, so that one multiplies while the
      other one computes this, since it takes more instructions;
    - where nothing becomes of it but a product with an x that is NaN or infinite
      if y is NaN, as in `x / (1 + 2^(c x))`, or with another polynomial of x:
      paired quotients are 0 then.
    (example: test/Dialect/Tile/pair-reciprocals.mlir)
  }];
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
