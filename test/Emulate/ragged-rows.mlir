// What lies behind the last row nobody uses, and the engine does not bring it:
// boxes of a last tile have as many rows as there are, and the rest of a slot
// stays as it was, which here is NaN.

// DEFINE: %{schedule} =
// DEFINE: %{entry} = across
// DEFINE: %{run} = %emulate %s --entry=%{entry} --chip=sm_90a --verify --schedule="@%{entry}_0:%{schedule}" | FileCheck %s
// CHECK: verify: right

// RUN: fuse-run %s --entry=across --chip=sm_90a --variants=aligned --image=%t.fuse --dump-stages=%t.stages \
// RUN:   --schedule="@across_0:parallel = [64, 64], sequential = [r256_0 = 64]" > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=ACROSS
// Two rows of a third tile; columns lie along rows of boxes, which stay whole.
// ACROSS: tile.maps = [#tile.tensor_map<memory = 3, of = bf16, box = [64, 64], swizzle = 128>, #tile.tensor_map<memory = 0, of = bf16, box = [64, 64], swizzle = 128>, #tile.tensor_map<memory = 0, of = bf16, box = [2, 64], swizzle = 128>, #tile.tensor_map<memory = 1, of = bf16, box = [64, 64], swizzle = 128>]
// ACROSS: %[[IS_REST:.*]] = arith.cmpi slt, %{{.*}}, %c64_i32{{.*}} : i32
// ACROSS: %[[LESS:.*]] = arith.select %[[IS_REST]], %{{c7936_i32.*}}, %{{c0_i32.*}} : i32
// ACROSS: %[[BYTES:.*]] = arith.subi %{{c16384_i32.*}}, %[[LESS]] : i32
// ACROSS: "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %{{.*}}, %[[BYTES]] :

// RUN: fuse-run %s --entry=along --chip=sm_90a --variants=aligned --image=%t.fuse --dump-stages=%t.stages2 \
// RUN:   --schedule="@along_0:parallel = [64, 64], sequential = [r256_0 = 64]" > /dev/null
// RUN: cat %t.stages2/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=ALONG
// All of the only tile of rows is less than one; eight
// columns of the second tile of columns, which are rows of boxes.
// ALONG: tile.maps = [#tile.tensor_map<memory = 3, of = bf16, box = [64, 64], swizzle = 128>, #tile.tensor_map<memory = 0, of = bf16, box = [64, 64], swizzle = 128>, #tile.tensor_map<memory = 0, of = bf16, box = [40, 64], swizzle = 128>, #tile.tensor_map<memory = 1, of = bf16, box = [64, 64], swizzle = 128>, #tile.tensor_map<memory = 1, of = bf16, box = [8, 64], swizzle = 128>]

// REDEFINE: %{schedule} = parallel = [64, 64], sequential = [r256_0 = 64]
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [128, 64], sequential = [r256_0 = 32]
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [128, 64], sequential = [r256_0 = 64], split = 2, merge = cluster
// RUN: %{run}
// REDEFINE: %{entry} = along
// REDEFINE: %{schedule} = parallel = [64, 64], sequential = [r256_0 = 64]
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [64, 64], sequential = [r256_0 = 64], split = 2
// RUN: %{run}

func.func @across(%x: tensor<130x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                  %w: tensor<256x72xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>}, %b: tensor<72xf32>) -> tensor<130x72xbf16> {
  %0 = fuse.linear %x, %w bias %b : tensor<130x256xbf16>, tensor<256x72xbf16>, tensor<72xf32> -> tensor<130x72xf32>
  %1 = arith.truncf %0 : tensor<130x72xf32> to tensor<130x72xbf16>
  return %1 : tensor<130x72xbf16>
}

func.func @along(%x: tensor<40x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 1>},
                 %w: tensor<72x256xbf16> {fuse.fill = #fuse.fill<normal, 0, 0.1>}, %b: tensor<72xf32>) -> tensor<40x72xbf16> {
  %t = fuse.transpose %w [1, 0] : tensor<72x256xbf16>
  %0 = fuse.linear %x, %t bias %b : tensor<40x256xbf16>, tensor<256x72xbf16>, tensor<72xf32> -> tensor<40x72xf32>
  %1 = arith.truncf %0 : tensor<40x72xf32> to tensor<40x72xbf16>
  return %1 : tensor<40x72xbf16>
}
