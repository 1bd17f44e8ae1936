// What f16 cannot hold of a product without a factor, it holds with it: the factor does not come late. It may where it stays
// with nothing but what is read, and then it is made in f32: the reciprocal of 5e-7 is infinite in f16, and that of 40000 has
// lost digits.

// DEFINE: %{entry} = pool
// DEFINE: %{data} = --input=w=uniform:100:200 --input=x=uniform:1000:2000
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify %{data}
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG --implicit-check-not=defer
// DEFINE: %{late} = FileCheck %s --check-prefix=LATE
// RUN: %{run} --target=cpu | %{right}
// RUN: %{run} --target=simulate --chip=sm_90a | %{right}
// REDEFINE: %{entry} = gains
// REDEFINE: %{data} = --input=x=uniform:1000:5000 --input=g=uniform:10:50
// RUN: %{run} --target=cpu | %{right}
// RUN: %{run} --target=simulate --chip=sm_90a | %{right}
// CHECK: verify: right

// REDEFINE: %{entry} = product
// REDEFINE: %{data} = --input=x=uniform:100:200 --input=w=uniform:1000:2000
// RUN: %{run} --target=cpu | %{late}
// RUN: %{run} --target=simulate --chip=sm_90a | %{late}
// REDEFINE: %{entry} = mean
// REDEFINE: %{data} = --input=x=uniform:1.0e-7:1.0e-6
// RUN: %{run} --target=cpu | %{late}
// What is the same for a row is part of the factor.
// REDEFINE: %{entry} = scales
// REDEFINE: %{data} = --input=x=uniform:1000:5000 --input=t=uniform:10:50
// RUN: %{run} --target=cpu | %{late}
// LATE: 1 wrt 0 = defer
// LATE: verify: right

func.func @pool(%w: tensor<4x256xf16> {fuse.name = "w"}, %x: tensor<4x256xf16> {fuse.name = "x"}) -> tensor<4xf16> {
  %m = fuse.reduce sum %w dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %n = arith.divf %w, %mb : tensor<4x256xf16>
  %p = arith.mulf %n, %x : tensor<4x256xf16>
  %s = fuse.reduce sum %p dims [1] : tensor<4x256xf16>
  return %s : tensor<4xf16>
}

func.func @gains(%x: tensor<4x256xf16> {fuse.name = "x"}, %g: tensor<256xf16> {fuse.name = "g"}, %w: tensor<256x64xf16>) -> tensor<4x64xf32> {
  %a = math.absf %x : tensor<4x256xf16>
  %m = fuse.reduce mean %a dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %n = arith.divf %x, %mb : tensor<4x256xf16>
  %gb = fuse.broadcast %g dims [1] : tensor<256xf16> -> tensor<4x256xf16>
  %ng = arith.mulf %n, %gb : tensor<4x256xf16>
  %s = fuse.matmul %ng, %w : tensor<4x256xf16>, tensor<256x64xf16> -> tensor<4x64xf32>
  return %s : tensor<4x64xf32>
}

func.func @product(%x: tensor<4x256xf16> {fuse.name = "x"}, %w: tensor<256x64xf16> {fuse.name = "w"}) -> tensor<4x64xf32> {
  %m = fuse.reduce sum %x dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %n = arith.divf %x, %mb : tensor<4x256xf16>
  %s = fuse.matmul %n, %w : tensor<4x256xf16>, tensor<256x64xf16> -> tensor<4x64xf32>
  return %s : tensor<4x64xf32>
}

func.func @mean(%x: tensor<4x256xf16> {fuse.name = "x"}, %w: tensor<256x64xf16>) -> tensor<4x64xf32> {
  %m = fuse.reduce mean %x dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %n = arith.divf %x, %mb : tensor<4x256xf16>
  %s = fuse.matmul %n, %w : tensor<4x256xf16>, tensor<256x64xf16> -> tensor<4x64xf32>
  return %s : tensor<4x64xf32>
}

func.func @scales(%x: tensor<4x256xf16> {fuse.name = "x"}, %t: tensor<4xf16> {fuse.name = "t"}, %w: tensor<256x64xf16>) -> tensor<4x64xf32> {
  %m = fuse.reduce mean %x dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %n = arith.divf %x, %mb : tensor<4x256xf16>
  %tb = fuse.broadcast %t dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %nt = arith.mulf %n, %tb : tensor<4x256xf16>
  %c = arith.constant dense<2.0> : tensor<4x256xf16>
  %nc = arith.mulf %nt, %c : tensor<4x256xf16>
  %s = fuse.matmul %nc, %w : tensor<4x256xf16>, tensor<256x64xf16> -> tensor<4x64xf32>
  return %s : tensor<4x64xf32>
}
