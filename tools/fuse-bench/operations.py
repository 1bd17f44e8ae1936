"""How many operations a graph asks for, and how many bytes: what follows from the graph, whatever is made of it.

Of a graph that has products only they count, two operations for each pair of factors, as everywhere; in those beside
a mask only what it keeps. Of another one counts what is computed with floats, in the words that composites stand for: one
operation for each element of what an op of arith or math makes, or of what a reduction reads. Conversions, comparisons and
selections are none.
Bytes are those of outputs and of the inputs that are read; of a table only the rows that are looked up.
"""

import math
import re
import subprocess
from dataclasses import dataclass

ARGUMENT = re.compile(r"(%arg\d+): (tensor<[^>]*>|\w+)")
OP = re.compile(r'^\s*(?:(%\w+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)')
TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(\w+)>")
NO_OPERATIONS = ("arith.constant", "arith.extf", "arith.truncf", "arith.cmpf", "arith.select", "arith.bitcast",
                 "arith.sitofp", "arith.uitofp")


@dataclass
class Tensor:
    shape: tuple
    element: str

    def count(self):
        return math.prod(self.shape)

    def size(self):
        """Bytes; a truth value takes one."""
        return self.count() * max(int(re.search(r"\d+", self.element)[0]) // 8, 1)

    def is_float(self):
        return self.element.startswith(("f", "bf"))


@dataclass
class Op:
    name: str
    result: str
    operands: list
    inputs: list
    outputs: list


@dataclass
class Count:
    """What is asked for."""
    flops: int
    bytes: int


def tensors(text):
    """Those that a list of types has, in order; other types have no place."""
    return [Tensor(tuple(int(extent) for extent in shape.split("x")[:-1]), element) for shape, element in TENSOR.findall(text)]


def ops_of(text):
    """The ops of a function in generic form, a line each."""
    made = []
    for line in text.splitlines():
        found = OP.match(line)
        if not found or found[2] in ("builtin.module", "func.func"):
            continue
        types = line[line.rindex(" : (") + 4:]
        inputs, _, outputs = types.partition(") -> ")
        made.append(Op(found[2], found[1] or "", re.findall(r"%\w+", found[3]), tensors(inputs), tensors(outputs)))
    return made


def products_of(ops, kept):
    """Operations of products; those whose result or first factor is as large as what is masked are kept in part."""
    masked = [op.outputs[0].shape for op in ops if op.name == "arith.select" and len(op.outputs[0].shape) > 1]
    total = 0
    for op in ops:
        if op.name != "fuse.matmul":
            continue
        left, result = op.inputs[0], op.outputs[0]
        whole = 2 * result.count() * left.shape[-1]
        total += round(whole * kept) if left.shape in masked or result.shape in masked else whole
    return total


def others_of(ops):
    """Operations that are no products."""
    total = 0
    for op in ops:
        if not op.outputs or not op.outputs[0].is_float() or op.name in NO_OPERATIONS:
            continue
        if op.name == "fuse.reduce":
            total += op.inputs[0].count()
        elif op.name.startswith(("arith.", "math.")):
            total += op.outputs[0].count()
    return total


def bytes_of(arguments, ops):
    total = sum(tensor.size() for op in ops if op.name == "func.return" for tensor in op.inputs)
    for name, types in arguments:
        users = [op for op in ops if name in op.operands]
        if not users or not tensors(types):
            continue
        size = tensors(types)[0].size()
        if all(op.name == "fuse.gather" and op.operands.count(name) == 1 and op.operands[0] == name for op in users):
            size = min(size, sum(op.outputs[0].size() for op in users))
        total += size
    return total


def printed(fuse, path, *options):
    """A graph in generic form, or None if it is none."""
    done = subprocess.run([fuse, "fuse-opt", path, *options, "--mlir-print-op-generic"], capture_output=True, text=True,
                          errors="replace")
    return done.stdout if done.returncode == 0 and done.stdout.count('"func.func"(') == 1 else None


def arguments_of(text):
    """Names in the text and types of the arguments of the function."""
    block = re.search(r"^ *\^bb0\((.*)\):$", text, re.M)
    return ARGUMENT.findall(block[1]) if block else []


def sizes_of(text, shapes):
    """The shape of each argument as fuse-bind-sizes wants it, open ones as `shapes` (NAME:8x128) say."""
    said = dict(shape.rpartition(":")[::2] for shape in shapes)
    attributes = re.search(r"arg_attrs = \[(.*?)\], ", text)
    entries = re.findall(r"\{[^{}]*\}", attributes[1]) if attributes else []
    made = []
    for number, (_, types) in enumerate(arguments_of(text)):
        named = re.search(r'fuse\.name = "([^"]*)"', entries[number]) if number < len(entries) else None
        given = said.get(named[1] if named else "", said.get(str(number)))
        found = TENSOR.match(types)
        made.append(given or (found[1][:-1] if found else "") or "scalar")
    return ",".join(made)


def count(fuse, path, shapes, kept):
    """What the graph in a file asks for, or None if that is not known."""
    graph = printed(fuse, path)
    if not graph:
        return None
    steps = f"builtin.module(func.func(fuse-bind-sizes{{shapes={sizes_of(graph, shapes)}}},fuse-decompose))"
    text = printed(fuse, path, "--pass-pipeline=" + steps)
    if not text or any("?" in shape for shape, _ in TENSOR.findall(text)):
        return None
    ops = ops_of(text)
    return Count(products_of(ops, kept) or others_of(ops), bytes_of(arguments_of(text), ops))
