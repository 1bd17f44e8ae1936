// RUN: fuse-opt %examples/M5.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{n} = 19
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xf8E4M3FN>/' -e '/^!w /s/<.*/<%{k}x%{n}xf8E4M3FN>/' \
// DEFINE:       -e '/^!b /s/<.*/<%{n}xf32>/' -e '/^!acc /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e '/^!y /s/<.*/<%{m}x%{n}xbf16>/' \
// DEFINE:       %examples/M5.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle M5 --inputs %t.in --outputs %t.out

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

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 19
// RUN: %{check}

// The scales are what is multiplied, not their reciprocals.
// REDEFINE: %{m} = 13
// REDEFINE: %{inputs} = --input=sx=4 --input=sw=0.125
// RUN: %{check}
