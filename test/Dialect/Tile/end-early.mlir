// Groups of warps leave loops that only other rows go on with.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-end-early))' --mlir-print-local-scope | FileCheck %s

#rows = #tile.layout<cell = [128] reg = [[8]] lane = [[0], [0], [1], [2], [4]] warp = [[16], [32], [64]]>
#columns = #tile.layout<cell = [64] reg = [[1], [8], [16], [32]] lane = [[2], [4], [0], [0], [0]] warp = [[0], [0], [0]]>
#acc = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [64, 0]]>
#across = #tile.layout<cell = [128, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [64, 0]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0], [0, 32]]>
#q = #tile.shared<cell = [128, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]]>
#k = #tile.shared<cell = [64, 64] offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [8, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]>

// The bound for the last row of those that ask. What is left of the ring they
// wait for and release.
// CHECK-LABEL: tile.kernel @causal(
//       CHECK:   %[[ROW:.*]] = arith.muli
//       CHECK:   %[[ALL:.*]] = arith.divui
//       CHECK:   tile.role math
//       CHECK:     tile.convert_layout
//       CHECK:     %[[ROWS:.*]] = tile.iota %[[ROW]] coefficients [1]
//  CHECK-NEXT:     %[[LAST:.*]] = tile.most %[[ROWS]]
//       CHECK:     %[[END:.*]] = arith.addi %[[LAST]], %c1
//       CHECK:     %[[WITHIN:.*]] = arith.minsi %[[END]],
//       CHECK:     %[[UP:.*]] = arith.addi %[[WITHIN]],
//       CHECK:     %[[OWN:.*]] = arith.divui %[[UP]],
//       CHECK:     scf.for %{{.*}} = %[[BEGIN:.*]] to %[[OWN]] step
//       CHECK:       tile.dot_issue
//       CHECK:     %[[FIRST:.*]] = arith.maxsi %[[OWN]], %[[BEGIN]]
//       CHECK:     scf.for %[[J:.*]] = %[[FIRST]] to %[[ALL]] step
//  CHECK-NEXT:       %[[NUMBER:.*]] = arith.addi %[[J]],
//  CHECK-NEXT:       tile.wait %[[RING:.*]][%[[NUMBER]]]
//  CHECK-NEXT:       tile.release %[[RING]][%[[NUMBER]]] :
//  CHECK-NEXT:     }
//       CHECK:   tile.role load
//       CHECK:     scf.for %{{.*}} to %[[ALL]]
tile.kernel @causal(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1000 = arith.constant 1000 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %end = arith.minsi %behind, %c1000 : index
  %up = arith.addi %end, %c63 : index
  %rounds = arith.divui %up, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %number = arith.addi %j, %c0 : index
        %k = tile.wait %ring[%number] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %zero : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%number] after %g : <4 x (tensor<64x64xf16, #k>)>
        %column = arith.muli %j, %c64 : index
        %columns = tile.iota %column coefficients [1] : tensor<64xi32, #columns>
        %c = tile.broadcast %columns dims [1] : tensor<64xi32, #columns> -> tensor<128x64xi32, #acc>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %keep = arith.cmpi sle, %c, %r : tensor<128x64xi32, #acc>
        %kept = arith.select %keep, %d, %zero : tensor<128x64xi1, #acc>, tensor<128x64xf32, #acc>
        %next = arith.addf %s, %kept : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        %number = arith.addi %j, %c0 : index
        %column = arith.muli %j, %c64 : index
        tile.acquire %ring[%number] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%column, %c0] map (d0, d1) -> (d1, d0) to %ring[%number] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%number] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}

// Where groups exchange what they have all of them go on.
// CHECK-LABEL: tile.kernel @exchanged(
//   CHECK-NOT:   tile.most
//       CHECK:   tile.return
tile.kernel @exchanged(%x: memref<1024x64xf16>, %w: memref<1024x64xf16>, %y: memref<1024x64xf32>) outputs 1 blocks(%i) attributes {tile.warps = 8} {
  %ring = tile.ring feed = tma : <4 x (tensor<64x64xf16, #k>)>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %row = arith.muli %i, %c128 : index
  %behind = arith.addi %row, %c128 : index
  %rounds = arith.divui %behind, %c64 : index
  tile.roles {
    tile.role math warps 8 {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
      %rows = tile.iota %row coefficients [1] : tensor<128xi32, #rows>
      %a = tile.load %x[%row, %c0] : memref<1024x64xf16> -> tensor<128x64xf16, #acc>
      %q = tile.convert_layout %a : tensor<128x64xf16, #acc> -> tensor<128x64xf16, #q>
      %sum = scf.for %j = %c0 to %rounds step %c1 iter_args(%s = %zero) -> (tensor<128x64xf32, #acc>) {
        %k = tile.wait %ring[%j] : !tile.ring<4 x (tensor<64x64xf16, #k>)>
        %p, %g = tile.dot_issue %q, %k, %s : tensor<128x64xf16, #q>, tensor<64x64xf16, #k>, tensor<128x64xf32, #acc> -> tensor<128x64xf32, #acc>
        %d = tile.take %p : tensor<128x64xf32, #acc>
        tile.release %ring[%j] after %g : <4 x (tensor<64x64xf16, #k>)>
        %r = tile.broadcast %rows dims [0] : tensor<128xi32, #rows> -> tensor<128x64xi32, #acc>
        %f = arith.sitofp %r : tensor<128x64xi32, #acc> to tensor<128x64xf32, #acc>
        %moved = tile.convert_layout %d : tensor<128x64xf32, #acc> -> tensor<128x64xf32, #across>
        %back = tile.convert_layout %moved : tensor<128x64xf32, #across> -> tensor<128x64xf32, #acc>
        %next = arith.addf %back, %f : tensor<128x64xf32, #acc>
        scf.yield %next : tensor<128x64xf32, #acc>
      }
      tile.store %sum, %y[%row, %c0] : tensor<128x64xf32, #acc>, memref<1024x64xf32>
    }
    tile.role load warps 4 {
      scf.for %j = %c0 to %rounds step %c1 {
        %column = arith.muli %j, %c64 : index
        tile.acquire %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
        tile.copy %w[%column, %c0] map (d0, d1) -> (d1, d0) to %ring[%j] part 0 : memref<1024x64xf16>, <4 x (tensor<64x64xf16, #k>)>
        tile.commit %ring[%j] : <4 x (tensor<64x64xf16, #k>)>
      }
    }
  }
  tile.return
}
