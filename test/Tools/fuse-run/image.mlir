// Code for chips can be made where there is no GPU, and no ptxas.

// DEFINE: %{run} = env FUSE_PTXAS=none FUSE_CUDA_DRIVER=%t/none.so fuse-run %s
// DEFINE: %{fails} = env FUSE_PTXAS=none FUSE_CUDA_DRIVER=%t/none.so %S/Inputs/fails.sh

// RUN: rm -rf %t && mkdir -p %t
// RUN: %{run} --image=%t/twice.fuse --chip=sm_80,sm_90a --shape=x:100x8 --dump-stages=%t/stages | FileCheck %s
//      CHECK: @twice on sm_80, sm_90a
//      CHECK: x: f32 100x8, no data
//      CHECK: plan: 1 kernel
//      CHECK: code: registers and bytes on the stack are those of a thread, the rest is a block's
// CHECK-NEXT:   chip     warps  registers  spilled   stack   shared  resident
// CHECK-NEXT:   sm_80 {{[1-9]}} - - - 0 -  @twice_0, aligned
// CHECK-NEXT:   sm_80 {{[1-9]}} - - - 0 -  @twice_0, pitched
// CHECK-NEXT:   sm_80 {{[1-9]}} - - - 0 -  @twice_0, rows
// CHECK-NEXT:   sm_80 {{[1-9]}} - - - 0 -  @twice_0, any
// CHECK-NEXT:   sm_90a {{[1-9]}} - - - 0 -  @twice_0, aligned
//      CHECK:   there is no ptxas: the driver assembles, and says nothing
//      CHECK: written to {{.*}}twice.fuse; nothing was run
//  CHECK-NOT: results

// It is an Image, with code for both, and the same every time.
// RUN: test "$(head -c 8 %t/twice.fuse | tail -c 7)" = FUSEIMG
// RUN: grep -q -a '\.target sm_80' %t/twice.fuse && grep -q -a '\.target sm_90a' %t/twice.fuse
// RUN: grep -q '\.target sm_80' %t/stages/sm_80-fuse_0_twice_0.ptx
// RUN: %{run} --image=%t/again.fuse --chip=sm_80,sm_90a --shape=x:100x8 --target=cuda --json > %t/json
// RUN: cmp %t/twice.fuse %t/again.fuse
// RUN: %python %S/Inputs/report.py < %t/json \
// RUN:   'r["image"].endswith("again.fuse") and r["target"] == "sm_80, sm_90a" and r["outputs"] == []' \
// RUN:   '[set(c) for c in r["kernels"][0]["code"]] == [{"chip", "memory", "warps", "shared"}] * 8' \
// RUN:   '[c["chip"] for c in r["kernels"][0]["code"]] == ["sm_80"] * 4 + ["sm_90a"] * 4' \
// RUN:   '[c["memory"] for c in r["kernels"][0]["code"]] == ["aligned", "pitched", "rows", "any"] * 2' \
// RUN:   'r["inputs"] == [{"name": "x", "type": "f32", "shape": [100, 8], "data": "no data"}]'

// Fewer variants can be asked for.
// RUN: %{run} --image=%t/one.fuse --chip=sm_80 --shape=x:100x8 --variants=rows,aligned | FileCheck %s --check-prefix=TWO
//      TWO: @twice_0, aligned
// TWO-NEXT: @twice_0, rows
// TWO-NEXT: there is no ptxas

// Without a chip it is that of the GPU, of which there is none.
// RUN: %{fails} 5 %t/log fuse-run %s --image=%t/none.fuse --shape=x:1x8 | FileCheck %s --check-prefix=NOCHIP
// NOCHIP: fuse-run: error: --image, for which --chip names no chip: no CUDA driver

// What would need a run, or another road, is refused.
// RUN: %{fails} 2 %t/log fuse-run %s --image=%t/none.fuse --chip=sm_80 --shape=x:1x8 --verify 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: fuse-run: error: --image runs nothing, so there is nothing for --verify
// RUN: %{fails} 2 %t/log fuse-run %s --image=%t/none.fuse --chip=sm_80 --shape=x:1x8 --save-outputs=%t 2>&1 | FileCheck %s --check-prefix=SAVE
// SAVE: fuse-run: error: --image runs nothing, so there is nothing for --save-outputs
// RUN: %{fails} 2 %t/log fuse-run %s --image=%t/none.fuse --chip=sm_80 --shape=x:1x8 --layout=x:pitch=9 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: fuse-run: error: --image runs nothing, so there is nothing for --layout
// RUN: %{fails} 2 %t/log fuse-run %s --image=%t/none.fuse --chip=sm_80 --shape=x:1x8 --target=cpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: fuse-run: error: --image is code for the chips of --chip, which --target does not choose
// RUN: %{fails} 6 %t/log fuse-run %s --image=%t/no/none.fuse --chip=sm_80 --shape=x:1x8 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: fuse-run: error: {{.*}}none.fuse
// RUN: test ! -e %t/none.fuse

func.func @twice(%x: tensor<?x8xf32> {fuse.name = "x"}) -> tensor<?x8xf32> {
  %0 = arith.addf %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
