// RUN: fuse-opt %examples/M3.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{n} = 19
// DEFINE: %{inputs} =
// DEFINE: %{exact} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xf16>/' -e '/^!w /s/<.*/<%{k}x%{n}xf16>/' \
// DEFINE:       -e '/^!b /s/<.*/<%{n}xf32>/' -e '/^!y /s/<.*/<%{m}x%{n}xf16>/' \
// DEFINE:       -e '/^!acc /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       %examples/M3.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle M3 --inputs %t.in --outputs %t.out %{exact}

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Several tiles in every direction, the last of them ragged.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 197
// REDEFINE: %{n} = 139
// RUN: %{check}

// One row, one term, one column.
// REDEFINE: %{m} = 1
// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 19
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 1
// RUN: %{check}

// No rows; sums of nothing, which leave the bias.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 19
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 0
// RUN: %{check}

// Small whole numbers are exact in every type used: no rounding to hide behind.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 197
// REDEFINE: %{n} = 139
// REDEFINE: %{inputs} = --input=x=integers:-1:1 --input=w=integers:-1:1 --input=b=integers:-1:1
// REDEFINE: %{exact} = --tolerance 0
// RUN: %{check}
