// The two pipelines of the reference run, and each ends in its stage.

// RUN: fuse-opt %s --fuse-reference-to-linalg --fuse-check-stage=stage=linalg | FileCheck %s --check-prefix=SAME
// RUN: fuse-opt %s --fuse-reference-to-linalg=floats=exact --fuse-check-stage=stage=linalg | FileCheck %s --check-prefix=EXACT
// RUN: fuse-opt %s --fuse-reference-to-linalg=floats=round --fuse-check-stage=stage=linalg | FileCheck %s --check-prefix=ROUND
// RUN: fuse-opt %s --fuse-reference-to-linalg --fuse-linalg-to-llvm --fuse-check-stage=stage=llvm | FileCheck %s --check-prefix=LLVM
// RUN: fuse-opt %s --fuse-reference-to-linalg=floats=exact --fuse-linalg-to-llvm | FileCheck %s --check-prefix=LLVM

// As one textual pipeline, too.
// RUN: fuse-opt %s --pass-pipeline='builtin.module(fuse-reference-to-linalg{floats=same},fuse-linalg-to-llvm)' | FileCheck %s --check-prefix=LLVM

// What is no graph is refused by the first, and so are words it does not know.
// RUN: not fuse-opt %s --fuse-reference-to-linalg --fuse-reference-to-linalg 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not fuse-opt %s --fuse-reference-to-linalg=floats=f32 2>&1 | FileCheck %s --check-prefix=OPTION
// TWICE: does not belong to the stage 'graph'
// OPTION: Cannot find option named 'f32'

// SAME-LABEL: func.func @graph
//  SAME-SAME:   tensor<?x8xbf16>
//       SAME:   arith.extf %{{.*}} : bf16 to f32
//       SAME:   math.exp %{{.*}} : f32
//   SAME-NOT:   fuse.

// The narrow constant is what it was, and nothing is rounded.
// EXACT-LABEL: func.func @graph
//  EXACT-SAME:   tensor<?x8xf64>
//   EXACT-DAG:   arith.constant 0.10009765625 : f64
//       EXACT:   math.exp %{{.*}} : f64
//   EXACT-NOT:   arith.truncf

// ROUND-LABEL: func.func @graph
//       ROUND:   math.exp %{{.*}} : f64
//       ROUND:   arith.truncf %{{.*}} : f64 to bf16
//       ROUND:   arith.extf %{{.*}} : bf16 to f64

// The results are arguments behind the others.
// LLVM: llvm.func @graph(
// LLVM: llvm.func @_mlir_ciface_graph(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @graph(%x: tensor<?x8xbf16> {fuse.name = "x"}, %w: tensor<8x4xbf16>) -> tensor<?x4xbf16> {
  %scaled = fuse.scale %x by 0.1 : tensor<?x8xbf16>
  %product = fuse.linear %scaled, %w : tensor<?x8xbf16>, tensor<8x4xbf16> -> tensor<?x4xf32>
  %probs = fuse.softmax %product dim 1 : tensor<?x4xf32>
  %y = arith.truncf %probs : tensor<?x4xf32> to tensor<?x4xbf16>
  return %y : tensor<?x4xbf16>
}
