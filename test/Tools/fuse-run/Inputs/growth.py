#!/usr/bin/env python3
"""growth.py SMALL LARGE COMMAND...: runs the command on both files and fails if
the second, which is four times as long, takes more than eight times as long:
time that grows with the square of the length would be sixteen times as long."""

import resource
import subprocess
import sys


def seconds(file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*sys.argv[3:], file, "-o", "/dev/null"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


small, large = seconds(sys.argv[1]), seconds(sys.argv[2])
if large > 8 * small:
    sys.exit(f"{small:.2f} s became {large:.2f} s")
