#!/usr/bin/env python3
"""Runs examples at small sizes with the schedules that give kernels of all forms, which test/Simulate keeps.

    kernel_forms.py FUSE [--chip=sm_80,sm_90a] [--jobs=N]
"""

import os
import pathlib
import sys
import tempfile

from cases import Case, chips, fuse_run, parser, run_all

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Simulate" / "Inputs"))

import forms  # noqa: E402


def main():
    options = parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for chip in chips(options):
            for number, case in enumerate(forms.CASES.get(chip, forms.CASES["sm_90a"])):
                graph = HERE.parents[1] / "docs" / "examples" / f"{case.example}.mlir"
                path = os.path.join(folder, f"{case.example}-{number}.mlir")
                with open(path, "w") as file:
                    file.write(forms.sized(graph.read_text(), case.sizes))
                cases.append(Case(f"{case.example} {number} {chip}",
                                  fuse_run(options, path, chip, "--verify", *case.arguments)))
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
