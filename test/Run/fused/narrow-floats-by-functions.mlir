// A processor that has no instruction for bf16 calls a function for it, also
// where no op converts anything. Code for such a processor runs anywhere.

// RUN: fuse-run %s --target=reference --seed=3 --save-inputs=%t.in --save-outputs=%t.out
// RUN: fuse-run %s --chip=x86-64-v2 --image=%t.fuse
// RUN: fuse-run %t.fuse --target=cpu --input=x=%t.in/x.npy --expect=0=%t.out/out0.npy --rtol=0.02 | FileCheck %s
// RUN: fuse-run %s --seed=3 --verify
// CHECK: out0.npy: right

func.func @f(%x: tensor<1x1xbf16> {fuse.name = "x", fuse.fill = #fuse.fill<uniform, -1, 1>}) -> tensor<1x1xf32> {
  %e = math.exp %x : tensor<1x1xbf16>
  %s = fuse.reduce sum %e dims [0] : tensor<1x1xbf16>
  %b = fuse.broadcast %s dims [1] : tensor<1xbf16> -> tensor<1x1xbf16>
  %q = arith.divf %e, %b : tensor<1x1xbf16>
  %p = fuse.matmul %e, %q : tensor<1x1xbf16>, tensor<1x1xbf16> -> tensor<1x1xf32>
  return %p : tensor<1x1xf32>
}
