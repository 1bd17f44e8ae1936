"""Turns the examples of the generated op documentation into modules.

usage: extract-examples.py TileDialect.md

Every example is a module of its own, split from the next by a line. Fails if
an op has no example.
"""

import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    # Each op has a heading with its name.
    sections = re.split(r"^#+ `?tile\.(\w+)`? \(.*$", text, flags=re.M)
    names = sections[1::2]
    if not names:
        sys.exit("no op is documented")
    examples = re.findall(r"^```mlir\n(.*?)^```$", text, re.M | re.S)
    for name in names:
        if not any(re.search(rf"tile\.{name}\b", example) for example in examples):
            sys.exit(f"tile.{name} has no example")
    print("\n// -----\n".join(examples), end="\n// -----\n")


main()
