"""A file whose disk is full while it is written stays what it was.

usage: check-files.py SOURCE FILE
"""
import builtins
import errno
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import files  # noqa: E402
from problem import Problem  # noqa: E402

real = builtins.open


def full(path, mode="r"):
    file = real(path, mode)
    if mode == "w":
        def fail(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        file.write = fail
    return file


builtins.open = full
try:
    files.write(sys.argv[2], "half of it")
    print("was written")
except Problem as problem:
    assert "cannot be written: No space left on device" in str(problem), problem
    print("right")
