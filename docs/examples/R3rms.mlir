// R3rms: RMSNorm in bf16, computed in f32.
//
//   y[i,:] = x[i,:] / sqrt(sum_j x[i,j]^2 / n + 1e-6) * gamma          x, y: bf16 [8192,4096]   gamma: f32 [4096]
//
// One reduction and no cascade: the statistic is a factor of the row.

!x = tensor<8192x4096xbf16>
!f = tensor<8192x4096xf32>
!n = tensor<4096xf32>

func.func @rms_norm(
    %x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
    %gamma: !n {fuse.name = "gamma", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>}) -> !x {
  %wide = arith.extf %x : !x to !f
  %normed = fuse.rms_norm %wide scale %gamma eps 1.0e-6 : !f, !n
  %y = arith.truncf %normed : !f to !x
  return %y : !x
}
