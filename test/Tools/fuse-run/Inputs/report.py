#!/usr/bin/env python3
"""Reads a report of fuse-run --json from standard input and fails unless every
argument, a Python expression in which `r` is the report, is true."""

import json
import math
import sys

r = json.load(sys.stdin)
for text in sys.argv[1:]:
    if not eval(text, {"r": r, "math": math}):
        sys.exit(f"not so: {text}\n{json.dumps(r, indent=1)}")
