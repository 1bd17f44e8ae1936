// Masks that are needed behind others.

// RUN: fuse-opt %s --tile-join-masks | FileCheck %s

// Where ones stand for what is left out zeros do not.
// CHECK-LABEL: tile.kernel @ones(
// CHECK-COUNT-2: tile.mask
tile.kernel @ones(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 1.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// What is infinitely small is infinitely large behind a negative scale.
// CHECK-LABEL: tile.kernel @turned(
// CHECK-COUNT-2: tile.mask
tile.kernel @turned(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %scale = arith.constant dense<-0.125> : tensor<16x32xf32>
  %6 = arith.mulf %5, %scale : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// Behind a scale of 0 it is NaN.
// CHECK-LABEL: tile.kernel @scaled_away(
// CHECK-COUNT-2: tile.mask
tile.kernel @scaled_away(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %scale = arith.constant dense<0.0> : tensor<16x32xf32>
  %6 = arith.mulf %5, %scale : tensor<16x32xf32>
  %7 = math.exp %6 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// A floor that is -inf is none.
// CHECK-LABEL: tile.kernel @no_floor_at_all(
// CHECK-COUNT-2: tile.mask
tile.kernel @no_floor_at_all(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<0xFF800000> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// Another number than the maximum is seen to be no -inf.
// CHECK-LABEL: tile.kernel @choice_of_another(
// CHECK-COUNT-2: tile.mask
tile.kernel @choice_of_another(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %none = arith.constant dense<0xFF800000> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %sum = tile.reduce sum %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %is = arith.cmpf oeq, %sum, %none : tensor<16xf32>
  %3 = arith.select %is, %zero, %2 : tensor<16xi1>, tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// The second mask leaves out what comes before a start, too.
// CHECK-LABEL: tile.kernel @other_start(
// CHECK-COUNT-2: tile.mask
tile.kernel @other_start(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 from(%first) limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// What is stored counts from a start on, which the masks do not have.
// CHECK-LABEL: tile.kernel @stored_from_a_start(
// CHECK-COUNT-2: tile.mask
tile.kernel @stored_from_a_start(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit, %first) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] limits(%limit) axes [1] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = tile.mask %0 limits(%limit) axes [1] : tensor<16x32xf32> else 0xFF800000
  %2 = tile.reduce max %1 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  %floor = arith.constant dense<-1.0e30> : tensor<16xf32>
  %3 = arith.maximumf %2, %floor : tensor<16xf32>
  %4 = tile.broadcast %3 dims [0] : tensor<16xf32> -> tensor<16x32xf32>
  %5 = arith.subf %0, %4 : tensor<16x32xf32>
  %7 = math.exp %5 : tensor<16x32xf32>
  %8 = tile.mask %7 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %9 = tile.reduce sum %8 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %7, %z[%row, %c0] from(%first) limits(%limit) axes [1] : tensor<16x32xf32>, memref<?x?xf32>
  tile.store %9, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// A square that somebody else reads stays as it is.
// CHECK-LABEL: tile.kernel @square_for_two(
//       CHECK:   %[[SQUARE:.*]] = arith.mulf
//       CHECK:   tile.mask %[[SQUARE]]
tile.kernel @square_for_two(%x: memref<?x?xf32>, %y: memref<?xf32>, %z: memref<?x?xf32>) outputs 2 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = arith.mulf %0, %0 : tensor<16x32xf32>
  %2 = tile.mask %1 limits(%limit) axes [1] : tensor<16x32xf32> else 0.0
  %3 = tile.reduce sum %2 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %1, %z[%row, %c0] : tensor<16x32xf32>, memref<?x?xf32>
  tile.store %3, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}

// No square is -0.
// CHECK-LABEL: tile.kernel @negative_zero(
//       CHECK:   %[[SQUARE:.*]] = arith.mulf
//       CHECK:   tile.mask %[[SQUARE]]
tile.kernel @negative_zero(%x: memref<?x?xf32>, %y: memref<?xf32>) outputs 1 blocks(%row, %limit) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%row, %c0] : memref<?x?xf32> -> tensor<16x32xf32>
  %1 = arith.mulf %0, %0 : tensor<16x32xf32>
  %2 = tile.mask %1 limits(%limit) axes [1] : tensor<16x32xf32> else -0.0
  %3 = tile.reduce sum %2 dims [1] : tensor<16x32xf32> -> tensor<16xf32>
  tile.store %3, %y[%row] : tensor<16xf32>, memref<?xf32>
  tile.return
}
