// What the composites refuse, and how they say it.

// RUN: fuse-opt %s --verify-diagnostics --split-input-file

func.func @relu_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.relu' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values, but got 'tensor<4xi32>'}}
  %0 = fuse.relu %x : tensor<4xi32>
  return
}

// -----

// f8E4M3FN is for storage and for products.
func.func @sigmoid_f8(%x: tensor<4xf8E4M3FN>) {
  // expected-error @+1 {{'fuse.sigmoid' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values, but got 'tensor<4xf8E4M3FN>'}}
  %0 = fuse.sigmoid %x : tensor<4xf8E4M3FN>
  return
}

// -----

func.func @silu_scalar(%x: f32) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = fuse.silu %x : f32
  return
}

// -----

func.func @relu_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = fuse.relu %x : tensor<*xf32>
  return
}

// -----

func.func @relu_encoding(%x: tensor<4xf32, "layout">) {
  // expected-error @+1 {{operand #0 must be ranked tensor of bf16, f16, f32 or f64 values, but got 'tensor<4xf32, "layout">'}}
  %0 = fuse.relu %x : tensor<4xf32, "layout">
  return
}

// -----

func.func @relu_generic_types(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.relu' op failed to verify that all of {source, result} have same type}}
  %0 = "fuse.relu"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @gelu_form(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'erf' or 'tanh'}}
  %0 = fuse.gelu fast %x : tensor<4xf32>
  return
}

// -----

func.func @gelu_without_form(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'erf' or 'tanh'}}
  %0 = fuse.gelu %x : tensor<4xf32>
  return
}

// -----

func.func @gelu_generic_missing(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.gelu' op requires attribute 'form'}}
  %0 = "fuse.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @leaky_relu_integers(%x: tensor<4xi8>) {
  // expected-error @+1 {{'fuse.leaky_relu' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = fuse.leaky_relu %x alpha 0.01 : tensor<4xi8>
  return
}

// -----

func.func @leaky_relu_generic_alpha(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'alpha' failed to satisfy constraint: 64-bit float attribute}}
  %0 = "fuse.leaky_relu"(%x) <{alpha = 0.01 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scale_bools(%x: tensor<4xi1>) {
  // expected-error @+1 {{'fuse.scale' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = fuse.scale %x by 2.0 : tensor<4xi1>
  return
}

// -----

func.func @scale_generic_missing(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.scale' op requires attribute 'factor'}}
  %0 = "fuse.scale"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_order(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.clamp' op needs min <= max, but got 1.000000e+00 : f64 and -1.000000e+00 : f64}}
  %0 = fuse.clamp %x min 1.0 max -1.0 : tensor<4xf32>
  return
}

// -----

func.func @clamp_nan(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.clamp' op needs min <= max, but got 0x7FF8000000000000 : f64 and 1.000000e+00 : f64}}
  %0 = fuse.clamp %x min 0x7FF8000000000000 max 1.0 : tensor<4xf32>
  return
}

// -----

func.func @softmax_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.softmax' op normalises dimension 2 of a source of rank 2}}
  %0 = fuse.softmax %x dim 2 : tensor<4x8xf32>
  return
}

// -----

func.func @softmax_negative_dim(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = fuse.softmax %x dim -1 : tensor<4x8xf32>
  return
}

// -----

func.func @softmax_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.softmax' op normalises dimension 0 of a source of rank 0}}
  %0 = fuse.softmax %x dim 0 : tensor<f32>
  return
}

// -----

func.func @softmax_mask(%x: tensor<4x8xf32>, %m: tensor<4x?xi1>) {
  // expected-error @+1 {{'fuse.softmax' op has a mask of type 'tensor<4x?xi1>' for a source of type 'tensor<4x8xf32>', but both need one shape}}
  %0 = fuse.softmax %x dim 1 mask %m : tensor<4x8xf32>, tensor<4x?xi1>
  return
}

// -----

func.func @softmax_mask_element(%x: tensor<4x8xf32>, %m: tensor<4x8xi8>) {
  // expected-error @+1 {{'fuse.softmax' op operand #1 must be ranked tensor of i1 values, but got 'tensor<4x8xi8>'}}
  %0 = fuse.softmax %x dim 1 mask %m : tensor<4x8xf32>, tensor<4x8xi8>
  return
}

// -----

func.func @softmax_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.softmax' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = fuse.softmax %x dim 0 : tensor<4xi32>
  return
}

// -----

func.func @layer_norm_shift_alone(%x: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.layer_norm' op has a shift without a scale, but a shift needs one}}
  %0 = "fuse.layer_norm"(%x, %b) <{eps = 1.0e-5 : f64, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_shift_alone_in_words(%x: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{found a shift without a scale, but a shift needs one}}
  %0 = fuse.layer_norm %x shift %b eps 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @layer_norm_eps(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.layer_norm' op needs a finite eps of at least 0, but got -1.000000e-05}}
  %0 = fuse.layer_norm %x eps -1.0e-5 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_infinite_eps(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.layer_norm' op needs a finite eps of at least 0, but got}}
  %0 = fuse.layer_norm %x eps 0x7FF0000000000000 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'fuse.layer_norm' op needs a source with a last dimension, but got 'tensor<f32>'}}
  %0 = fuse.layer_norm %x eps 1.0e-5 : tensor<f32>
  return
}

// -----

func.func @layer_norm_scale(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.layer_norm' op has a scale of type 'tensor<4xf32>', but needs 'tensor<8xf32>'}}
  %0 = fuse.layer_norm %x scale %g eps 1.0e-5 : tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @layer_norm_shift(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf16>) {
  // expected-error @+1 {{'fuse.layer_norm' op has a shift of type 'tensor<8xf16>', but needs 'tensor<8xf32>'}}
  %0 = fuse.layer_norm %x scale %g shift %b eps 1.0e-5 : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf16>
  return
}

// -----

func.func @layer_norm_integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.layer_norm' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = fuse.layer_norm %x eps 1.0e-5 : tensor<4xi32>
  return
}

// -----

func.func @layer_norm_generic_segments(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{for op fuse.layer_norm: size mismatch in attribute conversion: 2 vs 3}}
  %0 = "fuse.layer_norm"(%x) <{eps = 1.0e-5 : f64, operandSegmentSizes = array<i32: 1, 0>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// An eps that is there for a row of equal numbers has to be more than 0 in the
// element type, and less than infinity.
func.func @layer_norm_vanishing_eps(%x: tensor<4x8xf16>) {
  // expected-error @+1 {{'fuse.layer_norm' op has eps 1.000000e-12, which 'f16' cannot represent}}
  %0 = fuse.layer_norm %x eps 1.0e-12 : tensor<4x8xf16>
  return
}

// -----

func.func @layer_norm_overflowing_eps(%x: tensor<4x8xf16>) {
  // expected-error @+1 {{'fuse.layer_norm' op has eps 6.552000e+04, which 'f16' cannot represent}}
  %0 = fuse.layer_norm %x eps 65520.0 : tensor<4x8xf16>
  return
}

// -----

func.func @rms_norm_vanishing_eps(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op has eps 1.000000e-46, which 'f32' cannot represent}}
  %0 = fuse.rms_norm %x eps 1.0e-46 : tensor<4x8xf32>
  return
}

// -----

func.func @rms_norm_overflowing_eps(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'fuse.rms_norm' op has eps 1.000000e+39, which 'bf16' cannot represent}}
  %0 = fuse.rms_norm %x eps 1.0e39 : tensor<4x8xbf16>
  return
}

// -----

func.func @rms_norm_eps(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op needs a finite eps of at least 0, but got -1.000000e+00}}
  %0 = fuse.rms_norm %x eps -1.0 : tensor<4x8xf32>
  return
}

// -----

func.func @rms_norm_scale(%x: tensor<4x?xf32>, %g: tensor<8xf32>) {
  // expected-error @+1 {{'fuse.rms_norm' op has a scale of type 'tensor<8xf32>', but needs 'tensor<?xf32>'}}
  %0 = fuse.rms_norm %x scale %g eps 0.0 : tensor<4x?xf32>, tensor<8xf32>
  return
}

// -----

func.func @rms_norm_f8(%x: tensor<4x8xf8E4M3FN>) {
  // expected-error @+1 {{'fuse.rms_norm' op operand #0 must be ranked tensor of bf16, f16, f32 or f64 values}}
  %0 = fuse.rms_norm %x eps 0.0 : tensor<4x8xf8E4M3FN>
  return
}

// -----

func.func @causal_mask_rank() {
  // expected-error @+1 {{'fuse.causal_mask' op needs a result with queries and keys, of rank 2 or more, but got 'tensor<8xi1>'}}
  %0 = fuse.causal_mask top_left : tensor<8xi1>
  return
}

// -----

func.func @causal_mask_sizes() {
  // expected-error @+1 {{'fuse.causal_mask' op has 0 sizes, but the result has 1 dynamic dimension that needs one}}
  %0 = fuse.causal_mask top_left : tensor<8x?xi1>
  return
}

// -----

func.func @causal_mask_window() {
  // expected-error @+1 {{attribute 'window' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = fuse.causal_mask top_left window 0 : tensor<8x8xi1>
  return
}

// -----

func.func @causal_mask_corner() {
  // expected-error @+2 {{expected ::fuse::Corner to be one of: top_left, bottom_right}}
  // expected-error @+1 {{failed to parse Fuse_CornerAttr}}
  %0 = fuse.causal_mask top_right : tensor<8x8xi1>
  return
}

// -----

func.func @causal_mask_element() {
  // expected-error @+1 {{'fuse.causal_mask' op result #0 must be ranked tensor of i1 values, but got 'tensor<8x8xi8>'}}
  %0 = fuse.causal_mask top_left : tensor<8x8xi8>
  return
}

// -----

func.func @padding_mask_rank(%n: tensor<4xi32>) {
  // expected-error @+1 {{'fuse.padding_mask' op needs a result with the dimensions of the count and one more, but got 'tensor<4xi1>' for 'tensor<4xi32>'}}
  %0 = fuse.padding_mask left %n : tensor<4xi32> -> tensor<4xi1>
  return
}

// -----

func.func @padding_mask_shape(%n: tensor<4xi32>) {
  // expected-error @+1 {{needs a result with the dimensions of the count and one more, but got 'tensor<5x8xi1>' for 'tensor<4xi32>'}}
  %0 = fuse.padding_mask left %n : tensor<4xi32> -> tensor<5x8xi1>
  return
}

// -----

func.func @padding_mask_sizes(%n: tensor<?xi32>, %size: index) {
  // expected-error @+1 {{'fuse.padding_mask' op has 1 size, but the result has 0 dynamic dimensions that need one}}
  %0 = fuse.padding_mask left %n sizes [%size] : tensor<?xi32> -> tensor<?x8xi1>
  return
}

// -----

func.func @padding_mask_side(%n: tensor<4xi32>) {
  // expected-error @+2 {{expected ::fuse::Side to be one of: left, right}}
  // expected-error @+1 {{failed to parse Fuse_SideAttr}}
  %0 = fuse.padding_mask top %n : tensor<4xi32> -> tensor<4x8xi1>
  return
}

// -----

func.func @padding_mask_count(%n: tensor<4xf32>) {
  // expected-error @+1 {{'fuse.padding_mask' op operand #0 must be ranked tensor of i8, i16, i32, i64 or index values, but got 'tensor<4xf32>'}}
  %0 = fuse.padding_mask left %n : tensor<4xf32> -> tensor<4x8xi1>
  return
}
