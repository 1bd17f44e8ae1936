// RUN: fuse-opt %examples/A_softcap.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 19
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{s}x%{d}xf32>/' -e '/^!kt /s/<.*/<%{d}x%{s}xf32>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{s}x%{s}xf32>/' -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_softcap.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_softcap --inputs %t.in --outputs %t.out

// Odd sizes.
// RUN: %{check}

// Several tiles of tokens.
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// Scores far beyond the cap.
// REDEFINE: %{s} = 19
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// REDEFINE: %{inputs} = --input=q=normal:0:20
// RUN: %{check}

// One token; one feature.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{s} = 19
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// RUN: %{check}
