// X_swiglu: RMSNorm and a SwiGLU MLP, as in most language models of today.
//
//   n = x / sqrt(mean(x^2) + eps) * g
//   y = (silu(n @ wg) * (n @ wu)) @ wd

!x = tensor<?x192xf32>
!h = tensor<?x512xf32>

func.func @rms_swiglu(%x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 1>},
                      %g: tensor<192xf32> {fuse.name = "g", fuse.fill = #fuse.fill<uniform, 0.5, 1.5>},
                      %wg: tensor<192x512xf32> {fuse.name = "wg", fuse.fill = #fuse.fill<normal, 0, 0.07>},
                      %wu: tensor<192x512xf32> {fuse.name = "wu", fuse.fill = #fuse.fill<normal, 0, 0.07>},
                      %wd: tensor<512x192xf32> {fuse.name = "wd", fuse.fill = #fuse.fill<normal, 0, 0.05>}) -> !x {
  %n = fuse.rms_norm %x scale %g eps 1.0e-5 : !x, tensor<192xf32>
  %a = fuse.matmul %n, %wg : !x, tensor<192x512xf32> -> !h
  %b = fuse.matmul %n, %wu : !x, tensor<192x512xf32> -> !h
  %s = fuse.silu %a : !h
  %p = arith.mulf %s, %b : !h
  %y = fuse.matmul %p, %wd : !h, tensor<512x192xf32> -> !x
  return %y : !x
}
