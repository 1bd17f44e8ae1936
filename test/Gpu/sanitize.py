#!/usr/bin/env python3
"""Runs small cases of every kind of kernel under compute-sanitizer on a GPU.

    sanitize.py FUSE [--tools=memcheck,racecheck,initcheck,synccheck] [--chip=sm_80,sm_90a]

A case passes if the tool finds nothing and the results are right.
"""

import os
import shutil
import sys
import tempfile

import graphs
from cases import Case, fuse_run, parser, run_all

# Sizes of families: within one tile, and several tiles of which the last is ragged.
# Rows of whole 16 bytes are copied by the copy engine or by cp.async, others are not.
# With more blocks than processors they walk through the grid; with few rows products
# are transposed, and with few blocks their sums are split.
SIZES = {
    "linear_f16": [{"M": 13, "K": 37, "N": 19}, {"M": 200, "K": 328, "N": 264}, {"M": 64, "K": 4096, "N": 256}],
    "linear_bf16": [{"M": 131, "K": 197, "N": 139}, {"M": 264, "K": 200, "N": 136}, {"M": 4, "K": 512, "N": 1024},
                    {"M": 2040, "K": 64, "N": 2184}],
    "linear_f32": [{"M": 67, "K": 132, "N": 72}],
    "linear_tf32": [{"M": 131, "K": 132, "N": 136}, {"M": 264, "K": 256, "N": 264}],
    "linear_tf32x3": [{"M": 65, "K": 68, "N": 72}, {"M": 264, "K": 256, "N": 264}, {"M": 1000, "K": 132, "N": 1024}],
    "linear_f8": [{"M": 131, "K": 208, "N": 144}, {"M": 16, "K": 1024, "N": 512}],
    "norm_linear_gelu": [{"M": 67, "K": 136, "N": 72}],
    "gate_tf32": [{"M": 67, "K": 132, "N": 68}],
    "gate_bf16": [{"M": 131, "K": 136, "N": 72}, {"M": 1100, "K": 72, "N": 2176}],
    "lora": [{"M": 131, "K": 136, "N": 136}],
    "mlp": [{"M": 131, "K": 64, "N": 136}],
    "attention_bf16": [{"S": 197, "D": 64}, {"S": 37, "D": 5}],
    "attention_padded": [{"S": 197, "D": 64}],
    "attention_f32": [{"S": 131, "D": 64}],
    "softmax_f32": [{"M": 300, "N": 13}],
    "softmax_bf16": [{"M": 7, "N": 4099}, {"M": 2, "N": 40003}],
    "softmax_masked": [{"S": 67}],
    "layer_norm": [{"M": 7, "N": 1000}, {"M": 300, "N": 13}],
    "pointwise_sigmoid": [{"M": 67, "N": 129}],
}

# Blocks that walk with a processor for themselves, and several that share one: families, sizes and schedules.
FORCED = {
    "bytes_walk": ("linear_f8", {"M": 2040, "K": 272, "N": 3088}, "@scaled_linear_relu_0:parallel = [256, 128]"),
    "crews": ("linear_bf16", {"M": 2040, "K": 72, "N": 2184}, "@linear_relu_0:parallel = [64, 64], crews = 2"),
    "two_blocks": ("linear_bf16", {"M": 2040, "K": 72, "N": 2184}, "@linear_relu_0:parallel = [128, 64], residents = 2"),
    "three_blocks": ("linear_bf16", {"M": 2040, "K": 72, "N": 2184}, "@linear_relu_0:parallel = [64, 64], residents = 3"),
}

# Heads enough for blocks of causal attention to walk, and to take turns.
HEADS = {"q": (2, 70, 200, 64), "kt": (2, 70, 64, 200), "s": (2, 70, 200, 200), "probs": (2, 70, 200, 200),
         "ij": (2, 70, 200, 200), "keep": (2, 70, 200, 200), "acc": (2, 70, 200, 64)}

T1 = {"x": (67, 48), "xf": (67, 48), "vec": (48,), "wqkv": (48, 144), "bqkv": (144,), "qkv": (67, 144),
      "qkvf": (67, 144), "split": (67, 3, 16), "head": (3, 67, 16), "headf": (3, 67, 16), "kt": (3, 16, 67),
      "s": (3, 67, 67), "probs": (3, 67, 67), "ij": (3, 67, 67), "keep": (3, 67, 67), "wo": (48, 48), "w1": (48, 192),
      "b1": (192,), "mid": (67, 192), "midf": (67, 192), "w2": (192, 48)}
T1_TEXT = (("[:, 0:768]", "[:, 0:48]"), ("[:, 768:1536]", "[:, 48:96]"), ("[:, 1536:2304]", "[:, 96:144]"),
           ("[12, 64]", "[3, 16]"), ("dense<0.125>", "dense<0.25>"))
D4 = {"w1": (13, 24), "b1": (24,), "h1": ("?", 24), "w2": (24, 16), "b2": (16,), "h2": ("?", 16), "w3": (16, 8),
      "b3": (8,), "h3": ("?", 8), "w4": (8, 3), "b4": (3,), "h4": ("?", 3), "table": (11, 3), "embedding": ("?", 3),
      "c": ("?", 81), "outer": ("?", 81, 81), "flat": ("?", 6561), "w5": (6561, 5), "b5": (5,), "h5": ("?", 5),
      "w6": (5, 1)}

# What is stored across what was read, through shared memory.
ACROSS = """func.func @across(%x: tensor<3x200x328xELEMENT> {fuse.name = "x"}) -> tensor<3x328x200xELEMENT> {
  %y = fuse.transpose %x [0, 2, 1] : tensor<3x200x328xELEMENT>
  return %y : tensor<3x328x200xELEMENT>
}
"""


def written(folder, name, text):
    path = os.path.join(folder, name + ".mlir")
    with open(path, "w") as file:
        file.write(text)
    return path


def cases_of(folder):
    """Names, graphs and further arguments."""
    for family in graphs.FAMILIES:
        for sizes in SIZES.get(family.name, []):
            name = family.name + "".join(f"-{letter}{size}" for letter, size in sizes.items())
            yield name, written(folder, name, family.graph(sizes)), family.inputs
    for name, (which, sizes, schedule) in FORCED.items():
        family = next(family for family in graphs.FAMILIES if family.name == which)
        yield name, written(folder, name, family.graph(sizes)), ["--schedule=" + schedule]
    for element in ("bf16", "f32"):
        name = "across_" + element
        yield name, written(folder, name, ACROSS.replace("ELEMENT", element)), ["--schedule=@across_0:parallel = [1, 64, 64]"]
    yield "many_heads", written(folder, "many_heads", graphs.resize(graphs.example("A3"), HEADS)), []
    yield "T1", written(folder, "T1", graphs.resize(graphs.example("T1"), T1, T1_TEXT)), [
        f"--input={name}=uniform:-0.3:0.3" for name in ("wqkv", "wo", "w1", "w2")]
    yield "D4", written(folder, "D4", graphs.resize(graphs.example("D4"), D4, (("dense<100000>", "dense<11>"),))), [
        "--shape=x:9x13", "--shape=ids:9x26", "--input=w5=uniform:-0.05:0.05"]
    yield "D1_f16", written(folder, "D1_f16", graphs.example("D1_f16")), ["--shape=x:67x13"]
    yield "D2", written(folder, "D2", graphs.example("D2")), ["--shape=x:67x512"]


def clean(printed):
    """What the tool found though it ended well, or None."""
    found = [line for line in printed.splitlines() if "ERROR SUMMARY" in line or "RACECHECK SUMMARY" in line]
    if not found:
        return "the tool printed no summary"
    return None if all("0 errors" in line or "0 hazards" in line for line in found) else " | ".join(found)


def main():
    arguments = parser(__doc__, timeout=300)
    arguments.add_argument("--tools", default="memcheck,racecheck,initcheck,synccheck")
    arguments.add_argument("--sanitizer", default="compute-sanitizer", help="the program")
    options = arguments.parse_args()
    sanitizer = shutil.which(options.sanitizer) or shutil.which(options.sanitizer, path="/usr/local/cuda/bin")
    if not sanitizer and not options.list:
        arguments.error(f"{options.sanitizer} is not found")
    with tempfile.TemporaryDirectory() as folder:
        made = list(cases_of(folder))
        cases = [Case(f"{name} {chip} {tool}",
                      [sanitizer or options.sanitizer, f"--tool={tool}", "--error-exitcode=97",
                       *fuse_run(options, path, chip, "--verify", *more)], clean)
                 for tool in options.tools.split(",") for chip in options.chip.split(",")
                 for name, path, more in made]
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
