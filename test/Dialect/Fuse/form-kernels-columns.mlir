// Tiles may have 192 columns, or others between powers of two, where four warps
// multiply together, if they are of 16 bits, or of tf32 along k; of rows any
// sixty-fours; and columns that fill all processors.

// RUN: fuse-opt %s --fuse-form-kernels=machine=h200 | FileCheck %s

// CHECK-LABEL: func.func @columns
//       CHECK:   parallel = [128, 192]
func.func @columns(%x: tensor<1024x768xf16>, %w: tensor<768x2304xf16>) -> tensor<1024x2304xf16> {
  %0 = fuse.matmul %x, %w : tensor<1024x768xf16>, tensor<768x2304xf16> -> tensor<1024x2304xf32>
  %1 = arith.truncf %0 : tensor<1024x2304xf32> to tensor<1024x2304xf16>
  return %1 : tensor<1024x2304xf16>
}

// CHECK-LABEL: func.func @rows
//   CHECK-NOT:   parallel = [192
//       CHECK:   return
func.func @rows(%x: tensor<2304x768xf16>, %w: tensor<768x1024xf16>) -> tensor<2304x1024xf16> {
  %0 = fuse.matmul %x, %w : tensor<2304x768xf16>, tensor<768x1024xf16> -> tensor<2304x1024xf32>
  %1 = arith.truncf %0 : tensor<2304x1024xf32> to tensor<2304x1024xf16>
  return %1 : tensor<2304x1024xf16>
}

// CHECK-LABEL: func.func @wide_numbers
//   CHECK-NOT:   192]
//       CHECK:   return
func.func @wide_numbers(%x: tensor<1024x768xf32>, %w: tensor<768x2304xf32>) -> tensor<1024x2304xf32> {
  %0 = fuse.matmul %x, %w precision tf32 : tensor<1024x768xf32>, tensor<768x2304xf32> -> tensor<1024x2304xf32>
  return %0 : tensor<1024x2304xf32>
}

// CHECK-LABEL: func.func @wide_numbers_along_k
//       CHECK:   parallel = [128, 192]
func.func @wide_numbers_along_k(%x: tensor<1536x896xf32>, %w: tensor<6144x896xf32>) -> tensor<1536x6144xf32> {
  %0 = fuse.transpose %w [1, 0] : tensor<6144x896xf32>
  %1 = fuse.matmul %x, %0 precision tf32 : tensor<1536x896xf32>, tensor<896x6144xf32> -> tensor<1536x6144xf32>
  return %1 : tensor<1536x6144xf32>
}

// 128 blocks, where 96 columns make 108.
// CHECK-LABEL: func.func @all_processors
//       CHECK:   parallel = [128, 80]
func.func @all_processors(%x: tensor<256x5120xbf16>, %w: tensor<5120x5120xbf16>) -> tensor<256x5120xbf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<5120x5120xbf16>
  %1 = fuse.matmul %x, %0 : tensor<256x5120xbf16>, tensor<5120x5120xbf16> -> tensor<256x5120xf32>
  %2 = arith.truncf %1 : tensor<256x5120xf32> to tensor<256x5120xbf16>
  return %2 : tensor<256x5120xbf16>
}

// Along n the engine brings 64 columns at a time.
// CHECK-LABEL: func.func @whole_lines
//   CHECK-NOT:   80]
//       CHECK:   return
func.func @whole_lines(%x: tensor<256x5120xbf16>, %w: tensor<5120x5120xbf16>) -> tensor<256x5120xbf16> {
  %0 = fuse.matmul %x, %w : tensor<256x5120xbf16>, tensor<5120x5120xbf16> -> tensor<256x5120xf32>
  %1 = arith.truncf %0 : tensor<256x5120xf32> to tensor<256x5120xbf16>
  return %1 : tensor<256x5120xbf16>
}

// Rows of 6000 bytes begin within lines, and pieces of lines are asked for once
// for eight blocks.
// CHECK-LABEL: func.func @pieces_of_lines
//       CHECK:   cluster = [{{8, 1|1, 8}}]
func.func @pieces_of_lines(%x: tensor<640x3000xbf16>, %w: tensor<3000x5000xbf16>) -> tensor<640x5000xbf16> {
  %0 = fuse.matmul %x, %w : tensor<640x3000xbf16>, tensor<3000x5000xbf16> -> tensor<640x5000xf32>
  %1 = arith.truncf %0 : tensor<640x5000xf32> to tensor<640x5000xbf16>
  return %1 : tensor<640x5000xbf16>
}

// Few rows are columns of the transposed product, which come in eights, but in
// powers of two where rounds are longer than a line; they stay a product where
// two would be sums.
// CHECK-LABEL: func.func @few_rows
//       CHECK:   parallel = [32, 64], sequential = [r2048_0 = 128]
// CHECK-LABEL: func.func @two_rows
//       CHECK:   parallel = [8, 64]
func.func @few_rows(%x: tensor<24x2048xf16>, %w: tensor<3584x2048xf16>) -> tensor<24x3584xf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<3584x2048xf16>
  %1 = fuse.matmul %x, %0 : tensor<24x2048xf16>, tensor<2048x3584xf16> -> tensor<24x3584xf32>
  %2 = arith.truncf %1 : tensor<24x3584xf32> to tensor<24x3584xf16>
  return %2 : tensor<24x3584xf16>
}

func.func @two_rows(%x: tensor<2x2880xbf16>, %w: tensor<896x2880xbf16>) -> tensor<2x896xbf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<896x2880xbf16>
  %1 = fuse.matmul %x, %0 : tensor<2x2880xbf16>, tensor<2880x896xbf16> -> tensor<2x896xf32>
  %2 = arith.truncf %1 : tensor<2x896xf32> to tensor<2x896xbf16>
  return %2 : tensor<2x896xbf16>
}

// Two products have 96 columns each, in three turns; with 128 terms a round
// there is room for two slots only.
// CHECK-LABEL: func.func @two_products
//       CHECK:   parallel = [128, 96]
// CHECK-LABEL: func.func @slots
//       CHECK:   sequential = [r2560_0 = 64
func.func @two_products(%x: tensor<1536x2880xbf16>, %w: tensor<2880x3072xbf16>, %u: tensor<2880x3072xbf16>) -> tensor<1536x3072xbf16> {
  %0 = fuse.matmul %x, %w : tensor<1536x2880xbf16>, tensor<2880x3072xbf16> -> tensor<1536x3072xf32>
  %1 = fuse.matmul %x, %u : tensor<1536x2880xbf16>, tensor<2880x3072xbf16> -> tensor<1536x3072xf32>
  %2 = arith.mulf %0, %1 : tensor<1536x3072xf32>
  %3 = arith.truncf %2 : tensor<1536x3072xf32> to tensor<1536x3072xbf16>
  return %3 : tensor<1536x3072xbf16>
}

func.func @slots(%x: tensor<6000x2560xbf16>, %w: tensor<2560x512xbf16>, %u: tensor<2560x32xbf16>, %v: tensor<32x512xbf16>)
    -> tensor<6000x512xbf16> {
  %0 = fuse.matmul %x, %w : tensor<6000x2560xbf16>, tensor<2560x512xbf16> -> tensor<6000x512xf32>
  %1 = fuse.matmul %x, %u : tensor<6000x2560xbf16>, tensor<2560x32xbf16> -> tensor<6000x32xf32>
  %2 = arith.truncf %1 : tensor<6000x32xf32> to tensor<6000x32xbf16>
  %3 = fuse.matmul %2, %v : tensor<6000x32xbf16>, tensor<32x512xbf16> -> tensor<6000x512xf32>
  %4 = arith.addf %0, %3 : tensor<6000x512xf32>
  %5 = arith.truncf %4 : tensor<6000x512xf32> to tensor<6000x512xbf16>
  return %5 : tensor<6000x512xbf16>
}

// Blocks that convert weights share a processor, so none holds it alone.
// CHECK-LABEL: func.func @weights_of_bytes
//   CHECK-NOT:   = 512]
//   CHECK-NOT:   merge = cluster
//       CHECK:   return
func.func @weights_of_bytes(%x: tensor<16x4096xbf16>, %w: tensor<4096x11008xi8>) -> tensor<16x11008xbf16> {
  %0 = arith.sitofp %w : tensor<4096x11008xi8> to tensor<4096x11008xbf16>
  %1 = fuse.matmul %x, %0 : tensor<16x4096xbf16>, tensor<4096x11008xbf16> -> tensor<16x11008xf32>
  %2 = arith.truncf %1 : tensor<16x11008xf32> to tensor<16x11008xbf16>
  return %2 : tensor<16x11008xbf16>
}

// 240 blocks, where 128 columns make 312.
// CHECK-LABEL: func.func @between
//       CHECK:   parallel = [128, 160]
func.func @between(%x: tensor<3000x1600xbf16>, %w: tensor<1600x1600xbf16>) -> tensor<3000x1600xbf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<1600x1600xbf16>
  %1 = fuse.matmul %x, %0 : tensor<3000x1600xbf16>, tensor<1600x1600xbf16> -> tensor<3000x1600xf32>
  %2 = arith.truncf %1 : tensor<3000x1600xf32> to tensor<3000x1600xbf16>
  return %2 : tensor<3000x1600xbf16>
}

// CHECK-LABEL: func.func @wide_numbers_between
//       CHECK:   parallel = [128, 160]
func.func @wide_numbers_between(%x: tensor<1536x5120xf32>, %w: tensor<1600x5120xf32>) -> tensor<1536x1600xf32> {
  %0 = fuse.transpose %w [1, 0] : tensor<1600x5120xf32>
  %1 = fuse.matmul %x, %0 precision tf32 : tensor<1536x5120xf32>, tensor<5120x1600xf32> -> tensor<1536x1600xf32>
  return %1 : tensor<1536x1600xf32>
}

// 128 blocks, of which 256 rows make as many that read more.
// CHECK-LABEL: func.func @rows_between
//       CHECK:   parallel = [192, 64]
func.func @rows_between(%x: tensor<160x8192xbf16>, %w: tensor<8192x4096xbf16>) -> tensor<160x4096xbf16> {
  %0 = fuse.matmul %x, %w : tensor<160x8192xbf16>, tensor<8192x4096xbf16> -> tensor<160x4096xf32>
  %1 = arith.truncf %0 : tensor<160x4096xf32> to tensor<160x4096xbf16>
  return %1 : tensor<160x4096xbf16>
}

// Two blocks of 64 rows share a processor.
// CHECK-LABEL: func.func @pairs
//       CHECK:   parallel = [64, 128], {{.*}}residents = 2
func.func @pairs(%x: tensor<64x768xbf16>, %w: tensor<50257x768xbf16>) -> tensor<64x50257xbf16> {
  %0 = fuse.transpose %w [1, 0] : tensor<50257x768xbf16>
  %1 = fuse.matmul %x, %0 : tensor<64x768xbf16>, tensor<768x50257xbf16> -> tensor<64x50257xf32>
  %2 = arith.truncf %1 : tensor<64x50257xf32> to tensor<64x50257xbf16>
  return %2 : tensor<64x50257xbf16>
}

// Four terms are padded for tensor cores, which do the other product.
// CHECK-LABEL: func.func @few_terms
//       CHECK:   r4_0 = 16
func.func @few_terms(%x: tensor<10000x1600xbf16>, %w: tensor<1600x2304xbf16>, %u: tensor<1600x4xbf16>, %v: tensor<4x2304xbf16>)
    -> tensor<10000x2304xbf16> {
  %0 = fuse.matmul %x, %w : tensor<10000x1600xbf16>, tensor<1600x2304xbf16> -> tensor<10000x2304xf32>
  %1 = fuse.matmul %x, %u : tensor<10000x1600xbf16>, tensor<1600x4xbf16> -> tensor<10000x4xf32>
  %2 = arith.truncf %1 : tensor<10000x4xf32> to tensor<10000x4xbf16>
  %3 = fuse.matmul %2, %v : tensor<10000x4xbf16>, tensor<4x2304xbf16> -> tensor<10000x2304xf32>
  %4 = arith.addf %0, %3 : tensor<10000x2304xf32>
  %5 = arith.truncf %4 : tensor<10000x2304xf32> to tensor<10000x2304xbf16>
  return %5 : tensor<10000x2304xbf16>
}

// A factor that is one number has no rows. Looking for them ended the compiler.
// CHECK-LABEL: func.func @one_number
//       CHECK:   fuse.kernel @one_number_0({{.*}}schedule(
func.func @one_number(%x: tensor<f16>, %w: tensor<256x512xf16>) -> tensor<512x512xf32> {
  %0 = fuse.broadcast %x dims [] : tensor<f16> -> tensor<512x256xf16>
  %1 = fuse.matmul %0, %w : tensor<512x256xf16>, tensor<256x512xf16> -> tensor<512x512xf32>
  return %1 : tensor<512x512xf32>
}
