// What a shift or a cast leaves undefined is some number that all see.

// RUN: fuse-opt %s --llvm-freeze-undefined | FileCheck %s

// CHECK-LABEL: llvm.func @shifts
//  CHECK-SAME:   (%[[X:.*]]: i32, %[[Y:.*]]: i32)
//       CHECK:   %[[SHIFTED:.*]] = llvm.shl %[[X]], %[[Y]]
//       CHECK:   %[[FROZEN:.*]] = llvm.freeze %[[SHIFTED]]
//       CHECK:   llvm.add %[[FROZEN]], %[[FROZEN]]
llvm.func @shifts(%x: i32, %y: i32) -> i32 {
  %0 = llvm.shl %x, %y : i32
  %1 = llvm.add %0, %0 : i32
  llvm.return %1 : i32
}

// CHECK-LABEL: llvm.func @by_constants
//       CHECK:   %[[BITS:.*]] = llvm.lshr
//       CHECK:   %[[ALL:.*]] = llvm.ashr %[[BITS]]
//       CHECK:   %[[MANY:.*]] = llvm.shl %[[ALL]]
//       CHECK:   %[[FROZEN:.*]] = llvm.freeze %[[MANY]]
//       CHECK:   llvm.return %[[FROZEN]]
llvm.func @by_constants(%x: vector<2xi32>) -> vector<2xi32> {
  %few = llvm.mlir.constant(dense<[0, 31]> : vector<2xi32>) : vector<2xi32>
  %one = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
  %many = llvm.mlir.constant(dense<[0, 32]> : vector<2xi32>) : vector<2xi32>
  %0 = llvm.lshr %x, %few : vector<2xi32>
  %1 = llvm.ashr %0, %one : vector<2xi32>
  %2 = llvm.shl %1, %many : vector<2xi32>
  llvm.return %2 : vector<2xi32>
}

// A narrow result would be taken for one in its range.
// CHECK-LABEL: llvm.func @narrow
//  CHECK-SAME:   (%[[X:.*]]: vector<4xf32>)
//       CHECK:   %[[WIDE:.*]] = llvm.fptosi %[[X]] : vector<4xf32> to vector<4xi32>
//       CHECK:   %[[FROZEN:.*]] = llvm.freeze %[[WIDE]]
//       CHECK:   %[[BYTES:.*]] = llvm.trunc %[[FROZEN]] : vector<4xi32> to vector<4xi8>
//       CHECK:   llvm.return %[[BYTES]]
llvm.func @narrow(%x: vector<4xf32>) -> vector<4xi8> {
  %0 = llvm.fptoui %x : vector<4xf32> to vector<4xi8>
  llvm.return %0 : vector<4xi8>
}

// CHECK-LABEL: llvm.func @wide
//       CHECK:   %[[CAST:.*]] = llvm.fptoui %{{.*}} : f64 to i64
//       CHECK:   %[[FROZEN:.*]] = llvm.freeze %[[CAST]]
//       CHECK:   llvm.return %[[FROZEN]]
llvm.func @wide(%x: f64) -> i64 {
  %0 = llvm.fptoui %x : f64 to i64
  llvm.return %0 : i64
}
