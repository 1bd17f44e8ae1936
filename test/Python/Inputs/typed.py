"""Prints every public function of the package that does not say what it takes and gives, and counts the others.

usage: typed.py PACKAGE
"""

import ast
import pathlib
import sys

# What others import; the rest of the package is its own business.
PUBLIC = ("__init__", "_program", "_library", "graph", "torch")


def functions(node, prefix):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            yield from functions(child, f"{prefix}.{child.name}")
        elif isinstance(child, ast.FunctionDef) and (not child.name.startswith("_") or child.name.endswith("__")):
            yield f"{prefix}.{child.name}", child


count = 0
for module in PUBLIC:
    tree = ast.parse((pathlib.Path(sys.argv[1]) / (module + ".py")).read_text())
    for name, function in functions(tree, module):
        arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        missing = [argument.arg for argument in arguments
                   if argument.annotation is None and argument.arg not in ("self", "cls")]
        if missing or (function.returns is None and function.name != "__init__"):
            print(f"{name} does not say all types: {', '.join(missing) or 'its result'}")
        count += 1
print(f"{count} functions")
