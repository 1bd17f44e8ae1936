// A factor of all terms that varies with some of what is summed over, and not with the rest, scales sums of the rest. The
// product then has columns of two axes, enough for four warps together where those of the other factor are not. An infinity in
// one round is multiplied number by number, by addresses along both axes.

// DEFINE: %{run} = %emulate %s --chip=sm_90a
// RUN: %{run} --entry=finite --verify | FileCheck %s
// RUN: %{run} --entry=infinite --verify=exact | FileCheck %s
// CHECK: verify: right
// RUN: fuse-compile %s --entry=finite --chip=sm_90a --ptxas=off --variants=aligned --cache=off -o %t.fuse && rm -rf %t.ptx && fuse-image %t.fuse --extract=%t.ptx > %t.plan && cat %t.ptx/*.ptx | FileCheck %s --check-prefix=PTX
// PTX: wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32

!x = tensor<70x48xf32>
!w = tensor<2304x16xf32>
!wide = tensor<70x48x48xf32>
!flat = tensor<70x2304xf32>
!y = tensor<70x16xf32>

func.func @finite(%x: !x {fuse.name = "x"}, %w: !w {fuse.name = "w"}) -> !y {
  %0 = fuse.kernel @k(%x_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r48_0 = 8, r48_1 = 48]>) : (!x, !w) -> !y {
    %left = fuse.broadcast %x_ dims [0, 1] : !x -> !wide
    %right = fuse.broadcast %x_ dims [0, 2] : !x -> !wide
    %products = arith.mulf %left, %right : !wide
    %flat = fuse.collapse %products dims [1, 2] : !wide
    %product = fuse.matmul %flat, %w_ precision tf32x3 : !flat, !w -> !y
    fuse.yield %product : !y
  }
  return %0 : !y
}

func.func @infinite(%x: !x {fuse.name = "x", fuse.fill = #fuse.fill<integers, -2, 2>}, %s: !x {fuse.name = "s", fuse.fill = #fuse.fill<integers, 0, 60>}, %w: !w {fuse.name = "w", fuse.fill = #fuse.fill<integers, 1, 2>}) -> !y {
  %made = fuse.kernel @make(%x_ = %x, %s_ = %s) : (!x, !x) -> !x {
    %zero = arith.constant dense<0.0> : !x
    %last = arith.constant dense<60.0> : !x
    %one = arith.constant dense<1.0> : !x
    %isLast = arith.cmpf oeq, %s_, %last : !x
    %infinity = arith.divf %one, %zero : !x
    %some = arith.select %isLast, %infinity, %x_ : tensor<70x48xi1>, !x
    fuse.yield %some : !x
  }
  %0 = fuse.kernel @k(%x_ = %made, %f_ = %x, %w_ = %w) schedule(#fuse.schedule<parallel = [64, 16], sequential = [r48_0 = 48, r48_1 = 8]>) : (!x, !x, !w) -> !y {
    %left = fuse.broadcast %x_ dims [0, 1] : !x -> !wide
    %right = fuse.broadcast %f_ dims [0, 2] : !x -> !wide
    %products = arith.mulf %left, %right : !wide
    %flat = fuse.collapse %products dims [1, 2] : !wide
    %product = fuse.matmul %flat, %w_ precision tf32x3 : !flat, !w -> !y
    fuse.yield %product : !y
  }
  return %0 : !y
}
