"""Lowers every example for GPUs, and looks at what comes out.

usage: lower-examples.py EXAMPLES

Each goes from a graph to tiles and to nvvm. A block has at most 1024 threads,
in whole warps, and not more shared memory than the chips have that the tiles
are chosen for; dots of types that tensor cores have are done by them.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys

# Of a block: on an H200, and on the chips that have least.
MOST_SHARED = {"sm_90a": 227 << 10, "sm_120": 99 << 10}
# Workloads of dots that tensor cores can do.
TENSOR_CORES = ("M1", "M2", "M3", "M5", "A3", "A4", "A5", "T1_bf16")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: " + done.stderr.strip()[:400])
    return done.stdout


def check(path, chip):
    most_shared = MOST_SHARED[chip]
    name = os.path.splitext(os.path.basename(path))[0]
    nvvm = run(["fuse-opt", path,
                f"--fuse-to-tiles=machine=h200 shared-bytes={most_shared} warpgroups={int(chip == 'sm_90a')}",
                f"--fuse-tiles-to-nvvm=chip={chip}"])
    functions = re.findall(r"llvm\.func @.*nvvm\.kernel.*", nvvm)
    if not functions:
        raise RuntimeError("there is no kernel")
    for function in functions:
        threads = int(re.search(r"nvvm\.reqntid = array<i32: (\d+), 1, 1>", function)[1])
        if threads % 32 != 0 or not 32 <= threads <= 1024:
            raise RuntimeError(f"a kernel has {threads} threads")
        shared = int(re.search(r"tile\.shared = (\d+)", function)[1])
        if shared > most_shared:
            raise RuntimeError(f"a kernel needs {shared} bytes of shared memory of {most_shared}")
    if name in TENSOR_CORES and "nvvm.mma.sync" not in nvvm and "wgmma.mma_async" not in nvvm:
        raise RuntimeError("no tensor core is used")
    return len(functions)


def main():
    paths = sorted(glob.glob(os.path.join(sys.argv[1], "*.mlir")))
    kernels = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(path, pool.submit(check, path, chip))
                for path in paths for chip in MOST_SHARED]
        for path, job in jobs:
            try:
                kernels += job.result()
            except RuntimeError as error:
                print(f"{os.path.basename(path)}: {error}")
                wrong += 1
    print(f"{len(paths)} examples, {kernels} kernels, {wrong} wrong")
    return wrong != 0 or not paths


sys.exit(main())
