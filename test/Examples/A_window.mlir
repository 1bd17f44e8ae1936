// RUN: fuse-opt %examples/A_window.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 41
// DEFINE: %{d} = 5
// DEFINE: %{window} = 9
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{s}x%{d}xf32>/' -e '/^!kt /s/<.*/<%{d}x%{s}xf32>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{s}x%{s}xf32>/' -e '/^!ij /s/<.*/<%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{s}x%{s}xi1>/' -e 's/dense<512>/dense<%{window}>/' \
// DEFINE:       -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_window.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_window --inputs %t.in --outputs %t.out --constant window=%{window}

// An odd size, an odd window.
// RUN: %{check}

// Several tiles, the window shorter and longer than a tile.
// REDEFINE: %{s} = 397
// RUN: %{check}

// REDEFINE: %{window} = 141
// RUN: %{check}

// A window of one token sees itself only; one longer than the text is causal.
// REDEFINE: %{s} = 41
// REDEFINE: %{window} = 1
// RUN: %{check}

// REDEFINE: %{window} = 50
// RUN: %{check}

// One token.
// REDEFINE: %{s} = 1
// REDEFINE: %{window} = 9
// RUN: %{check}
