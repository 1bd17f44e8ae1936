// What a mask is made of is copied ahead by the copy engine, too: as a row that
// lies as it does in memory, in slots of its own, since it is needed before the
// factor of the product that the masked tile goes into.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts{warpgroups=true},tile-form-rings{engine=true},tile-split-roles,tile-verify-staged))' | FileCheck %s

// CHECK-LABEL: tile.kernel @segments
//   CHECK-DAG:   %[[IDS:.*]] = tile.ring feed = tma : <{{.*}} x (tensor<64xi32, #tile.shared<cell = [64] offset = {{\[\[}}1], [2], [4], [8], [16], [32]]>>)>
//   CHECK-DAG:   tile.ring feed = tma : <3 x (tensor<64x64xbf16, #tile.shared<{{[^>]*}}>>)>
//       CHECK:   tile.role math
//       CHECK:     scf.for
//       CHECK:       %[[ROW:.*]] = tile.wait %[[IDS]]
//       CHECK:       tile.convert_layout %[[ROW]]
//       CHECK:   tile.role load
tile.kernel @segments(%ids: memref<4096xi32>, %q: memref<4096x64xbf16>, %k: memref<4096x64xbf16>, %v: memref<4096x64xbf16>, %o: memref<4096x64xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %row = arith.muli %i, %c64 : index
  %of_rows = tile.load %ids[%row] : memref<4096xi32> -> tensor<64xi32>
  %a = tile.broadcast %of_rows dims [0] : tensor<64xi32> -> tensor<64x64xi32>
  %0 = scf.for %column = %c0 to %c4096 step %c64 iter_args(%sum = %none) -> (tensor<64x64xf32>) {
    %of_columns = tile.load %ids[%column] : memref<4096xi32> -> tensor<64xi32>
    %b = tile.broadcast %of_columns dims [1] : tensor<64xi32> -> tensor<64x64xi32>
    %keep = arith.cmpi eq, %a, %b : tensor<64x64xi32>
    %x = tile.load %q[%row, %c0] : memref<4096x64xbf16> -> tensor<64x64xbf16>
    %y = tile.load %k[%column, %c0] map (d0, d1) -> (d1, d0) : memref<4096x64xbf16> -> tensor<64x64xbf16>
    %s = tile.dot %x, %y, %none : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    %kept = arith.select %keep, %s, %none : tensor<64x64xi1>, tensor<64x64xf32>
    %p = arith.truncf %kept : tensor<64x64xf32> to tensor<64x64xbf16>
    %z = tile.load %v[%column, %c0] : memref<4096x64xbf16> -> tensor<64x64xbf16>
    %next = tile.dot %p, %z, %sum : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %0, %o[%row, %c0] : tensor<64x64xf32>, memref<4096x64xf32>
  tile.return
}
