// Products by four warps: what their descriptors say, which pieces of assembly
// there are, and what stands between writing a factor and reading it.

// RUN: split-file %s %t
// RUN: fuse-opt %t/products.mlir --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %t/products.mlir --fuse-staged-to-threads --fuse-threads-to-llvm=chip=sm_90a -o /dev/null
// RUN: fuse-opt %t/invalid.mlir --convert-tile-to-nvvm --split-input-file --verify-diagnostics

//--- products.mlir
#acc = #tile.layout<cell = [64, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#acc32 = #tile.layout<cell = [64, 32] reg = [[0, 1], [8, 0], [0, 8], [0, 16]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#accTwo = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8], [64, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#accGroups = #tile.layout<cell = [128, 16] reg = [[0, 1], [8, 0], [0, 8]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#a = #tile.layout<cell = [64, 32] reg = [[0, 1], [8, 0], [0, 8], [0, 16]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
#rows = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
#rows64 = #tile.layout<cell = [64, 64] reg = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]] lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>
#deep = #tile.layout<cell = [16, 32] reg = [[0, 1], [0, 2]] lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]] warp = [[4, 0], [8, 0]]>

// K-major in rows of 128, 64 and 32 bytes, and along the rows.
#left128 = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#left32 = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0]]>
#left32m = #tile.shared<cell = [64, 16] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
#leftTwo = #tile.shared<cell = [128, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
#right128 = #tile.shared<cell = [64, 16] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8]]>
#right32 = #tile.shared<cell = [16, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
#right64n = #tile.shared<cell = [32, 32] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0]]>
#right32n = #tile.shared<cell = [16, 32] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [0, 16]]>
#plain = #tile.shared<cell = [64, 16] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#ringThreads = #tile.layout<cell = [64, 16] reg = [[0, 1], [0, 2], [0, 4]] lane = [[0, 8], [1, 0], [2, 0], [4, 0], [8, 0]] warp = [[16, 0], [32, 0]]>
