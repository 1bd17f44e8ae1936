// RUN: fuse-opt %examples/D3.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{n} = 19
// DEFINE: %{r} = 3
// DEFINE: %{inputs} =

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xbf16>/' -e '/^!w /s/<.*/<%{k}x%{n}xbf16>/' \
// DEFINE:       -e '/^!down /s/<.*/<%{k}x%{r}xbf16>/' -e '/^!up /s/<.*/<%{r}x%{n}xbf16>/' \
// DEFINE:       -e '/^!b /s/<.*/<%{n}xf32>/' -e '/^!low /s/<.*/<%{m}x%{r}xbf16>/' \
// DEFINE:       -e '/^!lowacc /s/<.*/<%{m}x%{r}xf32>/' -e '/^!acc /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e '/^!y /s/<.*/<%{m}x%{n}xbf16>/' \
// DEFINE:       %examples/D3.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} \
// DEFINE:       --input=down=uniform:-1:1 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle D3 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Several tiles in every direction, the last of them ragged.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 197
// REDEFINE: %{n} = 139
// REDEFINE: %{r} = 16
// RUN: %{check}

// One row, one term, one column, rank 1.
// REDEFINE: %{m} = 1
// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 19
// REDEFINE: %{r} = 3
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 1
// RUN: %{check}

// REDEFINE: %{n} = 19
// REDEFINE: %{r} = 1
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{r} = 3
// RUN: %{check}

// Rank 0: the correction is a sum of nothing.
// REDEFINE: %{m} = 13
// REDEFINE: %{r} = 0
// RUN: %{check}

// The correction alone, to see its factor.
// REDEFINE: %{r} = 3
// REDEFINE: %{inputs} = --input=w=0
// RUN: %{check}
