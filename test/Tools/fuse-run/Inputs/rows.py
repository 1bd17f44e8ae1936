#!/usr/bin/env python3
"""rows.py FILE LAYERS KIND: a graph of so many layers, softmaxes or residual
root-mean-square norms, each of which reads the rows of the one before."""

import sys

file, layers, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rows, statistics = "tensor<64x512xf32>", "tensor<64xf32>"


def softmax(i):
    return [f"%x{i + 1} = fuse.softmax %x{i} dim 1 : {rows}"]


def norm(i):
    return [
        f"%square{i} = arith.mulf %x{i}, %x{i} : {rows}",
        f"%sum{i} = fuse.reduce sum %square{i} dims [1] : {rows}",
        f"%scale{i} = math.rsqrt %sum{i} : {statistics}",
        f"%wide{i} = fuse.broadcast %scale{i} dims [0] : {statistics} -> {rows}",
        f"%norm{i} = arith.mulf %x{i}, %wide{i} : {rows}",
        f"%x{i + 1} = arith.addf %x{i}, %norm{i} : {rows}",
    ]


make = {"softmax": softmax, "norm": norm}[kind]
with open(file, "w") as out:
    print(f"func.func @f(%x0: {rows}) -> {rows} {{", file=out)
    for i in range(layers):
        print("\n".join("  " + op for op in make(i)), file=out)
    print(f"  return %x{layers} : {rows}\n}}", file=out)
