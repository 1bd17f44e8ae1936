// What was compiled before is run as a module is, without compiling.

// DEFINE: %{run} = env FUSE_CUDA_DRIVER=%t/none.so fuse-run
// DEFINE: %{fails} = env FUSE_CUDA_DRIVER=%t/none.so %S/Inputs/fails.sh

// RUN: rm -rf %t && mkdir -p %t
// RUN: %{run} %s --image=%t/sums.fuse --chip=sm_80,x86-64,x86-64-v3 --shape=x:33x8 --threads=2 > %t/made
// RUN: FileCheck %s --check-prefix=MADE < %t/made
// MADE: @sums on sm_80, x86-64, x86-64-v3
// MADE: written to {{.*}}sums.fuse; nothing was run
// RUN: %{run} %s --image=%t/again.fuse --chip=sm_80,x86-64,x86-64-v3 --shape=x:33x8 --threads=2 > %t/out
// RUN: cmp %t/sums.fuse %t/again.fuse

// The same inputs give the same results.
// RUN: %{run} %s --target=cpu --shape=x:33x8 --save-outputs=%t/wanted --save-inputs=%t > %t/out
// RUN: %{run} %t/sums.fuse --input=x=%t/x.npy --input=b=%t/b.npy --expect=0=%t/wanted/out0.npy --expect=rows=%t/wanted/rows.npy --bench --samples=2 --threads=3 | FileCheck %s --check-prefix=RAN
//      RAN: sums.fuse: @sums on cpu
//      RAN: x: f32 33x8, {{.*}}x.npy
//      RAN: plan: {{[12]}} kernel
//      RAN: 1  @sums_0: (run-image.mlir:[[#@LINE+50]])
// RAN-NEXT:   #fuse.schedule<
//      RAN: loaded in
//      RAN: rows: f32 33,
//      RAN: time: median
// RUN: %{run} %t/sums.fuse --target=cpu --json | %python %S/Inputs/report.py \
// RUN:   '[o["shape"] for o in r["outputs"]] == [[33, 8], [33]]'

// What the graph says of data for an argument is in its image: with others b would not be 3.
// RUN: fuse-image %t/sums.fuse | FileCheck %s --check-prefix=FILL
//      FILL: %0 'x': input, 33x8 of f32, aligned to 4 bytes, any strides{{$}}
// FILL-NEXT: %1 'b': input, 8 of f32, aligned to 4 bytes, any strides, may be 3{{$}}
// RUN: %{run} %t/sums.fuse --input=x=0 --threads=1 | FileCheck %s --check-prefix=THREE
// THREE: b: f32 8, 3
// THREE: rows: f32 33, from 24 to 24

// What needs a graph, or a GPU, is refused.
// RUN: %{fails} 2 %t/log fuse-run %t/sums.fuse --verify 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: --verify: {{.*}}sums.fuse is an image, which is compiled already
// RUN: env FUSE_CUDA_DRIVER=%t/none %{fails} 2 %t/log fuse-run %t/sums.fuse --image=%t/other.fuse 2>&1 | FileCheck %s --check-prefix=IMAGE
// IMAGE: error: --image: {{.*}}sums.fuse is an image, which is compiled already
// RUN: %{fails} 2 %t/log fuse-run %t/sums.fuse --chip=sm_80 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: --chip: {{.*}}sums.fuse is an image, which is compiled already
// RUN: %{fails} 2 %t/log fuse-run %t/sums.fuse --graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: error: --graph replays a CUDA graph, but this runs on the CPU
// RUN: %{fails} 2 %t/log fuse-run %t/sums.fuse --graph --target=cpu 2>&1 | FileCheck %s --check-prefix=NOGPU
// NOGPU: error: --graph replays a CUDA graph; --target names no GPU
// RUN: %{fails} 5 %t/log fuse-run %t/sums.fuse --target=cuda 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: error: --target=cuda: no CUDA driver
// RUN: %{run} %s --image=%t/gpu.fuse --chip=sm_80 --shape=x:33x8 > %t/out
// RUN: %{fails} 4 %t/log fuse-run %t/gpu.fuse 2>&1 | FileCheck %s --check-prefix=NOCPU
// NOCPU: error: {{.*}}gpu.fuse: has no code for processors, and there is no GPU that can be used
// RUN: %{fails} 2 %t/log fuse-run %s --chip=x86-64-v3 --shape=x:33x8 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: --chip=x86-64-v3: code for the processor is made for this one, but for --image
// RUN: %{fails} 3 %t/log fuse-run %t/sums.fuse --input=x=%t/b.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument 'x' has type tensor<33x8xf32>, but {{.*}}b.npy has shape 8

// Whatever is damaged is told.
// RUN: head -c 1000 %t/sums.fuse > %t/short.fuse
// RUN: %{fails} 3 %t/log fuse-run %t/short.fuse 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: '{{.*}}short.fuse': the image is truncated: found 1000 bytes, needed
// RUN: %python -c "import sys; d = bytearray(open(sys.argv[1], 'rb').read()); d[900] ^= 1; open(sys.argv[2], 'wb').write(d)" %t/sums.fuse %t/flipped.fuse
// RUN: %{fails} 3 %t/log fuse-run %t/flipped.fuse 2>&1 | FileCheck %s --check-prefix=FLIPPED
// FLIPPED: error: '{{.*}}flipped.fuse': the image is corrupt: its checksum does not fit

func.func @sums(%x: tensor<?x8xf32> {fuse.name = "x"}, %b: tensor<8xf32> {fuse.name = "b", fuse.fill = #fuse.fill<constant, 3, 3>})
    -> (tensor<?x8xf32>, tensor<?xf32> {fuse.name = "rows"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %w = fuse.broadcast %b dims [1] sizes [%n] : tensor<8xf32> -> tensor<?x8xf32>
  %y = arith.addf %x, %w : tensor<?x8xf32>
  %s = fuse.reduce sum %y dims [1] : tensor<?x8xf32>
  return %y, %s : tensor<?x8xf32>, tensor<?xf32>
}
