// Compiled once, before dynamic sizes are known, and run for several: none, one,
// odd ones, and more than the hint. Each run is compared with the reference.

// RUN: split-file %s %t
// DEFINE: %{cpu} = fuse-run %t/graphs.mlir --open-sizes --target=cpu --verify
// DEFINE: %{gpu} = fuse-run %t/graphs.mlir --open-sizes --target=simulate --verify
// DEFINE: %{right} = FileCheck %s --check-prefix=RIGHT --implicit-check-not=WRONG

// RUN: %{cpu} --entry=rows --shape=x:5x16/0x16/1x16/33x16 | %{right}
// RUN: %{gpu} --entry=rows --shape=x:5x16/0x16/1x16/33x16 --chip=sm_80 | %{right}
//      RIGHT: compiled in
//      RIGHT: verify: right
//      RIGHT: verify: right
//      RIGHT: verify: right
//      RIGHT: verify: right
//  RIGHT-NOT: verify

// Rows whose length is open, too, in loops that end somewhere.
// RUN: %{gpu} --entry=softmax --shape=x:4x40/1x1/3x129/0x7 --variants=any | %{right}

// All three sizes of a product.
// RUN: %{cpu} --entry=product --shape=x:9x24/1x1/0x3/5x0 --shape=w:24x17/1x1/3x2/0x2 | %{right}
// RUN: %{gpu} --entry=product --shape=x:9x24/1x1/0x3/5x0 --shape=w:24x17/1x1/3x2/0x2 --variants=rows | %{right}
// RUN: %{gpu} --entry=product --shape=x:9x24/8x64/2x8/5x0 --shape=w:24x16/64x8/8x8/0x8 | %{right}

// Sizes that ops make of others.
// RUN: %{cpu} --entry=made --shape=b:3x4/0x4/1x4/9x4 --shape=c:5x4/2x4/3x4/11x4 | %{right}
// RUN: %{cpu} --entry=heads --shape=x:6/2/0/4 --shape=y:3x2/1x2/0x2/2x2 | %{right}

// Sizes that are likely are nothing to code for memory, which was refused for them.
// RUN: %{cpu} --entry=likely --shape=x:5x16/0x16/1x16/33x16 | %{right}

// An index is bound all the same.
// RUN: %{cpu} --entry=repeat --shape=x:5/1/0/7 --shape=n:3 | %{right}
// RUN: %S/Inputs/fails.sh 2 %t %{cpu} --entry=repeat --shape=x:5/1 --shape=n:3/4 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: fuse-run: error: argument 'n' is an index, whose value is bound when the graph is compiled; give it one value

// Kernels that were written by hand have sizes, too.
// RUN: fuse-run %t/tiles.mlir --open-sizes --target=cpu --shape=x:5/0/1/9 | FileCheck %s --check-prefix=TILES
// TILES: 0: f32 5,
// TILES: 0: f32 0,
// TILES: 0: f32 1,
// TILES: 0: f32 9,

// What does not fit together is told of when it is run.
// RUN: not %{cpu} --entry=product --shape=x:9x24/9x24 --shape=w:24x17/23x17 2>&1 | FileCheck %s --check-prefix=EQUAL
// EQUAL: fuse-run: error: input 1 has the shape 23x17, but 24x17 (in0.size(1)xin1.size(1)) is needed
// RUN: not %{cpu} --entry=made --shape=b:3x4 --shape=c:5x4/6x4 2>&1 | FileCheck %s --check-prefix=MADE
// MADE: fuse-run: error: fuse.concat at graphs.mlir:{{[0-9]+}} makes a size that something else needs to be another: needed is 2 + in1.size(0) == in2.size(0), but in1.size(0) is 3 and in2.size(0) is 6
// RUN: not %{cpu} --entry=heads --shape=x:6/8 --shape=y:3x2 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: fuse-run: error: fuse.expand at graphs.mlir:{{[0-9]+}} needs factors whose product is the size: needed is in1.size(0) * 2 == in0.size(0), but in1.size(0) is 3 and in0.size(0) is 8
// RUN: not %{cpu} --entry=unused --shape=x:6/5 2>&1 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: fuse-run: error: fuse.expand at graphs.mlir:{{[0-9]+}} needs a size that its factors divide: needed is in0.size(0) divisible by 2, but in0.size(0) is 5
// RUN: not %{cpu} --entry=part --shape=x:6/2 2>&1 | FileCheck %s --check-prefix=PART
// PART: fuse-run: error: fuse.slice at graphs.mlir:{{[0-9]+}} takes a part of a dimension that is shorter: needed is 3 <= in0.size(0), but in0.size(0) is 2
// RUN: not %{cpu} --entry=static --shape=x:4/5 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: fuse-run: error: input 0 has the shape 5, but 4 is needed

// Sizes that do not follow from arguments before anything is run, or that no
// array has which a kernel reads.
// RUN: not %{cpu} --entry=behind --shape=x:6 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: error: 'fuse.kernel' op runs over a size that none of its operands has
// RUN: not %{cpu} --entry=both --shape=x:54 --shape=n:3 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: 'fuse.expand' op has several factors that do not follow from the sizes of arguments; bind them
// TWICE: fuse-run: error: the fused road cannot leave the sizes of this graph open
// RUN: not %{cpu} --entry=computed --shape=x:6 --shape=y:2 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: error: 'fuse.broadcast' op has a result of type 'tensor<?x?xf32>', whose sizes do not follow from those of arguments before it is run

// What cannot be asked for.
// RUN: %S/Inputs/fails.sh 2 %t fuse-run %t/graphs.mlir --entry=rows --shape=x:5x16/1x16 2>&1 | FileCheck %s --check-prefix=CLOSED
// CLOSED: fuse-run: error: --shape has several sizes for an argument, which --open-sizes is for
// RUN: %S/Inputs/fails.sh 2 %t %{cpu} --entry=product --shape=x:9x24/1x1/2x2 --shape=w:24x17/1x1 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: fuse-run: error: --shape has 2 shapes for 'w', but 3 for another argument
// RUN: %S/Inputs/fails.sh 2 %t fuse-run %t/graphs.mlir --open-sizes --target=reference --entry=rows --shape=x:5x16 2>&1 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: fuse-run: error: --open-sizes: the reference road knows all sizes when it compiles
// RUN: %S/Inputs/fails.sh 2 %t %{cpu} --entry=rows --shape=x:5x16/1x16 --bench 2>&1 | FileCheck %s --check-prefix=BENCH
// BENCH: fuse-run: error: --bench is about one run, but --shape asks for 2
// RUN: %S/Inputs/fails.sh 2 %t %{cpu} --entry=rows --shape=x:5x16/1x16 --profile=%t/p.json 2>&1 | FileCheck %s --check-prefix=PROFILE
// PROFILE: fuse-run: error: --profile is about one run, but --shape asks for 2

//--- graphs.mlir
func.func @likely(%x: tensor<?x16xf32> {fuse.name = "x", fuse.size_hints = array<i64: 128, 16>}) -> tensor<?x16xf32> {
  %0 = arith.addf %x, %x : tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

func.func @rows(%x: tensor<?x16xbf16> {fuse.name = "x"}) -> tensor<?x32xbf16> {
  %w = arith.constant dense<0.5> : tensor<16x32xbf16>
  %0 = fuse.matmul %x, %w : tensor<?x16xbf16>, tensor<16x32xbf16> -> tensor<?x32xf32>
  %1 = fuse.gelu tanh %0 : tensor<?x32xf32>
  %2 = arith.truncf %1 : tensor<?x32xf32> to tensor<?x32xbf16>
  return %2 : tensor<?x32xbf16>
}
func.func @softmax(%x: tensor<?x?xf32> {fuse.name = "x"}) -> tensor<?x?xf32> {
  %0 = fuse.softmax %x dim 1 : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @product(%x: tensor<?x?xbf16> {fuse.name = "x"}, %w: tensor<?x?xbf16> {fuse.name = "w"}) -> tensor<?x?xf32> {
  %0 = fuse.matmul %x, %w : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @made(%a: tensor<2x4xf32> {fuse.name = "a"}, %b: tensor<?x4xf32> {fuse.name = "b"},
                %c: tensor<?x4xf32> {fuse.name = "c"}) -> tensor<?x4xf32> {
  %0 = fuse.concat %a, %b dim 0 : tensor<2x4xf32>, tensor<?x4xf32>
  %1 = arith.addf %0, %c : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func @heads(%x: tensor<?xf32> {fuse.name = "x"}, %y: tensor<?x2xf32> {fuse.name = "y"}) -> tensor<?x2xf32> {
  %0 = fuse.expand %x dim 0 into [?, 2] : tensor<?xf32>
  %1 = arith.addf %0, %y : tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}
func.func @unused(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<?xf32> {
  %0 = fuse.expand %x dim 0 into [?, 2] : tensor<?xf32>
  %1 = arith.negf %x : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @behind(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<?xf32> {
  %0 = fuse.slice %x[1:] : tensor<?xf32>
  %1 = arith.negf %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @both(%x: tensor<?xf32> {fuse.name = "x"}, %n: index {fuse.name = "n"}) -> tensor<?x?xf32> {
  %m = arith.addi %n, %n : index
  %k = arith.addi %m, %n : index
  %0 = fuse.expand %x dim 0 into [?, ?] sizes [%m, %k] : tensor<?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @computed(%x: tensor<?xf32> {fuse.name = "x"}, %y: tensor<?xf32> {fuse.name = "y"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %m = arith.addi %n, %n : index
  %0 = fuse.broadcast %x dims [0] sizes [%m] : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @repeat(%x: tensor<?xf32> {fuse.name = "x"}, %n: index {fuse.name = "n"}) -> tensor<?x?xf32> {
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @part(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<3xf32> {
  %0 = fuse.slice %x[:3] : tensor<?xf32>
  %1 = arith.negf %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func @static(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  %1 = arith.negf %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- tiles.mlir
tile.kernel @negate(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %at = arith.muli %i, %c4 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %left = arith.subi %size, %at : index
  %0 = tile.load %x[%at] limits(%left) axes [0] : memref<?xf32> -> tensor<4xf32>
  %1 = arith.negf %0 : tensor<4xf32>
  tile.store %1, %y[%at] limits(%left) axes [0] : tensor<4xf32>, memref<?xf32>
  tile.return
}
func.func @launches(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %blocks = arith.ceildivsi %size, %c4 : index
  %0 = tile.launch @negate blocks(%blocks) (%x) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
