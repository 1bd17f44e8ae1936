// Quotients of a gelu or silu that may share an instruction with a neighbour.

// RUN: fuse-opt %s --tile-pair-reciprocals | FileCheck %s

// CHECK-LABEL: tile.kernel @silu
//       CHECK:   arith.divf {{.*}} fastmath<afn> {tile.paired}
tile.kernel @silu(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %minus = arith.constant dense<-1.44269502> : tensor<64xf32>
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %minus : tensor<64xf32>
  %2 = math.exp2 %1 fastmath<afn> : tensor<64xf32>
  %3 = arith.addf %2, %one : tensor<64xf32>
  %4 = arith.divf %one, %3 fastmath<afn> : tensor<64xf32>
  %5 = arith.mulf %0, %4 : tensor<64xf32>
  tile.store %5, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// A polynomial of x is NaN where x is, or where that is infinite.
// CHECK-LABEL: tile.kernel @gelu
//       CHECK:   arith.divf {{.*}} fastmath<afn> {tile.paired}
tile.kernel @gelu(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %a = arith.constant dense<-2.3> : tensor<64xf32>
  %b = arith.constant dense<-0.1> : tensor<64xf32>
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %0 : tensor<64xf32>
  %2 = math.fma %1, %b, %a : tensor<64xf32>
  %3 = arith.mulf %0, %2 : tensor<64xf32>
  %4 = math.exp2 %3 fastmath<afn> : tensor<64xf32>
  %5 = arith.addf %one, %4 : tensor<64xf32>
  %6 = arith.divf %one, %5 fastmath<afn> : tensor<64xf32>
  %7 = arith.mulf %6, %0 : tensor<64xf32>
  tile.store %7, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// A sigmoid that is stored, or a factor of another number, stays NaN.
// CHECK-LABEL: tile.kernel @sigmoid
//   CHECK-NOT:   tile.paired
//       CHECK:   tile.return
tile.kernel @sigmoid(%x: memref<64xf32>, %u: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
  %1 = tile.load %u[%c0] : memref<64xf32> -> tensor<64xf32>
  %2 = math.exp2 %0 fastmath<afn> : tensor<64xf32>
  %3 = arith.addf %2, %one : tensor<64xf32>
  %4 = arith.divf %one, %3 fastmath<afn> : tensor<64xf32>
  %5 = arith.mulf %1, %4 : tensor<64xf32>
  %6 = math.exp2 %1 fastmath<afn> : tensor<64xf32>
  %7 = arith.addf %6, %one : tensor<64xf32>
  %8 = arith.divf %one, %7 fastmath<afn> : tensor<64xf32>
  tile.store %5, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.store %8, %z[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// Two numbers of x may be infinities of which the difference is NaN, and a
// quotient to the last digit is none to be approximated.
// CHECK-LABEL: tile.kernel @others
//   CHECK-NOT:   tile.paired
//       CHECK:   tile.return
tile.kernel @others(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
  %1 = arith.mulf %0, %0 : tensor<64xf32>
  %2 = arith.subf %1, %0 : tensor<64xf32>
  %3 = math.exp2 %2 fastmath<afn> : tensor<64xf32>
  %4 = arith.addf %3, %one : tensor<64xf32>
  %5 = arith.divf %one, %4 fastmath<afn> : tensor<64xf32>
  %6 = arith.mulf %0, %5 : tensor<64xf32>
  %7 = math.exp2 %0 fastmath<afn> : tensor<64xf32>
  %8 = arith.addf %7, %one : tensor<64xf32>
  %9 = arith.divf %one, %8 : tensor<64xf32>
  %10 = arith.mulf %0, %9 : tensor<64xf32>
  tile.store %6, %y[%c0] : tensor<64xf32>, memref<64xf32>
  tile.store %10, %z[%c0] : tensor<64xf32>, memref<64xf32>
  tile.return
}

// Beside products of the same loop it takes more instructions than it saves.
// CHECK-LABEL: tile.kernel @beside_products
//   CHECK-NOT:   tile.paired
//       CHECK:   tile.return
tile.kernel @beside_products(%x: memref<16x16xf32>, %w: memref<16x16xf32>, %y: memref<16x16xf32>) outputs 1 blocks(%n) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tile.load %x[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32>
  %1 = tile.load %w[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32>
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<16x16xf32>) {
    %3 = math.exp2 %0 fastmath<afn> : tensor<16x16xf32>
    %4 = arith.addf %3, %one : tensor<16x16xf32>
    %5 = arith.divf %one, %4 fastmath<afn> : tensor<16x16xf32>
    %6 = arith.mulf %0, %5 : tensor<16x16xf32>
    %7 = tile.dot %6, %1, %sum : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %7 : tensor<16x16xf32>
  }
  tile.store %2, %y[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  tile.return
}

// Where crews take turns one of them multiplies meanwhile; one that shares its
// tile with nobody does nothing else.
// CHECK-LABEL: tile.kernel @crews
//       CHECK:   tile.role math warps 4 crews 2
//   CHECK-NOT:     tile.paired
//       CHECK:   tile.role load
// CHECK-LABEL: tile.kernel @crew
//       CHECK:   tile.role math warps 4
//       CHECK:     arith.divf {{.*}} fastmath<afn> {tile.paired}
tile.kernel @crews(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  tile.roles {
    tile.role math warps 4 crews 2 {
      %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
      %1 = math.exp2 %0 fastmath<afn> : tensor<64xf32>
      %2 = arith.addf %1, %one : tensor<64xf32>
      %3 = arith.divf %one, %2 fastmath<afn> : tensor<64xf32>
      %4 = arith.mulf %0, %3 : tensor<64xf32>
      tile.store %4, %y[%c0] : tensor<64xf32>, memref<64xf32>
    }
    tile.role load warps 4 {
    }
  }
  tile.return
}

tile.kernel @crew(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32>
  tile.roles {
    tile.role math warps 4 {
      %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
      %1 = math.exp2 %0 fastmath<afn> : tensor<64xf32>
      %2 = arith.addf %1, %one : tensor<64xf32>
      %3 = arith.divf %one, %2 fastmath<afn> : tensor<64xf32>
      %4 = arith.mulf %0, %3 : tensor<64xf32>
      tile.store %4, %y[%c0] : tensor<64xf32>, memref<64xf32>
    }
    tile.role load warps 4 {
    }
  }
  tile.return
}
