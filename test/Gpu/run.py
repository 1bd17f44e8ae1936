#!/usr/bin/env python3
"""Runs recorded cases on a GPU and compares each with the reference.

    run.py FUSE CASES [--chip=sm_80,sm_90a] [--jobs=8] [--repeat-bits=N]

FUSE is the relocatable executable, CASES the folder that lit filled with
FUSE_RECORD set. Each case is compiled for each chip, run on the GPU, and judged by the
reference road on this machine's CPU. The last line says how many passed.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys


def command(fuse, case, chip, options):
    with open(os.path.join(case, "arguments.json")) as file:
        arguments = json.load(file)
    arguments = [a.replace("=@", "=" + case + os.sep) for a in arguments]
    with open(os.path.join(case, "graph.mlir"), "rb") as file:
        is_tiled = b"tile.kernel" in file.read()
    if is_tiled:
        arguments = [a for a in arguments if not a.startswith("--verify")]
    elif not any(a.startswith("--verify") for a in arguments):
        arguments.append("--verify")
    if options.repeat_bits:
        arguments.append(f"--repeat-bits={options.repeat_bits}")
    return [fuse, "fuse-run", os.path.join(case, "graph.mlir"), "--target=cuda",
            f"--chip={chip}", *arguments]


def run(fuse, case, chip, options):
    line = command(fuse, case, chip, options)
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return line, f"took more than {options.timeout} s"
    if done.returncode == 0:
        return line, None
    said = [text for text in (done.stderr + done.stdout).splitlines()
            if "error" in text or "WRONG" in text or "NOT THE SAME" in text]
    return line, f"status {done.returncode}: " + " | ".join(said[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fuse")
    parser.add_argument("cases")
    parser.add_argument("--chip", default="sm_80,sm_90a")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--repeat-bits", type=int, default=0)
    options = parser.parse_args()
    cases = sorted(entry.path for entry in os.scandir(options.cases) if entry.is_dir())
    work = [(case, chip) for chip in options.chip.split(",") for case in cases]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: run(options.fuse, *item, options), work)
        for (case, chip), (line, problem) in zip(work, results):
            if problem is None:
                passed += 1
                continue
            failed += 1
            print(f"FAIL {os.path.basename(case)} {chip}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
