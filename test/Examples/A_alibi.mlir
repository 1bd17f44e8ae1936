// RUN: fuse-opt %examples/A_alibi.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{h} = 3
// DEFINE: %{s} = 19
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{h}x%{s}x%{d}xf32>/' -e '/^!kt /s/<.*/<%{h}x%{d}x%{s}xf32>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{h}x%{s}x%{s}xf32>/' -e '/^!ij /s/<.*/<%{h}x%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{h}x%{s}x%{s}xi1>/' -e '/^!slope /s/<.*/<%{h}xf32>/' \
// DEFINE:       -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_alibi.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_alibi --inputs %t.in --outputs %t.out

// Odd sizes.
// RUN: %{check}

// Several tiles of tokens.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// Steep slopes: almost everything is far below the maximum.
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// REDEFINE: %{inputs} = --input=slope=uniform:5:9
// RUN: %{check}

// One head; one token; one feature.
// REDEFINE: %{h} = 1
// REDEFINE: %{s} = 19
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{h} = 3
// REDEFINE: %{s} = 1
// RUN: %{check}

// REDEFINE: %{s} = 19
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// RUN: %{check}

// No heads.
// REDEFINE: %{h} = 0
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// RUN: %{check}
