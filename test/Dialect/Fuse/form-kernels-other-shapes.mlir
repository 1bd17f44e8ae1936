// What is chosen for shapes that no example has; the times are an H200's.

// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s

// Rounds of 128 keys overlap what two groups of warps do: 190 us, and 234 with two
// blocks a processor and rounds of 64.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 128, 64], sequential = [r64_0 = 64, r4096_0 = 128], owned = 0{{(, cascades = [^>]*\])?}}>)
!q = tensor<2x10x4096x64xbf16>
!k = tensor<2x10x4096x64xbf16>
!queries = tensor<2x10x4096x64xbf16>
!keys = tensor<2x10x4096x64xbf16>
!kt = tensor<2x10x64x4096xbf16>
!s = tensor<2x10x4096x4096xf32>
!probs = tensor<2x10x4096x4096xbf16>
!acc = tensor<2x10x4096x64xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.125> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %softmax = fuse.softmax %scaled dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// Groups of one block wait for each other where limits move: 90 us, and 95 in
// rounds of 128.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 128, 64], sequential = [r64_0 = 64, r2048_0 = 64], owned = 0{{(, cascades = [^>]*\])?}}, residents = 2>)
!q = tensor<4x16x2048x64xbf16>
!k = tensor<4x16x2048x64xbf16>
!queries = tensor<4x16x2048x64xbf16>
!keys = tensor<4x16x2048x64xbf16>
!kt = tensor<4x16x64x2048xbf16>
!s = tensor<4x16x2048x2048xf32>
!probs = tensor<4x16x2048x2048xbf16>
!ij = tensor<4x16x2048x2048xi32>
!keep = tensor<4x16x2048x2048xi1>
!acc = tensor<4x16x2048x64xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.125> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %causal, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// 80 features are not padded: 104 us, and 119 in 128.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 128, 80], sequential = [r80_0 = 80, r4096_0 = 128], owned = 0{{(, cascades = [^>]*\])?}}>)
!q = tensor<2x8x4096x80xbf16>
!k = tensor<2x8x4096x80xbf16>
!queries = tensor<2x8x4096x80xbf16>
!keys = tensor<2x8x4096x80xbf16>
!kt = tensor<2x8x80x4096xbf16>
!s = tensor<2x8x4096x4096xf32>
!probs = tensor<2x8x4096x4096xbf16>
!ij = tensor<2x8x4096x4096xi32>
!keep = tensor<2x8x4096x4096xi1>
!acc = tensor<2x8x4096x80xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %i = fuse.iota dim 2 : !ij
  %j = fuse.iota dim 3 : !ij
  %causal = arith.cmpi sle, %j, %i : !ij
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.11180339887498948> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %never = arith.constant dense<0xFF800000> : !s
  %masked = arith.select %causal, %scaled, %never : !keep, !s
  %softmax = fuse.softmax %masked dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// Rows of 80 bytes are slow to copy, so few blocks copy them: 37 us, and 52 with 64
// rows a block.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 128, 64], sequential = [r40_0 = 64, r1024_0 = 64], owned = 0{{(, cascades = [^>]*\])?}}, residents = 2>)
!q = tensor<2x20x1024x40xbf16>
!k = tensor<2x20x1024x40xbf16>
!queries = tensor<2x20x1024x40xbf16>
!keys = tensor<2x20x1024x40xbf16>
!kt = tensor<2x20x40x1024xbf16>
!s = tensor<2x20x1024x1024xf32>
!probs = tensor<2x20x1024x1024xbf16>
!acc = tensor<2x20x1024x40xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.15811388300841897> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %softmax = fuse.softmax %scaled dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// Two blocks fill the gaps of short loops.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 128, 64], sequential = [r64_0 = 64, r197_0 = 64], owned = 0{{(, cascades = [^>]*\])?}}, residents = 2>)
!q = tensor<64x12x197x64xbf16>
!k = tensor<64x12x197x64xbf16>
!queries = tensor<64x12x197x64xbf16>
!keys = tensor<64x12x197x64xbf16>
!kt = tensor<64x12x64x197xbf16>
!s = tensor<64x12x197x197xf32>
!probs = tensor<64x12x197x197xbf16>
!acc = tensor<64x12x197x64xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.125> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %softmax = fuse.softmax %scaled dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// Eight heads in a block have no room.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 64, 32], sequential = [r32_0 = 32, r64_0 = 64], owned = 0>)
!q = tensor<256x8x64x32xbf16>
!k = tensor<256x8x64x32xbf16>
!queries = tensor<256x8x64x32xbf16>
!keys = tensor<256x8x64x32xbf16>
!kt = tensor<256x8x32x64xbf16>
!s = tensor<256x8x64x64xf32>
!probs = tensor<256x8x64x64xbf16>
!acc = tensor<256x8x64x32xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.1767766952966369> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %softmax = fuse.softmax %scaled dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// Half of 208 terms would be no sixteens, and take 20 s to compile.
// CHECK-LABEL: fuse.kernel @attention_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1, 1, 64, 128], sequential = [r208_0 = 32, r256_0 = 256], owned = 0>)
!q = tensor<2x8x256x208xbf16>
!k = tensor<2x8x256x208xbf16>
!queries = tensor<2x8x256x208xbf16>
!keys = tensor<2x8x256x208xbf16>
!kt = tensor<2x8x208x256xbf16>
!s = tensor<2x8x256x256xf32>
!probs = tensor<2x8x256x256xbf16>
!acc = tensor<2x8x256x208xf32>

func.func @attention(
    %q: !q {fuse.name = "q", fuse.fill = #fuse.fill<normal, 0, 1>},
    %k: !k {fuse.name = "k", fuse.fill = #fuse.fill<normal, 0, 1>},
    %v: !k {fuse.name = "v"}) -> !q {
  %kt = fuse.transpose %k [0, 1, 3, 2] : !keys
  %scores = fuse.matmul %q, %kt : !queries, !kt -> !s
  %scale = arith.constant dense<0.06933752452815364> : !s
  %scaled = arith.mulf %scores, %scale : !s
  %softmax = fuse.softmax %scaled dim 3 : !s
  %probs = arith.truncf %softmax : !s to !probs
  %wide = fuse.matmul %probs, %v : !probs, !keys -> !acc
  %o = arith.truncf %wide : !acc to !queries
  return %o : !q
}

// -----

// One row is one block's: 8.4 us, and 23 with sixteen rows for eight blocks.
// CHECK-LABEL: fuse.kernel @softmax_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [1], sequential = [r12288_0 = 16384], owned = 1>)
!x = tensor<512x12288xbf16>
!f = tensor<512x12288xf32>

func.func @softmax(%x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> !x {
  %wide = arith.extf %x : !x to !f
  %softmax = fuse.softmax %wide dim 1 : !f
  %y = arith.truncf %softmax : !f to !x
  return %y : !x
}

// -----

// More than 2112 blocks take time to begin: 10.6 us, and 12.3 with a row for each.
// CHECK-LABEL: fuse.kernel @layer_norm_0(
//  CHECK-SAME:   #fuse.schedule<parallel = [4], sequential = [r1024_0 = 1024], owned = 1>)
!x = tensor<8192x1024xbf16>
!f = tensor<8192x1024xf32>
!n = tensor<1024xf32>

func.func @layer_norm(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
    %gamma: !n {fuse.name = "gamma", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %beta: !n {fuse.name = "beta"}) -> !x {
  %wide = arith.extf %x : !x to !f
  %normed = fuse.layer_norm %wide scale %gamma shift %beta eps 1.0e-5 : !f, !n, !n
  %y = arith.truncf %normed : !f to !x
  return %y : !x
}

// -----

// Blocks begin one after the other: a million narrow numbers are read sooner by
// some hundred of them than by two thousand.
// CHECK-LABEL: func.func @few_blocks
//       CHECK:   parallel = [{{2048|4096}}]
//       CHECK:   return
func.func @few_blocks(%x: tensor<1000003xbf16>) -> tensor<1000003xbf16> {
  %0 = math.tanh %x : tensor<1000003xbf16>
  return %0 : tensor<1000003xbf16>
}
