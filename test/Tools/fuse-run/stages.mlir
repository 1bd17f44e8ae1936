// The module at every stage, and on the reference's road too.

// RUN: rm -rf %t && fuse-run %s --target=reference --shape=x:2 --dump-stages=%t/dir --verify > /dev/null
// RUN: ls %t/dir | FileCheck %s --check-prefix=LIST
// LIST:      0-graph.mlir
// LIST-NEXT: 1-bound.mlir
// LIST-NEXT: 2-decomposed.mlir
// LIST-NEXT: 3-linalg.mlir
// LIST-NEXT: 4-llvm.mlir
// LIST-NEXT: reference-0-graph.mlir
// LIST-NEXT: reference-1-bound.mlir
// LIST-NEXT: reference-2-decomposed.mlir
// LIST-NEXT: reference-3-linalg.mlir
// LIST-NEXT: reference-4-llvm.mlir
// LIST-NOT: {{.}}

// Each is a module that can be read again, in its own dialects.
// RUN: for f in %t/dir/*; do fuse-opt $f -o /dev/null || exit 1; done
// RUN: FileCheck %s --check-prefix=GRAPH < %t/dir/0-graph.mlir
// GRAPH: fuse.relu %{{.*}} : tensor<?xf16>
// RUN: FileCheck %s --check-prefix=BOUND < %t/dir/1-bound.mlir
// BOUND: fuse.relu %{{.*}} : tensor<2xf16>

// The judge runs none of our folds: two transposes that cancel are there until
// there are loops, on both roads.
// RUN: for f in 0-graph 1-bound 2-decomposed; do for p in %t/dir/ %t/dir/reference-; do FileCheck %s --check-prefix=CANCEL < $p$f.mlir || exit 1; done; done
// CANCEL: %[[ONCE:.*]] = fuse.transpose %{{.*}} [1, 0] : tensor<3x4xf16>
// CANCEL: %[[TWICE:.*]] = fuse.transpose %[[ONCE]] [1, 0] : tensor<4x3xf16>
// CANCEL: return %{{.*}}, %[[TWICE]]
// RUN: FileCheck %s --check-prefix=DECOMPOSED < %t/dir/2-decomposed.mlir
// DECOMPOSED-NOT: fuse.relu
// DECOMPOSED: arith.maximumf {{.*}} : tensor<2xf16>
// RUN: FileCheck %s --check-prefix=LINALG < %t/dir/3-linalg.mlir
// LINALG-NOT: fuse.relu
// LINALG: arith.maximumf {{.*}} : f16
// RUN: FileCheck %s --check-prefix=LLVM < %t/dir/4-llvm.mlir
// LLVM-NOT: linalg
// LLVM: llvm.func
// RUN: FileCheck %s --check-prefix=WIDE < %t/dir/reference-3-linalg.mlir
// WIDE: arith.maximumf {{.*}} : f64

// Without --verify there is no reference; a folder that is there is used.
// RUN: rm %t/dir/* && fuse-run %s --target=reference --shape=x:2 --dump-stages=%t/dir > /dev/null && ls %t/dir | FileCheck %s --check-prefix=PLAIN
// PLAIN:     4-llvm.mlir
// PLAIN-NOT: reference

func.func @f(%x: tensor<?xf16> {fuse.name = "x"}, %m: tensor<3x4xf16>) -> (tensor<?xf16>, tensor<3x4xf16>) {
  %y = fuse.relu %x : tensor<?xf16>
  %once = fuse.transpose %m [1, 0] : tensor<3x4xf16>
  %twice = fuse.transpose %once [1, 0] : tensor<4x3xf16>
  return %y, %twice : tensor<?xf16>, tensor<3x4xf16>
}
