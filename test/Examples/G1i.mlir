// RUN: fuse-opt %examples/G1i.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{n} = 19
// DEFINE: %{n2} = 38

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xf32>/' -e '/^!w /s/<.*/<%{k}x%{n2}xf32>/' \
// DEFINE:       -e '/^!c /s/<.*/<%{m}x%{n2}xf32>/' -e '/^!y /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e 's/\[:, 0:2048\]/[:, 0:%{n}]/' -e 's/\[:, 2048:4096\]/[:, %{n}:%{n2}]/' \
// DEFINE:       %examples/G1i.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 \
// DEFINE:       --input=w=uniform:-1:1 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle G1i --inputs %t.in --outputs %t.out

// Odd sizes. M and K differ: a version that takes one for the other is wrong.
// RUN: %{check}

// The seam between the halves is within a tile; several tiles in every direction.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 197
// REDEFINE: %{n} = 139
// REDEFINE: %{n2} = 278
// RUN: %{check}

// One row, one term, one column in each half.
// REDEFINE: %{m} = 1
// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 19
// REDEFINE: %{n2} = 38
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 1
// REDEFINE: %{n2} = 2
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 19
// REDEFINE: %{n2} = 38
// RUN: %{check}
