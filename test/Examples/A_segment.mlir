// RUN: fuse-opt %examples/A_segment.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 23
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{s}x%{d}xf32>/' -e '/^!kt /s/<.*/<%{d}x%{s}xf32>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{s}x%{s}xf32>/' -e '/^!ij /s/<.*/<%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{s}x%{s}xi1>/' -e '/^!segment /s/<.*/<%{s}xi32>/' \
// DEFINE:       -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_segment.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_segment --inputs %t.in --outputs %t.out

// Odd sizes.
// RUN: %{check}

// Several tiles of tokens.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// Almost every token alone; all in one segment.
// REDEFINE: %{s} = 23
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// REDEFINE: %{inputs} = --input=segment=integers:0:1000
// RUN: %{check}

// REDEFINE: %{inputs} = --input=segment=3
// RUN: %{check}

// One token; one feature.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{s} = 23
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// RUN: %{check}
