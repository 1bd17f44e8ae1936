// Two neighbours share a reciprocal, and words of two or four matrices are put
// down at once: what stands in the code is run, with results that are small,
// next to 0, and NaN in a neighbour.

// RUN: %emulate %s --entry=silu --chip=sm_90a --verify --input=x=uniform:-84:84 | FileCheck %s
// RUN: %emulate %s --entry=silu --chip=sm_90a --verify --input=x=-84 | FileCheck %s
// RUN: %emulate %s --entry=silu --chip=sm_90a --verify --input=x=-inf | FileCheck %s
// RUN: %emulate %s --entry=beside --chip=sm_90a --verify --input=x=uniform:-84:84 --input=u=nan | FileCheck %s
// RUN: %emulate %s --entry=beside --chip=sm_90a --verify --input=x=uniform:-84:84 --input=u=-inf | FileCheck %s
// RUN: %emulate %s --entry=beside --chip=sm_90a --verify --input=x=uniform:-84:84 --input=u=-3e38 | FileCheck %s
// RUN: %emulate %s --entry=slope --chip=sm_90a --verify --input=x=-8.6e37 | FileCheck %s
// RUN: %emulate %s --entry=layer --chip=sm_90a --verify | FileCheck %s
// RUN: %emulate %s --entry=product --chip=sm_90a --verify | FileCheck %s
// CHECK: verify: right

!t = tensor<64x256xf32>
!h = tensor<64x256xbf16>

// RUN: fuse-compile %s --entry=silu --chip=sm_90a --variants=aligned --ptxas=off --cache=off -o %t.fuse
// RUN: rm -rf %t && fuse-image --extract=%t %t.fuse
// RUN: cat %t/*.ptx | FileCheck %s --check-prefix=PAIRED
// PAIRED: mul.rn.ftz.f32
func.func @silu(%x: !t {fuse.name = "x"}) -> !h {
  %scale = arith.constant dense<0x7E000000> : !t
  %0 = fuse.silu %x : !t
  %1 = arith.mulf %0, %scale : !t
  %2 = arith.truncf %1 : !t to !h
  return %2 : !h
}

// Every other column is `u`.
func.func @beside(%x: !t {fuse.name = "x"}, %u: tensor<f32> {fuse.name = "u"}) -> !h {
  %column = fuse.iota dim 1 : tensor<64x256xi32>
  %ones = arith.constant dense<1> : tensor<64x256xi32>
  %bit = arith.andi %column, %ones : tensor<64x256xi32>
  %odd = arith.cmpi eq, %bit, %ones : tensor<64x256xi32>
  %all = fuse.broadcast %u dims [] : tensor<f32> -> !t
  %0 = arith.select %odd, %all, %x : tensor<64x256xi1>, !t
  %1 = fuse.silu %0 : !t
  %2 = arith.truncf %1 : !t to !h
  return %2 : !h
}

// Large where the exponent is.
func.func @slope(%x: !t {fuse.name = "x"}) -> !h {
  %tiny = arith.constant dense<-1.0e-36> : !t
  %one = arith.constant dense<1.0> : !t
  %0 = arith.mulf %x, %tiny : !t
  %1 = math.exp %0 : !t
  %2 = arith.addf %1, %one : !t
  %3 = arith.divf %x, %2 : !t
  %4 = arith.truncf %3 : !t to !h
  return %4 : !h
}

func.func @layer(%x: tensor<200x72xf16>, %w: tensor<72x264xf16>) -> tensor<200x264xf16> {
  %0 = fuse.matmul %x, %w : tensor<200x72xf16>, tensor<72x264xf16> -> tensor<200x264xf32>
  %1 = fuse.gelu tanh %0 : tensor<200x264xf32>
  %2 = arith.truncf %1 : tensor<200x264xf32> to tensor<200x264xf16>
  return %2 : tensor<200x264xf16>
}

func.func @product(%x: tensor<200x72xf16>, %w: tensor<72x264xf16>) -> tensor<200x264xf16> {
  %0 = fuse.matmul %x, %w : tensor<200x72xf16>, tensor<72x264xf16> -> tensor<200x264xf32>
  %1 = arith.truncf %0 : tensor<200x264xf32> to tensor<200x264xf16>
  return %1 : tensor<200x264xf16>
}
