//===- TileStagedOps.td - ops of the staged form -----------*- tablegen -*-===//
//
// Rings, products in flight, and roles. Every example below is parsed by
// test/Dialect/Tile/documentation.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILESTAGEDOPS_TD
#define FUSE_DIALECT_TILE_IR_TILESTAGEDOPS_TD

include "fuse/Dialect/Tile/IR/TileOps.td"
include "fuse/Dialect/Tile/IR/TileTypes.td"

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

class Tile_RingUser<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits>;

def Tile_RingOp : Tile_Op<"ring"> {
  let summary = "room in shared memory for tiles that are on their way";
  let description = [{
    A producer acquires a number, copies every part of it and commits; a consumer
    waits for the number, reads the parts and releases it. Numbers go up by one,
    and everybody takes each of them in order.

    `feed` says what copies: `cp_async` all threads of the producer, `tma` the
    copy engine.

    Example:
    ```mlir
    #s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
    tile.kernel @ring(%x: memref<?x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
      %c0 = arith.constant 0 : index
      %r = tile.ring feed = cp_async : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.acquire %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.copy %x[%i, %c0] limits(%i) axes [0] to %r[%c0] part 0 : memref<?x8xf32>, !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.commit %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      %t = tile.wait %r[%c0] behind 0 : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.release %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_FeedAttr:$feed);
  let results = (outs Tile_Ring:$ring);
  let assemblyFormat = "`feed` `=` `` $feed attr-dict `:` type($ring)";
}

def Tile_AcquireOp : Tile_RingUser<"acquire"> {
  let summary = "wait until the slot of a number may be filled";
  let description = [{
    The slot's last number, if it had one, has been released by all readers.

    See `tile.ring` for an example.
  }];
  let arguments = (ins Tile_Ring:$ring, Index:$number);
  let assemblyFormat = "$ring `[` $number `]` attr-dict `:` type($ring)";
}

def Tile_CopyOp : Tile_RingUser<"copy", [AttrSizedOperandSegments]> {
  let summary = "set off a copy from memory into a slot";
  let description = [{
    Reads what `tile.load` would read, zeros included, into a part of a slot,
    and does not wait for it. Behind the limits of `unused` axes the slot may
    stay as it was. `threads` says which thread copies which element,
    where threads do it. With `rounded` the slot has what `tile.round` makes of
    it: the copy engine does that on the way, and threads when they have waited
    for what they copied, before others read it. `multicast` says that all blocks of a
    cluster copy the same: the engine may bring a share of each block to all of
    them.

    See `tile.ring` for an example.
  }];
  let arguments = (ins
    Tile_Buffer:$memory, Variadic<Index>:$indices, OptionalAttr<AffineMapAttr>:$map,
    Variadic<Index>:$limits,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axes,
    OptionalAttr<DenseI64ArrayAttr>:$unused, UnitAttr:$guarded,
    UnitAttr:$disjoint, Tile_Ring:$ring, Index:$number,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$part, UnitAttr:$rounded,
    UnitAttr:$multicast,
    OptionalAttr<Tile_LayoutAttr>:$threads);
  let assemblyFormat = [{
    $memory `[` $indices `]` (`map` custom<AxisMap>($map)^)?
    (`limits` `(` $limits^ `)` `axes` $axes)? (`unused` $unused^)?
    (`guarded` $guarded^)? (`disjoint` $disjoint^)? `to` $ring `[` $number `]` `part` $part (`rounded` $rounded^)?
    (`multicast` $multicast^)? (`threads` `=` $threads^)? attr-dict
    `:` type($memory) `,` type($ring)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::fuse::tile::LoadOp":$load, "::mlir::Value":$ring,
                   "::mlir::Value":$number, "int64_t":$part)>
  ];
  let extraClassDeclaration = [{
    /// From axes to dimensions, also where it is not written.
    ::mlir::AffineMap getAxisMap();
    /// The tile that is copied.
    ::mlir::RankedTensorType getTile();
  }];
  let hasVerifier = 1;
}

def Tile_CommitOp : Tile_RingUser<"commit"> {
  let summary = "a number is complete when its copies are";
  let description = [{
    Every part has been copied since the number was acquired.

    See `tile.ring` for an example.
  }];
  let arguments = (ins Tile_Ring:$ring, Index:$number);
  let assemblyFormat = "$ring `[` $number `]` attr-dict `:` type($ring)";
}

def Tile_WaitOp : Tile_RingUser<"wait"> {
  let summary = "wait until a number is complete";
  let description = [{
    The results are the parts, of its `kind` if the ring has several, which may be
    read until the number is released. Where one role both copies and reads, all
    of its threads wait for each other here, and `behind` says how many commits
    since this number's may still be under way.

    See `tile.ring` for an example.
  }];
  let arguments = (ins Tile_Ring:$ring, Index:$number,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$behind,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$kind);
  let results = (outs Variadic<Tile_Tile>:$parts);
  let assemblyFormat = [{
    $ring `[` $number `]` (`behind` $behind^)? (`kind` $kind^)? attr-dict
    `:` custom<Parts>(ref($kind), type($ring), type($parts))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ring, "::mlir::Value":$number,
                   CArg<"int64_t", "0">:$kind)>
  ];
  let hasVerifier = 1;
}

def Tile_ReleaseOp : Tile_RingUser<"release"> {
  let summary = "a number has been read";
  let description = [{
    `groups` are the products that read the number's parts by themselves; what
    reads them thread by thread is done when it stands before.

    See `tile.ring` and `tile.dot_issue` for examples.
  }];
  let arguments = (ins Tile_Ring:$ring, Index:$number,
                       Variadic<Tile_Group>:$groups);
  let assemblyFormat = [{
    $ring `[` $number `]` (`after` $groups^)? attr-dict `:` type($ring)
  }];
}

//===----------------------------------------------------------------------===//
// Products in flight
//===----------------------------------------------------------------------===//

def Tile_PendingOrSum : AnyTypeOf<[Tile_SumTile, Tile_Pending]>;

def Tile_DotIssueOp : Tile_Op<"dot_issue"> {
  let summary = "set off a product of matrices";
  let description = [{
    What `tile.dot` is, but it goes on while others run. Until the group is
    retired, its operands are borrowed: slots are not released, and registers
    are not computed anew. `acc` may be a sum in flight itself, onto which this
    one is added in place.

    Example:
    ```mlir
    #s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    #acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
    !ring = !tile.ring<2 x (tensor<64x64xf16, #s>, tensor<64x64xf16, #s>)>
    tile.kernel @issue(%x: memref<64x64xf16>, %y: memref<64x64xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
      %r = tile.ring feed = tma : !ring
      %a, %b = tile.wait %r[%c0] : !ring
      %p, %g = tile.dot_issue %a, %b, %zero : tensor<64x64xf16, #s>, tensor<64x64xf16, #s>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
      %done = tile.retire %g behind 0
      tile.release %r[%c0] after %done : !ring
      %sum = tile.take %p : tensor<64x64xf32, #acc>
      tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    Tile_Tile:$lhs, Tile_Tile:$rhs, Tile_PendingOrSum:$acc,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$batch,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "1">:$contract,
    DefaultValuedAttr<Tile_PrecisionAttr,
                      "::fuse::tile::Precision::Ieee">:$precision);
  let results = (outs Tile_Pending:$result, Tile_Group:$group);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`batch` `=` $batch^)? (`contract` `=` $contract^)?
    (`precision` `=` `` $precision^)? attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($acc) `->` custom<PendingOf>(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::fuse::tile::DotOp":$dot)>
  ];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getSumType() {
      return getResult().getType().getTile();
    }
  }];
  let hasVerifier = 1;
}

def Tile_StartOp : Tile_Op<"start", [Pure]> {
  let summary = "a sum onto which products can be set off";
  let description = [{
    The same numbers, as a sum of which nothing is under way: what a loop starts
    with that carries a sum in flight.

    Example:
    ```mlir
    #acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
    tile.kernel @start(%y: memref<64x64xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
      %p = tile.start %zero : tensor<64x64xf32, #acc>
      %sum = tile.take %p : tensor<64x64xf32, #acc>
      tile.store %sum, %y[%c0, %c0] : tensor<64x64xf32, #acc>, memref<64x64xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_SumTile:$source);
  let results = (outs Tile_Pending:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<StartedTile>(type($source), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source)>];
  let hasVerifier = 1;
}

def Tile_PinOp : Tile_Op<"pin"> {
  let summary = "keep what computes a tile above what follows";
  let description = [{
    Means nothing, and costs next to nothing. It stands before a wait for a
    product whose time other work is meant to fill: without it the assembler,
    which knows no reason to wait later, moves the wait to the front.

    Example:
    ```mlir
    #rows = #tile.layout<cell = [32] reg = [] lane = [[1], [2], [4], [8], [16]]>
    tile.kernel @pin(%x: memref<32xf32>, %y: memref<32xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0] : memref<32xf32> -> tensor<32xf32, #rows>
      tile.pin %0 : tensor<32xf32, #rows>
      tile.store %0, %y[%c0] : tensor<32xf32, #rows>, memref<32xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Tile_HoldOp : Tile_Op<"hold", [AllTypesMatch<["source", "result"]>]> {
  let summary = "know a tile only where this stands";
  let description = [{
    The same numbers, of a few for each thread. What is made of them is not done
    before what stands above, nor is a wait below. It costs less than a `tile.pin`,
    which keeps work above a wait: what stands below it may be mixed with what
    follows the next wait.

    Example:
    ```mlir
    #rows = #tile.layout<cell = [64] reg = [[32]] lane = [[1], [2], [4], [8], [16]]>
    tile.kernel @hold(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
      %1 = tile.hold %0 : tensor<64xf32, #rows>
      tile.store %1, %y[%c0] : tensor<64xf32, #rows>, memref<64xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Tile_TakeOp : Tile_Op<"take"> {
  let summary = "wait for a sum of products and read it";
  let description = [{
    Its group, and all that were issued before, are done then; `behind` says how
    many that were issued later may still be under way.

    See `tile.dot_issue` for an example.
  }];
  let arguments = (ins Tile_Pending:$pending,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$behind);
  let results = (outs Tile_SumTile:$result);
  let assemblyFormat = [{
    $pending (`behind` $behind^)? attr-dict
    `:` custom<TakenTile>(type($pending), type($result))
  }];
  let hasVerifier = 1;
}

def Tile_RetireOp : Tile_Op<"retire",
    [AllTypesMatch<["group", "done"]>]> {
  let summary = "wait for a product without reading it";
  let description = [{
    As `tile.take`. The result stands for the group, now that it is done.

    See `tile.dot_issue` for an example.
  }];
  let arguments = (ins Tile_Group:$group,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$behind);
  let results = (outs Tile_Group:$done);
  let assemblyFormat = "$group `behind` $behind attr-dict";
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def Tile_RolesOp : Tile_Op<"roles",
    [SingleBlock, NoTerminator, NoRegionArguments, HasParent<"KernelOp">]> {
  let summary = "different warps do different things";
  let description = [{
    Contains one `tile.role` for each group of warps, in the order of their
    numbers. All begin at the same time, and the kernel ends when all have ended.

    Example:
    ```mlir
    #s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
    tile.kernel @roles(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks() {
      %c0 = arith.constant 0 : index
      %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.roles {
        tile.role math warps 4 {
          %t = tile.wait %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
          tile.release %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
        }
        tile.role load warps 4 registers 40 {
          tile.acquire %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
          tile.copy %x[%c0, %c0] to %r[%c0] part 0 : memref<4x8xf32>, !tile.ring<2 x (tensor<4x8xf32, #s>)>
          tile.commit %r[%c0] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
        }
      }
      tile.return
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Tile_RoleOp : Tile_Op<"role",
    [SingleBlock, NoTerminator, NoRegionArguments, HasParent<"RolesOp">]> {
  let summary = "what one group of warps does";
  let description = [{
    `load` fills rings, by one thread where the copy engine does it; `math` does
    all else. Layouts count the warps of their role only. `registers` is how many
    a thread may have; without it all roles have equally many.

    Of `crews` each has as many warps, and all of them do what the role does, with
    places of a grid of their own (`tile.crew`). Each number of a ring is read by
    one of them. They take turns (`tile.take_turn`).

    See `tile.roles` for an example.
  }];
  let arguments = (ins Tile_RoleKindAttr:$kind,
                       ConfinedAttr<I64Attr, [IntPositive]>:$warps,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$crews,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `` $kind `warps` $warps (`crews` $crews^)? (`registers` $registers^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Of all crews.
    int64_t getAllWarps() { return getWarps() * getCrews(); }
  }];
}

def Tile_CrewOp : Tile_Op<"crew", [Pure]> {
  let summary = "which crew of its role this is";
  let description = [{
    From 0 on.

    Example:
    ```mlir
    #s = #tile.shared<cell = [4, 8] offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]>
    tile.kernel @crews(%x: memref<4x8xf32>, %y: memref<4xf32>) outputs 1 blocks(%first, %step, %items) attributes {walks} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = tile.ring feed = tma : !tile.ring<2 x (tensor<4x8xf32, #s>)>
      tile.roles {
        tile.role math warps 4 crews 2 {
          %crew = tile.crew
          %own = arith.muli %crew, %step : index
          %begin = arith.addi %first, %own : index
          %c2 = arith.constant 2 : index
          %twice = arith.muli %step, %c2 : index
          %last = scf.for %item = %begin to %items step %twice iter_args(%number = %crew) -> index {
            tile.take_turn
            %t = tile.wait %r[%number] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
            tile.give_turn
            tile.release %r[%number] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
            %next = arith.addi %number, %c2 : index
            scf.yield %next : index
          }
        }
        tile.role load warps 4 {
          %last = scf.for %item = %first to %items step %step iter_args(%number = %c0) -> index {
            tile.acquire %r[%number] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
            tile.copy %x[%c0, %c0] to %r[%number] part 0 : memref<4x8xf32>, !tile.ring<2 x (tensor<4x8xf32, #s>)>
            tile.commit %r[%number] : !tile.ring<2 x (tensor<4x8xf32, #s>)>
            %next = arith.addi %number, %c1 : index
            scf.yield %next : index
          }
        }
      }
      tile.return
    }
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_TakeTurnOp : Tile_Op<"take_turn"> {
  let summary = "go on when it is this crew's turn";
  let description = [{
    The first turn is that of crew 0, and the next one is that of the next crew, when
    `tile.give_turn` has ended it. Who waits for a number of a ring knows whether
    it is complete by one bit, so all numbers before it have to have been waited
    for: by whoever had a turn before.

    See `tile.crew` for an example.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_GiveTurnOp : Tile_Op<"give_turn"> {
  let summary = "let the next crew go on";
  let description = [{
    See `tile.take_turn`, and `tile.crew` for an example.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // FUSE_DIALECT_TILE_IR_TILESTAGEDOPS_TD
