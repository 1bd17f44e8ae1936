// What the ops that move elements refuse, and how they say it.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

func.func @broadcast_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op has element type 'f32' in the source, but 'f16' in the result}}
  %0 = fuse.broadcast %x dims [1] : tensor<8xf32> -> tensor<4x8xf16>
  return
}

// -----

func.func @broadcast_count(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op has 2 dims for a source of rank 1}}
  %0 = fuse.broadcast %x dims [0, 1] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_dim(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op dims names dimension 2, but the result has rank 2}}
  %0 = fuse.broadcast %x dims [2] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_order(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op dims must increase, but has 0 behind 1}}
  %0 = fuse.broadcast %x dims [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op puts dimension 0 of the source, of size 8, into dimension 0 of the result, of size 4}}
  %0 = fuse.broadcast %x dims [0] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// A dimension of size 1 is not special.
func.func @broadcast_one(%x: tensor<1xf32>) {
  // expected-error @+1 {{puts dimension 0 of the source, of size 1, into dimension 1 of the result, of size 8}}
  %0 = fuse.broadcast %x dims [1] : tensor<1xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_missing_size(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op has 0 sizes, but the result has 1 dynamic dimension that needs one}}
  %0 = fuse.broadcast %x dims [1] : tensor<8xf32> -> tensor<?x8xf32>
  return
}

// -----

// What the source knows at run time needs no size.
func.func @broadcast_size_too_many(%x: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{'fuse.broadcast' op has 1 size, but the result has 0 dynamic dimensions that need one}}
  %0 = fuse.broadcast %x dims [1] sizes [%n] : tensor<?xf32> -> tensor<4x?xf32>
  return
}

// -----

func.func @broadcast_element(%x: tensor<8xi4>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN, bf16, f16, f32, f64, i1, i8, i16, i32, i64 or index values, but got 'tensor<8xi4>'}}
  %0 = fuse.broadcast %x dims [1] : tensor<8xi4> -> tensor<4x8xi4>
  return
}

// -----

func.func @broadcast_unranked_result(%x: tensor<8xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.broadcast %x dims [1] : tensor<8xf32> -> tensor<*xf32>
  return
}

// -----

func.func @broadcast_encoding(%x: tensor<8xf32>) {
  // expected-error @+1 {{result #0 must be ranked tensor of f8E4M3FN, bf16, f16, f32, f64, i1, i8, i16, i32, i64 or index values, but got 'tensor<4x8xf32, "layout">'}}
  %0 = fuse.broadcast %x dims [1] : tensor<8xf32> -> tensor<4x8xf32, "layout">
  return
}

// -----

func.func @broadcast_generic_missing(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.broadcast' op requires attribute 'dims'}}
  %0 = "fuse.broadcast"(%x) : (tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @transpose_count(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.transpose' op permutes 3 dimensions of a source of rank 2}}
  %0 = fuse.transpose %x [0, 1, 2] : tensor<4x8xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.transpose' op needs a permutation of the numbers from 0 to 1, but got [1, 1]}}
  %0 = fuse.transpose %x [1, 1] : tensor<4x8xf32>
  return
}

// -----

func.func @transpose_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.transpose' op needs a permutation of the numbers from 0 to 1, but got [0, -1]}}
  %0 = fuse.transpose %x [0, -1] : tensor<4x8xf32>
  return
}

// -----

func.func @transpose_element(%x: tensor<4x8xcomplex<f32>>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN}}
  %0 = fuse.transpose %x [1, 0] : tensor<4x8xcomplex<f32>>
  return
}

// -----

func.func @transpose_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.transpose %x [1, 0] : tensor<*xf32>
  return
}

// -----

func.func @transpose_generic_result(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fuse.transpose' op failed to infer returned types}}
  // expected-error @+1 {{'fuse.transpose' op inferred type(s) 'tensor<8x4xf32>' are incompatible with return type(s) of operation 'tensor<4x8xf32>'}}
  %0 = "fuse.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_ranges(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.slice' op has 1 range for a source of rank 2}}
  %0 = fuse.slice %x[:] : tensor<4x8xf32>
  return
}

// -----

func.func @slice_step(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.slice' op has step 0 in dimension 0, but a step must be at least 1}}
  %0 = fuse.slice %x[::0] : tensor<8xf32>
  return
}

// -----

func.func @slice_backwards(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.slice' op has step -1 in dimension 0, but a step must be at least 1}}
  %0 = fuse.slice %x[::-1] : tensor<8xf32>
  return
}

// -----

func.func @slice_negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.slice' op takes -2:8 of dimension 0, but needs 0 <= start <= stop}}
  %0 = fuse.slice %x[-2:] : tensor<8xf32>
  return
}

// -----

func.func @slice_order(%x: tensor<?xf32>) {
  // expected-error @+1 {{'fuse.slice' op takes 5:4 of dimension 0, but needs 0 <= start <= stop}}
  %0 = fuse.slice %x[5:4] : tensor<?xf32>
  return
}

// -----

func.func @slice_stop(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.slice' op takes 0:9 of dimension 1, which has size 8}}
  %0 = fuse.slice %x[:, :9] : tensor<4x8xf32>
  return
}

// -----

func.func @slice_start(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.slice' op takes 9:8 of dimension 0, which has size 8}}
  %0 = fuse.slice %x[9:] : tensor<8xf32>
  return
}

// -----

func.func @slice_no_range(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a range 'start:stop:step'}}
  %0 = fuse.slice %x[5] : tensor<8xf32>
  return
}

// -----

func.func @slice_missing_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a range 'start:stop:step'}}
  %0 = fuse.slice %x[:, ] : tensor<4x8xf32>
  return
}

// -----

func.func @slice_missing_step(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected integer value}}
  %0 = fuse.slice %x[0:4:] : tensor<8xf32>
  return
}

// -----

func.func @slice_too_large(%x: tensor<?xf32>) {
  // expected-error @+1 {{integer value too large}}
  %0 = fuse.slice %x[:9223372036854775808] : tensor<?xf32>
  return
}

// -----

func.func @slice_generic_counts(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fuse.slice' op has 2 ranges for a source of rank 2}}
  // expected-error @+1 {{'fuse.slice' op failed to infer returned types}}
  %0 = "fuse.slice"(%x) <{starts = array<i64: 0, 0>, stops = array<i64: 1>, steps = array<i64: 1, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.slice %x[:] : tensor<*xf32>
  return
}

// -----

func.func @expand_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension 2 of a source of rank 2}}
  %0 = fuse.expand %x dim 2 into [2, 4] : tensor<4x8xf32>
  return
}

// -----

func.func @expand_negative_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension -1 of a source of rank 2}}
  %0 = fuse.expand %x dim -1 into [2, 4] : tensor<4x8xf32>
  return
}

// -----

func.func @expand_missing_sizes(%x: tensor<?xf32>) {
  // expected-error @+1 {{'fuse.expand' op has 2 dynamic factors, but 0 sizes}}
  %0 = fuse.expand %x dim 0 into [?, ?] : tensor<?xf32>
  return
}

// -----

func.func @expand_too_many_sizes(%x: tensor<?xf32>, %n: index) {
  // expected-error @+1 {{'fuse.expand' op has 1 dynamic factors, but 2 sizes}}
  %0 = fuse.expand %x dim 0 into [?, 2] sizes [%n, %n] : tensor<?xf32>
  return
}

// -----

func.func @expand_negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.expand' op has a negative factor, -2}}
  %0 = fuse.expand %x dim 0 into [-2, -4] : tensor<8xf32>
  return
}

// -----

func.func @expand_overflow(%x: tensor<?xf32>) {
  // expected-error @+1 {{'fuse.expand' op has factors whose product exceeds 64 bits}}
  %0 = fuse.expand %x dim 0 into [4294967296, 4294967296] : tensor<?xf32>
  return
}

// -----

// Where a factor is 0 the product is, however large the others are.
func.func @expand_zero_product(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension 0, of size 8, into factors of product 0}}
  %0 = fuse.expand %x dim 0 into [9223372036854775807, 9223372036854775807, 0] : tensor<8xf32>
  return
}

// -----

func.func @expand_product(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension 0, of size 8, into factors of product 6}}
  %0 = fuse.expand %x dim 0 into [2, 3] : tensor<8xf32>
  return
}

// -----

func.func @expand_into_nothing(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension 0, of size 8, into factors of product 1}}
  %0 = fuse.expand %x dim 0 into [] : tensor<8xf32>
  return
}

// -----

func.func @expand_divide(%x: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.expand' op expands dimension 0, of size 8, which the factors' product 3 does not divide}}
  %0 = fuse.expand %x dim 0 into [?, 3] : tensor<8xf32>
  return
}

// -----

func.func @expand_zero(%x: tensor<0xf32>) {
  // expected-error @+1 {{'fuse.expand' op has a factor to compute beside a factor 0, but any number would do; give its size}}
  %0 = fuse.expand %x dim 0 into [?, 0] : tensor<0xf32>
  return
}

// -----

func.func @expand_no_factor(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a factor or '?'}}
  %0 = fuse.expand %x dim 0 into [2, x] : tensor<8xf32>
  return
}

// -----

func.func @collapse_nothing(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.collapse' op collapses no dimension, but needs at least one}}
  %0 = fuse.collapse %x dims [] : tensor<4x8xf32>
  return
}

// -----

func.func @collapse_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.collapse' op dims names dimension 2, but the source has rank 2}}
  %0 = fuse.collapse %x dims [1, 2] : tensor<4x8xf32>
  return
}

// -----

func.func @collapse_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.collapse' op dims must increase, but has 0 behind 1}}
  %0 = fuse.collapse %x dims [1, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @collapse_apart(%x: tensor<4x8x2xf32>) {
  // expected-error @+1 {{'fuse.collapse' op collapses dimensions [0, 2], which are not neighbours}}
  %0 = fuse.collapse %x dims [0, 2] : tensor<4x8x2xf32>
  return
}

// -----

func.func @collapse_overflow(%x: tensor<4294967296x4294967296xi8>) {
  // expected-error @+1 {{'fuse.collapse' op collapses dimensions whose product exceeds 64 bits}}
  %0 = fuse.collapse %x dims [0, 1] : tensor<4294967296x4294967296xi8>
  return
}

// -----

func.func @collapse_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.collapse' op dims names dimension 0, but the source has rank 0}}
  %0 = fuse.collapse %x dims [0] : tensor<f32>
  return
}

// -----

func.func @concat_nothing() {
  // expected-error @+2 {{'fuse.concat' op joins nothing, but needs at least one source}}
  // expected-error @+1 {{'fuse.concat' op failed to infer returned types}}
  %0 = "fuse.concat"() <{dim = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @concat_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.concat' op joins along dimension 1 sources of rank 1}}
  %0 = fuse.concat %x dim 1 : tensor<4xf32>
  return
}

// -----

func.func @concat_elements(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'fuse.concat' op joins 'f32' and 'f16' elements}}
  %0 = fuse.concat %x, %y dim 0 : tensor<4xf32>, tensor<4xf16>
  return
}

// -----

func.func @concat_ranks(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error @+1 {{'fuse.concat' op joins a source of rank 1 and one of rank 2}}
  %0 = fuse.concat %x, %y dim 0 : tensor<4xf32>, tensor<4x1xf32>
  return
}

// -----

// The size that an earlier source alone knows counts.
func.func @concat_sizes(%x: tensor<4x?xf32>, %y: tensor<4x3xf32>, %z: tensor<4x2xf32>) {
  // expected-error @+1 {{'fuse.concat' op joins along dimension 0 sources whose dimension 1 has sizes 3 and 2}}
  %0 = fuse.concat %x, %y, %z dim 0 : tensor<4x?xf32>, tensor<4x3xf32>, tensor<4x2xf32>
  return
}

// -----

func.func @concat_overflow(%x: tensor<9223372036854775807xi1>, %y: tensor<1xi1>) {
  // expected-error @+1 {{'fuse.concat' op joins dimensions whose sum exceeds 64 bits}}
  %0 = fuse.concat %x, %y dim 0 : tensor<9223372036854775807xi1>, tensor<1xi1>
  return
}

// -----

func.func @concat_unranked(%x: tensor<4xf32>, %y: tensor<*xf32>) {
  // expected-error @+1 {{'fuse.concat' op needs a ranked tensor, but got 'tensor<*xf32>'}}
  %0 = fuse.concat %x, %y dim 0 : tensor<4xf32>, tensor<*xf32>
  return
}

// -----

func.func @concat_vectors(%x: vector<4xf32>) {
  // expected-error @+1 {{'fuse.concat' op needs a ranked tensor, but got 'vector<4xf32>'}}
  %0 = fuse.concat %x dim 0 : vector<4xf32>
  return
}

// -----

func.func @concat_generic_missing(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.concat' op requires attribute 'dim'}}
  %0 = "fuse.concat"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concat_generic_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{Invalid attribute `dim` in property conversion: "first"}}
  %0 = "fuse.concat"(%x) <{dim = "first"}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @iota_dim() {
  // expected-error @+1 {{'fuse.iota' op counts along dimension 1 of a result of rank 1}}
  %0 = fuse.iota dim 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_scalar() {
  // expected-error @+1 {{'fuse.iota' op counts along dimension 0 of a result of rank 0}}
  %0 = fuse.iota dim 0 : tensor<i32>
  return
}

// -----

func.func @iota_negative_dim() {
  // expected-error @+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = fuse.iota dim -1 : tensor<4xi32>
  return
}

// -----

func.func @iota_sizes(%n: index) {
  // expected-error @+1 {{'fuse.iota' op has 1 size, but the result has 2 dynamic dimensions that need one}}
  %0 = fuse.iota dim 0 sizes [%n] : tensor<?x?xi32>
  return
}

// -----

func.func @iota_bools() {
  // expected-error @+1 {{result #0 must be ranked tensor of bf16, f16, f32, f64, i8, i16, i32, i64 or index values, but got 'tensor<4xi1>'}}
  %0 = fuse.iota dim 0 : tensor<4xi1>
  return
}

// -----

func.func @iota_generic_dim() {
  // expected-error @+1 {{attribute 'dim' failed to satisfy constraint}}
  %0 = "fuse.iota"() <{dim = 0 : i32}> : () -> tensor<4xi32>
  return
}

// -----

func.func @gather_scalar(%x: tensor<f32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.gather' op looks up rows of a source of rank 0, but needs at least 1}}
  %0 = fuse.gather %x[%i] : tensor<f32>, tensor<4xi32>
  return
}

// -----

func.func @gather_float(%x: tensor<4xf32>, %i: tensor<4xf32>) {
  // expected-error @+1 {{operand #1 must be ranked tensor of i8, i16, i32, i64 or index values, but got 'tensor<4xf32>'}}
  %0 = fuse.gather %x[%i] : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @gather_element(%x: tensor<4xui8>, %i: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of f8E4M3FN}}
  %0 = fuse.gather %x[%i] : tensor<4xui8>, tensor<4xi32>
  return
}
