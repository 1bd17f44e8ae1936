// Arguments that have gaps, begin anywhere or have any strides: the reference
// sees dense data, and the gaps of outputs stay as they were.

// DEFINE: %{run} = fuse-run %s --entry=linear --target=simulate --verify
// RUN: %{run} --layout=x:pitch=72 --layout=w:pitch=40,offset=8 --output-layout=y:pitch=48 --dump-stages=%t/pitched | FileCheck %s
// RUN: FileCheck %s --check-prefix=PITCHED < %t/pitched/4-sm_90a-placed.mlir
// CHECK: verify: right
// PITCHED: tile.kernel @fuse_0_linear_0({{.*}}: memref<65x64xbf16, strided<[?, 1]>>, {{.*}}: memref<64x33xbf16, strided<[?, 1]>>, {{.*}}: memref<33xf32>, {{.*}}: memref<65x33xbf16, strided<[?, 1]>>) outputs 1
// PITCHED-SAME: promises = [#tile.promise<alignment = 16>, #tile.promise<alignment = 16>, #tile.promise<alignment = 16>, #tile.promise<alignment = 16>]
// RUN: %{run} --layout=x:pitch=67,offset=1 --layout=b:offset=3 --output-layout=0:pitch=35,offset=5 --dump-stages=%t/rows | FileCheck %s
// RUN: FileCheck %s --check-prefix=ROWS < %t/rows/4-sm_90a-placed.mlir
// ROWS: tile.kernel @fuse_0_linear_0({{.*}}: memref<65x64xbf16, strided<[?, 1]>>, {{.*}}: memref<33xf32>,
// ROWS-SAME: promises = [#tile.promise<alignment = 2>, #tile.promise<alignment = 2>, #tile.promise<alignment = 4>, #tile.promise<alignment = 2>]
// RUN: %{run} --layout=x:strides=1x65 --layout=b:strides=2 --output-layout=y:strides=3x200,offset=7 --chip=sm_80 --dump-stages=%t/any | FileCheck %s
// RUN: FileCheck %s --check-prefix=ANY < %t/any/4-sm_80-placed.mlir
// ANY: tile.kernel @fuse_0_linear_0({{.*}}: memref<65x64xbf16, strided<[?, ?]>>, {{.*}}: memref<33xf32, strided<[?]>>,

// Layouts that say nothing new need no other kernels; those that may be slower
// can be asked for.
// RUN: %{run} --layout=x:pitch=64 --dump-stages=%t/aligned | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALIGNED < %t/aligned/4-sm_90a-placed.mlir
// ALIGNED: tile.kernel @linear_0({{.*}}: memref<65x64xbf16>,
// RUN: %{run} --variants=any --dump-stages=%t/any | FileCheck %s
// RUN: FileCheck %s --check-prefix=ANY < %t/any/4-sm_90a-placed.mlir

// Several kernels: what lies between them is nobody's argument.
// RUN: fuse-run %s --entry=chain --target=simulate --most-kernels=2 --verify --layout=x:pitch=21 --output-layout=y:pitch=21 --dump-stages=%t/chain | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHAIN < %t/chain/4-sm_90a-placed.mlir
// CHAIN: memref<7x20xf32, strided<[?, 1]>>
// CHAIN: memref<7x20xf32>

// What cannot be is a sentence.
// DEFINE: %{fails} = %S/Inputs/fails.sh 2 %t/log %{run}
// RUN: %{fails} --layout=x:pitch=7 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: fuse-run: error: --layout: argument 'x': the strides 7x1 put elements of the shape 65x64 into one place
// RUN: %{fails} --layout=x:pitch=-70 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: fuse-run: error: --layout: argument 'x': the stride -70 is negative
// RUN: %{fails} --layout=x:offset=-1 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: fuse-run: error: --layout: argument 'x': the offset -1 is negative
// RUN: %{fails} --layout=b:pitch=70 2>&1 | FileCheck %s --check-prefix=NOROWS
// NOROWS: fuse-run: error: --layout: argument 'b': a pitch is from row to row, but the shape 33 has no rows
// RUN: %{fails} --layout=b:strides=1x2 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: fuse-run: error: --layout: argument 'b': 2 strides for the shape 33
// RUN: %{fails} --output-layout=y:pitch=1 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: fuse-run: error: --output-layout: output 'y': the strides 1x1 put elements
// RUN: %{fails} --layout=x:pitch=72 --variants=aligned 2>&1 | FileCheck %s --check-prefix=CLASS
// CLASS: fuse-run: error: the arguments need kernels for 'pitched' memory, but there is to be no such variant
// RUN: %{fails} --layout=x:gap=1 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: fuse-run: error: --layout=x:gap=1: expected offset=N, pitch=N or strides=AxB, but got 'gap=1'
// RUN: %{fails} --layout=x:strides=1xa 2>&1 | FileCheck %s --check-prefix=STRIDES
// STRIDES: expected strides with 'x' between them, but got '1xa'
// RUN: %{fails} --layout=x:strides=1x64,pitch=3 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: the pitch is one of the strides, so give one of them
// RUN: %{fails} --layout=x:offset=1,offset=2 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: 'offset' is given twice, but has one value
// RUN: %{fails} --layout=z:pitch=3 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: fuse-run: error: --layout names 'z', but @linear has no such argument
// RUN: %{fails} --output-layout=z:pitch=3 2>&1 | FileCheck %s --check-prefix=OUTNAME
// OUTNAME: fuse-run: error: --output-layout names output 'z', but @linear has 1 output and none of that name
// RUN: %{fails} --variants=some 2>&1 | FileCheck %s --check-prefix=VARIANTS
// VARIANTS: fuse-run: error: --variants=some: 'some' is none of aligned, pitched, rows and any
// RUN: %S/Inputs/fails.sh 2 %t/log fuse-run %s --entry=linear --target=cpu --layout=x:pitch=72 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: fuse-run: error: --layout, --output-layout and --variants are about memory of a GPU, but this runs on the CPU
// RUN: %S/Inputs/fails.sh 4 %t/log fuse-run %s --entry=same --target=simulate --layout=0:offset=1 2>&1 | FileCheck %s --check-prefix=COPY
// COPY: fuse-run: error: output 0 is a copy, so neither it nor what it is a copy of can have gaps

func.func @linear(%x: tensor<65x64xbf16> {fuse.name = "x"}, %w: tensor<64x33xbf16> {fuse.name = "w"},
                  %b: tensor<33xf32> {fuse.name = "b"}) -> (tensor<65x33xbf16> {fuse.name = "y"}) {
  %0 = fuse.linear %x, %w bias %b : tensor<65x64xbf16>, tensor<64x33xbf16>, tensor<33xf32> -> tensor<65x33xf32>
  %1 = arith.truncf %0 : tensor<65x33xf32> to tensor<65x33xbf16>
  return %1 : tensor<65x33xbf16>
}
func.func @chain(%x: tensor<7x20xf32> {fuse.name = "x"}) -> (tensor<7x20xf32> {fuse.name = "y"}) {
  %0 = fuse.kernel @first(%in = %x) : (tensor<7x20xf32>) -> tensor<7x20xf32> {
    %2 = arith.mulf %in, %in : tensor<7x20xf32>
    fuse.yield %2 : tensor<7x20xf32>
  }
  %1 = arith.addf %0, %x : tensor<7x20xf32>
  return %1 : tensor<7x20xf32>
}
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
