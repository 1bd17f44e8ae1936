// What the attributes of arguments may not be, and where they may not stand.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

// expected-error @+1 {{the lower bound 1.000000e+00 of a fill is above the upper bound -1.000000e+00}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<uniform, 1, -1>})

// -----

// expected-error @+1 {{the bounds -1.700000e+308 and 1.700000e+308 of a fill differ by more than a double can hold}}
func.func private @f(tensor<f64> {fuse.fill = #fuse.fill<uniform, -1.7e308, 1.7e308>})

// -----

// expected-error @+1 {{the lower bound 3.000000e+00 of a fill is above the upper bound 2.000000e+00}}
func.func private @f(tensor<i32> {fuse.fill = #fuse.fill<integers, 3, 2>})

// -----

// expected-error @+1 {{a fill of integers needs whole numbers, but has 0.000000e+00 and 2.500000e+00}}
func.func private @f(tensor<i32> {fuse.fill = #fuse.fill<integers, 0, 2.5>})

// -----

// expected-error @+1 {{the standard deviation of a fill is -1.000000e+00, but must not be negative}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<normal, 0, -1>})

// -----

// expected-error @+1 {{a constant fill gives its number twice, but 4.000000e+00 and 5.000000e+00 differ}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<constant, 4, 5>})

// -----

// expected-error @+1 {{a fill needs finite numbers, but has 0.000000e+00 and}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<uniform, 0, 1.0e400>})

// -----

// expected-error @+2 {{expected ::fuse::FillKind to be one of: uniform, normal, integers, constant}}
// expected-error @+1 {{failed to parse Fuse_FillAttr parameter 'kind'}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<poisson, 0, 1>})

// -----

// expected-error @+1 {{expected ','}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fill<uniform, 0>})

// -----

// expected-error @+1 {{'func.func' op 'fuse.fill' of argument #0 must be a '#fuse.fill' attribute, but is "uniform"}}
func.func private @f(tensor<f32> {fuse.fill = "uniform"})

// -----

// expected-error @+1 {{'func.func' op has unknown attribute 'fuse.nmae' on argument #1; 'fuse.name', 'fuse.fill' and 'fuse.size_hints' are known}}
func.func private @f(tensor<f32>, tensor<f32> {fuse.nmae = "x"})

// -----

// expected-error @+1 {{'func.func' op 'fuse.name' of argument #0 must be letters, digits and '_' with no digit in front, but is "../x"}}
func.func private @f(tensor<f32> {fuse.name = "../x"})

// -----

// expected-error @+1 {{must be letters, digits and '_' with no digit in front, but is "2x"}}
func.func private @f(tensor<f32> {fuse.name = "2x"})

// -----

// expected-error @+1 {{must be letters, digits and '_' with no digit in front, but is ""}}
func.func private @f(tensor<f32> {fuse.name = ""})

// -----

// expected-error @+1 {{must be letters, digits and '_' with no digit in front, but is 5 : i64}}
func.func private @f(tensor<f32> {fuse.name = 5})

// -----

// expected-error @+1 {{'func.func' op names both argument #0 and argument #2 "x"}}
func.func private @f(tensor<f32> {fuse.name = "x"}, tensor<f32>, tensor<f32> {fuse.name = "x"})

// -----

// expected-error @+1 {{'func.func' op has attribute 'fuse.name', but the fuse dialect only knows attributes of arguments}}
func.func private @f(tensor<f32>) attributes {fuse.name = "f"}

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.relu' op has attribute 'fuse.fast', but the fuse dialect only knows attributes of arguments}}
  %0 = fuse.relu %x {fuse.fast} : tensor<f32>
  return
}

// -----

// expected-error @+1 {{only knows attributes of arguments}}
module attributes {fuse.target = "cpu"} {
}

// -----

// Data are made for arguments only.
// expected-error @+1 {{'func.func' op has unknown attribute 'fuse.fill' on result #1; 'fuse.name' is known}}
func.func private @f() -> (tensor<f32>, tensor<f32> {fuse.fill = #fuse.fill<constant, 1, 1>})

// -----

// expected-error @+1 {{'func.func' op 'fuse.name' of result #0 must be letters, digits and '_' with no digit in front, but is "a/b"}}
func.func private @f() -> (tensor<f32> {fuse.name = "a/b"})

// -----

// expected-error @+1 {{'func.func' op 'fuse.name' of result #0 must be letters, digits and '_' with no digit in front, but is 3 : i64}}
func.func private @f() -> (tensor<f32> {fuse.name = 3})

// -----

// expected-error @+1 {{'func.func' op names both result #0 and result #2 "y"}}
func.func private @f() -> (tensor<f32> {fuse.name = "y"}, tensor<f32>, tensor<f32> {fuse.name = "y"})

// -----

// expected-error @+1 {{unknown attribute `fil` in dialect `fuse`}}
func.func private @f(tensor<f32> {fuse.fill = #fuse.fil<uniform, 0, 1>})

// -----

func.func @f(%x: tensor<f32>) {
  // expected-error @+1 {{fuse.frobnicate}}
  %0 = fuse.frobnicate %x : tensor<f32>
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' of argument #0 must be a size for each dimension of a tensor, but is array<i64: 4>}}
func.func @f(%x: tensor<?x?xf32> {fuse.size_hints = array<i64: 4>}) {
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' of argument #0 must be a size for each dimension of a tensor, but is array<i64: -1>}}
func.func @f(%x: tensor<?xf32> {fuse.size_hints = array<i64: -1>}) {
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' of argument #0 must be a size for each dimension of a tensor, but is 4 : i64}}
func.func @f(%x: tensor<?xf32> {fuse.size_hints = 4}) {
  return
}

// -----

// expected-error @+1 {{'fuse.size_hints' of argument #0 must have the sizes that 'tensor<?x8xf32>' says, but is array<i64: 4, 9>}}
func.func @f(%x: tensor<?x8xf32> {fuse.size_hints = array<i64: 4, 9>}) {
  return
}
