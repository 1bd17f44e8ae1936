#!/usr/bin/env python3
"""Whether a profiler that listens to NVTX hears which kernel is launched.

    profiler.py FUSE [--chip=sm_90a]

One listener is a library of our own (listener.c), which needs a C compiler; the other
is Nsight Compute, which is asked to profile only what is launched within the range of a
kernel's name. What is not installed is not asked.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import graphs
from cases import Case, chips, fuse_run, parser, run_all

HERE = os.path.dirname(os.path.abspath(__file__))
# Graphs of one and of several kernels, with the shapes of their arguments.
GRAPHS = {"P1": [], "A1": [], "T1": []}


def kernels_of(command):
    """The names of a plan's kernels, in the order of their launches."""
    said = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout
    return [kernel["name"] for kernel in json.loads(said)["kernels"] if "name" in kernel]


def heard(names):
    """Each range ends before the next begins, and they are the kernels."""
    def judge(printed):
        lines = re.findall(r"^range (\d+) (?:begins: (.*)|ends)$", printed, flags=re.M)
        wanted = [pair for name in names for pair in (("0", name), ("0", ""))]
        return None if lines == wanted else f"heard {lines}, wanted {wanted}"
    return judge


def profiled(count):
    def judge(printed):
        found = len(re.findall(r'^==PROF== Profiling "', printed, flags=re.M))
        return None if found == count else f"{found} kernels were profiled, wanted {count}"
    return judge


def cases_of(options, folder):
    listener = None
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler:
        listener = os.path.join(folder, "listener.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", os.path.join(HERE, "listener.c"), "-o",
                        listener], check=True)
    nsight = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin")
    for name, tool in (("a C compiler", compiler), ("ncu", nsight)):
        if not tool:
            print(f"SKIP {name} is not there", flush=True)
    for name, shapes in GRAPHS.items():
        path = os.path.join(folder, name + ".mlir")
        with open(path, "w") as file:
            file.write(graphs.example(name))
        for chip in chips(options):
            command = fuse_run(options, path, chip, *shapes)
            try:
                names = kernels_of(command)
            except (subprocess.CalledProcessError, ValueError):
                # It says why once more.
                yield Case(f"{name} {chip}", command)
                continue
            if listener:
                yield Case(f"{name} {chip} listener", command, heard(names), {"NVTX_INJECTION64_PATH": listener})
            if nsight:
                filters = [nsight, "--nvtx", "--target-processes=all", "--metrics=launch__grid_size"]
                for kernel in names:
                    yield Case(f"{name} {chip} ncu {kernel}", [*filters, f"--nvtx-include={kernel}/", *command],
                               profiled(names.count(kernel)))
                yield Case(f"{name} {chip} ncu nothing", [*filters, "--nvtx-include=nobody/", *command], profiled(0))


def main():
    options = parser(__doc__, chips="sm_90a").parse_args()
    # Nsight Compute profiles one process at a time.
    options.jobs = 1
    with tempfile.TemporaryDirectory() as folder:
        return run_all(list(cases_of(options, folder)), options)


if __name__ == "__main__":
    sys.exit(main())
