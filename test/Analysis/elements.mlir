// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-print-elements -o /dev/null | FileCheck %s

// Moves disappear: they only say where something is read.
// CHECK-LABEL: @moves
//  CHECK-NEXT: result 0[o0, o1]
//  CHECK-NEXT:   %0 = addf(x[o1, 2 * o0 + 3], b[o1])
//  CHECK-NEXT:   %0
func.func @moves(%x: tensor<4x32xf32> {fuse.name = "x"}, %b: tensor<4xf32> {fuse.name = "b"}) -> tensor<14x4xf32> {
  %slice = fuse.slice %x[:, 3:30:2] : tensor<4x32xf32>
  %turned = fuse.transpose %slice [1, 0] : tensor<4x14xf32>
  %rows = fuse.broadcast %b dims [1] : tensor<4xf32> -> tensor<14x4xf32>
  %sum = arith.addf %turned, %rows : tensor<14x4xf32>
  return %sum : tensor<14x4xf32>
}

// -----

// The two halves of a gate are two products over one variable, and share the
// element of x.
// CHECK-LABEL: @gate
//       CHECK:   %[[L:.*]] = dot{r37_0}(x[o0, r37_0], w[r37_0, o1])
//       CHECK:   %[[R:.*]] = dot{r37_0}(x[o0, r37_0], w[r37_0, o1 + 19])
//       CHECK:   mulf(%[[L]], %[[R]])
func.func @gate(%x: tensor<13x37xf32> {fuse.name = "x"}, %w: tensor<37x38xf32> {fuse.name = "w"}) -> tensor<13x19xf32> {
  %z = fuse.matmul %x, %w : tensor<13x37xf32>, tensor<37x38xf32> -> tensor<13x38xf32>
  %l = fuse.slice %z[:, 0:19] : tensor<13x38xf32>
  %r = fuse.slice %z[:, 19:38] : tensor<13x38xf32>
  %g = arith.mulf %l, %r : tensor<13x19xf32>
  return %g : tensor<13x19xf32>
}

// -----

// All sizes are equal, and still the product over keys binds another variable
// than the one over columns inside it: levels, not sizes, keep them apart.
// CHECK-LABEL: @square
//       CHECK:   %[[S:.*]] = dot{r8_1}(x[o0, r8_1], x[r8_0, r8_1])
//  CHECK-NEXT:   %[[E:.*]] = exp(%[[S]])
//  CHECK-NEXT:   dot{r8_0}(%[[E]], x[r8_0, o1])
func.func @square(%x: tensor<8x8xf32> {fuse.name = "x"}) -> tensor<8x8xf32> {
  %t = fuse.transpose %x [1, 0] : tensor<8x8xf32>
  %s = fuse.matmul %x, %t : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %e = math.exp %s : tensor<8x8xf32>
  %o = fuse.matmul %e, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// -----

// What is used twice stands there once: the maximum in every element of the
// sum, and in the result.
// CHECK-LABEL: @softmax
//       CHECK:   %[[M:.*]] = max{r9_0}(x[o0, r9_0])
//       CHECK:   sum{r9_0}
//   CHECK-NOT:   max{
func.func @softmax(%x: tensor<5x9xf32> {fuse.name = "x"}) -> tensor<5x9xf32> {
  %p = fuse.softmax %x dim 1 : tensor<5x9xf32>
  return %p : tensor<5x9xf32>
}

// -----

// A collapsed dimension is reduced over the variables that it is made of, so
// that neither factor of the outer product needs a division in its index.
// CHECK-LABEL: @outer
//       CHECK:   %[[P:.*]] = mulf(c[o0, r6_0], c[o0, r6_1])
//  CHECK-NEXT:   dot{r6_0, r6_1}(%[[P]], w[6 * r6_0 + r6_1, o1])
func.func @outer(%c: tensor<3x6xf32> {fuse.name = "c"}, %w: tensor<36x4xf32> {fuse.name = "w"}) -> tensor<3x4xf32> {
  %i = fuse.broadcast %c dims [0, 1] : tensor<3x6xf32> -> tensor<3x6x6xf32>
  %j = fuse.broadcast %c dims [0, 2] : tensor<3x6xf32> -> tensor<3x6x6xf32>
  %p = arith.mulf %i, %j : tensor<3x6x6xf32>
  %f = fuse.collapse %p dims [1, 2] : tensor<3x6x6xf32>
  %y = fuse.matmul %f, %w : tensor<3x36xf32>, tensor<36x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// A look-up is a load at an index that is loaded; a seam is a comparison.
// CHECK-LABEL: @join
//       CHECK:   %[[IN:.*]] = cmpi slt(o1, 2)
//       CHECK:   %[[ID:.*]] = extsi(ids[o0])
//       CHECK:   %[[ROW:.*]] = t[%[[ID]], o1 - 2]
//       CHECK:   select(%[[IN]], a[o0, o1], %[[ROW]])
func.func @join(%a: tensor<7x2xf32> {fuse.name = "a"}, %t: tensor<50x3xf32> {fuse.name = "t"},
                %ids: tensor<7xi32> {fuse.name = "ids"}) -> tensor<7x5xf32> {
  %rows = fuse.gather %t[%ids] : tensor<50x3xf32>, tensor<7xi32>
  %all = fuse.concat %a, %rows dim 1 : tensor<7x2xf32>, tensor<7x3xf32>
  return %all : tensor<7x5xf32>
}

// -----

// Dynamic sizes that must be equal are one symbol, and so the products over
// them bind one variable.
// CHECK-LABEL: @dynamic
//       CHECK:   dot{rs[[K:[0-9]+]]_0}(x[o0, rs[[K]]_0], w[rs[[K]]_0, o1])
//       CHECK:   dot{rs[[K]]_0}(x[o0, rs[[K]]_0], v[rs[[K]]_0, o1])
func.func @dynamic(%x: tensor<?x?xf32> {fuse.name = "x"}, %w: tensor<?x?xf32> {fuse.name = "w"},
                   %v: tensor<?x?xf32> {fuse.name = "v"}) -> tensor<?x?xf32> {
  %a = fuse.matmul %x, %w : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %b = fuse.matmul %x, %v : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
  %s = arith.addf %a, %b : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
