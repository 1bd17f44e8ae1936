// R2: softmax in bf16, computed in f32.
//
//   y[i,:] = softmax(x[i,:])          x, y: bf16 [8192,8192]
//
// Nothing is cast silently: the graph says that the softmax is f32 and where it is rounded. The two casts, like the
// softmax, never reach memory.

!x = tensor<8192x8192xbf16>
!f = tensor<8192x8192xf32>

func.func @softmax(%x: !x {fuse.name = "x", fuse.fill = #fuse.fill<normal, 0, 2>}) -> !x {
  %wide = arith.extf %x : !x to !f
  %softmax = fuse.softmax %wide dim 1 : !f
  %y = arith.truncf %softmax : !f to !x
  return %y : !x
}
