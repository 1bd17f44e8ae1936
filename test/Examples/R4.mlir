// RUN: fuse-opt %examples/R4.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 37
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{s}x%{s}xf32>/' -e '/^!ij /s/<.*/<%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{s}x%{s}xi1>/' \
// DEFINE:       %examples/R4.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle R4 --inputs %t.in --outputs %t.out

// An odd size. The first five rows keep nothing and are zero.
// RUN: %{check}

// Several tiles.
// REDEFINE: %{s} = 197
// RUN: %{check}

// No padding, and more than one tile of it.
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
// REDEFINE: %{inputs} = --input=p=2 --input=x=%S/Inputs/masked.npy
// RUN: %{check}

// One token.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} = --input=p=0
// RUN: %{check}
