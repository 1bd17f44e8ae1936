// RUN: fuse-opt %examples/D2.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{batch} = 13
// DEFINE: %{k} = 37
// DEFINE: %{h} = 21

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<?x%{k}xf32>/' -e '/^!w1 /s/<.*/<%{k}x%{h}xf32>/' \
// DEFINE:       -e '/^!b1 /s/<.*/<%{h}xf32>/' -e '/^!w2 /s/<.*/<%{h}x1xf32>/' \
// DEFINE:       -e '/^!h1 /s/<.*/<?x%{h}xf32>/' \
// DEFINE:       %examples/D2.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --shape=x:%{batch}x%{k} \
// DEFINE:       --input=w1=uniform:-0.5:0.5 --input=w2=uniform:-0.5:0.5 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle D2 --inputs %t.in --outputs %t.out

// Odd widths, an odd batch.
// RUN: %{check}

// The widths of the example.
// REDEFINE: %{batch} = 37
// REDEFINE: %{k} = 512
// REDEFINE: %{h} = 256
// RUN: %{check}

// Several tiles of rows.
// REDEFINE: %{batch} = 197
// REDEFINE: %{k} = 37
// REDEFINE: %{h} = 21
// RUN: %{check}

// One row; one input; one hidden unit.
// REDEFINE: %{batch} = 1
// RUN: %{check}

// REDEFINE: %{batch} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{h} = 1
// RUN: %{check}

// An empty batch.
// REDEFINE: %{batch} = 0
// REDEFINE: %{h} = 21
// RUN: %{check}
