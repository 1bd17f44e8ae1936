// What becomes of results: files, comparisons, and the status that says so.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{npy} = %python %S/Inputs/npy.py
// DEFINE: %{run} = fuse-run %s --target=reference --entry=third --input=x=%t/x.npy

// RUN: %{npy} %t/x.npy '<f4' 3 1 2 -3
// RUN: %{npy} %t/third.npy '<f8' 3 0.3333333333333333 0.6666666666666666 -1
// RUN: %{npy} %t/close.npy '<f4' 3 0.3333 0.6667 -1
// RUN: %{npy} %t/nan.npy '<f4' 3 nan 0.6667 -1
// RUN: %{npy} %t/row.npy '<f4' 1x3 1 2 -3
// RUN: %{npy} %t/ints.npy '<i4' 3 1 2 -3

// Files, of single outputs and of all. Folders are made; what was there is replaced.
// RUN: %{run} --output=0=%t/y.npy --save-outputs=%t/deep/er > /dev/null
// RUN: %{npy} --show %t/y.npy | FileCheck %s --check-prefix=THIRD
// THIRD: <f4 (3,) [0.3333333{{.*}}, 0.6666666{{.*}}, -1.0]
// RUN: cmp %t/y.npy %t/deep/er/out0.npy && %{npy} --show %t/deep/er/out1.npy | FileCheck %s --check-prefix=X
// X: <f4 (3,) [1.0, 2.0, -3.0]
// RUN: fuse-run %s --target=reference --entry=third --shape=x:3 --input=x=9 --output=1=%t/y.npy && %{npy} --show %t/y.npy | FileCheck %s --check-prefix=NINES
// NINES: <f4 (3,) [9.0, 9.0, 9.0]
// RUN: test -z "$(find %t -name '*.npy.tmp')"

// Within the tolerances it is right, else wrong; the worst element is named.
// RUN: %{run} --expect=0=%t/third.npy --expect=1=%t/x.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: out0: f32 3, from -1 to 0.666667, mean {{.*}}e-{{0[89]}}
// RIGHT-NEXT: third.npy: right; worst at [{{[01]}}]: got 0.{{[36]}}
// RIGHT: out1: f32 3, from -3 to 2, mean 0
// RIGHT-NEXT: x.npy: right; worst at [0]: got 1, wanted 1, error 0 of
// RUN: %{run} --expect=0=%t/close.npy > %t/wrong.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=WRONG < %t/wrong.txt
// WRONG: close.npy: WRONG in 2 elements; worst at [0]: got 0.333333343, wanted 0.333299994, error 3.33e-05 of 4.33e-06 allowed
// RUN: %{run} --expect=0=%t/close.npy --rtol=1e-3 > /dev/null
// RUN: %{run} --expect=0=%t/close.npy --rtol=0 --atol=1e-3 > /dev/null
// RUN: %{run} --expect=0=%t/third.npy --rtol=0 --atol=0 > /dev/null; test $? -eq 1
// RUN: %{run} --expect=1=%t/x.npy --rtol=0 --atol=0 > /dev/null
// RUN: %{run} --expect=0=%t/nan.npy --rtol=1e9 > %t/nan.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=NAN < %t/nan.txt
// NAN: nan.npy: WRONG in 1 element; worst at [0]: got 0.333333343, wanted nan, error inf of 0 allowed

// A file of another type or shape is bad input.
// RUN: %{run} --expect=0=%t/row.npy 2> %t/err; test $? -eq 3
// RUN: FileCheck %s --check-prefix=SHAPE < %t/err
// SHAPE: fuse-run: error: {{.*}}row.npy: has shape 1x3, but output 0 has shape 3
// RUN: %{run} --expect=0=%t/ints.npy 2> %t/err; test $? -eq 3
// RUN: FileCheck %s --check-prefix=TYPE < %t/err
// TYPE: fuse-run: error: '{{.*}}ints.npy': the elements are '<i4' (i32), but
// RUN: %{run} --expect=0=%t/none.npy 2> %t/err; test $? -eq 3
// RUN: FileCheck %s --check-prefix=NONE < %t/err
// NONE: fuse-run: error: cannot open '{{.*}}none.npy': No such file or directory

// Results that a comparison finds wrong are written all the same.
// RUN: rm %t/y.npy
// RUN: %{run} --expect=0=%t/close.npy --output=0=%t/y.npy > /dev/null; test $? -eq 1 && test -s %t/y.npy

// The f64 road agrees but for rounding. Running op by op is what other roads are
// judged by, and is not judged itself but bit for bit: against the exact value,
// rounded to the type of the output.
// RUN: %{run} --verify | FileCheck %s --check-prefix=VERIFY
// RUN: %{run} --verify=float | FileCheck %s --check-prefix=VERIFY
// VERIFY: out0: f32 3
// VERIFY-NEXT: verify: not judged; worst at [{{[01]}}]: got {{.*}}, wanted {{.*}}, error {{9.93e-09|1.99e-08}} of
// VERIFY-NEXT: largest error 1.99e-08: running op by op is what other roads are judged by
// VERIFY: out1: f32 3
// VERIFY-NEXT: verify: not judged; worst at [0]: got 1, wanted 1, error 0 of
// VERIFY-NEXT: largest error 0: running op by op is what other roads are judged by
// RUN: %{run} --verify=exact | FileCheck %s --check-prefix=EXACT
// EXACT: out0: f32 3
// EXACT-NEXT: verify: right; worst at [{{[01]}}]: got 0.{{.*}}, wanted 0.{{.*}}, error {{9.93e-09|1.99e-08}} of 0 allowed
// EXACT-NOT: largest error
// EXACT: verify: right

// What rounds twice is not the exact value rounded once; nor is 0 where that is
// -0. In float mode nobody says so, and the status is 0.
// RUN: fuse-run %s --target=reference --entry=twice --input=0=3 --verify=exact > %t/twice.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=EXACT-WRONG < %t/twice.txt
// EXACT-WRONG: out0: f32 2
// EXACT-WRONG-NEXT: verify: WRONG in 2 elements; worst at [0]: got 0, wanted 2.98023224e-08, error 2.98e-08 of 0 allowed
// EXACT-WRONG-NOT: largest error
// RUN: fuse-run %s --target=reference --entry=twice --input=0=3 --verify | FileCheck %s --check-prefix=TOLD
// TOLD: verify: not judged; worst at [{{[01]}}]: got 0, wanted 2.98023224e-08, error 2.98e-08 of
// TOLD-NEXT: largest error 2.98e-08: running op by op is what other roads are judged by
// RUN: fuse-run %s --target=reference --entry=zeros --verify=exact > %t/zeros.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=ZEROS < %t/zeros.txt
// ZEROS: verify: WRONG in 1 element; worst at [0]: got 0, wanted -9.99999971e-51, error 1e-50 of 0 allowed
// RUN: fuse-run %s --target=reference --entry=nans --verify=exact | FileCheck %s --check-prefix=NANS
// NANS: out0: f32 4, {{.*}}, 4 NaN
// NANS-NEXT: verify: right

// --expect is judged all the same.
// RUN: %{run} --verify --expect=0=%t/close.npy > %t/both.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=TOLD-AND-JUDGED < %t/both.txt
// TOLD-AND-JUDGED: verify: not judged
// TOLD-AND-JUDGED: close.npy: WRONG in 2 elements

// Integers that are one f64 are two integers.
// RUN: %{npy} %t/tie.npy '<i8' 2 9007199254740993 -3 && %{npy} %t/even.npy '<i8' 2 9007199254740992 -3
// RUN: fuse-run %s --target=reference --entry=integers --input=0=%t/tie.npy --expect=0=%t/even.npy --rtol=0 --atol=0 > %t/integers.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=ODD < %t/integers.txt
// ODD: even.npy: WRONG in 1 element; worst at [0]: got {{.*}}, wanted {{.*}}, error 1 of 0 allowed
// RUN: fuse-run %s --target=reference --entry=integers --input=0=%t/tie.npy --expect=0=%t/even.npy --rtol=0 --atol=1 | FileCheck %s --check-prefix=EVEN
// EVEN: even.npy: right
// RUN: fuse-run %s --target=reference --entry=integers --input=0=%t/tie.npy --expect=0=%t/tie.npy --rtol=0 --atol=0 | FileCheck %s --check-prefix=TIE
// TIE: tie.npy: right
// RUN: fuse-run %s --target=reference --entry=third --shape=x:3 --input=x=-6 --verify=exact | FileCheck %s --check-prefix=WHOLE
// WHOLE: verify: right; worst at [0]: got -2, wanted -2, error 0 of 0 allowed

// What a cast loses is an error to the exact reference and none to the one
// whose casts round.
// RUN: fuse-run %s --target=reference --entry=rounds --input=0=2049 --verify=exact --reference=exact > %t/exact.txt; test $? -eq 1
// RUN: FileCheck %s --check-prefix=DROP < %t/exact.txt
// DROP: got 2048, wanted 2049
// RUN: fuse-run %s --target=reference --entry=rounds --input=0=2049 --verify=exact --reference=round | FileCheck %s --check-prefix=ROUND
// ROUND: got 2048, wanted 2048

// RUN: fuse-run %s --target=reference --entry=third --shape=x:3 --bench --samples=4 --warm-up=0 | FileCheck %s --check-prefix=BENCH
// RUN: fuse-run %s --target=reference --entry=third --shape=x:3 --bench --samples=4 --warm-up=3 | FileCheck %s --check-prefix=BENCH
// BENCH: time: median {{.*}} {{us|ms|s}} of 4 runs, from {{.*}}s to {{.*}}s
// RUN: fuse-run %s --target=reference --entry=third --shape=x:3 --bench | FileCheck %s --check-prefix=TWENTY
// TWENTY: of 20 runs

// Nothing has no worst element.
// RUN: fuse-run %s --target=reference --entry=third --shape=x:0 --verify | FileCheck %s --check-prefix=EMPTY
// EMPTY: out0: f32 0, from 0 to 0, mean 0
// EMPTY-NEXT: verify: not judged{{$}}
// RUN: fuse-run %s --target=reference --entry=third --shape=x:0 --verify=exact | FileCheck %s --check-prefix=EMPTY-EXACT
// EMPTY-EXACT: out0: f32 0, from 0 to 0, mean 0
// EMPTY-EXACT-NEXT: verify: right{{$}}

func.func @third(%x: tensor<?xf32> {fuse.name = "x"}) -> (tensor<?xf32>, tensor<?xf32>) {
  %three = arith.constant dense<3.0> : tensor<f32>
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %threes = fuse.broadcast %three dims [] sizes [%n] : tensor<f32> -> tensor<?xf32>
  %y = arith.divf %x, %threes : tensor<?xf32>
  return %y, %x : tensor<?xf32>, tensor<?xf32>
}
func.func @integers(%x: tensor<2xi64>) -> tensor<2xi64> {
  return %x : tensor<2xi64>
}
// In f64 (x + 2^-25) - x is 2^-25.
func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %small = arith.constant dense<2.98023223876953125e-8> : tensor<2xf32>
  %0 = arith.addf %x, %small : tensor<2xf32>
  %1 = arith.subf %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -1e-50 is -0 in f32, and a sum with 0 is 0.
func.func @zeros() -> tensor<2xf32> {
  %x = arith.constant dense<[-1.0e-30, -1.0e-30]> : tensor<2xf32>
  %y = arith.constant dense<[1.0e-20, 1.0e-20]> : tensor<2xf32>
  %zeros = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %product = arith.mulf %x, %y : tensor<2xf32>
  %0 = arith.addf %product, %zeros : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// Zeros divided by zeros, and two NaNs with other bits.
func.func @nans() -> tensor<4xf32> {
  %x = arith.constant dense<[0.0, -0.0, 0xFFC00001, 0x7FFFFFFF]> : tensor<4xf32>
  %0 = arith.divf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @rounds(%x: tensor<f32>) -> tensor<f32> {
  %y = arith.truncf %x : tensor<f32> to tensor<f16>
  %z = arith.extf %y : tensor<f16> to tensor<f32>
  return %z : tensor<f32>
}
