// What fuse cannot do, or not with the memory there is: status 4.

// DEFINE: %{fails-anywhere} = %S/Inputs/fails.sh 4 %t.log fuse-run %s
// DEFINE: %{fails} = %S/Inputs/fails.sh 4 %t.log fuse-run %s --target=reference

// Calls that cannot be inlined, and ops that are no part of a graph.
// RUN: %{fails} --entry=recurses | FileCheck %s --check-prefix=RECURSES
// RECURSES: unsupported.mlir:[[#@LINE+79]]:8: error: 'func.call' does not belong to the stage 'graph'
// RUN: %{fails} --entry=recurses_in_turn | FileCheck %s --check-prefix=CALL
// RUN: %{fails} --entry=calls_outside | FileCheck %s --check-prefix=CALL
// CALL: error: 'func.call' does not belong to the stage 'graph'
// RUN: %{fails} --entry=loops --shape=n:3 | FileCheck %s --check-prefix=LOOPS
// LOOPS: error: 'scf.for' does not belong to the stage 'graph'
// RUN: %{fails} --entry=blocks | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: 'func.func' op has several blocks, but a graph is one

// Ops that upstream lowers on no processor, and roundings that no chip has.
// RUN: %{fails} --entry=isinf | FileCheck %s --check-prefix=ISINF
// ISINF: error: 'math.isinf' op cannot be lowered; compare with infinity, or use minimumf and maximumf
// RUN: %{fails} --entry=isnormal | FileCheck %s --check-prefix=ISNORMAL
// ISNORMAL: error: 'math.isnormal' op cannot be lowered; compare with infinity, or use minimumf and maximumf
// RUN: %{fails} --entry=clampf | FileCheck %s --check-prefix=CLAMPF
// CLAMPF: error: 'math.clampf' op cannot be lowered; compare with infinity, or use minimumf and maximumf
// RUN: %{fails} --entry=rounds | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: error: 'arith.truncf' op rounds downward, but only to_nearest_even can be lowered

// Arguments and results of types that are no tensors of numbers.
// RUN: %{fails} --entry=memory | FileCheck %s --check-prefix=MEMORY
// MEMORY: fuse-run: error: argument 'm' has type memref<4xf32>; only ranked tensors and index can be passed
// RUN: %{fails} --entry=unranked | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: fuse-run: error: argument '0' has type tensor<*xf32>; only ranked
// RUN: %{fails} --entry=number | FileCheck %s --check-prefix=NUMBER
// NUMBER: fuse-run: error: argument '0' has type f32; only ranked
// RUN: %{fails} --entry=odd | FileCheck %s --check-prefix=ODD
// ODD: fuse-run: error: argument '0' has type tensor<4xi7>, whose elements fuse-run has no data for
// RUN: %{fails} --entry=complex | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: fuse-run: error: argument '0' has type tensor<4xcomplex<f32>>, whose elements
// RUN: %{fails} --entry=encoded | FileCheck %s --check-prefix=ENCODED
// ENCODED: error: 'func.func' op has a value of type 'tensor<4xf32, "column">', but graphs work on ranked tensors and scalars of integers, floats and index
// RUN: %{fails} --entry=vector | FileCheck %s --check-prefix=VECTOR
// VECTOR: fuse-run: error: argument '0' has type vector<4xf32>; only ranked
// RUN: %{fails} --entry=vector_inside | FileCheck %s --check-prefix=VECTOR-INSIDE
// VECTOR-INSIDE: error: 'arith.constant' op has a value of type 'vector<4xf32>', but graphs work on ranked tensors and scalars of integers, floats and index
// RUN: %{fails} --entry=complex_inside | FileCheck %s --check-prefix=COMPLEX-INSIDE
// COMPLEX-INSIDE: error: 'arith.constant' op has a value of type 'tensor<4xcomplex<f32>>', but graphs work on
// RUN: for road in cpu reference simulate; do %{fails-anywhere} --target=$road --entry=returns_index || exit 1; done | FileCheck %s --check-prefix=RESULT
// RESULT-COUNT-3: fuse-run: error: result #0 has type index; only ranked tensors can be returned

// More memory than there is: as an argument, on the way, and as a result.
// RUN: %{fails} --entry=large | FileCheck %s --check-prefix=LARGE
// LARGE: fuse-run: error: argument '0': a buffer of shape 1099511627776 of f32 needs 4.0 TiB, but {{.*}} are available
// RUN: %{fails} --entry=large_inside | FileCheck %s --check-prefix=INSIDE
// INSIDE: unsupported.mlir:[[#@LINE+119]]:8: remark: the most memory is taken here
// INSIDE: fuse-run: error: running op by op needs {{.*}} TiB, but {{.*}} are available
// RUN: %{fails} --entry=large_result | FileCheck %s --check-prefix=INSIDE-RESULT
// INSIDE-RESULT: remark: the most memory is taken here
// INSIDE-RESULT: fuse-run: error: running op by op needs {{.*}} TiB, but {{.*}} are available
// RUN: for road in cpu reference simulate; do %{fails-anywhere} --target=$road --chip=sm_80 --entry=larger_inside || exit 1; done | FileCheck %s --check-prefix=LARGER
// LARGER-COUNT-3: error: 'fuse.broadcast' op is too large: a buffer of shape 4294967296x4294967296 of f32 needs more than 8.0 EiB, the most there can be

// What 64 bits cannot count is no shape at all.
// RUN: %S/Inputs/fails.sh 3 %t.log fuse-run %s --target=reference --entry=any --shape=0:4294967296x4294967296 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: fuse-run: error: argument '0': a buffer of shape 4294967296x4294967296 of f32 needs more than 8.0 EiB, the most there can be
// RUN: %S/Inputs/fails.sh 3 %t.log fuse-run %s --target=reference --entry=any --shape=0:9223372036854775807x0 | FileCheck %s --check-prefix=ZERO
// ZERO: fuse-run: error: argument '0': a buffer of shape 9223372036854775807x0 of f32 needs more than 8.0 EiB

// Without a driver there is no GPU, whatever the graph is.
// RUN: %python -c "import ctypes; ctypes.CDLL('libcuda.so.1')" 2> /dev/null \
// RUN:   || %S/Inputs/fails.sh 5 %t.log fuse-run %s --entry=any --target=cuda | FileCheck %s --check-prefix=CUDA
// CUDA: fuse-run: error: --target=cuda: no CUDA driver: libcuda.so.1 could not be opened
// RUN: fuse-run %s --entry=any --shape=0:2x3 --target=reference | FileCheck %s --check-prefix=OP-BY-OP
// OP-BY-OP: @any on reference
// OP-BY-OP: the reference road fuses nothing
// RUN: fuse-run %s --entry=any --shape=0:2x3 --target=auto | FileCheck %s --check-prefix=AUTO
// AUTO: @any on {{cpu|cuda}}

// Nothing but the report when nobody is watching.
// RUN: fuse-run %s --target=reference --entry=any --shape=0:512x512 --bench --verify > /dev/null 2> %t.err && test ! -s %t.err

func.func @any(%x: tensor<?x?xf32>) -> tensor<f32> {
  %0 = fuse.reduce sum %x dims [0, 1] : tensor<?x?xf32>
  return %0 : tensor<f32>
}

func.func @recurses(%x: tensor<4xf32>) -> tensor<4xf32> {
  // On a line of its own.
  %0 = call @recurses(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @recurses_in_turn(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @turn(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @turn(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @recurses_in_turn(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @outside(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @calls_outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @loops(%x: tensor<4xf32>, %n: index {fuse.name = "n"}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %1 = arith.addf %y, %y : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}
func.func @isinf(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isinf %x : tensor<4xf32>
  return %0 : tensor<4xi1>
}
func.func @isnormal(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = math.isnormal %x : tensor<4xf32>
  return %0 : tensor<4xi1>
}
func.func @clampf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.clampf %x to [%x, %x] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @rounds(%x: tensor<4xf32>) -> tensor<4xf16> {
  %0 = arith.truncf %x downward : tensor<4xf32> to tensor<4xf16>
  return %0 : tensor<4xf16>
}
func.func @vector(%x: vector<4xf32>) {
  return
}
func.func @vector_inside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant dense<0.0> : vector<4xf32>
  return %x : tensor<4xf32>
}
func.func @complex_inside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant dense<(0.0, 1.0)> : tensor<4xcomplex<f32>>
  return %x : tensor<4xf32>
}
func.func @memory(%x: memref<4xf32> {fuse.name = "m"}) {
  return
}
func.func @unranked(%x: tensor<*xf32>) {
  return
}
func.func @number(%x: f32) {
  return
}
func.func @odd(%x: tensor<4xi7>) {
  return
}
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  return
}
func.func @encoded(%x: tensor<4xf32, "column">) -> tensor<4xf32, "column"> {
  return %x : tensor<4xf32, "column">
}
func.func @returns_index() -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
func.func @large(%x: tensor<1099511627776xf32>) {
  return
}
func.func @large_inside(%x: tensor<f32>) -> tensor<1048576xf32> {
  // A tensor of 2^40 elements.
  %0 = fuse.broadcast %x dims [] : tensor<f32> -> tensor<1048576x1048576xf32>
  %1 = fuse.reduce sum %0 dims [1] : tensor<1048576x1048576xf32>
  return %1 : tensor<1048576xf32>
}
func.func @large_result(%x: tensor<f32>) -> tensor<1048576x1048576xf32> {
  %0 = fuse.broadcast %x dims [] : tensor<f32> -> tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}
func.func @larger_inside(%x: tensor<f32>) -> tensor<f32> {
  %0 = fuse.broadcast %x dims [] : tensor<f32> -> tensor<4294967296x4294967296xf32>
  %1 = fuse.reduce sum %0 dims [0, 1] : tensor<4294967296x4294967296xf32>
  return %1 : tensor<f32>
}
