// A float that no byte holds, and a shift by more bits than there are, give some
// index, and a gather by it stays inside of its table: one of 256 rows was read
// at row 1000, and one of 128 rows anywhere. What a difference promises is dropped.

// RUN: fuse-opt %s --fuse-to-tiles=machine=h200 --fuse-tiles-to-nvvm=chip=sm_90a --fuse-nvvm-to-binary=chip=sm_90a \
// RUN:   | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s

// CHECK-LABEL: .entry by_byte_0(
// Of the index 8 bits are left, times 16.
//       CHECK: cvt.rzi.s32.f32
//       CHECK: and.b32 {{.*}}, 4080;
//       CHECK: ld.global.nc.v4.b32
func.func @by_byte(%x: tensor<64xf32>, %t: tensor<256x16xf32>) -> tensor<64x16xf32> {
  %i = arith.fptoui %x : tensor<64xf32> to tensor<64xi8>
  %j = arith.extui %i : tensor<64xi8> to tensor<64xi32>
  %g = fuse.gather %t[%j] : tensor<256x16xf32>, tensor<64xi32>
  return %g : tensor<64x16xf32>
}

// All rows are one that there is: nothing but the end of the result is asked for.
// CHECK-LABEL: .entry by_shift_0(
//       CHECK: add.s64 %rd2,
//       CHECK: ld.global.nc.v2.b32 {{.*}}, [%rd2];
func.func @by_shift(%x: tensor<3xi32>, %t: tensor<128x16xf32>) -> tensor<3x16xf32> {
  %many = arith.constant dense<35> : tensor<3xi32>
  %i = arith.shli %x, %many : tensor<3xi32>
  %g = fuse.gather %t[%i] : tensor<128x16xf32>, tensor<3xi32>
  return %g : tensor<3x16xf32>
}

// The index is compared with the end of the table.
// CHECK-LABEL: .entry by_promise_0(
//       CHECK: setp.lt.u32 {{.*}}, 128;
func.func @by_promise(%x: tensor<64xi32>, %y: tensor<64xi32>, %t: tensor<128x16xf32>) -> tensor<64x16xf32> {
  %most = arith.constant dense<127> : tensor<64xi32>
  %p = arith.andi %x, %most : tensor<64xi32>
  %i = arith.subi %p, %y overflow<nuw> : tensor<64xi32>
  %g = fuse.gather %t[%i] : tensor<128x16xf32>, tensor<64xi32>
  return %g : tensor<64x16xf32>
}
