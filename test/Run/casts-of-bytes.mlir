// Every byte as a float, signed and unsigned, with many of them to a thread and with one.

// RUN: %python %S/Inputs/check.py %s %t

// No instruction makes a float of an integer.
// RUN: rm -rf %t.stages && env FUSE_PTXAS=none fuse-run %s --entry=factor --chip=sm_90a --variants=aligned --image=%t.fuse --dump-stages=%t.stages
// RUN: cat %t.stages/*.ptx | FileCheck %s --check-prefix=PTX
// PTX-NOT: cvt.rn.bf16.s
// PTX: prmt.b32
// PTX-NOT: cvt.rn.bf16.s

// IN a: [[(n * 37 + m) % 256 - 128 for n in range(256)] for m in range(256)]
// OUT: a
// OUT: a
// OUT: a
// OUT: [[n % 256 for n in row] for row in a]
// OUT: [[n % 256 for n in row] for row in a]
// OUT: [[n % 256 for n in row] for row in a]
// VERIFY: none
func.func @many(%a: tensor<256x256xi8>)
    -> (tensor<256x256xf32>, tensor<256x256xf16>, tensor<256x256xbf16>, tensor<256x256xf32>, tensor<256x256xf16>, tensor<256x256xbf16>) {
  %0 = arith.sitofp %a : tensor<256x256xi8> to tensor<256x256xf32>
  %1 = arith.sitofp %a : tensor<256x256xi8> to tensor<256x256xf16>
  %2 = arith.sitofp %a : tensor<256x256xi8> to tensor<256x256xbf16>
  %3 = arith.uitofp %a : tensor<256x256xi8> to tensor<256x256xf32>
  %4 = arith.uitofp %a : tensor<256x256xi8> to tensor<256x256xf16>
  %5 = arith.uitofp %a : tensor<256x256xi8> to tensor<256x256xbf16>
  return %0, %1, %2, %3, %4, %5
    : tensor<256x256xf32>, tensor<256x256xf16>, tensor<256x256xbf16>, tensor<256x256xf32>, tensor<256x256xf16>, tensor<256x256xbf16>
}

// IN a: [-128, -127, -1, 0, 1, 127, 64]
// OUT: a
// OUT: a
// OUT: [n % 256 for n in a]
// VERIFY: none
func.func @few(%a: tensor<7xi8>) -> (tensor<7xf16>, tensor<7xbf16>, tensor<7xbf16>) {
  %0 = arith.sitofp %a : tensor<7xi8> to tensor<7xf16>
  %1 = arith.sitofp %a : tensor<7xi8> to tensor<7xbf16>
  %2 = arith.uitofp %a : tensor<7xi8> to tensor<7xbf16>
  return %0, %1, %2 : tensor<7xf16>, tensor<7xbf16>, tensor<7xbf16>
}

// A product whose right factor is bytes, which are cast in registers.
// IN x: [[(i + k) % 7 - 3 for k in range(128)] for i in range(16)]
// IN w: [[(k * 5 + j) % 17 - 8 for j in range(64)] for k in range(128)]
// OUT: [[sum(x[i][k] * w[k][j] for k in range(128)) for j in range(64)] for i in range(16)]
// VERIFY: none
func.func @factor(%x: tensor<16x128xbf16>, %w: tensor<128x64xi8>) -> tensor<16x64xf32> {
  %0 = arith.sitofp %w : tensor<128x64xi8> to tensor<128x64xbf16>
  %1 = fuse.matmul %x, %0 : tensor<16x128xbf16>, tensor<128x64xbf16> -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}
