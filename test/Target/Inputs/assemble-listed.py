"""Plans and assembles every workload that fuse-bench lists, at its size, and looks at what ptxas says.

usage: assemble-listed.py TOOLS CHIP

No kernel may spill registers, and no product of a warpgroup may have to wait, which ptxas tells with numbers C7510 to
C7519.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

tools, chip = sys.argv[1:]
sys.path.append(tools)

import workloads  # noqa: E402


def complaints(workload, folder):
    graph = os.path.join(folder, f"{workload.id}.mlir")
    with open(graph, "w") as file:
        file.write(workload.graph())
    done = subprocess.run(
        ["fuse-run", graph, f"--chip={chip}", "--variants=aligned", f"--image={graph}.fuse",
         *(f"--shape={shape}" for shape in workload.shapes)],
        capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        return [done.stderr.strip()[:600]]
    said = re.findall(r"warning: (ptxas says .*\(C75\d\d\).*)", done.stderr)
    said += re.findall(r"warning: (kernel .* spills registers to memory .*)", done.stderr)
    return said


def main():
    known = list(workloads.known().values())
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for workload, said in zip(known, pool.map(lambda each: complaints(each, folder), known)):
            wrong += len(said)
            for problem in said:
                print(f"{workload.id}: {problem}")
    print(f"{len(known)} workloads, {wrong} wrong")
    return wrong != 0


sys.exit(main())
