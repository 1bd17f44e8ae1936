// Modules that consist of tiles: what is told of them, and what is refused.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{run} = fuse-run %s --entry=double --shape=x:10x16
// DEFINE: %{usage} = %S/Inputs/fails.sh 2 %t.log fuse-run %s
// DEFINE: %{input} = %S/Inputs/fails.sh 3 %t.log fuse-run %s
// DEFINE: %{unsupported} = %S/Inputs/fails.sh 4 %t.log fuse-run %s

// The plan, and the memory that it takes.
// RUN: %{run} --threads=2 | FileCheck %s --check-prefix=PLAN
// PLAN:      tiles.mlir: @double on cpu
// PLAN:      plan: 1 kernel{{$}}
// PLAN-NEXT:   1 @twice: tile.load, arith.addf, tile.dot, tile.store -> tensor<10x16xf32>  (tiles.mlir:{{[0-9]+}})
// PLAN-NEXT:     grid 10, reads 640 bytes, writes 640 bytes
// PLAN-NEXT:     #fuse.schedule
// PLAN-NEXT: memory: 0 bytes for intermediate results of 0 bytes; {{.*}} for each of 2 threads

// Every kernel is timed on its own. A product of 1x16 and 16x16, ten times.
// RUN: %{run} --bench --samples=3 | FileCheck %s --check-prefix=BENCH
// BENCH: time: median {{.*}} of 3 runs
// BENCH-NEXT: @twice: {{.*}}s, {{.*}} GB/s, {{.*}} GFLOP/s
// RUN: %{run} --bench --samples=3 --json | %python %S/Inputs/report.py \
// RUN:   'r["kernels"][0]["dot_flops"] == 2 * 10 * 16 * 16 and 0 < r["kernels"][0]["seconds"] <= r["time_seconds"]["max"]'

// Every stage on the way, each a module that can be read again.
// RUN: %{run} --dump-stages=%t/stages > /dev/null && ls %t/stages | FileCheck %s --check-prefix=STAGES
// STAGES:      0-tiles.mlir
// STAGES-NEXT: 1-vector.mlir
// STAGES-NEXT: 2-llvm.mlir
// STAGES-NOT:  {{.}}
// RUN: for f in %t/stages/*; do fuse-opt $f -o /dev/null || exit 1; done
// RUN: FileCheck %s --check-prefix=TILES < %t/stages/0-tiles.mlir
// TILES-DAG: tile.kernel @twice
// TILES-DAG: tile.launch @twice
// TILES-NOT: @unused
// RUN: FileCheck %s --check-prefix=VECTOR < %t/stages/1-vector.mlir
// VECTOR: func.func @fuse_kernel_twice

// Results are compared with files.
// RUN: %{run} --input=x=1 --output=0=%t/y.npy > /dev/null && %{run} --input=x=1 --expect=0=%t/y.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: y.npy: right
// RUN: %{run} --input=x=2 --expect=0=%t/y.npy > %t/wrong; test $? -eq 1

// There is no graph that the reference could run, and none to cut into kernels.
// RUN: %{usage} --entry=double --verify | FileCheck %s --check-prefix=VERIFY
// VERIFY: fuse-run: error: --verify: {{.*}}tiles.mlir consists of tiles, which the reference cannot run; compare with files, --expect=N=FILE.npy
// RUN: %{usage} --entry=double --target=reference | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: fuse-run: error: --target=reference: {{.*}}tiles.mlir consists of tiles, but the reference road runs graphs
// RUN: %{usage} --entry=double --shape=x:1x16 '--schedule=@twice:#fuse.schedule<>' | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: fuse-run: error: --schedule names kernel 'twice', but the module consists of tiles already
// RUN: %{usage} --entry=double --shape=x:1x16 --fuse-report=%t/report | FileCheck %s --check-prefix=REPORT
// REPORT: fuse-run: error: --fuse-report has nothing to say: the module consists of tiles already
// RUN: %{usage} --entry=double --shape=x:1x16 --most-kernels=1 | FileCheck %s --check-prefix=MOST
// MOST: fuse-run: error: --most-kernels has nothing to do: the module consists of tiles already

// Switches that make no sense.
// RUN: %{usage} --threads=0 | FileCheck %s --check-prefix=THREADS
// RUN: %{usage} --threads=1025 | FileCheck %s --check-prefix=THREADS
// THREADS: fuse-run: error: --threads must be from 1 to 1024
// RUN: %{usage} --threads=-1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: --threads option: '-1' value invalid for
// RUN: env FUSE_NUM_THREADS=many %{usage} --entry=double --shape=x:1x16 | FileCheck %s --check-prefix=ENVIRONMENT
// ENVIRONMENT: fuse-run: error: FUSE_NUM_THREADS is 'many', but a number of threads from 1 to 1024 is needed
// RUN: %{usage} '--schedule=twice:#fuse.schedule<>' | FileCheck %s --check-prefix=AT
// AT: fuse-run: error: --schedule=twice:#fuse.schedule<>: expected @KERNEL:...
// RUN: %{usage} --schedule=@twice | FileCheck %s --check-prefix=NO-TEXT
// NO-TEXT: fuse-run: error: --schedule=@twice: expected @NAME:...
// RUN: %{usage} "--schedule=@k:owned = 0" "--schedule=@k:owned = 1" | FileCheck %s --check-prefix=TWICE
// TWICE: fuse-run: error: --schedule is given twice for '@k'

// Launches that do not fit together, at the op that is wrong.
// RUN: %{input} --entry=static --shape=x:3 | FileCheck %s --check-prefix=SIZE
// SIZE: tiles.mlir:{{[0-9:]+}}: error: 'tile.launch' op passes a tensor of shape 3 for argument #0, which needs to be 'memref<4xf32>'
// SIZE: note: the argument is here
// SIZE: fuse-run: error: the launches of 'static' cannot be planned
// RUN: %{input} --entry=gaps | FileCheck %s --check-prefix=GAPS
// GAPS: error: 'tile.launch' op passes a tensor without gaps for argument #0, whose rows are 8 elements apart
// GAPS: note: the argument is here
// RUN: %{input} --entry=grid --shape=n:3 | FileCheck %s --check-prefix=GRID
// GRID: error: 'tile.launch' op has a grid with the extent -3
// RUN: %{input} --entry=sizes --shape=n:3 | FileCheck %s --check-prefix=SIZES
// SIZES: error: 'tile.launch' op makes a tensor of type 'tensor<?xf32>' with the size -3
// RUN: %{input} --entry=no_blocks --shape=n:3 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: 'tile.launch' op runs no blocks, but has an output of shape 3 to write
// RUN: %{input} --entry=many_blocks --shape=n:9223372036854775807 | FileCheck %s --check-prefix=MANY
// MANY: error: 'tile.launch' op has a grid of 9223372036854775807x9223372036854775807, more blocks than 64 bits can count
// RUN: %{input} --entry=dim --shape=x:3 --shape=n:1 | FileCheck %s --check-prefix=DIM
// DIM: error: 'tensor.dim' op asks for dimension 1 of a tensor that has 1
// RUN: %{input} --entry=cast --shape=x:3 | FileCheck %s --check-prefix=CAST
// CAST: error: 'tensor.cast' op claims type 'tensor<4xf32>' for a tensor of shape 3
// RUN: %{input} --entry=division --shape=n:0 | FileCheck %s --check-prefix=DIVISION
// DIVISION: error: 'arith.divsi' op gives no number for these sizes
// RUN: %{input} --entry=returns_index --shape=n:0 | FileCheck %s --check-prefix=RETURNS
// RETURNS: error: 'func.return' op returns a value of type 'index', but only tensors can be returned
// RUN: %{input} --entry=encoded --shape=x:4 | FileCheck %s --check-prefix=ENCODED
// ENCODED: error: 'func.func' op has a value of type 'tensor<4xf32, "column">', which no buffer can hold
// RUN: %{input} --entry=blocks --shape=x:4 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: 'func.func' op has several blocks; which kernels run must not depend on data

// Constants whose data are not there.
// RUN: %{input} --entry=short_data | FileCheck %s --check-prefix=SHORT
// SHORT: error: 'arith.constant' op holds 4 bytes, but its type needs 16 bytes
// RUN: %{input} --entry=no_data | FileCheck %s --check-prefix=NO-RESOURCE
// NO-RESOURCE: error: 'arith.constant' op names data that the module does not have
// RUN: %{input} --entry=sparse | FileCheck %s --check-prefix=SPARSE
// SPARSE: error: 'arith.constant' op is neither dense nor a dense resource

// What does not belong among tiles.
// RUN: %{unsupported} --entry=graph --shape=x:3 | FileCheck %s --check-prefix=GRAPH
// GRAPH: error: 'fuse.relu' does not belong to the stage 'tiles'

// More memory than there is, before anything runs.
// RUN: %{unsupported} --entry=large --shape=x:4 --threads=2 | FileCheck %s --check-prefix=LARGE
// LARGE: fuse-run: error: running the kernels needs 4.0 TiB (16 bytes of outputs, 4.0 TiB of intermediate results, {{.*}} for each of 2 threads), but {{.*}} are available
// RUN: %{unsupported} --entry=large_result --shape=n:1099511627776 --threads=2 | FileCheck %s --check-prefix=LARGE-RESULT
// LARGE-RESULT: fuse-run: error: running the kernels needs 4.0 TiB (4.0 TiB of outputs, 0 bytes of intermediate results

tile.kernel @twice(%x: memref<?x16xf32>, %y: memref<?x16xf32>) outputs 1 blocks(%i) attributes {schedule = "#fuse.schedule"} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<1x16xf32>
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %xs = tile.load %x[%i, %c0] : memref<?x16xf32> -> tensor<1x16xf32>
  %two = arith.addf %xs, %xs : tensor<1x16xf32>
  %ys = tile.dot %two, %one, %zero : tensor<1x16xf32>, tensor<16x16xf32> -> tensor<1x16xf32>
  tile.store %ys, %y[%i, %c0] : tensor<1x16xf32>, memref<?x16xf32>
  tile.return
}
func.func @double(%x: tensor<?x16xf32> {fuse.name = "x"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x16xf32>
  %y = tile.launch @twice blocks(%rows) (%x) sizes(%rows) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// Dropped with what it launches.
func.func @unused_host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tile.launch @unused blocks() (%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
tile.kernel @unused(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %xs = tile.load %x[%c0] : memref<4xf32> -> tensor<4xf32>
  tile.store %xs, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}

func.func @static(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %y = tile.launch @unused blocks() (%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

tile.kernel @apart(%x: memref<4x5xf32, strided<[8, 1]>>, %y: memref<4x5xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %xs = tile.load %x[%c0, %c0] : memref<4x5xf32, strided<[8, 1]>> -> tensor<4x5xf32>
  tile.store %xs, %y[%c0, %c0] : tensor<4x5xf32>, memref<4x5xf32>
  tile.return
}
func.func @gaps(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %y = tile.launch @apart blocks() (%x) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}

// One number, to each of any.
tile.kernel @fill(%y: memref<?xf32>) outputs 1 blocks(%i) {
  %one = arith.constant dense<1.0> : tensor<1xf32>
  tile.store %one, %y[%i] : tensor<1xf32>, memref<?xf32>
  tile.return
}
func.func @grid(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %extent = arith.subi %c0, %n : index
  %y = tile.launch @fill blocks(%extent) () sizes(%n) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @sizes(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = arith.subi %c0, %n : index
  %y = tile.launch @fill blocks(%n) () sizes(%size) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @no_blocks(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %y = tile.launch @fill blocks(%c0) () sizes(%n) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
tile.kernel @fill2(%y: memref<?xf32>) outputs 1 blocks(%i, %j) {
  tile.return
}
func.func @many_blocks(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %y = tile.launch @fill2 blocks(%n, %n) () sizes(%c0) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @dim(%x: tensor<?xf32> {fuse.name = "x"}, %n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %size = tensor.dim %x, %n : tensor<?xf32>
  %y = tile.launch @fill blocks(%size) () sizes(%size) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @cast(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %y = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @division(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %c8 = arith.constant 8 : index
  %size = arith.divsi %c8, %n : index
  %y = tile.launch @fill blocks(%size) () sizes(%size) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @returns_index(%n: index {fuse.name = "n"}) -> index {
  return %n : index
}
func.func @graph(%x: tensor<?xf32> {fuse.name = "x"}) -> tensor<?xf32> {
  %y = fuse.relu %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

tile.kernel @spread(%x: memref<4xf32>, %y: memref<1048576x1048576xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %xs = tile.load %x[%c0] map (d0, d1) -> (d1) : memref<4xf32> -> tensor<1x4xf32>
  tile.store %xs, %y[%i, %c0] : tensor<1x4xf32>, memref<1048576x1048576xf32>
  tile.return
}
tile.kernel @gathered(%x: memref<1048576x1048576xf32>, %y: memref<4xf32>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %xs = tile.load %x[%c0, %c0] map (d0) -> (0, d0) : memref<1048576x1048576xf32> -> tensor<4xf32>
  tile.store %xs, %y[%c0] : tensor<4xf32>, memref<4xf32>
  tile.return
}
func.func @large(%x: tensor<4xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %between = tile.launch @spread blocks(%c1) (%x) : (tensor<4xf32>) -> tensor<1048576x1048576xf32>
  %y = tile.launch @gathered blocks() (%between) : (tensor<1048576x1048576xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @large_result(%n: index {fuse.name = "n"}) -> tensor<?xf32> {
  %y = tile.launch @fill blocks(%n) () sizes(%n) : () -> tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @encoded(%x: tensor<4xf32, "column"> {fuse.name = "x"}) -> tensor<4xf32, "column"> {
  return %x : tensor<4xf32, "column">
}
func.func @blocks(%x: tensor<4xf32> {fuse.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
^never:
  return %x : tensor<4xf32>
}
func.func @short_data() -> tensor<4xf32> {
  %x = arith.constant dense_resource<short> : tensor<4xf32>
  return %x : tensor<4xf32>
}
func.func @no_data() -> tensor<4xf32> {
  %x = arith.constant dense_resource<missing> : tensor<4xf32>
  return %x : tensor<4xf32>
}
func.func @sparse() -> tensor<4xf32> {
  %x = arith.constant sparse<[[1]], [2.0]> : tensor<4xf32>
  return %x : tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}
