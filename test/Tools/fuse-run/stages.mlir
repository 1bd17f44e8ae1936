// The module at every stage, and on the reference's road too.

// RUN: rm -rf %t && fuse-run %s --shape=x:2 --dump-stages=%t/dir --verify > /dev/null
// RUN: ls %t/dir | FileCheck %s --check-prefix=LIST
// LIST:      0-graph.mlir
// LIST-NEXT: 1-bound.mlir
// LIST-NEXT: 2-linalg.mlir
// LIST-NEXT: 3-llvm.mlir
// LIST-NEXT: reference-0-graph.mlir
// LIST-NEXT: reference-1-bound.mlir
// LIST-NEXT: reference-2-linalg.mlir
// LIST-NEXT: reference-3-llvm.mlir

// Each is a module that can be read again, in its own dialects.
// RUN: for f in %t/dir/*; do fuse-opt $f -o /dev/null || exit 1; done
// RUN: FileCheck %s --check-prefix=GRAPH < %t/dir/0-graph.mlir
// GRAPH: fuse.relu %{{.*}} : tensor<?xf16>
// RUN: FileCheck %s --check-prefix=BOUND < %t/dir/1-bound.mlir
// BOUND: fuse.relu %{{.*}} : tensor<2xf16>
// RUN: FileCheck %s --check-prefix=LINALG < %t/dir/2-linalg.mlir
// LINALG-NOT: fuse.relu
// LINALG: arith.maximumf {{.*}} : f16
// RUN: FileCheck %s --check-prefix=LLVM < %t/dir/3-llvm.mlir
// LLVM-NOT: linalg
// LLVM: llvm.func
// RUN: FileCheck %s --check-prefix=WIDE < %t/dir/reference-2-linalg.mlir
// WIDE: arith.maximumf {{.*}} : f64

// Without --verify there is no reference; a folder that is there is used.
// RUN: rm %t/dir/* && fuse-run %s --shape=x:2 --dump-stages=%t/dir > /dev/null && ls %t/dir | FileCheck %s --check-prefix=PLAIN
// PLAIN:     3-llvm.mlir
// PLAIN-NOT: reference

func.func @f(%x: tensor<?xf16> {fuse.name = "x"}) -> tensor<?xf16> {
  %y = fuse.relu %x : tensor<?xf16>
  return %y : tensor<?xf16>
}
