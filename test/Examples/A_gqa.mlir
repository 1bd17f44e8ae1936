// RUN: fuse-opt %examples/A_gqa.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{b} = 2
// DEFINE: %{g} = 2
// DEFINE: %{r} = 3
// DEFINE: %{h} = 6
// DEFINE: %{s} = 19
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{b}x%{h}x%{s}x%{d}xbf16>/' \
// DEFINE:       -e '/^!k /s/<.*/<%{b}x%{g}x%{s}x%{d}xbf16>/' \
// DEFINE:       -e '/^!qg /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{d}xbf16>/' \
// DEFINE:       -e '/^!kt /s/<.*/<%{b}x%{g}x%{r}x%{d}x%{s}xbf16>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{s}xf32>/' \
// DEFINE:       -e '/^!probs /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{s}xbf16>/' \
// DEFINE:       -e '/^!ij /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{s}xi1>/' \
// DEFINE:       -e '/^!acc /s/<.*/<%{b}x%{g}x%{r}x%{s}x%{d}xf32>/' -e 's/\[8, 4\]/[%{g}, %{r}]/' \
// DEFINE:       -e 's/dense<0.08838834764831845>/dense<%{scale}>/' \
// DEFINE:       %examples/A_gqa.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A_gqa --inputs %t.in --outputs %t.out

// Two groups of three heads.
// RUN: %{check}

// Several tiles of tokens.
// REDEFINE: %{b} = 1
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// RUN: %{check}

// One group: all heads share; groups of one: none does.
// REDEFINE: %{b} = 2
// REDEFINE: %{g} = 1
// REDEFINE: %{h} = 3
// REDEFINE: %{s} = 19
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// RUN: %{check}

// REDEFINE: %{g} = 2
// REDEFINE: %{r} = 1
// REDEFINE: %{h} = 2
// RUN: %{check}

// One token.
// REDEFINE: %{r} = 3
// REDEFINE: %{h} = 6
// REDEFINE: %{s} = 1
// RUN: %{check}

// No batch.
// REDEFINE: %{b} = 0
// REDEFINE: %{s} = 19
// RUN: %{check}
