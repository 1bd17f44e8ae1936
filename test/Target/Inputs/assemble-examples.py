"""Assembles every kernel of every example for four chips, and looks at what
ptxas says.

usage: assemble-examples.py EXAMPLES PTXAS

Each example goes from a graph to machine code as `fuse-run` makes it, with
tiles for the shared memory that the chip has. For sm_90a no kernel may spill
registers, but for those in SPILLS, which have to; for no chip may a product of a warpgroup have to wait, which ptxas
tells with numbers C7510 to C7519. The other chips are only assembled for, with
less optimisation, as that is faster.
"""

import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

# The most shared memory of a block, from the CUDA programming guide.
SHARED = {"sm_80": 163 << 10, "sm_90a": 227 << 10, "sm_100": 227 << 10, "sm_120": 99 << 10}
STRICT = "sm_90a"

# Kernels that spill, and how many bytes at most. What no longer does has to go.
SPILLS = {}


def compile_for(path, chip, ptxas):
    """The shared memory of each kernel, and the warnings of all."""
    options = "" if chip == STRICT else " opt-level=1"
    done = subprocess.run(
        ["fuse-opt", path,
         f"--fuse-to-tiles=machine=h200 shared-bytes={SHARED[chip]} warpgroups={int(chip == STRICT)}",
         f"--fuse-tiles-to-nvvm=chip={chip}", f"--fuse-nvvm-to-binary=chip={chip} format=cubin{options}"],
        capture_output=True, text=True, errors="replace", env={**os.environ, "FUSE_PTXAS": ptxas})
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip()[:600])
    kernels = dict(re.findall(
        r'#gpu\.kernel_metadata<"(\w+)", .*?metadata = \{dynamic_shared = (\d+)', done.stdout))
    return {name: int(shared) for name, shared in kernels.items()}, done.stderr


def check(path, chip, ptxas):
    """What is wrong, and how many kernels there are."""
    kernels, said = compile_for(path, chip, ptxas)
    wrong = [] if kernels else ["there is no kernel"]
    for kernel, shared in kernels.items():
        if shared > SHARED[chip]:
            wrong.append(f"{kernel} needs {shared} bytes of shared memory of {SHARED[chip]}")
    wrong += re.findall(r"warning: (ptxas says .*\(C75\d\d\).*)", said)
    if chip == STRICT:
        spills = dict(re.findall(
            r"warning: kernel '(\w+)' spills registers to memory on \w+: (\d+) bytes", said))
        for kernel in kernels:
            count = int(spills.get(kernel, 0))
            known = SPILLS.get(f"{os.path.basename(path)}/{kernel}", 0)
            if count > known:
                wrong.append(f"{kernel} spills {count} bytes")
            elif known and not count:
                wrong.append(f"{kernel} spills no more, and must not be among those that do")
    return wrong, len(kernels)


def main():
    examples, ptxas = sys.argv[1:]
    # The largest files take longest, so they begin.
    paths = sorted(glob.glob(os.path.join(examples, "*.mlir")), key=os.path.getsize, reverse=True)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {(path, chip): pool.submit(check, path, chip, ptxas)
                for path in paths for chip in SHARED}
        for (path, chip), job in jobs.items():
            try:
                wrong, kernels = job.result()
            except RuntimeError as error:
                wrong, kernels = [str(error)], 0
            counts["kernels"] += kernels
            counts["wrong"] += len(wrong)
            for problem in wrong:
                print(f"{os.path.basename(path)}: {chip}: {problem}")
    print(f"{len(paths)} examples, {counts['kernels']} kernels, {counts['wrong']} wrong")
    return counts["wrong"] != 0 or not paths


sys.exit(main())
