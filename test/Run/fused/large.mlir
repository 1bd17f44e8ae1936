// Outputs that are written past the caches: whole lines, ragged edges, rows
// that begin anywhere, narrow types.

// RUN: fuse-run %s --target=cpu --threads=2 --entry=rows --shape=x:2087x4112 --verify
// RUN: fuse-run %s --target=cpu --threads=3 --entry=rows --shape=x:11003x781 --verify
// RUN: fuse-run %s --target=cpu --threads=2 --entry=points --shape=x:2113x4112 --verify
// RUN: fuse-run %s --target=cpu --threads=2 --entry=points --shape=x:10867x781 --verify
// RUN: fuse-run %s --target=cpu --threads=2 --entry=narrow --shape=x:4219x4112 --verify

func.func @rows(%x: tensor<?x?xf32> {fuse.name = "x"}) -> tensor<?x?xf32> {
  %0 = fuse.softmax %x dim 1 : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @points(%x: tensor<?x?xf32> {fuse.name = "x"}) -> tensor<?x?xf32> {
  %0 = fuse.relu %x : tensor<?x?xf32>
  %1 = arith.addf %0, %x : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @narrow(%x: tensor<?x?xbf16> {fuse.name = "x"}) -> tensor<?x?xbf16> {
  %0 = fuse.relu %x : tensor<?x?xbf16>
  %1 = arith.addf %0, %x : tensor<?x?xbf16>
  return %1 : tensor<?x?xbf16>
}
