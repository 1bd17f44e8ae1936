// Tiles for a machine that spreads them over threads by layouts: every size is
// a power of two, also where a variable is shorter or its range no multiple.
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s
// A CPU takes short ranges as they are.
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels | FileCheck %s --check-prefix=CPU

// A row is held whole, and so it is read once.
// CHECK: fuse.kernel @softmax_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r781_0 = 1024], owned = 1, warps = {{[0-9]+}}>)
//   CPU: fuse.kernel @softmax_0(
func.func @softmax(%x: tensor<1823x781xf32>) -> tensor<1823x781xf32> {
  %y = fuse.softmax %x dim 1 : tensor<1823x781xf32>
  return %y : tensor<1823x781xf32>
}

// -----

// CHECK: fuse.kernel @odd_0({{.*}} schedule(#fuse.schedule<parallel = [{{(1|2|4|8|16|32|64|128|256|512), (4|16|32|64|128|256|512)}}], sequential = [r13_0 = 16]
//   CPU: fuse.kernel @odd_0({{.*}} sequential = [r13_0 = 13]
func.func @odd(%x: tensor<197x13xf32>, %w: tensor<13x197xf32>) -> tensor<197x197xf32> {
  %y = fuse.matmul %x, %w : tensor<197x13xf32>, tensor<13x197xf32> -> tensor<197x197xf32>
  return %y : tensor<197x197xf32>
}

// -----

// CHECK: fuse.kernel @narrow_0({{.*}} schedule(#fuse.schedule<parallel = [{{(1|2|4|8|16|32|64|128|256|512), (1|4)}}], sequential = [r13_0 = {{(1|4|16)}}]
func.func @narrow(%x: tensor<4099x13xf32>, %w: tensor<13x3xf32>) -> tensor<4099x3xf32> {
  %y = fuse.matmul %x, %w : tensor<4099x13xf32>, tensor<13x3xf32> -> tensor<4099x3xf32>
  return %y : tensor<4099x3xf32>
}

// -----

// What every block that shares a factor would make of it again is made once,
// since only what is read as it is can be copied ahead.
// CHECK: fuse.kernel @scaled_0({{.*}} -> tensor<2048x2048xf16>
// CHECK: fuse.kernel @scaled_1({{.*}} -> tensor<2048x2048xf32>
func.func @scaled(%x: tensor<2048x2048xf16>, %w: tensor<2048x2048xf16>) -> tensor<2048x2048xf32> {
  %y = math.tanh %x : tensor<2048x2048xf16>
  %z = fuse.matmul %y, %w : tensor<2048x2048xf16>, tensor<2048x2048xf16> -> tensor<2048x2048xf32>
  return %z : tensor<2048x2048xf32>
}

// -----

// A product of few rows is made in few blocks, so it is one kernel.
// CHECK: fuse.kernel @few_0({{.*}} -> tensor<16x4096xf32>
// CHECK-NOT: fuse.kernel
func.func @few(%x: tensor<16x64xf16>, %w: tensor<64x4096xf16>) -> tensor<16x4096xf32> {
  %y = math.tanh %x : tensor<16x64xf16>
  %z = fuse.matmul %y, %w : tensor<16x64xf16>, tensor<64x4096xf16> -> tensor<16x4096xf32>
  return %z : tensor<16x4096xf32>
}

// -----

// A scale that all rows read does not make them share a block.
// CHECK: fuse.kernel @rows_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r4096_0 = 4096]
func.func @rows(%x: tensor<8192x4096xf32>, %g: tensor<4096xf32>) -> tensor<8192x4096xf32> {
  %y = fuse.rms_norm %x scale %g eps 1.0e-5 : tensor<8192x4096xf32>, tensor<4096xf32>
  return %y : tensor<8192x4096xf32>
}

// -----

// One row is padded to what tensor cores take, and the weight gives them the
// rows. There are too few tiles for all processors, so the sum is split.
// CHECK: fuse.kernel @one_row_0({{.*}} schedule(#fuse.schedule<parallel = [8, {{64|128}}], {{.*}}split = {{2|4|8|16}}{{(, merge = cluster)?}}>)
//   CPU: fuse.kernel @one_row_0({{.*}} schedule(#fuse.schedule<parallel = [1,
func.func @one_row(%x: tensor<1x4096xbf16>, %w: tensor<4096x2048xbf16>) -> tensor<1x2048xf32> {
  %y = fuse.matmul %x, %w : tensor<1x4096xbf16>, tensor<4096x2048xbf16> -> tensor<1x2048xf32>
  return %y : tensor<1x2048xf32>
}

// -----

// So may one column be, where tensor cores are faster than plain arithmetic.
// CHECK: fuse.kernel @one_column_0({{.*}} schedule(#fuse.schedule<parallel = [{{[0-9]+}}, 8]
//   CPU: fuse.kernel @one_column_0({{.*}} schedule(#fuse.schedule<parallel = [{{[0-9]+}}, 1]
func.func @one_column(%x: tensor<4096x4096xbf16>, %w: tensor<4096x1xbf16>) -> tensor<4096x1xf32> {
  %y = fuse.matmul %x, %w : tensor<4096x4096xbf16>, tensor<4096x1xbf16> -> tensor<4096x1xf32>
  return %y : tensor<4096x1xf32>
}

// -----

// CHECK: fuse.kernel @few_tiles_0({{.*}} schedule(#fuse.schedule<parallel = [{{64|128}}, {{64|128}}], {{.*}}split = {{4|8|16}}{{(, merge = cluster)?}}>)
func.func @few_tiles(%x: tensor<128x11008xbf16>, %w: tensor<11008x768xbf16>) -> tensor<128x768xf32> {
  %y = fuse.matmul %x, %w : tensor<128x11008xbf16>, tensor<11008x768xbf16> -> tensor<128x768xf32>
  return %y : tensor<128x768xf32>
}

// -----

// Blocks enough: nothing is split.
// CHECK: fuse.kernel @many_tiles_0({{.*}} schedule(#fuse.schedule<{{[^s]*}}sequential = [r4096_0 = 64], owned = 0, cluster = [2, 1]>)
func.func @many_tiles(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xf32> {
  %y = fuse.matmul %x, %w : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xf32>
  return %y : tensor<4096x4096xf32>
}

// -----

// What several kernels read is stored before it is widened, not after.
// CHECK: fuse.kernel @widened_0({{.*}} -> tensor<4096x1024xbf16>
// CHECK-NOT: fuse.kernel {{.*}} -> tensor<4096x1024xf32>
func.func @widened(%x: tensor<4096x1024xbf16>, %w: tensor<1024x1024xbf16>, %v: tensor<1024x1024xbf16>) -> tensor<4096x1024xbf16> {
  %p = fuse.matmul %x, %w : tensor<4096x1024xbf16>, tensor<1024x1024xbf16> -> tensor<4096x1024xf32>
  %h = arith.truncf %p : tensor<4096x1024xf32> to tensor<4096x1024xbf16>
  %wide = arith.extf %h : tensor<4096x1024xbf16> to tensor<4096x1024xf32>
  %n = fuse.rms_norm %wide eps 1.0e-5 : tensor<4096x1024xf32>
  %a = arith.truncf %n : tensor<4096x1024xf32> to tensor<4096x1024xbf16>
  %q = fuse.matmul %a, %v : tensor<4096x1024xbf16>, tensor<1024x1024xbf16> -> tensor<4096x1024xf32>
  %s = arith.addf %wide, %q : tensor<4096x1024xf32>
  %y = arith.truncf %s : tensor<4096x1024xf32> to tensor<4096x1024xbf16>
  return %y : tensor<4096x1024xbf16>
}

// -----

// Where there are few tiles, each processor has one that two groups of warps
// share, rather than two, or parts of longer sums that have to be added up.
// CHECK: fuse.kernel @deep_0({{.*}} schedule(#fuse.schedule<parallel = [128, 64], sequential = [r3072_0 = 64], owned = 0>)
func.func @deep(%x: tensor<1024x3072xf16>, %w: tensor<3072x768xf16>) -> tensor<1024x768xf32> {
  %y = fuse.matmul %x, %w : tensor<1024x3072xf16>, tensor<3072x768xf16> -> tensor<1024x768xf32>
  return %y : tensor<1024x768xf32>
}

// -----

// A product reads as much of both factors either way; warps read less of a wide
// tile.
// CHECK: fuse.kernel @wide_0({{.*}} schedule(#fuse.schedule<parallel = [128, 192], sequential = [r768_0 = 64], owned = 0, crews = 2>)
func.func @wide(%x: tensor<16384x768xf16>, %w: tensor<768x3072xf16>) -> tensor<16384x3072xf16> {
  %z = fuse.matmul %x, %w : tensor<16384x768xf16>, tensor<768x3072xf16> -> tensor<16384x3072xf32>
  %y = arith.truncf %z : tensor<16384x3072xf32> to tensor<16384x3072xf16>
  return %y : tensor<16384x3072xf16>
}

// -----

// Of many short rows a block has several: blocks begin one by one. With 4 rows
// each this takes 34.0 us, with 8 and 16 35.2 and 35.1, with 32 34.7.
// CHECK: fuse.kernel @short_0({{.*}} schedule(#fuse.schedule<parallel = [{{4|8|16|32|64}}], sequential = [r256_0 = 256]
func.func @short(%x: tensor<65536x256xf32>) -> tensor<65536x256xf32> {
  %y = fuse.rms_norm %x eps 1.0e-5 : tensor<65536x256xf32>
  return %y : tensor<65536x256xf32>
}

// -----

// A sum that is scaled each round is not there twice, and the maximum of its
// rows is little beside it: rows of 256 numbers have one tile, and no scores are
// computed twice.
// CHECK: fuse.kernel @weighted_0({{.*}} schedule(#fuse.schedule<parallel = [1, 128, 256], sequential = [r256_0 = 256, r4096_0 = 64], owned = 0, cascades
func.func @weighted(%q: tensor<32x4096x256xbf16>, %k: tensor<32x256x4096xbf16>, %v: tensor<32x4096x256xbf16>) -> tensor<32x4096x256xbf16> {
  %scores = fuse.matmul %q, %k : tensor<32x4096x256xbf16>, tensor<32x256x4096xbf16> -> tensor<32x4096x4096xf32>
  %softmax = fuse.softmax %scores dim 2 : tensor<32x4096x4096xf32>
  %probs = arith.truncf %softmax : tensor<32x4096x4096xf32> to tensor<32x4096x4096xbf16>
  %wide = fuse.matmul %probs, %v : tensor<32x4096x4096xbf16>, tensor<32x4096x256xbf16> -> tensor<32x4096x256xf32>
  %o = arith.truncf %wide : tensor<32x4096x256xf32> to tensor<32x4096x256xbf16>
  return %o : tensor<32x4096x256xbf16>
}

// -----

// Scores of two products: the first is held while the second is made, so that
// no two blocks of 128 rows have the registers that they need.
// CHECK-LABEL: func.func @two_scores
//       CHECK: fuse.kernel @two_scores_0({{.*}} schedule(#fuse.schedule<parallel = [1, 1, {{64, 64\].*, residents = 2>|128, 64\].* = defer\]>}}
//   CHECK-NOT: fuse.kernel
!h = tensor<2x16x4096x64xbf16>
!t = tensor<2x16x64x4096xbf16>
!s = tensor<2x16x4096x4096xf32>
!p = tensor<2x16x4096x4096xbf16>
!o = tensor<2x16x4096x64xf32>
func.func @two_scores(%q1: !h, %k1: !t, %q2: !h, %k2: !t, %v: !h) -> !h {
  %a = fuse.matmul %q1, %k1 : !h, !t -> !s
  %b = fuse.matmul %q2, %k2 : !h, !t -> !s
  %gate = fuse.sigmoid %a : !s
  %scores = arith.mulf %gate, %b : !s
  %softmax = fuse.softmax %scores dim 3 : !s
  %probs = arith.truncf %softmax : !s to !p
  %wide = fuse.matmul %probs, %v : !p, !h -> !o
  %y = arith.truncf %wide : !o to !h
  return %y : !h
}

// -----

// Heads of 96 are not padded where four warps multiply, of any sixteens of
// terms and any eights of columns; single numbers come in powers of two.
// CHECK: fuse.kernel @heads_0({{.*}} schedule(#fuse.schedule<parallel = [1, 1, 128, 96], sequential = [r96_0 = 96, r8192_0 = {{64|128}}]
!h = tensor<2x21x8192x96xbf16>
!t = tensor<2x21x96x8192xbf16>
!s = tensor<2x21x8192x8192xf32>
!p = tensor<2x21x8192x8192xbf16>
!o = tensor<2x21x8192x96xf32>
func.func @heads(%q: !h, %k: !t, %v: !h) -> !h {
  %scores = fuse.matmul %q, %k : !h, !t -> !s
  %softmax = fuse.softmax %scores dim 3 : !s
  %probs = arith.truncf %softmax : !s to !p
  %wide = fuse.matmul %probs, %v : !p, !h -> !o
  %y = arith.truncf %wide : !o to !h
  return %y : !h
}

// -----

// CHECK: fuse.kernel @wide_heads_0({{.*}} sequential = [r96_0 = {{[1-9]|16|32|64|128}}, r8192_0
!h = tensor<2x21x8192x96xf32>
!t = tensor<2x21x96x8192xf32>
!s = tensor<2x21x8192x8192xf32>
func.func @wide_heads(%q: !h, %k: !t, %v: !h) -> !h {
  %scores = fuse.matmul %q, %k : !h, !t -> !s
  %softmax = fuse.softmax %scores dim 3 : !s
  %y = fuse.matmul %softmax, %v : !s, !h -> !h
  return %y : !h
}

// -----

// Four heads read the same keys, but four warps together multiply the rows of
// one of them: 32 rows of each of four heads took 1683 us on another shape.
// CHECK: fuse.kernel @grouped_0({{.*}} schedule(#fuse.schedule<parallel = [1, 1, 1, 128, 128]
!q = tensor<1x8x4x8192x128xbf16>
!k = tensor<1x8x8192x128xbf16>
!kt = tensor<1x8x4x128x8192xbf16>
!s = tensor<1x8x4x8192x8192xf32>
!p = tensor<1x8x4x8192x8192xbf16>
func.func @grouped(%q: !q, %k: !k, %v: !k) -> !q {
  %keys = fuse.broadcast %k dims [0, 1, 3, 4] : !k -> !q
  %values = fuse.broadcast %v dims [0, 1, 3, 4] : !k -> !q
  %kt = fuse.transpose %keys [0, 1, 2, 4, 3] : !q
  %scores = fuse.matmul %q, %kt : !q, !kt -> !s
  %softmax = fuse.softmax %scores dim 4 : !s
  %probs = arith.truncf %softmax : !s to !p
  %wide = fuse.matmul %probs, %values : !p, !q -> tensor<1x8x4x8192x128xf32>
  %o = arith.truncf %wide : tensor<1x8x4x8192x128xf32> to !q
  return %o : !q
}

// -----

// 64 tiles of 128 x 64 leave half of the processors idle, 128 of 64 x 64 read
// more, and as many halves of a sum have to be merged. Pairs of blocks do that
// by themselves: 14.0, 15.4, 14.8 and 12.8 us.
// CHECK: fuse.kernel @pairs_0({{.*}} schedule(#fuse.schedule<parallel = [128, 64], sequential = [r4096_0 = 64], owned = 0, split = 2, merge = cluster>)
func.func @pairs(%x: tensor<128x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<128x4096xf32> {
  %y = fuse.matmul %x, %w : tensor<128x4096xbf16>, tensor<4096x4096xbf16> -> tensor<128x4096xf32>
  return %y : tensor<128x4096xf32>
}

// -----

// Eight blocks in a cluster wait for each other longer than a launch takes.
// CHECK: fuse.kernel @chunks_0({{.*}} schedule(#fuse.schedule<parallel = [128, 64], sequential = [r11008_0 = 64], owned = 0, split = 8>)
func.func @chunks(%x: tensor<128x11008xbf16>, %w: tensor<11008x768xbf16>) -> tensor<128x768xbf16> {
  %y = fuse.matmul %x, %w : tensor<128x11008xbf16>, tensor<11008x768xbf16> -> tensor<128x768xf32>
  %z = arith.truncf %y : tensor<128x768xf32> to tensor<128x768xbf16>
  return %z : tensor<128x768xbf16>
}

// -----

// Crews take what the engine brings whole, and have room for one result.
// CHECK: fuse.kernel @turns_0({{.*}} crews = 2>)
func.func @turns(%x: tensor<16384x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<16384x3072xbf16> {
  %z = fuse.matmul %x, %w : tensor<16384x768xbf16>, tensor<768x3072xbf16> -> tensor<16384x3072xf32>
  %g = fuse.gelu tanh %z : tensor<16384x3072xf32>
  %y = arith.truncf %g : tensor<16384x3072xf32> to tensor<16384x3072xbf16>
  return %y : tensor<16384x3072xbf16>
}

// -----

// CHECK:     fuse.kernel @two_results_0({{.*}} schedule(#fuse.schedule<
// CHECK-NOT: crews
// CHECK:     return
func.func @two_results(%x: tensor<16384x768xbf16>, %w: tensor<768x3072xbf16>) -> (tensor<16384x3072xbf16>, tensor<16384x3072xbf16>) {
  %z = fuse.matmul %x, %w : tensor<16384x768xbf16>, tensor<768x3072xbf16> -> tensor<16384x3072xf32>
  %before = arith.truncf %z : tensor<16384x3072xf32> to tensor<16384x3072xbf16>
  %g = fuse.gelu tanh %z : tensor<16384x3072xf32>
  %y = arith.truncf %g : tensor<16384x3072xf32> to tensor<16384x3072xbf16>
  return %before, %y : tensor<16384x3072xbf16>, tensor<16384x3072xbf16>
}

// -----

// CHECK:     fuse.kernel @other_rows_0({{.*}} schedule(#fuse.schedule<
// CHECK-NOT: crews
// CHECK:     return
func.func @other_rows(%all: tensor<32768x768xbf16>, %w: tensor<768x3072xbf16>) -> tensor<16384x3072xbf16> {
  %x = fuse.slice %all[::2, :] : tensor<32768x768xbf16>
  %z = fuse.matmul %x, %w : tensor<16384x768xbf16>, tensor<768x3072xbf16> -> tensor<16384x3072xf32>
  %g = fuse.gelu tanh %z : tensor<16384x3072xf32>
  %y = arith.truncf %g : tensor<16384x3072xf32> to tensor<16384x3072xbf16>
  return %y : tensor<16384x3072xbf16>
}

// -----

// A block holds a row that it has registers for, where there are few rows: 13.0
// us, and 17.2 where four share it.
// CHECK: fuse.kernel @long_rows_0({{.*}} schedule(#fuse.schedule<parallel = [1], sequential = [r50257_0 = 65536], owned = 1>)
func.func @long_rows(%x: tensor<128x50257xbf16>) -> tensor<128x50257xbf16> {
  %0 = arith.extf %x : tensor<128x50257xbf16> to tensor<128x50257xf32>
  %1 = fuse.softmax %0 dim 1 : tensor<128x50257xf32>
  %2 = arith.truncf %1 : tensor<128x50257xf32> to tensor<128x50257xbf16>
  return %2 : tensor<128x50257xbf16>
}

// -----

// What is read once is not shared: 11 us, and 25 in clusters of eight.
// CHECK: fuse.kernel @all_0({{.*}} split = 256>)
func.func @all(%x: tensor<4096x4096xbf16>) -> tensor<f32> {
  %0 = arith.extf %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = fuse.reduce sum %0 dims [0, 1] : tensor<4096x4096xf32>
  return %1 : tensor<f32>
}

// -----

// Both sides of a transpose are in rows of 64 bytes and more.
// CHECK: fuse.kernel @across_0({{.*}} schedule(#fuse.schedule<parallel = [{{32|64|128}}, {{32|64|128}}], owned = 0
func.func @across(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = fuse.transpose %x [1, 0] : tensor<4096x4096xbf16>
  %1 = fuse.relu %0 : tensor<4096x4096xbf16>
  return %1 : tensor<4096x4096xbf16>
}

// -----

// What stays in the cache is stored: two kernels take 11 us, one 21.
// CHECK: fuse.kernel @small_layers_0(
// CHECK: fuse.kernel @small_layers_1(
func.func @small_layers(%x: tensor<2048x256xbf16>, %w: tensor<256x1024xbf16>, %v: tensor<1024x256xbf16>) -> tensor<2048x256xf32> {
  %0 = fuse.matmul %x, %w : tensor<2048x256xbf16>, tensor<256x1024xbf16> -> tensor<2048x1024xf32>
  %1 = fuse.gelu erf %0 : tensor<2048x1024xf32>
  %2 = arith.truncf %1 : tensor<2048x1024xf32> to tensor<2048x1024xbf16>
  %3 = fuse.matmul %2, %v : tensor<2048x1024xbf16>, tensor<1024x256xbf16> -> tensor<2048x256xf32>
  return %3 : tensor<2048x256xf32>
}

// -----

// Two products side by side are done by crews, with half of the columns of one,
// where these are not in lines; else 8192x1024 by two of 1024x8192 took 375 us,
// and so 340.
// CHECK: fuse.kernel @gate_across_0({{.*}} schedule(#fuse.schedule<parallel = [128, 96], sequential = [r1024_0 = 64], owned = 0, crews = 2>)
!x = tensor<8192x1024xbf16>
!w = tensor<1024x8192xbf16>
!s = tensor<8192x8192xf32>
!y = tensor<8192x8192xbf16>
func.func @gate_across(%x: !x, %u: !x, %v: !x) -> !y {
  %ut = fuse.transpose %u [1, 0] : !x
  %vt = fuse.transpose %v [1, 0] : !x
  %a = fuse.matmul %x, %ut : !x, !w -> !s
  %b = fuse.matmul %x, %vt : !x, !w -> !s
  %gate = fuse.silu %a : !s
  %both = arith.mulf %gate, %b : !s
  %y = arith.truncf %both : !s to !y
  return %y : !y
}

// -----

// Half of a weight is one of its own: the copy engine is told where it ends.
// CHECK: fuse.kernel @first_half_0({{.*}} schedule(#fuse.schedule<parallel = [128, 192], sequential = [r768_0 = 64], owned = 0, crews = 2>)
!x = tensor<16384x768xbf16>
!w = tensor<768x6144xbf16>
!s = tensor<16384x3072xf32>
!y = tensor<16384x3072xbf16>
func.func @first_half(%x: !x, %w: !w) -> !y {
  %u = fuse.slice %w[:, 0:3072] : !w
  %a = fuse.matmul %x, %u : !x, tensor<768x3072xbf16> -> !s
  %y = arith.truncf %a : !s to !y
  return %y : !y
}

// -----

// CHECK: fuse.kernel @odd_half_0({{.*}} schedule(#fuse.schedule<parallel = [128, 192], sequential = [r768_0 = 64], owned = 0, crews = 2>)
!x = tensor<16384x768xbf16>
!w = tensor<768x6128xbf16>
!s = tensor<16384x3064xf32>
!y = tensor<16384x3064xbf16>
func.func @odd_half(%x: !x, %w: !w) -> !y {
  %u = fuse.slice %w[:, 0:3064] : !w
  %a = fuse.matmul %x, %u : !x, tensor<768x3064xbf16> -> !s
  %y = arith.truncf %a : !s to !y
  return %y : !y
}

// -----

// Scores with a bias and chunks of keys: two slots of 128 keys have no room
// beside what the engine stores of a chunk.
// CHECK: fuse.kernel @chunks_of_keys_0({{.*}}r8192_0 = 64
func.func @chunks_of_keys(%q: tensor<16x1500x64xbf16>, %k: tensor<16x8192x64xbf16>, %v: tensor<16x8192x64xbf16>,
    %b: tensor<1500x8192xf32>) -> tensor<16x1500x64xbf16> {
  %0 = fuse.transpose %k [0, 2, 1] : tensor<16x8192x64xbf16>
  %1 = fuse.matmul %q, %0 : tensor<16x1500x64xbf16>, tensor<16x64x8192xbf16> -> tensor<16x1500x8192xf32>
  %2 = fuse.broadcast %b dims [1, 2] : tensor<1500x8192xf32> -> tensor<16x1500x8192xf32>
  %3 = arith.addf %1, %2 : tensor<16x1500x8192xf32>
  %4 = fuse.softmax %3 dim 2 : tensor<16x1500x8192xf32>
  %5 = arith.truncf %4 : tensor<16x1500x8192xf32> to tensor<16x1500x8192xbf16>
  %6 = fuse.matmul %5, %v : tensor<16x1500x8192xbf16>, tensor<16x8192x64xbf16> -> tensor<16x1500x64xf32>
  %7 = arith.truncf %6 : tensor<16x1500x64xf32> to tensor<16x1500x64xbf16>
  return %7 : tensor<16x1500x64xbf16>
}
