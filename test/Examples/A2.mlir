// RUN: fuse-opt %examples/A2.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 37
// DEFINE: %{d} = 11
// DEFINE: %{scale} = 0.30151134457776363
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{s}x%{d}xf32>/' -e '/^!kt /s/<.*/<%{d}x%{s}xf32>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{s}x%{s}xf32>/' -e '/^!ij /s/<.*/<%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{s}x%{s}xi1>/' -e 's/dense<0.125>/dense<%{scale}>/' \
// DEFINE:       %examples/A2.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A2 --inputs %t.in --outputs %t.out

// Odd sizes. The first five rows keep nothing and are zero.
// RUN: %{check}

// Several tiles.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// Every extent equal: what is a query and what a key does not follow from sizes.
// REDEFINE: %{s} = 13
// REDEFINE: %{d} = 13
// REDEFINE: %{scale} = 0.2773500981126146
// REDEFINE: %{inputs} = --input=p=3
// RUN: %{check}

// No padding, and more than one tile of it.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 11
// REDEFINE: %{scale} = 0.30151134457776363
// REDEFINE: %{inputs} = --input=p=0
// RUN: %{check}

// REDEFINE: %{inputs} = --input=p=131
// RUN: %{check}

// Nothing but padding: everything is zero.
// REDEFINE: %{s} = 37
// REDEFINE: %{inputs} = --input=p=37
// RUN: %{check}

// One token; one feature.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} = --input=p=0
// RUN: %{check}

// REDEFINE: %{s} = 37
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// RUN: %{check}
