// Scores with a bias that grows with the distance, at a slope of each head: the
// slopes are divided by the scale of the scores, products begin with the bias, and
// positions are floats. Causal or in a window, of odd lengths; and far positions, whose
// floats are not those of their differences.

// RUN: split-file %s %t
// RUN: fuse-run %t/bf16.mlir --verify | FileCheck %s
// RUN: fuse-run %t/wide.mlir --verify | FileCheck %s
// RUN: fuse-run %t/window.mlir --verify | FileCheck %s
// RUN: fuse-run %t/far.mlir --verify=exact | FileCheck %s
// CHECK: verify: right

//--- bf16.mlir
!q = tensor<1x2x200x64xbf16>
!k = tensor<1x2x200x64xbf16>
!queries = tensor<1x2x200x64xbf16>
!keys = tensor<1x2x200x64xbf16>
!kt = tensor<1x2x64x200xbf16>
!s = tensor<1x2x200x200xf32>
!probs = tensor<1x2x200x200xbf16>
!ij = tensor<1x2x200x200xi32>
!keep = tensor<1x2x200x200xi1>
!acc = tensor<1x2x200x64xf32>
!slope = tensor<2xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"},
    %slope: !slope {fuse.name = "slope", fuse.fill = #fuse.fill<uniform, 0, 0.5>}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.125> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %distance = arith.subi %j, %i : !ij
  %distance_f = arith.sitofp %distance : !ij to !s
  %slopes = fuse.broadcast %slope dims [1] : !slope -> !s
  %bias = arith.mulf %slopes, %distance_f : !s
  %biased = arith.addf %scaled, %bias : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %causal, %biased, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

//--- wide.mlir
!q = tensor<1x3x333x128xbf16>
!k = tensor<1x3x333x128xbf16>
!queries = tensor<1x3x333x128xbf16>
!keys = tensor<1x3x333x128xbf16>
!kt = tensor<1x3x128x333xbf16>
!s = tensor<1x3x333x333xf32>
!probs = tensor<1x3x333x333xbf16>
!ij = tensor<1x3x333x333xi32>
!keep = tensor<1x3x333x333xi1>
!acc = tensor<1x3x333x128xf32>
!slope = tensor<3xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"},
    %slope: !slope {fuse.name = "slope", fuse.fill = #fuse.fill<uniform, 0, 0.5>}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.08838834764831845> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %distance = arith.subi %j, %i : !ij
  %distance_f = arith.sitofp %distance : !ij to !s
  %slopes = fuse.broadcast %slope dims [1] : !slope -> !s
  %bias = arith.mulf %slopes, %distance_f : !s
  %biased = arith.addf %scaled, %bias : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %causal, %biased, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

//--- window.mlir
!q = tensor<1x1x177x64xbf16>
!k = tensor<1x1x177x64xbf16>
!queries = tensor<1x1x177x64xbf16>
!keys = tensor<1x1x177x64xbf16>
!kt = tensor<1x1x64x177xbf16>
!s = tensor<1x1x177x177xf32>
!probs = tensor<1x1x177x177xbf16>
!ij = tensor<1x1x177x177xi32>
!keep = tensor<1x1x177x177xi1>
!acc = tensor<1x1x177x64xf32>
!slope = tensor<1xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"},
    %slope: !slope {fuse.name = "slope", fuse.fill = #fuse.fill<uniform, 0, 0.5>}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %window = arith.constant dense<50> : !ij
  %end = arith.addi %j, %window : !ij
  %near = arith.cmpi sgt, %end, %i : !ij
  %keep = arith.andi %causal, %near : !keep
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.125> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %distance = arith.subi %j, %i : !ij
  %distance_f = arith.sitofp %distance : !ij to !s
  %slopes = fuse.broadcast %slope dims [1] : !slope -> !s
  %bias = arith.mulf %slopes, %distance_f : !s
  %biased = arith.addf %scaled, %bias : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %keep, %biased, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

//--- far.mlir
func.func @far() -> tensor<16777300xf32> {
  %i = fuse.iota dim 0 : tensor<16777300xi32>
  %f = arith.sitofp %i : tensor<16777300xi32> to tensor<16777300xf32>
  return %f : tensor<16777300xf32>
}
