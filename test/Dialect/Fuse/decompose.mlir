// Every composite becomes the plain ops that define it, whatever is known of
// its sizes.

// RUN: fuse-opt %s --fuse-decompose | FileCheck %s

// NaN has to stay NaN: maximumf, not maxnumf.
// CHECK-LABEL: func.func @relu
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
//       CHECK:   %[[Y:.*]] = arith.maximumf %[[X]], %[[ZERO]] : tensor<4xf32>
//       CHECK:   return %[[Y]]
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Sizes that are not known come from the operand.
// CHECK-LABEL: func.func @relu_dynamic
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>)
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
//       CHECK:   %[[ROWS:.*]] = tensor.dim %[[X]]
//       CHECK:   %[[ZEROS:.*]] = fuse.broadcast %[[ZERO]] dims [] sizes [%[[ROWS]]] : tensor<f32> -> tensor<?x4xf32>
//       CHECK:   arith.maximumf %[[X]], %[[ZEROS]]
func.func @relu_dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.relu %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @leaky_relu
//  CHECK-SAME:   (%[[X:.*]]: tensor<f32>)
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
//   CHECK-DAG:   %[[ALPHA:.*]] = arith.constant dense<0.00999999977>
//       CHECK:   %[[SMALL:.*]] = arith.mulf %[[X]], %[[ALPHA]]
//       CHECK:   arith.select %{{.*}}, %[[X]], %[[SMALL]]
func.func @leaky_relu(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuse.leaky_relu %x alpha 0.01 : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @sigmoid
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[MINUS:.*]] = arith.negf %[[X]]
//       CHECK:   %[[EXP:.*]] = math.exp %[[MINUS]]
//       CHECK:   %[[SUM:.*]] = arith.addf {{.*}}%[[EXP]]
//       CHECK:   arith.divf %{{.*}}, %[[SUM]]
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.sigmoid %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One quotient, not a product with another one.
// CHECK-LABEL: func.func @silu
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[EXP:.*]] = math.exp
//       CHECK:   %[[SUM:.*]] = arith.addf {{.*}}%[[EXP]]
//       CHECK:   %[[Y:.*]] = arith.divf %[[X]], %[[SUM]]
//       CHECK:   return %[[Y]]
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.silu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_erf
//   CHECK-DAG:   arith.constant dense<0.707106769>
//   CHECK-NOT:   math.tanh
//       CHECK:   math.erf
func.func @gelu_erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.gelu erf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_tanh
//   CHECK-DAG:   arith.constant dense<4.471500e-02>
//   CHECK-DAG:   arith.constant dense<0.797884583>
//   CHECK-NOT:   math.erf
//       CHECK:   math.tanh
func.func @gelu_tanh(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = fuse.gelu tanh %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// The factor is rounded to the element type.
// CHECK-LABEL: func.func @scale
//       CHECK:   arith.constant dense<1.000980e-01> : tensor<4xbf16>
func.func @scale(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = fuse.scale %x by 0.1 : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @clamp
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//   CHECK-DAG:   %[[LOW:.*]] = arith.constant dense<-1.000000e+00> : tensor<4xf32>
//   CHECK-DAG:   %[[HIGH:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
//   CHECK-DAG:   %[[RAISED:.*]] = arith.maximumf %[[X]], %[[LOW]]
//       CHECK:   arith.minimumf %[[RAISED]], %[[HIGH]]
func.func @clamp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.clamp %x min -1.0 max 2.0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The maximum that is subtracted is 0 where all is -inf, and the sum that is
// divided by is not 0.
// CHECK-LABEL: func.func @softmax
//  CHECK-SAME:   (%[[X:.*]]: tensor<8x?xf32>)
//       CHECK:   %[[MAX:.*]] = fuse.reduce max %[[X]] dims [0]
//       CHECK:   %[[EMPTY:.*]] = arith.cmpf oeq, %[[MAX]]
//       CHECK:   %[[SHIFT:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[MAX]]
//       CHECK:   %[[SHIFTS:.*]] = fuse.broadcast %[[SHIFT]] dims [1] : tensor<?xf32> -> tensor<8x?xf32>
//       CHECK:   %[[DIFFERENCE:.*]] = arith.subf %[[X]], %[[SHIFTS]]
//       CHECK:   %[[WEIGHTS:.*]] = math.exp %[[DIFFERENCE]]
//       CHECK:   %[[SUM:.*]] = fuse.reduce sum %[[WEIGHTS]] dims [0]
//       CHECK:   %[[NONE:.*]] = arith.cmpf oeq, %[[SUM]]
//       CHECK:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
//       CHECK:   %[[ONES:.*]] = fuse.broadcast %[[ONE]] dims []
//       CHECK:   %[[DIVISOR:.*]] = arith.select %[[NONE]], %[[ONES]], %[[SUM]]
//       CHECK:   %[[DIVISORS:.*]] = fuse.broadcast %[[DIVISOR]] dims [1]
//       CHECK:   %[[Y:.*]] = arith.divf %[[WEIGHTS]], %[[DIVISORS]]
//       CHECK:   return %[[Y]]
func.func @softmax(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = fuse.softmax %x dim 0 : tensor<8x?xf32>
  return %0 : tensor<8x?xf32>
}

// CHECK-LABEL: func.func @softmax_masked
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x8xf32>, %[[MASK:.*]]: tensor<4x8xi1>)
//       CHECK:   %[[NEVER:.*]] = arith.constant dense<0xFF800000> : tensor<4x8xf32>
//       CHECK:   %[[KEPT:.*]] = arith.select %[[MASK]], %[[X]], %[[NEVER]]
//       CHECK:   fuse.reduce max %[[KEPT]] dims [1]
func.func @softmax_masked(%x: tensor<4x8xf32>, %mask: tensor<4x8xi1>) -> tensor<4x8xf32> {
  %0 = fuse.softmax %x dim 1 mask %mask : tensor<4x8xf32>, tensor<4x8xi1>
  return %0 : tensor<4x8xf32>
}

// The variance is the mean of the squared differences.
// CHECK-LABEL: func.func @layer_norm
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x8xf32>)
//       CHECK:   %[[MEAN:.*]] = fuse.reduce mean %[[X]] dims [1]
//       CHECK:   %[[MEANS:.*]] = fuse.broadcast %[[MEAN]] dims [0]
//       CHECK:   %[[CENTRED:.*]] = arith.subf %[[X]], %[[MEANS]]
//       CHECK:   %[[SQUARES:.*]] = arith.mulf %[[CENTRED]], %[[CENTRED]]
//       CHECK:   %[[VARIANCE:.*]] = fuse.reduce mean %[[SQUARES]] dims [1]
//       CHECK:   %[[SUM:.*]] = arith.addf %[[VARIANCE]]
//       CHECK:   %[[INVERSE:.*]] = math.rsqrt %[[SUM]] : tensor<?xf32>
//       CHECK:   %[[INVERSES:.*]] = fuse.broadcast %[[INVERSE]] dims [0]
//       CHECK:   %[[Y:.*]] = arith.mulf %[[CENTRED]], %[[INVERSES]]
//       CHECK:   return %[[Y]]
func.func @layer_norm(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = fuse.layer_norm %x eps 1.0e-5 : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @layer_norm_affine
//  CHECK-SAME:   %[[SCALE:[a-z0-9]+]]: tensor<8xf32>, %[[SHIFT:[a-z0-9]+]]: tensor<8xf32>)
//       CHECK:   math.rsqrt
//       CHECK:   %[[NORMAL:.*]] = arith.mulf
//       CHECK:   %[[SCALES:.*]] = fuse.broadcast %[[SCALE]] dims [1]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[NORMAL]], %[[SCALES]]
//       CHECK:   %[[SHIFTS:.*]] = fuse.broadcast %[[SHIFT]] dims [1]
//       CHECK:   arith.addf %[[SCALED]], %[[SHIFTS]]
func.func @layer_norm_affine(%x: tensor<4x8xf32>, %scale: tensor<8xf32>, %shift: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = fuse.layer_norm %x scale %scale shift %shift eps 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rms_norm
//  CHECK-SAME:   (%[[X:.*]]: tensor<?xf32>, %[[SCALE:.*]]: tensor<?xf32>)
//       CHECK:   %[[SQUARES:.*]] = arith.mulf %[[X]], %[[X]]
//       CHECK:   fuse.reduce mean %[[SQUARES]] dims [0] : tensor<?xf32>
//       CHECK:   math.rsqrt
//       CHECK:   %[[NORMAL:.*]] = arith.mulf %[[X]]
//       CHECK:   arith.mulf %[[NORMAL]], %[[SCALE]]
func.func @rms_norm(%x: tensor<?xf32>, %scale: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuse.rms_norm %x scale %scale eps 1.0e-6 : tensor<?xf32>, tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @linear
//  CHECK-SAME:   (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x2xf32>)
//       CHECK:   %[[Y:.*]] = fuse.matmul %[[X]], %[[W]] precision tf32x3 :
//       CHECK:   return %[[Y]]
func.func @linear(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = fuse.linear %x, %w precision tf32x3 : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// All leading dimensions are rows of one matrix.
// CHECK-LABEL: func.func @linear_of_batches
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x?x8xf32>, %[[W:.*]]: tensor<8x4xf32>, %[[BIAS:.*]]: tensor<4xf32>)
//       CHECK:   %[[ROWS:.*]] = fuse.collapse %[[X]] dims [0, 1]
//       CHECK:   %[[PRODUCT:.*]] = fuse.matmul %[[ROWS]], %[[W]] : tensor<?x8xf32>
//       CHECK:   %[[SIZE:.*]] = tensor.dim %[[X]]
//       CHECK:   %[[SPLIT:.*]] = fuse.expand %[[PRODUCT]] dim 0 into [2, ?] sizes [%[[SIZE]]]
//       CHECK:   %[[BIASES:.*]] = fuse.broadcast %[[BIAS]] dims [2]
//       CHECK:   arith.addf %[[SPLIT]], %[[BIASES]]
func.func @linear_of_batches(%x: tensor<2x?x8xf32>, %w: tensor<8x4xf32>, %bias: tensor<4xf32>) -> tensor<2x?x4xf32> {
  %0 = fuse.linear %x, %w bias %bias : tensor<2x?x8xf32>, tensor<8x4xf32>, tensor<4xf32> -> tensor<2x?x4xf32>
  return %0 : tensor<2x?x4xf32>
}

// CHECK-LABEL: func.func @linear_of_a_vector
//       CHECK:   fuse.expand %{{.*}} dim 0 into [1, 8]
//       CHECK:   fuse.matmul
//       CHECK:   fuse.collapse %{{.*}} dims [0, 1] : tensor<1x4xf32>
func.func @linear_of_a_vector(%x: tensor<8xbf16>, %w: tensor<8x4xbf16>) -> tensor<4xf32> {
  %0 = fuse.linear %x, %w : tensor<8xbf16>, tensor<8x4xbf16> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The type that was written is kept, whatever else is known.
// CHECK-LABEL: func.func @linear_that_forgets
//       CHECK:   fuse.matmul
//       CHECK:   return %{{.*}} : tensor<?x?x?xf32>
func.func @linear_that_forgets(%x: tensor<3x4x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = fuse.linear %x, %w : tensor<3x4x?xf32>, tensor<?x?xf32> -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @causal_top_left
//       CHECK:   %[[I:.*]] = fuse.iota dim 1 : tensor<2x4x8xi64>
//       CHECK:   %[[J:.*]] = fuse.iota dim 2 : tensor<2x4x8xi64>
//       CHECK:   %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]]
//       CHECK:   return %[[KEEP]]
func.func @causal_top_left() -> tensor<2x4x8xi1> {
  %0 = fuse.causal_mask top_left : tensor<2x4x8xi1>
  return %0 : tensor<2x4x8xi1>
}

// CHECK-LABEL: func.func @causal_bottom_right
//   CHECK-DAG:   %[[I:.*]] = fuse.iota dim 0 : tensor<4x8xi64>
//   CHECK-DAG:   %[[J:.*]] = fuse.iota dim 1 : tensor<4x8xi64>
//   CHECK-DAG:   %[[OFFSET:.*]] = arith.constant dense<4> : tensor<4x8xi64>
//       CHECK:   %[[LAST:.*]] = arith.addi %[[I]], %[[OFFSET]]
//       CHECK:   arith.cmpi sle, %[[J]], %[[LAST]]
func.func @causal_bottom_right() -> tensor<4x8xi1> {
  %0 = fuse.causal_mask bottom_right : tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @causal_window
//  CHECK-SAME:   (%[[QUERIES:.*]]: index, %[[KEYS:.*]]: index)
//       CHECK:   fuse.iota dim 0 sizes [%[[QUERIES]], %[[KEYS]]]
//       CHECK:   %[[J:.*]] = fuse.iota dim 1 sizes [%[[QUERIES]], %[[KEYS]]]
//       CHECK:   %[[LAST:.*]] = arith.addi
//       CHECK:   %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[LAST]]
//       CHECK:   %[[FIRST:.*]] = arith.subi %[[LAST]]
//       CHECK:   %[[NEAR:.*]] = arith.cmpi sgt, %[[J]], %[[FIRST]]
//       CHECK:   arith.andi %[[KEEP]], %[[NEAR]]
func.func @causal_window(%queries: index, %keys: index) -> tensor<?x?xi1> {
  %0 = fuse.causal_mask bottom_right window 16 sizes [%queries, %keys] : tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}

// CHECK-LABEL: func.func @padding_left
//  CHECK-SAME:   (%[[COUNT:.*]]: tensor<3xi32>)
//       CHECK:   %[[J:.*]] = fuse.iota dim 1 : tensor<3x8xi64>
//       CHECK:   %[[WIDE:.*]] = arith.extsi %[[COUNT]] : tensor<3xi32> to tensor<3xi64>
//       CHECK:   %[[BOUND:.*]] = fuse.broadcast %[[WIDE]] dims [0]
//       CHECK:   arith.cmpi sge, %[[J]], %[[BOUND]]
func.func @padding_left(%count: tensor<3xi32>) -> tensor<3x8xi1> {
  %0 = fuse.padding_mask left %count : tensor<3xi32> -> tensor<3x8xi1>
  return %0 : tensor<3x8xi1>
}

// CHECK-LABEL: func.func @padding_right
//  CHECK-SAME:   (%[[COUNT:.*]]: tensor<?xindex>, %[[N:.*]]: index)
//       CHECK:   %[[ROWS:.*]] = tensor.dim %[[COUNT]]
//       CHECK:   fuse.iota dim 1 sizes [%[[ROWS]], %[[N]]] : tensor<?x?xi64>
//       CHECK:   arith.index_cast %[[COUNT]]
//       CHECK:   arith.cmpi slt
func.func @padding_right(%count: tensor<?xindex>, %n: index) -> tensor<?x?xi1> {
  %0 = fuse.padding_mask right %count sizes [%n] : tensor<?xindex> -> tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}

// A composite in another's place is expanded, too, and so is an unused one.
// CHECK-LABEL: func.func @nested
//   CHECK-NOT:   fuse.
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fuse.relu %x : tensor<4xf32>
  %1 = fuse.scale %0 by 2.0 : tensor<4xf32>
  %2 = fuse.silu %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Two functions by one name, each of which is pointwise by itself.
// CHECK-LABEL: func.func @sincos
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[SIN:.*]] = math.sin %[[X]] fastmath<afn> : tensor<4xf32>
//       CHECK:   %[[COS:.*]] = math.cos %[[X]] fastmath<afn> : tensor<4xf32>
//       CHECK:   return %[[SIN]], %[[COS]]
func.func @sincos(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0, %1 = math.sincos %x fastmath<afn> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
