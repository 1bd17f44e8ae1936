"""What can be said of the sides of fuse-bench that need a GPU without one."""
import os
import struct
import subprocess
import sys

folder = os.path.join(sys.argv[1], "tools", "fuse-bench")
sys.path.insert(0, folder)
import cuda  # noqa: E402
import libraries  # noqa: E402
import workloads  # noqa: E402

# Short floats: what they mean is no larger than the number, and within a step of it.
for value in (1.0, -1.0, 0.3, 1.75, -2.9, 100.0, 448.0, 0.02, 0.0):
    bits = cuda.f8_bits(value)
    exponent, mantissa = bits >> 3 & 15, bits & 7
    found = (-1) ** (bits >> 7) * (8 + mantissa) * 2.0 ** (exponent - 10) if exponent else 0.0
    assert abs(found) <= abs(value) and abs(value - found) <= abs(value) / 8, (value, found)
assert cuda.f8_bits(1e9) == 0x7E and cuda.f8_bits(-1e9) == 0xFE
for element, size in cuda.BYTES.items():
    assert len(cuda.random_bytes(element, 1.0, 101)) == 101 * size
wide, short = cuda.random_bytes("f32", 1.0, 9), cuda.random_bytes("bf16", 1.0, 9)
assert all(short[2 * i:2 * i + 2] == wide[4 * i + 2:4 * i + 4] for i in range(9))
half = struct.unpack("<9e", cuda.random_bytes("f16", 1.0, 9))
assert all(abs(a - b) < 0.01 for a, b in zip(half, struct.unpack("<9f", wide)))

# Every workload that has products has them here, but for a window, of which far more would be computed, and those that epilogues suffice for are all of it.
flops = {"M2": 2 * 4096 ** 3, "M5": 2 * 8192 ** 3, "G2": 2 * 8192 * 2 * 14336 * 4096, "F1": 4 * 135168 * 128 * 4096,
         "A1": 2 * 1024 * 1024 * 64, "X_norm_mlp": 4 * 8192 * 1024 * 4096, "X_project": 2 * 8192 * (4096 + 1024) * 1024}
whole = set()
for name, workload in workloads.known().items():
    kind = libraries.KINDS.get(workload.kind)
    assert kind or workload.kind in ("pointwise", "softmax", "layer_norm", "masked_softmax", "dlrm", "two_scores"), name
    if not kind:
        continue
    steps = kind(workload.parameters, False)
    assert bool(steps) != (workload.parameters.get("mask") == "window"), name
    if not steps:
        continue
    if name in flops:
        assert sum(2 * step.m * step.n * step.k for step in steps) == flops[name], name
    for before, after in zip(steps, steps[1:]):
        if getattr(after, "chained", False):
            assert (before.m, before.n) == (after.m, after.k), name
    whole |= {name} if kind(workload.parameters, True) else set()
assert {"M1", "M2", "M3", "M4", "M5", "F1", "D1_128_f16"} <= whole, whole
assert not whole & {"L1", "G1", "D2_128_f16", "D3", "A3", "T1_1_bf16"}, whole

# Queries, keys, values and results.
A4_gqa, = libraries.attention(workloads.known()["A4_gqa"].parameters, False)
assert A4_gqa.shape == (1, 32, 8, 8192, 8192, 128) and A4_gqa.counts == (1 << 25, 1 << 23, 1 << 23, 1 << 25)
A4_q1, = libraries.attention(workloads.known()["A4_q1"].parameters, False)
assert A4_q1.shape == (2, 16, 16, 1, 8192, 128) and not A4_q1.is_causal and A4_q1.counts[0] == A4_q1.counts[3] == 4096

# The kernel that copies is one.
if len(sys.argv) > 2:
    with open("copy.ptx", "wb") as file:
        file.write(cuda.COPY)
    subprocess.run([sys.argv[2], "-arch=sm_90a", "copy.ptx", "-o", "copy.cubin"], check=True)
print("right")
