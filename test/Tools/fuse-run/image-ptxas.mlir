// What ptxas says of each kernel is a line for each chip, and what it says
// against one a warning at the op that the kernel is for.

// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{run} = env FUSE_PTXAS=%ptxas fuse-run %s --chip=sm_80,sm_90a --variants=aligned
// RUN: %{run} --entry=few --image=%t/few.fuse > %t/few 2> %t/quiet
// RUN: test ! -s %t/quiet
// RUN: FileCheck %s --check-prefix=FEW < %t/few
//      FEW: code:
// FEW-NEXT:   chip
// FEW-NEXT:   sm_80 {{[1-9] [1-9][0-9]* 0 0 0 [1-9][0-9]*}}  @few_tiles
// FEW-NEXT:   sm_90a {{[1-9] [1-9][0-9]* 0 0 0 [1-9][0-9]*}}  @few_tiles
// FEW-NEXT: compiled in
// RUN: grep -q -a 'ELF' %t/few.fuse

// More than a multiprocessor has registers for: 512 KiB that are used twice.
// RUN: %{run} --entry=many --image=%t/many.fuse > %t/many 2> %t/spills
// RUN: FileCheck %s --check-prefix=MANY < %t/many
//      MANY:   sm_90a {{[1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [0-9]+ [1-9]}}  @many_tiles
// RUN: FileCheck %s --check-prefix=SPILLS < %t/spills
// SPILLS: image-ptxas.mlir:[[#@LINE+26]]:1: warning: kernel @many_tiles spills registers to memory on sm_80: {{[1-9][0-9]*}} bytes of stores, {{[1-9][0-9]*}} bytes of loads, with {{[1-9][0-9]*}} registers for a thread
// SPILLS: image-ptxas.mlir:[[#@LINE+25]]:1: warning: kernel @many_tiles spills registers to memory on sm_90a:

// An image that is found in the cache says it, too.
// RUN: env FUSE_CACHE_DIR=%t/cache fuse-compile %s --entry=many --chip=sm_90a -o %t/made.fuse 2> %t/made.log
// RUN: env FUSE_CACHE_DIR=%t/cache fuse-compile %s --entry=many --chip=sm_90a -o %t/found.fuse 2> %t/found.log
// RUN: FileCheck %s --check-prefix=TOLD < %t/made.log
// RUN: diff %t/made.log %t/found.log
// RUN: diff %t/made.fuse %t/found.fuse
// RUN: fuse-image %t/found.fuse | FileCheck %s --check-prefix=TOLD
// TOLD: image-ptxas.mlir:{{[0-9]+}}:1: warning: kernel @many_tiles (aligned) spills registers to memory on sm_90a:

// RUN: %{run} --entry=many --image=%t/many.fuse --json 2> %t/log | %python %S/Inputs/report.py \
// RUN:   'all(c["registers"] > 0 and c["resident_blocks"] > 0 for c in r["kernels"][0]["code"])' \
// RUN:   'all(c["spill_stores"] > 0 and c["spill_loads"] > 0 and c["stack"] > 0 for c in r["kernels"][0]["code"])'

// RUN: %{run} --entry=few --image=%t/few.fuse --json | %python %S/Inputs/report.py \
// RUN:   'all(c["spill_stores"] == 0 and c["spill_loads"] == 0 for c in r["kernels"][0]["code"])'

tile.kernel @few_tiles(%x: memref<64x8xf32>, %y: memref<64x8xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<64x8xf32> -> tensor<64x8xf32>
  tile.store %0, %y[%c0, %c0] : tensor<64x8xf32>, memref<64x8xf32>
  tile.return
}

tile.kernel @many_tiles(%x: memref<256x512xf32>, %y: memref<256x512xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<256x512xf32> -> tensor<256x512xf32>
  %1 = tile.reduce max %0 dims [0, 1] : tensor<256x512xf32> -> tensor<f32>
  %2 = tile.broadcast %1 dims [] : tensor<f32> -> tensor<256x512xf32>
  %3 = arith.subf %0, %2 : tensor<256x512xf32>
  tile.store %3, %y[%c0, %c0] : tensor<256x512xf32>, memref<256x512xf32>
  tile.return
}

func.func @few(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %y = tile.launch @few_tiles blocks() (%x) : (tensor<64x8xf32>) -> tensor<64x8xf32>
  return %y : tensor<64x8xf32>
}

func.func @many(%x: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %y = tile.launch @many_tiles blocks() (%x) : (tensor<256x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}
