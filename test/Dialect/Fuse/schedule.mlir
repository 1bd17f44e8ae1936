// Every parameter of a schedule is read back as it was printed, and is not
// printed where it is the default.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK: @all() attributes {s = #fuse.schedule<parallel = [64, 128], sequential = [r1024_0 = 64, rs3_1 = 32], owned = 1,
// CHECK-SAME: cascades = [2 wrt 0 = rescale, 2 wrt 1 = defer, 1 wrt 0 = sequential, 3 wrt 0 = pilot], split = 4,
// CHECK-SAME: warps = 8, stages = 16, roles = 2, residents = 3, cluster = [2, 1],
// CHECK-SAME: order = [2 down, 0]>}
func.func private @all() attributes {s = #fuse.schedule<
  parallel = [64, 128], sequential = [r1024_0 = 64, rs3_1 = 32], owned = 1,
  cascades = [2 wrt 0 = rescale, 2 wrt 1 = defer, 1 wrt 0 = sequential, 3 wrt 0 = pilot],
  split = 4, warps = 8, stages = 16, roles = 2, residents = 3, cluster = [2, 1],
  order = [2 down, 0]>}

// CHECK: @defaults() attributes {s = #fuse.schedule<>}
func.func private @defaults() attributes {s = #fuse.schedule<
  split = 1, parallel = [], sequential = [],
  cascades = [], cluster = [], order = []>}

// CHECK: @shared() attributes {s = #fuse.schedule<warps = 8, share = 4>}
func.func private @shared() attributes {s = #fuse.schedule<share = 4, warps = 8>}

// CHECK: @merged() attributes {s = #fuse.schedule<split = 4, merge = cluster, warps = 8>}
func.func private @merged() attributes {s = #fuse.schedule<warps = 8, merge = cluster, split = 4>}

// CHECK: @launched() attributes {s = #fuse.schedule<split = 16>}
func.func private @launched() attributes {s = #fuse.schedule<split = 16, merge = launch>}

// No owned variables at all is another thing than what has to be owned.
// CHECK: @owned() attributes {s = #fuse.schedule<owned = 0>}
func.func private @owned() attributes {s = #fuse.schedule<owned = 0>}

// Some of them, wherever they are.
// CHECK: @some() attributes {s = #fuse.schedule<parallel = [1, 4], owned = [0, 2]>}
func.func private @some() attributes {s = #fuse.schedule<parallel = [1, 4], owned = [0, 2]>}

// Parameters may come in any order.
// CHECK: @order() attributes {s = #fuse.schedule<parallel = [8], split = 2>}
func.func private @order() attributes {s = #fuse.schedule<split = 2, parallel = [8]>}

// A size is no symbol, and levels tell loops over one size apart.
// CHECK: @loops() attributes {s = #fuse.schedule<sequential = [r3_0 = 1, rs3_0 = 2, r3_1 = 3, r0_0 = 4]>}
func.func private @loops() attributes {s = #fuse.schedule<sequential = [r3_0 = 1, rs3_0 = 2, r3_1 = 3, r0_0 = 4]>}
