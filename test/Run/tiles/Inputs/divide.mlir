// Each row is divided by a number of its own; TYPE is replaced.
tile.kernel @divide(%x: memref<?x64xTYPE>, %d: memref<?xTYPE>, %y: memref<?x64xTYPE>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %xs = tile.load %x[%i, %c0] : memref<?x64xTYPE> -> tensor<1x64xTYPE>
  %numbers = tile.load %d[%i] : memref<?xTYPE> -> tensor<1xTYPE>
  %ds = tile.broadcast %numbers dims [0] : tensor<1xTYPE> -> tensor<1x64xTYPE>
  %ys = arith.divf %xs, %ds : tensor<1x64xTYPE>
  tile.store %ys, %y[%i, %c0] : tensor<1x64xTYPE>, memref<?x64xTYPE>
  tile.return
}

func.func @quotients(%x: tensor<?x64xTYPE>, %d: tensor<?xTYPE>) -> tensor<?x64xTYPE> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xTYPE>
  %y = tile.launch @divide blocks(%rows) (%x, %d) sizes(%rows) : (tensor<?x64xTYPE>, tensor<?xTYPE>) -> tensor<?x64xTYPE>
  return %y : tensor<?x64xTYPE>
}
