// Each round makes two values of both that the one before has made, so twice as many ways lead from the end to the
// beginning with each. Random bits, of which a mask is made that drops elements of rows before they are normalised, and
// the mask of scores and positions were asked for along every way, for hours.

// RUN: split-file %s %t
// RUN: cat %t/bits.mlir %t/rounds.mlir > %t/bits-in-rounds.mlir
// RUN: cat %t/mask.mlir %t/rounds.mlir > %t/mask-in-rounds.mlir
// RUN: fuse-run %t/bits-in-rounds.mlir --target=cpu --shape=x:13x20 --verify | FileCheck %s
// RUN: fuse-run %t/bits-in-rounds.mlir --target=simulate --shape=x:3x20 --verify | FileCheck %s
// RUN: fuse-run %t/mask-in-rounds.mlir --target=cpu --verify | FileCheck %s
// RUN: fuse-run %t/mask-in-rounds.mlir --target=simulate --chip=sm_90a --verify | FileCheck %s
// RUN: fuse-run %t/positions.mlir --target=cpu --verify | FileCheck %s
// RUN: fuse-run %t/positions.mlir --target=simulate --chip=sm_90a --verify | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

//--- bits.mlir

func.func @bits(%x: tensor<?x20xf32> {fuse.name = "x"}) -> tensor<?x20xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x20xf32>
  %row = fuse.iota dim 0 sizes [%rows] : tensor<?x20xi32>
  %column = fuse.iota dim 1 sizes [%rows] : tensor<?x20xi32>
  %a:2 = call @eight(%row, %column) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %b:2 = call @eight(%a#0, %a#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %c:2 = call @eight(%b#0, %b#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %d:2 = call @eight(%c#0, %c#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %zero = arith.constant dense<0> : tensor<i32>
  %zeros = fuse.broadcast %zero dims [] sizes [%rows] : tensor<i32> -> tensor<?x20xi32>
  %keep = arith.cmpi sge, %d#0, %zeros : tensor<?x20xi32>
  %z = arith.constant dense<0.0> : tensor<f32>
  %dropped = fuse.broadcast %z dims [] sizes [%rows] : tensor<f32> -> tensor<?x20xf32>
  %kept = arith.select %keep, %x, %dropped : tensor<?x20xi1>, tensor<?x20xf32>
  %y = fuse.layer_norm %kept eps 1.0e-3 : tensor<?x20xf32>
  return %y : tensor<?x20xf32>
}

//--- mask.mlir

func.func @mask(%q: tensor<13x20xf32>, %k: tensor<20x20xf32>, %m: tensor<13x20xi1>) -> tensor<13x20xf32> {
  %s = fuse.matmul %q, %k : tensor<13x20xf32>, tensor<20x20xf32> -> tensor<13x20xf32>
  %m32 = arith.extui %m : tensor<13x20xi1> to tensor<13x20xi32>
  %m0 = tensor.cast %m32 : tensor<13x20xi32> to tensor<?x20xi32>
  %row = fuse.iota dim 0 : tensor<13x20xi32>
  %r0 = tensor.cast %row : tensor<13x20xi32> to tensor<?x20xi32>
  %a:2 = call @eight(%m0, %r0) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %b:2 = call @eight(%a#0, %a#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %c:2 = call @eight(%b#0, %b#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %d:2 = call @eight(%c#0, %c#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %d0 = tensor.cast %d#0 : tensor<?x20xi32> to tensor<13x20xi32>
  %d1 = tensor.cast %d#1 : tensor<?x20xi32> to tensor<13x20xi32>
  %keep = arith.cmpi sge, %d0, %d1 : tensor<13x20xi32>
  %p = fuse.softmax %s dim 1 mask %keep : tensor<13x20xf32>, tensor<13x20xi1>
  %o = fuse.matmul %p, %k : tensor<13x20xf32>, tensor<20x20xf32> -> tensor<13x20xf32>
  return %o : tensor<13x20xf32>
}

//--- rounds.mlir

func.func private @round(%a: tensor<?x20xi32>, %b: tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>) {
  %c = arith.addi %a, %b : tensor<?x20xi32>
  %d = arith.xori %c, %b : tensor<?x20xi32>
  return %c, %d : tensor<?x20xi32>, tensor<?x20xi32>
}

func.func private @two(%a: tensor<?x20xi32>, %b: tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>) {
  %c:2 = call @round(%a, %b) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %d:2 = call @round(%c#0, %c#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  return %d#0, %d#1 : tensor<?x20xi32>, tensor<?x20xi32>
}

func.func private @eight(%a: tensor<?x20xi32>, %b: tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>) {
  %c:2 = call @two(%a, %b) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %d:2 = call @two(%c#0, %c#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %e:2 = call @two(%d#0, %d#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  %f:2 = call @two(%e#0, %e#1) : (tensor<?x20xi32>, tensor<?x20xi32>) -> (tensor<?x20xi32>, tensor<?x20xi32>)
  return %f#0, %f#1 : tensor<?x20xi32>, tensor<?x20xi32>
}

//--- positions.mlir

func.func private @turn(%a: tensor<20x20xi64>, %b: tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>) {
  %c = arith.addi %a, %b : tensor<20x20xi64>
  %d = arith.subi %c, %a : tensor<20x20xi64>
  %e = arith.addi %c, %d : tensor<20x20xi64>
  %f = arith.subi %e, %c : tensor<20x20xi64>
  return %e, %f : tensor<20x20xi64>, tensor<20x20xi64>
}

func.func private @turns(%a: tensor<20x20xi64>, %b: tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>) {
  %c:2 = call @turn(%a, %b) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %d:2 = call @turn(%c#0, %c#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %e:2 = call @turn(%d#0, %d#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %f:2 = call @turn(%e#0, %e#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  return %f#0, %f#1 : tensor<20x20xi64>, tensor<20x20xi64>
}

func.func @positions(%q: tensor<20x20xf32>, %k: tensor<20x20xf32>) -> tensor<20x20xf32> {
  %s = fuse.matmul %q, %k : tensor<20x20xf32>, tensor<20x20xf32> -> tensor<20x20xf32>
  %i = fuse.iota dim 0 : tensor<20x20xi64>
  %j = fuse.iota dim 1 : tensor<20x20xi64>
  %a:2 = call @turns(%i, %j) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %b:2 = call @turns(%a#0, %a#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %c:2 = call @turns(%b#0, %b#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %d:2 = call @turns(%c#0, %c#1) : (tensor<20x20xi64>, tensor<20x20xi64>) -> (tensor<20x20xi64>, tensor<20x20xi64>)
  %far = arith.constant dense<40000> : tensor<20x20xi64>
  %keep = arith.cmpi sle, %d#0, %far : tensor<20x20xi64>
  %p = fuse.softmax %s dim 1 mask %keep : tensor<20x20xf32>, tensor<20x20xi1>
  %o = fuse.matmul %p, %k : tensor<20x20xf32>, tensor<20x20xf32> -> tensor<20x20xf32>
  return %o : tensor<20x20xf32>
}
