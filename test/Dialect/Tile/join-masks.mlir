// What was masked for a maximum needs no mask behind the exponential.

// RUN: fuse-opt %s --tile-join-masks | FileCheck %s

// The maximum has a floor, so that nothing is subtracted from itself where all
// is masked.
// CHECK-LABEL: tile.kernel @softmax
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[MASKED:.*]] = tile.mask %[[X]] {{.*}} else 0xFF800000
//       CHECK:   tile.reduce max %[[MASKED]]
//       CHECK:   %[[LESS:.*]] = arith.subf %[[MASKED]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[LESS]]
//       CHECK:   %[[POWER:.*]] = math.exp %[[SCALED]]
//   CHECK-NOT:   tile.mask
//       CHECK:   tile.reduce sum %[[POWER]]
//       CHECK:   %[[NARROW:.*]] = arith.truncf %[[POWER]]
//       CHECK:   tile.dot %[[NARROW]]
tile.kernel @softmax(%x: memref<?x?xf32>, %v: memref<?x16xbf16>, %y: memref<?xf32>, %z: memref<?x16xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %scale = arith.constant dense<0.125> : tensor<16x32xf32>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %6 = arith.mulf %5, %scale : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %10 = arith.truncf %7 : tensor<16x32xf32> to tensor<16x32xbf16>
  %11 = tile.mask %10 limits(%limit) axes [1] : tensor<16x32xbf16> else 0.0
  %12 = tile.load %v[%c0, %c0] limits(%limit) axes [0] : memref<?x16xbf16> -> tensor<32x16xbf16>
  %13 = tile.dot %11, %12, %zero : tensor<16x32xbf16>, tensor<32x16xbf16> -> tensor<16x16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.store %13, %z[%row, %c0] : tensor<16x16xf32>, memref<?x16xf32>
  tile.return
}

// Without a floor, a row of which nothing is left is NaN.
// CHECK-LABEL: tile.kernel @no_floor
// CHECK-COUNT-2: tile.mask
tile.kernel @no_floor(%x: memref<?x?xf32>, %y: memref<?xf32>) outputs 1 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %4 = tile.broadcast %2 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// The sum of the differences counts on what is loaded beyond the limit, so the
// differences stay, and the mask of what is computed from them, too.
// CHECK-LABEL: tile.kernel @read_otherwise
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   tile.mask %[[X]]
//       CHECK:   arith.subf %[[X]]
//       CHECK:   tile.mask
tile.kernel @read_otherwise(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %10 = tile.reduce sum %5 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.store %10, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// What stands for a maximum of -inf is as good as a floor, and what is stored with
// the same limits is seen by nobody beyond them.
// CHECK-LABEL: tile.kernel @stored
//       CHECK:   %[[X:.*]] = tile.load
//       CHECK:   %[[MASKED:.*]] = tile.mask %[[X]] {{.*}} else 0xFF800000
//       CHECK:   arith.subf %[[MASKED]]
//   CHECK-NOT:   tile.mask
//       CHECK:   tile.store
tile.kernel @stored(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0xFF800000> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.cmpf oeq, %2, %none : tensor<16xf32>
  %4 = arith.select %3, %zero, %2 : tensor<16xi1>, tensor<16xf32>
  %5 = tile.broadcast %4 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %6 = arith.subf %0, %5 : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %7, %y[%row, %c0] limits(%limit) axes [1] : tensor<16x32xf32>, memref<?x?xf32>
  tile.store %9, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// What is stored with other limits, or where -inf stands for another number, is as
// it was.
// CHECK-LABEL: tile.kernel @seen
// CHECK-COUNT-2: tile.mask
tile.kernel @seen(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?xf32>) outputs 2 blocks(%row, %limit, %other) {
  %c0 = arith.constant 0 : index
  %floor = arith.constant dense<0.0> : tensor<16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %5 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %6 = arith.subf %0, %5 : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %7, %y[%row, %c0] limits(%other) axes [1] : tensor<16x32xf32>, memref<?x?xf32>
  tile.store %9, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @other_choice
// CHECK-COUNT-2: tile.mask
tile.kernel @other_choice(%x: memref<?x?xf32>, %z: memref<?xf32>) outputs 1 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0x7F800000> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.cmpf oeq, %2, %none : tensor<16xf32>
  %4 = arith.select %3, %zero, %2 : tensor<16xi1>, tensor<16xf32>
  %5 = tile.broadcast %4 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %6 = arith.subf %0, %5 : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// Other limits mask something else.
// CHECK-LABEL: tile.kernel @other_limits
// CHECK-COUNT-2: tile.mask
tile.kernel @other_limits(%x: memref<?x?xf32>, %y: memref<?xf32>) outputs 1 blocks(%row, %limit, %other) {
  %c0 = arith.constant 0 : index
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%other) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// Of two masks with -inf one goes, which is then no mask to begin with: this
// was a crash of a random graph.
// CHECK-LABEL: tile.kernel @maxima
//       CHECK:   %[[MASKED:.*]] = tile.mask
//       CHECK:   tile.reduce max %[[MASKED]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[MASKED]]
//   CHECK-NOT:   tile.mask
//       CHECK:   tile.reduce max %[[SCALED]]
tile.kernel @maxima(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %scale = arith.constant dense<0.375> : tensor<16x32xf32>
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %3 = arith.mulf %0, %scale : tensor<16x32xf32>
  %4 = tile.mask %3 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %5 = tile.reduce max %4 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %2, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.store %5, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// A square of nothing is nothing.
// CHECK-LABEL: tile.kernel @square
//       CHECK:   %[[D:.*]] = tile.load
//       CHECK:   %[[E:.*]] = tile.mask %[[D]] {{.*}} else 0.0
//       CHECK:   %[[S:.*]] = arith.mulf %[[E]], %[[E]]
//       CHECK:   tile.reduce sum %[[S]]
// A product of two numbers may be NaN where one is nothing.
//       CHECK:   %[[P:.*]] = arith.mulf
//       CHECK:   %[[M:.*]] = tile.mask %[[P]]
//       CHECK:   tile.reduce sum %[[M]]
tile.kernel @square(%x: memref<?x?xf32>, %v: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = arith.mulf %0, %0 : tensor<16x32xf32>
  %2 = tile.mask %1 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %3 = tile.reduce sum %2 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %3, %y[%row] : tensor<16xf32>, memref<?xf32>
  %4 = tile.load %v[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %5 = arith.mulf %0, %4 : tensor<16x32xf32>
  %6 = tile.mask %5 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %7 = tile.reduce sum %6 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %7, %z[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}
