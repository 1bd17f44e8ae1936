#!/usr/bin/env python3
"""Runs every example many times on a GPU under load, and compares all bits.

    bits.py FUSE [--runs=200] [--jobs=2] [--chip=sm_90a]

Examples are run at their own sizes; where the output is so large that copying it
back so often would take minutes, with fewer rows, or blocks would be the same.
"""

import os
import sys
import tempfile

import graphs
from cases import Case, chips, fuse_run, parser, run_all

# Fewer rows for outputs of more than 70 MB.
REDUCED = {
    "F1": {"x": (16384, 128), "h": (16384, 4096), "hf": (16384, 4096), "acc": (16384, 128), "y": (16384, 128)},
    "G2": {"x": (2048, 4096), "c": (2048, 28672), "acc": (2048, 14336), "y": (2048, 14336)},
    "G3": {"x": (2048, 4096), "z": (2048, 22016), "acc": (2048, 11008), "y": (2048, 11008)},
    "L2": {"x": (2048, 4096), "xf": (2048, 4096), "acc": (2048, 16384), "y": (2048, 16384)},
    "M1": {"x": (4096, 8192), "acc": (4096, 8192), "y": (4096, 8192)},
    "M5": {"x": (4096, 8192), "acc": (4096, 8192), "y": (4096, 8192)},
    "P2": {"x": (2048, 8192)},
    "P3": {"x": (2048, 8192)},
    "P3b": {"x": (2048, 8192)},
    "R2": {"x": (4096, 8192), "f": (4096, 8192)},
}

# The sizes of arguments that have none of their own.
SHAPES = {
    "D1": ["x:2048x13"],
    "D1_f16": ["x:2048x13"],
    "D2": ["x:2048x512"],
    "D2_f16": ["x:2048x512"],
    "D4": ["x:2048x13", "ids:2048x26"],
    "X_cosine": ["a:1000x300", "b:1000x300"],
    "X_l2_linear": ["x:1000x256"],
    "X_residual": ["x:1000x384", "r:1000x384"],
    "X_router": ["x:1000x256"],
    "X_swiglu": ["x:1000x192"],
    "first": ["x:1000x64"],
}


def main():
    arguments = parser(__doc__, chips="sm_90a", timeout=300)
    arguments.add_argument("--runs", type=int, default=200)
    arguments.set_defaults(jobs=2)
    options = arguments.parse_args()
    names = sorted(name[:-len(".mlir")] for name in os.listdir(graphs.EXAMPLES) if name.endswith(".mlir"))
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for name in names:
            path = os.path.join(folder, name + ".mlir")
            with open(path, "w") as file:
                file.write(graphs.resize(graphs.example(name), REDUCED.get(name, {})))
            shapes = ["--shape=" + shape for shape in SHAPES.get(name, [])]
            cases += [Case(f"{name} {chip}", fuse_run(options, path, chip, f"--repeat-bits={options.runs}", *shapes))
                      for chip in chips(options)]
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
