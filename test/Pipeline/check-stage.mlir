// Each stage takes its own ops and names the first that is not one of them.

// RUN: split-file %s %t
// RUN: fuse-opt %t/wrong.mlir --split-input-file --verify-diagnostics --fuse-check-stage
// RUN: fuse-opt %t/graph.mlir --fuse-check-stage=stage=graph -o /dev/null
// RUN: not fuse-opt %t/graph.mlir --fuse-check-stage=stage=linalg 2>&1 | FileCheck %s --check-prefix=LINALG
// RUN: not fuse-opt %t/graph.mlir --fuse-check-stage=stage=llvm 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %t/linalg.mlir --fuse-check-stage=stage=linalg -o /dev/null
// RUN: not fuse-opt %t/linalg.mlir --fuse-check-stage=stage=graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: fuse-opt %t/llvm.mlir --fuse-check-stage=stage=llvm -o /dev/null
// RUN: not fuse-opt %t/llvm.mlir --fuse-check-stage=stage=graph 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not fuse-opt %t/llvm.mlir --fuse-check-stage=stage=moon 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not fuse-opt %t/unknown.mlir --allow-unregistered-dialect --fuse-check-stage 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// LINALG: error: 'fuse.relu' does not belong to the stage 'linalg'
// LLVM: error: 'func.func' does not belong to the stage 'llvm'
// GRAPH: error: 'tensor.empty' does not belong to the stage 'graph'
// MACHINE: error: 'llvm.func' does not belong to the stage 'graph'
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
func.func @two(%x: memref<4xf32>) {
  // expected-error @+1 {{'memref.copy' does not belong to the stage 'graph'}}
  memref.copy %x, %x : memref<4xf32> to memref<4xf32>
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @rounding(%x: tensor<4xf32>) {
  // expected-error @+1 {{'arith.truncf' op rounds}}
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
  return %cast : tensor<4xf32>
}

//--- linalg.mlir
func.func @linalg(%x: f32) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- llvm.mlir
llvm.func @llvm(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}

//--- unknown.mlir
"other.op"() : () -> ()
