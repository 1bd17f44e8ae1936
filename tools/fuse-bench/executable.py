"""Where the executable of fuse is."""

import os
import shutil
import sys

from problem import Problem

HERE = os.path.dirname(os.path.realpath(__file__))


def find_fuse(named):
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    candidates = [named] if named else [os.path.join(beside, "fuse"), os.path.join(HERE, "..", "..", "build", "bin", "fuse"),
                                        "fuse"]
    for candidate in candidates:
        path = shutil.which(candidate)
        if path:
            return path
    raise Problem(f"no executable {' or '.join(candidates)}; name it with --fuse")
