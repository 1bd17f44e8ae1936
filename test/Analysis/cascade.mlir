// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-print-cascades -o /dev/null | FileCheck %s
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-print-cascades=strategy=defer -o /dev/null | FileCheck %s --check-prefix=DEFER
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-print-cascades=strategy=pilot -o /dev/null | FileCheck %s --check-prefix=PILOT
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-print-cascades="strategy=defer allow-defer-shift" -o /dev/null | FileCheck %s --check-prefix=ALLOW

// The product follows the maximum and waits for the sum. What it reads is
// rounded before it is divided, and the mask ends the loop.
// CHECK-LABEL: @attention
//       CHECK: reduction 2 is
//       CHECK:   dot{r9_0}
//       CHECK: rescale wrt 0
//  CHECK-NEXT: defer wrt 1
//  CHECK-NEXT: casts moved below a factor
//  CHECK-NEXT: exponential accumulator
//       CHECK:   %[[E:.*]] = exp(
//  CHECK-NEXT:   %[[H:.*]] = truncf(%[[E]])
//  CHECK-NEXT:   dot{r9_0}(%[[H]], v[r9_0, o1])
//       CHECK: result
//       CHECK:   %[[INVERSE:.*]] = divf(1.000000e+00
//       CHECK:   %[[DOT:.*]] = dot{r9_0}
//  CHECK-NEXT:   mulf(%[[INVERSE]], %[[DOT]])
//       CHECK: condition
//  CHECK-NEXT:   cmpi sle(r9_0, o0)
//       CHECK: bound r9_0 <
//  CHECK-NEXT:   o0 + 1
// DEFER-LABEL: @attention
//       DEFER: sequential: a max bounds the range of the sum and cannot be deferred
// PILOT-LABEL: @attention
//       PILOT: sequential: only a mean can be a pilot, but this is a max
func.func @attention(%s: tensor<9x9xf32> {fuse.name = "s"}, %v: tensor<9x5xf16> {fuse.name = "v"}) -> tensor<9x5xf32> {
  %keep = fuse.causal_mask top_left : tensor<9x9xi1>
  %p = fuse.softmax %s dim 1 mask %keep : tensor<9x9xf32>, tensor<9x9xi1>
  %h = arith.truncf %p : tensor<9x9xf32> to tensor<9x9xf16>
  %o = fuse.matmul %h, %v : tensor<9x9xf16>, tensor<9x5xf16> -> tensor<9x5xf32>
  return %o : tensor<9x5xf32>
}

// -----

// The variance and the product are around the mean so far, the product's
// companion is a sum over the weights, and the variance is only a factor.
// CHECK-LABEL: @layer_norm
//       CHECK: reduction 1 is
//       CHECK: rescale wrt 0
//       CHECK: plain accumulator
//       CHECK:   cmpi slt(r16_0, 16)
//       CHECK: reduction 2 is
//       CHECK: rescale wrt 0
//  CHECK-NEXT: defer wrt 1
//       CHECK: plain accumulator
//  CHECK-NEXT:   %[[W:.*]] = extf(w[r16_0, o1])
//  CHECK-NEXT:   %[[NEG:.*]] = negf(%[[W]])
//  CHECK-NEXT:   sum{r16_0}(%[[NEG]])
//       CHECK: polynomial accumulator
//   CHECK-NOT: condition
// DEFER-LABEL: @layer_norm
//       DEFER: reduction 1 is
//       DEFER: defer wrt 0
//       DEFER: sequential: a cast that the user wrote stands between a deferred shift and the sum
// PILOT-LABEL: @layer_norm
//       PILOT: pilot wrt 0
//       PILOT: sequential: a statistic that moves is itself corrected
// ALLOW-LABEL: @layer_norm
//       ALLOW: defer wrt 0
//       ALLOW: defer wrt 0
//  ALLOW-NEXT: defer wrt 1
//  ALLOW-NEXT: casts moved below a shift
func.func @layer_norm(%x: tensor<4x16xf32> {fuse.name = "x"}, %w: tensor<16x5xbf16> {fuse.name = "w"}) -> tensor<4x5xf32> {
  %n = fuse.layer_norm %x eps 1.0e-5 : tensor<4x16xf32>
  %h = arith.truncf %n : tensor<4x16xf32> to tensor<4x16xbf16>
  %o = fuse.matmul %h, %w : tensor<4x16xbf16>, tensor<16x5xbf16> -> tensor<4x5xf32>
  return %o : tensor<4x5xf32>
}

// -----

// CHECK-LABEL: @largest_weight
//       CHECK: rescale wrt 0
//       CHECK: sequential: a max is not linear in its body
func.func @largest_weight(%x: tensor<4x16xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %p = fuse.softmax %x dim 1 : tensor<4x16xf32>
  %m = fuse.reduce max %p dims [1] : tensor<4x16xf32>
  return %m : tensor<4xf32>
}
