// One kernel for LayerNorm, product, bias and activation, under every strategy
// of its cascades, with tiles that fit and tiles that do not. The mean is a
// hundred times the deviation: what lets digits cancel is seen.

// DEFINE: %{tiles} =
// DEFINE: %{strategy} =
// DEFINE: %{factor} = defer
// DEFINE: %{verify} = fuse-run %s --entry=kernel --seed=3 --verify --threads=2 \
// DEFINE:   --schedule="@norm_linear:%{tiles}, cascades = [1 wrt 0 = %{strategy}, 2 wrt 0 = %{strategy}, 2 wrt 1 = %{factor}]" \
// DEFINE:   | FileCheck %s
// CHECK: plan: 1 kernel
// CHECK: verify: right

// REDEFINE: %{tiles} = parallel = [16, 16], sequential = [r600_0 = 64]
// REDEFINE: %{strategy} = rescale
// RUN: %{verify}
// REDEFINE: %{strategy} = pilot
// RUN: %{verify}
// REDEFINE: %{strategy} = sequential
// REDEFINE: %{factor} = sequential
// RUN: %{verify}

// REDEFINE: %{tiles} = parallel = [5, 7], sequential = [r600_0 = 33]
// RUN: %{verify}
// REDEFINE: %{factor} = defer
// REDEFINE: %{strategy} = rescale
// RUN: %{verify}
// REDEFINE: %{strategy} = pilot
// RUN: %{verify}

// The whole row in one window: no loop, so nothing is left to correct.
// REDEFINE: %{tiles} = parallel = [4, 24], sequential = [r600_0 = 600]
// RUN: %{verify}

// A shift that waits is right where the mean is no larger than the deviation,
// and only asked for by name.
// RUN: fuse-run %s --entry=kernel --seed=3 --verify --input=x=normal:0:1 \
// RUN:   --schedule="@norm_linear:parallel = [16, 16], sequential = [r600_0 = 64], cascades = [1 wrt 0 = defer, 2 wrt 0 = defer, 2 wrt 1 = defer]" \
// RUN:   | FileCheck %s

// The same graph without a kernel around it.
// RUN: fuse-run %s --entry=plain --seed=3 --verify | FileCheck %s --check-prefix=PLAIN
// PLAIN: plan: {{[12]}} kernel
// PLAIN: verify: right

func.func @kernel(%x: tensor<37x600xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 100, 1>},
             %gamma: tensor<600xf32>, %w: tensor<600x24xf32>, %b: tensor<24xf32>) -> tensor<37x24xf32> {
  %y = fuse.kernel @norm_linear(%xk = %x, %gk = %gamma, %wk = %w, %bk = %b) : (tensor<37x600xf32>, tensor<600xf32>, tensor<600x24xf32>, tensor<24xf32>) -> tensor<37x24xf32> {
    %eps = arith.constant dense<1.0e-05> : tensor<37xf32>
    %sum = fuse.reduce mean %xk dims [1] : tensor<37x600xf32>
    %mean = fuse.broadcast %sum dims [0] : tensor<37xf32> -> tensor<37x600xf32>
    %centred = arith.subf %xk, %mean : tensor<37x600xf32>
    %square = arith.mulf %centred, %centred : tensor<37x600xf32>
    %variance = fuse.reduce mean %square dims [1] : tensor<37x600xf32>
    %kept = arith.addf %variance, %eps : tensor<37xf32>
    %inverse = math.rsqrt %kept : tensor<37xf32>
    %scale = fuse.broadcast %inverse dims [0] : tensor<37xf32> -> tensor<37x600xf32>
    %normed = arith.mulf %centred, %scale : tensor<37x600xf32>
    %gammas = fuse.broadcast %gk dims [1] : tensor<600xf32> -> tensor<37x600xf32>
    %scaled = arith.mulf %normed, %gammas : tensor<37x600xf32>
    %product = fuse.matmul %scaled, %wk : tensor<37x600xf32>, tensor<600x24xf32> -> tensor<37x24xf32>
    %biases = fuse.broadcast %bk dims [1] : tensor<24xf32> -> tensor<37x24xf32>
    %shifted = arith.addf %product, %biases : tensor<37x24xf32>
    %o = math.tanh %shifted : tensor<37x24xf32>
    fuse.yield %o : tensor<37x24xf32>
  }
  return %y : tensor<37x24xf32>
}

func.func @plain(%x: tensor<37x600xf32> {fuse.name = "x", fuse.fill = #fuse.fill<normal, 100, 1>},
                 %gamma: tensor<600xf32>, %w: tensor<600x24xf32>, %b: tensor<24xf32>) -> tensor<37x24xf32> {
  %n = fuse.layer_norm %x scale %gamma eps 1.0e-5 : tensor<37x600xf32>, tensor<600xf32>
  %y = fuse.linear %n, %w bias %b : tensor<37x600xf32>, tensor<600x24xf32>, tensor<24xf32> -> tensor<37x24xf32>
  %o = math.tanh %y : tensor<37x24xf32>
  return %o : tensor<37x24xf32>
}
