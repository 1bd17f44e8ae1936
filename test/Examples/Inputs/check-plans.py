"""Counts the kernels of every workload, and looks for what must not be stored.

usage: check-plans.py EXAMPLES MACHINE

The plan of `fuse-form-kernels` for each example, at its full size: at most so
many kernels, and no result of a kernel with a size that is given as forbidden.
"""

import re
import subprocess
import sys

# Kernels allowed, and sizes that no stored tensor may have.
H200 = {
    "P1": (1, None), "P2": (1, None), "P3": (1, None), "P3b": (1, None),
    "R1": (1, None), "R2": (1, None), "R3": (1, None), "R3rms": (1, None),
    "R4": (1, None),
    "M1": (1, None), "M2": (1, None), "M3": (1, None), "M4": (1, None),
    "M4i": (1, None), "M4i_tf32x3": (1, None), "M5": (1, None),
    "L1": (2, None), "L2": (2, None),
    "G1": (1, "1024x4096"), "G1i": (1, "1024x4096"), "G2": (1, "8192x28672"),
    "G3": (1, "8192x22016"),
    "D3": (2, None),
    "A1": (1, "1024x1024"), "A2": (1, "1024x1024"), "A3": (1, "1024x1024"),
    "A3p": (1, "1024x1024"), "A4": (1, "8192x8192"), "A5": (1, "8192x8192"),
    "A_gqa": (1, None), "A_window": (1, None), "A_alibi": (1, None),
    "A_softcap": (1, None), "A_segment": (1, None), "A_decode": (1, None),
    "D1": (1, None), "D2": (1, None), "F1": (1, "135168x4096"),
    "D4": (4, "186624"), "T1": (7, "1024x1024"),
}
# Where products are slow, less is gained by not storing.
CPU = dict(H200, L1=(3, None))


def main():
    examples, machine = sys.argv[1:]
    wrong = 0
    for name, (allowed, forbidden) in {"h200": H200, "cpu": CPU}[machine].items():
        text = subprocess.run(
            ["fuse-opt", f"{examples}/{name}.mlir", "--fuse-decompose",
             f"--fuse-form-kernels=machine={machine}"],
            check=True, capture_output=True, text=True).stdout
        results = re.findall(r"fuse\.kernel @.*-> (.*) \{$", text, re.MULTILINE)
        if not 1 <= len(results) <= allowed:
            print(f"{name}: {len(results)} kernels, at most {allowed} allowed")
            wrong += 1
        if forbidden and any(forbidden + "x" in r for r in results):
            print(f"{name}: stores a tensor of size {forbidden}")
            wrong += 1
    print(f"{len(H200)} plans, {wrong} wrong")
    return wrong != 0


sys.exit(main())
