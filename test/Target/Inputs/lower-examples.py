"""Lowers every example for GPUs, and looks at what comes out.

usage: lower-examples.py EXAMPLES [PTXAS]

Each goes from a graph to tiles and to nvvm. A block has at most 1024 threads,
in whole warps, and not more shared memory than an H200 has, for which the tiles
are chosen; dots of types that tensor cores have are done by them. With PTXAS, the
kernels also become PTX, by upstream's tools, and are assembled for two chips.
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

# With the PTX that is written for it.
CHIPS = {"sm_80": "+ptx70", "sm_90a": "+ptx80"}
MOST_SHARED = 227 << 10
# Workloads of dots that tensor cores can do.
TENSOR_CORES = ("M1", "M2", "M3", "M5", "A3", "A4", "A5", "T1_bf16")


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: " + done.stderr.strip()[:400])
    return done.stdout


def unescape(text):
    """Of a string attribute: \\0A and the like."""
    return re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), text)


def assemble(nvvm, ptxas, kernels):
    for chip, features in CHIPS.items():
        text = run(["mlir-opt", f"--nvvm-attach-target=chip={chip} features={features}",
                    "--gpu-module-to-binary=format=isa"], nvvm)
        ptx = unescape(re.search(r'assembly = "((?:[^"\\]|\\.)*)"', text)[1])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernels.ptx")
            with open(path, "w", encoding="utf-8") as file:
                file.write(ptx)
            done = subprocess.run([ptxas, "-v", "-O1", "--gpu-name", chip, path,
                                   "--output-file", os.path.join(folder, "kernels.cubin")],
                                  capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{chip}: {(done.stdout + done.stderr).strip()[:400]}")
        if done.stderr.count("Compiling entry function") != kernels:
            raise RuntimeError(f"{chip}: not all of {kernels} kernels were assembled")


def check(path, ptxas):
    name = os.path.splitext(os.path.basename(path))[0]
    nvvm = run(["fuse-opt", path, "--fuse-to-tiles=machine=h200", "--fuse-tiles-to-nvvm"])
    functions = re.findall(r"llvm\.func @.*nvvm\.kernel.*", nvvm)
    if not functions:
        raise RuntimeError("there is no kernel")
    for function in functions:
        threads = int(re.search(r"nvvm\.reqntid = array<i32: (\d+), 1, 1>", function)[1])
        if threads % 32 != 0 or not 32 <= threads <= 1024:
            raise RuntimeError(f"a kernel has {threads} threads")
        shared = int(re.search(r"tile\.shared = (\d+)", function)[1])
        if shared > MOST_SHARED:
            raise RuntimeError(f"a kernel needs {shared} bytes of shared memory")
    if name in TENSOR_CORES and "nvvm.mma.sync" not in nvvm:
        raise RuntimeError("no tensor core is used")
    if ptxas:
        assemble(nvvm, ptxas, len(functions))
    return len(functions)


def main():
    examples, ptxas = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    paths = sorted(glob.glob(os.path.join(examples, "*.mlir")))
    kernels = wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {path: pool.submit(check, path, ptxas) for path in paths}
        for path, job in jobs.items():
            try:
                kernels += job.result()
            except RuntimeError as error:
                print(f"{os.path.basename(path)}: {error}")
                wrong += 1
    print(f"{len(paths)} examples, {kernels} kernels, {wrong} wrong")
    return wrong != 0 or not paths


sys.exit(main())
