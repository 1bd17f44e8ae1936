"""What fuse-bench counts by graphs, and rows for whose units to look.

usage: check-operations.py SOURCE FUSE PREFIX
"""
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
