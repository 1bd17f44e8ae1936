// What is added to a product is asked for piece by piece where it does not fit
// beside 128 sums a thread: of whole tiles, of such as end within a piece, and
// where blocks walk, some of whose pieces lie behind the end. A tile that each
// row reads alike, a column and a tile are needed by the same pieces.

// DEFINE: %{schedule} = parallel = [128, 256], sequential = [r256_0 = 64]
// DEFINE: %{entry} = whole
// DEFINE: %{run} = %emulate %s --entry=%{entry} --chip=sm_90a --verify --schedule="@%{entry}_0:%{schedule}" | FileCheck %s
// CHECK: verify: right

// RUN: fuse-run %s --entry=whole --chip=sm_90a --variants=aligned --image=%t.fuse --dump-stages=%t.stages \
// RUN:   --schedule="@whole_0:%{schedule}" > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=AHEAD
// One of four pieces while products go on.
// AHEAD: llvm.load {{.*}} {alignment = {{[0-9]+}} : i64, tile.ahead = 2 : i64}
// AHEAD-COUNT-4: llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "cp.async.bulk.wait_group.read

// RUN: %{run}
// REDEFINE: %{entry} = ragged
// RUN: %{run}
// REDEFINE: %{entry} = wide
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [128, 256], sequential = [r256_0 = 64], crews = 1
// REDEFINE: %{entry} = twice
// RUN: %{run}

func.func @whole(%x: tensor<256x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                 %w: tensor<256x512xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>},
                 %b: tensor<512xf32>, %r: tensor<256x512xbf16>) -> tensor<256x512xbf16> {
  %product = fuse.matmul %x, %w : tensor<256x256xbf16>, tensor<256x512xbf16> -> tensor<256x512xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<512xf32> -> tensor<256x512xf32>
  %biased = arith.addf %product, %bias : tensor<256x512xf32>
  %wide = arith.extf %r : tensor<256x512xbf16> to tensor<256x512xf32>
  %sum = arith.addf %biased, %wide : tensor<256x512xf32>
  %y = arith.truncf %sum : tensor<256x512xf32> to tensor<256x512xbf16>
  return %y : tensor<256x512xbf16>
}

func.func @ragged(%x: tensor<200x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                  %w: tensor<256x392xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>},
                  %b: tensor<392xf32>, %c: tensor<200xf32>, %r: tensor<200x392xbf16>) -> tensor<200x392xbf16> {
  %product = fuse.matmul %x, %w : tensor<200x256xbf16>, tensor<256x392xbf16> -> tensor<200x392xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<392xf32> -> tensor<200x392xf32>
  %biased = arith.addf %product, %bias : tensor<200x392xf32>
  %column = fuse.broadcast %c dims [0] : tensor<200xf32> -> tensor<200x392xf32>
  %scaled = arith.mulf %biased, %column : tensor<200x392xf32>
  %wide = arith.extf %r : tensor<200x392xbf16> to tensor<200x392xf32>
  %sum = arith.addf %scaled, %wide : tensor<200x392xf32>
  %y = arith.truncf %sum : tensor<200x392xf32> to tensor<200x392xbf16>
  return %y : tensor<200x392xbf16>
}

// A tile of f32 alone takes as many registers as sums.
func.func @wide(%x: tensor<128x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                %w: tensor<256x300xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>},
                %r: tensor<128x300xf32>) -> tensor<128x300xf32> {
  %product = fuse.matmul %x, %w : tensor<128x256xbf16>, tensor<256x300xbf16> -> tensor<128x300xf32>
  %sum = arith.addf %product, %r : tensor<128x300xf32>
  return %sum : tensor<128x300xf32>
}

// Both results have pieces of their own, and what is added is needed by both.
func.func @twice(%x: tensor<128x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                 %w: tensor<256x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>},
                 %b: tensor<256xf32>, %r: tensor<128x256xbf16>) -> (tensor<128x256xbf16>, tensor<128x256xbf16>) {
  %product = fuse.matmul %x, %w : tensor<128x256xbf16>, tensor<256x256xbf16> -> tensor<128x256xf32>
  %bias = fuse.broadcast %b dims [1] : tensor<256xf32> -> tensor<128x256xf32>
  %biased = arith.addf %product, %bias : tensor<128x256xf32>
  %wide = arith.extf %r : tensor<128x256xbf16> to tensor<128x256xf32>
  %sum = arith.addf %biased, %wide : tensor<128x256xf32>
  %y = arith.truncf %sum : tensor<128x256xf32> to tensor<128x256xbf16>
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %relu = arith.maximumf %sum, %zero : tensor<128x256xf32>
  %z = arith.truncf %relu : tensor<128x256xf32> to tensor<128x256xbf16>
  return %y, %z : tensor<128x256xbf16>, tensor<128x256xbf16>
}
