"""Writes deep networks of equal layers.

usage: stack-layers.py chain COUNT           products of width 32 and relu
       stack-layers.py FILE.mlir COUNT       the function of an example, whose
                                             first argument has the type of its
                                             result, COUNT times in a row
"""

import re
import sys


def chain(count):
    x, w = "tensor<4096x32xf32>", "tensor<32x32xf32>"
    lines = [f"func.func @deep(%x0: {x}, %w: {w}) -> {x} {{"]
    for i in range(count):
        lines.append(f"  %p{i} = fuse.matmul %x{i}, %w : {x}, {w} -> {x}")
        lines.append(f"  %x{i + 1} = fuse.relu %p{i} : {x}")
    return "\n".join(lines + [f"  return %x{count} : {x}", "}"])


def stack(path, count):
    text = open(path).read()
    head, arguments, result, body, last, _ = re.fullmatch(
        r"(.*)func\.func @\w+\((.*?)\) -> (\S+) \{\n(.*)  return %(\w+) : (\S+)"
        r"\n\}\n", text, re.DOTALL).groups()
    names = re.findall(r"%(\w+): (!\w+)", arguments)
    first = names[0][0]
    # The others are each layer's own.
    own = [f"%{name}_{i}: {kind}" for i in range(count)
           for name, kind in names[1:]]
    lines = [head + f"func.func @deep(%{first}_0: {result},",
             ",\n".join(own) + f") -> {result} {{"]
    for i in range(count):
        layer = re.sub(r"%(\w+)", rf"%\1_{i}", body)
        lines.append(layer.replace(f"%{last}_{i} =", f"%{first}_{i + 1} ="))
    return "\n".join(lines + [f"  return %{first}_{count} : {result}", "}"])


def main():
    what, count = sys.argv[1], int(sys.argv[2])
    print(chain(count) if what == "chain" else stack(what, count))


main()
