// Rows that begin at any element, of which a block holds one, four blocks one, or
// a part at a time, which here takes a round more than the row's length says; for
// numbers of each width, and reductions of each kind. No memory ends with a chunk of
// 16 bytes.

// DEFINE: %{type} = f64
// DEFINE: %{kind} = sum
// DEFINE: %{minus} = arith.subf
// DEFINE: %{fill} = normal, 0, 2
// DEFINE: %{chip} = sm_90a
// DEFINE: %{make} = sed 's/TYPE/%{type}/g; s/KIND/%{kind}/; s/MINUS/%{minus}/; s/FILL/%{fill}/' %s > %t.mlir
// DEFINE: %{emulate} = %emulate %t.mlir --chip=%{chip} --verify --schedule="@rows_0:parallel = [1], owned = 1,
// DEFINE: %{run} = %{make} && %{emulate} sequential = [r4095_0 = 8192], warps = 4" | FileCheck %s && %{emulate} sequential = [r4095_0 = 8192], share = 4, warps = 2" | FileCheck %s && %{emulate} sequential = [r4095_0 = 512], warps = 2" | FileCheck %s
// CHECK: verify: right
// CHECK: verify: right
// RUN: %{run}
// REDEFINE: %{type} = f32
// REDEFINE: %{kind} = max
// RUN: %{run}
// REDEFINE: %{chip} = sm_80
// RUN: %{run}
// REDEFINE: %{type} = bf16
// REDEFINE: %{kind} = min
// RUN: %{run}
// REDEFINE: %{chip} = sm_90a
// RUN: %{run}
// REDEFINE: %{type} = f16
// REDEFINE: %{kind} = prod
// REDEFINE: %{fill} = uniform, 0.99, 1.01
// RUN: %{run}
// REDEFINE: %{type} = i8
// REDEFINE: %{kind} = max
// REDEFINE: %{minus} = arith.subi
// REDEFINE: %{fill} = integers, -99, -9
// RUN: %{run}

// Each thread moves 16 bytes at a time, and what is left of rows number by number.
// RUN: sed 's/TYPE/f32/g; s/KIND/max/; s/MINUS/arith.subf/; s/FILL/normal, 0, 1/' %s > %t.mlir
// RUN: fuse-compile %t.mlir --chip=sm_90a --ptxas=off --variants=aligned --cache=off --schedule="@rows_0:parallel = [1], sequential = [r4095_0 = 8192], owned = 1, warps = 4" -o %t.fuse
// RUN: rm -rf %t.ptx && fuse-image %t.fuse --extract=%t.ptx > %t.plan
// RUN: cat %t.ptx/*.ptx | FileCheck %s --check-prefix=PTX
// PTX: ld.global.nc.v4.b32
// PTX: st.global.v4.b32

func.func @rows(%x: tensor<5x4095xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<FILL>}) -> (tensor<5xTYPE>, tensor<5x4095xTYPE>) {
  %whole = fuse.reduce KIND %x dims [1] : tensor<5x4095xTYPE>
  %all = fuse.broadcast %whole dims [0] : tensor<5xTYPE> -> tensor<5x4095xTYPE>
  %y = MINUS %x, %all : tensor<5x4095xTYPE>
  return %whole, %y : tensor<5xTYPE>, tensor<5x4095xTYPE>
}
