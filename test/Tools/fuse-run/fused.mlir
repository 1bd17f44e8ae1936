// What fuse-run says of the fused road, and what can be asked of it.

// RUN: fuse-run %s --fuse-report=%t.json --verify | FileCheck %s
// CHECK: @f on cpu
// CHECK: plan: 1 kernel
// CHECK-NEXT: 1  @f_0: fuse.matmul, arith.maximumf -> tensor<48x24xf32>
// CHECK-NEXT: grid {{.*}}, reads 18.0 KiB, writes 4.5 KiB
// CHECK-NEXT: #fuse.schedule<parallel = [
// CHECK: verify: right

// Every kernel, every edge and the search, as JSON.
// RUN: %python -c 'import json, sys; r = json.load(open(sys.argv[1])); \
// RUN:   assert [k["name"] for k in r["kernels"]] == ["f_0"], r; \
// RUN:   assert r["kernels"][0]["results"] == ["tensor<48x24xf32>"], r; \
// RUN:   assert r["kernels"][0]["predicted_us"] > 0, r; \
// RUN:   e = [x for x in r["edges"] if x["consumer"] == "arith.maximumf"]; \
// RUN:   assert e and e[0]["fused"] and e[0]["rule"] == "epilogue", r; \
// RUN:   assert e[0]["bytes"] == 2 * 48 * 24 * 4 and "fused.mlir" in e[0]["location"], r; \
// RUN:   assert r["functions"][0]["unfused_us"] >= r["functions"][0]["predicted_us"], r' %t.json

// Another schedule, the same result; any number of threads, the same bits.
// RUN: fuse-run %s --schedule="@f_0:parallel = [5, 7], sequential = [r64_0 = 9]" --threads=1 --save-outputs=%t.1 --verify | FileCheck %s --check-prefix=OTHER
// OTHER: grid 10x4
// OTHER-NEXT: #fuse.schedule<parallel = [5, 7], sequential = [r64_0 = 9]>
// OTHER: verify: right
// RUN: fuse-run %s --schedule="@f_0:parallel = [5, 7], sequential = [r64_0 = 9]" --threads=5 --save-outputs=%t.5 > /dev/null
// RUN: cmp %t.1/out0.npy %t.5/out0.npy

// RUN: %S/Inputs/fails.sh 2 %t.log fuse-run %s --schedule="@g_0:parallel = [5]" | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: a schedule is for @g_0, but the kernels are @f_0
// UNKNOWN: fuse-run: error: there is a schedule for @g_0, but the kernels are @f_0
// RUN: %S/Inputs/fails.sh 2 %t.log fuse-run %s --schedule="@f_0:parallel = [0]" | FileCheck %s --check-prefix=ZERO
// ZERO: error: --schedule=@f_0:parallel = [0]: 'parallel = [0]' is no schedule: the tile size of o0 is 0
// RUN: not fuse-run %s --fuse-report=%t/missing/report.json 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: {{.*}}missing

func.func @f(%x: tensor<48x64xf32>, %w: tensor<64x24xf32>) -> tensor<48x24xf32> {
  %zero = arith.constant dense<0.0> : tensor<48x24xf32>
  %p = fuse.matmul %x, %w : tensor<48x64xf32>, tensor<64x24xf32> -> tensor<48x24xf32>
  %o = arith.maximumf %p, %zero : tensor<48x24xf32>
  return %o : tensor<48x24xf32>
}
