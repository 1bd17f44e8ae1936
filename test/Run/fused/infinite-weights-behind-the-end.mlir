// A product of what is read as 0 behind the end of a row and of a weight that is
// infinite is NaN, and so is what is made of it. It has no place in a sum, and in
// another product none either, though it is a factor there.

// DEFINE: %{run} = fuse-run %s --verify --input=w=inf
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG
// RUN: %{run} --entry=columns --target=cpu --schedule="@columns_0:parallel = [16], sequential = [r24_0 = 8, r100_0 = 32]" | %{right}
// RUN: %{run} --entry=columns --target=simulate --chip=sm_90a | %{right}
// RUN: %{run} --entry=layers --target=cpu --schedule="@layers_0:parallel = [16, 8], sequential = [r24_0 = 8, r100_0 = 32]" | %{right}
// RUN: %{run} --entry=layers --target=simulate --chip=sm_90a | %{right}
// RUN: %{run} --entry=chain --target=cpu --schedule="@chain_0:parallel = [16, 8], sequential = [r24_0 = 8, r100_0 = 32]" | %{right}
// RUN: %{run} --entry=chain --target=simulate --chip=sm_80 | %{right}

// A factor of a factor, which is an exponent as well.
// RUN: %{run} --entry=gates --target=cpu --schedule="@gates_0:parallel = [16, 8], sequential = [r100_0 = 32]" | %{right}
// RUN: %{run} --entry=gates --target=simulate --chip=sm_90a | %{right}
// Masked is what a factor would make NaN, and not what is made of it.
// RUN: fuse-opt %s --fuse-decompose --fuse-form-kernels=machine=h200 --convert-fuse-to-tile | FileCheck %s --check-prefix=TILES
// TILES-LABEL: tile.kernel @columns_0
//       TILES: %[[SUMS:.*]] = tile.mask %
//       TILES: math.tanh %[[SUMS]]
//   TILES-NOT: tile.mask
// TILES-LABEL: func.func @columns
// TILES-LABEL: tile.kernel @gates_0
//       TILES: %[[PRODUCT:.*]] = tile.mask %
//       TILES: arith.negf %[[PRODUCT]]
//   TILES-NOT: tile.mask
// TILES-LABEL: func.func @gates
// CHECK: verify: right

!rows = tensor<64x100xf32>
!inner = tensor<64x24xf32>

func.func @columns(%w: !inner {fuse.name = "w"}, %x: tensor<24x100xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> tensor<64xf32> {
  %y = fuse.matmul %w, %x : !inner, tensor<24x100xf32> -> !rows
  %t = math.tanh %y : !rows
  %sum = fuse.reduce sum %t dims [1] : !rows
  return %sum : tensor<64xf32>
}

func.func @layers(%w: !inner {fuse.name = "w"}, %x: tensor<24x100xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>},
                  %z: tensor<100x8xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> tensor<64x8xf32> {
  %y = fuse.matmul %w, %x : !inner, tensor<24x100xf32> -> !rows
  %t = fuse.relu %y : !rows
  %sums = fuse.matmul %t, %z : !rows, tensor<100x8xf32> -> tensor<64x8xf32>
  return %sums : tensor<64x8xf32>
}

func.func @chain(%w: !inner {fuse.name = "w"}, %x: tensor<24x100xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>},
                 %z: tensor<100x8xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> tensor<64x8xf32> {
  %y = fuse.matmul %w, %x : !inner, tensor<24x100xf32> -> !rows
  %sums = fuse.matmul %y, %z : !rows, tensor<100x8xf32> -> tensor<64x8xf32>
  return %sums : tensor<64x8xf32>
}

func.func @gates(%x: !rows {fuse.fill = #fuse.fill<uniform, 1, 2>}, %w: tensor<64xf32> {fuse.name = "w"},
                 %z: tensor<100x8xf32> {fuse.fill = #fuse.fill<uniform, 1, 2>}) -> tensor<64x8xf32> {
  %all = fuse.broadcast %w dims [0] : tensor<64xf32> -> !rows
  %product = arith.mulf %x, %all : !rows
  %silu = fuse.silu %product : !rows
  %sums = fuse.matmul %silu, %z : !rows, tensor<100x8xf32> -> tensor<64x8xf32>
  return %sums : tensor<64x8xf32>
}
