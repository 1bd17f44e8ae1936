"""Prints the graphs of all that fuse-bench can time, with `// -----` between them, and looks at its ids.

usage: write-graphs.py SOURCE
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import workloads  # noqa: E402

known = workloads.known()
for workload in known.values():
    assert workload.graph(), workload
    if workload.types == "tf32x3":
        products = [line for line in workload.graph().splitlines() if "= fuse.matmul" in line]
        assert products and all("precision tf32x3 :" in line for line in products), workload
grid = workloads.grid()
assert len(grid) == 120 and len({workload.id for workload in grid}) == 120
for letter, sizes in (("M", workloads.GRID_M), ("N", workloads.GRID_NK), ("K", workloads.GRID_NK)):
    assert {workload.parameters[letter] for workload in grid} == set(sizes), letter
texts = [workload.graph() for workload in (*known.values(), *grid)]
print("// -----\n".join(texts))
