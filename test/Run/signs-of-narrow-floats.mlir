// Op by op, the sign of a bf16 was lost, and erf of -0 was 0 on processors.

// RUN: fuse-run %s --entry=copied --target=reference --fill=normal:0:1 --verify=exact | FileCheck %s --implicit-check-not=WRONG
// RUN: fuse-run %s --entry=copied --target=cpu --fill=normal:0:1 --verify=exact | FileCheck %s --implicit-check-not=WRONG
// RUN: fuse-run %s --entry=copied --target=simulate --fill=normal:0:1 --verify=exact | FileCheck %s --implicit-check-not=WRONG
// CHECK: verify: right
// CHECK: verify: right
// CHECK: verify: right

func.func @copied(%x: tensor<64xbf16>, %y: tensor<64xbf16>, %u: tensor<64xf16>, %v: tensor<64xf16>)
    -> (tensor<64xbf16>, tensor<64xf16>, tensor<64xbf16>) {
  %minus = arith.constant dense<-1.0> : tensor<64xbf16>
  %0 = math.copysign %x, %y : tensor<64xbf16>
  %1 = math.copysign %u, %v : tensor<64xf16>
  %2 = math.copysign %x, %minus : tensor<64xbf16>
  return %0, %1, %2 : tensor<64xbf16>, tensor<64xf16>, tensor<64xbf16>
}

// The sign of a quotient by what erf leaves of -0.
// RUN: fuse-run %s --entry=zero --target=cpu --input=x=-0.0 | FileCheck %s --check-prefix=ZERO
// RUN: fuse-run %s --entry=zero --target=simulate --input=x=-0.0 | FileCheck %s --check-prefix=ZERO
// RUN: fuse-run %s --entry=zero --target=reference --input=x=-0.0 | FileCheck %s --check-prefix=ZERO
// ZERO: from -inf to -inf

func.func @zero(%x: tensor<5xf32> {fuse.name = "x"}) -> tensor<5xf32> {
  %one = arith.constant dense<1.0> : tensor<5xf32>
  %0 = math.erf %x : tensor<5xf32>
  %1 = arith.divf %one, %0 : tensor<5xf32>
  return %1 : tensor<5xf32>
}
