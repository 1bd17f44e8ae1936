// Between registers and memory: wide accesses where elements follow each other,
// predicates where some may not count, and nobody writes what another writes.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

#v2 = #tile.layout<cell = [64] reg = [[1]] lane = [[2], [4], [8], [16], [32]]>
#v4 = #tile.layout<cell = [128] reg = [[1], [2]] lane = [[4], [8], [16], [32], [64]]>
#v8x2 = #tile.layout<cell = [512] reg = [[1], [2], [4], [256]] lane = [[8], [16], [32], [64], [128]]>
#v8 = #tile.layout<cell = [256] reg = [[1], [2], [4]] lane = [[8], [16], [32], [64], [128]]>
#one = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
#rows = #tile.layout<cell = [2, 64] reg = [[0, 1], [1, 0]] lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]>
#columns = #tile.layout<cell = [2, 32] reg = [[1, 0]] lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#copies = #tile.layout<cell = [8] lane = [[0], [0], [1], [2], [4]] warp = [[0]]>
#twice = #tile.layout<cell = [32] reg = [[0]] lane = [[1], [2], [4], [8], [16]]>

// CHECK-LABEL: llvm.func @wide
//       CHECK:   %[[X:.*]] = llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
//       CHECK:   vector.bitcast %[[X]] : vector<4xi32> to vector<4xf32>
//   CHECK-NOT:   llvm.load
//       CHECK:   llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
//   CHECK-NOT:   llvm.store
tile.kernel @wide(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// An index that may be odd: what is wanted is cut out of two chunks. Of the one
// in which the memory ends the 12 bytes that are left are read in pieces.
// CHECK-LABEL: llvm.func @unaligned
//       CHECK:   ld.global.nc.v4.b32
//       CHECK:   ld.global.nc.v2.b32
//       CHECK:   ld.global.nc.b32
//       CHECK:   ld.global.nc.v4.b32
//       CHECK:   ld.global.nc.v2.b32
//       CHECK:   ld.global.nc.b32
//   CHECK-NOT:   llvm.load
tile.kernel @unaligned(%x: memref<255xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i] : memref<255xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// Where memory ends with a chunk no pieces are needed, and the second is left out
// where the first is enough: by whole words here.
// CHECK-LABEL: llvm.func @cut_words
//       CHECK:   %[[AT:.*]] = llvm.ptrtoint
//       CHECK:   %[[LOW:.*]] = arith.trunci %[[AT]]
//       CHECK:   %[[START:.*]] = arith.andi %[[LOW]], %{{.*}}
//       CHECK:   %[[END:.*]] = arith.addi %[[START]]
//       CHECK:   %[[SECOND:.*]] = arith.cmpi sgt, %[[END]]
//       CHECK:   %[[ALWAYS:.*]] = arith.constant true
//       CHECK:   llvm.inline_asm {{.*}}@$9 ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$8];{{.*}}@$11 ld.global.nc.v4.b32 {$4, $5, $6, $7}, [$10];{{.*}} %[[ALWAYS]], %{{.*}}, %[[SECOND]]
//       CHECK:   %[[TWO:.*]] = arith.shli %[[START]], %c28
//       CHECK:   %[[IS_TWO:.*]] = arith.shrsi %[[TWO]], %c31
// CHECK-COUNT-6: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xCA;", "=r,r,r,r" %[[IS_TWO]]
//       CHECK:   %[[ONE:.*]] = arith.shli %[[START]], %c29
//       CHECK:   %[[IS_ONE:.*]] = arith.shrsi %[[ONE]], %c31
// CHECK-COUNT-5: llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 0xCA;", "=r,r,r,r" %[[IS_ONE]]
//   CHECK-NOT:   llvm.intr.fshr
//       CHECK:   llvm.store
tile.kernel @cut_words(%x: memref<256xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i] : memref<256xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// And then by bytes. What is beyond the limit is 0, and a chunk without anything
// in front of it is not read.
// CHECK-LABEL: llvm.func @cut_halves
//       CHECK:   %[[COUNT:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[START:.*]] = arith.andi
//       CHECK:   %[[ANY:.*]] = arith.cmpi sgt, %[[COUNT]]
//       CHECK:   %[[END:.*]] = arith.addi %[[START]]
//       CHECK:   %[[SECOND:.*]] = arith.cmpi sgt, %[[END]]
//       CHECK:   %[[BOTH:.*]] = arith.andi %[[ANY]], %[[SECOND]]
//       CHECK:   llvm.inline_asm {{.*}}ld.global.nc.v4.b32{{.*}}ld.global.nc.v4.b32{{.*}} %[[ANY]], %{{.*}}, %[[BOTH]]
// CHECK-COUNT-4: llvm.intr.fshr
//       CHECK:   arith.minsi %[[COUNT]]
//   CHECK-NOT:   arith.select
// CHECK-COUNT-4: arith.shrui %{{.*}} : i64
//   CHECK-NOT:   llvm.load
tile.kernel @cut_halves(%x: memref<16x33xbf16>, %y: memref<256xbf16>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %left = arith.subi %c33, %i : index
  %0 = tile.load %x[%c0, %i] map (d0) -> (0, d0) limits(%left) axes [0] : memref<16x33xbf16> -> tensor<256xbf16, #v8>
  tile.store %0, %y[%c0] : tensor<256xbf16, #v8>, memref<256xbf16>
  tile.return
}

// All that a thread computes with is asked for before any of it is cut: the last
// word of it is pinned. One vector needs none of that.
// CHECK-LABEL: llvm.func @cut_together
//       CHECK:   %[[WORDS:.*]] = llvm.inline_asm {{.*}}ld.global.nc.v4.b32{{.*}}ld.global.nc.v4.b32{{.*}}ld.global.nc.v4.b32{{.*}}ld.global.nc.v4.b32
//       CHECK:   %[[LAST:.*]] = llvm.extractvalue %[[WORDS]][15]
//       CHECK:   llvm.inline_asm has_side_effects {{.*}}@other bra over;{{.*}} "r" %[[LAST]]
//       CHECK:   llvm.intr.fshr
//       CHECK:   llvm.return
tile.kernel @cut_together(%x: memref<16x33xbf16>, %y: memref<512xbf16>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %i] map (d0) -> (0, d0) : memref<16x33xbf16> -> tensor<512xbf16, #v8x2>
  tile.store %0, %y[%c0] : tensor<512xbf16, #v8x2>, memref<512xbf16>
  tile.return
}

// Rows with gaps that belong to the memory: vectors may end in one, when they are
// read and when they are written.
// CHECK-LABEL: llvm.func @gaps
//       CHECK:   %[[STRIDE:.*]] = arith.constant 40 : i64
//       CHECK:   llvm.inline_asm {{.*}}ld.global.nc.v4.b32
//       CHECK:   llvm.inline_asm has_side_effects {{.*}}st.global.v4.b32
//   CHECK-NOT:   st.global.b16
//       CHECK:   llvm.return
tile.kernel @gaps(%x: memref<16x33xbf16, strided<[40, 1]>>, %y: memref<16x33xbf16, strided<[40, 1]>>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c33 = arith.constant 33 : index
  %0 = tile.load %x[%i, %c0] map (d0) -> (0, d0) limits(%c33) axes [0] : memref<16x33xbf16, strided<[40, 1]>> -> tensor<256xbf16, #v8>
  tile.store %0, %y[%i, %c0] map (d0) -> (0, d0) limits(%c33) axes [0] : tensor<256xbf16, #v8>, memref<16x33xbf16, strided<[40, 1]>>
  tile.return
}

// Elements of two words.
// CHECK-LABEL: llvm.func @cut_doubles
//       CHECK:   llvm.inline_asm {{.*}}ld.global.nc.v4.b32{{.*}}ld.global.nc.v4.b32
//       CHECK:   vector.bitcast %{{.*}} : vector<4xi32> to vector<2xf64>
//   CHECK-NOT:   llvm.intr.fshr
//       CHECK:   llvm.store
tile.kernel @cut_doubles(%x: memref<256xf64>, %y: memref<64xf64>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i] : memref<256xf64> -> tensor<64xf64, #v2>
  tile.store %0, %y[%c0] : tensor<64xf64, #v2>, memref<64xf64>
  tile.return
}

// i1 and f8E4M3FN are bytes, an index has 8 of them; a bool is true if its
// byte is not 0.
// CHECK-LABEL: llvm.func @types
//       CHECK:   llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
//       CHECK:   vector.bitcast %{{.*}} : vector<2xi32> to vector<8xi8>
//       CHECK:   arith.cmpi ne, %{{.*}} : vector<8xi8>
//       CHECK:   arith.extui %{{.*}} : vector<8xi1> to vector<8xi8>
//       CHECK:   llvm.store {{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
//       CHECK:   arith.bitcast %{{.*}} : vector<8xi8> to vector<8xf8E4M3FN>
//       CHECK:   arith.bitcast %{{.*}} : vector<8xf8E4M3FN> to vector<8xi8>
//       CHECK:   arith.index_cast %{{.*}} : vector<4xi64> to vector<4xindex>
//       CHECK:   arith.index_cast %{{.*}} : vector<4xindex> to vector<4xi64>
tile.kernel @types(%b: memref<256xi1>, %f: memref<256xf8E4M3FN>, %n: memref<128xindex>, %y: memref<256xi1>, %z: memref<256xf8E4M3FN>, %w: memref<128xindex>) outputs 3 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %b[%c0] : memref<256xi1> -> tensor<256xi1, #v8>
  tile.store %0, %y[%c0] : tensor<256xi1, #v8>, memref<256xi1>
  %1 = tile.load %f[%c0] : memref<256xf8E4M3FN> -> tensor<256xf8E4M3FN, #v8>
  tile.store %1, %z[%c0] : tensor<256xf8E4M3FN, #v8>, memref<256xf8E4M3FN>
  %2 = tile.load %n[%c0] : memref<128xindex> -> tensor<128xindex, #v4>
  tile.store %2, %w[%c0] : tensor<128xindex, #v4>, memref<128xindex>
  tile.return
}

// Rows of a known length are a constant apart: one address for both.
// CHECK-LABEL: llvm.func @offsets
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr %arg0[%{{.*}}]
//       CHECK:   llvm.load %[[FIRST]] invariant {alignment = 8 : i64}
//       CHECK:   %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][512]
//       CHECK:   llvm.load %[[SECOND]]
tile.kernel @offsets(%x: memref<2x128xf32>, %y: memref<2x64xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0, %c0] : memref<2x128xf32> -> tensor<2x64xf32, #rows>
  tile.store %0, %y[%c0, %c0] : tensor<2x64xf32, #rows>, memref<2x64xf32>
  tile.return
}

// A dynamic size is a stride.
// CHECK-LABEL: llvm.func @strides
//  CHECK-SAME:   (%[[X:[^ ]*]]: !llvm.ptr<1> {llvm.noalias}, %{{[^ ]*}}: i64, %[[ARGUMENT:.*]]: i64,
//       CHECK:   %[[SIZE:.*]] = arith.index_cast %[[ARGUMENT]] : i64 to index
//       CHECK:   %[[STRIDE:.*]] = arith.index_cast %[[SIZE]] : index to i64
//       CHECK:   %[[ROW:.*]] = arith.muli %{{.*}}, %[[STRIDE]] : i64
//       CHECK:   arith.addi %{{.*}}, %[[ROW]] : i64
//       CHECK:   llvm.getelementptr %[[X]]
tile.kernel @strides(%x: memref<?x?xf32>, %y: memref<2x32xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] : memref<?x?xf32> -> tensor<2x32xf32, #columns>
  tile.store %0, %y[%c0, %c0] : tensor<2x32xf32, #columns>, memref<2x32xf32>
  tile.return
}

// What may be beyond a limit is loaded with a predicate, and 0 where it is.
// CHECK-LABEL: llvm.func @limits
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}} : i32
//       CHECK:   llvm.inline_asm {{.*}}"mov.b32 $0, 0;{{.*}}@$2 ld.global.nc.b32 $0, [$1];", "=&r,l,b" %{{.*}}, %[[INSIDE]] : (!llvm.ptr<1>, i1) -> i32
//       CHECK:   llvm.inline_asm has_side_effects {{.*}}"@$2 st.global.b32 [$1], $0;", "r,l,b"
tile.kernel @limits(%x: memref<?xf32>, %y: memref<?xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] limits(%n) axes [0] : memref<?xf32> -> tensor<32xf32, #one>
  tile.store %0, %y[%c0] limits(%n) axes [0] : tensor<32xf32, #one>, memref<?xf32>
  tile.return
}

// If a limit does not cut vectors, they have one predicate.
// CHECK-LABEL: llvm.func @whole_vectors
//       CHECK:   llvm.inline_asm {{.*}}"mov.b32 $0, 0;{{.*}}@$5 ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];", "=&r,=&r,=&r,=&r,l,b"
//       CHECK:   llvm.inline_asm has_side_effects {{.*}}"@$5 st.global.v4.b32 [$4], {$0, $1, $2, $3};", "r,r,r,r,l,b"
tile.kernel @whole_vectors(%x: memref<128xf32>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %i, %c4 : index
  %0 = tile.load %x[%c0] limits(%n) axes [0] : memref<128xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] limits(%n) axes [0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// Inline assembly has no registers of 8 bits.
// CHECK-LABEL: llvm.func @bytes
//       CHECK:   llvm.inline_asm {{.*}}"mov.b16 $0, 0;{{.*}}@$2 ld.global.nc.u8 $0, [$1];", "=&h,l,b" {{.*}} -> i16
//       CHECK:   arith.trunci %{{.*}} : i16 to i8
//       CHECK:   arith.extui %{{.*}} : i8 to i16
//       CHECK:   "@$2 st.global.u8 [$1], $0;", "h,l,b"
//       CHECK:   "mov.b16 $0, 0;{{.*}}@$2 ld.global.nc.b16 $0, [$1];", "=&h,l,b"
//       CHECK:   "@$2 st.global.b16 [$1], $0;", "h,l,b"
//       CHECK:   "mov.b32 $0, 0;{{.*}}@$3 ld.global.nc.v2.b32 {$0, $1}, [$2];", "=&r,=&r,l,b"
tile.kernel @bytes(%b: memref<32xi8>, %h: memref<32xf16>, %d: memref<32xf64>, %y: memref<32xi8>, %z: memref<32xf16>, %w: memref<32xf64>) outputs 3 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %b[%c0] limits(%n) axes [0] : memref<32xi8> -> tensor<32xi8, #one>
  tile.store %0, %y[%c0] limits(%n) axes [0] : tensor<32xi8, #one>, memref<32xi8>
  %1 = tile.load %h[%c0] limits(%n) axes [0] : memref<32xf16> -> tensor<32xf16, #one>
  tile.store %1, %z[%c0] limits(%n) axes [0] : tensor<32xf16, #one>, memref<32xf16>
  %2 = tile.load %d[%c0] limits(%n) axes [0] : memref<32xf64> -> tensor<32xf64, #one>
  tile.store %2, %w[%c0] limits(%n) axes [0] : tensor<32xf64, #one>, memref<32xf64>
  tile.return
}

// A guarded load compares with the memory's size, and below 0 is beyond it, too.
// CHECK-LABEL: llvm.func @guarded
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %[[ARGUMENT:.*]]: i64,
//       CHECK:   %[[INDEX:.*]] = arith.index_cast %[[ARGUMENT]] : i64 to index
//       CHECK:   %[[SIZE:.*]] = arith.index_cast %[[INDEX]] : index to i64
//       CHECK:   %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %[[SIZE]] : i64
//       CHECK:   llvm.inline_asm {{.*}} %{{.*}}, %[[INSIDE]]
tile.kernel @guarded(%x: memref<?xf32>, %y: memref<32xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i] map (d0) -> (-d0) guarded : memref<?xf32> -> tensor<32xf32, #one>
  tile.store %0, %y[%c0] : tensor<32xf32, #one>, memref<32xf32>
  tile.return
}

// A gather is guarded; its positions are added to the indices.
// CHECK-LABEL: llvm.func @gather
//       CHECK:   %[[AT:.*]] = arith.extsi %{{.*}} : vector<1xi32> to vector<1xi64>
//       CHECK:   %[[POSITION:.*]] = vector.to_elements %[[AT]]
//       CHECK:   arith.addi %{{.*}}, %[[POSITION]]
//       CHECK:   arith.cmpi ult
//       CHECK:   llvm.inline_asm
tile.kernel @gather(%x: memref<1000xf32>, %ids: memref<32xi32>, %y: memref<32xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %ids[%c0] : memref<32xi32> -> tensor<32xi32, #one>
  %1 = tile.gather %x[%i] at(%0) dims [0] map (d0) -> (0) : memref<1000xf32>, tensor<32xi32, #one> -> tensor<32xf32, #one>
  tile.store %1, %y[%c0] : tensor<32xf32, #one>, memref<32xf32>
  tile.return
}

// Four lanes of two warps have each element; the thread whose bits 0, 1 and 5
// are 0 stores it.
// CHECK-LABEL: llvm.func @copies
//       CHECK:   %[[BITS:.*]] = arith.constant 35 : i32
//       CHECK:   %[[COPY:.*]] = arith.andi %{{.*}}, %[[BITS]] : i32
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[COPY]], %{{.*}} : i32
//       CHECK:   llvm.inline_asm has_side_effects {{.*}} %{{.*}}, %{{.*}}, %[[FIRST]]
tile.kernel @copies(%x: memref<8xf32>, %y: memref<8xf32>) outputs 1 blocks() attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<8xf32> -> tensor<8xf32, #copies>
  tile.store %0, %y[%c0] : tensor<8xf32, #copies>, memref<8xf32>
  tile.return
}

// Of two registers with one element, one is stored.
// CHECK-LABEL: llvm.func @twice
//       CHECK:   llvm.store
//   CHECK-NOT:   llvm.store
tile.kernel @twice(%x: memref<32xf32>, %y: memref<32xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<32xf32> -> tensor<32xf32, #twice>
  tile.store %0, %y[%c0] : tensor<32xf32, #twice>, memref<32xf32>
  tile.return
}

// Strides that are known when the kernel runs are parameters behind the sizes.
// CHECK-LABEL: llvm.func @pitched
//  CHECK-SAME: (%[[X:[^:]*]]: !llvm.ptr<1> {llvm.noalias}, %{{[^:]*}}: i64, %[[STRIDE:[^:]*]]: i64, %[[Y:[^:]*]]: !llvm.ptr<1>
//       CHECK:   %[[ROWS:.*]] = arith.muli %{{.*}}, %[[STRIDE]] : i64
//       CHECK:   llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
//   CHECK-NOT:   llvm.load
tile.kernel @pitched(%x: memref<?x128xf32, strided<[?, 1]>>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] map (a) -> (0, a) : memref<?x128xf32, strided<[?, 1]>> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// Rows that begin anywhere, and elements that are not next to each other: one
// by one.
// CHECK-LABEL: llvm.func @rows_anywhere
// CHECK-COUNT-4: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xi32>
//   CHECK-NOT:   llvm.load
//       CHECK:   llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>
tile.kernel @rows_anywhere(%x: memref<8x128xf32, strided<[?, 1]>>, %y: memref<128xf32>) outputs 1 blocks(%i) attributes {tile.warps = 1, promises = [#tile.promise<alignment = 4>, #tile.promise<alignment = 16>]} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%i, %c0] map (a) -> (0, a) : memref<8x128xf32, strided<[?, 1]>> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}
// CHECK-LABEL: llvm.func @any_strides
//  CHECK-SAME: (%{{[^:]*}}: !llvm.ptr<1> {llvm.noalias}, %[[STRIDE:[^:]*]]: i64, %{{[^:]*}}: !llvm.ptr<1>
//       CHECK:   arith.muli %{{.*}}, %[[STRIDE]] : i64
// CHECK-COUNT-4: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> vector<1xi32>
//   CHECK-NOT:   llvm.load
tile.kernel @any_strides(%x: memref<128xf32, strided<[?]>>, %y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] : memref<128xf32, strided<[?]>> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}

// A size that is promised to be a multiple of 4 allows vectors of 4 up to it.
// CHECK-LABEL: llvm.func @promised_size
//       CHECK:   ld.global.nc.v4.b32
//   CHECK-NOT:   ld.global
tile.kernel @promised_size(%x: memref<?xf32>, %y: memref<128xf32>) outputs 1 blocks() attributes {tile.warps = 1, promises = [#tile.promise<alignment = 16, sizes = [0], multiples = [4]>, #tile.promise<alignment = 16>]} {
  %c0 = arith.constant 0 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  %0 = tile.load %x[%c0] limits(%size) axes [0] : memref<?xf32> -> tensor<128xf32, #v4>
  tile.store %0, %y[%c0] : tensor<128xf32, #v4>, memref<128xf32>
  tile.return
}
