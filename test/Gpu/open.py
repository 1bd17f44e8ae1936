#!/usr/bin/env python3
"""Compiles graphs whose sizes are open, runs each at many sizes on a GPU, and compares with the reference.

    open.py FUSE [--chip=sm_80,sm_90a] [--jobs=N] [--most=N]

Each case is one compilation (fuse-run --open-sizes), whose kernels then run at all of
its sizes, none and odd ones among them. --most leaves out what is larger, but for the
hints, as simulated GPUs are slow.
"""

import os
import sys
import tempfile

import graphs
from cases import Case, chips, fuse_run, parser, run_all

# Rows and, where rows are open, too, what they are made of. The first is the hint.
ROWS = [100, 1, 0, 2, 3, 7, 13, 16, 17, 63, 65, 127, 197, 257, 1000, 4099]
# Of sizes: larger than all.
ANY = 1 << 62
# Of D4: the reference takes seconds to compile for each.
FEW = [65, 0, 1]
PAIRS = [(64, 128), (1, 1), (3, 4099), (0, 7), (257, 1000), (4099, 3), (17, 16), (128, 65), (2, 0), (65, 127)]
TRIPLES = [(64, 128, 96), (1, 1, 1), (0, 3, 2), (257, 65, 127), (5, 0, 7), (17, 1000, 13), (128, 64, 256),
           (1000, 16, 63), (3, 4099, 2), (64, 128, 0)]

# With less than 7 rows the reference's own error, which says what is allowed, is a matter of luck in D1: four layers
# of f32, 16 results a row.
MANY = [100, 0, 7, 13, 63, 257, 1000, 4099]

# Examples whose rows are open as they are: each argument and what a row of it is.
EXAMPLES = {
    "first": {"x": (64,)},
    "D1": {"x": (13,)},
    "D1_f16": {"x": (13,)},
    "D2": {"x": (512,)},
    "D2_f16": {"x": (512,)},
    "X_cosine": {"a": (300,), "b": (300,)},
    "X_l2_linear": {"x": (256,)},
    "X_residual": {"x": (384,), "r": (384,)},
    "X_router": {"x": (256,)},
    "X_swiglu": {"x": (192,)},
}

# Those of fixed size: which types get other sizes, and which arguments have open ones.
OPENED = {
    "F1": ({"x": ("?", 128), "w1": (128, 512), "w2": (512, 128), "h": ("?", 512), "hf": ("?", 512),
            "acc": ("?", 128), "y": ("?", 128)}, {"x": (128,)}),
    "R1": ({"x": ("?", "?")}, {"x": None}),
    "R2": ({"x": ("?", "?"), "f": ("?", "?")}, {"x": None}),
    "R3": ({"x": ("?", 520), "f": ("?", 520), "n": (520,)}, {"x": (520,)}),
    "R3rms": ({"x": ("?", "?"), "f": ("?", "?"), "n": ("?",)}, {"x": None, "gamma": "columns"}),
}

# A product of which all three sizes are open, in one type and another.
PRODUCT = """func.func @product(%x: tensor<?x?x{0}> {{fuse.name = "x"}}, %w: tensor<?x?x{0}> {{fuse.name = "w"}})
    -> tensor<?x?x{0}> {{
  %0 = fuse.matmul %x, %w : tensor<?x?x{0}>, tensor<?x?x{0}> -> tensor<?x?xf32>
  %1 = fuse.gelu tanh %0 : tensor<?x?xf32>
  {1}
}}
"""
# Whose rounds are one, in blocks that walk or do not, as the hint says.
ONE_ROUND = """func.func @linear(%x: tensor<?x64xbf16> {fuse.name = "x"}, %w: tensor<64x128xbf16>) -> tensor<?x128xbf16> {
  %0 = fuse.matmul %x, %w : tensor<?x64xbf16>, tensor<64x128xbf16> -> tensor<?x128xf32>
  %1 = arith.truncf %0 : tensor<?x128xf32> to tensor<?x128xbf16>
  return %1 : tensor<?x128xbf16>
}
"""
NARROWED = "%2 = arith.truncf %1 : tensor<?x?xf32> to tensor<?x?x{0}>\n  return %2 : tensor<?x?x{0}>"


def shape(name, sizes):
    return f"--shape={name}:" + "/".join("x".join(map(str, size)) for size in sizes)


def shapes_of(arguments, pairs, row_counts):
    given = []
    for name, row in arguments.items():
        if row is None:
            given.append(shape(name, pairs))
        elif row == "columns":
            given.append(shape(name, [(columns,) for _, columns in pairs]))
        else:
            given.append(shape(name, [(rows, *row) for rows in row_counts]))
    return given


def cases_of(most=ANY):
    """Names, graphs and shapes: the hints, and others of which no size is more than `most`."""
    def small(sizes):
        return sizes[:1] + [size for size in sizes[1:] if max(size if isinstance(size, tuple) else (size,)) <= most]

    pairs, triples = small(PAIRS), small(TRIPLES)
    for name, arguments in EXAMPLES.items():
        yield name, graphs.example(name), shapes_of(arguments, pairs, small(MANY if name == "D1" else ROWS))
    for name, (types, arguments) in OPENED.items():
        yield name, graphs.resize(graphs.example(name), types), shapes_of(arguments, pairs, small(ROWS))
    yield "D4", graphs.example("D4").replace("dense<100000>", "dense<11>").replace("100000x", "11x"), [
        shape("x", [(rows, 13) for rows in FEW]), shape("ids", [(rows, 26) for rows in FEW])]
    for element in ("f32", "bf16", "f16"):
        result = "return %1 : tensor<?x?xf32>" if element == "f32" else NARROWED.format(element)
        product = [shape("x", [(m, k) for m, k, _ in triples]), shape("w", [(k, n) for _, k, n in triples])]
        yield f"product_{element}", PRODUCT.format(element, result), product
    for hint in (256, 20000):
        yield f"one_round_{hint}", ONE_ROUND, [shape("x", [(rows, 64) for rows in [hint, *small(ROWS)]])]


def main():
    arguments = parser(__doc__, timeout=300)
    arguments.add_argument("--most", type=int, default=ANY, help="leave out larger sizes, but for the hints")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for name, text, shapes in cases_of(options.most):
            path = os.path.join(folder, name + ".mlir")
            with open(path, "w") as file:
                file.write(text)
            cases += [Case(f"{name} {chip}", fuse_run(options, path, chip, "--open-sizes", "--verify", *shapes))
                      for chip in chips(options)]
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
