"""Turns the examples of the generated op documentation into a module.

usage: wrap-examples.py FuseDialect.md

Every example becomes a function; what it uses without defining it becomes an
argument. The operands of an op have the types behind its colon, in order, but
for sizes, which are of type index. A kernel has operands in its head and names
of its own in its body. Fails if an op has no example.
"""

import re
import sys


def split_types(text):
    """The parts of a type list, split at commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "<([") - (c in ">)]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def operand_types(statement):
    """Pairs of operand and type of one op in custom assembly."""
    head, _, types = statement.partition(" : ")
    kernel = re.search(r"fuse\.kernel @\w+\((.*?)\)", head)
    if kernel:
        names = re.findall(r"%\w+ = (%\w+)", kernel.group(1))
        inputs = types.split(" -> ")[0].removeprefix("(").removesuffix(")")
        yield from zip(names, split_types(inputs))
        return
    # A terminator has no result.
    head = head.split("=", 1)[-1]
    sizes = re.search(r"sizes \[(.*?)\]", head)
    if sizes:
        for name in re.findall(r"%\w+", sizes.group(1)):
            yield name, "index"
        head = head.replace(sizes.group(0), "")
    operands = re.findall(r"%\w+", head)
    types = split_types(types.split(" -> ")[0])
    # Pointwise ops have one type.
    if head.lstrip().startswith(("arith.", "math.")):
        types *= len(operands)
    # The one type of an op without operands is its result's.
    if operands and len(operands) != len(types):
        sys.exit(f"{len(operands)} operands, {len(types)} types: {statement}")
    yield from zip(operands, types)


def wrap(name, example):
    arguments, defined = {}, set()
    for statement in filter(None, map(str.strip, example.splitlines())):
        if statement == "}":
            continue
        for operand, type in operand_types(statement):
            if operand in defined:
                continue
            if arguments.setdefault(operand, type) != type:
                sys.exit(f"{operand} has two types in the example of {name}")
        defined.update(re.findall(r"%\w+", statement.split("=")[0]))
        if "fuse.kernel" in statement:
            defined.update(re.findall(r"(%\w+) = %", statement))
    inputs = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    return f"func.func @{name}({inputs}) {{\n{example}  return\n}}\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    # Each op has a heading with its name.
    sections = re.split(r"^#+ `?fuse\.(\w+)`? \(.*$", text, flags=re.M)
    names = sections[1::2]
    if not names:
        sys.exit("no op is documented")
    for name, section in zip(names, sections[2::2]):
        examples = re.findall(r"^```mlir\n(.*?)^```$", section, re.M | re.S)
        if not any(f"fuse.{name} " in example for example in examples):
            sys.exit(f"fuse.{name} has no example")
        for number, example in enumerate(examples):
            print(wrap(f"{name}_{number}", example))
    attributes = re.findall(r"`(#fuse\.\w+<.*?>)`", text)
    for number, attribute in enumerate(attributes):
        print(f"func.func private @attribute_{number}() "
              f"attributes {{example = {attribute}}}")


main()
