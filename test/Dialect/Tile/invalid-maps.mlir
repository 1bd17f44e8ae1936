// What the copy engine is told of a memory, and is none that there can be.

// RUN: fuse-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has 2 dimensions, but 3 steps}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 16], swizzle = 64, dims = [0, 1], steps = [8, 1, 1]>}

// -----

// expected-error @+1 {{has 3 dimensions, but a box of 2}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 16], swizzle = 64, dims = [0, 0, 1], steps = [8, 1, 1]>}

// -----

// expected-error @+1 {{has dimension 0 behind 1, but they have to be in order}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 16], swizzle = 64, dims = [0, 1, 0], steps = [1, 1, 1]>}

// -----

// expected-error @+1 {{moves along dimension 0 by 9, but each step has to be a multiple of the next}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 8], swizzle = 32, dims = [0, 0, 0], steps = [9, 2, 1]>}

// -----

// expected-error @+1 {{moves along dimension 0 by 2, but the last step has to be 1}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, dims = [0, 1], steps = [2, 1]>}

// -----

// expected-error @+1 {{expected rounded, strides, dims, steps or ends, but found 'other'}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, other = true>}

// -----

// expected-error @+1 {{expected true or false, but found 'yes'}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, strides = yes>}

// -----

// expected-error @+1 {{has a step of 0, but 1 or more is needed}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 8], swizzle = 32, dims = [0, 0, 1], steps = [8, 0, 1]>}

// -----

// expected-error @+1 {{has 1 ends, but a box of 2}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, ends = [100]>}

// -----

// expected-error @+1 {{ends at 0, but 1 or more, or -1, is needed}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, ends = [-1, 0]>}

// -----

// expected-error @+1 {{ends at 100 along dimension 0, which is divided}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8, 8], swizzle = 32, dims = [0, 0, 1], steps = [8, 1, 1], ends = [100, -1, -1]>}

// -----

// expected-error @+1 {{has 1 dimensions, but a box of 2}}
func.func private @map() attributes {m = #tile.tensor_map<memory = 0, of = f32, box = [8, 8], swizzle = 32, dims = [0], steps = [1], ends = [5, 7]>}
