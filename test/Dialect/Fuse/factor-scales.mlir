// The scale of what a maximum is subtracted from is multiplied with the
// difference.

// RUN: fuse-opt %s --fuse-factor-scales --canonicalize | FileCheck %s

// The mask, and the guard for rows without elements, see no scale.
// CHECK-LABEL: func.func @masked(
//  CHECK-SAME:   %[[X:.*]]: tensor<4x8xf32>, %[[KEEP:.*]]: tensor<4x8xi1>
//   CHECK-DAG:   %[[SCALE:.*]] = arith.constant dense<1.250000e-01> : tensor<4x8xf32>
//   CHECK-DAG:   %[[NEVER:.*]] = arith.constant dense<0xFF800000> : tensor<4x8xf32>
//   CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0xFF800000> : tensor<4xf32>
//       CHECK:   %[[MASKED:.*]] = arith.select %[[KEEP]], %[[X]], %[[NEVER]]
//       CHECK:   %[[MAX:.*]] = fuse.reduce max %[[MASKED]] dims [1]
//       CHECK:   %[[EMPTY:.*]] = arith.cmpf oeq, %[[MAX]], %[[NONE]]
//       CHECK:   %[[SAFE:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[MAX]]
//       CHECK:   %[[ROWS:.*]] = fuse.broadcast %[[SAFE]] dims [0]
//       CHECK:   %[[DISTANCE:.*]] = arith.subf %[[MASKED]], %[[ROWS]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[DISTANCE]], %[[SCALE]]
//       CHECK:   math.exp %[[SCALED]]
func.func @masked(%x: tensor<4x8xf32>, %keep: tensor<4x8xi1>) -> tensor<4x8xf32> {
  %scale = arith.constant dense<0.125> : tensor<4x8xf32>
  %scaled = arith.mulf %x, %scale : tensor<4x8xf32>
  %never = arith.constant dense<0xFF800000> : tensor<4x8xf32>
  %masked = arith.select %keep, %scaled, %never : tensor<4x8xi1>, tensor<4x8xf32>
  %max = fuse.reduce max %masked dims [1] : tensor<4x8xf32>
  %none = arith.constant dense<0xFF800000> : tensor<4xf32>
  %empty = arith.cmpf oeq, %max, %none : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %safe = arith.select %empty, %zero, %max : tensor<4xi1>, tensor<4xf32>
  %rows = fuse.broadcast %safe dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %distance = arith.subf %masked, %rows : tensor<4x8xf32>
  %e = math.exp %distance : tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}

// A size that is not known makes a constant a broadcast.
// CHECK-LABEL: func.func @dynamic(
//  CHECK-SAME:   %[[X:.*]]: tensor<?x8xf32>, %[[N:.*]]: index
//       CHECK:   %[[SCALE:.*]] = fuse.broadcast
//       CHECK:   fuse.reduce max %[[X]]
//       CHECK:   %[[DISTANCE:.*]] = arith.subf %[[X]],
//       CHECK:   arith.mulf %[[DISTANCE]], %[[SCALE]]
func.func @dynamic(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c = arith.constant dense<2.0> : tensor<f32>
  %scale = fuse.broadcast %c dims [] sizes [%n] : tensor<f32> -> tensor<?x8xf32>
  %scaled = arith.mulf %scale, %x : tensor<?x8xf32>
  %max = fuse.reduce max %scaled dims [1] : tensor<?x8xf32>
  %rows = fuse.broadcast %max dims [0] : tensor<?xf32> -> tensor<?x8xf32>
  %distance = arith.subf %scaled, %rows : tensor<?x8xf32>
  %e = math.exp %distance : tensor<?x8xf32>
  return %e : tensor<?x8xf32>
}

// A negative scale turns a maximum around; a bias has none; two scales differ;
// and without a maximum nothing is saved.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-4: math.exp
//   CHECK-NOT:   arith.mulf
func.func @stays(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %negative = arith.constant dense<-2.0> : tensor<4x8xf32>
  %0 = arith.mulf %x, %negative : tensor<4x8xf32>
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %1 = arith.mulf %x, %two : tensor<4x8xf32>
  %biased = arith.addf %1, %y : tensor<4x8xf32>
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %2 = arith.mulf %x, %three : tensor<4x8xf32>

  %max0 = fuse.reduce max %0 dims [1] : tensor<4x8xf32>
  %rows0 = fuse.broadcast %max0 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d0 = arith.subf %0, %rows0 : tensor<4x8xf32>

  %max1 = fuse.reduce max %biased dims [1] : tensor<4x8xf32>
  %rows1 = fuse.broadcast %max1 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d1 = arith.subf %biased, %rows1 : tensor<4x8xf32>

  %max2 = fuse.reduce max %2 dims [1] : tensor<4x8xf32>
  %rows2 = fuse.broadcast %max2 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d2 = arith.subf %1, %rows2 : tensor<4x8xf32>

  %d3 = arith.subf %1, %2 : tensor<4x8xf32>
  %e0 = math.exp %d0 : tensor<4x8xf32>
  %e1 = math.exp %d1 : tensor<4x8xf32>
  %e2 = math.exp %d2 : tensor<4x8xf32>
  %e3 = math.exp %d3 : tensor<4x8xf32>
  return %e0, %e1, %e2, %e3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// The slopes of a bias that grows with distance are divided, of which there are
// few: what becomes too large by it, and was not, stays finite.
// CHECK-LABEL: func.func @slopes(
//  CHECK-SAME:   %[[X:.*]]: tensor<2x4x8xf32>, %[[SLOPE:.*]]: tensor<2xf32>
//       CHECK:   %[[REAL:.*]] = arith.sitofp
//       CHECK:   %[[SMALL:.*]] = arith.divf %[[SLOPE]], %{{.*}} : tensor<2xf32>
//       CHECK:   %[[LESS:.*]] = arith.minimumf %[[SMALL]], %{{.*}}
//       CHECK:   %[[MORE:.*]] = arith.maximumf %[[LESS]], %{{.*}}
//       CHECK:   %[[SIZE:.*]] = math.absf %[[SLOPE]]
//       CHECK:   %[[IS:.*]] = arith.cmpf oeq, %[[SIZE]], %{{.*}}
//       CHECK:   %[[OWN:.*]] = arith.select %[[IS]], %[[SMALL]], %[[MORE]]
//       CHECK:   %[[SLOPES:.*]] = fuse.broadcast %[[OWN]] dims [0]
//       CHECK:   %[[BIAS:.*]] = arith.mulf %[[SLOPES]], %[[REAL]]
//       CHECK:   %[[BIASED:.*]] = arith.addf %[[X]], %[[BIAS]]
//       CHECK:   fuse.reduce max %[[BIASED]]
//       CHECK:   %[[DISTANCE:.*]] = arith.subf %[[BIASED]],
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[DISTANCE]],
//       CHECK:   math.exp %[[SCALED]]
func.func @slopes(%x: tensor<2x4x8xf32>, %slope: tensor<2xf32>) -> tensor<2x4x8xf32> {
  %j = fuse.iota dim 2 : tensor<2x4x8xi32>
  %d = arith.sitofp %j : tensor<2x4x8xi32> to tensor<2x4x8xf32>
  %scale = arith.constant dense<0.125> : tensor<2x4x8xf32>
  %scaled = arith.mulf %x, %scale : tensor<2x4x8xf32>
  %slopes = fuse.broadcast %slope dims [0] : tensor<2xf32> -> tensor<2x4x8xf32>
  %bias = arith.mulf %slopes, %d : tensor<2x4x8xf32>
  %biased = arith.addf %scaled, %bias : tensor<2x4x8xf32>
  %max = fuse.reduce max %biased dims [2] : tensor<2x4x8xf32>
  %most = fuse.broadcast %max dims [0, 1] : tensor<2x4xf32> -> tensor<2x4x8xf32>
  %distance = arith.subf %biased, %most : tensor<2x4x8xf32>
  %e = math.exp %distance : tensor<2x4x8xf32>
  return %e : tensor<2x4x8xf32>
}

// Sizes may be open.
// CHECK-LABEL: func.func @open_slopes(
//       CHECK:   %[[HEADS:.*]] = tensor.dim %arg1
//       CHECK:   %[[SCALES:.*]] = fuse.broadcast %{{.*}} dims [] sizes [%[[HEADS]]] : tensor<f32> -> tensor<?xf32>
//       CHECK:   arith.divf %arg1, %[[SCALES]] : tensor<?xf32>
//       CHECK:   math.exp
func.func @open_slopes(%x: tensor<?x8xf32>, %slope: tensor<?xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %j = fuse.iota dim 1 sizes [%n] : tensor<?x8xi32>
  %d = arith.sitofp %j : tensor<?x8xi32> to tensor<?x8xf32>
  %c = arith.constant dense<0.125> : tensor<f32>
  %scale = fuse.broadcast %c dims [] sizes [%n] : tensor<f32> -> tensor<?x8xf32>
  %scaled = arith.mulf %x, %scale : tensor<?x8xf32>
  %slopes = fuse.broadcast %slope dims [0] : tensor<?xf32> -> tensor<?x8xf32>
  %bias = arith.mulf %d, %slopes : tensor<?x8xf32>
  %biased = arith.addf %bias, %scaled : tensor<?x8xf32>
  %max = fuse.reduce max %biased dims [1] : tensor<?x8xf32>
  %most = fuse.broadcast %max dims [0] : tensor<?xf32> -> tensor<?x8xf32>
  %distance = arith.subf %biased, %most : tensor<?x8xf32>
  %e = math.exp %distance : tensor<?x8xf32>
  return %e : tensor<?x8xf32>
}

// Other biases stay: one for each element, one of rows, which may be the lowest
// number that there is, and a square, which would be divided twice; and slopes by
// a scale of 2^-30, or where it is asked whether the sum is 0.
// CHECK-LABEL: func.func @added(
//   CHECK-NOT:   arith.divf
// CHECK-COUNT-5: math.exp
//   CHECK-NOT:   arith.divf
//       CHECK:   return
func.func @added(%x: tensor<4x8xf32>, %bias: tensor<4x8xf32>, %row: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %scale = arith.constant dense<0.125> : tensor<4x8xf32>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %never = arith.constant dense<0xFF800000> : tensor<4x8xf32>
  %scaled = arith.mulf %x, %scale : tensor<4x8xf32>
  %rows = fuse.broadcast %row dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %j = fuse.iota dim 1 : tensor<4x8xi32>
  %d = arith.sitofp %j : tensor<4x8xi32> to tensor<4x8xf32>
  %slopes = arith.mulf %rows, %d : tensor<4x8xf32>

  %v0 = arith.addf %scaled, %bias : tensor<4x8xf32>
  %m0 = fuse.reduce max %v0 dims [1] : tensor<4x8xf32>
  %b0 = fuse.broadcast %m0 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d0 = arith.subf %v0, %b0 : tensor<4x8xf32>
  %e0 = math.exp %d0 : tensor<4x8xf32>

  %v1 = arith.addf %scaled, %rows : tensor<4x8xf32>
  %m1 = fuse.reduce max %v1 dims [1] : tensor<4x8xf32>
  %b1 = fuse.broadcast %m1 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d1 = arith.subf %v1, %b1 : tensor<4x8xf32>
  %e1 = math.exp %d1 : tensor<4x8xf32>

  %square = arith.mulf %rows, %rows : tensor<4x8xf32>
  %v2 = arith.addf %scaled, %square : tensor<4x8xf32>
  %m2 = fuse.reduce max %v2 dims [1] : tensor<4x8xf32>
  %b2 = fuse.broadcast %m2 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d2 = arith.subf %v2, %b2 : tensor<4x8xf32>
  %e2 = math.exp %d2 : tensor<4x8xf32>

  %tiny = arith.constant dense<0x30800000> : tensor<4x8xf32>
  %less = arith.mulf %x, %tiny : tensor<4x8xf32>
  %v3 = arith.addf %less, %slopes : tensor<4x8xf32>
  %m3 = fuse.reduce max %v3 dims [1] : tensor<4x8xf32>
  %b3 = fuse.broadcast %m3 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d3 = arith.subf %v3, %b3 : tensor<4x8xf32>
  %e3 = math.exp %d3 : tensor<4x8xf32>

  %biased = arith.addf %scaled, %slopes : tensor<4x8xf32>
  %is = arith.cmpf oeq, %biased, %zero : tensor<4x8xf32>
  %v4 = arith.select %is, %never, %biased : tensor<4x8xi1>, tensor<4x8xf32>
  %m4 = fuse.reduce max %v4 dims [1] : tensor<4x8xf32>
  %b4 = fuse.broadcast %m4 dims [0] : tensor<4xf32> -> tensor<4x8xf32>
  %d4 = arith.subf %v4, %b4 : tensor<4x8xf32>
  %e4 = math.exp %d4 : tensor<4x8xf32>
  return %e0, %e1, %e2, %e3, %e4 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
