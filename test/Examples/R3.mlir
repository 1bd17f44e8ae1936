// RUN: fuse-opt %examples/R3.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{n} = 37
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{n}xbf16>/' -e '/^!f /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e '/^!n /s/<.*/<%{n}xf32>/' \
// DEFINE:       %examples/R3.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle R3 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Rows longer than a tile.
// REDEFINE: %{m} = 5
// REDEFINE: %{n} = 1543
// RUN: %{check}

// The mean is far from zero: E[x^2] - mean^2 would lose the variance, and 100 is already
// enough for sums in the type of x.
// REDEFINE: %{m} = 13
// REDEFINE: %{n} = 37
// REDEFINE: %{inputs} = --input=x=normal:100:1
// RUN: %{check}

// REDEFINE: %{inputs} = --input=x=normal:3000:8
// RUN: %{check}

// One row; rows of one element, whose variance is 0.
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
