// Every op in every form that it can be written in survives text, bytecode and
// the generic form.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @memory
//  CHECK-SAME: (%[[M:.*]]: memref<?x512xf32>, %[[IDS:.*]]: memref<?xi64>, %[[ONE:.*]]: memref<f32>, %[[Y:.*]]: memref<?x512xf32>, %[[Z:.*]]: memref<f32>) outputs 2 blocks(%[[I:.*]], %[[J:.*]]) {
tile.kernel @memory(%m: memref<?x512xf32>, %ids: memref<?xi64>, %one: memref<f32>, %y: memref<?x512xf32>, %z: memref<f32>) outputs 2 blocks(%i, %j) {
  // CHECK: tile.load %[[M]][%[[I]], %[[J]]] : memref<?x512xf32> -> tensor<64x32xf32>
  %0 = tile.load %m[%i, %j] : memref<?x512xf32> -> tensor<64x32xf32>
  // An identity is not printed.
  // CHECK: tile.load %[[M]][%[[I]], %[[J]]] : memref<?x512xf32> -> tensor<64x32xf32>
  %1 = tile.load %m[%i, %j] map (d0, d1) -> (d0, d1) : memref<?x512xf32> -> tensor<64x32xf32>
  // CHECK: tile.load %[[M]][%[[I]], %[[J]]] map (d0, d1, d2) -> (d1 * -2, d0 * 16 + d2) limits(%[[J]]) axes [1] guarded : memref<?x512xf32> -> tensor<2x3x4xf32>
  %2 = tile.load %m[%i, %j] map (d0, d1, d2) -> (d1 * -2, d0 * 16 + d2) limits(%j) axes [1] guarded : memref<?x512xf32> -> tensor<2x3x4xf32>
  // CHECK: tile.load %[[ONE]][] : memref<f32> -> tensor<f32>
  %3 = tile.load %one[] : memref<f32> -> tensor<f32>
  // CHECK: tile.load %[[ONE]][] map (d0) -> () : memref<f32> -> tensor<8xf32>
  %4 = tile.load %one[] map (d0) -> () : memref<f32> -> tensor<8xf32>
  // CHECK: %[[ROWS:.*]] = tile.load %[[IDS]][%[[I]]] map (d0, d1) -> (d0)
  %rows = tile.load %ids[%i] map (d0, d1) -> (d0) : memref<?xi64> -> tensor<64x32xi64>
  // CHECK: tile.gather %[[M]][%[[I]], %[[J]]] at(%[[ROWS]]) dims [0] map (d0, d1) -> (0, d1) limits(%[[I]], %[[J]]) axes [0, 1] : memref<?x512xf32>, tensor<64x32xi64> -> tensor<64x32xf32>
  %5 = tile.gather %m[%i, %j] at(%rows) dims [0] map (d0, d1) -> (0, d1) limits(%i, %j) axes [0, 1] : memref<?x512xf32>, tensor<64x32xi64> -> tensor<64x32xf32>
  // CHECK: tile.gather %[[M]][%[[I]], %[[J]]] at(%[[ROWS]], %[[ROWS]]) dims [0, 1] : memref<?x512xf32>, tensor<64x32xi64>, tensor<64x32xi64> -> tensor<64x32xf32>
  %6 = tile.gather %m[%i, %j] at(%rows, %rows) dims [0, 1] : memref<?x512xf32>, tensor<64x32xi64>, tensor<64x32xi64> -> tensor<64x32xf32>
  // CHECK: tile.store %{{.*}}, %[[Y]][%[[I]], %[[J]]] limits(%[[I]]) axes [0] : tensor<64x32xf32>, memref<?x512xf32>
  tile.store %0, %y[%i, %j] limits(%i) axes [0] : tensor<64x32xf32>, memref<?x512xf32>
  // CHECK: tile.store %{{.*}}, %[[Y]][%[[I]], %[[J]]] map (d0, d1) -> (d1, d0) : tensor<64x32xf32>, memref<?x512xf32>
  tile.store %0, %y[%i, %j] map (d0, d1) -> (d1, d0) : tensor<64x32xf32>, memref<?x512xf32>
  // CHECK: tile.store %{{.*}}, %[[Z]][] : tensor<f32>, memref<f32>
  tile.store %3, %z[] : tensor<f32>, memref<f32>
  tile.return
}

// CHECK-LABEL: tile.kernel @tiles
//  CHECK-SAME: blocks(%[[I:.*]]) attributes {mark}
tile.kernel @tiles(%a: memref<2x4x8xf16>, %b: memref<2x8x6xf16>, %y: memref<f32>) outputs 1 blocks(%i) attributes {mark} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[A:.*]] = tile.load
  %0 = tile.load %a[%c0, %c0, %c0] : memref<2x4x8xf16> -> tensor<2x4x8xf16>
  // CHECK: %[[B:.*]] = tile.load
  %1 = tile.load %b[%c0, %c0, %c0] : memref<2x8x6xf16> -> tensor<2x8x6xf16>
  %zero = arith.constant dense<0.0> : tensor<2x4x6xf32>
  // Defaults are not printed.
  // CHECK: tile.dot %[[A]], %[[B]], %{{.*}} batch = 1 : tensor<2x4x8xf16>, tensor<2x8x6xf16> -> tensor<2x4x6xf32>
  %2 = tile.dot %0, %1, %zero batch = 1 contract = 1 precision = ieee : tensor<2x4x8xf16>, tensor<2x8x6xf16> -> tensor<2x4x6xf32>
  %all = arith.constant dense<0.0> : tensor<6xf32>
  // CHECK: tile.dot {{.*}} contract = 2 precision = tf32x3 : tensor<2x8xf32>, tensor<2x8x6xf32> -> tensor<6xf32>
  %s = arith.constant dense<1.0> : tensor<2x8xf32>
  %t = arith.constant dense<1.0> : tensor<2x8x6xf32>
  %3 = tile.dot %s, %t, %all contract = 2 precision = tf32x3 : tensor<2x8xf32>, tensor<2x8x6xf32> -> tensor<6xf32>
  // CHECK: tile.reduce sum %{{.*}} dims [0, 2] : tensor<2x4x6xf32> -> tensor<4xf32>
  %4 = tile.reduce sum %2 dims [0, 2] : tensor<2x4x6xf32> -> tensor<4xf32>
  // CHECK: tile.reduce prod
  %5 = tile.reduce prod %2 dims [1] : tensor<2x4x6xf32> -> tensor<2x6xf32>
  // CHECK: tile.reduce max
  %6 = tile.reduce max %2 dims [1] : tensor<2x4x6xf32> -> tensor<2x6xf32>
  // CHECK: tile.reduce min
  %7 = tile.reduce min %2 dims [1] : tensor<2x4x6xf32> -> tensor<2x6xf32>
  // CHECK: tile.broadcast %{{.*}} dims [0] : tensor<4xf32> -> tensor<4x5xf32>
  %8 = tile.broadcast %4 dims [0] : tensor<4xf32> -> tensor<4x5xf32>
  // CHECK: tile.transpose %{{.*}} [2, 0, 1] : tensor<2x4x6xf32> -> tensor<6x2x4xf32>
  %9 = tile.transpose %2 [2, 0, 1] : tensor<2x4x6xf32> -> tensor<6x2x4xf32>
  // CHECK: tile.iota %[[I]] coefficients [16, -1] : tensor<4x5xi32>
  %10 = tile.iota %i coefficients [16, -1] : tensor<4x5xi32>
  // CHECK: tile.mask %{{.*}} limits(%[[I]], %[[I]]) axes [0, 1] : tensor<4x5xi32> else -7
  %11 = tile.mask %10 limits(%i, %i) axes [0, 1] : tensor<4x5xi32> else -7
  // CHECK: tile.mask %{{.*}} limits(%[[I]]) axes [1] : tensor<4x5xf32> else 0xFF800000
  %12 = tile.mask %8 limits(%i) axes [1] : tensor<4x5xf32> else 0xFF800000
  // CHECK: tile.mask %{{.*}} : tensor<4x5xi1> else true
  %13 = arith.cmpi eq, %10, %11 : tensor<4x5xi32>
  %14 = tile.mask %13 limits(%i) axes [0] : tensor<4x5xi1> else true
  tile.return
}

tile.kernel @two(%x: memref<?x4xf32>, %y: memref<?x4xf32>, %z: memref<4xf32>) outputs 2 blocks() {
  tile.return
}

// CHECK-LABEL: func.func @host
//  CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: index)
func.func @host(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<4xf32>) {
  // CHECK: tile.launch @two blocks() (%[[X]]) sizes(%[[N]]) : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  %0:2 = tile.launch @two blocks() (%x) sizes(%n) : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<?x4xf32>, tensor<4xf32>
}

// What a tensor map may say beside the rest, each by itself.
// CHECK-LABEL: @maps
//  CHECK-SAME:   a = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, strides = true>
//  CHECK-SAME:   b = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, rounded = true, strides = true>
//  CHECK-SAME:   c = #tile.tensor_map<memory = 1, of = f32, box = [64, 8, 16], swizzle = 64, dims = [0, 0, 1], steps = [432, 1, 1]>
func.func private @maps() attributes {a = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, strides = true>, b = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, strides = true, rounded = true>, c = #tile.tensor_map<memory = 1, of = f32, box = [64, 8, 16], swizzle = 64, dims = [0, 0, 1], steps = [432, 1, 1]>}
