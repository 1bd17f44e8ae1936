// What is waited for before anything else is done.

// RUN: fuse-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-async-dots))' | FileCheck %s

#s = #tile.shared<cell = [64, 64] offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #tile.layout<cell = [64, 64] reg = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]] lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]] warp = [[16, 0], [32, 0]]>
!s = tensor<64x64xf16, #s>
!acc = tensor<64x64xf32, #acc>
!one = !tile.ring<2 x (!s)>
!two = !tile.ring<2 x (!s, !s)>

// What is brought to shared memory in a round, the next one writes.
// CHECK-LABEL: tile.kernel @made_in_the_round(
//       CHECK:       tile.dot %
//   CHECK-NOT:       tile.dot_issue
tile.kernel @made_in_the_round(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %h = arith.truncf %zero : !acc to tensor<64x64xf16, #acc>
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !one
        %m = tile.convert_layout %h : tensor<64x64xf16, #acc> -> !s
        %s1 = tile.dot %a, %m, %s atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !one
        scf.yield %s1 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
    }
  }
  tile.return
}

// A sum that is read, and to which the next product is added, is taken for both.
// CHECK-LABEL: tile.kernel @read_twice(
//       CHECK:       %[[P:.*]], %{{.*}} = tile.dot_issue
//  CHECK-NEXT:       %[[SUM:.*]] = tile.take %[[P]]
//       CHECK:       tile.dot_issue %{{.*}}, %{{.*}}, %[[SUM]]
//       CHECK:       arith.addf %{{.*}}, %[[SUM]]
tile.kernel @read_twice(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !one
        %s1 = tile.dot %a, %a, %zero atom = wgmma : !s, !s -> !acc
        %s2 = tile.dot %a, %a, %s1 atom = wgmma : !s, !s -> !acc
        %t = arith.addf %s2, %s1 : !acc
        %s3 = arith.addf %s, %t : !acc
        tile.release %r[%n] : !one
        scf.yield %s3 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
    }
  }
  tile.return
}

// A sum of the round before that somebody reads is not in flight.
// CHECK-LABEL: tile.kernel @read_before(
//       CHECK:     scf.for {{.*}} -> (tensor<
//       CHECK:       tile.take
tile.kernel @read_before(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !one
        %t = arith.negf %s : !acc
        tile.store %t, %y[%c0, %c0] : !acc, memref<64x64xf32>
        %s1 = tile.dot %a, %a, %s atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !one
        scf.yield %s1 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
    }
  }
  tile.return
}

// A factor in registers is waited for before it is made anew.
// CHECK-LABEL: tile.kernel @in_registers(
//       CHECK:       tile.dot_issue
//       CHECK:       tile.retire %{{.*}} behind 0
//       CHECK:       tile.dot_issue
tile.kernel @in_registers(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %h = arith.truncf %zero : !acc to tensor<64x64xf16, #acc>
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !one
        %f = arith.negf %h : tensor<64x64xf16, #acc>
        %s1 = tile.dot %f, %a, %s atom = wgmma : tensor<64x64xf16, #acc>, !s -> !acc
        %s2 = tile.dot %a, %a, %s1 atom = wgmma : !s, !s -> !acc
        tile.release %r[%n] : !one
        scf.yield %s2 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
    }
  }
  tile.return
}

// Each number is released behind the products that read it.
// CHECK-LABEL: tile.kernel @two_numbers(
//       CHECK:       %{{.*}}, %[[A:.*]] = tile.dot_issue
//       CHECK:       %{{.*}}, %[[B:.*]] = tile.dot_issue
//       CHECK:       tile.release %{{.*}}[%{{.*}}] after %[[A]] :
//       CHECK:       tile.release %{{.*}}[%{{.*}}] after %[[B]] :
tile.kernel @two_numbers(%x: memref<64x512xf16>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !one
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %m = arith.muli %n, %c2 : index
        %m1 = arith.addi %m, %c1 : index
        %a = tile.wait %r[%m] : !one
        %b = tile.wait %r[%m1] : !one
        %s1 = tile.dot %a, %a, %zero atom = wgmma : !s, !s -> !acc
        %s2 = tile.dot %b, %b, %zero atom = wgmma : !s, !s -> !acc
        tile.release %r[%m] : !one
        tile.release %r[%m1] : !one
        %t = arith.addf %s1, %s2 : !acc
        %s3 = arith.addf %s, %t : !acc
        scf.yield %s3 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c16 step %c1 {
        tile.acquire %r[%n] : !one
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x512xf16>, !one
        tile.commit %r[%n] : !one
      }
    }
  }
  tile.return
}

// Products that are added up apart, piece by piece, are waited for: of numbers of 8 bits,
// CHECK-LABEL: tile.kernel @eight_bits(
//       CHECK:       tile.dot %
//   CHECK-NOT:       tile.dot_issue
tile.kernel @eight_bits(%x: memref<64x64xf8E4M3FN>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
        %s1 = tile.dot %a, %a, %s atom = wgmma : tensor<64x64xf8E4M3FN, #s>, tensor<64x64xf8E4M3FN, #s> -> !acc
        tile.release %r[%n] : !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
        scf.yield %s1 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x64xf8E4M3FN>, !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<64x64xf8E4M3FN, #s>)>
      }
    }
  }
  tile.return
}

// and of numbers that are split into parts.
// CHECK-LABEL: tile.kernel @parts(
//       CHECK:       tile.dot %
//   CHECK-NOT:       tile.dot_issue
tile.kernel @parts(%x: memref<64x64xf32>, %y: memref<64x64xf32>) outputs 1 blocks() attributes {tile.warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = tile.ring feed = tma : !tile.ring<2 x (tensor<64x64xf32, #s>)>
  tile.roles {
    tile.role math warps 4 {
      %zero = arith.constant dense<0.0> : !acc
      %sum = scf.for %n = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (!acc) {
        %a = tile.wait %r[%n] : !tile.ring<2 x (tensor<64x64xf32, #s>)>
        %s1 = tile.dot %a, %a, %s precision = tf32x3 atom = wgmma : tensor<64x64xf32, #s>, tensor<64x64xf32, #s> -> !acc
        tile.release %r[%n] : !tile.ring<2 x (tensor<64x64xf32, #s>)>
        scf.yield %s1 : !acc
      }
      tile.store %sum, %y[%c0, %c0] : !acc, memref<64x64xf32>
    }
    tile.role load warps 4 {
      scf.for %n = %c0 to %c8 step %c1 {
        tile.acquire %r[%n] : !tile.ring<2 x (tensor<64x64xf32, #s>)>
        tile.copy %x[%c0, %c0] to %r[%n] part 0 : memref<64x64xf32>, !tile.ring<2 x (tensor<64x64xf32, #s>)>
        tile.commit %r[%n] : !tile.ring<2 x (tensor<64x64xf32, #s>)>
      }
    }
  }
  tile.return
}
