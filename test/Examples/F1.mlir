// RUN: fuse-opt %examples/F1.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{h} = 19
// DEFINE: %{n} = 23
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xbf16>/' -e '/^!w1 /s/<.*/<%{k}x%{h}xbf16>/' \
// DEFINE:       -e '/^!w2 /s/<.*/<%{h}x%{n}xbf16>/' -e '/^!h /s/<.*/<%{m}x%{h}xbf16>/' \
// DEFINE:       -e '/^!hf /s/<.*/<%{m}x%{h}xf32>/' -e '/^!acc /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e '/^!y /s/<.*/<%{m}x%{n}xbf16>/' \
// DEFINE:       %examples/F1.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle F1 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Several tiles in every direction, the last of them ragged; the hidden layer is the widest.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 79
// REDEFINE: %{h} = 397
// REDEFINE: %{n} = 139
// RUN: %{check}

// One row, one input, one hidden unit, one output.
// REDEFINE: %{m} = 1
// REDEFINE: %{k} = 37
// REDEFINE: %{h} = 19
// REDEFINE: %{n} = 23
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{h} = 1
// RUN: %{check}

// REDEFINE: %{h} = 19
// REDEFINE: %{n} = 1
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 23
// RUN: %{check}
