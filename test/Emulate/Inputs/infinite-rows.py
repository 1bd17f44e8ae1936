"""Makes a .npy file of f16 of which rows from one on are infinite: infinite-rows.py FILE ROWS COLUMNS FIRST."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Tools", "fuse-run", "Inputs"))
import npy  # noqa: E402

path, (rows, columns, first) = sys.argv[1], map(int, sys.argv[2:])
numbers = [float("inf") if i // columns >= first else 0.25 + i % 7 for i in range(rows * columns)]
npy.write(path, "<f2", f"{rows}x{columns}", *numbers)
