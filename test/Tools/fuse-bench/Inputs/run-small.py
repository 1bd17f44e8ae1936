"""Runs what fuse-bench makes graphs for on the CPU, at small sizes that fit no tile, against the reference.

usage: run-small.py SOURCE FUSE FOLDER
"""
import dataclasses
import os
import subprocess
import sys

source, fuse, folder = sys.argv[1:4]
sys.path.insert(0, os.path.join(source, "tools", "fuse-bench"))
import workloads  # noqa: E402

# The reference takes long to compile for larger ones.
SIZES = {"B": 2, "H": 2, "D": 6, "M": 19, "K": 10, "N": 10}


def smaller(p):
    """The same but for sizes; what is alike stays alike, and what is one thing or shared stays so."""
    made = {name: SIZES.get(name, value) for name, value in p.items()}
    if "S" in p:
        made["S"] = min(p["S"], 13)
    if "T" in p:
        made["KV"], made["T"] = made["H"], made["S"] if p["T"] == p["S"] else 29
        if p["KV"] != p["H"]:
            made["H"] *= 2
    if "window" in p:
        made["window"] = 5
    if "M" in p:
        made["H"] = 23
    return made


tried = []
for workload in workloads.known().values():
    small = workload.is_made() and (workload.kind, workload.types, smaller(workload.parameters))
    # Those that differ in sizes alone are one here.
    if not small or small in tried:
        continue
    tried.append(small)
    path = os.path.join(folder, workload.id + ".mlir")
    with open(path, "w") as file:
        file.write(dataclasses.replace(workload, parameters=small[2]).graph())
    done = subprocess.run([fuse, "fuse-run", path, "--target=cpu", "--threads=2", "--verify"], capture_output=True, text=True)
    said = [line.strip() for line in done.stdout.splitlines() if "verify: " in line] or done.stderr.splitlines()
    print(workload.id, said[0] if said else f"ended with {done.returncode}", flush=True)
