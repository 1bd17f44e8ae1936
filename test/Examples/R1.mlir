// RUN: fuse-opt %examples/R1.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{n} = 37
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       %examples/R1.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle R1 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Rows longer than a tile.
// REDEFINE: %{m} = 5
// REDEFINE: %{n} = 1543
// RUN: %{check}

// Large numbers: without the maximum, the exponentials would overflow.
// REDEFINE: %{m} = 13
// REDEFINE: %{n} = 37
// REDEFINE: %{inputs} = --input=x=normal:500:100
// RUN: %{check}

// One row; rows of one element, which are 1.
// REDEFINE: %{m} = 1
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{n} = 1
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 37
// RUN: %{check}

// Equal elements: 1/n each.
// REDEFINE: %{m} = 13
// REDEFINE: %{inputs} = --input=x=3
// RUN: %{check}
