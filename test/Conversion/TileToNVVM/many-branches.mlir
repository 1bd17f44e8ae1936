// What is known of shared memory behind a branch is known once, however many
// ways lead there: of 32 branches in a row it was 2^32 times.

// RUN: fuse-opt %s --convert-tile-to-nvvm | FileCheck %s

#rows = #tile.layout<cell = [64] reg = [] lane = [[1], [2], [4], [8], [16]] warp = [[32]]>
#other = #tile.layout<cell = [64] reg = [] lane = [[2], [4], [8], [16], [32]] warp = [[1]]>

// CHECK-LABEL: llvm.func @branches
// CHECK-COUNT-32: scf.if
//       CHECK:   llvm.return
tile.kernel @branches(%x: memref<64xf32>, %y: memref<64xf32>) outputs 1 blocks(%n) attributes {tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32, #other>
  %0 = tile.load %x[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
  %v0 = tile.convert_layout %0 : tensor<64xf32, #rows> -> tensor<64xf32, #other>
  %k0 = arith.constant 0 : index
  %c1000 = arith.cmpi sgt, %n, %k0 : index
  %v1 = scf.if %c1000 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v0, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v0 : tensor<64xf32, #other>
  }
  %k1 = arith.constant 1 : index
  %c1001 = arith.cmpi sgt, %n, %k1 : index
  %v2 = scf.if %c1001 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v1, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v1 : tensor<64xf32, #other>
  }
  %k2 = arith.constant 2 : index
  %c1002 = arith.cmpi sgt, %n, %k2 : index
  %v3 = scf.if %c1002 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v2, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v2 : tensor<64xf32, #other>
  }
  %k3 = arith.constant 3 : index
  %c1003 = arith.cmpi sgt, %n, %k3 : index
  %v4 = scf.if %c1003 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v3, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v3 : tensor<64xf32, #other>
  }
  %k4 = arith.constant 4 : index
  %c1004 = arith.cmpi sgt, %n, %k4 : index
  %v5 = scf.if %c1004 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v4, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v4 : tensor<64xf32, #other>
  }
  %k5 = arith.constant 5 : index
  %c1005 = arith.cmpi sgt, %n, %k5 : index
  %v6 = scf.if %c1005 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v5, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v5 : tensor<64xf32, #other>
  }
  %k6 = arith.constant 6 : index
  %c1006 = arith.cmpi sgt, %n, %k6 : index
  %v7 = scf.if %c1006 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v6, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v6 : tensor<64xf32, #other>
  }
  %k7 = arith.constant 7 : index
  %c1007 = arith.cmpi sgt, %n, %k7 : index
  %v8 = scf.if %c1007 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v7, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v7 : tensor<64xf32, #other>
  }
  %k8 = arith.constant 8 : index
  %c1008 = arith.cmpi sgt, %n, %k8 : index
  %v9 = scf.if %c1008 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v8, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v8 : tensor<64xf32, #other>
  }
  %k9 = arith.constant 9 : index
  %c1009 = arith.cmpi sgt, %n, %k9 : index
  %v10 = scf.if %c1009 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v9, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v9 : tensor<64xf32, #other>
  }
  %k10 = arith.constant 10 : index
  %c1010 = arith.cmpi sgt, %n, %k10 : index
  %v11 = scf.if %c1010 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v10, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v10 : tensor<64xf32, #other>
  }
  %k11 = arith.constant 11 : index
  %c1011 = arith.cmpi sgt, %n, %k11 : index
  %v12 = scf.if %c1011 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v11, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v11 : tensor<64xf32, #other>
  }
  %k12 = arith.constant 12 : index
  %c1012 = arith.cmpi sgt, %n, %k12 : index
  %v13 = scf.if %c1012 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v12, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v12 : tensor<64xf32, #other>
  }
  %k13 = arith.constant 13 : index
  %c1013 = arith.cmpi sgt, %n, %k13 : index
  %v14 = scf.if %c1013 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v13, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v13 : tensor<64xf32, #other>
  }
  %k14 = arith.constant 14 : index
  %c1014 = arith.cmpi sgt, %n, %k14 : index
  %v15 = scf.if %c1014 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v14, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v14 : tensor<64xf32, #other>
  }
  %k15 = arith.constant 15 : index
  %c1015 = arith.cmpi sgt, %n, %k15 : index
  %v16 = scf.if %c1015 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v15, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v15 : tensor<64xf32, #other>
  }
  %k16 = arith.constant 16 : index
  %c1016 = arith.cmpi sgt, %n, %k16 : index
  %v17 = scf.if %c1016 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v16, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v16 : tensor<64xf32, #other>
  }
  %k17 = arith.constant 17 : index
  %c1017 = arith.cmpi sgt, %n, %k17 : index
  %v18 = scf.if %c1017 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v17, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v17 : tensor<64xf32, #other>
  }
  %k18 = arith.constant 18 : index
  %c1018 = arith.cmpi sgt, %n, %k18 : index
  %v19 = scf.if %c1018 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v18, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v18 : tensor<64xf32, #other>
  }
  %k19 = arith.constant 19 : index
  %c1019 = arith.cmpi sgt, %n, %k19 : index
  %v20 = scf.if %c1019 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v19, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v19 : tensor<64xf32, #other>
  }
  %k20 = arith.constant 20 : index
  %c1020 = arith.cmpi sgt, %n, %k20 : index
  %v21 = scf.if %c1020 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v20, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v20 : tensor<64xf32, #other>
  }
  %k21 = arith.constant 21 : index
  %c1021 = arith.cmpi sgt, %n, %k21 : index
  %v22 = scf.if %c1021 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v21, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v21 : tensor<64xf32, #other>
  }
  %k22 = arith.constant 22 : index
  %c1022 = arith.cmpi sgt, %n, %k22 : index
  %v23 = scf.if %c1022 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v22, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v22 : tensor<64xf32, #other>
  }
  %k23 = arith.constant 23 : index
  %c1023 = arith.cmpi sgt, %n, %k23 : index
  %v24 = scf.if %c1023 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v23, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v23 : tensor<64xf32, #other>
  }
  %k24 = arith.constant 24 : index
  %c1024 = arith.cmpi sgt, %n, %k24 : index
  %v25 = scf.if %c1024 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v24, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v24 : tensor<64xf32, #other>
  }
  %k25 = arith.constant 25 : index
  %c1025 = arith.cmpi sgt, %n, %k25 : index
  %v26 = scf.if %c1025 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v25, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v25 : tensor<64xf32, #other>
  }
  %k26 = arith.constant 26 : index
  %c1026 = arith.cmpi sgt, %n, %k26 : index
  %v27 = scf.if %c1026 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v26, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v26 : tensor<64xf32, #other>
  }
  %k27 = arith.constant 27 : index
  %c1027 = arith.cmpi sgt, %n, %k27 : index
  %v28 = scf.if %c1027 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v27, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v27 : tensor<64xf32, #other>
  }
  %k28 = arith.constant 28 : index
  %c1028 = arith.cmpi sgt, %n, %k28 : index
  %v29 = scf.if %c1028 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v28, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v28 : tensor<64xf32, #other>
  }
  %k29 = arith.constant 29 : index
  %c1029 = arith.cmpi sgt, %n, %k29 : index
  %v30 = scf.if %c1029 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v29, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v29 : tensor<64xf32, #other>
  }
  %k30 = arith.constant 30 : index
  %c1030 = arith.cmpi sgt, %n, %k30 : index
  %v31 = scf.if %c1030 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v30, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v30 : tensor<64xf32, #other>
  }
  %k31 = arith.constant 31 : index
  %c1031 = arith.cmpi sgt, %n, %k31 : index
  %v32 = scf.if %c1031 -> (tensor<64xf32, #other>) {
    %a = arith.addf %v31, %one : tensor<64xf32, #other>
    scf.yield %a : tensor<64xf32, #other>
  } else {
    scf.yield %v31 : tensor<64xf32, #other>
  }
  tile.store %v32, %y[%c0] : tensor<64xf32, #other>, memref<64xf32>
  tile.return
}
