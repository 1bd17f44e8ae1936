#!/usr/bin/env python3
"""Runs recorded cases on a GPU and compares each with the reference.

    run.py FUSE CASES [--chip=sm_80,sm_90a] [--jobs=8] [--repeat-bits=N]

FUSE is the relocatable executable, CASES the folder that lit filled with
FUSE_RECORD set. Each case is compiled for each chip, run on the GPU, and judged by the
reference road on this machine's CPU. The last line says how many passed.
"""

import json
import os
import sys

from cases import Case, chips, fuse_run, parser, run_all


def arguments_of(folder, options):
    """What fuse-run is to be asked for beside where to run."""
    with open(os.path.join(folder, "arguments.json")) as file:
        arguments = json.load(file)
    arguments = [a.replace("=@", "=" + folder + os.sep) for a in arguments]
    with open(os.path.join(folder, "graph.mlir"), "rb") as file:
        is_tiled = b"tile.kernel" in file.read()
    if is_tiled:
        arguments = [a for a in arguments if not a.startswith("--verify")]
    elif not any(a.startswith(("--verify", "--expect")) for a in arguments):
        arguments.append("--verify")
    if options.repeat_bits:
        arguments.append(f"--repeat-bits={options.repeat_bits}")
    return arguments


def main():
    made = parser(__doc__)
    made.add_argument("cases")
    made.add_argument("--repeat-bits", type=int, default=0)
    options = made.parse_args()
    folders = sorted(entry.path for entry in os.scandir(options.cases) if entry.is_dir())
    return run_all([Case(f"{os.path.basename(folder)} {chip}",
                         fuse_run(options, os.path.join(folder, "graph.mlir"), chip, *arguments_of(folder, options)))
                    for chip in chips(options) for folder in folders], options)


if __name__ == "__main__":
    sys.exit(main())
