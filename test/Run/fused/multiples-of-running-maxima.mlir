// A maximum so far is finite, and a multiple of it may not be: where all that a row has seen is -inf, neither what it is
// moved by nor what is less than it is inf - inf. The loops do not know where that ends, for their bounds are linear.

// DEFINE: %{entry} = divided
// DEFINE: %{schedule} = parallel = [4], sequential = [r256_0 = 32], cascades = [1 wrt 0 = rescale]
// DEFINE: %{right} = FileCheck %s --implicit-check-not=WRONG --implicit-check-not="from nan"
// DEFINE: %{run} = fuse-run %s --entry=%{entry} --verify
// DEFINE: %{all} = %{run} --target=cpu --schedule="@%{entry}_0:%{schedule}" | %{right} && \
// DEFINE:          %{run} --target=cpu --schedule="@%{entry}_0:%{schedule}, split = 2" | %{right} && \
// DEFINE:          %{run} --target=simulate --chip=sm_90a --schedule="@%{entry}_0:%{schedule}" | %{right}
// RUN: %{all}
// REDEFINE: %{entry} = halves
// RUN: %{all}
// REDEFINE: %{entry} = multiples
// RUN: %{all}
// REDEFINE: %{entry} = minima
// RUN: %{all}
// REDEFINE: %{entry} = narrowed
// RUN: %{all}

// Multiples of large numbers are rounded by more than powers can be moved by: what is the same is moved by 1.
// RUN: fuse-run %s --entry=multiples --verify --input=x=3.3e19 --target=simulate --chip=sm_90a --schedule="@multiples_0:%{schedule}" | %{right}
// CHECK: verify: right

func.func @divided(%x: tensor<4x256xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %far = arith.constant dense<0xFF800000> : tensor<4x256xf32>
  %i = fuse.iota dim 1 : tensor<4x256xi32>
  %ii = arith.muli %i, %i : tensor<4x256xi32>
  %end = arith.constant dense<10000> : tensor<4x256xi32>
  %is = arith.cmpi sge, %ii, %end : tensor<4x256xi32>
  %s = arith.select %is, %x, %far : tensor<4x256xi1>, tensor<4x256xf32>
  %m = fuse.reduce max %s dims [1] : tensor<4x256xf32>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf32> -> tensor<4x256xf32>
  %d = arith.subf %s, %mb : tensor<4x256xf32>
  %t = arith.constant dense<0.1> : tensor<4x256xf32>
  %q = arith.divf %d, %t : tensor<4x256xf32>
  %e = math.exp %q : tensor<4x256xf32>
  %r = fuse.reduce sum %e dims [1] : tensor<4x256xf32>
  return %r : tensor<4xf32>
}

func.func @halves(%x: tensor<4x256xf16> {fuse.name = "x"}) -> tensor<4xf16> {
  %far = arith.constant dense<0xFC00> : tensor<4x256xf16>
  %i = fuse.iota dim 1 : tensor<4x256xi32>
  %ii = arith.muli %i, %i : tensor<4x256xi32>
  %end = arith.constant dense<10000> : tensor<4x256xi32>
  %is = arith.cmpi sge, %ii, %end : tensor<4x256xi32>
  %s = arith.select %is, %x, %far : tensor<4x256xi1>, tensor<4x256xf16>
  %m = fuse.reduce max %s dims [1] : tensor<4x256xf16>
  %mb = fuse.broadcast %m dims [0] : tensor<4xf16> -> tensor<4x256xf16>
  %d = arith.subf %s, %mb : tensor<4x256xf16>
  %t = arith.constant dense<0.125> : tensor<4x256xf16>
  %q = arith.divf %d, %t : tensor<4x256xf16>
  %e = math.exp %q : tensor<4x256xf16>
  %r = fuse.reduce sum %e dims [1] : tensor<4x256xf16>
  return %r : tensor<4xf16>
}

func.func @multiples(%x: tensor<4x256xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %far = arith.constant dense<0xFF800000> : tensor<4x256xf32>
  %i = fuse.iota dim 1 : tensor<4x256xi32>
  %ii = arith.muli %i, %i : tensor<4x256xi32>
  %end = arith.constant dense<10000> : tensor<4x256xi32>
  %is = arith.cmpi sge, %ii, %end : tensor<4x256xi32>
  %s = arith.select %is, %x, %far : tensor<4x256xi1>, tensor<4x256xf32>
  %m = fuse.reduce max %s dims [1] : tensor<4x256xf32>
  %c = arith.constant dense<3.0> : tensor<4x256xf32>
  %cm = arith.constant dense<3.0> : tensor<4xf32>
  %mc = arith.mulf %m, %cm : tensor<4xf32>
  %mb = fuse.broadcast %mc dims [0] : tensor<4xf32> -> tensor<4x256xf32>
  %sc = arith.mulf %s, %c : tensor<4x256xf32>
  %d = arith.subf %sc, %mb : tensor<4x256xf32>
  %e = math.exp %d : tensor<4x256xf32>
  %r = fuse.reduce sum %e dims [1] : tensor<4x256xf32>
  return %r : tensor<4xf32>
}

func.func @minima(%x: tensor<4x256xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %far = arith.constant dense<0x7F800000> : tensor<4x256xf32>
  %i = fuse.iota dim 1 : tensor<4x256xi32>
  %ii = arith.muli %i, %i : tensor<4x256xi32>
  %end = arith.constant dense<10000> : tensor<4x256xi32>
  %is = arith.cmpi sge, %ii, %end : tensor<4x256xi32>
  %s = arith.select %is, %x, %far : tensor<4x256xi1>, tensor<4x256xf32>
  %m = fuse.reduce min %s dims [1] : tensor<4x256xf32>
  %c = arith.constant dense<3.0> : tensor<4x256xf32>
  %cm = arith.constant dense<3.0> : tensor<4xf32>
  %mc = arith.mulf %m, %cm : tensor<4xf32>
  %mb = fuse.broadcast %mc dims [0] : tensor<4xf32> -> tensor<4x256xf32>
  %sc = arith.mulf %s, %c : tensor<4x256xf32>
  %d = arith.subf %mb, %sc : tensor<4x256xf32>
  %e = math.exp %d : tensor<4x256xf32>
  %r = fuse.reduce sum %e dims [1] : tensor<4x256xf32>
  return %r : tensor<4xf32>
}

// bf16 has fewer numbers: the floor of f32 becomes infinite in it.
func.func @narrowed(%x: tensor<4x256xbf16> {fuse.name = "x"}) -> tensor<4xf32> {
  %far = arith.constant dense<0xFF80> : tensor<4x256xbf16>
  %i = fuse.iota dim 1 : tensor<4x256xi32>
  %ii = arith.muli %i, %i : tensor<4x256xi32>
  %end = arith.constant dense<10000> : tensor<4x256xi32>
  %is = arith.cmpi sge, %ii, %end : tensor<4x256xi32>
  %s = arith.select %is, %x, %far : tensor<4x256xi1>, tensor<4x256xbf16>
  %w = arith.extf %s : tensor<4x256xbf16> to tensor<4x256xf32>
  %m = fuse.reduce max %w dims [1] : tensor<4x256xf32>
  %mn = arith.truncf %m : tensor<4xf32> to tensor<4xbf16>
  %mb = fuse.broadcast %mn dims [0] : tensor<4xbf16> -> tensor<4x256xbf16>
  %d = arith.subf %s, %mb : tensor<4x256xbf16>
  %e = math.exp %d : tensor<4x256xbf16>
  %r = fuse.reduce sum %e dims [1] : tensor<4x256xbf16>
  %rw = arith.extf %r : tensor<4xbf16> to tensor<4xf32>
  return %rw : tensor<4xf32>
}
