"""Runs every block of Python that a document shows, those of one document one after the other. What stands behind an
expression as a comment, and is a literal, has to be its value.

    run-python.py SOURCE

The current folder should be one of its own: there is a link to the documents in it, and blocks may write files. A block that
wants a package that is not there, and that nobody has to install, is compiled only.
"""

import ast
import os
import pathlib
import re
import sys

from blocks import blocks

OPTIONAL = ("cupy", "jax", "torch")


def expected_value(lines, statement):
    """What the comment behind an expression says, in a tuple, or None where it is a comment for people."""
    rest = lines[statement.end_lineno - 1].encode()[statement.end_col_offset:].decode()
    comment = re.fullmatch(r"\s*#\s*(.*\S)\s*", rest)
    try:
        return (ast.literal_eval(comment[1]),) if comment else None
    except (SyntaxError, ValueError):
        return None


def run(block, names):
    # Lines have the numbers that they have in the document.
    text = ""
    for line, part in block.parts:
        text += "\n" * (line - 1 - text.count("\n")) + part
    lines = text.split("\n")
    for statement in ast.parse(text, str(block.path)).body:
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), str(block.path), "eval"), names)
            expected = expected_value(lines, statement)
            if expected is not None and value != expected[0]:
                raise SystemExit(f"{block.path.name}:{statement.lineno}: it is {value!r}, but the document says "
                                 f"{expected[0]!r}")
        else:
            exec(compile(ast.Module([statement], []), str(block.path), "exec"), names)


def main():
    source = pathlib.Path(sys.argv[1])
    if not os.path.exists("docs"):
        os.symlink(source / "docs", "docs")
    count = compiled = 0
    for document in blocks(source, "python"):
        names = {}
        for block in document:
            try:
                run(block, names)
                count += 1
            except ModuleNotFoundError as error:
                if error.name not in OPTIONAL:
                    raise
                compiled += 1
    print(f"{count} blocks ran, {compiled} only compiled")


if __name__ == "__main__":
    main()
