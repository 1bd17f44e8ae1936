// RUN: fuse-opt %examples/A_decode.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 61
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<1x%{d}xf32>/' -e '/^!k /s/<.*/<%{s}x%{d}xf32>/' \
// DEFINE:       -e '/^!kt /s/<.*/<%{d}x%{s}xf32>/' -e '/^!s /s/<.*/<1x%{s}xf32>/' \
// DEFINE:       -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_decode.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_decode --inputs %t.in --outputs %t.out

// Odd sizes.
// RUN: %{check}

// Enough keys to split them.
// REDEFINE: %{s} = 1543
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// One key; one feature.
// REDEFINE: %{s} = 1
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// RUN: %{check}

// REDEFINE: %{s} = 61
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// RUN: %{check}
