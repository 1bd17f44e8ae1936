// Casts of words of bytes are done by permutations and exact sums. What they give is checked by running them, in
// test/Run/casts-of-bytes.mlir.

// RUN: fuse-opt %s --arith-expand-byte-casts | FileCheck %s

// Behind a flipped sign a permutation and a subtraction for each byte.
// CHECK-LABEL: func.func @wide
//  CHECK-SAME:   (%[[X:.*]]: vector<4xi8>)
//   CHECK-DAG:   %[[WORDS:.*]] = vector.bitcast %[[X]] : vector<4xi8> to vector<1xi32>
//   CHECK-DAG:   %[[WORD:.*]] = vector.extract %[[WORDS]][0]
//       CHECK:   %[[FLIPPED:.*]] = arith.xori %[[WORD]], %c-2139062144_i32
//       CHECK:   %[[START:.*]] = arith.constant 1258291200 : i32
//       CHECK:   %[[BYTE:.*]] = nvvm.prmt <default> %{{.*}}, %[[FLIPPED]], %[[START]]
//       CHECK:   %[[SUM:.*]] = llvm.bitcast %[[BYTE]] : i32 to vector<1xf32>
//       CHECK:   %[[BIAS:.*]] = arith.constant dense<0x4B000080> : vector<1xf32>
//       CHECK:   arith.subf %[[SUM]], %[[BIAS]]
// CHECK-COUNT-3: nvvm.prmt
//       CHECK:   %[[ALL:.*]] = vector.from_elements
//       CHECK:   return %[[ALL]] : vector<4xf32>
func.func @wide(%x: vector<4xi8>) -> vector<4xf32> {
  %0 = arith.sitofp %x : vector<4xi8> to vector<4xf32>
  return %0 : vector<4xf32>
}

// Two at a time.
// CHECK-LABEL: func.func @half
// CHECK-COUNT-4: nvvm.prmt
//   CHECK-NOT:   nvvm.prmt
//       CHECK:   return
func.func @half(%x: vector<8xi8>) -> vector<8xf16> {
  %0 = arith.sitofp %x : vector<8xi8> to vector<8xf16>
  return %0 : vector<8xf16>
}

// CHECK-LABEL: func.func @unsigned_half
//   CHECK-NOT:   arith.xori
//       CHECK:   %[[BIAS:.*]] = arith.constant dense<-1.024000e+03> : vector<2xf16>
//       CHECK:   llvm.fadd %{{.*}}, %[[BIAS]]
func.func @unsigned_half(%x: vector<4xi8>) -> vector<4xf16> {
  %0 = arith.uitofp %x : vector<4xi8> to vector<4xf16>
  return %0 : vector<4xf16>
}

// The eighth bit says what is taken off.
// CHECK-LABEL: func.func @brain
//       CHECK:   %[[BYTES:.*]] = nvvm.prmt
//       CHECK:   %[[LOW:.*]] = arith.andi %[[BYTES]], %c-8388737_i32
//       CHECK:   %[[HIGH:.*]] = arith.andi %[[BYTES]], %c-8323200_i32
//       CHECK:   %[[LESS:.*]] = arith.xori %[[HIGH]]
//       CHECK:   llvm.intr.fma
func.func @brain(%x: vector<4xi8>) -> vector<4xbf16> {
  %0 = arith.sitofp %x : vector<4xi8> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// CHECK-LABEL: func.func @unsigned_brain
// CHECK-COUNT-4: nvvm.prmt
//       CHECK:   arith.truncf %{{.*}} : vector<4xf32> to vector<4xbf16>
func.func @unsigned_brain(%x: vector<4xi8>) -> vector<4xbf16> {
  %0 = arith.uitofp %x : vector<4xi8> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// CHECK-LABEL: func.func @others
//   CHECK-NOT:   nvvm.prmt
//       CHECK:   return
func.func @others(%a: vector<2xi8>, %b: i8, %c: vector<4xi16>, %d: vector<4xi8>)
    -> (vector<2xf32>, f32, vector<4xf32>, vector<4xf64>) {
  %0 = arith.sitofp %a : vector<2xi8> to vector<2xf32>
  %1 = arith.sitofp %b : i8 to f32
  %2 = arith.sitofp %c : vector<4xi16> to vector<4xf32>
  %3 = arith.sitofp %d : vector<4xi8> to vector<4xf64>
  return %0, %1, %2, %3 : vector<2xf32>, f32, vector<4xf32>, vector<4xf64>
}
