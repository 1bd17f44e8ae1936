// What descriptions show can be typed in: every op has an example, every
// example parses, and every test that a description names exists.

// RUN: %python %S/Inputs/wrap-examples.py %build/include/fuse/Dialect/Fuse/IR/FuseDialect.md > %t.mlir
// RUN: fuse-opt %t.mlir --verify-roundtrip | FileCheck %s

// CHECK-DAG: fuse.broadcast
// CHECK-DAG: fuse.softmax
// CHECK-DAG: fuse.kernel @norm
// CHECK-DAG: #fuse.fill<normal, 0, 0.02>
// CHECK-DAG: #fuse.schedule<owned = 1>

// The script does notice what is missing or wrong.
// RUN: sed '/^%.* = fuse.iota/d' %build/include/fuse/Dialect/Fuse/IR/FuseDialect.md > %t.md
// RUN: not %python %S/Inputs/wrap-examples.py %t.md 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: fuse.iota has no example

// RUN: grep -rhoE '\(example: [^)]*\)' %source/include \
// RUN:   | sed -e 's|(example: ||' -e 's|)||' -e 's|^|%source/|' \
// RUN:   | xargs ls | FileCheck %s --check-prefix=CITED
// CITED: test/Conversion/FuseToLinalg/convert-fuse-to-linalg.mlir
// CITED: test/Dialect/Fuse/decompose.mlir
