// A disk that is full (here: a limit on the size of files) spoils nothing that
// was there, and code that is compiled goes nowhere but into memory.

// RUN: rm -rf %t && mkdir -p %t/home && echo old > %t/y.npy
// RUN: env -u JITDUMPDIR HOME=%t/home fuse-run %s > /dev/null && test -z "$(ls -A %t/home)"
// RUN: (ulimit -f 8; trap '' XFSZ; %S/Inputs/fails.sh 6 %t.log fuse-run %s --output=0=%t/y.npy) | FileCheck %s
// CHECK: fuse-run: error: cannot write '{{.*}}y.npy': File too large
// RUN: grep old %t/y.npy && test -z "$(find %t -name '*.npy.tmp')"

func.func @f(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  return %x : tensor<4096xf32>
}
