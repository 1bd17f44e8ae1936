// LLVM 22 writes bytecode of empty data that it cannot read, so this is
// apart from the tests whose modules go through it.

// RUN: fuse-opt %s --fuse-inline-resources | FileCheck %s

// CHECK-LABEL: func.func @nothing
//       CHECK:   arith.constant dense<> : tensor<0xf32>
func.func @nothing() {
  %0 = arith.constant dense_resource<nothing> : tensor<0xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      nothing: "0x04000000"
    }
  }
#-}
