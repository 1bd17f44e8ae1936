// A block computes only what it chooses, as far as its first and its last
// position tell.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-guard-choices))' | FileCheck %s
// RUN: fuse-opt %s --fuse-tiles-to-placed -o /dev/null

// Of three pieces that follow each other. What takes more to compute comes
// first, here the second and the third piece, and is not computed where the
// block lies before it; the other one, and the choice, are in another branch.
// CHECK-LABEL: tile.kernel @pieces
//       CHECK:   %[[AT:.*]] = arith.muli %[[BLOCK:.*]], %{{.*}} : index
//       CHECK:   %[[POSITIONS:.*]] = tile.iota %[[AT]]
//       CHECK:   %[[MASK:.*]] = arith.cmpi slt, %[[POSITIONS]], %{{.*}} : tensor<16xi64>
//       CHECK:   %[[LAST:.*]] = arith.addi %[[AT]], %{{.*}} : index
//       CHECK:   %[[ALL:.*]] = arith.cmpi slt, %[[LAST]], %{{.*}} : index
//       CHECK:   %[[NONE:.*]] = arith.cmpi sge, %[[AT]], %{{.*}} : index
//       CHECK:   %[[OTHERS:.*]] = scf.if %[[ALL]] -> (tensor<16xf32>)
//  CHECK-NEXT:     scf.yield %{{.*}} : tensor<16xf32>
//       CHECK:   } else {
//       CHECK:     %[[B:.*]] = scf.if %{{.*}} -> (tensor<16xf32>)
//       CHECK:     } else {
//       CHECK:       tile.load %[[SECOND:.*]][%{{.*}}] limits
//       CHECK:     scf.if %{{.*}} -> (tensor<16xf32>)
//  CHECK-NEXT:       scf.yield %[[B]]
//  CHECK-NEXT:     } else {
//       CHECK:       %[[C:.*]] = tile.load %[[THIRD:.*]][%{{.*}}] limits
//       CHECK:       %[[BOTH:.*]] = arith.select %{{.*}}, %[[B]], %[[C]]
//  CHECK-NEXT:       scf.yield %[[BOTH]]
//       CHECK:   %[[RESULT:.*]] = scf.if %[[NONE]] -> (tensor<16xf32>)
//  CHECK-NEXT:     scf.yield %[[OTHERS]]
//  CHECK-NEXT:   } else {
//       CHECK:     %[[A:.*]] = tile.load %[[FIRST:.*]][%[[AT]]] limits
//       CHECK:     %[[TWICE:.*]] = arith.addf %[[A]], %[[A]]
//       CHECK:     %[[CHOSEN:.*]] = arith.select %[[MASK]], %[[TWICE]], %[[OTHERS]]
//  CHECK-NEXT:     scf.yield %[[CHOSEN]]
//       CHECK:   tile.store %[[RESULT]]
tile.kernel @pieces(%arg0: memref<24xf32>, %arg1: memref<24xf32>, %arg2: memref<24xf32>, %arg3: memref<72xf32>) outputs 1 blocks(%block) {
  %c16 = arith.constant 16 : index
  %c-24 = arith.constant -24 : index
  %c-48 = arith.constant -48 : index
  %c24 = arith.constant 24 : index
  %c72 = arith.constant 72 : index
  %at = arith.muli %block, %c16 : index
  %left = arith.subi %c72, %at : index
  %i = tile.iota %at coefficients [1] : tensor<16xi64>
  %k24 = arith.constant dense<24> : tensor<16xi64>
  %k48 = arith.constant dense<48> : tensor<16xi64>
  %isA = arith.cmpi slt, %i, %k24 : tensor<16xi64>
  %isB = arith.cmpi slt, %i, %k48 : tensor<16xi64>
  %atB = arith.addi %at, %c-24 : index
  %atC = arith.addi %at, %c-48 : index
  %a = tile.load %arg0[%at] limits(%left) axes [0] guarded : memref<24xf32> -> tensor<16xf32>
  %twice = arith.addf %a, %a : tensor<16xf32>
  %b = tile.load %arg1[%atB] limits(%left) axes [0] guarded : memref<24xf32> -> tensor<16xf32>
  %c = tile.load %arg2[%atC] limits(%left) axes [0] guarded : memref<24xf32> -> tensor<16xf32>
  %bc = arith.select %isB, %b, %c : tensor<16xi1>, tensor<16xf32>
  %abc = arith.select %isA, %twice, %bc : tensor<16xi1>, tensor<16xf32>
  tile.store %abc, %arg3[%at] limits(%left) axes [0] : tensor<16xf32>, memref<72xf32>
  tile.return
}

// What is read for other reasons, too, stays, and so does a mask of numbers that
// are there anyway, and a choice by numbers that nothing is known of.
// CHECK-LABEL: tile.kernel @no_choices
//   CHECK-NOT:   scf.if
//       CHECK:   tile.return
tile.kernel @no_choices(%arg0: memref<16xf32>, %arg1: memref<16xf32>, %arg2: memref<16xi1>, %arg3: memref<16xf32>, %arg4: memref<16xf32>, %arg5: memref<16xf32>) outputs 3 blocks(%block) {
  %c0 = arith.constant 0 : index
  %i = tile.iota %block coefficients [1] : tensor<16xi64>
  %k = arith.constant dense<4> : tensor<16xi64>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %mask = arith.cmpi slt, %i, %k : tensor<16xi64>
  %any = tile.load %arg2[%c0] : memref<16xi1> -> tensor<16xi1>
  %a = tile.load %arg0[%c0] : memref<16xf32> -> tensor<16xf32>
  %b = tile.load %arg1[%c0] : memref<16xf32> -> tensor<16xf32>
  %masked = arith.select %mask, %a, %zero : tensor<16xi1>, tensor<16xf32>
  %chosen = arith.select %mask, %a, %b : tensor<16xi1>, tensor<16xf32>
  %c = tile.load %arg0[%block] : memref<16xf32> -> tensor<16xf32>
  %d = tile.load %arg1[%block] : memref<16xf32> -> tensor<16xf32>
  %unknown = arith.select %any, %c, %d : tensor<16xi1>, tensor<16xf32>
  tile.store %masked, %arg3[%c0] : tensor<16xf32>, memref<16xf32>
  tile.store %chosen, %arg4[%c0] : tensor<16xf32>, memref<16xf32>
  tile.store %unknown, %arg5[%c0] : tensor<16xf32>, memref<16xf32>
  tile.return
}
