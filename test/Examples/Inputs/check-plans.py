"""Counts the kernels of every workload, and looks for what must not be stored.

usage: check-plans.py EXAMPLES MACHINE

The plan of `fuse-form-kernels` for each example, at its full size: at most so
many kernels, and no result of a kernel with a size that is given as forbidden.
Where the size of a batch is open it is each of three.
"""

import re
import subprocess
import sys

# Kernels allowed, and sizes that no stored tensor may have.
PLANS = {
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
    "D1": (1, None), "D1_f16": (1, None), "D2": (1, None), "D2_f16": (1, None),
    "F1": (1, "135168x4096"),
    "D4": (4, "186624"), "T1": (7, "1024x1024"), "T1_bf16": (7, "1024x1024"),
}
# The shapes of all arguments of what has a batch.
SHAPES = {
    "D1": "{batch}x13,13x512,512,512x256,256,256x64,64,64x16,16",
    "D2": "{batch}x512,512x256,256,256x1,1",
}
BATCHES = (128, 2048, 65536)


def plan_of(path, machine, shapes):
    """What each kernel of the plan results in."""
    bind = ["--fuse-bind-sizes=shapes=" + shapes] if shapes else []
    text = subprocess.run(
        ["fuse-opt", path, *bind, "--fuse-decompose", f"--fuse-form-kernels=machine={machine}"],
        check=True, capture_output=True, text=True).stdout
    return re.findall(r"fuse\.kernel @.*-> (.*) \{$", text, re.MULTILINE)


def main():
    examples, machine = sys.argv[1:]
    plans = []
    for name, (allowed, forbidden) in PLANS.items():
        plans.append((name, None, allowed, forbidden))
        if shapes := SHAPES.get(name.split("_")[0]):
            plans += [(name, shapes.format(batch=batch), allowed, forbidden) for batch in BATCHES]
    wrong = 0
    for name, shapes, allowed, forbidden in plans:
        results = plan_of(f"{examples}/{name}.mlir", machine, shapes)
        what = f"{name} of {shapes}" if shapes else name
        if not 1 <= len(results) <= allowed:
            print(f"{what}: {len(results)} kernels, at most {allowed} allowed")
            wrong += 1
        if forbidden and any(forbidden + "x" in r for r in results):
            print(f"{what}: stores a tensor of size {forbidden}")
            wrong += 1
    print(f"{len(plans)} plans, {wrong} wrong")
    return wrong != 0


sys.exit(main())
