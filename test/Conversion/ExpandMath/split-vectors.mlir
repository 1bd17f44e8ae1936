// Arithmetic is done on at most so many elements at a time.

// RUN: fuse-opt %s --math-split-vectors=elements=4 --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @long
//       CHECK: %[[all:.*]]:6 = vector.to_elements %arg0 : vector<6xf32>
//       CHECK: %[[low:.*]] = vector.from_elements %[[all]]#0, %[[all]]#1, %[[all]]#2, %[[all]]#3 : vector<4xf32>
//       CHECK: math.tanh %[[low]] fastmath<afn> : vector<4xf32>
//       CHECK: %[[high:.*]] = vector.from_elements %[[all]]#4, %[[all]]#5 : vector<2xf32>
//       CHECK: math.tanh %[[high]] fastmath<afn> : vector<2xf32>
//       CHECK: vector.from_elements {{.*}} : vector<6xf32>
func.func @long(%x: vector<6xf32>) -> vector<6xf32> {
  %y = math.tanh %x fastmath<afn> : vector<6xf32>
  return %y : vector<6xf32>
}

// -----

// Operands of other types are taken apart with it, and a condition that is one
// for all stays one.
// CHECK-LABEL: func.func @mixed
// CHECK-COUNT-2: math.fpowi %{{.*}}, %{{.*}} : vector<4xf32>, vector<4xi32>
// CHECK-COUNT-2: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
func.func @mixed(%x: vector<8xf32>, %n: vector<8xi32>, %c: i1) -> (vector<8xf32>, vector<8xf32>) {
  %y = math.fpowi %x, %n : vector<8xf32>, vector<8xi32>
  %z = arith.select %c, %x, %y : vector<8xf32>
  return %y, %z : vector<8xf32>, vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @untouched
//   CHECK-NOT: vector.from_elements
//       CHECK: arith.divf %{{.*}} : vector<4xf32>
//       CHECK: math.exp %{{.*}} : f32
//       CHECK: math.exp %{{.*}} : vector<2x8xf32>
func.func @untouched(%x: vector<4xf32>, %y: vector<2x8xf32>, %z: f32) -> (vector<4xf32>, vector<2x8xf32>, f32) {
  %a = arith.divf %x, %x : vector<4xf32>
  %b = math.exp %z : f32
  %c = math.exp %y : vector<2x8xf32>
  return %a, %c, %b : vector<4xf32>, vector<2x8xf32>, f32
}

// -----

// One part goes all the way, and is stored, before the next. Between its ops it
// is neither put together nor taken apart; constants, what is repeated and what
// is picked become short, too.
// CHECK-LABEL: func.func @chain
//       CHECK: %[[x:.*]]:8 = vector.to_elements %arg0
//   CHECK-DAG: %[[two:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
//   CHECK-DAG: %[[s:.*]] = vector.broadcast %arg1 : f32 to vector<4xf32>
//   CHECK-DAG: %[[low:.*]] = vector.from_elements %[[x]]#7, %[[x]]#6, %[[x]]#5, %[[x]]#4
//       CHECK: %[[a:.*]] = arith.mulf %[[low]], %[[two]] : vector<4xf32>
//       CHECK: %[[b:.*]] = arith.addf %[[a]], %[[s]] : vector<4xf32>
//       CHECK: %[[e:.*]]:4 = vector.to_elements %[[b]]
//       CHECK: llvm.store %[[e]]#0
//       CHECK: llvm.store %[[e]]#3
//       CHECK: arith.mulf
//       CHECK: arith.addf
//       CHECK: llvm.store
//   CHECK-NOT: arith
//   CHECK-NOT: vector.from_elements {{.*}} : vector<8xf32>
func.func @chain(%x: vector<8xf32>, %y: f32, %p: !llvm.ptr) {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %reversed = vector.shuffle %x, %x [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
  %a = arith.mulf %reversed, %two : vector<8xf32>
  %s = vector.broadcast %y : f32 to vector<8xf32>
  %b = arith.addf %a, %s : vector<8xf32>
  %e:8 = vector.to_elements %b : vector<8xf32>
  llvm.store %e#0, %p : f32, !llvm.ptr
  llvm.store %e#3, %p : f32, !llvm.ptr
  llvm.store %e#4, %p : f32, !llvm.ptr
  return
}

// -----

// What is read behind a step may be meant for the next one, so a step is done
// before: a product would else need the factors of all its steps at a time.
// CHECK-LABEL: func.func @steps
//       CHECK: llvm.load
// CHECK-COUNT-2: math.fma
//       CHECK: llvm.load
// CHECK-COUNT-2: math.fma
//       CHECK: return
func.func @steps(%p: !llvm.ptr, %x: vector<8xf32>) -> vector<8xf32> {
  %a = llvm.load %p : !llvm.ptr -> f32
  %as = vector.broadcast %a : f32 to vector<8xf32>
  %s = math.fma %as, %x, %x : vector<8xf32>
  %b = llvm.load %p : !llvm.ptr -> f32
  %bs = vector.broadcast %b : f32 to vector<8xf32>
  %t = math.fma %bs, %x, %s : vector<8xf32>
  return %t : vector<8xf32>
}

// -----

// Nor does a part move beyond a barrier: here it is needed behind it only.
// CHECK-LABEL: func.func @barrier
// CHECK-COUNT-2: arith.truncf
//       CHECK: nvvm.barrier
//   CHECK-NOT: arith
//       CHECK: return
func.func @barrier(%x: vector<8xf32>) -> vector<8xf16> {
  %y = arith.truncf %x : vector<8xf32> to vector<8xf16>
  nvvm.barrier
  return %y : vector<8xf16>
}

// -----

// What is read under a condition is read by a piece of assembly, and what is
// computed of it does not wait for what is read behind it.
// CHECK-LABEL: func.func @read_one_by_one
//       CHECK:   %[[first:.*]] = llvm.inline_asm "load
//       CHECK:   arith.addf {{.*}} : vector<4xf32>
//       CHECK:   arith.addf {{.*}} : vector<4xf32>
//       CHECK:   llvm.inline_asm "load
//       CHECK:   arith.mulf {{.*}} : vector<4xf32>
//       CHECK:   arith.mulf {{.*}} : vector<4xf32>
func.func @read_one_by_one(%x: vector<8xf32>, %p: !llvm.ptr<1>) -> vector<8xf32> {
  %a = llvm.inline_asm "load $0, $1", "=f,l" %p : (!llvm.ptr<1>) -> f32
  %b = vector.broadcast %a : f32 to vector<8xf32>
  %c = arith.addf %x, %b : vector<8xf32>
  %d = llvm.inline_asm "load $0, $1", "=f,l" %p : (!llvm.ptr<1>) -> f32
  %e = vector.broadcast %d : f32 to vector<8xf32>
  %f = arith.mulf %c, %e : vector<8xf32>
  return %f : vector<8xf32>
}

// -----

// Beyond an op that says so parts move to where they are needed, past others
// that do, but not past those that do not.
// CHECK-LABEL: func.func @piece_by_piece
//       CHECK:   arith.mulf {{.*}} : vector<4xf32>
//       CHECK:   llvm.store
//       CHECK:   llvm.inline_asm has_side_effects {tile.parts_pass} "first
//       CHECK:   arith.mulf {{.*}} : vector<4xf32>
//       CHECK:   llvm.store
//       CHECK:   llvm.inline_asm has_side_effects {tile.parts_pass} "second
//       CHECK:   arith.mulf {{.*}} : vector<4xf32>
//       CHECK:   llvm.inline_asm has_side_effects "third
//       CHECK:   llvm.store
//   CHECK-NOT:   arith
//       CHECK:   return
func.func @piece_by_piece(%x: vector<12xf32>, %p: !llvm.ptr<3>) {
  %y = arith.mulf %x, %x : vector<12xf32>
  %e:12 = vector.to_elements %y : vector<12xf32>
  %a = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<4xf32>
  llvm.store %a, %p : vector<4xf32>, !llvm.ptr<3>
  llvm.inline_asm has_side_effects {tile.parts_pass} "first;", "~{memory}" : () -> ()
  %b = vector.from_elements %e#4, %e#5, %e#6, %e#7 : vector<4xf32>
  llvm.store %b, %p : vector<4xf32>, !llvm.ptr<3>
  llvm.inline_asm has_side_effects {tile.parts_pass} "second;", "~{memory}" : () -> ()
  llvm.inline_asm has_side_effects "third;", "~{memory}" : () -> ()
  %c = vector.from_elements %e#8, %e#9, %e#10, %e#11 : vector<4xf32>
  llvm.store %c, %p : vector<4xf32>, !llvm.ptr<3>
  return
}

// -----

// What is loaded for a piece is asked for where the piece before it begins, of
// the first one before the products are waited for. An address goes along.
// CHECK-LABEL: func.func @ahead
//       CHECK:   llvm.load %arg1 {{.*}}tile.ahead = 2
//  CHECK-NEXT:   llvm.inline_asm has_side_effects {tile.piece} "products
//       CHECK:   llvm.getelementptr
//  CHECK-NEXT:   llvm.load {{.*}}tile.ahead = 2
//  CHECK-NEXT:   llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "first
//       CHECK:   arith.addf
//       CHECK:   llvm.store
//       CHECK:   llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "second
//       CHECK:   arith.addf
//       CHECK:   llvm.store
func.func @ahead(%x: vector<8xf32>, %p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {
  llvm.inline_asm has_side_effects {tile.piece} "products;", "~{memory}" : () -> ()
  %first = llvm.load %p invariant {tile.ahead = 2 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %other = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %second = llvm.load %other invariant {tile.ahead = 2 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %f:4 = vector.to_elements %first : vector<4xf32>
  %s:4 = vector.to_elements %second : vector<4xf32>
  %b = vector.from_elements %f#0, %f#1, %f#2, %f#3, %s#0, %s#1, %s#2, %s#3 : vector<8xf32>
  %y = arith.addf %x, %b : vector<8xf32>
  %e:8 = vector.to_elements %y : vector<8xf32>
  llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "first;", "~{memory}" : () -> ()
  %low = vector.from_elements %e#0, %e#1, %e#2, %e#3 : vector<4xf32>
  llvm.store %low, %q : vector<4xf32>, !llvm.ptr<3>
  llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "second;", "~{memory}" : () -> ()
  %high = vector.from_elements %e#4, %e#5, %e#6, %e#7 : vector<4xf32>
  llvm.store %high, %q : vector<4xf32>, !llvm.ptr<3>
  return
}

// -----

// What is needed before the first piece stays behind the products, be it in a
// block of its own.
// CHECK-LABEL: func.func @not_ahead
//       CHECK:   llvm.inline_asm has_side_effects {tile.piece} "products
//       CHECK:   llvm.load %arg1
//       CHECK:   llvm.load %arg2
//       CHECK:   llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "first
func.func @not_ahead(%x: vector<8xf32>, %p: !llvm.ptr<1>, %p2: !llvm.ptr<1>, %q: !llvm.ptr<3>, %c: i1) {
  llvm.inline_asm has_side_effects {tile.piece} "products;", "~{memory}" : () -> ()
  %first = llvm.load %p invariant {tile.ahead = 3 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %inner = llvm.load %p2 invariant {tile.ahead = 3 : i64} : !llvm.ptr<1> -> vector<4xf32>
  llvm.store %first, %q : vector<4xf32>, !llvm.ptr<3>
  scf.if %c {
    llvm.store %inner, %q : vector<4xf32>, !llvm.ptr<3>
  }
  llvm.inline_asm has_side_effects {tile.parts_pass, tile.piece} "first;", "~{memory}" : () -> ()
  return
}
