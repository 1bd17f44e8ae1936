// What matmul, linear and reduce refuse, and how they say it.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

func.func @matmul_ranks(%a: tensor<4x8xf32>, %b: tensor<2x8x2xf32>) {
  // expected-error @+1 {{'fuse.matmul' op needs operands and a result of one rank, at least 2, but got ranks 2, 3 and 2}}
  %0 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<2x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_of_vectors(%a: tensor<8xf32>) {
  // expected-error @+1 {{needs operands and a result of one rank, at least 2, but got ranks 1, 1 and 1}}
  %0 = fuse.matmul %a, %a : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @matmul_two_types(%a: tensor<4x8xf32>, %b: tensor<8x2xf16>) {
  // expected-error @+1 {{'fuse.matmul' op multiplies 'f32' by 'f16', but both sides need one element type}}
  %0 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf16> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_narrow_sum(%a: tensor<4x4xf64>) {
  // expected-error @+1 {{'fuse.matmul' op accumulates f64 operands in 'f32', but needs an f64 result}}
  %0 = fuse.matmul %a, %a : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_half_sum(%a: tensor<4x4xf16>) {
  // expected-error @+1 {{result #0 must be ranked tensor of f32 or f64 values, but got 'tensor<4x4xf16>'}}
  %0 = fuse.matmul %a, %a : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  return
}

// -----

func.func @matmul_of_integers(%a: tensor<4x4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN, bf16, f16, f32 or f64 values, but got 'tensor<4x4xi32>'}}
  %0 = fuse.matmul %a, %a : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_tf32_of_bf16(%a: tensor<4x4xbf16>) {
  // expected-error @+1 {{'fuse.matmul' op has precision tf32, which needs f32 operands and an f32 result, but got 'bf16' and 'f32'}}
  %0 = fuse.matmul %a, %a precision tf32 : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_tf32x3_to_f64(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{has precision tf32x3, which needs f32 operands and an f32 result, but got 'f32' and 'f64'}}
  %0 = fuse.matmul %a, %a precision tf32x3 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf64>
  return
}

// -----

func.func @matmul_unknown_precision(%a: tensor<4x4xf32>) {
  // expected-error @+2 {{expected ::fuse::Precision to be one of: ieee, tf32, tf32x3}}
  // expected-error @+1 {{failed to parse Fuse_PrecisionAttr}}
  %0 = fuse.matmul %a, %a precision fast : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_batches(%a: tensor<?x3x4x8xf32>, %b: tensor<?x2x8x2xf32>) {
  // expected-error @+1 {{'fuse.matmul' op has batch dimension 1 of size 3 in lhs, but 2 in rhs}}
  %0 = fuse.matmul %a, %b : tensor<?x3x4x8xf32>, tensor<?x2x8x2xf32> -> tensor<?x3x4x2xf32>
  return
}

// -----

// No implicit broadcast, not even of a batch of one.
func.func @matmul_batch_of_one(%a: tensor<3x4x8xf32>, %b: tensor<1x8x2xf32>) {
  // expected-error @+1 {{has batch dimension 0 of size 3 in lhs, but 1 in rhs}}
  %0 = fuse.matmul %a, %b : tensor<3x4x8xf32>, tensor<1x8x2xf32> -> tensor<3x4x2xf32>
  return
}

// -----

// The size that one operand alone knows counts.
func.func @matmul_batch_of_result(%a: tensor<?x4x8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error @+1 {{'fuse.matmul' op has batch dimension 0 of size 3, but the result has 2}}
  %0 = fuse.matmul %a, %b : tensor<?x4x8xf32>, tensor<3x8x2xf32> -> tensor<2x4x2xf32>
  return
}

// -----

// expected-note @+1 {{rhs comes from here}}
func.func @matmul_contracted(%a: tensor<4x8xf32>, %b: tensor<9x2xf32>) {
  // expected-error @+1 {{'fuse.matmul' op contracts 8 columns of lhs with 9 rows of rhs}}
  %0 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<9x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @matmul_result(%a: tensor<4x8xf32>, %b: tensor<8x?xf32>) {
  // expected-error @+1 {{'fuse.matmul' op gives 4 rows and ? columns, but the result has 5 and 2}}
  %0 = fuse.matmul %a, %b : tensor<4x8xf32>, tensor<8x?xf32> -> tensor<5x2xf32>
  return
}

// -----

func.func @matmul_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.matmul %a, %a : tensor<*xf32>, tensor<*xf32> -> tensor<4x4xf32>
  return
}

// -----

// Layouts belong to later stages.
func.func @matmul_encoding(%a: tensor<4x4xf32, "layout">) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN, bf16, f16, f32 or f64 values, but got 'tensor<4x4xf32, "layout">'}}
  %0 = fuse.matmul %a, %a : tensor<4x4xf32, "layout">, tensor<4x4xf32, "layout"> -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_generic_precision(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{Invalid attribute `precision` in property conversion: "tf32"}}
  %0 = "fuse.matmul"(%a, %a) <{precision = "tf32"}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_generic_operands(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'fuse.matmul' op expected 2 operands, but found 1}}
  %0 = "fuse.matmul"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @linear_ranks(%x: tensor<4x8xf32>, %w: tensor<1x8x2xf32>) {
  // expected-error @+1 {{'fuse.linear' op needs a source of rank 1 or more and a weight of rank 2, but got ranks 2 and 3}}
  %0 = fuse.linear %x, %w : tensor<4x8xf32>, tensor<1x8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_scalar(%x: tensor<f32>, %w: tensor<8x2xf32>) {
  // expected-error @+1 {{needs a source of rank 1 or more and a weight of rank 2, but got ranks 0 and 2}}
  %0 = fuse.linear %x, %w : tensor<f32>, tensor<8x2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @linear_two_types(%x: tensor<4x8xf16>, %w: tensor<8x2xbf16>) {
  // expected-error @+1 {{'fuse.linear' op multiplies 'f16' by 'bf16', but both sides need one element type}}
  %0 = fuse.linear %x, %w : tensor<4x8xf16>, tensor<8x2xbf16> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_narrow_sum(%x: tensor<4x8xf64>, %w: tensor<8x2xf64>) {
  // expected-error @+1 {{'fuse.linear' op accumulates f64 operands in 'f32', but needs an f64 result}}
  %0 = fuse.linear %x, %w : tensor<4x8xf64>, tensor<8x2xf64> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_precision(%x: tensor<4x8xf16>, %w: tensor<8x2xf16>) {
  // expected-error @+1 {{'fuse.linear' op has precision tf32, which needs f32 operands}}
  %0 = fuse.linear %x, %w precision tf32 : tensor<4x8xf16>, tensor<8x2xf16> -> tensor<4x2xf32>
  return
}

// -----

// expected-note @+1 {{the weight comes from here}}
func.func @linear_contracted(%x: tensor<4x8xf32>, %w: tensor<9x2xf32>) {
  // expected-error @+1 {{'fuse.linear' op contracts 8 columns of the source with 9 rows of the weight}}
  %0 = fuse.linear %x, %w : tensor<4x8xf32>, tensor<9x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_result(%x: tensor<4x?x8xf32>, %w: tensor<8x2xf32>) {
  // expected-error @+1 {{'fuse.linear' op gives 'tensor<4x?x2xf32>', but the result is 'tensor<4x2xf32>'}}
  %0 = fuse.linear %x, %w : tensor<4x?x8xf32>, tensor<8x2xf32> -> tensor<4x2xf32>
  return
}

// -----

// All rows are one dimension of a product.
func.func @linear_rows(%x: tensor<4294967296x4294967296x1xf32>, %w: tensor<1x1xf32>) {
  // expected-error @+1 {{'fuse.linear' op has more rows than 64 bits can count}}
  %0 = fuse.linear %x, %w : tensor<4294967296x4294967296x1xf32>, tensor<1x1xf32> -> tensor<4294967296x4294967296x1xf32>
  return
}

// -----

func.func @linear_rows_of_result(%x: tensor<?x?x1xf32>, %w: tensor<1x1xf32>) {
  // expected-error @+1 {{'fuse.linear' op has more rows than 64 bits can count}}
  %0 = fuse.linear %x, %w : tensor<?x?x1xf32>, tensor<1x1xf32> -> tensor<4294967296x4294967296x1xf32>
  return
}

// -----

func.func @linear_bias_size(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'fuse.linear' op has a bias of type 'tensor<3xf32>', but needs 'tensor<2xf32>'}}
  %0 = fuse.linear %x, %w bias %b : tensor<4x8xf32>, tensor<8x2xf32>, tensor<3xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_bias_rank(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<1x2xf32>) {
  // expected-error @+1 {{has a bias of type 'tensor<1x2xf32>', but needs 'tensor<2xf32>'}}
  %0 = fuse.linear %x, %w bias %b : tensor<4x8xf32>, tensor<8x2xf32>, tensor<1x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_bias_type(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf64>) {
  // expected-error @+1 {{has a bias of type 'tensor<2xf64>', but needs 'tensor<2xf32>'}}
  %0 = fuse.linear %x, %w bias %b : tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf64> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_half_bias(%x: tensor<4x8xf16>, %w: tensor<8x2xf16>, %b: tensor<2xf16>) {
  // expected-error @+1 {{operand #2 must be ranked tensor of f32 or f64 values, but got 'tensor<2xf16>'}}
  %0 = fuse.linear %x, %w bias %b : tensor<4x8xf16>, tensor<8x2xf16>, tensor<2xf16> -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_integers(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN, bf16, f16, f32 or f64 values, but got 'tensor<4x8xi8>'}}
  %0 = fuse.linear %x, %w : tensor<4x8xi8>, tensor<8x2xi8> -> tensor<4x2xf32>
  return
}

// -----

func.func @reduce_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reduce' op dims names dimension 2, but the source has rank 2}}
  %0 = fuse.reduce sum %x dims [2] : tensor<4x8xf32>
  return
}

// -----

func.func @reduce_negative_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reduce' op dims names dimension -1, but the source has rank 2}}
  %0 = fuse.reduce sum %x dims [-1] : tensor<4x8xf32>
  return
}

// -----

func.func @reduce_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reduce' op dims must increase, but has 0 behind 1}}
  %0 = fuse.reduce sum %x dims [1, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @reduce_twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reduce' op dims must increase, but has 1 behind 1}}
  %0 = fuse.reduce sum %x dims [1, 1] : tensor<4x8xf32>
  return
}

// -----

func.func @reduce_mean_of_integers(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{'fuse.reduce' op takes the mean of 'i32' elements, but a mean needs floats}}
  %0 = fuse.reduce mean %x dims [1] : tensor<4x8xi32>
  return
}

// -----

func.func @reduce_bools(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of bf16, f16, f32, f64, i8, i16, i32, i64 or index values, but got 'tensor<4x8xi1>'}}
  %0 = fuse.reduce sum %x dims [1] : tensor<4x8xi1>
  return
}

// -----

// f8E4M3FN is for storage and for products.
func.func @reduce_f8(%x: tensor<4x8xf8E4M3FN>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of bf16, f16, f32, f64, i8, i16, i32, i64 or index values}}
  %0 = fuse.reduce max %x dims [1] : tensor<4x8xf8E4M3FN>
  return
}

// -----

func.func @reduce_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.reduce sum %x dims [0] : tensor<*xf32>
  return
}

// -----

func.func @reduce_generic_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{'fuse.reduce' op operand #0 must be ranked tensor}}
  %0 = "fuse.reduce"(%x) <{dims = array<i64: 0>, kind = #fuse<combine sum>}> : (tensor<*xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_encoding(%x: tensor<4x8xf32, "layout">) {
  // expected-error @+1 {{operand #0 must be ranked tensor of bf16}}
  %0 = fuse.reduce sum %x dims [1] : tensor<4x8xf32, "layout">
  return
}

// -----

func.func @reduce_kind(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{expected ::fuse::CombineKind to be one of: sum, max, min, prod, mean}}
  // expected-error @+1 {{failed to parse Fuse_CombineKindAttr}}
  %0 = fuse.reduce median %x dims [1] : tensor<4x8xf32>
  return
}

// -----

func.func @reduce_generic_missing(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.reduce' op requires attribute 'kind'}}
  %0 = "fuse.reduce"(%x) <{dims = array<i64: 0>}> : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_generic_wrong(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{Invalid attribute `dims` in property conversion: array<i32: 0>}}
  %0 = "fuse.reduce"(%x) <{dims = array<i32: 0>, kind = #fuse<combine sum>}> : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_generic_result(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fuse.reduce' op failed to infer returned types}}
  // expected-error @+1 {{'fuse.reduce' op inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = "fuse.reduce"(%x) <{dims = array<i64: 0>, kind = #fuse<combine sum>}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}
