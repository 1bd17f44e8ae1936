// RUN: fuse-opt %s --split-input-file --convert-fuse-to-tile --verify-diagnostics

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that gives a tile to r63_0, which no reduction of it runs over; they run over r64_0}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<sequential = [r63_0 = 16]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that orders variable 1 of the grid, but that has 1}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<order = [0, 1 down]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that names reduction 2, but it has 1}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<cascades = [2 wrt 0 = defer]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that gives tiles to 2 variables of its output, but that has 1}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<parallel = [8, 64]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that lets a block own 2 variables of its output, but that has 1}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<owned = 2>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that lets a block own variable 1 of its output, but that has 1}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<owned = [0, 1]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %s : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that lets a block own variable 70 of its output, but that has 2}}
  %y:2 = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<owned = [70]>) : (tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    fuse.yield %xk, %s : tensor<8x64xf32>, tensor<8xf32>
  }
  return %y#0, %y#1 : tensor<8x64xf32>, tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'fuse.kernel' op has a schedule that asks for 1 wrt 0 = rescale, but reduction 1 does not depend on reduction 0}}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<cascades = [1 wrt 0 = rescale]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x64xf32>
    %s = fuse.reduce sum %xk dims [1] : tensor<8x64xf32>
    %y = arith.divf %m, %s : tensor<8xf32>
    fuse.yield %y : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// exp(x - max) cannot wait for the maximum: it would be exp(x).
func.func @f(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{'fuse.kernel' op has a schedule that asks for 1 wrt 0 = defer, but it would be sequential}}
  // expected-note @+1 {{reduction 1 (sum over r64_0) has a loop of its own: }}
  %y = fuse.kernel @k(%xk = %x) schedule(#fuse.schedule<parallel = [8], sequential = [r64_0 = 16], cascades = [1 wrt 0 = defer]>) : (tensor<8x64xf32>) -> tensor<8xf32> {
    %m = fuse.reduce max %xk dims [1] : tensor<8x64xf32>
    %b = fuse.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x64xf32>
    %c = arith.subf %xk, %b : tensor<8x64xf32>
    %e = math.exp %c : tensor<8x64xf32>
    %l = fuse.reduce sum %e dims [1] : tensor<8x64xf32>
    fuse.yield %l : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8x64xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<8x64xf32>) {
  // expected-error @+1 {{'fuse.kernel' op results of one kernel share their leading dimensions, but dimension 0 of #0 is 4 and of #1 8}}
  %r:2 = fuse.kernel @k(%xk = %x, %yk = %y) schedule(#fuse.schedule<parallel = [8]>) : (tensor<8x64xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<8x64xf32>) {
    %s = arith.addf %xk, %xk : tensor<8x64xf32>
    %t = arith.addf %yk, %yk : tensor<4xf32>
    fuse.yield %t, %s : tensor<4xf32>, tensor<8x64xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<8x64xf32>
}
