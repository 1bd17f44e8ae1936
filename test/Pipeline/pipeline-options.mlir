// What pipelines can be told, and that they say what they cannot.

// RUN: fuse-opt %s --fuse-to-tiles | FileCheck %s
// CHECK: tile.kernel @f_0(
// RUN: fuse-opt %s --fuse-to-tiles="machine=h200 prefix=mine most-kernels=1 report=%t.json" \
// RUN:   | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: tile.kernel @mine_0(
// OPTIONS-NOT: tile.kernel
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "kernels_costed": {{[1-9]}}
// REPORT: "name": "mine_0"
// RUN: fuse-opt %s --pass-pipeline="builtin.module(fuse-to-tiles{threads=3 schedules=@f_0:parallel=[2,8]})" \
// RUN:   | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: tile.load {{.*}} -> tensor<2x8xf32>

// RUN: fuse-opt --help | FileCheck %s --check-prefix=HELP
// HELP:      --fuse-to-tiles
// HELP-NEXT:   --machine=<value> {{.*}} whose costs to compare
// HELP-NEXT:     =cpu
// HELP-NEXT:     =h200
// HELP-NEXT:   --most-kernels=<uint>
// HELP-NEXT:   --prefix=<string>
// HELP-NEXT:   --rejected=<string>
// HELP-NEXT:   --report=<string>
// HELP-NEXT:   --schedules=<string>
// HELP-NEXT:   --shared-bytes=<uint>
// HELP-NEXT:   --shared-part=<number>
// HELP-NEXT:   --threads=<uint>
// HELP-NEXT:   --warpgroups

// RUN: not fuse-opt %s --fuse-vector-to-llvm=machine=h200 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: fuse-vector-to-llvm takes no options, but got 'machine=h200'
// RUN: not fuse-opt %s --fuse-to-tiles=chip=h200 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: fuse-to-tiles does not take the options 'chip=h200': {{.*}}no such option chip
// RUN: not fuse-opt %s --fuse-to-tiles=machine=z80 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: 'z80' is none of cpu, h200
// VALUE: error: fuse-to-tiles does not take the options 'machine=z80'
// RUN: not fuse-opt %s --fuse-to-tiles=schedules=f_0 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected a schedule as '@kernel:{parallel = [64], ...}', got '@f_0:{}'

func.func @f(%x: tensor<64x48xf32>, %b: tensor<48xf32>) -> tensor<64x48xf32> {
  %r = fuse.broadcast %b dims [1] : tensor<48xf32> -> tensor<64x48xf32>
  %y = arith.addf %x, %r : tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}
