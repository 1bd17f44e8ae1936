// A crew that is done with its products releases the last slot before anything
// is made of the sums, and what is stored in three pieces through two rooms
// waits for no room that nobody has. Blocks of rows take turns, behind one
// fence. ptxas had put the release behind a thousand instructions of a gelu:
// 16384x768 by 768x3072 took 112 us, and 104.

// RUN: fuse-opt %s '--fuse-to-tiles=machine=h200 schedules=@layer_0:{parallel = [128, 192], sequential = [r768_0 = 64], owned = 0, crews = 2}' --fuse-tiles-to-placed=chip=sm_90a --fuse-placed-to-staged=chip=sm_90a --fuse-staged-to-threads=chip=sm_90a -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=FENCES
// RUN: fuse-opt %t.mlir --fuse-threads-to-llvm --fuse-nvvm-to-binary=chip=sm_90a -o /dev/null

// One for the first round, one for those of the loop.
// FENCES-COUNT-2: wgmma.fence.sync.aligned
//     FENCES-NOT: wgmma.fence.sync.aligned

// CHECK: llvm.func @layer_0
// The first round, of two blocks of 64 rows.
// CHECK:   wgmma.fence.sync.aligned;\0A\09add.s64 left, $[[LEFT:[0-9]+]], 0;{{.*}}m64n192k16{{.*}}add.s64 left, $[[LEFT]], 512;{{.*}}m64n192k16{{.*}}add.s64 left, $[[LEFT]], 2;{{.*}}m64n192k16{{.*}}add.s64 left, $[[LEFT]], 514;{{.*}}m64n192k16{{.*}}add.s64 left, $[[LEFT]], 518;{{.*}}m64n192k16{{.*}}wgmma.commit_group

// The other rounds, in which products go on.
// CHECK:   scf.for
// CHECK:   wgmma.wait_group.sync.aligned 1;
// CHECK:   mbarrier.arrive.shared::cta.b64
// CHECK-NOT: exit
// CHECK:   scf.yield

// CHECK:   wgmma.wait_group.sync.aligned 0;
// CHECK:   mbarrier.arrive.shared::cta.b64
// CHECK:   "@$0 exit;", "b,~{memory}"
// CHECK:   wgmma.wait_group.sync.aligned 0;
// CHECK:   cp.async.bulk.wait_group.read 0;
// CHECK:   {tile.parts_pass}{{.*}}cp.async.bulk.tensor.2d.global
// CHECK:   cp.async.bulk.wait_group.read 2;
// CHECK:   {tile.parts_pass}{{.*}}cp.async.bulk.tensor.2d.global
// CHECK:   cp.async.bulk.wait_group.read 1;
// CHECK:   {tile.parts_pass}{{.*}}cp.async.bulk.tensor.2d.global

!x = tensor<16384x768xbf16>
!w = tensor<768x3072xbf16>
!y = tensor<16384x3072xf32>
!z = tensor<16384x3072xbf16>
func.func @layer(%x: !x, %w: !w, %b: tensor<3072xf32>) -> !z {
  %product = fuse.matmul %x, %w : !x, !w -> !y
  %bias = fuse.broadcast %b dims [1] : tensor<3072xf32> -> !y
  %sum = arith.addf %product, %bias : !y
  %gelu = fuse.gelu tanh %sum : !y
  %z = arith.truncf %gelu : !y to !z
  return %z : !z
}
