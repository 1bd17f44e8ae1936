// What is reduced along columns, or along several rows at a time, is combined by
// threads and warps once behind the loop that reads it, whatever was there
// before. One row times a weight whose rows begin within words is such a sum.

// RUN: fuse-run %s --entry=sums --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=largest --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=wholes --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=of_squares --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=vector --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=along_k --verify=exact | FileCheck %s
// RUN: fuse-run %s --entry=vectors --verify=exact | FileCheck %s
// CHECK: verify: right

func.func @sums(%x: tensor<20011x130xf32> {fuse.fill = #fuse.fill<integers, -9, 9>}) -> tensor<130xf32> {
  %0 = fuse.reduce sum %x dims [0] : tensor<20011x130xf32>
  return %0 : tensor<130xf32>
}

func.func @largest(%x: tensor<9001x67xbf16> {fuse.fill = #fuse.fill<integers, -200, -3>}) -> (tensor<67xbf16>, tensor<67xbf16>) {
  %0 = fuse.reduce max %x dims [0] : tensor<9001x67xbf16>
  %1 = fuse.reduce min %x dims [0] : tensor<9001x67xbf16>
  return %0, %1 : tensor<67xbf16>, tensor<67xbf16>
}

func.func @wholes(%x: tensor<30011x19xi32>) -> (tensor<19xi32>, tensor<19xi32>) {
  %0 = fuse.reduce sum %x dims [0] : tensor<30011x19xi32>
  %1 = fuse.reduce max %x dims [0] : tensor<30011x19xi32>
  return %0, %1 : tensor<19xi32>, tensor<19xi32>
}

// Rows and columns at once.
func.func @of_squares(%x: tensor<7x513x65xf16> {fuse.fill = #fuse.fill<integers, -2, 2>}) -> tensor<513xf32> {
  %0 = arith.extf %x : tensor<7x513x65xf16> to tensor<7x513x65xf32>
  %1 = arith.mulf %0, %0 : tensor<7x513x65xf32>
  %2 = fuse.reduce sum %1 dims [0, 2] : tensor<7x513x65xf32>
  return %2 : tensor<513xf32>
}

func.func @vector(%x: tensor<1x515xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>},
                  %w: tensor<515x1031xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>},
                  %b: tensor<1031xf32> {fuse.fill = #fuse.fill<integers, -3, 3>}) -> tensor<1x1031xf32> {
  %0 = fuse.matmul %x, %w : tensor<1x515xbf16>, tensor<515x1031xbf16> -> tensor<1x1031xf32>
  %1 = fuse.broadcast %b dims [1] : tensor<1031xf32> -> tensor<1x1031xf32>
  %2 = arith.addf %0, %1 : tensor<1x1031xf32>
  return %2 : tensor<1x1031xf32>
}

func.func @along_k(%x: tensor<1x4099xf16> {fuse.fill = #fuse.fill<integers, -1, 1>},
                   %w: tensor<67x4099xf16> {fuse.fill = #fuse.fill<integers, -1, 1>}) -> tensor<1x67xf32> {
  %0 = fuse.transpose %w [1, 0] : tensor<67x4099xf16>
  %1 = fuse.matmul %x, %0 : tensor<1x4099xf16>, tensor<4099x67xf16> -> tensor<1x67xf32>
  return %1 : tensor<1x67xf32>
}

// A row for each of several weights.
func.func @vectors(%x: tensor<3x1x257xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>},
                   %w: tensor<3x257x515xbf16> {fuse.fill = #fuse.fill<integers, -3, 3>}) -> tensor<3x1x515xf32> {
  %0 = fuse.matmul %x, %w : tensor<3x1x257xbf16>, tensor<3x257x515xbf16> -> tensor<3x1x515xf32>
  return %0 : tensor<3x1x515xf32>
}
