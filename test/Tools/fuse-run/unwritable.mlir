// Results that cannot be written: status 6, and what was there before stays.

// DEFINE: %{fails} = %S/Inputs/fails.sh 6 %t.log fuse-run %s
// RUN: rm -rf %t && mkdir -p %t && echo precious > %t/file

// RUN: %{fails} --output=0=/dev/full | FileCheck %s --check-prefix=FULL
// FULL: fuse-run: error: cannot write '/dev/full': No space left on device
// RUN: %{fails} --target=cpu --fuse-report=/dev/full | FileCheck %s --check-prefix=DECISIONS
// DECISIONS: fuse-run: error: --fuse-report: cannot write '/dev/full': No space left on device
// RUN: %{fails} --output=0=%t/none/y.npy | FileCheck %s --check-prefix=NONE
// NONE: fuse-run: error: cannot write '{{.*}}none/y.npy': {{.*}}No such file or directory
// RUN: %{fails} --output=0=%t/file/y.npy | FileCheck %s --check-prefix=BELOW
// BELOW: fuse-run: error: cannot write '{{.*}}file/y.npy': {{.*}}Not a directory
// RUN: %{fails} --output=0=%t | FileCheck %s --check-prefix=FOLDER
// FOLDER: fuse-run: error: cannot write '{{.*}}': Is a directory
// RUN: %{fails} --output=0=/proc/y.npy | FileCheck %s --check-prefix=PROC
// PROC: fuse-run: error: cannot write '/proc/y.npy': {{.+}}
// RUN: %{fails} --save-inputs=%t/file | FileCheck %s --check-prefix=INPUTS
// INPUTS: fuse-run: error: cannot write '{{.*}}file/0.npy': Not a directory
// RUN: %{fails} --save-outputs=%t/file/deep | FileCheck %s --check-prefix=MAKE
// RUN: %{fails} --dump-stages=%t/file/deep | FileCheck %s --check-prefix=MAKE
// RUN: %{fails} --dump-stages=%t/file | FileCheck %s --check-prefix=STAGES
// STAGES: fuse-run: error: {{.*}}file/0-graph.mlir{{.*}}: Not a directory
// MAKE: fuse-run: error: {{.*}}file{{.*}}: Not a directory
// RUN: mkdir -p %t/stages/0-graph.mlir && %{fails} --dump-stages=%t/stages | FileCheck %s --check-prefix=STAGE
// STAGE: fuse-run: error: {{.*}}0-graph.mlir{{.*}}: Is a directory

// What can be seen before anything runs is. A folder is made first.
// RUN: %{fails} --output=0=%t/none/y.npy --dump-stages=%t/early | FileCheck %s --check-prefix=NONE
// RUN: %{fails} --output=0=%t --dump-stages=%t/early | FileCheck %s --check-prefix=FOLDER
// RUN: %{fails} --output=0=%t/file/y.npy --dump-stages=%t/early | FileCheck %s --check-prefix=BELOW
// RUN: test ! -e %t/early

// Folders are made before anything runs.
// RUN: %{fails} --save-outputs=%t/file/deep --save-inputs=%t/in | FileCheck %s --check-prefix=MAKE
// RUN: %{fails} --dump-stages=%t/file/deep --save-inputs=%t/in --save-outputs=%t/out | FileCheck %s --check-prefix=MAKE
// RUN: test ! -e %t/in/0.npy && test ! -e %t/out/out0.npy

// What was there is still there.
// RUN: grep precious %t/file && test -z "$(find %t -name '*.npy.tmp')"

// The report itself, text and JSON.
// RUN: fuse-run %s > /dev/full 2> %t/err; test $? -eq 6
// RUN: FileCheck %s --check-prefix=REPORT < %t/err
// RUN: fuse-run %s --json > /dev/full 2> %t/err; test $? -eq 6
// RUN: FileCheck %s --check-prefix=REPORT < %t/err
// REPORT: fuse-run: error: the report cannot be written: No space left on device

// The devices that are streams are written to as they are.
// RUN: fuse-run %s --output=0=/dev/null > /dev/null && fuse-run %s --output=0=/dev/stdout > %t/stream && head -c 6 %t/stream | grep NUMPY

func.func @f(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  return %x : tensor<4096xf32>
}
