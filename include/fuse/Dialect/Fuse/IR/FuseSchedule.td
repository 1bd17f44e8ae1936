//===- FuseSchedule.td - how a kernel is run ---------------*- tablegen -*-===//
//
// The attribute of a kernel that holds every choice about how it is run. Its
// contents are a struct, see FuseSchedule.h.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_TD
#define FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_TD

include "fuse/Dialect/Fuse/IR/FuseAttrs.td"

def Fuse_CascadeStrategy
    : Fuse_Enum<"CascadeStrategy", "how a cascade of reductions is run", [
  I32EnumAttrCase<"Sequential", 0, "sequential">,
  I32EnumAttrCase<"Rescale", 1, "rescale">,
  I32EnumAttrCase<"Defer", 2, "defer">,
  I32EnumAttrCase<"Pilot", 3, "pilot">,
  I32EnumAttrCase<"Auto", 4, "auto">
]>;

def Fuse_MergePlace
    : Fuse_Enum<"MergePlace", "where the parts of a split loop are merged", [
  I32EnumAttrCase<"Launch", 0, "launch">,
  I32EnumAttrCase<"Cluster", 1, "cluster">
]>;

def Fuse_ScheduleAttr : AttrDef<Fuse_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how a kernel is run, never what it computes";
  let description = [{
    Every parameter may be left out, and is left out in print where it is the
    default. Sizes of tiles need not divide anything.

    - `#fuse.schedule<parallel = [64, 128]>`: the tile that one block makes, by
      the variables of the output's index, `o0`, `o1`, ...
    - `#fuse.schedule<sequential = [r1024_0 = 64, rs3_1 = 32]>`: how many
      elements one step of a reduction's loop takes. A variable is called as
      `fuse-print-elements` calls it: `r1024_0` is the outermost one over a size
      of 1024, `rs3_1` one over the size with symbol 3, inside of another.
    - `#fuse.schedule<owned = 1>`: how many of the output's variables, from the
      last on, a block walks itself; or which, `owned = [0, 2]`. Without it those
      over which a statistic of the output runs. What is owned has no tile in
      `parallel`: a number that stands there for it says nothing.
    - `#fuse.schedule<cascades = [2 wrt 0 = rescale, 2 wrt 1 = defer]>`: how
      reduction 2 uses the statistics that reductions 0 and 1 compute over the
      same variable. Reductions are numbered in the order in which they are
      demanded. `sequential`: a loop of its own behind theirs; this is what
      holds for pairs that are not listed. `rescale`: one loop, and what has
      been accumulated is corrected when the statistic moves. `defer`: one
      loop, and the statistic's factor is applied behind it. `pilot`: one loop
      around the statistic of the first block, corrected once behind it.
    - `#fuse.schedule<split = 4>`: in how many chunks the outermost reduction
      loop is run, next to each other; the parts are then merged. Of a loop
      over two variables the first is divided as far as it has rounds, and then
      the second.

    The others matter on the road to GPUs only, but name what there is on every
    road. Of these five, what the chip is best at is taken where they are left
    out:

    - `#fuse.schedule<warps = 8>`: how many warps compute, a power of two up to
      16. Fewer are taken where there is not enough to divide.
    - `#fuse.schedule<crews = 2>`: how many crews of four warps take turns: each
      does another block of the grid, and while one is done with what it has
      multiplied the other one multiplies. Kernels have them whose blocks walk
      through a grid of more blocks than there are processors, where the engine
      brings all that warpgroups multiply, and all blocks of the grid take
      equally many rounds. Others have one crew, and a remark that says why.
    - `#fuse.schedule<stages = 4>`: how many tiles of one operand are on their
      way at a time, from 1 to 16. Fewer are taken where memory ends.
    - `#fuse.schedule<roles = 2>`: how many roles the warps of a block play. 1
      loads and computes in turn, 2 gives loading to warps of its own.
    - `#fuse.schedule<residents = 2>`: how many blocks a processor is to hold at
      a time, from 1 to 8. Registers and memory are shared out among them.
    - `#fuse.schedule<share = 4>`: how many blocks, a power of two up to 8, hold
      each tile together, where a row is too long for the registers of one. They
      form a cluster, and tell each other what they reduce. Only kernels without
      products have such blocks, and only chips with clusters.
    - `#fuse.schedule<split = 4, merge = cluster>`: where the parts of a split
      loop are merged. `launch`: in a second launch, to which they go through
      memory; this is what holds where it is left out. `cluster`: the blocks
      that have the parts, 2, 4 or 8, form a cluster, and each merges a share
      of all of them. Where a chip has no clusters, or the number of blocks is
      not known ahead, it is a second launch all the same.
    - `#fuse.schedule<cluster = [2, 1]>`: how many neighbouring blocks form a
      cluster, by dimension of the grid, at most 16 together.
    - `#fuse.schedule<order = [2 down, 0]>`: variables of the grid from the one
      that changes last on; blocks of one that is `down` are run from the last
      on. Those that are not named follow. Without it those that take longest
      are run first, where loops tell.
  }];
  let parameters = (ins AttrParameter<"::fuse::Schedule", "the choices",
                                      "const ::fuse::Schedule &">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // FUSE_DIALECT_FUSE_IR_FUSESCHEDULE_TD
