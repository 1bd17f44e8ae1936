// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels | FileCheck %s
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels --remark-format=emitRemark --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// A product, its bias and its activation are one kernel with a schedule, and
// nothing else is left in the function.
// CHECK-LABEL: func.func @linear
//  CHECK-SAME:   (%[[X:.*]]: tensor<{{.*}}>, %[[W:.*]]: tensor<{{.*}}>, %[[B:.*]]: tensor<{{.*}}>)
//  CHECK-NEXT:   %[[Y:.*]] = fuse.kernel @linear_0(%{{.*}} = %[[X]], %{{.*}} = %[[W]], %{{.*}} = %[[B]]) schedule(#fuse.schedule<parallel = [{{.*}}], sequential = [r96_0 = {{.*}}]
//       CHECK:     fuse.matmul
//       CHECK:     arith.maximumf
//       CHECK:     fuse.yield
//       CHECK:   return %[[Y]]
// WHY-DAG: remark: [Passed] FormKernels {{.*}}fused fuse.matmul into arith.addf (epilogue): its tile is still there when the loop that made it ends; 12288 bytes saved
// WHY-DAG: remark: [Passed] FormKernels {{.*}}fused fuse.broadcast into arith.addf (addressing): it only says where something is read
func.func @linear(%x: tensor<64x96xf32>, %w: tensor<96x24xf32>, %b: tensor<24xf32>) -> tensor<64x24xf32> {
  %y = fuse.linear %x, %w bias %b : tensor<64x96xf32>, tensor<96x24xf32>, tensor<24xf32> -> tensor<64x24xf32>
  %o = fuse.relu %y : tensor<64x24xf32>
  return %o : tensor<64x24xf32>
}

// -----

// What each cascade does is written down.
// CHECK-LABEL: func.func @attention
//       CHECK:   fuse.kernel @attention_0
//  CHECK-SAME:   cascades = [2 wrt 1 = rescale, 3 wrt 1 = rescale, 3 wrt 2 = defer]
//   CHECK-NOT:   fuse.kernel
// WHY: remark: [Analysis] FormKernels {{.*}}reduction 3 (dot over r2048_0) joins its statistics' loop: rescale with respect to reduction 1 (max over r2048_0); defer with respect to reduction 2 (sum over r2048_0)
func.func @attention(%q: tensor<2048x64xf32>, %kt: tensor<64x2048xf32>, %v: tensor<2048x64xf32>) -> tensor<2048x64xf32> {
  %s = fuse.matmul %q, %kt : tensor<2048x64xf32>, tensor<64x2048xf32> -> tensor<2048x2048xf32>
  %p = fuse.softmax %s dim 1 : tensor<2048x2048xf32>
  %o = fuse.matmul %p, %v : tensor<2048x2048xf32>, tensor<2048x64xf32> -> tensor<2048x64xf32>
  return %o : tensor<2048x64xf32>
}

// -----

// Two results that share rows come from one kernel; the sum is read by the norm
// where it was made.
// CHECK-LABEL: func.func @residual
//       CHECK:   %[[Y:.*]]:2 = fuse.kernel @residual_0
//   CHECK-NOT:   fuse.kernel
//       CHECK:   return %[[Y]]#{{[01]}}, %[[Y]]#{{[01]}}
//     WHY-NOT: not fused
//         WHY: remark: [Passed] FormKernels {{.*}}fused arith.addf into {{.*}}; it is stored as well, since it is a result; 8388608 bytes saved
func.func @residual(%x: tensor<4096x512xf32>, %r: tensor<4096x512xf32>) -> (tensor<4096x512xf32>, tensor<4096x512xf32>) {
  %s = arith.addf %x, %r : tensor<4096x512xf32>
  %n = fuse.layer_norm %s eps 1.0e-5 : tensor<4096x512xf32>
  return %s, %n : tensor<4096x512xf32>, tensor<4096x512xf32>
}

// -----

// Kernels that were there stay as they are, between new ones.
// CHECK-LABEL: func.func @kept
//       CHECK:   %[[A:.*]] = fuse.kernel @kept_0
//       CHECK:   %[[B:.*]] = fuse.kernel @mine(%{{.*}} = %[[A]]) schedule(#fuse.schedule<parallel = [3]>)
//       CHECK:   %[[C:.*]] = fuse.kernel @kept_1(%{{.*}} = %[[B]])
//       CHECK:   return %[[C]]
func.func @kept(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = math.exp %x : tensor<64xf32>
  %b = fuse.kernel @mine(%k = %a) schedule(#fuse.schedule<parallel = [3]>) : (tensor<64xf32>) -> tensor<64xf32> {
    %t = math.tanh %k : tensor<64xf32>
    fuse.yield %t : tensor<64xf32>
  }
  %c = math.exp %b : tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

// Nothing to compute, no kernel; sizes are asked of arguments, since what is
// fused has none.
// CHECK-LABEL: func.func @nothing
//  CHECK-NEXT:   return %arg0
func.func @nothing(%x: tensor<64xf32>) -> tensor<64xf32> {
  return %x : tensor<64xf32>
}

// CHECK-LABEL: func.func @sizes
//   CHECK-NOT:   tensor.dim
//       CHECK:   fuse.kernel @sizes_0(%[[X:.*]] = %arg0,
//       CHECK:     tensor.dim %[[X]],
func.func @sizes(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0 : index
  %e = math.exp %x : tensor<?x8xf32>
  %n = tensor.dim %e, %zero : tensor<?x8xf32>
  %r = fuse.broadcast %b dims [1] sizes [%n] : tensor<8xf32> -> tensor<?x8xf32>
  %s = arith.addf %e, %r : tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

// What shares a line of memory is read at once.
// CHECK: fuse.kernel @lines_0({{.*}} schedule(#fuse.schedule<parallel = [4]
func.func @lines(%a: tensor<12xf32>, %b: tensor<12xf32>) -> tensor<12xf32> {
  %y = arith.remf %a, %b : tensor<12xf32>
  return %y : tensor<12xf32>
}
