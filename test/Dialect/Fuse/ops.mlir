// Every op in every form that it can be written in survives text, bytecode and
// the generic form.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s
// RUN: fuse-opt %s --emit-bytecode | fuse-opt | FileCheck %s
// RUN: fuse-opt %s --mlir-print-op-generic | fuse-opt | FileCheck %s

// FileCheck overlooks spaces: there is one between words, and none inside of
// brackets.
// RUN: fuse-opt %s > %t && not grep -nE '[^ ]  |[[(] | [])]| ,' %t

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %ad: tensor<?x8xf32>,
                  %batch: tensor<3x?x4x8xbf16>, %rhs: tensor<3x?x8x2xbf16>,
                  %f8: tensor<4x8xf8E4M3FN>, %f8rhs: tensor<8x2xf8E4M3FN>,
                  %empty: tensor<4x0xf16>, %empty_rhs: tensor<0x2xf16>,
                  %wide: tensor<4x8xf64>, %wide_rhs: tensor<8x2xf64>) {
  // CHECK: fuse.matmul %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  %0 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  // The default is not printed.
  // CHECK: fuse.matmul %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  %1 = fuse.matmul %a, %b precision ieee : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  // CHECK: fuse.matmul %{{.*}}, %{{.*}} precision tf32 :
  %2 = fuse.matmul %a, %b precision tf32 : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  // CHECK: fuse.matmul %{{.*}}, %{{.*}} precision tf32x3 :
  %3 = fuse.matmul %a, %b precision tf32x3 : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  // CHECK: fuse.matmul {{.*}} -> tensor<4x2xf64>
  %4 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf64>
  // A result may know less and more than the operands do.
  // CHECK: fuse.matmul {{.*}} -> tensor<?x?xf32>
  %5 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<?x?xf32>
  // CHECK: fuse.matmul {{.*}} -> tensor<7x2xf32>
  %6 = fuse.matmul %ad, %b : tensor<?x8xf32>, tensor<8x2xf32> -> tensor<7x2xf32>
  // CHECK: fuse.matmul {{.*}} : tensor<3x?x4x8xbf16>, tensor<3x?x8x2xbf16> -> tensor<3x?x4x2xf32>
  %7 = fuse.matmul %batch, %rhs : tensor<3x?x4x8xbf16>, tensor<3x?x8x2xbf16> -> tensor<3x?x4x2xf32>
  // CHECK: fuse.matmul {{.*}} : tensor<4x8xf8E4M3FN>, tensor<8x2xf8E4M3FN> -> tensor<4x2xf32>
  %8 = fuse.matmul %f8, %f8rhs : tensor<4x8xf8E4M3FN>, tensor<8x2xf8E4M3FN> -> tensor<4x2xf32>
  // CHECK: fuse.matmul {{.*}} : tensor<4x0xf16>, tensor<0x2xf16> -> tensor<4x2xf32>
  %9 = fuse.matmul %empty, %empty_rhs : tensor<4x0xf16>, tensor<0x2xf16> -> tensor<4x2xf32>
  // CHECK: fuse.matmul {{.*}} : tensor<4x8xf64>, tensor<8x2xf64> -> tensor<4x2xf64>
  %10 = fuse.matmul %wide, %wide_rhs : tensor<4x8xf64>, tensor<8x2xf64> -> tensor<4x2xf64>
  // CHECK: fuse.matmul %{{.*}}, %{{.*}} {kept = "yes"} :
  %11 = fuse.matmul %a, %b {kept = "yes"} : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<?x128xf32>, %scalar: tensor<f16>, %i: tensor<4x0xindex>) {
  // CHECK: fuse.reduce sum %{{.*}} dims [1] : tensor<?x128xf32>
  %0 = fuse.reduce sum %x dims [1] : tensor<?x128xf32>
  // CHECK: fuse.reduce max %{{.*}} dims [0] : tensor<?x128xf32>
  %1 = fuse.reduce max %x dims [0] : tensor<?x128xf32>
  // CHECK: fuse.reduce min %{{.*}} dims [0, 1] : tensor<?x128xf32>
  %2 = fuse.reduce min %x dims [0, 1] : tensor<?x128xf32>
  // CHECK: fuse.reduce prod %{{.*}} dims [] : tensor<f16>
  %3 = fuse.reduce prod %scalar dims [] : tensor<f16>
  // CHECK: fuse.reduce mean %{{.*}} dims [1] : tensor<?x128xf32>
  %4 = fuse.reduce mean %x dims [1] : tensor<?x128xf32>
  // CHECK: fuse.reduce max %{{.*}} dims [1] : tensor<4x0xindex>
  %5 = fuse.reduce max %i dims [1] : tensor<4x0xindex>
  return
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%scalar: tensor<i1>, %row: tensor<8xf32>, %dynamic: tensor<?x1xi8>, %n: index) {
  // CHECK: fuse.broadcast %{{.*}} dims [] : tensor<i1> -> tensor<4x0xi1>
  %0 = fuse.broadcast %scalar dims [] : tensor<i1> -> tensor<4x0xi1>
  // CHECK: fuse.broadcast %{{.*}} dims [] : tensor<i1> -> tensor<i1>
  %1 = fuse.broadcast %scalar dims [] : tensor<i1> -> tensor<i1>
  // CHECK: fuse.broadcast %{{.*}} dims [1] : tensor<8xf32> -> tensor<4x8xf32>
  %2 = fuse.broadcast %row dims [1] : tensor<8xf32> -> tensor<4x8xf32>
  // CHECK: fuse.broadcast %{{.*}} dims [0] sizes [%{{.*}}, %{{.*}}] : tensor<8xf32> -> tensor<8x?x4x?xf32>
  %3 = fuse.broadcast %row dims [0] sizes [%n, %n] : tensor<8xf32> -> tensor<8x?x4x?xf32>
  // CHECK: fuse.broadcast %{{.*}} dims [1, 2] : tensor<?x1xi8> -> tensor<4x?x?xi8>
  %4 = fuse.broadcast %dynamic dims [1, 2] : tensor<?x1xi8> -> tensor<4x?x?xi8>
  return
}

// CHECK-LABEL: func.func @transpose
func.func @transpose(%x: tensor<8x?x64xf8E4M3FN>, %scalar: tensor<i1>) {
  // CHECK: fuse.transpose %{{.*}} [2, 0, 1] : tensor<8x?x64xf8E4M3FN>
  %0 = fuse.transpose %x [2, 0, 1] : tensor<8x?x64xf8E4M3FN>
  // CHECK: fuse.transpose %{{.*}} [] : tensor<i1>
  %1 = fuse.transpose %scalar [] : tensor<i1>
  return
}

// CHECK-LABEL: func.func @copy
func.func @copy(%x: tensor<8x?x64xf8E4M3FN>, %scalar: tensor<i1>) {
  // CHECK: fuse.copy %{{.*}} : tensor<8x?x64xf8E4M3FN>
  %0 = fuse.copy %x : tensor<8x?x64xf8E4M3FN>
  // CHECK: fuse.copy %{{.*}} : tensor<i1>
  %1 = fuse.copy %scalar : tensor<i1>
  return
}

// CHECK-LABEL: func.func @slice
func.func @slice(%x: tensor<?x128xf32>, %scalar: tensor<f32>, %row: tensor<?xi64>) {
  // CHECK: fuse.slice %{{.*}}[:, :64] : tensor<?x128xf32>
  %0 = fuse.slice %x[:, 0:64] : tensor<?x128xf32>
  // CHECK: fuse.slice %{{.*}}[3:5, 1::2] : tensor<?x128xf32>
  %1 = fuse.slice %x[3:5, 1::2] : tensor<?x128xf32>
  // CHECK: fuse.slice %{{.*}}[:, 2:100:7] : tensor<?x128xf32>
  %2 = fuse.slice %x[0::1, 2:100:7] : tensor<?x128xf32>
  // CHECK: fuse.slice %{{.*}}[:, 128:128] : tensor<?x128xf32>
  %3 = fuse.slice %x[:, 128:128] : tensor<?x128xf32>
  // CHECK: fuse.slice %{{.*}}[] : tensor<f32>
  %4 = fuse.slice %scalar[] : tensor<f32>
  // CHECK: fuse.slice %{{.*}}[:0] : tensor<?xi64>
  %5 = fuse.slice %row[:0] : tensor<?xi64>
  // CHECK: fuse.slice %{{.*}}[::9223372036854775807] : tensor<?xi64>
  %6 = fuse.slice %row[::9223372036854775807] : tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @expand
func.func @expand(%x: tensor<?x768xf32>, %one: tensor<1xf32>, %empty: tensor<0xf32>, %n: index) {
  // CHECK: fuse.expand %{{.*}} dim 1 into [12, 64] : tensor<?x768xf32>
  %0 = fuse.expand %x dim 1 into [12, 64] : tensor<?x768xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [?, 16] : tensor<?x768xf32>
  %1 = fuse.expand %x dim 0 into [?, 16] : tensor<?x768xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [?, 16] sizes [%{{.*}}] : tensor<?x768xf32>
  %2 = fuse.expand %x dim 0 into [?, 16] sizes [%n] : tensor<?x768xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [?, 2, ?] sizes [%{{.*}}, %{{.*}}] : tensor<?x768xf32>
  %3 = fuse.expand %x dim 0 into [?, 2, ?] sizes [%n, %n] : tensor<?x768xf32>
  // CHECK: fuse.expand %{{.*}} dim 1 into [?, 64] : tensor<?x768xf32>
  %4 = fuse.expand %x dim 1 into [?, 64] : tensor<?x768xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [] : tensor<1xf32>
  %5 = fuse.expand %one dim 0 into [] : tensor<1xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [4, 0] : tensor<0xf32>
  %6 = fuse.expand %empty dim 0 into [4, 0] : tensor<0xf32>
  // A product is 0 wherever the 0 stands.
  // CHECK: fuse.expand %{{.*}} dim 0 into [9223372036854775807, 9223372036854775807, 0] : tensor<0xf32>
  %7 = fuse.expand %empty dim 0 into [9223372036854775807, 9223372036854775807, 0] : tensor<0xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [9223372036854775807, 0, 9223372036854775807] : tensor<0xf32>
  %8 = fuse.expand %empty dim 0 into [9223372036854775807, 0, 9223372036854775807] : tensor<0xf32>
  // CHECK: fuse.expand %{{.*}} dim 0 into [0, 9223372036854775807, 9223372036854775807] : tensor<0xf32>
  %9 = fuse.expand %empty dim 0 into [0, 9223372036854775807, 9223372036854775807] : tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @collapse
func.func @collapse(%x: tensor<?x16x64xf32>) {
  // CHECK: fuse.collapse %{{.*}} dims [0, 1] : tensor<?x16x64xf32>
  %0 = fuse.collapse %x dims [0, 1] : tensor<?x16x64xf32>
  // CHECK: fuse.collapse %{{.*}} dims [2] : tensor<?x16x64xf32>
  %1 = fuse.collapse %x dims [2] : tensor<?x16x64xf32>
  // CHECK: fuse.collapse %{{.*}} dims [0, 1, 2] : tensor<?x16x64xf32>
  %2 = fuse.collapse %x dims [0, 1, 2] : tensor<?x16x64xf32>
  return
}

// CHECK-LABEL: func.func @concat
func.func @concat(%a: tensor<?x16xf32>, %b: tensor<4x432xf32>) {
  // CHECK: fuse.concat %{{.*}} dim 0 : tensor<?x16xf32>
  %0 = fuse.concat %a dim 0 : tensor<?x16xf32>
  // CHECK: fuse.concat %{{.*}}, %{{.*}} dim 1 : tensor<?x16xf32>, tensor<4x432xf32>
  %1 = fuse.concat %a, %b dim 1 : tensor<?x16xf32>, tensor<4x432xf32>
  // CHECK: fuse.concat %{{.*}}, %{{.*}}, %{{.*}} dim 0 :
  %2 = fuse.concat %a, %a, %a dim 0 : tensor<?x16xf32>, tensor<?x16xf32>, tensor<?x16xf32>
  return
}

// CHECK-LABEL: func.func @iota
func.func @iota(%n: index) {
  // CHECK: fuse.iota dim 1 : tensor<64x128xi32>
  %0 = fuse.iota dim 1 : tensor<64x128xi32>
  // CHECK: fuse.iota dim 0 sizes [%{{.*}}, %{{.*}}] : tensor<?x4x?xbf16>
  %1 = fuse.iota dim 0 sizes [%n, %n] : tensor<?x4x?xbf16>
  // CHECK: fuse.iota dim 0 : tensor<0xindex>
  %2 = fuse.iota dim 0 : tensor<0xindex>
  return
}

// CHECK-LABEL: func.func @gather
func.func @gather(%table: tensor<1000x16xf32>, %ids: tensor<?x3xi64>, %id: tensor<index>, %list: tensor<?xi1>) {
  // CHECK: fuse.gather %{{.*}}[%{{.*}}] : tensor<1000x16xf32>, tensor<?x3xi64>
  %0 = fuse.gather %table[%ids] : tensor<1000x16xf32>, tensor<?x3xi64>
  // CHECK: fuse.gather %{{.*}}[%{{.*}}] : tensor<?xi1>, tensor<index>
  %1 = fuse.gather %list[%id] : tensor<?xi1>, tensor<index>
  return
}

// CHECK-LABEL: func.func @pointwise_composites
func.func @pointwise_composites(%x: tensor<?x128xf32>, %scalar: tensor<bf16>) {
  // CHECK: fuse.relu %{{.*}} : tensor<?x128xf32>
  %0 = fuse.relu %x : tensor<?x128xf32>
  // CHECK: fuse.leaky_relu %{{.*}} alpha 1.000000e-02 : tensor<?x128xf32>
  %1 = fuse.leaky_relu %x alpha 0.01 : tensor<?x128xf32>
  // CHECK: fuse.sigmoid %{{.*}} : tensor<bf16>
  %2 = fuse.sigmoid %scalar : tensor<bf16>
  // CHECK: fuse.silu %{{.*}} : tensor<?x128xf32>
  %3 = fuse.silu %x : tensor<?x128xf32>
  // CHECK: fuse.gelu erf %{{.*}} : tensor<?x128xf32>
  %4 = fuse.gelu erf %x : tensor<?x128xf32>
  // CHECK: fuse.gelu tanh %{{.*}} : tensor<?x128xf32>
  %5 = fuse.gelu tanh %x : tensor<?x128xf32>
  // CHECK: fuse.scale %{{.*}} by 1.250000e-01 : tensor<?x128xf32>
  %6 = fuse.scale %x by 0.125 : tensor<?x128xf32>
  // CHECK: fuse.clamp %{{.*}} min -1.000000e+00 max 0x7FF0000000000000 : tensor<?x128xf32>
  %7 = fuse.clamp %x min -1.0 max 0x7FF0000000000000 : tensor<?x128xf32>
  // CHECK: fuse.clamp %{{.*}} min 2.000000e+00 max 2.000000e+00 : tensor<?x128xf32>
  %8 = fuse.clamp %x min 2.0 max 2.0 : tensor<?x128xf32>
  return
}

// CHECK-LABEL: func.func @row_composites
func.func @row_composites(%x: tensor<?x128xf32>, %keep: tensor<?x128xi1>, %row: tensor<128xf32>) {
  // CHECK: fuse.softmax %{{.*}} dim 0 : tensor<?x128xf32>
  %0 = fuse.softmax %x dim 0 : tensor<?x128xf32>
  // CHECK: fuse.softmax %{{.*}} dim 1 mask %{{.*}} : tensor<?x128xf32>, tensor<?x128xi1>
  %1 = fuse.softmax %x dim 1 mask %keep : tensor<?x128xf32>, tensor<?x128xi1>
  // CHECK: fuse.layer_norm %{{.*}} eps 1.000000e-05 : tensor<?x128xf32>
  %2 = fuse.layer_norm %x eps 1.0e-5 : tensor<?x128xf32>
  // CHECK: fuse.layer_norm %{{.*}} scale %{{.*}} eps 1.000000e-05 : tensor<?x128xf32>, tensor<128xf32>
  %3 = fuse.layer_norm %x scale %row eps 1.0e-5 : tensor<?x128xf32>, tensor<128xf32>
  // CHECK: fuse.layer_norm %{{.*}} scale %{{.*}} shift %{{.*}} eps 0.000000e+00 : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  %4 = fuse.layer_norm %x scale %row shift %row eps 0.0 : tensor<?x128xf32>, tensor<128xf32>, tensor<128xf32>
  // CHECK: fuse.rms_norm %{{.*}} eps 9.9999999999999995E-7 : tensor<?x128xf32>
  %5 = fuse.rms_norm %x eps 1.0e-6 : tensor<?x128xf32>
  // CHECK: fuse.rms_norm %{{.*}} scale %{{.*}} eps {{.*}} : tensor<?x128xf32>, tensor<128xf32>
  %6 = fuse.rms_norm %x scale %row eps 1.0e-6 : tensor<?x128xf32>, tensor<128xf32>
  return
}

// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<8x?x64xf32>, %w: tensor<64x32xf32>, %b: tensor<32xf32>, %row: tensor<64xf16>, %half: tensor<64x32xf16>) {
  // CHECK: fuse.linear %{{.*}}, %{{.*}} : tensor<8x?x64xf32>, tensor<64x32xf32> -> tensor<8x?x32xf32>
  %0 = fuse.linear %x, %w : tensor<8x?x64xf32>, tensor<64x32xf32> -> tensor<8x?x32xf32>
  // CHECK: fuse.linear %{{.*}}, %{{.*}} bias %{{.*}} : tensor<8x?x64xf32>, tensor<64x32xf32>, tensor<32xf32> -> tensor<8x?x32xf32>
  %1 = fuse.linear %x, %w bias %b : tensor<8x?x64xf32>, tensor<64x32xf32>, tensor<32xf32> -> tensor<8x?x32xf32>
  // CHECK: fuse.linear %{{.*}}, %{{.*}} bias %{{.*}} precision tf32 :
  %2 = fuse.linear %x, %w bias %b precision tf32 : tensor<8x?x64xf32>, tensor<64x32xf32>, tensor<32xf32> -> tensor<8x?x32xf32>
  // CHECK: fuse.linear %{{.*}}, %{{.*}} precision tf32x3 :
  %3 = fuse.linear %x, %w precision tf32x3 : tensor<8x?x64xf32>, tensor<64x32xf32> -> tensor<8x?x32xf32>
  // CHECK: fuse.linear %{{.*}}, %{{.*}} : tensor<64xf16>, tensor<64x32xf16> -> tensor<32xf32>
  %4 = fuse.linear %row, %half : tensor<64xf16>, tensor<64x32xf16> -> tensor<32xf32>
  return
}

// CHECK-LABEL: func.func @masks
func.func @masks(%n: index, %count: tensor<?xi32>, %one: tensor<index>) {
  // CHECK: fuse.causal_mask top_left : tensor<64x64xi1>
  %0 = fuse.causal_mask top_left : tensor<64x64xi1>
  // CHECK: fuse.causal_mask bottom_right window 16 sizes [%{{.*}}] : tensor<?x64xi1>
  %1 = fuse.causal_mask bottom_right window 16 sizes [%n] : tensor<?x64xi1>
  // CHECK: fuse.causal_mask top_left window 1 : tensor<2x0x64xi1>
  %2 = fuse.causal_mask top_left window 1 : tensor<2x0x64xi1>
  // CHECK: fuse.padding_mask left %{{.*}} : tensor<?xi32> -> tensor<?x64xi1>
  %3 = fuse.padding_mask left %count : tensor<?xi32> -> tensor<?x64xi1>
  // CHECK: fuse.padding_mask right %{{.*}} sizes [%{{.*}}] : tensor<?xi32> -> tensor<?x?xi1>
  %4 = fuse.padding_mask right %count sizes [%n] : tensor<?xi32> -> tensor<?x?xi1>
  // CHECK: fuse.padding_mask left %{{.*}} : tensor<index> -> tensor<64xi1>
  %5 = fuse.padding_mask left %one : tensor<index> -> tensor<64xi1>
  return
}

// CHECK-LABEL: func.func private @hints
func.func private @hints(
    // CHECK-SAME: fuse.fill = #fuse.fill<uniform, -1, 1>, fuse.name = "x"
    tensor<f32> {fuse.name = "x", fuse.fill = #fuse.fill<uniform, -1, 1>},
    // CHECK-SAME: #fuse.fill<normal, -3, 0.5>
    tensor<f32> {fuse.name = "y_2", fuse.fill = #fuse.fill<normal, -3, 0.5>},
    // CHECK-SAME: #fuse.fill<integers, 0, 99>
    tensor<i32> {fuse.fill = #fuse.fill<integers, 0, 99>},
    // CHECK-SAME: #fuse.fill<constant, 5, 5>
    tensor<i32> {fuse.fill = #fuse.fill<constant, 5, 5>})

// A zero makes a product small however large the others are.
// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<0xf32>, %y: tensor<9223372036854775807x2x0xf32>) {
  // CHECK: fuse.expand
  %0 = fuse.expand %x dim 0 into [9223372036854775807, 2, 0] : tensor<0xf32>
  // CHECK: fuse.collapse
  %1 = fuse.collapse %y dims [0, 1, 2] : tensor<9223372036854775807x2x0xf32>
  return
}
