// RUN: fuse-opt %examples/D1_f16.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{batch} = 13
// DEFINE: %{h1} = 21
// DEFINE: %{h2} = 17
// DEFINE: %{h3} = 9
// DEFINE: %{o} = 5

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!y /s/<.*/<?x%{o}xf16>/' -e '/^!w1 /s/<.*/<13x%{h1}xf16>/' \
// DEFINE:       -e '/^!b1 /s/<.*/<%{h1}xf32>/' -e '/^!acc1 /s/<.*/<?x%{h1}xf32>/' \
// DEFINE:       -e '/^!h1 /s/<.*/<?x%{h1}xf16>/' -e '/^!w2 /s/<.*/<%{h1}x%{h2}xf16>/' \
// DEFINE:       -e '/^!b2 /s/<.*/<%{h2}xf32>/' -e '/^!acc2 /s/<.*/<?x%{h2}xf32>/' \
// DEFINE:       -e '/^!h2 /s/<.*/<?x%{h2}xf16>/' -e '/^!w3 /s/<.*/<%{h2}x%{h3}xf16>/' \
// DEFINE:       -e '/^!b3 /s/<.*/<%{h3}xf32>/' -e '/^!acc3 /s/<.*/<?x%{h3}xf32>/' \
// DEFINE:       -e '/^!h3 /s/<.*/<?x%{h3}xf16>/' -e '/^!w4 /s/<.*/<%{h3}x%{o}xf16>/' \
// DEFINE:       -e '/^!b4 /s/<.*/<%{o}xf32>/' -e '/^!acc4 /s/<.*/<?x%{o}xf32>/' \
// DEFINE:       %examples/D1_f16.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --shape=x:%{batch}x13 \
// DEFINE:       --input=w2=uniform:-0.5:0.5 --input=w3=uniform:-0.5:0.5 --input=w4=uniform:-0.5:0.5 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle D1_f16 --inputs %t.in --outputs %t.out

// Odd widths, an odd batch.
// RUN: %{check}

// The widths of the example.
// REDEFINE: %{batch} = 37
// REDEFINE: %{h1} = 512
// REDEFINE: %{h2} = 256
// REDEFINE: %{h3} = 64
// REDEFINE: %{o} = 16
// RUN: %{check}

// Several tiles of rows.
// REDEFINE: %{batch} = 197
// REDEFINE: %{h1} = 21
// REDEFINE: %{h2} = 17
// REDEFINE: %{h3} = 9
// REDEFINE: %{o} = 5
// RUN: %{check}

// One row; hidden layers of one unit; one output.
// REDEFINE: %{batch} = 1
// RUN: %{check}

// REDEFINE: %{batch} = 13
// REDEFINE: %{h1} = 1
// REDEFINE: %{h3} = 1
// RUN: %{check}

// REDEFINE: %{h1} = 21
// REDEFINE: %{h3} = 9
// REDEFINE: %{o} = 1
// RUN: %{check}

// An empty batch.
// REDEFINE: %{batch} = 0
// REDEFINE: %{o} = 5
// RUN: %{check}
