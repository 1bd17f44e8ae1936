#!/usr/bin/env python3
"""chain.py FILE COUNT OP: a graph that is one long chain of a pointwise op. An op
of two operands takes the one before it twice."""

import sys

path, count, op = sys.argv[1], int(sys.argv[2]), sys.argv[3]
binary = op in ("arith.addf", "arith.mulf", "arith.maximumf")
with open(path, "w") as file:
    file.write("func.func @f(%v0: tensor<4xf32>) -> tensor<4xf32> {\n")
    for k in range(count):
        operands = f"%v{k}, %v{k}" if binary else f"%v{k}"
        file.write(f"  %v{k + 1} = {op} {operands} : tensor<4xf32>\n")
    file.write(f"  return %v{count} : tensor<4xf32>\n}}\n")
