// Nothing is written over the module that is run, by whatever name, nor one
// result over another.

// RUN: rm -rf %t && mkdir -p %t/folder && cp %s %t/m.mlir && ln -s m.mlir %t/link.mlir
// DEFINE: %{fails} = %S/Inputs/fails.sh 2 %t/log fuse-run %t/m.mlir
// RUN: %{fails} --target=cpu --output=0=%t/m.mlir | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: fuse-run: error: output '0' would be written to '{{.*}}m.mlir', which is what is run and would be lost
// RUN: %{fails} --target=cpu --profile=%t/folder/../link.mlir | FileCheck %s --check-prefix=LINK
// LINK: fuse-run: error: the timeline would be written to '{{.*}}link.mlir', which is what is run and would be lost
// RUN: %{fails} --target=cpu --fuse-report=%t/m.mlir | FileCheck %s --check-prefix=REPORT
// REPORT: fuse-run: error: the fusion report would be written to '{{.*}}m.mlir', which is what is run and would be lost
// RUN: %{fails} --chip=x86-64 --image=%t/m.mlir | FileCheck %s --check-prefix=IMAGE
// IMAGE: fuse-run: error: the image would be written to '{{.*}}m.mlir', which is what is run and would be lost
// RUN: %{fails} --target=cpu --fuse-report=%t/a --output=0=%t/a | FileCheck %s --check-prefix=BOTH
// BOTH: fuse-run: error: the fusion report and output '0' are both written to '{{.*}}a'
// RUN: not ls %t/a
// RUN: cmp %s %t/m.mlir

// A device has nothing to lose.
// RUN: fuse-run %t/m.mlir --target=cpu --fuse-report=/dev/null --profile=/dev/null > /dev/null

// A stage that was written is run.
// RUN: fuse-run %t/m.mlir --target=cpu --dump-stages=%t/folder > /dev/null
// RUN: cp %t/folder/0-graph.mlir %t/first.mlir
// RUN: %S/Inputs/fails.sh 2 %t/log fuse-run %t/folder/0-graph.mlir --target=cpu --dump-stages=%t/folder | FileCheck %s --check-prefix=STAGE
// STAGE: fuse-run: error: a stage would be written to '{{.*}}0-graph.mlir', which is what is run and would be lost
// RUN: cmp %t/folder/0-graph.mlir %t/first.mlir
// RUN: %{fails} --target=cpu --dump-stages=%t/folder --output=0=%t/folder/0-graph.mlir | FileCheck %s --check-prefix=RESULT
// RESULT: fuse-run: error: output '0' and a stage are both written to '{{.*}}0-graph.mlir'

// Its folder may be that of the stages, and an image is kept like a module.
// RUN: fuse-run %t/m.mlir --target=cpu --dump-stages=%t > /dev/null
// RUN: fuse-run %t/m.mlir --chip=x86-64 --image=%t/m.fuse > /dev/null
// RUN: %S/Inputs/fails.sh 2 %t/log fuse-run %t/m.fuse --target=cpu --output=0=%t/m.fuse | FileCheck %s --check-prefix=OF-IMAGE
// OF-IMAGE: fuse-run: error: output '0' would be written to '{{.*}}m.fuse', which is what is run and would be lost

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
