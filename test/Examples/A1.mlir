// RUN: fuse-opt %examples/A1.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 37
// DEFINE: %{d} = 11
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!att /s/<.*/<%{s}x%{s}xf32>/' -e '/^!v /s/<.*/<%{s}x%{d}xf32>/' \
// DEFINE:       -e '/^!ij /s/<.*/<%{s}x%{s}xi32>/' -e '/^!keep /s/<.*/<%{s}x%{s}xi1>/' \
// DEFINE:       %examples/A1.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A1 --inputs %t.in --outputs %t.out

// Odd sizes. The first five rows keep nothing and are zero.
// RUN: %{check}

// Several tiles.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// RUN: %{check}

// Every extent equal: what is a query and what a key does not follow from sizes.
// REDEFINE: %{s} = 13
// REDEFINE: %{d} = 13
// REDEFINE: %{inputs} = --input=p=3
// RUN: %{check}

// No padding, and more than one tile of it.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 11
// REDEFINE: %{inputs} = --input=p=0
// RUN: %{check}

// REDEFINE: %{inputs} = --input=p=131
// RUN: %{check}

// Nothing but padding: everything is zero.
// REDEFINE: %{s} = 37
// REDEFINE: %{inputs} = --input=p=37
// RUN: %{check}

// What is not kept does not matter, NaN and infinity included: Inputs/masked.npy has them above
// the diagonal and in its first two columns.
// REDEFINE: %{s} = 7
// REDEFINE: %{inputs} = --input=p=2 --input=att=%S/Inputs/masked.npy
// RUN: %{check}

// One token; one feature.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} = --input=p=0
// RUN: %{check}

// REDEFINE: %{s} = 37
// REDEFINE: %{d} = 1
// RUN: %{check}
