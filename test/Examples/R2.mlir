// RUN: fuse-opt %examples/R2.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{n} = 37
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{n}xbf16>/' -e '/^!f /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       %examples/R2.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle R2 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Rows longer than a tile.
// REDEFINE: %{m} = 5
// REDEFINE: %{n} = 1543
// RUN: %{check}

// One row; rows of one element, which are 1.
// REDEFINE: %{m} = 1
// REDEFINE: %{n} = 37
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{n} = 1
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 37
// RUN: %{check}
