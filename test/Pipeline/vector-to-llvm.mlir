// What kernels consist of behind the stage `tiles` becomes LLVM, whatever the
// types: vectors with and without masks, casts of narrow floats, divisions and
// functions of numbers.

// RUN: fuse-opt %s --fuse-vector-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @memory
//       CHECK:   llvm.intr.masked.load
//       CHECK:   llvm.intr.masked.gather
//       CHECK:   llvm.intr.vector.reduce.fmaximum
//       CHECK:   llvm.intr.masked.store
// CHECK-LABEL: llvm.func @_mlir_ciface_memory
func.func @memory(%x: memref<?xf32>, %y: memref<?x?xf32>, %begin: index, %end: index, %extent: index, %workspace: memref<?xi8>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %packed = memref.view %workspace[%c64][] : memref<?xi8> to memref<4x16xf32>
  %stride = memref.dim %y, %c1 : memref<?x?xf32>
  %lanes = vector.step : vector<16xindex>
  %strides = vector.broadcast %stride : index to vector<16xindex>
  %offsets = arith.muli %lanes, %strides : vector<16xindex>
  scf.for %i = %begin to %end step %c1 {
    %left = arith.subi %extent, %i : index
    %mask = vector.create_mask %left : vector<16xi1>
    %a = vector.maskedload %x[%i], %mask, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %b = vector.gather %y[%i, %c0] [%offsets], %mask, %zero : memref<?x?xf32>, vector<16xindex>, vector<16xi1>, vector<16xf32> into vector<16xf32>
    %c = vector.fma %a, %b, %a : vector<16xf32>
    vector.store %c, %packed[%c0, %c0] : memref<4x16xf32>, vector<16xf32>
    %most = vector.reduction <maximumf>, %c : vector<16xf32> into f32
    %all = vector.broadcast %most : f32 to vector<16xf32>
    %isFull = arith.cmpi sge, %left, %c64 : index
    scf.if %isFull {
      vector.store %all, %x[%i] : memref<?xf32>, vector<16xf32>
    } else {
      vector.maskedstore %x[%i], %mask, %all : memref<?xf32>, vector<16xi1>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: llvm.func @narrow
//   CHECK-NOT:   llvm.fp{{ext|trunc}} {{.*}}bf16
//       CHECK:   llvm.return
func.func @narrow(%x: memref<?xbf16>, %y: memref<?xf8E4M3FN>, %z: memref<?xf16>, %n: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<?xbf16>, vector<16xbf16>
  %b = vector.load %y[%c0] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %sum = arith.addf %a, %a : vector<16xbf16>
  %eight = arith.truncf %sum : vector<16xbf16> to vector<16xf8E4M3FN>
  vector.store %eight, %y[%c0] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %wide = arith.extf %b : vector<16xf8E4M3FN> to vector<16xf32>
  %half = arith.truncf %wide : vector<16xf32> to vector<16xf16>
  %more = math.exp %half : vector<16xf16>
  vector.store %more, %z[%c0] : memref<?xf16>, vector<16xf16>
  %ints = vector.load %n[%c0] : memref<?xi32>, vector<16xi32>
  %rounded = arith.sitofp %ints : vector<16xi32> to vector<16xbf16>
  vector.store %rounded, %x[%c0] : memref<?xbf16>, vector<16xbf16>
  return
}

// Neither traps nor calls what a library for vectors would have.
// CHECK-LABEL: llvm.func @functions
//       CHECK:   llvm.select
//       CHECK:   llvm.sdiv
func.func @functions(%x: vector<8xf32>, %w: vector<4xf64>, %n: vector<8xi32>) -> (vector<8xf32>, vector<4xf64>, vector<8xi32>) {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.tanh %0 : vector<8xf32>
  %2 = math.erf %1 : vector<8xf32>
  %3 = math.rsqrt %2 : vector<8xf32>
  %4 = math.powf %3, %x : vector<8xf32>
  %5 = math.absf %4 : vector<8xf32>
  %6 = arith.maximumf %5, %x : vector<8xf32>
  %7 = math.erf %w : vector<4xf64>
  %8 = math.log1p %7 : vector<4xf64>
  %9 = arith.divsi %n, %n : vector<8xi32>
  %10 = arith.floordivsi %9, %n : vector<8xi32>
  %11 = math.ctlz %10 : vector<8xi32>
  return %6, %8, %11 : vector<8xf32>, vector<4xf64>, vector<8xi32>
}

// Several dimensions at once.
// CHECK-LABEL: llvm.func @shapes
func.func @shapes(%x: memref<?x?xf32>, %i: index) -> vector<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%i, %i], %zero : memref<?x?xf32>, vector<8x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
  return %1 : vector<4x8xf32>
}
