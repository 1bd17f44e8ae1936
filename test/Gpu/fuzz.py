#!/usr/bin/env python3
"""Runs random graphs on a GPU, and counts them.

    fuzz.py FUSE [--count=1000] [--seed=1] [--jobs=N] [--chip=sm_80,sm_90a] [--out=FOLDER]
            [--stop-after=SECONDS]

With --stop-after each chip has its share of the time, and no count is needed. A
graph that is refused has neither passed nor failed; there is a line that says how
many were.
"""

import re
import subprocess
import sys

from cases import parser

SUMMARY = re.compile(r"(\d+) graphs: (\d+) right, (\d+) refused, (\d+) wrong, (\d+) crashed")


def run(command, timeout):
    """What was printed, and what is wrong with the run as a whole."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
        return done.stdout.decode(errors="replace"), None
    except subprocess.TimeoutExpired as expired:
        return (expired.stdout or b"").decode(errors="replace"), f"took more than {timeout:g} s"


def main():
    arguments = parser(__doc__, timeout=3600)
    arguments.add_argument("--count", type=int, help="graphs for each chip; 1000 where nothing else ends it")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--out", help="a folder for graphs that fail, made smaller")
    options = arguments.parse_args()
    chips = options.chip.split(",") if options.target == "cuda" else [None]
    passed = failed = refused = 0
    for chip in chips:
        command = [options.fuse, "fuse-fuzz", f"--seed={options.seed}", f"--jobs={options.jobs}"]
        if options.stop_after:
            command.append(f"--minutes={options.stop_after / len(chips) / 60:.4f}")
        if options.count or not options.stop_after:
            command.append(f"--count={options.count or 1000}")
        command += [f"--chip={chip}"] if chip else []
        command += [f"--out={options.out}"] if options.out else []
        if options.list:
            print(" ".join(command))
            continue
        printed, problem = run(command, options.timeout)
        counts = SUMMARY.search(printed)
        if not counts:
            print(printed[-3000:])
            problem = problem or "ended without a summary"
        if problem:
            print(f"FAIL {chip}: {problem}")
            failed += 1
            continue
        graphs, right, said_no, wrong, crashed = map(int, counts.groups())
        if wrong + crashed:
            print(printed[-3000:])
        print(f"{chip}: {graphs} graphs of seed {options.seed}, {said_no} of them refused")
        passed, failed, refused = passed + right, failed + wrong + crashed, refused + said_no
    if options.list:
        return 0
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
