"""Runs a command and demands one exit status; `not` takes any but 0.

usage: status.py STATUS COMMAND...
"""

import subprocess
import sys

found = subprocess.run(sys.argv[2:]).returncode
if found != int(sys.argv[1]):
    # What follows in a pipe reads this, and finds no match.
    sys.exit(f"{sys.argv[2]}: exit status {found}, but {sys.argv[1]} is needed")
