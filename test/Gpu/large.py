#!/usr/bin/env python3
"""Runs graphs on tensors of more than 2^31 elements on a GPU.

    large.py FUSE [--rows=3145728] [--chip=sm_80,sm_90a] [--folder=FOLDER]

A reference would take far too long, so data are chosen whose results are known: the
element in row i and column j of x is ((7 i + 3 j) mod 17) - 8, a number that every
type used here holds, as it holds all sums. Needs NumPy, 8 GB of files and 30 of memory.
"""

import os
import sys
import tempfile
import threading

from cases import Case, chips, fuse_run, parser, run_all

COLUMNS = 1024

POINTWISE = """
func.func @f(%x: tensor<{rows}x1024xf16> {{fuse.name = "x"}}) -> tensor<{rows}x1024xf16> {{
  %two = arith.constant dense<2.0> : tensor<{rows}x1024xf16>
  %one = arith.constant dense<1.0> : tensor<{rows}x1024xf16>
  %twice = arith.mulf %x, %two : tensor<{rows}x1024xf16>
  %y = arith.addf %twice, %one : tensor<{rows}x1024xf16>
  return %y : tensor<{rows}x1024xf16>
}}
"""

SUMS_OF_ROWS = """
func.func @f(%x: tensor<{rows}x1024xf16> {{fuse.name = "x"}}) -> tensor<{rows}xf32> {{
  %wide = arith.extf %x : tensor<{rows}x1024xf16> to tensor<{rows}x1024xf32>
  %y = fuse.reduce sum %wide dims [1] : tensor<{rows}x1024xf32>
  return %y : tensor<{rows}xf32>
}}
"""

# Products with x as either factor. In the second one sums are over its rows.
LEFT_FACTOR = """
func.func @f(%x: tensor<{rows}x1024xf16> {{fuse.name = "x"}}, %w: tensor<1024x24xf16> {{fuse.name = "w"}})
    -> tensor<{rows}x24xf32> {{
  %y = fuse.matmul %x, %w : tensor<{rows}x1024xf16>, tensor<1024x24xf16> -> tensor<{rows}x24xf32>
  return %y : tensor<{rows}x24xf32>
}}
"""

RIGHT_FACTOR = """
func.func @f(%x: tensor<{rows}x1024xf16> {{fuse.name = "x"}}, %s: tensor<24x{rows}xf16> {{fuse.name = "s"}})
    -> tensor<24x1024xf32> {{
  %y = fuse.matmul %s, %x : tensor<24x{rows}xf16>, tensor<{rows}x1024xf16> -> tensor<24x1024xf32>
  return %y : tensor<24x1024xf32>
}}
"""


class Data:
    """The arguments, in files, and what comes of them."""

    def __init__(self, folder, rows):
        import numpy
        self.numpy, self.rows = numpy, rows
        self.paths = {name: os.path.join(folder, name + ".npy") for name in "xws"}
        # Both x and the weights repeat after 17 rows, so that a few are enough.
        self.period = self.pattern(numpy.arange(17)[:, None], numpy.arange(COLUMNS)[None, :])
        self.weights = (numpy.arange(COLUMNS)[:, None] * 5 + numpy.arange(24)[None, :]) % 5 - 2
        x = self.create("x", (rows, COLUMNS))
        block = numpy.resize(self.period, (17 * 2048, COLUMNS)).astype(numpy.float16)
        for begin in range(0, rows, len(block)):
            end = min(begin + len(block), rows)
            x[begin:end] = block[:end - begin]
        self.create("w", self.weights.shape)[:] = self.weights
        # Row k of the other factor picks the rows of x at places far apart, and takes one
        # of them away again.
        self.picked = [[(k * 131071 + part * (rows // 4) + 17 * k) % rows for part in range(4)] for k in range(24)]
        s = self.create("s", (24, rows))
        for k, places in enumerate(self.picked):
            for place, sign in zip(places, (1, 1, -1, 1)):
                s[k, place] += sign
        for array in (x, s):
            array.flush()

    def create(self, name, shape):
        return self.numpy.lib.format.open_memmap(self.paths[name], "w+", self.numpy.float16, shape)

    @staticmethod
    def pattern(i, j):
        return (7 * i + 3 * j) % 17 - 8

    def check_rows(self, path, of_period):
        """Compares with what `of_period` says of the first 17 rows, and so of all."""
        numpy = self.numpy
        found = numpy.load(path, mmap_mode="r")
        wanted = numpy.resize(of_period, (17 * 2048, *of_period.shape[1:])).astype(found.dtype)
        for begin in range(0, self.rows, len(wanted)):
            rows = found[begin:begin + len(wanted)]
            if (rows == wanted[:len(rows)]).all():
                continue
            wrong = numpy.argwhere(rows != wanted[:len(rows)])
            at = tuple(int(i) for i in wrong[0])
            return f"{len(wrong)} wrong results from row {begin} to {begin + len(rows)}; at " \
                   f"{(at[0] + begin, *at[1:])}: got {rows[at]}, wanted {wanted[at]}"
        return None

    def pointwise(self, path):
        return self.check_rows(path, 2 * self.period + 1)

    def sums(self, path):
        return self.check_rows(path, self.period.sum(axis=1))

    def left_factor(self, path):
        return self.check_rows(path, self.period @ self.weights)

    def right_factor(self, path):
        found = self.numpy.load(path)
        for k, places in enumerate(self.picked):
            wanted = sum(sign * self.period[place % 17] for place, sign in zip(places, (1, 1, -1, 1)))
            if not (found[k] == wanted).all():
                at = int((found[k] != wanted).argmax())
                return f"at {(k, at)}: got {found[k, at]}, wanted {wanted[at]}"
        return None


def main():
    arguments = parser(__doc__, timeout=300)
    arguments.add_argument("--rows", type=int, default=3 << 20, help="of x, which has 1024 columns")
    arguments.add_argument("--folder", help="where the files may lie for a while")
    arguments.set_defaults(jobs=2)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        data = None if options.list else Data(folder, options.rows)
        cases = []
        reading = threading.Lock()
        for name, text, inputs in (("pointwise", POINTWISE, "x"), ("sums", SUMS_OF_ROWS, "x"),
                                   ("left_factor", LEFT_FACTOR, "xw"), ("right_factor", RIGHT_FACTOR, "xs")):
            graph = os.path.join(folder, name + ".mlir")
            with open(graph, "w") as file:
                file.write(text.format(rows=options.rows))
            for chip in chips(options):
                output = os.path.join(folder, f"{name}.{chip}.npy")

                def judge(printed, name=name, output=output):
                    with reading:
                        problem = getattr(data, name)(output)
                        os.remove(output)
                        return problem

                files = [f"--input={i}={os.path.join(folder, i + '.npy')}" for i in inputs]
                cases.append(Case(f"{name} {chip}", fuse_run(options, graph, chip, *files, f"--output=0={output}"), judge))
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
