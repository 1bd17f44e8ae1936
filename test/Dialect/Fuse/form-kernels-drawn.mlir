// Tiles for sizes that were drawn, each of which took much longer by others
// (docs/Rationale.md, *Rows behind the end*, *Boxes cost by rows*).
// RUN: fuse-opt %s --split-input-file --fuse-decompose --fuse-form-kernels=machine=h200 | FileCheck %s

// 48 rows of a long product lie in shared memory as 64 do, in rounds of more
// than a line.
// CHECK-LABEL: func.func @two_layers
//       CHECK:   parallel = [64, 64], sequential = [r1536_0 = 64]
//       CHECK:   parallel = [64, 64], sequential = [r7168_0 = 64]
func.func @two_layers(%arg0: tensor<48x1536xbf16>,
    %arg1: tensor<1536x7168xbf16>,
    %arg2: tensor<7168xf32>,
    %arg3: tensor<7168x1536xbf16>,
    %arg4: tensor<1536xf32>)
    -> (tensor<48x1536xbf16>) {
  %0 = fuse.matmul %arg0, %arg1 : tensor<48x1536xbf16>, tensor<1536x7168xbf16> -> tensor<48x7168xf32>
  %1 = fuse.broadcast %arg2 dims [1] : tensor<7168xf32> -> tensor<48x7168xf32>
  %2 = arith.addf %0, %1 : tensor<48x7168xf32>
  %3 = fuse.gelu erf %2 : tensor<48x7168xf32>
  %4 = arith.truncf %3 : tensor<48x7168xf32> to tensor<48x7168xbf16>
  %5 = fuse.matmul %4, %arg3 : tensor<48x7168xbf16>, tensor<7168x1536xbf16> -> tensor<48x1536xf32>
  %6 = fuse.broadcast %arg4 dims [1] : tensor<1536xf32> -> tensor<48x1536xf32>
  %7 = arith.addf %5, %6 : tensor<48x1536xf32>
  %8 = arith.extf %arg0 : tensor<48x1536xbf16> to tensor<48x1536xf32>
  %9 = arith.addf %7, %8 : tensor<48x1536xf32>
  %10 = arith.truncf %9 : tensor<48x1536xf32> to tensor<48x1536xbf16>
  return %10 : tensor<48x1536xbf16>
}

// -----

// One query is no 8 rows by 80 columns, of which warps would have five for
// four.
// CHECK-LABEL: func.func @one_query
//       CHECK:   parallel = [1, 8, 128]
func.func @one_query(%arg0: tensor<192x1x80xbf16>,
    %arg1: tensor<192x77x80xbf16>,
    %arg2: tensor<192x77x80xbf16>)
    -> (tensor<192x1x80xbf16>) {
  %0 = fuse.transpose %arg1 [0, 2, 1] : tensor<192x77x80xbf16>
  %1 = fuse.matmul %arg0, %0 : tensor<192x1x80xbf16>, tensor<192x80x77xbf16> -> tensor<192x1x77xf32>
  %2 = arith.constant dense<0.11180339887498948> : tensor<192x1x77xf32>
  %3 = arith.mulf %1, %2 : tensor<192x1x77xf32>
  %4 = fuse.softmax %3 dim 2 : tensor<192x1x77xf32>
  %5 = arith.truncf %4 : tensor<192x1x77xf32> to tensor<192x1x77xbf16>
  %6 = fuse.matmul %5, %arg2 : tensor<192x1x77xbf16>, tensor<192x77x80xbf16> -> tensor<192x1x80xf32>
  %7 = arith.truncf %6 : tensor<192x1x80xf32> to tensor<192x1x80xbf16>
  return %7 : tensor<192x1x80xbf16>
}

// -----

// Rows of 160 bytes come in boxes of 32, which all take as long as a line: more
// rows share them.
// CHECK-LABEL: func.func @narrow_boxes
//       CHECK:   parallel = [1, 128, 80]
func.func @narrow_boxes(%arg0: tensor<192x1500x80xbf16>,
    %arg1: tensor<192x1500x80xbf16>,
    %arg2: tensor<192x1500x80xbf16>)
    -> (tensor<192x1500x80xbf16>) {
  %0 = fuse.transpose %arg1 [0, 2, 1] : tensor<192x1500x80xbf16>
  %1 = fuse.matmul %arg0, %0 : tensor<192x1500x80xbf16>, tensor<192x80x1500xbf16> -> tensor<192x1500x1500xf32>
  %2 = arith.constant dense<0.11180339887498948> : tensor<192x1500x1500xf32>
  %3 = arith.mulf %1, %2 : tensor<192x1500x1500xf32>
  %4 = fuse.iota dim 1 : tensor<192x1500x1500xi32>
  %5 = fuse.iota dim 2 : tensor<192x1500x1500xi32>
  %6 = arith.cmpi sle, %5, %4 : tensor<192x1500x1500xi32>
  %7 = arith.constant dense<0xFF800000> : tensor<192x1500x1500xf32>
  %8 = arith.select %6, %3, %7 : tensor<192x1500x1500xi1>, tensor<192x1500x1500xf32>
  %9 = fuse.softmax %8 dim 2 : tensor<192x1500x1500xf32>
  %10 = arith.truncf %9 : tensor<192x1500x1500xf32> to tensor<192x1500x1500xbf16>
  %11 = fuse.matmul %10, %arg2 : tensor<192x1500x1500xbf16>, tensor<192x1500x80xbf16> -> tensor<192x1500x80xf32>
  %12 = arith.truncf %11 : tensor<192x1500x80xf32> to tensor<192x1500x80xbf16>
  return %12 : tensor<192x1500x80xbf16>
}

// -----

// Of tf32 along k four warps multiply together, and wait for nobody in between.
// CHECK-LABEL: func.func @tf32_along_k
//       CHECK:   parallel = [128, 128], sequential = [r6144_0 = 64]
func.func @tf32_along_k(%arg0: tensor<5000x6144xf32>,
    %arg1: tensor<384x6144xf32>,
    %arg2: tensor<384xf32>)
    -> (tensor<5000x384xf32>) {
  %0 = fuse.transpose %arg1 [1, 0] : tensor<384x6144xf32>
  %1 = fuse.matmul %arg0, %0 precision tf32 : tensor<5000x6144xf32>, tensor<6144x384xf32> -> tensor<5000x384xf32>
  %2 = fuse.broadcast %arg2 dims [1] : tensor<384xf32> -> tensor<5000x384xf32>
  %3 = arith.addf %1, %2 : tensor<5000x384xf32>
  return %3 : tensor<5000x384xf32>
}

// -----

// Number by number: all tiles are looked at. Blocks of a processor take turns, so
// that short rounds are as good as long ones, and more blocks fit.
// CHECK-LABEL: func.func @numbers
//       CHECK:   parallel = [64, 64], sequential = [r896_0 = 16]{{.*}} warps = 4
func.func @numbers(%arg0: tensor<2560x896xf32>,
    %arg1: tensor<1000x896xf32>,
    %arg2: tensor<1000xf32>)
    -> (tensor<2560x1000xf32>) {
  %0 = fuse.transpose %arg1 [1, 0] : tensor<1000x896xf32>
  %1 = fuse.matmul %arg0, %0 : tensor<2560x896xf32>, tensor<896x1000xf32> -> tensor<2560x1000xf32>
  %2 = fuse.broadcast %arg2 dims [1] : tensor<1000xf32> -> tensor<2560x1000xf32>
  %3 = arith.addf %1, %2 : tensor<2560x1000xf32>
  return %3 : tensor<2560x1000xf32>
}

// -----

// Of a weight that memory has, rounds of 16 or 32 read pieces of rows, each of
// which memory opens anew.
// CHECK-LABEL: func.func @rows_in_pieces
//       CHECK:   parallel = [8, 128], sequential = [r6144_0 = 64]
func.func @rows_in_pieces(%x: tensor<5x6144xf32>, %w: tensor<6144x6144xf32>, %b: tensor<6144xf32>) -> tensor<5x6144xf32> {
  %turned = fuse.transpose %w [1, 0] : tensor<6144x6144xf32>
  %product = fuse.matmul %x, %turned : tensor<5x6144xf32>, tensor<6144x6144xf32> -> tensor<5x6144xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<6144xf32> -> tensor<5x6144xf32>
  %y = arith.addf %product, %bias : tensor<5x6144xf32>
  return %y : tensor<5x6144xf32>
}

// -----

// Ten warps on four parts of a processor are three for some of them.
// CHECK-LABEL: func.func @parts_of_a_processor
//       CHECK:   parallel = [64, 64], sequential = [r100_0 = 16]{{.*}} warps = 4
func.func @parts_of_a_processor(%x: tensor<8000x100xf32>, %w: tensor<320x100xf32>, %b: tensor<320xf32>) -> tensor<8000x320xf32> {
  %turned = fuse.transpose %w [1, 0] : tensor<320x100xf32>
  %product = fuse.matmul %x, %turned : tensor<8000x100xf32>, tensor<100x320xf32> -> tensor<8000x320xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<320xf32> -> tensor<8000x320xf32>
  %y = arith.addf %product, %bias : tensor<8000x320xf32>
  return %y : tensor<8000x320xf32>
}

// -----

// Two blocks have a channel, held by eight warps each.
// CHECK-LABEL: func.func @channels
//       CHECK:   parallel = [1, 1], sequential = [r16_0 = 16, r3136_0 = 4096], owned = [0, 2], warps = 8, share = 2
func.func @channels(%arg0: tensor<16x256x3136xf32>,
    %arg1: tensor<256xf32>,
    %arg2: tensor<256xf32>)
    -> (tensor<16x256x3136xf32>) {
  %0 = fuse.reduce mean %arg0 dims [0, 2] : tensor<16x256x3136xf32>
  %1 = fuse.broadcast %0 dims [1] : tensor<256xf32> -> tensor<16x256x3136xf32>
  %2 = arith.subf %arg0, %1 : tensor<16x256x3136xf32>
  %3 = arith.mulf %2, %2 : tensor<16x256x3136xf32>
  %4 = fuse.reduce mean %3 dims [0, 2] : tensor<16x256x3136xf32>
  %5 = arith.constant dense<1.0e-05> : tensor<256xf32>
  %6 = arith.addf %4, %5 : tensor<256xf32>
  %7 = math.rsqrt %6 : tensor<256xf32>
  %8 = arith.mulf %7, %arg1 : tensor<256xf32>
  %9 = fuse.broadcast %8 dims [1] : tensor<256xf32> -> tensor<16x256x3136xf32>
  %10 = arith.mulf %2, %9 : tensor<16x256x3136xf32>
  %11 = fuse.broadcast %arg2 dims [1] : tensor<256xf32> -> tensor<16x256x3136xf32>
  %12 = arith.addf %10, %11 : tensor<16x256x3136xf32>
  %13 = fuse.relu %12 : tensor<16x256x3136xf32>
  return %13 : tensor<16x256x3136xf32>
}

// -----

// Where chunks send sums two blocks with long rounds have no room.
// CHECK-LABEL: func.func @chunks_with_room
//       CHECK:   parallel = [192, 80], sequential = [r8192_0 = 64], owned = 0, split = 4
func.func @chunks_with_room(%arg0: tensor<160x8192xf16>,
    %arg1: tensor<2560x8192xf16>,
    %arg2: tensor<2560xf32>)
    -> (tensor<160x2560xf16>) {
  %0 = fuse.transpose %arg1 [1, 0] : tensor<2560x8192xf16>
  %1 = fuse.matmul %arg0, %0 : tensor<160x8192xf16>, tensor<8192x2560xf16> -> tensor<160x2560xf32>
  %2 = fuse.broadcast %arg2 dims [1] : tensor<2560xf32> -> tensor<160x2560xf32>
  %3 = arith.addf %1, %2 : tensor<160x2560xf32>
  %4 = arith.truncf %3 : tensor<160x2560xf32> to tensor<160x2560xf16>
  return %4 : tensor<160x2560xf16>
}

// -----

// A thread has two vectors of the rows that its block holds and writes, and 256
// bytes where blocks share a row; of what writes none as many numbers as ever.
// CHECK-LABEL: func.func @rows
//       CHECK:   parallel = [1], sequential = [r2048_0 = 2048], owned = 1, warps = 8
func.func @rows(%x: tensor<4096x2048xf32>) -> tensor<4096x2048xf32> {
  %y = fuse.softmax %x dim 1 : tensor<4096x2048xf32>
  return %y : tensor<4096x2048xf32>
}

// -----

// CHECK-LABEL: func.func @shared_rows
//       CHECK:   owned = 1, warps = 4, share = 2
func.func @shared_rows(%x: tensor<2048x32000xbf16>) -> tensor<2048x32000xbf16> {
  %y = fuse.softmax %x dim 1 : tensor<2048x32000xbf16>
  return %y : tensor<2048x32000xbf16>
}

// -----

// CHECK-LABEL: func.func @sums_of_rows
//       CHECK:   parallel = [1], sequential = [r4096_0 = 4096], owned = 0
//   CHECK-NOT:   warps
//       CHECK:   return
func.func @sums_of_rows(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %most = fuse.reduce max %x dims [1] : tensor<4096x4096xf32>
  %all = fuse.broadcast %most dims [0] : tensor<4096xf32> -> tensor<4096x4096xf32>
  %below = arith.subf %x, %all : tensor<4096x4096xf32>
  %power = math.exp %below : tensor<4096x4096xf32>
  %sum = fuse.reduce sum %power dims [1] : tensor<4096x4096xf32>
  return %sum : tensor<4096xf32>
}

// -----

// Few keys are padded to sixteens: these took 92.2 us in 128, and 48.0 in 80.
// CHECK-LABEL: func.func @on_few_keys(
//       CHECK:   sequential = [{{.*}}r77_0 = 80]
func.func @on_few_keys(%arg0: tensor<1024x512x64xbf16>, %arg1: tensor<1024x77x64xbf16>,
    %arg2: tensor<1024x77x64xbf16>) -> tensor<1024x512x64xbf16> {
  %0 = fuse.transpose %arg1 [0, 2, 1] : tensor<1024x77x64xbf16>
  %1 = fuse.matmul %arg0, %0 : tensor<1024x512x64xbf16>, tensor<1024x64x77xbf16> -> tensor<1024x512x77xf32>
  %2 = arith.constant dense<0.125> : tensor<1024x512x77xf32>
  %3 = arith.mulf %1, %2 : tensor<1024x512x77xf32>
  %4 = fuse.softmax %3 dim 2 : tensor<1024x512x77xf32>
  %5 = arith.truncf %4 : tensor<1024x512x77xf32> to tensor<1024x512x77xbf16>
  %6 = fuse.matmul %5, %arg2 : tensor<1024x512x77xbf16>, tensor<1024x77x64xbf16> -> tensor<1024x512x64xf32>
  %7 = arith.truncf %6 : tensor<1024x512x64xf32> to tensor<1024x512x64xbf16>
  return %7 : tensor<1024x512x64xbf16>
}

// -----

// One query with few features has sixteen rows: number by number it took 189 us,
// and 114 so.
// CHECK-LABEL: func.func @one_narrow_query(
//       CHECK:   parallel = [1, 16, 32]
func.func @one_narrow_query(%arg0: tensor<384x1x32xbf16>, %arg1: tensor<384x8192x32xbf16>,
    %arg2: tensor<384x8192x32xbf16>) -> tensor<384x1x32xbf16> {
  %0 = fuse.transpose %arg1 [0, 2, 1] : tensor<384x8192x32xbf16>
  %1 = fuse.matmul %arg0, %0 : tensor<384x1x32xbf16>, tensor<384x32x8192xbf16> -> tensor<384x1x8192xf32>
  %2 = arith.constant dense<0.1767766952966369> : tensor<384x1x8192xf32>
  %3 = arith.mulf %1, %2 : tensor<384x1x8192xf32>
  %4 = fuse.softmax %3 dim 2 : tensor<384x1x8192xf32>
  %5 = arith.truncf %4 : tensor<384x1x8192xf32> to tensor<384x1x8192xbf16>
  %6 = fuse.matmul %5, %arg2 : tensor<384x1x8192xbf16>, tensor<384x8192x32xbf16> -> tensor<384x1x32xf32>
  %7 = arith.truncf %6 : tensor<384x1x32xf32> to tensor<384x1x32xbf16>
  return %7 : tensor<384x1x32xbf16>
}

// -----

// A round of two summed dimensions has a few of one: with one row of 64 terms of
// the other it took 41.1 us (with what comes before it), and 36.9 so.
// CHECK-LABEL: func.func @outer(
//       CHECK:   sequential = [r432_0 = 64, r432_1 = 8, r16_0 = 16]
func.func @outer(%c: tensor<128x432xf32>, %w: tensor<186624x16xf32>, %v: tensor<16x1xf32>) -> tensor<128x1xf32> {
  %left = fuse.broadcast %c dims [0, 1] : tensor<128x432xf32> -> tensor<128x432x432xf32>
  %right = fuse.broadcast %c dims [0, 2] : tensor<128x432xf32> -> tensor<128x432x432xf32>
  %products = arith.mulf %left, %right : tensor<128x432x432xf32>
  %outer = fuse.collapse %products dims [1, 2] : tensor<128x432x432xf32>
  %0 = fuse.matmul %outer, %w : tensor<128x186624xf32>, tensor<186624x16xf32> -> tensor<128x16xf32>
  %1 = fuse.relu %0 : tensor<128x16xf32>
  %2 = fuse.matmul %1, %v : tensor<128x16xf32>, tensor<16x1xf32> -> tensor<128x1xf32>
  return %2 : tensor<128x1xf32>
}
