// RUN: fuse-opt %examples/D4.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{batch} = 9
// DEFINE: %{rows} = 11
// DEFINE: %{h1} = 21
// DEFINE: %{h2} = 17
// DEFINE: %{h3} = 9
// DEFINE: %{e} = 3
// DEFINE: %{c} = 81
// DEFINE: %{cc} = 6561
// DEFINE: %{o} = 5
// DEFINE: %{inputs} =

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!w1 /s/<.*/<13x%{h1}xf32>/' -e '/^!b1 /s/<.*/<%{h1}xf32>/' \
// DEFINE:       -e '/^!h1 /s/<.*/<?x%{h1}xf32>/' -e '/^!w2 /s/<.*/<%{h1}x%{h2}xf32>/' \
// DEFINE:       -e '/^!b2 /s/<.*/<%{h2}xf32>/' -e '/^!h2 /s/<.*/<?x%{h2}xf32>/' \
// DEFINE:       -e '/^!w3 /s/<.*/<%{h2}x%{h3}xf32>/' -e '/^!b3 /s/<.*/<%{h3}xf32>/' \
// DEFINE:       -e '/^!h3 /s/<.*/<?x%{h3}xf32>/' -e '/^!w4 /s/<.*/<%{h3}x%{e}xf32>/' \
// DEFINE:       -e '/^!b4 /s/<.*/<%{e}xf32>/' -e '/^!h4 /s/<.*/<?x%{e}xf32>/' \
// DEFINE:       -e '/^!table /s/<.*/<%{rows}x%{e}xf32>/' -e '/^!embedding /s/<.*/<?x%{e}xf32>/' \
// DEFINE:       -e '/^!c /s/<.*/<?x%{c}xf32>/' -e '/^!outer /s/<.*/<?x%{c}x%{c}xf32>/' \
// DEFINE:       -e '/^!flat /s/<.*/<?x%{cc}xf32>/' -e '/^!w5 /s/<.*/<%{cc}x%{o}xf32>/' \
// DEFINE:       -e '/^!b5 /s/<.*/<%{o}xf32>/' -e '/^!h5 /s/<.*/<?x%{o}xf32>/' \
// DEFINE:       -e '/^!w6 /s/<.*/<%{o}x1xf32>/' -e 's/dense<100000>/dense<%{rows}>/' \
// DEFINE:       %examples/D4.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --shape=x:%{batch}x13 --shape=ids:%{batch}x26 %{inputs} \
// DEFINE:       --input=w1=uniform:-0.3:0.3 --input=w2=uniform:-0.3:0.3 --input=w3=uniform:-0.3:0.3 \
// DEFINE:       --input=w4=uniform:-0.3:0.3 --input=w5=uniform:-0.05:0.05 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle D4 --inputs %t.in --outputs %t.out

// Small tables, looked up beyond their ends: the remainder is taken.
// RUN: %{check}

// The last id of a table, whose successor is its first row.
// REDEFINE: %{inputs} = --input=ids=10
// RUN: %{check}

// Embeddings of one number; tables of one row.
// REDEFINE: %{e} = 1
// REDEFINE: %{c} = 27
// REDEFINE: %{cc} = 729
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{rows} = 1
// REDEFINE: %{e} = 3
// REDEFINE: %{c} = 81
// REDEFINE: %{cc} = 6561
// RUN: %{check}

// The width of the real embeddings.
// REDEFINE: %{batch} = 3
// REDEFINE: %{rows} = 11
// REDEFINE: %{e} = 16
// REDEFINE: %{c} = 432
// REDEFINE: %{cc} = 186624
// REDEFINE: %{o} = 16
// RUN: %{check}

// One row; an empty batch.
// REDEFINE: %{batch} = 1
// REDEFINE: %{e} = 3
// REDEFINE: %{c} = 81
// REDEFINE: %{cc} = 6561
// REDEFINE: %{o} = 5
// RUN: %{check}

// REDEFINE: %{batch} = 0
// RUN: %{check}
