// RUN: fuse-opt %examples/L2.mlir --verify-roundtrip -o /dev/null

// DEFINE: %{m} = 13
// DEFINE: %{k} = 37
// DEFINE: %{n} = 19
// DEFINE: %{inputs} =

// The scale of weights goes with the size: the example has that of the real one.
// DEFINE: %{check} = sed -e '/^!x /s/<.*/<%{m}x%{k}xbf16>/' -e '/^!xf /s/<.*/<%{m}x%{k}xf32>/' \
// DEFINE:       -e '/^!k /s/<.*/<%{k}xf32>/' -e '/^!w /s/<.*/<%{k}x%{n}xbf16>/' \
// DEFINE:       -e '/^!b /s/<.*/<%{n}xf32>/' -e '/^!acc /s/<.*/<%{m}x%{n}xf32>/' \
// DEFINE:       -e '/^!y /s/<.*/<%{m}x%{n}xbf16>/' \
// DEFINE:       %examples/L2.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --seed=7 %{inputs} \
// DEFINE:       --input=w=uniform:-1:1 \
// DEFINE:       --save-inputs=%t.in --save-outputs=%t.out && \
// DEFINE:   fuse-oracle L2 --inputs %t.in --outputs %t.out

// Odd sizes that differ from each other, within one tile.
// RUN: %{check}

// Several tiles in every direction, the last of them ragged.
// REDEFINE: %{m} = 131
// REDEFINE: %{k} = 197
// REDEFINE: %{n} = 139
// RUN: %{check}

// The mean is far from zero. Sums in f16, a variance as E[x^2] - mean^2 and a mean that is
// taken out of the product afterwards all lose digits here.
// REDEFINE: %{m} = 13
// REDEFINE: %{n} = 19
// REDEFINE: %{inputs} = --input=x=normal:100:1
// RUN: %{check}

// REDEFINE: %{inputs} = --input=x=normal:3000:8
// RUN: %{check}

// A large bias shows on which side of the division by the standard deviation it is added.
// REDEFINE: %{k} = 37
// REDEFINE: %{inputs} = --input=x=normal:0:20 --input=b=uniform:-9:9
// RUN: %{check}

// One row, one term (whose variance is 0), one column.
// REDEFINE: %{m} = 1
// REDEFINE: %{inputs} =
// RUN: %{check}

// REDEFINE: %{m} = 13
// REDEFINE: %{k} = 1
// RUN: %{check}

// REDEFINE: %{k} = 37
// REDEFINE: %{n} = 1
// RUN: %{check}

// No rows.
// REDEFINE: %{m} = 0
// REDEFINE: %{n} = 19
// RUN: %{check}
