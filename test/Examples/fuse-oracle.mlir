// The oracle says yes to right outputs and no to everything else.

// DEFINE: %{rows} = 5
// DEFINE: %{name} = %t
// DEFINE: %{run} = sed -e '/^!x /s/<.*/<%{rows}x7xf32>/' -e '/^!b /s/<.*/<7xf32>/' %examples/P1.mlir > %t.mlir && \
// DEFINE:   fuse-run %t.mlir --save-inputs=%{name}.in --save-outputs=%{name}.out

// RUN: rm -rf %t.in %t.out
// RUN: %{run} --seed=7
// RUN: fuse-oracle P1 --inputs %t.in --outputs %t.out | FileCheck %s --check-prefix=RIGHT
// RIGHT: out0: worst at [{{[0-4], [0-6]}}]: got {{.*}}, expected {{.*}}, error {{.*}}, allowed
// RIGHT: ok

// The outputs of other data. Half of what relu gives is 0 in both.
// REDEFINE: %{name} = %t.other
// RUN: %{run} --seed=8
// RUN: not fuse-oracle P1 --inputs %t.in --outputs %t.other.out | FileCheck %s --check-prefix=WRONG
// WRONG:     out0: {{[0-9]+}} of 35 elements are wrong
// WRONG-NOT: ok

// A tolerance is relative to the largest magnitude in the row.
// RUN: fuse-oracle P1 --inputs %t.in --outputs %t.other.out --tolerance 1e6 | FileCheck %s --check-prefix=RIGHT

// Another shape, and another number of outputs.
// REDEFINE: %{rows} = 4
// REDEFINE: %{name} = %t.short
// RUN: %{run} --seed=7
// RUN: not fuse-oracle P1 --inputs %t.in --outputs %t.short.out | FileCheck %s --check-prefix=SHAPE
// SHAPE: out0 is f32 [4, 7], expected f32 [5, 7]
// RUN: cp %t.out/out0.npy %t.out/out1.npy
// RUN: not fuse-oracle P1 --inputs %t.in --outputs %t.out | FileCheck %s --check-prefix=EXCESS
// EXCESS: out1 is there, but P1 has no such output

// Inputs that make no sense are the caller's fault, not the compiler's.
// RUN: not fuse-oracle P3 --inputs %t.in --outputs %t.out 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: fuse-oracle: {{.*}}y.npy: cannot be opened
// RUN: cp %t.in/x.npy %t.in/y.npy && cp %t.short.in/x.npy %t.in/x.npy
// RUN: not fuse-oracle P3 --inputs %t.in --outputs %t.out 2>&1 | FileCheck %s --check-prefix=MISFIT
// MISFIT: fuse-oracle: y has the shape [5, 7], but its dimension 0 needs the size 4
// RUN: not fuse-oracle R3 --inputs %t.in --outputs %t.out 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: gamma.npy: cannot be opened
// RUN: not fuse-oracle P9 --inputs %t.in --outputs %t.out 2>&1 | FileCheck %s --check-prefix=ID
// ID: fuse-oracle: there is no workload 'P9'
// RUN: not fuse-oracle P1 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: usage: fuse-oracle ID --inputs DIR --outputs DIR
