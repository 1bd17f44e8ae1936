// RUN: fuse-opt %examples/T1.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{s} = 13
// DEFINE: %{h} = 3
// DEFINE: %{d} = 5
// DEFINE: %{n} = 15
// DEFINE: %{n2} = 30
// DEFINE: %{n3} = 45
// DEFINE: %{w} = 57
// DEFINE: %{scale} = 0.4472135954999579

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{s}x%{n}xf16>/' -e '/^!xf /s/<.*/<%{s}x%{n}xf32>/' \
// DEFINE:       -e '/^!vec /s/<.*/<%{n}xf32>/' -e '/^!wqkv /s/<.*/<%{n}x%{n3}xf16>/' \
// DEFINE:       -e '/^!bqkv /s/<.*/<%{n3}xf32>/' -e '/^!qkv /s/<.*/<%{s}x%{n3}xf16>/' \
// DEFINE:       -e '/^!qkvf /s/<.*/<%{s}x%{n3}xf32>/' -e '/^!split /s/<.*/<%{s}x%{h}x%{d}xf16>/' \
// DEFINE:       -e '/^!head /s/<.*/<%{h}x%{s}x%{d}xf16>/' -e '/^!headf /s/<.*/<%{h}x%{s}x%{d}xf32>/' \
// DEFINE:       -e '/^!kt /s/<.*/<%{h}x%{d}x%{s}xf16>/' -e '/^!s /s/<.*/<%{h}x%{s}x%{s}xf32>/' \
// DEFINE:       -e '/^!probs /s/<.*/<%{h}x%{s}x%{s}xf16>/' -e '/^!ij /s/<.*/<%{h}x%{s}x%{s}xi32>/' \
// DEFINE:       -e '/^!keep /s/<.*/<%{h}x%{s}x%{s}xi1>/' -e '/^!wo /s/<.*/<%{n}x%{n}xf16>/' \
// DEFINE:       -e '/^!w1 /s/<.*/<%{n}x%{w}xf16>/' -e '/^!b1 /s/<.*/<%{w}xf32>/' \
// DEFINE:       -e '/^!mid /s/<.*/<%{s}x%{w}xf16>/' -e '/^!midf /s/<.*/<%{s}x%{w}xf32>/' \
// DEFINE:       -e '/^!w2 /s/<.*/<%{w}x%{n}xf16>/' -e 's/\[:, 0:768\]/[:, 0:%{n}]/' \
// DEFINE:       -e 's/\[:, 768:1536\]/[:, %{n}:%{n2}]/' -e 's/\[:, 1536:2304\]/[:, %{n2}:%{n3}]/' \
// DEFINE:       -e 's/\[12, 64\]/[%{h}, %{d}]/' -e 's/dense<0.125>/dense<%{scale}>/' \
// DEFINE:       %examples/T1.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 \
// DEFINE:       --input=wqkv=uniform:-0.5:0.5 --input=wo=uniform:-0.5:0.5 \
// DEFINE:       --input=w1=uniform:-0.5:0.5 --input=w2=uniform:-0.5:0.5 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle T1 --inputs %t.in --outputs %t.out --constant heads=%{h}

// Odd sizes, three heads of five.
// RUN: %{check}

// Several tiles of tokens, a wide perceptron.
// REDEFINE: %{s} = 197
// REDEFINE: %{w} = 211
// RUN: %{check}

// One token; one head.
// REDEFINE: %{s} = 1
// REDEFINE: %{w} = 57
// RUN: %{check}

// REDEFINE: %{s} = 13
// REDEFINE: %{h} = 1
// REDEFINE: %{d} = 15
// REDEFINE: %{scale} = 0.2581988897471611
// RUN: %{check}

// Every extent equal where it can be.
// REDEFINE: %{s} = 16
// REDEFINE: %{h} = 4
// REDEFINE: %{d} = 4
// REDEFINE: %{n} = 16
// REDEFINE: %{n2} = 32
// REDEFINE: %{n3} = 48
// REDEFINE: %{w} = 16
// REDEFINE: %{scale} = 0.5
// RUN: %{check}
