// What no GPU computes by itself is named before LLVM meets it.

// RUN: split-file %s %t
// RUN: fuse-opt %t/functions.mlir --math-check-for-nvvm --split-input-file --verify-diagnostics
// RUN: not fuse-opt %t/tiles.mlir --fuse-tiles-to-nvvm 2>&1 | FileCheck %s
// CHECK: error: 'math.clampf' op of 'f32' has no code for GPUs

//--- functions.mlir
func.func @native(%x: vector<2xf32>, %d: f64, %i: vector<2xi32>) -> (vector<2xf32>, f64, vector<2xi32>) {
  %0 = math.sqrt %x : vector<2xf32>
  %1 = math.fma %0, %x, %x : vector<2xf32>
  %2 = math.copysign %1, %x : vector<2xf32>
  %3 = math.roundeven %d : f64
  %4 = math.rsqrt %3 : f64
  %5 = math.ctpop %i : vector<2xi32>
  return %2, %4, %5 : vector<2xf32>, f64, vector<2xi32>
}

// -----

func.func @sin(%x: vector<2xf32>) -> vector<2xf32> {
  // expected-error @+1 {{of 'f32' has no code for GPUs}}
  %0 = math.sin %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// -----

// What is no vector, too.
func.func @exp(%x: f64) -> f64 {
  // expected-error @+1 {{of 'f64' has no code for GPUs}}
  %0 = math.exp %x : f64
  return %0 : f64
}

// -----

func.func @remainder(%x: vector<2xf32>) -> vector<2xf32> {
  // expected-error @+1 {{of 'f32' has no code for GPUs}}
  %0 = arith.remf %x, %x : vector<2xf32>
  return %0 : vector<2xf32>
}

//--- tiles.mlir
// Functions become arithmetic before they are looked at, and narrow floats are
// computed with in f32.
tile.kernel @half(%x: memref<32xf16>, %y: memref<32xf16>) outputs 1 blocks() {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<32xf16> -> tensor<32xf16>
  %1 = math.exp %0 : tensor<32xf16>
  %2 = math.sin %1 : tensor<32xf16>
  %3 = math.clampf %2 to [%1, %0] : tensor<32xf16>
  tile.store %3, %y[%c0] : tensor<32xf16>, memref<32xf16>
  tile.return
}
