// R3: LayerNorm in bf16, computed in f32.
//
//   y[i,:] = (x[i,:] - mean) / sqrt(var + 1e-5) * gamma + beta
//   mean = sum_j x[i,j] / n,   var = sum_j (x[i,j] - mean)^2 / n
//       x, y: bf16 [8192,4096]   gamma, beta: f32 [4096]
//
// The variance is taken around the mean, as written: E[x^2] - mean^2 would cancel wherever |mean| >> std. It needs the
// mean first, yet x is read from memory once.

!x = tensor<8192x4096xbf16>
!f = tensor<8192x4096xf32>
!n = tensor<4096xf32>

func.func @layer_norm(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
    %gamma: !n {fuse.name = "gamma", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
    %beta: !n {fuse.name = "beta"}) -> !x {
  %wide = arith.extf %x : !x to !f
  %normed = fuse.layer_norm %wide scale %gamma shift %beta eps 1.0e-5 : !f, !n, !n
  %y = arith.truncf %normed : !f to !x
  return %y : !x
}
