// A part of a tensor may end where the tensor goes on: the copy engine is told
// that it ends there, and brings 0 instead of what is behind, which is infinite
// here. What multiplies pieces that were put together has such parts.

// DEFINE: %{entry} = pieces
// DEFINE: %{schedule} = parallel = [64, 64], sequential = [r200_0 = 64]
// DEFINE: %{data} = --input=w=%t.npy --input=h=uniform:1:2
// DEFINE: %{run} = %emulate %s --entry=%{entry} --chip=sm_90a --verify %{data} --schedule="@%{entry}_0:%{schedule}" | FileCheck %s
// DEFINE: %{stages} = fuse-run %s --entry=%{entry} --chip=sm_90a --variants=aligned --image=%t.fuse --dump-stages=%t.stages --schedule="@%{entry}_0:%{schedule}"
// CHECK: from -{{[0-9.]+}} to inf
// CHECK: verify: right

// RUN: %python %S/Inputs/infinite-rows.py %t.npy 200 72 104
// RUN: %{stages} > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=PIECES
// PIECES: tile.maps = [{{.*}}<memory = 1, of = f16, box = [64, 64], swizzle = 128, ends = [104, -1]>
// RUN: %{run}
// REDEFINE: %{schedule} = parallel = [128, 64], sequential = [r200_0 = 32]
// RUN: %{run}
func.func @pieces(%x: tensor<64x104xf16>, %h: tensor<64x96xf16> {fuse.name = "h"}, %w: tensor<200x72xf16> {fuse.name = "w"}) -> tensor<64x72xf32> {
  %mask = fuse.iota dim 1 : tensor<64x72xi32>
  %five = arith.constant dense<5> : tensor<64x72xi32>
  %is = arith.cmpi eq, %mask, %five : tensor<64x72xi32>
  %both = fuse.concat %x, %h dim 1 : tensor<64x104xf16>, tensor<64x96xf16>
  %y = fuse.matmul %both, %w : tensor<64x200xf16>, tensor<200x72xf16> -> tensor<64x72xf32>
  %z = fuse.slice %x[:, 0:72] : tensor<64x104xf16>
  %wide = arith.extf %z : tensor<64x72xf16> to tensor<64x72xf32>
  %r = arith.select %is, %y, %wide : tensor<64x72xi1>, tensor<64x72xf32>
  return %r : tensor<64x72xf32>
}

// REDEFINE: %{entry} = first
// REDEFINE: %{schedule} = parallel = [64, 64], sequential = [r104_0 = 64]
// REDEFINE: %{data} = --input=w=%t.npy
// RUN: %python %S/Inputs/infinite-rows.py %t.npy 200 72 104
// RUN: %{stages} > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=FIRST
// FIRST: tile.maps = [{{.*}}<memory = 1, of = f16, box = [64, 64], swizzle = 128, ends = [104, -1]>
// RUN: %emulate %s --entry=first --chip=sm_90a --verify %{data} --schedule="@first_0:%{schedule}" | FileCheck %s --check-prefix=FINITE
// FINITE-NOT: inf
// FINITE: verify: right
func.func @first(%x: tensor<64x104xf16>, %w: tensor<200x72xf16> {fuse.name = "w"}) -> tensor<64x72xf32> {
  %part = fuse.slice %w[0:104, :] : tensor<200x72xf16>
  %y = fuse.matmul %x, %part : tensor<64x104xf16>, tensor<104x72xf16> -> tensor<64x72xf32>
  return %y : tensor<64x72xf32>
}

// Along rows, and not from their first element on.
// REDEFINE: %{entry} = along
// RUN: %{stages} > /dev/null
// RUN: cat %t.stages/*-sm_90a-threads.mlir | FileCheck %s --check-prefix=ALONG
// ALONG: tile.maps = [{{.*}}<memory = 1, of = f16, box = [64, 64], swizzle = 128, ends = [-1, 176]>
// RUN: %emulate %s --entry=along --chip=sm_90a --verify --schedule="@along_0:%{schedule}" | FileCheck %s --check-prefix=FINITE
func.func @along(%x: tensor<64x104xf16>, %w: tensor<72x200xf16>) -> tensor<64x72xf32> {
  %part = fuse.slice %w[:, 72:176] : tensor<72x200xf16>
  %turned = fuse.transpose %part [1, 0] : tensor<72x104xf16>
  %y = fuse.matmul %x, %turned : tensor<64x104xf16>, tensor<104x72xf16> -> tensor<64x72xf32>
  return %y : tensor<64x72xf32>
}
