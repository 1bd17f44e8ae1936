// Results have names, too: on the command line and in the report.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{fails} = %S/Inputs/fails.sh 2 %t/log fuse-run %s --target=reference
// RUN: %{npy} %t/x.npy '<f4' 2 1 -2

// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --output=y=%t/y.npy --output=1=%t/out1.npy --expect=x=%t/x.npy | FileCheck %s
// CHECK:      results
// CHECK-NEXT:   y: f32 2, from -2 to 4
// CHECK-NEXT:   out1: f32 2, from -2 to 1
// CHECK-NEXT:   x: f32 2, from -2 to 1
// CHECK-NEXT:     {{.*}}x.npy: right
// RUN: %{npy} --show %t/y.npy | FileCheck %s --check-prefix=Y
// Y: <f4 (2,) [-2.0, 4.0]
// RUN: %{npy} --show %t/out1.npy | FileCheck %s --check-prefix=ONE
// ONE: <f4 (2,) [1.0, -2.0]

// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --json | %python %S/Inputs/report.py '[o["name"] for o in r["outputs"]] == ["y", "1", "x"]'

// A number still is one.
// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --output=0=%t/zero.npy > /dev/null && cmp %t/zero.npy %t/y.npy

// A folder has files of these names, and outN for what has none. In a folder with
// the inputs, an output of the same name as one of them is outN, too.
// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --save-outputs=%t/named > /dev/null
// RUN: ls %t/named | tr '\n' ' ' | FileCheck %s --check-prefix=NAMED
// NAMED: {{^}}out1.npy x.npy y.npy {{$}}
// RUN: cmp %t/named/y.npy %t/y.npy
// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --save-outputs=%t/both --save-inputs=%t/both > /dev/null
// RUN: ls %t/both | tr '\n' ' ' | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: {{^}}out1.npy out2.npy x.npy y.npy {{$}}

// RUN: %{fails} --output=y=%t/a.npy --output=0=%t/b.npy | FileCheck %s --check-prefix=TWICE
// TWICE: fuse-run: error: --output is given twice for output 'y', by its name and by its number
// RUN: %{fails} --output=y=%t/a.npy --output=x=%t/a.npy | FileCheck %s --check-prefix=ONE-FILE
// ONE-FILE: fuse-run: error: output 'y' and output 'x' are both written to '{{.*}}a.npy'

// RUN: %S/Inputs/fails.sh 2 %t/log fuse-run %s --target=cpu --output=y=%t/a.npy --profile=%t/a.npy | FileCheck %s --check-prefix=PROFILE
// PROFILE: fuse-run: error: the timeline and output 'y' are both written to '{{.*}}a.npy'

// A folder has many names, and a file as many.
// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --save-outputs=%t/two/ --save-inputs=%t/../output-names.mlir.tmp/two > /dev/null
// RUN: ls %t/two | tr '\n' ' ' | FileCheck %s --check-prefix=TOGETHER
// RUN: %{npy} --show %t/two/x.npy | FileCheck %s --check-prefix=ONE
// RUN: ln -s two %t/link && rm %t/two/*
// RUN: fuse-run %s --target=reference --input=x=%t/x.npy --save-outputs=%t/two --save-inputs=%t/link > /dev/null
// RUN: ls %t/two | tr '\n' ' ' | FileCheck %s --check-prefix=TOGETHER
// RUN: %{fails} --output=y=%t/a.npy --output=x=%t/two/../a.npy | FileCheck %s --check-prefix=ONE-FILE
// RUN: %{fails} --output=y=%t/two/x.npy --save-inputs=%t/link | FileCheck %s --check-prefix=OF-INPUT
// OF-INPUT: fuse-run: error: argument 'x' and output 'y' are both written to '{{.*}}two/x.npy'
// RUN: %{fails} --output=1=%t/two/y.npy --save-outputs=%t/two | FileCheck %s --check-prefix=OF-OUTPUT
// OF-OUTPUT: fuse-run: error: output '1' and output 'y' are both written to '{{.*}}two/y.npy'
// RUN: fuse-run %s --target=reference --output=y=%t/two/y.npy --save-outputs=%t/two > /dev/null
// RUN: %{fails} --expect=0=%t/a.npy --expect=y=%t/b.npy | FileCheck %s --check-prefix=EXPECTED
// EXPECTED: fuse-run: error: --expect is given twice for output 'y', by its name and by its number
// RUN: %{fails} --output=z=%t/a.npy | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: fuse-run: error: --output names output 'z', but @f has 3 outputs and none of that name

func.func @f(%x: tensor<2xf32> {fuse.name = "x"})
    -> (tensor<2xf32> {fuse.name = "y"}, tensor<2xf32>, tensor<2xf32> {fuse.name = "x"}) {
  %y = fuse.scale %x by -2.0 : tensor<2xf32>
  return %y, %x, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
