"""Writes a graph of so many softmaxes, with so many pointwise ops behind each."""

import sys

softmaxes, pointwise = map(int, sys.argv[1:])
TYPE = "tensor<4x8xf32>"
OPS = ["arith.negf", "math.absf"]

print(f"func.func @rows(%x0: {TYPE}) -> {TYPE} {{")
for i in range(softmaxes):
    print(f"  %y{i}_0 = fuse.softmax %x{i} dim 1 : {TYPE}")
    for j in range(pointwise):
        result = f"%y{i}_{j + 1}" if j + 1 < pointwise else f"%x{i + 1}"
        print(f"  {result} = {OPS[j % 2]} %y{i}_{j} : {TYPE}")
print(f"  return %x{softmaxes} : {TYPE}")
print("}")
