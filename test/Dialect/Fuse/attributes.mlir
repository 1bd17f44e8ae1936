// The numbers of a fill are printed so that they are read back as they were.

// RUN: fuse-opt %s --verify-roundtrip | FileCheck %s

// CHECK: @fractions{{.*}}<uniform, -0.5, 0.5>
func.func private @fractions(tensor<f32> {fuse.fill = #fuse.fill<uniform, -0.5, 0.5>})

// Whole numbers have no point, as long as a double holds every one of them.
// CHECK: @whole{{.*}}<uniform, -9007199254740991, 9007199254740991>
func.func private @whole(tensor<f32> {fuse.fill = #fuse.fill<uniform, -9007199254740991.0, 9007199254740991>})

// CHECK: @large{{.*}}<uniform, {{.+}}, {{.+}}>
func.func private @large(tensor<f32> {fuse.fill = #fuse.fill<uniform, -9223372036854775808, 9007199254740993>})

// CHECK: @largest{{.*}}<normal, 1.7976931348623157E+308, 0>
func.func private @largest(tensor<f32> {fuse.fill = #fuse.fill<normal, 1.7976931348623157e+308, 0>})

// CHECK: @precise{{.*}}<normal, 0.30000000000000004, 4.9{{.*}}E-324>
func.func private @precise(tensor<f32> {fuse.fill = #fuse.fill<normal, 0.30000000000000004, 4.9e-324>})

// An argument and a result may have one name.
// CHECK: @names(tensor<f32> {fuse.name = "x"}) -> (tensor<f32> {fuse.name = "x"}, tensor<f32> {fuse.name = "y_2"})
func.func private @names(tensor<f32> {fuse.name = "x"}) -> (tensor<f32> {fuse.name = "x"}, tensor<f32> {fuse.name = "y_2"})
