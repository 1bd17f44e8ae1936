// Sums of columns, of which blocks of a cluster have chunks each, and merge them; of numbers of each width, which they write to
// each other in stores of one to eight bytes, or of several numbers. Neither rows nor columns fill their windows.

// DEFINE: %{type} = f64
// DEFINE: %{kind} = sum
// DEFINE: %{fill} = normal, 0, 2
// DEFINE: %{tiles} = [16, 32], sequential = [r203_0 = 16], split = 4
// DEFINE: %{make} = sed 's/TYPE/%{type}/g; s/KIND/%{kind}/; s/FILL/%{fill}/' %s > %t.mlir
// DEFINE: %{schedule} = --schedule="@columns_0:parallel = %{tiles}, merge = cluster"
// DEFINE: %{run} = %{make} && %emulate %t.mlir --chip=sm_90a --verify %{schedule} | FileCheck %s
// DEFINE: %{ptx} = fuse-compile %t.mlir --chip=sm_90a --ptxas=off --variants=aligned --cache=off %{schedule} -o %t.fuse && rm -rf %t.ptx && fuse-image %t.fuse --extract=%t.ptx > %t.plan && cat %t.ptx/*.ptx | FileCheck %s --check-prefix
// CHECK: verify: right
// RUN: %{run}
// RUN: %{ptx}=F64
// F64: st.shared::cluster.b64
// REDEFINE: %{type} = bf16
// REDEFINE: %{kind} = max
// REDEFINE: %{tiles} = [16, 32], sequential = [r203_0 = 16], split = 2
// RUN: %{run}
// RUN: %{ptx}=BF16
// BF16: st.shared::cluster.b16
// REDEFINE: %{type} = i8
// REDEFINE: %{fill} = integers, -99, 99
// RUN: %{run}
// RUN: %{ptx}=I8
// I8: st.shared::cluster.b8
// REDEFINE: %{type} = i32
// REDEFINE: %{kind} = sum
// REDEFINE: %{tiles} = [32, 16], sequential = [r203_0 = 16], split = 8
// RUN: %{run}
// RUN: %{ptx}=I32
// I32: st.shared::cluster.v2.b32

// Of one row, whose columns they share; and of one column.
// REDEFINE: %{type} = f16
// REDEFINE: %{fill} = normal, 0, 2
// REDEFINE: %{tiles} = [1, 32], sequential = [r203_0 = 16], split = 2
// RUN: %{run}
// REDEFINE: %{tiles} = [32, 1], sequential = [r203_0 = 16], split = 8
// RUN: %{run}

// Where a chip has no clusters it is a second launch.
// RUN: fuse-compile %t.mlir --chip=sm_80 --ptxas=off --cache=off %{schedule} -o %t.fuse && fuse-image %t.fuse | FileCheck %s --check-prefix=LAUNCHES
// LAUNCHES-COUNT-2: grid [
// LAUNCHES-NOT: cluster {{[0-9]}}

func.func @columns(%x: tensor<37x203x51xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<FILL>}) -> tensor<37x51xTYPE> {
  %y = fuse.reduce KIND %x dims [1] : tensor<37x203x51xTYPE>
  return %y : tensor<37x51xTYPE>
}
