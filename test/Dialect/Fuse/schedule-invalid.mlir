// What a schedule may not say.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

// expected-error @+1 {{expected one of parallel, sequential, owned, cascades, split, merge, warps, crews, stages, roles, residents, share, cluster, order}}
func.func private @f() attributes {s = #fuse.schedule<colour = 3>}

// -----

// expected-error @+1 {{a schedule has one parameter 'split', but this is the second}}
func.func private @f() attributes {s = #fuse.schedule<split = 2, split = 3>}

// -----

// expected-error @+1 {{the tile size of o1 is 0, but must be at least 1}}
func.func private @f() attributes {s = #fuse.schedule<parallel = [64, 0]>}

// -----

// expected-error @+1 {{the tile size of r64_0 is 0, but must be at least 1}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [r64_0 = 0]>}

// -----

// expected-error @+1 {{a schedule says twice what the tile size is of r64_0}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [r64_0 = 8, r64_0 = 16]>}

// -----

// expected-error @+1 {{expected a loop such as 'r64_0'}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [64 = 8]>}

// -----

// expected-error @+1 {{expected a loop such as 'r64_0' or 'rs3_0', but found 'o1'}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [o1 = 8]>}

// -----

// expected-error @+1 {{expected a loop such as 'r64_0' or 'rs3_0', but found 'r64'}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [r64 = 8]>}

// -----

// expected-error @+1 {{expected a loop such as 'r64_0' or 'rs3_0', but found 'r99999999999999999999_0'}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [r99999999999999999999_0 = 8]>}

// -----

// expected-error @+1 {{expected a loop such as 'r64_0' or 'rs3_0', but found 'rs1_0_0'}}
func.func private @f() attributes {s = #fuse.schedule<sequential = [rs1_0_0 = 8]>}

// -----

// expected-error @+1 {{a schedule has -1 owned variables, but needs at least 0}}
func.func private @f() attributes {s = #fuse.schedule<owned = -1>}

// -----

// expected-error @+1 {{a schedule names owned variable -1, but the first is number 0}}
func.func private @f() attributes {s = #fuse.schedule<owned = [2, -1]>}

// -----

// expected-error @+1 {{a schedule says twice that a block owns 2}}
func.func private @f() attributes {s = #fuse.schedule<owned = [2, 0, 2]>}

// -----

// expected-error @+1 {{expected '['}}
func.func private @f() attributes {s = #fuse.schedule<owned = all>}

// -----

// expected-error @+1 {{expected one of sequential, rescale, defer and pilot}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [1 wrt 0 = guess]>}

// -----

// expected-error @+1 {{expected 'wrt'}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [1 of 0 = defer]>}

// -----

// expected-error @+1 {{a schedule names reduction -1, but the first is number 0}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [1 wrt -1 = defer]>}

// -----

// expected-error @+1 {{a schedule names reduction -2, but the first is number 0}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [-2 wrt 0 = defer]>}

// -----

// expected-error @+1 {{a schedule makes reduction 1 a statistic of itself}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [1 wrt 1 = defer]>}

// -----

// expected-error @+1 {{a schedule says twice what is done for 1 wrt 0}}
func.func private @f() attributes {s = #fuse.schedule<cascades = [1 wrt 0 = defer, 1 wrt 0 = pilot]>}

// -----

// expected-error @+1 {{a schedule has 0 chunks of a split, but needs at least 1}}
func.func private @f() attributes {s = #fuse.schedule<split = 0>}

// -----

// expected-error @+1 {{a schedule has 0 stages, but needs 1 to 16}}
func.func private @f() attributes {s = #fuse.schedule<stages = 0>}

// -----

// expected-error @+1 {{a schedule has 17 stages, but needs 1 to 16}}
func.func private @f() attributes {s = #fuse.schedule<stages = 17>}

// -----

// expected-error @+1 {{a schedule has 3 roles, but needs 1 to 2}}
func.func private @f() attributes {s = #fuse.schedule<roles = 3>}

// -----

// expected-error @+1 {{a schedule has 9 blocks on a processor, but needs 1 to 8}}
func.func private @f() attributes {s = #fuse.schedule<residents = 9>}

// -----

// expected-error @+1 {{a schedule has 16 blocks that share a tile, but needs 1 to 8}}
func.func private @f() attributes {s = #fuse.schedule<share = 16>}

// -----

// expected-error @+1 {{a schedule has 3 blocks that share a tile, but needs a power of two}}
func.func private @f() attributes {s = #fuse.schedule<share = 3>}

// -----

// expected-error @+1 {{a schedule has blocks that share a tile, and so form a cluster, and clusters of neighbouring blocks, but a block is in one cluster}}
func.func private @f() attributes {s = #fuse.schedule<share = 2, cluster = [2, 1]>}

// -----

// expected-error @+1 {{a schedule names variable of the grid -1, but the first is number 0}}
func.func private @f() attributes {s = #fuse.schedule<order = [-1]>}

// -----

// expected-error @+1 {{a schedule says twice when to change variable 2}}
func.func private @f() attributes {s = #fuse.schedule<order = [2 down, 2]>}

// -----

// expected-error @+1 {{a schedule has 32 warps, but needs 1 to 16}}
func.func private @f() attributes {s = #fuse.schedule<warps = 32>}

// -----

// expected-error @+1 {{a schedule has 6 warps, but needs a power of two}}
func.func private @f() attributes {s = #fuse.schedule<warps = 6>}

// -----

// expected-error @+1 {{a schedule has 17 blocks in a row of a cluster, but needs 1 to 16}}
func.func private @f() attributes {s = #fuse.schedule<cluster = [2, 17]>}

// -----

// expected-error @+1 {{a schedule has 32 blocks in a cluster, but needs 1 to 16}}
func.func private @f() attributes {s = #fuse.schedule<cluster = [8, 4]>}

// -----

// expected-error @+1 {{a cluster has 4 dimensions, but at most 3 are possible}}
func.func private @f() attributes {s = #fuse.schedule<cluster = [1, 1, 1, 1]>}

// -----

// expected-error @+1 {{expected integer value}}
func.func private @f() attributes {s = #fuse.schedule<stages = many>}

// -----

// expected-error @+1 {{expected '='}}
func.func private @f() attributes {s = #fuse.schedule<split 4>}

// -----

// expected-error @+1 {{expected one of launch and cluster}}
func.func private @f() attributes {s = #fuse.schedule<split = 2, merge = block>}

// -----

// expected-error @+1 {{a schedule merges the parts of 16 chunks in a cluster, but needs 2, 4 or 8}}
func.func private @f() attributes {s = #fuse.schedule<split = 16, merge = cluster>}

// -----

// expected-error @+1 {{a schedule merges the parts of 1 chunks in a cluster, but needs 2, 4 or 8}}
func.func private @f() attributes {s = #fuse.schedule<merge = cluster>}

// -----

// expected-error @+1 {{a schedule has blocks that merge, and so form a cluster, and others, but a block is in one cluster}}
func.func private @f() attributes {s = #fuse.schedule<split = 2, merge = cluster, cluster = [2, 1]>}

// -----

// expected-error @+1 {{a schedule has 3 crews, but needs 1 to 2}}
func.func private @f() attributes {s = #fuse.schedule<crews = 3>}

// -----

// expected-error @+1 {{a schedule has crews of 8 warps, but needs 4}}
func.func private @f() attributes {s = #fuse.schedule<warps = 8, crews = 2>}

// -----

// expected-error @+1 {{a schedule has crews, for which others load, and which fill a processor, but it has 1 roles and 1 blocks on a processor}}
func.func private @f() attributes {s = #fuse.schedule<crews = 2, roles = 1>}

// -----

// A tile so large would be laid out for minutes before it is refused.
// expected-error @+1 {{the tile size of o0 is 99999999999999, but must be at most 524288}}
func.func private @f() attributes {s = #fuse.schedule<parallel = [99999999999999]>}
