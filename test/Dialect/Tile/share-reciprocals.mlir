// Where many elements are divided by one number, its reciprocal is made once.

// RUN: fuse-opt %s --tile-share-reciprocals | FileCheck %s

// A row of a softmax.
// CHECK-LABEL: tile.kernel @rows
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[D:.*]] = tile.reduce sum %[[X]]
//       CHECK:   %[[SIZE:.*]] = math.absf %[[D]] : tensor<4xf32>
//       CHECK:   %[[SMALL:.*]] = arith.cmpf olt, %[[SIZE]]
//       CHECK:   %[[FACTOR:.*]] = arith.select %[[SMALL]]
//       CHECK:   %[[DIVISOR:.*]] = arith.mulf %[[D]], %[[FACTOR]] : tensor<4xf32>
//       CHECK:   %[[FACTORS:.*]] = tile.broadcast %[[FACTOR]] dims [0] : tensor<4xf32> -> tensor<4x64xf32>
//       CHECK:   %[[DIVIDEND:.*]] = arith.mulf %[[X]], %[[FACTORS]]
//       CHECK:   %[[ONCE:.*]] = arith.divf %{{.*}}, %[[DIVISOR]] : tensor<4xf32>
//       CHECK:   %[[INVERSE:.*]] = tile.broadcast %[[ONCE]] dims [0]
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[DIVIDEND]], %[[INVERSE]]
//       CHECK:   %[[MINUS:.*]] = arith.negf %[[PRODUCT]]
//       CHECK:   %[[DIVISORS:.*]] = tile.broadcast %[[DIVISOR]] dims [0]
//       CHECK:   %[[REST:.*]] = math.fma %[[MINUS]], %[[DIVISORS]], %[[DIVIDEND]]
//       CHECK:   %[[SUM:.*]] = math.fma %[[REST]], %[[INVERSE]], %[[PRODUCT]]
//       CHECK:   %[[SPECIAL:.*]] = arith.cmpf ueq, %[[SUM]], %{{.*}} : tensor<4x64xf32>
//       CHECK:   %[[Y:.*]] = arith.select %[[SPECIAL]], %[[PRODUCT]], %[[SUM]]
//       CHECK:   tile.store %[[Y]]
//   CHECK-NOT:   arith.divf
tile.kernel @rows(%x: memref<4x64xf32>, %y: memref<4x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x64xf32> -> tensor<4x64xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %3 = arith.divf %0, %2 : tensor<4x64xf32>
  tile.store %3, %y[%c0, %c0] : tensor<4x64xf32>, memref<4x64xf32>
  tile.return
}

// Where that is enough the product stays as it is.
// CHECK-LABEL: tile.kernel @few_digits
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf
//       CHECK:   tile.store %[[PRODUCT]]
tile.kernel @few_digits(%x: memref<4x64xf32>, %y: memref<4x64xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<4x64xf32> -> tensor<4x64xf32>
  %1 = tile.reduce sum %0 dims [1] : tensor<4x64xf32> -> tensor<4xf32>
  %2 = tile.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x64xf32>
  %3 = arith.divf %0, %2 fastmath<arcp> : tensor<4x64xf32>
  tile.store %3, %y[%c0, %c0] : tensor<4x64xf32>, memref<4x64xf32>
  tile.return
}

// A product in f32 is rounded to what a quotient of narrow numbers is. That of
// an f16 cannot be infinite.
// CHECK-LABEL: tile.kernel @narrow
//       CHECK:   %[[X:.*]] = tile.load {{.*}}xf16>
//       CHECK:   %[[WIDE:.*]] = arith.extf %[[X]] : tensor<64xf16> to tensor<64xf32>
//       CHECK:   %[[D:.*]] = arith.extf %{{.*}} : tensor<f16> to tensor<f32>
//   CHECK-NOT:   math.absf
//       CHECK:   %[[ONCE:.*]] = arith.divf %{{.*}}, %[[D]] : tensor<f32>
//       CHECK:   %[[INVERSE:.*]] = tile.broadcast %[[ONCE]] dims [] : tensor<f32> -> tensor<64xf32>
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[WIDE]], %[[INVERSE]]
//       CHECK:   %[[Y:.*]] = arith.truncf %[[PRODUCT]] : tensor<64xf32> to tensor<64xf16>
//       CHECK:   tile.store %[[Y]]
//       CHECK:   math.absf %{{.*}} : tensor<f32>
//       CHECK:   arith.divf %{{.*}} : tensor<f32>
//       CHECK:   arith.truncf %{{.*}} : tensor<64xf32> to tensor<64xbf16>
tile.kernel @narrow(%x: memref<64xf16>, %z: memref<64xbf16>, %y: memref<64xf16>, %w: memref<64xbf16>) outputs 2 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<64xf16> -> tensor<64xf16>
  %1 = tile.reduce max %0 dims [0] : tensor<64xf16> -> tensor<f16>
  %2 = tile.broadcast %1 dims [] : tensor<f16> -> tensor<64xf16>
  %3 = arith.divf %0, %2 : tensor<64xf16>
  tile.store %3, %y[%c0] : tensor<64xf16>, memref<64xf16>
  %4 = tile.load %z[%c0] : memref<64xbf16> -> tensor<64xbf16>
  %5 = tile.reduce max %4 dims [0] : tensor<64xbf16> -> tensor<bf16>
  %6 = tile.broadcast %5 dims [] : tensor<bf16> -> tensor<64xbf16>
  %7 = arith.divf %4, %6 : tensor<64xbf16>
  tile.store %7, %w[%c0] : tensor<64xbf16>, memref<64xbf16>
  tile.return
}

// One instruction is not many; and what each element has for itself, or shares
// with one other, is divided by as it is.
// CHECK-LABEL: tile.kernel @others
//       CHECK:   arith.divf %{{.*}}, %{{.*}} fastmath<afn> : tensor<64xf32>
//       CHECK:   arith.divf %{{.*}}, %{{.*}} : tensor<64xf32>
//       CHECK:   arith.divf %{{.*}}, %{{.*}} : tensor<2x64xf32>
tile.kernel @others(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %w: memref<2x64xf32>) outputs 3 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32>
  %1 = tile.reduce max %0 dims [0] : tensor<64xf32> -> tensor<f32>
  %2 = tile.broadcast %1 dims [] : tensor<f32> -> tensor<64xf32>
  %3 = arith.divf %0, %2 fastmath<afn> : tensor<64xf32>
  tile.store %3, %y[%c0] : tensor<64xf32>, memref<64xf32>
  %4 = arith.divf %2, %0 : tensor<64xf32>
  tile.store %4, %z[%c0] : tensor<64xf32>, memref<64xf32>
  %5 = tile.broadcast %0 dims [1] : tensor<64xf32> -> tensor<2x64xf32>
  %6 = tile.broadcast %4 dims [1] : tensor<64xf32> -> tensor<2x64xf32>
  %7 = arith.divf %5, %6 : tensor<2x64xf32>
  tile.store %7, %w[%c0, %c0] : tensor<2x64xf32>, memref<2x64xf32>
  tile.return
}
