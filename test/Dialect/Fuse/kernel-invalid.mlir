// What a kernel may not be.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

func.func @no_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.kernel' op has no result, but a kernel is run for its results}}
  fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> () {
    fuse.yield
  }
  return
}

// -----

func.func @name(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op has the name '2 go', but a name is letters, digits and '_' with no digit in front}}
  %y = fuse.kernel @"2 go"(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @two_names(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the other kernel is here}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  %z = arith.addf %y, %y : tensor<4xf32>
  // expected-error @+1 {{'fuse.kernel' op has the name @k, which another kernel has already}}
  %w = fuse.kernel @k(%a = %z) : (tensor<4xf32>) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  return %w : tensor<4xf32>
}

// -----

func.func @operand_type(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op operand #1 must be variadic of ranked tensor of f8E4M3FN, bf16, f16, f32, f64, i1, i8, i16, i32, i64 or index values or index, but got 'f32'}}
  %y = fuse.kernel @k(%a = %x, %b = %s) : (tensor<4xf32>, f32) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected one type for each of 1 operand, but found 2}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @schedule_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %y = fuse.kernel @k(%a = %x) schedule(#fuse.fill<constant, 1, 1>) : (tensor<4xf32>) -> tensor<4xf32> {
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @number_of_yields(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op has results of number 1, but yields 2}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-note @+1 {{they are yielded here}}
    fuse.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @type_of_yield(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'fuse.kernel' op has result #0 of type 'tensor<5xf32>', but yields 'tensor<4xf32>'}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<5xf32> {
    // expected-note @+1 {{it is yielded here}}
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<5xf32>
}

// -----

func.func @no_yield(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op ends with 'llvm.unreachable', but needs a 'fuse.yield'}}
  %y = "fuse.kernel"(%x) <{name = "k"}> ({
  ^bb0(%a: tensor<4xf32>):
    "llvm.unreachable"() : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @number_of_arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fuse.kernel' op has operands of number 2, but arguments of its body of number 1}}
  %y = "fuse.kernel"(%x, %x) <{name = "k"}> ({
  ^bb0(%a: tensor<4xf32>):
    fuse.yield %a : tensor<4xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @type_of_argument(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{'fuse.kernel' op has operand #0 of type 'tensor<4xf32>', but its body has an argument of type 'tensor<5xf32>'}}
  %y = "fuse.kernel"(%x) <{name = "k"}> ({
  ^bb0(%a: tensor<5xf32>):
    fuse.yield %a : tensor<5xf32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

func.func @outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = fuse.kernel @k() : () -> tensor<4xf32> {
    // expected-error @+1 {{use of undeclared SSA value name}}
    fuse.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the kernel is here}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'fuse.relu' op is a composite, which must be decomposed before it can stand in a kernel}}
    %r = fuse.relu %a : tensor<4xf32>
    fuse.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the kernel is here}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'fuse.kernel' op stands in another kernel, but kernels cannot be nested}}
    %z = fuse.kernel @l(%b = %a) : (tensor<4xf32>) -> tensor<4xf32> {
      fuse.yield %b : tensor<4xf32>
    }
    fuse.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the kernel is here}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'tensor.empty' op cannot stand in a kernel, which holds plain ops of a graph only}}
    %e = tensor.empty() : tensor<4xf32>
    fuse.yield %e : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @vector(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{the kernel is here}}
  %y = fuse.kernel @k(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{'arith.constant' op has a value of type 'vector<4xf32>', but a kernel works on ranked tensors and scalars of integers, floats and index}}
    %v = arith.constant dense<1.0> : vector<4xf32>
    fuse.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @yield_outside(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.yield' op expects parent op 'fuse.kernel'}}
  fuse.yield %x : tensor<4xf32>
}
