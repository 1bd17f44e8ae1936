// RUN: fuse-opt %examples/A3p.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{b} = 3
// DEFINE: %{h} = 2
// DEFINE: %{s} = 21
// DEFINE: %{d} = 5
// DEFINE: %{scale} = 0.4472135954999579
// DEFINE: %{inputs} =
// DEFINE: %{check} = sed -e '/^!q /s/<.*/<%{b}x%{h}x%{s}x%{d}xbf16>/' \
// DEFINE:       -e '/^!kt /s/<.*/<%{b}x%{h}x%{d}x%{s}xbf16>/' \
// DEFINE:       -e '/^!s /s/<.*/<%{b}x%{h}x%{s}x%{s}xf32>/' \
// DEFINE:       -e '/^!probs /s/<.*/<%{b}x%{h}x%{s}x%{s}xbf16>/' \
// DEFINE:       -e '/^!acc /s/<.*/<%{b}x%{h}x%{s}x%{d}xf32>/' \
// DEFINE:       -e '/^!ij /s/<.*/<%{b}x%{h}x%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{b}x%{h}x%{s}x%{s}xi1>/' -e '/^!pad /s/<.*/<%{b}xi32>/' \
// DEFINE:       -e 's/dense<0.125>/dense<%{scale}>/' \
// DEFINE:       %examples/A3p.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle A3p --inputs %t.in --outputs %t.out

// Odd sizes. Padding of any length, none and all included.
// REDEFINE: %{inputs} = --input=pad=integers:0:21
// RUN: %{check}

// Several tiles of tokens.
// REDEFINE: %{b} = 1
// REDEFINE: %{s} = 197
// REDEFINE: %{d} = 67
// REDEFINE: %{scale} = 0.12216944435630522
// REDEFINE: %{inputs} = --input=pad=integers:0:197
// RUN: %{check}

// Scores so large that their exponentials overflow f32 unless the maximum is followed.
// REDEFINE: %{b} = 3
// REDEFINE: %{s} = 131
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// REDEFINE: %{inputs} = --input=q=normal:0:20 --input=pad=0
// RUN: %{check}

// Nothing but padding: everything is zero.
// REDEFINE: %{s} = 21
// REDEFINE: %{inputs} = --input=pad=21
// RUN: %{check}

// One token, one feature, one head of one batch.
// REDEFINE: %{s} = 1
// REDEFINE: %{inputs} = --input=pad=0
// RUN: %{check}

// REDEFINE: %{s} = 21
// REDEFINE: %{d} = 1
// REDEFINE: %{scale} = 1.0
// REDEFINE: %{inputs} = --input=pad=integers:0:21
// RUN: %{check}

// REDEFINE: %{b} = 1
// REDEFINE: %{h} = 1
// REDEFINE: %{d} = 5
// REDEFINE: %{scale} = 0.4472135954999579
// RUN: %{check}

// No batch.
// REDEFINE: %{b} = 0
// REDEFINE: %{h} = 2
// RUN: %{check}
