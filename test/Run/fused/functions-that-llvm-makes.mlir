// LLVM finds functions in others: sincos in a sine and a cosine of one angle,
// ldexp in a power of two to a whole number, exp10 in a power of ten, fmax in
// maxima of halves, and powi in a power that may be approximate, which neither
// the runtime nor, of vectors, a processor has.

// DEFINE: %{entry} =
// DEFINE: %{run} = fuse-run %s --target=cpu --entry=%{entry} --verify | FileCheck %s
// DEFINE: %{loads} = fuse-compile %s --entry=%{entry} --chip=x86-64,x86-64-v3,cpu --cache=off -o %t.fuse && fuse-run %t.fuse --target=cpu
// CHECK: verify: right
// CHECK-NOT: WRONG

// REDEFINE: %{entry} = short
// RUN: %{run}
// RUN: %{loads}
func.func @short(%x: tensor<3x5xf32>, %i: tensor<3x5xi32>, %d: tensor<3x5xf64>, %h: tensor<3x5xf16>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf16>) {
  %ten = arith.constant dense<10.0> : tensor<3x5xf32>
  %tenth = arith.constant dense<0.1> : tensor<3x5xf16>
  %sin = math.sin %x : tensor<3x5xf32>
  %cos = math.cos %x : tensor<3x5xf32>
  %0 = arith.addf %sin, %cos : tensor<3x5xf32>
  %n = arith.sitofp %i : tensor<3x5xi32> to tensor<3x5xf32>
  %1 = math.exp2 %n : tensor<3x5xf32>
  %2 = math.powf %ten, %x : tensor<3x5xf32>
  %dsin = math.sin %d : tensor<3x5xf64>
  %dcos = math.cos %d : tensor<3x5xf64>
  %3 = arith.addf %dsin, %dcos : tensor<3x5xf64>
  %m = arith.sitofp %i : tensor<3x5xi32> to tensor<3x5xf64>
  %4 = math.powf %d, %m fastmath<afn> : tensor<3x5xf64>
  %5 = arith.maxnumf %h, %tenth : tensor<3x5xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf16>
}

// REDEFINE: %{entry} = long
// RUN: %{run}
// RUN: %{loads}
func.func @long(%x: tensor<300x50xf64>, %i: tensor<300x50xi32>, %h: tensor<300x50xf16>)
    -> (tensor<300x50xf64>, tensor<300x50xf16>) {
  %tenth = arith.constant dense<0.1> : tensor<300x50xf16>
  %n = arith.sitofp %i : tensor<300x50xi32> to tensor<300x50xf64>
  %0 = math.powf %x, %n fastmath<afn> : tensor<300x50xf64>
  %1 = arith.maxnumf %h, %tenth : tensor<300x50xf16>
  return %0, %1 : tensor<300x50xf64>, tensor<300x50xf16>
}
