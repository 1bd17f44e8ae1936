// X_group_norm: 32 channels of 9 x 9 pixels in 8 groups, each brought to mean 0
// and deviation 1.

!x = tensor<5x32x81xf32>
!g = tensor<5x8x4x81xf32>
!s = tensor<5x8xf32>

func.func @group_norm(%x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 3, 1>}) -> !x {
  %eps = arith.constant dense<1.0e-05> : !s
  %g = fuse.expand %x dim 1 into [8, 4] : !x
  %mean = fuse.reduce mean %g dims [2, 3] : !g
  %means = fuse.broadcast %mean dims [0, 1] : !s -> !g
  %c = arith.subf %g, %means : !g
  %q = arith.mulf %c, %c : !g
  %v = fuse.reduce mean %q dims [2, 3] : !g
  %k = arith.addf %v, %eps : !s
  %r = math.rsqrt %k : !s
  %rs = fuse.broadcast %r dims [0, 1] : !s -> !g
  %n = arith.mulf %c, %rs : !g
  %y = fuse.collapse %n dims [1, 2] : !g
  return %y : !x
}
