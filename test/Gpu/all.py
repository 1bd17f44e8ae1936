#!/usr/bin/env python3
"""Runs every suite of this folder, one after the other, and adds up.

    all.py FUSE CASES [OPTION...]

CASES is the folder of recorded cases, as for run.py. The options go to every suite:
--chip, --jobs, --stop-after and so on, see `sizes.py --help`. A suite whose needs are
not there is named, and not run. The last line counts what all have passed and failed.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed", re.M)


def missing(name):
    """What a suite needs that is not there, or None."""
    modules = {"large.py": ["numpy"], "functions.py": ["numpy", "torch"], "whole.py": ["torch"],
               "python.py": ["torch"], "listed.py": ["torch"]}.get(name, [])
    for module in modules:
        if not importlib.util.find_spec(module):
            return module
    if name in ("launch.py", "listed.py", "python.py", "whole.py") and not os.environ.get("FUSE_LIBRARY_DIR"):
        return "FUSE_LIBRARY_DIR, the folder of libfuse.so.1,"
    if name == "launch.py" and not shutil.which(os.environ.get("CC", "cc")):
        return "a C compiler"
    if name == "profiler.py" and not any(shutil.which(tool) for tool in (os.environ.get("CC", "cc"), "ncu",
                                                                         "/usr/local/cuda/bin/ncu")):
        return "a C compiler or ncu"
    if name == "sanitize.py" and not (shutil.which("compute-sanitizer") or
                                      shutil.which("compute-sanitizer", path="/usr/local/cuda/bin")):
        return "compute-sanitizer"
    return None


def run(name, arguments):
    """How many have passed and failed; a suite that says nothing has failed."""
    print(f"== {name}", flush=True)
    process = subprocess.Popen([sys.executable, os.path.join(HERE, name), *arguments], stdout=subprocess.PIPE, text=True)
    found = None
    for line in process.stdout:
        print(line, end="", flush=True)
        found = COUNTS.search(line) or found
    status = process.wait()
    if not found:
        print(f"FAIL {name}: ended with {status}, and without counts", flush=True)
        return 0, 1
    return int(found[1]), int(found[2])


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-") or sys.argv[2].startswith("-"):
        print(__doc__)
        return 0 if {"-h", "--help"} & set(sys.argv) else 2
    fuse, cases, *options = sys.argv[1:]
    passed = failed = 0
    for name in ("run.py", "sizes.py", "kernel_forms.py", "open.py", "images.py", "listed.py", "large.py", "functions.py",
                 "whole.py", "fuzz.py", "bits.py", "sanitize.py", "profiler.py", "launch.py", "python.py"):
        needed = missing(name)
        if needed:
            print(f"SKIP {name}: {needed} is not there", flush=True)
            continue
        counts = run(name, [fuse, *([cases] if name == "run.py" else []), *options])
        passed, failed = passed + counts[0], failed + counts[1]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
