"""What fuse-bench counts by graphs, and rows for whose units to look.

usage: check-operations.py SOURCE FUSE PREFIX
"""
import dataclasses
import json
import os
import sys

source, fuse, prefix = sys.argv[1:4]
sys.path.insert(0, os.path.join(source, "tools", "fuse-bench"))
import operations  # noqa: E402
import workloads  # noqa: E402

known = workloads.known()


def count(workload):
    path = prefix + ".mlir"
    with open(path, "w") as file:
        file.write(workload.graph())
    return operations.count(fuse, path, workload.shapes, workload.kept())


# Products alone where there are some.
S, D = 8192, 128
assert count(known["M2"]).flops == 2 * 4096 ** 3
assert count(known["A5"]).flops == 4 * 2 * 16 * S * S * D
assert count(known["A4"]).flops == 4 * 2 * 16 * (S * (S + 1) // 2) * D
assert count(known["A1"]).flops == 2 * (1019 * 1020 // 2) * 64
layer = 2 * 1024 * 768 * (3 * 768 + 768 + 8 * 768)
assert count(known["T1_1_bf16"]).flops == layer + 4 * 12 * (1024 * 1025 // 2) * 64
assert count(known["D1_128_f32"]).flops == 2 * 128 * (13 * 512 + 512 * 256 + 256 * 64 + 64 * 16)
# Pairs of a query and a key, one by one: what a mask keeps of as many as there are.
SEES = {"none": lambda p, i, j: True, "causal": lambda p, i, j: j <= i, "segment": lambda p, i, j: j <= i,
        "window": lambda p, i, j: i - p["window"] < j <= i}
for name, sizes in (("A4_gqa", {"S": 45, "T": 45}), ("A4_segment", {"S": 37, "T": 37}), ("A4_q16", {"S": 16, "T": 61}),
                    ("A4_window", {"S": 70, "T": 70, "window": 11}), ("A4_window", {"S": 20, "T": 20, "window": 90})):
    p = {**known[name].parameters, **sizes}
    pairs = sum(SEES[p["mask"]](p, i, j) for i in range(p["S"]) for j in range(p["T"]))
    counted = count(dataclasses.replace(known[name], parameters=p))
    assert counted.flops == 4 * p["B"] * p["H"] * p["D"] * pairs, (name, counted)
    assert counted.bytes == 4 * p["B"] * p["D"] * (p["H"] * p["S"] + p["KV"] * p["T"]) + (
        4 * p["B"] * p["S"] if name == "A4_segment" else 0), (name, counted)
# As much as A4, but for what a window leaves out and where heads do not fit.
assert {name for name in known if name.startswith("A4") and count(known[name]).flops == count(known["A4"]).flops} == {
    "A4", *("A4_" + name for name in ("gqa", "alibi", "softcap", "segment", "d32", "d64", "d256", "f16"))}
assert count(known["A4_window"]).flops == 4 * 2 * 16 * (1024 * 1025 // 2 + (S - 1024) * 1024) * D
assert count(known["X_cross"]).flops == 4 * 8 * 16 * 1024 * 1500 * 64
assert count(known["X_two_scores"]).flops == 3 * 2 * 2 * 16 * 4096 ** 2 * 64
assert count(known["X_project"]).flops == 2 * 8192 * (2 * 1024 * 2048 + 1024 * 1024)
assert count(known["X_norm_mlp"]).flops == 2 * 2 * 8192 * 1024 * 4096
# A sum and a relu; a maximum, a difference, a power, a sum and a quotient.
assert count(known["P1"]) == operations.Count(2 * 128 * 512, 4 * (2 * 128 * 512 + 512))
assert count(known["R1"]).flops == 5 * 1823 * 781
# Of each of 26 tables a row of 16 for each of the batch.
tables, ids = 26 * 128 * 16 * 4, 128 * 26 * 8
weights = 4 * (13 * 512 + 512 + 512 * 256 + 256 + 256 * 64 + 64 + 64 * 16 + 16 + 432 * 432 * 16 + 16 + 16 + 1)
assert count(known["D4_128"]).bytes == tables + ids + weights + 4 * 128 * (13 + 1)
for workload in known.values():
    counted = count(workload)
    assert counted and counted.flops > 0 and counted.bytes > 0, workload.id
# What fuse-opt does not take is not known.
assert operations.count(fuse, os.path.join(source, "README.md"), [], 1) is None

row = {"types": "f32", "shape": "-", "fuse_us": 10.0, "kernels": 1, "bytes": 1000000, "peers": {}, "state": "cold", "cache": "cold"}
rows = [{**row, "id": "rows", "flops": 40000000, "floor_us": 8.0, "bare_us": 2.0},
        {**row, "id": "product", "flops": 40000000, "floor_us": 2.0, "bare_us": 8.0},
        {**row, "id": "unbounded", "flops": 400000000, "floor_us": None, "bare_us": None}]
with open(prefix + ".units.json", "w") as file:
    json.dump({"rows": rows}, file)
print("counted")
