// What a loop only adds up, and scales alike in all threads, is added up over
// lanes and warps once behind it.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s
// RUN: fuse-opt %s --fuse-staged-to-threads --fuse-threads-to-llvm -o /dev/null

#lanes = #tile.layout<cell = [8, 4] lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]>
#quads = #tile.layout<cell = [8] lane = [[0], [0], [1], [2], [4]]>
#warps = #tile.layout<cell = [32, 4] lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]] warp = [[0, 1], [0, 2]]>
#everywhere = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]] warp = [[0], [0]]>

// Lanes start with nothing, as there is nothing; the maximum is known to all in
// each round.
// CHECK-LABEL: llvm.func @scaled
//       CHECK:   %[[SUMS:.*]]:2 = scf.for
// CHECK-COUNT-2:   nvvm.shfl.sync
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     %[[OLD:.*]] = arith.mulf %[[CARRIED:.*]], %{{.*}} : vector<1xf32>
//       CHECK:     arith.addf %[[OLD]], %{{.*}} : vector<1xf32>
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     scf.yield
//       CHECK:   %[[OWN:.*]] = vector.to_elements %[[SUMS]]#1
//       CHECK:   arith.bitcast %[[OWN]] : f32 to i32
//       CHECK:   nvvm.shfl.sync
//       CHECK:   nvvm.shfl.sync
//   CHECK-NOT:   nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @scaled(%x: memref<8x?xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32, #quads>
  %r:2 = scf.for %k = %c0 to %n step %c4 iter_args(%m = %zero, %l = %zero) -> (tensor<8xf32, #quads>, tensor<8xf32, #quads>) {
    %t = tile.load %x[%c0, %k] : memref<8x?xf32> -> tensor<8x4xf32, #lanes>
    %most = tile.reduce max %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %m1 = arith.maximumf %m, %most : tensor<8xf32, #quads>
    %sum = tile.reduce sum %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %old = arith.mulf %l, %m1 : tensor<8xf32, #quads>
    %l1 = arith.addf %old, %sum : tensor<8xf32, #quads>
    scf.yield %m1, %l1 : tensor<8xf32, #quads>, tensor<8xf32, #quads>
  }
  %p = arith.mulf %r#0, %r#1 : tensor<8xf32, #quads>
  tile.store %p, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}

// What there is before belongs to one of the lanes.
// CHECK-LABEL: llvm.func @started
//       CHECK:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<1xf32>
//       CHECK:   %[[LANE:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %{{.*}} : i32
//       CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<1xf32>
//       CHECK:   %[[START:.*]] = arith.select %[[FIRST]], %[[ONE]], %[[ZERO]] : vector<1xf32>
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     scf.yield
// CHECK-COUNT-2: nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @started(%x: memref<8x?xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant dense<1.0> : tensor<8xf32, #quads>
  %r = scf.for %k = %c0 to %n step %c4 iter_args(%l = %one) -> (tensor<8xf32, #quads>) {
    %t = tile.load %x[%c0, %k] : memref<8x?xf32> -> tensor<8x4xf32, #lanes>
    %sum = tile.reduce sum %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %l1 = arith.addf %sum, %l : tensor<8xf32, #quads>
    scf.yield %l1 : tensor<8xf32, #quads>
  }
  tile.store %r, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}

// A round that looks at the sum, or at what was added, needs all of it; and so
// does one that squares it.
// CHECK-LABEL: llvm.func @seen
//       CHECK:   scf.for
// CHECK-COUNT-6:   nvvm.shfl.sync
//       CHECK:     scf.yield
//   CHECK-NOT:   nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @seen(%x: memref<8x?xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32, #quads>
  %r:4 = scf.for %k = %c0 to %n step %c4 iter_args(%a = %zero, %c = %zero, %d = %zero, %e = %zero) -> (tensor<8xf32, #quads>, tensor<8xf32, #quads>, tensor<8xf32, #quads>, tensor<8xf32, #quads>) {
    %t = tile.load %x[%c0, %k] : memref<8x?xf32> -> tensor<8x4xf32, #lanes>
    %u = arith.addf %t, %t : tensor<8x4xf32, #lanes>
    %v = arith.addf %u, %t : tensor<8x4xf32, #lanes>
    %s = tile.reduce sum %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %s1 = tile.reduce sum %u dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %s2 = tile.reduce sum %v dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %a1 = arith.addf %a, %s : tensor<8xf32, #quads>
    %c1 = arith.addf %c, %s1 : tensor<8xf32, #quads>
    %both = arith.mulf %a1, %s1 : tensor<8xf32, #quads>
    %d1 = arith.addf %d, %both : tensor<8xf32, #quads>
    %square = arith.mulf %e, %e : tensor<8xf32, #quads>
    %e1 = arith.addf %square, %s2 : tensor<8xf32, #quads>
    scf.yield %a1, %c1, %d1, %e1 : tensor<8xf32, #quads>, tensor<8xf32, #quads>, tensor<8xf32, #quads>, tensor<8xf32, #quads>
  }
  %p = arith.mulf %r#0, %r#1 : tensor<8xf32, #quads>
  %q = arith.mulf %r#2, %r#3 : tensor<8xf32, #quads>
  %o = arith.mulf %p, %q : tensor<8xf32, #quads>
  tile.store %o, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}

// Warps, which tell each other through memory, do so once, too.
// CHECK-LABEL: llvm.func @warps
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   scf.for
//   CHECK-NOT:     nvvm.barrier
//   CHECK-NOT:     llvm.store
//       CHECK:     scf.yield
//       CHECK:   llvm.store %{{.*}} !llvm.ptr<3>
//       CHECK:   nvvm.barrier
// CHECK-COUNT-4: llvm.load %{{.*}} !llvm.ptr<3>
//   CHECK-NOT:   nvvm.barrier
//       CHECK:   llvm.return
tile.kernel @warps(%x: memref<32x?xf32>, %y: memref<32xf32>) outputs 1 blocks(%n) attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<32xf32, #everywhere>
  %r = scf.for %k = %c0 to %n step %c4 iter_args(%l = %zero) -> (tensor<32xf32, #everywhere>) {
    %t = tile.load %x[%c0, %k] : memref<32x?xf32> -> tensor<32x4xf32, #warps>
    %sum = tile.reduce sum %t dims [1] : tensor<32x4xf32, #warps> -> tensor<32xf32, #everywhere>
    %l1 = arith.addf %l, %sum : tensor<32xf32, #everywhere>
    scf.yield %l1 : tensor<32xf32, #everywhere>
  }
  tile.store %r, %y[%c0] : tensor<32xf32, #everywhere>, memref<32xf32>
  tile.return
}

// Maxima that no round looks at are left for later, too. All threads begin with
// what there was.
// CHECK-LABEL: llvm.func @maximum
//       CHECK:   %[[LEAST:.*]] = arith.constant dense<0xFF800000> : vector<1xf32>
//   CHECK-NOT:   arith.select
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[LEAST]])
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     scf.yield
// CHECK-COUNT-2: nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @maximum(%x: memref<8x?xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %least = arith.constant dense<0xFF800000> : tensor<8xf32, #quads>
  %r = scf.for %k = %c0 to %n step %c4 iter_args(%m = %least) -> (tensor<8xf32, #quads>) {
    %t = tile.load %x[%c0, %k] : memref<8x?xf32> -> tensor<8x4xf32, #lanes>
    %most = tile.reduce max %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %m1 = arith.maximumf %m, %most : tensor<8xf32, #quads>
    scf.yield %m1 : tensor<8xf32, #quads>
  }
  tile.store %r, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}

// Sums of integers start in one thread; a maximum that the round also adds is
// needed in each.
#whole = #tile.layout<cell = [32] lane = [[1], [2], [4], [8], [16]]>
#number = #tile.layout<cell = [] lane = [[], [], [], [], []]>
// CHECK-LABEL: llvm.func @integers
//       CHECK:   arith.select
//       CHECK:   scf.for
// CHECK-COUNT-5:   nvvm.shfl.sync
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     scf.yield
// CHECK-COUNT-5: nvvm.shfl.sync
//   CHECK-NOT:   nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @integers(%x: memref<?xi32>, %y: memref<i32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant dense<1> : tensor<i32, #number>
  %r:3 = scf.for %k = %c0 to %n step %c32 iter_args(%a = %one, %m = %one, %o = %one) -> (tensor<i32, #number>, tensor<i32, #number>, tensor<i32, #number>) {
    %t = tile.load %x[%k] : memref<?xi32> -> tensor<32xi32, #whole>
    %u = arith.muli %t, %t : tensor<32xi32, #whole>
    %sum = tile.reduce sum %t dims [0] : tensor<32xi32, #whole> -> tensor<i32, #number>
    %a1 = arith.addi %a, %sum : tensor<i32, #number>
    %most = tile.reduce max %u dims [0] : tensor<32xi32, #whole> -> tensor<i32, #number>
    %m1 = arith.maxsi %m, %most : tensor<i32, #number>
    %o1 = arith.xori %o, %m1 : tensor<i32, #number>
    scf.yield %a1, %m1, %o1 : tensor<i32, #number>, tensor<i32, #number>, tensor<i32, #number>
  }
  %p = arith.addi %r#0, %r#1 : tensor<i32, #number>
  %q = arith.addi %p, %r#2 : tensor<i32, #number>
  tile.store %q, %y[] : tensor<i32, #number>, memref<i32>
  tile.return
}

// What all lanes would add alike one of them adds.
// CHECK-LABEL: llvm.func @moved
//       CHECK:   scf.for
//       CHECK:     arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<1xf32>
//       CHECK:     arith.addf
//       CHECK:     arith.addf
//   CHECK-NOT:     nvvm.shfl.sync
//       CHECK:     scf.yield
// CHECK-COUNT-2: nvvm.shfl.sync
//       CHECK:   llvm.return
tile.kernel @moved(%x: memref<8x?xf32>, %m: memref<8xf32>, %y: memref<8xf32>) outputs 1 blocks(%n) attributes {tile.warps = 1} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32, #quads>
  %alike = tile.load %m[%c0] : memref<8xf32> -> tensor<8xf32, #quads>
  %r = scf.for %k = %c0 to %n step %c4 iter_args(%l = %zero) -> (tensor<8xf32, #quads>) {
    %t = tile.load %x[%c0, %k] : memref<8x?xf32> -> tensor<8x4xf32, #lanes>
    %sum = tile.reduce sum %t dims [1] : tensor<8x4xf32, #lanes> -> tensor<8xf32, #quads>
    %old = arith.addf %l, %alike : tensor<8xf32, #quads>
    %l1 = arith.addf %old, %sum : tensor<8xf32, #quads>
    scf.yield %l1 : tensor<8xf32, #quads>
  }
  tile.store %r, %y[%c0] : tensor<8xf32, #quads>, memref<8xf32>
  tile.return
}
