// RUN: fuse-opt %examples/P2.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{n} = 37
// DEFINE: %{inputs} =
// DEFINE: %{exact} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{n}xf32>/' -e '/^!b /s/<.*/<%{n}xf32>/' \
// DEFINE:       %examples/P2.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle P2 --inputs %t.in --outputs %t.out %{exact}

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Several tiles in every direction, the last of them ragged.
// REDEFINE: %{m} = 131
// REDEFINE: %{n} = 1111
// RUN: %{check}

// One row, and one column.
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

// Small whole numbers are exact in every type used: no rounding to hide behind.
// REDEFINE: %{m} = 13
// REDEFINE: %{inputs} = --input=x=integers:-3:3 --input=b=integers:-3:3
// REDEFINE: %{exact} = --tolerance 0
// RUN: %{check}
