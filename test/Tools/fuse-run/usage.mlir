// What a wrong command line is told: one line that names the culprit, status 2,
// and nothing on standard output.

// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{fails} = %S/Inputs/fails.sh 2 %t fuse-run
// DEFINE: %{one} = %{fails} %s --entry=one

// RUN: %{fails} | FileCheck %s --check-prefix=FILE
// FILE: fuse-run: error: needs a FILE, a module or an image; --help says more
// RUN: %{fails} %s | FileCheck %s --check-prefix=ENTRY
// ENTRY: usage.mlir: has several functions, 'one', 'two'; choose one with --entry
// RUN: %{fails} %s --frobnicate | FileCheck %s --check-prefix=FLAG
// FLAG: Unknown command line argument '--frobnicate'
// RUN: %{fails} %s %s | FileCheck %s --check-prefix=TWO
// TWO: Too many positional arguments
// RUN: %{one} --target=tpu | FileCheck %s --check-prefix=TARGET
// TARGET: --target option: 'tpu' is none of auto, cpu, reference, cuda, simulate
// RUN: %{one} --verify=maybe | FileCheck %s --check-prefix=VERIFY
// VERIFY: 'maybe' is none of float, exact
// RUN: %{one} --reference=f32 | FileCheck %s --check-prefix=REFERENCE
// REFERENCE: 'f32' is none of exact, round
// RUN: %{one} --open-sizes=maybe | FileCheck %s --check-prefix=SWITCH
// SWITCH: --open-sizes option: 'maybe' is none of on, off
// RUN: %{one} --image= | FileCheck %s --check-prefix=EMPTY
// RUN: %{one} --image "" | FileCheck %s --check-prefix=EMPTY
// EMPTY: --image option: is empty, but a value is needed
// RUN: %{one} --save-outputs= | FileCheck %s --check-prefix=EMPTY-FOLDER
// EMPTY-FOLDER: --save-outputs option: is empty, but a value is needed
// RUN: %{fails} %s --entry= | FileCheck %s --check-prefix=EMPTY-ENTRY
// EMPTY-ENTRY: --entry option: is empty, but a value is needed
// RUN: %{one} --seed=x | FileCheck %s --check-prefix=SEED
// SEED: --seed option: 'x' value invalid for
// RUN: %{one} --seed=-1 | FileCheck %s --check-prefix=NEGATIVE-SEED
// NEGATIVE-SEED: --seed option: '-1' value invalid for
// RUN: %{one} --seed=1 --seed=1 | FileCheck %s --check-prefix=SEED-TWICE
// SEED-TWICE: fuse-run: error: --seed is given twice, but has one value
// RUN: %{one} --bench --bench --bench | FileCheck %s --check-prefix=THRICE
// THRICE: fuse-run: error: --bench is given 3 times, but has one value
// RUN: %{one} --samples=0 --bench | FileCheck %s --check-prefix=SAMPLES
// SAMPLES: fuse-run: error: --samples must be at least 1
// RUN: %{one} --bench --sample-ms=-1 | FileCheck %s --check-prefix=SAMPLE-MS
// SAMPLE-MS: fuse-run: error: --sample-ms must be from 0 to 10000
// RUN: %{one} --bench --rest-ms=nan | FileCheck %s --check-prefix=REST-MS
// REST-MS: fuse-run: error: --rest-ms must be from 0 to 10000
// RUN: %{one} --hot | FileCheck %s --check-prefix=HOT
// HOT: fuse-run: error: --hot is about what --bench times
// RUN: %{one} --samples=3 | FileCheck %s --check-prefix=NOT-TIMED -DOPTION=samples
// RUN: %{one} --warm-up=3 | FileCheck %s --check-prefix=NOT-TIMED -DOPTION=warm-up
// RUN: %{one} --sample-ms=3 | FileCheck %s --check-prefix=NOT-TIMED -DOPTION=sample-ms
// RUN: %{one} --rest-ms=3 | FileCheck %s --check-prefix=NOT-TIMED -DOPTION=rest-ms
// NOT-TIMED: fuse-run: error: --[[OPTION]] is about what --bench and --profile time
// RUN: %{one} --samples=many | FileCheck %s --check-prefix=MANY
// MANY: --samples option: 'many' value invalid for
// RUN: %{one} --rtol=-1 | FileCheck %s --check-prefix=RTOL
// RUN: %{one} --atol=nan | FileCheck %s --check-prefix=RTOL
// RTOL: fuse-run: error: tolerances must not be negative
// RUN: %{one} --verify --rtol=0.1 | FileCheck %s --check-prefix=NO-EXPECT
// RUN: %{one} --atol=0.1 | FileCheck %s --check-prefix=NO-EXPECT
// NO-EXPECT: fuse-run: error: --rtol and --atol are tolerances of --expect; --verify has its own

// Nothing is left undone without a word, and no file unwritten.
// RUN: %{one} --target=reference --schedule=@one_0:split=2 | FileCheck %s --check-prefix=NO-KERNELS -DOPTION=schedule
// RUN: %{one} --target=reference --most-kernels=1 | FileCheck %s --check-prefix=NO-KERNELS -DOPTION=most-kernels
// RUN: %{one} --target=reference --fuse-report=%t/report.json | FileCheck %s --check-prefix=NO-KERNELS -DOPTION=fuse-report
// NO-KERNELS: fuse-run: error: --[[OPTION]] is about kernels, of which --target=reference makes none

// Data.
// RUN: %{one} --shape=x:2x3 --fill=gauss:0:1 | FileCheck %s --check-prefix=FILL
// FILL: fuse-run: error: --fill: 'gauss:0:1' is neither a number nor uniform:LOW:HIGH, normal:MEAN:DEVIATION or integers:LOW:HIGH
// RUN: %{one} --shape=x:2x3 --input=x=uniform:1 | FileCheck %s --check-prefix=UNIFORM
// UNIFORM: fuse-run: error: --input: argument 'x': 'uniform:1' needs two numbers behind its kind
// RUN: %{one} --shape=x:2x3 --input=x=uniform:2:1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: 'uniform:2:1' has a lower bound above its upper bound{{$}}
// RUN: %{one} --shape=x:2x3 --input=x=normal:0:-1 | FileCheck %s --check-prefix=NORMAL
// NORMAL: 'normal:0:-1' has a negative standard deviation
// RUN: %{one} --shape=x:2x3 --input=x=integers:0:1.5 | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: 'integers:0:1.5' needs whole numbers for its bounds
// RUN: %{one} --shape=x:2x3 --input=x=file.txt | FileCheck %s --check-prefix=TEXT
// TEXT: argument 'x': 'file.txt' is neither a number nor {{.*}}, nor a .npy file
// RUN: %{one} --input=x | FileCheck %s --check-prefix=INPUT
// INPUT: fuse-run: error: --input=x: expected NAME=...
// RUN: %{one} --input==3 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: fuse-run: error: --input==3: expected NAME=...
// RUN: %{one} --shape=x:2x3 --input=x=1 --input=x=2 | FileCheck %s --check-prefix=TWICE
// TWICE: fuse-run: error: --input is given twice for 'x'
// RUN: %{one} --shape=x:2x3 --input=y=1 | FileCheck %s --check-prefix=NO-INPUT
// NO-INPUT: fuse-run: error: --input names 'y', but @one has no such argument
// RUN: %{one} --shape=x:2x3 --input=1=1 | FileCheck %s --check-prefix=NO-NUMBER
// NO-NUMBER: fuse-run: error: --input names '1', but @one has no such argument
// RUN: %{one} --shape=x:2x3 --input=x=1 --input=0=1 | FileCheck %s --check-prefix=BOTH
// BOTH: fuse-run: error: --input is given twice for argument 'x', by its name and by its number
// RUN: %{fails} %s --entry=two --shape=n:2 --input=n=2 | FileCheck %s --check-prefix=NO-DATA
// RUN: %{fails} %s --entry=two --shape=n:2 --input=0=2 | FileCheck %s --check-prefix=NO-DATA
// RUN: %{fails} %s --entry=two --input=n=2 | FileCheck %s --check-prefix=NO-DATA
// NO-DATA: fuse-run: error: argument 'n' is an index and has no data; give its value with --shape=n:N

// Shapes.
// RUN: %{one} | FileCheck %s --check-prefix=MISSING
// MISSING: fuse-run: error: argument 'x' has dynamic dimension 0; give its sizes with --shape=x:... or a file with --input
// RUN: %{one} --shape=x | FileCheck %s --check-prefix=SHAPE
// SHAPE: fuse-run: error: --shape=x: expected NAME:...
// RUN: %{one} --shape=x:twox3 | FileCheck %s --check-prefix=WORD
// WORD: fuse-run: error: --shape=x:twox3: expected sizes with 'x' between them, but got 'twox3'
// RUN: %{one} --shape=x:2x | FileCheck %s --check-prefix=OPEN
// OPEN: expected sizes with 'x' between them, but got '2x'
// RUN: %{one} --shape=x:99999999999999999999x3 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: fuse-run: error: --shape=x:99999999999999999999x3: expected sizes
// RUN: %{one} --shape=x:-2x3 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: fuse-run: error: --shape=x:-2x3: a size must not be negative, but got -2
// RUN: %{one} --shape=y:2x3 | FileCheck %s --check-prefix=NO-SHAPE
// NO-SHAPE: fuse-run: error: --shape names 'y', but @one has no such argument; there are 'x'
// RUN: %{fails} %s --entry=two | FileCheck %s --check-prefix=INDEX
// RUN: %{fails} %s --entry=two --shape=n:2x3 | FileCheck %s --check-prefix=INDEX
// INDEX: fuse-run: error: argument 'n' is an index; give its value with --shape=n:N
// RUN: %{one} --shape=x:2x3 --shape=0:2x3 | FileCheck %s --check-prefix=SHAPES
// SHAPES: fuse-run: error: --shape is given twice for argument 'x', by its name and by its number
// RUN: %{fails} %s --entry=two --shape=n:2 --shape=0:2 | FileCheck %s --check-prefix=VALUES
// VALUES: fuse-run: error: --shape is given twice for argument 'n', by its name and by its number

// Outputs.
// RUN: %{one} --shape=x:2x3 --output=1=%t/y.npy | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: fuse-run: error: --output names output '1', but @one has 1 output and none of that name
// RUN: %{one} --shape=x:2x3 --expect=a=%t/y.npy | FileCheck %s --check-prefix=EXPECT
// EXPECT: fuse-run: error: --expect names output 'a', but @one has 1 output and none of that name
// RUN: %{one} --shape=x:2x3 --output=%t/y.npy | FileCheck %s --check-prefix=NO-NAME
// NO-NAME: y.npy: expected NAME=...
// RUN: test ! -e %t/y.npy

// Names of outputs are looked at before anything is done.
// RUN: %{one} --shape=x:2x3 --output=7=%t/y.npy --dump-stages=%t/stages --save-inputs=%t/in --save-outputs=%t/out | FileCheck %s --check-prefix=SEVEN
// SEVEN: fuse-run: error: --output names output '7', but @one has 1 output and none of that name
// RUN: %{one} --shape=x:2x3 --expect=7=%t/y.npy --dump-stages=%t/stages --save-inputs=%t/in --save-outputs=%t/out | FileCheck %s --check-prefix=EXPECT-SEVEN
// EXPECT-SEVEN: fuse-run: error: --expect names output '7', but @one has 1 output and none of that name
// RUN: test ! -e %t/stages && test ! -e %t/in && test ! -e %t/out

func.func @one(%x: tensor<?x3xf32> {fuse.name = "x"}) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}
func.func @two(%n: index {fuse.name = "n"}) {
  return
}
