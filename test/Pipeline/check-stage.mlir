// Each stage takes its own ops and names the first that is not one of them.

// RUN: split-file %s %t
// RUN: fuse-opt %t/wrong.mlir --split-input-file --verify-diagnostics --fuse-check-stage
// RUN: fuse-opt %t/graph.mlir --fuse-check-stage=stage=graph -o /dev/null
// RUN: not fuse-opt %t/graph.mlir --fuse-check-stage=stage=linalg 2>&1 | FileCheck %s --check-prefix=LINALG
// RUN: not fuse-opt %t/graph.mlir --fuse-check-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %t/linalg.mlir --fuse-check-stage=stage=linalg -o /dev/null
// RUN: not fuse-opt %t/linalg.mlir --fuse-check-stage=stage=graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: fuse-opt %t/tiles.mlir --fuse-check-stage=stage=tiles -o /dev/null
// RUN: not fuse-opt %t/tiles.mlir --fuse-check-stage=stage=vector 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: fuse-opt %t/wrong-tiles.mlir --split-input-file --verify-diagnostics --fuse-check-stage=stage=tiles
// RUN: fuse-opt %t/vector.mlir --fuse-check-stage=stage=vector -o /dev/null
// RUN: not fuse-opt %t/vector.mlir --fuse-check-stage=stage=tiles 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: fuse-opt %t/placed.mlir --fuse-check-stage=stage=placed -o /dev/null
// RUN: not fuse-opt %t/placed.mlir --fuse-check-stage=stage=tiles 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: fuse-opt %t/wrong-placed.mlir --split-input-file --verify-diagnostics --fuse-check-stage=stage=placed
// RUN: fuse-opt %t/staged.mlir --fuse-check-stage=stage=staged -o /dev/null
// RUN: not fuse-opt %t/staged.mlir --fuse-check-stage=stage=placed 2>&1 | FileCheck %s --check-prefix=RING
// RUN: not fuse-opt %t/staged.mlir --fuse-check-stage=stage=tiles 2>&1 | FileCheck %s --check-prefix=RINGOFTILES
// RUN: not fuse-opt %t/tiles.mlir --fuse-check-stage=stage=staged 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: fuse-opt %t/threads.mlir --fuse-check-stage=stage=threads -o /dev/null
// RUN: not fuse-opt %t/threads.mlir --fuse-check-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=VECTORS
// RUN: not fuse-opt %t/threads.mlir --fuse-check-stage=stage=placed 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not fuse-opt %t/placed.mlir --fuse-check-stage=stage=threads 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: fuse-opt %t/llvm.mlir --fuse-check-stage=stage=llvm -o /dev/null
// RUN: not fuse-opt %t/llvm.mlir --fuse-check-stage=stage=graph 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not fuse-opt %t/llvm.mlir --fuse-check-stage=stage=moon 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not fuse-opt %t/unknown.mlir --allow-unregistered-dialect --fuse-check-stage 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// LINALG: error: 'fuse.relu' does not belong to the stage 'linalg'
// LLVM: error: 'func.func' does not belong to the stage 'llvm'
// GRAPH: error: 'tensor.empty' does not belong to the stage 'graph'
// KERNEL: error: 'tile.kernel' does not belong to the stage 'vector'
// CODE: error: 'memref.dim' does not belong to the stage 'tiles'
// LAYOUT: error: 'tile.load' op has a tile of type {{.*}}, which has a layout already
// RING: error: 'tile.ring' does not belong to the stage 'placed'
// RINGOFTILES: error: 'tile.ring' does not belong to the stage 'tiles'
// PLACE: error: 'tile.load' op has a tile of type {{.*}}, which has no layout yet
// VECTORS: error: 'arith.constant' does not belong to the stage 'llvm'
// MODULE: error: 'gpu.module' does not belong to the stage 'placed'
// TILES: error: 'tile.kernel' does not belong to the stage 'threads'
// MACHINE: error: 'gpu.module' does not belong to the stage 'graph'
// OPTION: Cannot find option named 'moon'
// UNKNOWN: error: 'other.op' does not belong to the stage 'graph'

//--- wrong.mlir
// A loop is no graph.
func.func @loop() {
  %true = arith.constant true
  // expected-error @+1 {{'scf.if' does not belong to the stage 'graph'}}
  scf.if %true {
  }
  return
}

// -----

// Only the first is named.
func.func @two(%x: tensor<4xf32>) {
  // expected-error @+1 {{'memref.alloc' does not belong to the stage 'graph'}}
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %0, %0 : memref<4xf32> to memref<4xf32>
  return
}

// -----

// It may lie beside the tensor.
func.func @element(%x: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{'tensor.extract' does not belong to the stage 'graph'}}
  %0 = tensor.extract %x[%n] : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op has a value of type 'memref<4xf32>', but graphs work on ranked tensors and scalars of integers, floats and index}}
func.func @buffer(%x: memref<4xf32>) {
  memref.copy %x, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error @+1 {{'func.func' op has a value of type 'tensor<4xf32, "column">', but graphs work on}}
func.func @encoding(%y: tensor<4xf32>, %x: tensor<4xf32, "column">) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has a value of type 'tensor<*xf32>', but graphs work on}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has a value of type 'tensor<4xcomplex<f32>>', but graphs work on}}
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  return
}

// -----

// A value inside is named at the op that makes it.
func.func @vector(%x: tensor<4xf32>) {
  // expected-error @+1 {{'arith.constant' op has a value of type 'vector<4xf32>', but graphs work on ranked tensors and scalars of integers, floats and index}}
  %0 = arith.constant dense<0.0> : vector<4xf32>
  return
}

// -----

// Types that no memory of a graph has were simulated with other numbers, or read
// beside what there is.
func.func @seven(%x: tensor<4xi8>) {
  // expected-error @+1 {{'arith.trunci' op has a value of type 'tensor<4xi7>', but elements are i1, i8, i16, i32, i64, index, f8E4M3FN, f16, bf16, f32 or f64}}
  %0 = arith.trunci %x : tensor<4xi8> to tensor<4xi7>
  return
}

// -----

func.func @other_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{'arith.truncf' op has a value of type 'tensor<4xf8E5M2>', but elements are}}
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xf8E5M2>
  return
}

// -----

func.func @recast(%x: tensor<4xf32>) {
  // expected-error @+1 {{'tensor.cast' op has a value of type 'tensor<*xf32>', but graphs work on}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return
}

// -----

func.func @size(%x: tensor<?x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{'tensor.dim' op asks for dimension 2 of a tensor that has 2}}
  %0 = tensor.dim %x, %c2 : tensor<?x?xf32>
  return %0 : index
}

// -----

// expected-error @+1 {{'func.func' op has several blocks, but a graph is one}}
func.func @blocks(%x: tensor<4xf32>) {
  cf.br ^end
^end:
  return
}

// -----

func.func @isinf(%x: tensor<4xf32>) {
  // expected-error @+1 {{'math.isinf' op cannot be lowered; compare with infinity, or use minimumf and maximumf}}
  %0 = math.isinf %x : tensor<4xf32>
  return
}

// -----

func.func @isnormal(%x: tensor<4xf32>) {
  // expected-error @+1 {{'math.isnormal' op cannot be lowered; compare with infinity}}
  %0 = math.isnormal %x : tensor<4xf32>
  return
}

// -----

func.func @clampf(%x: tensor<4xf32>) {
  // expected-error @+1 {{'math.clampf' op cannot be lowered; compare with infinity, or use minimumf and maximumf}}
  %0 = math.clampf %x to [%x, %x] : tensor<4xf32>
  return
}

// -----

func.func @rounding(%x: tensor<4xf32>) {
  // expected-error @+1 {{'arith.truncf' op rounds downward, but only to_nearest_even can be lowered}}
  %0 = arith.truncf %x downward : tensor<4xf32> to tensor<4xf16>
  return
}

//--- graph.mlir
func.func @graph(%x: tensor<?xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %size = tensor.dim %x, %zero : tensor<?xf32>
  %y = fuse.relu %x : tensor<?xf32>
  %z = math.exp %y : tensor<?xf32>
  %cast = tensor.cast %z : tensor<?xf32> to tensor<4xf32>
  %sizes = tensor.from_elements %size, %zero : tensor<2xindex>
  %half = arith.truncf %cast to_nearest_even : tensor<4xf32> to tensor<4xf16>
  %is_finite = math.isfinite %cast : tensor<4xf32>
  %is_nan = math.isnan %cast : tensor<4xf32>
  return %cast : tensor<4xf32>
}

// A declaration has no blocks at all.
func.func private @declaration(tensor<4xf32>, index, f32, i1) -> tensor<*xf32>

//--- linalg.mlir
func.func @linalg(%x: f32) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- tiles.mlir
tile.kernel @copy(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %at = %c0 to %size step %size {
    %t = tile.load %x[%i] : memref<?xf32> -> tensor<1xf32>
    %e = math.exp %t : tensor<1xf32>
    tile.store %e, %y[%i] : tensor<1xf32>, memref<?xf32>
  }
  tile.return
}
func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %any = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %size = tensor.dim %any, %c0 : tensor<?xf32>
  %most = arith.maxsi %size, %c0 : index
  %y = tile.launch @copy blocks(%most) (%any) sizes(%size) : (tensor<?xf32>) -> tensor<?xf32>
  %z = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}

//--- wrong-tiles.mlir
// On the host tensors are only passed on.
func.func @math(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addf' does not belong to the stage 'tiles'}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @loop(%n: index) {
  // expected-error @+1 {{'scf.for' does not belong to the stage 'tiles'}}
  scf.for %i = %n to %n step %n {
  }
  return
}

// -----

// In kernels memory is only loaded from and stored to.
tile.kernel @memory(%x: memref<4xf32>, %y: memref<4xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{'memref.load' does not belong to the stage 'tiles'}}
  %0 = memref.load %x[%i] : memref<4xf32>
  tile.return
}

// -----

tile.kernel @graph(%y: memref<4xf32>) outputs 1 blocks(%i) {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{'fuse.relu' does not belong to the stage 'tiles'}}
  %1 = fuse.relu %0 : tensor<4xf32>
  tile.return
}

//--- vector.mlir
func.func @vector(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %at = %i to %size step %size {
    %v = vector.load %x[%at] : memref<?xf32>, vector<4xf32>
    %e = math.exp %v : vector<4xf32>
    vector.store %e, %x[%at] : memref<?xf32>, vector<4xf32>
  }
  return
}

//--- placed.mlir
#one = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
tile.kernel @copy(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%i] : memref<?xf32> -> tensor<32xf32, #one>
  %e = math.exp %t : tensor<32xf32, #one>
  tile.store %e, %y[%i] : tensor<32xf32, #one>, memref<?xf32>
  tile.return
}

//--- wrong-placed.mlir
// All tiles have layouts, also those that a loop carries.
tile.kernel @load(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%i) {
  // expected-error @+1 {{'tile.load' op has a tile of type 'tensor<32xf32>', which has no layout yet}}
  %t = tile.load %x[%i] : memref<?xf32> -> tensor<32xf32>
  tile.return
}

// -----

// Nothing is left of the host.
// expected-error @+1 {{'func.func' does not belong to the stage 'placed'}}
func.func @host() {
  return
}

//--- staged.mlir
#shared = #tile.shared<cell = [4] offset = [[1], [2]]>
tile.kernel @ring(%y: memref<4xf32>) outputs 1 blocks() {
  %0 = tile.ring feed = tma : !tile.ring<2 x (tensor<4xf32, #shared>)>
  tile.roles {
    tile.role math warps 4 {
    }
  }
  tile.return
}

//--- threads.mlir
gpu.module @kernels {
  llvm.func @thread(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c1 step %c1 {
      %0 = llvm.load %x : !llvm.ptr<1> -> vector<4xf32>
      %1 = math.exp %0 : vector<4xf32>
      %2 = vector.shuffle %1, %1 [0, 1] : vector<4xf32>, vector<4xf32>
      nvvm.barrier0
    }
    llvm.return
  }
}

//--- llvm.mlir
gpu.module @kernels {
  llvm.func @device() {
    nvvm.barrier0
    llvm.return
  }
}
llvm.func @llvm(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}

//--- unknown.mlir
"other.op"() : () -> ()
