// What descriptions show can be typed in: every op has an example, and every
// example parses.

// RUN: %python %S/Inputs/extract-examples.py %build/include/fuse/Dialect/Tile/IR/TileDialect.md > %t.mlir
// RUN: fuse-opt %t.mlir --split-input-file --verify-roundtrip | FileCheck %s

// CHECK-DAG: tile.dot {{.*}} batch = 1 precision = tf32
// CHECK-DAG: tile.launch @copy
// CHECK-DAG: tile.mask {{.*}} else 0xFF800000
// CHECK-DAG: tile.convert_layout %{{.*}} : tensor<32x2xf32, #tile.layout<

// The script does notice what is missing.
// RUN: sed '/ = tile.iota/d' %build/include/fuse/Dialect/Tile/IR/TileDialect.md > %t.md
// RUN: not %python %S/Inputs/extract-examples.py %t.md 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: tile.iota has no example
