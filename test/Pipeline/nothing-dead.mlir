// The scores by their scale are used no more when the tanh has the scale in its
// own factor. They go, or the order of the products would leave room for them.

// RUN: fuse-opt %s --fuse-to-tiles="machine=h200 schedules=@attention_0:{parallel=[1,128,128],sequential=[r128_0=128,r8192_0=128],owned=0,cascades=[2 wrt 1=rescale,3 wrt 1=rescale,3 wrt 2=defer]}" \
// RUN:   --fuse-tiles-to-placed=chip=sm_90a | FileCheck %s
//      CHECK: %[[SCORES:.*]] = tile.dot {{.*}} atom = wgmma
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[SCORES]],
// CHECK-NEXT: math.exp2 %[[SCALED]]
//  CHECK-NOT: %[[SCORES]]
//      CHECK: tile.dot

!q = tensor<32x8192x128xbf16>
!kt = tensor<32x128x8192xbf16>
!s = tensor<32x8192x8192xf32>
!probs = tensor<32x8192x8192xbf16>
!ij = tensor<32x8192x8192xi32>

func.func @attention(%q: !q, %k: !q, %v: !q) -> !q {
  %i = fuse.iota dim 1 : !ij
  %j = fuse.iota dim 2 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %kt = fuse.transpose %k [0, 2, 1] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %cap = arith.constant dense<30.0> : !s
  %relative = arith.divf %scaled, %cap : !s
  %bounded = math.tanh %relative : !s
  %capped = arith.mulf %bounded, %cap : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %causal, %capped, %never : tensor<32x8192x8192xi1>, !s
  %softmax = fuse.softmax %masked dim 2 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !q -> tensor<32x8192x128xf32>
  %o = arith.truncf %wide : tensor<32x8192x128xf32> to !q
  return %o : !q
}
