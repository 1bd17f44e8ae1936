// What is stored across what was read goes through shared memory, so that both
// sides are in rows: 4096x4096 bf16 took 117 us to transpose element by element,
// and 64 pictures of 56x56 700 us to have their 256 channels first.

// DEFINE: %{type} = bf16
// DEFINE: %{entry} = across
// DEFINE: %{add} = arith.addf
// DEFINE: %{chip} = sm_90a
// DEFINE: %{make} = sed 's/TYPE/%{type}/g; s/ADD/%{add}/' %s > %t.mlir
// DEFINE: %{schedule} = --schedule="@across_0:parallel = [64, 64]"
// DEFINE: %{run} = %{make} && %emulate %t.mlir --entry=%{entry} --chip=%{chip} --verify=exact %{schedule} | FileCheck %s
// DEFINE: %{ptx} = fuse-compile %t.mlir --entry=%{entry} --chip=sm_90a --ptxas=off --variants=aligned --cache=off %{schedule} -o %t.fuse && rm -rf %t.ptx && fuse-image %t.fuse --extract=%t.ptx > %t.plan && cat %t.ptx/*.ptx | FileCheck %s --check-prefix
// CHECK: verify: right
// RUN: %{run}
// RUN: %{ptx}=PTX
// PTX-DAG: ld.global{{.*}}.v{{[24]}}
// PTX-DAG: st.shared
// PTX-DAG: st.global{{.*}}.v{{[24]}}
// REDEFINE: %{type} = f32
// REDEFINE: %{chip} = sm_80
// RUN: %{run}
// REDEFINE: %{type} = i8
// REDEFINE: %{add} = arith.addi
// RUN: %{run}

// Sizes that no vector divides.
// REDEFINE: %{entry} = channels_last
// REDEFINE: %{schedule} = --schedule="@channels_last_0:parallel = [1, 4, 16, 64]"
// RUN: %{run}
// REDEFINE: %{schedule} =
// REDEFINE: %{type} = bf16
// REDEFINE: %{add} = arith.addf
// RUN: %{run}
// REDEFINE: %{type} = f64
// REDEFINE: %{chip} = sm_90a
// RUN: %{run}

// Added to what is not across.
// REDEFINE: %{entry} = symmetric
// REDEFINE: %{schedule} = --schedule="@symmetric_0:parallel = [32, 64]"
// RUN: %{run}
// REDEFINE: %{type} = f16
// RUN: %{run}

func.func @across(%x: tensor<192x320xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<320x192xTYPE> {
  %y = fuse.transpose %x [1, 0] : tensor<192x320xTYPE>
  return %y : tensor<320x192xTYPE>
}

func.func @channels_last(%x: tensor<3x37x9x11xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<3x9x11x37xTYPE> {
  %y = fuse.transpose %x [0, 2, 3, 1] : tensor<3x37x9x11xTYPE>
  return %y : tensor<3x9x11x37xTYPE>
}

func.func @symmetric(%x: tensor<75x75xTYPE> {fuse.name = "x", fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<75x75xTYPE> {
  %t = fuse.transpose %x [1, 0] : tensor<75x75xTYPE>
  %y = ADD %x, %t : tensor<75x75xTYPE>
  return %y : tensor<75x75xTYPE>
}
