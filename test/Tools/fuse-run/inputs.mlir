// Where the data of arguments come from, and that they are what was asked for.

// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fuse-run %s --target=reference --entry=pass --save-inputs=%t.in

// RUN: rm -rf %t.in && mkdir -p %t
// RUN: %{npy} %t/x.npy '<f4' 2x3 1 2.5 -3

// What the module suggests, and a shape; arguments by name and by number.
// RUN: %{run} --shape=x:2x3 --shape=2:4 > %t/hint.txt && FileCheck %s --check-prefix=HINT < %t/hint.txt
// HINT:      @pass on reference
// HINT:      arguments
// HINT-NEXT:   x: f32 2x3, 5
// HINT-NEXT:   ids: i32 5, integers:3:4
// HINT-NEXT:   2: f16 4, uniform:-1:1
// HINT:      results
// HINT-NEXT:   out0: f32 2x3, from 5 to 5, mean 5
// HINT-NEXT:   out1: i32 5, from {{[34]}} to {{[34]}}, mean
// HINT-NEXT:   out2: f16 4, from
// RUN: %{npy} --show %t.in/x.npy | FileCheck %s --check-prefix=FIVES
// FIVES: <f4 (2, 3) [5.0, 5.0, 5.0, 5.0, 5.0, 5.0]
// RUN: %{npy} --show %t.in/ids.npy | FileCheck %s --check-prefix=IDS
// IDS: <i4 (5,) [{{[34], [34], [34], [34], [34]}}]
// RUN: ls %t.in | FileCheck %s --check-prefix=FILES
// FILES: 2.npy

// --fill is for floats that have no --input.
// RUN: %{run} --shape=x:1x3 --shape=2:4 --fill=7 --input=2=8 | FileCheck %s --check-prefix=FILL
// FILL:      x: f32 1x3, 7
// FILL-NEXT: ids: i32 5, integers:3:4
// FILL-NEXT: 2: f16 4, 8
// FILL:      out0: f32 1x3, from 7 to 7, mean 7
// FILL:      out2: f16 4, from 8 to 8, mean 8

// Numbers are rounded to the type; a file brings its shape along.
// RUN: %{run} --input=x=%t/x.npy --shape=2:4096 --input=2=normal:3:0.5 --input=ids=integers:-2:2 > %t/data.txt
// RUN: FileCheck %s --check-prefix=DATA < %t/data.txt
// DATA:      x: f32 2x3, {{.*}}x.npy
// DATA-NEXT: ids: i32 5, integers:-2:2
// DATA-NEXT: 2: f16 4096, normal:3:0.5
// DATA:      out0: f32 2x3, from -3 to 2.5, mean 0.166667
// DATA:      out2: f16 4096, from {{(0|1)\..*}} to {{[45]\..*}}, mean {{(2\.9|3\.0|3,|3$)}}
// RUN: %{npy} --show %t.in/x.npy | FileCheck %s --check-prefix=SAME
// SAME: <f4 (2, 3) [1.0, 2.5, -3.0, 1.0, 2.5, -3.0]
// RUN: %{run} --shape=0:1x3 --shape=2:2 --input=0=uniform:-4:-3 --input=2=0.1 > %t/rounded.txt
// RUN: FileCheck %s --check-prefix=ROUNDED < %t/rounded.txt
// ROUNDED: out0: f32 1x3, from -{{[34].*}} to -3
// ROUNDED: out2: f16 2, from 0.0999756 to 0.0999756

// The same seed gives the same data, another seed others; an argument's data do
// not depend on what becomes of the arguments before it, and no two arguments
// have the same.
// DEFINE: %{random} = fuse-run %s --target=reference --entry=random --save-inputs
// RUN: %{random}=%t.a --seed=1 && %{random}=%t.b --seed=1 && %{random}=%t.c --seed=2 && %{random}=%t.d --seed=1 --input=x=0 && %{random}=%t.e
// RUN: %{random}=%t.f --seed=0 && %{random}=%t.g --seed=18446744073709551615
// RUN: cmp %t.a/x.npy %t.b/x.npy && cmp %t.a/y.npy %t.b/y.npy
// RUN: not cmp %t.a/x.npy %t.c/x.npy && not cmp %t.a/y.npy %t.c/y.npy
// RUN: not cmp %t.a/x.npy %t.d/x.npy && cmp %t.a/y.npy %t.d/y.npy
// RUN: not cmp %t.a/x.npy %t.a/y.npy && not cmp %t.c/x.npy %t.a/y.npy
// RUN: cmp %t.e/x.npy %t.f/x.npy && not cmp %t.f/x.npy %t.g/x.npy

// A module from standard input; bytecode is a module like any other.
// RUN: fuse-run - --entry=random < %s | FileCheck %s --check-prefix=STDIN
// STDIN: -: @random on cpu
// RUN: fuse-opt %s --emit-bytecode -o %t/bytecode && fuse-run %t/bytecode --entry=random | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: bytecode: @random on cpu

func.func @pass(%x: tensor<?x3xf32> {fuse.name = "x", fuse.fill = #fuse.fill<constant, 5, 5>},
                %ids: tensor<5xi32> {fuse.name = "ids", fuse.fill = #fuse.fill<integers, 3, 4>},
                %h: tensor<?xf16>) -> (tensor<?x3xf32>, tensor<5xi32>, tensor<?xf16>) {
  return %x, %ids, %h : tensor<?x3xf32>, tensor<5xi32>, tensor<?xf16>
}
func.func @random(%x: tensor<8xf32> {fuse.name = "x"}, %y: tensor<8xf32> {fuse.name = "y"}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
