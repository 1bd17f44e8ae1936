"""Compiles every block of C and C++ that a document shows, each as a file of its own. What has a main is linked with fuse's
libraries for C, and runs.

    run-programs.py SOURCE BUILD

The current folder should be one of its own: there is a link to the documents in it, and programs may write files.
"""

import os
import pathlib
import re
import subprocess
import sys

from blocks import blocks

COMPILERS = {"c": ["clang-22", "-std=c11"], "cpp": ["clang++-22", "-std=c++20"]}


def run(block, command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{block}: {command[0]} ends with {done.returncode}\n{done.stdout}{done.stderr}")


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    if not os.path.exists("docs"):
        os.symlink(source / "docs", "docs")
    compiled = ran = 0
    for document in blocks(source, *COMPILERS):
        for block in document:
            name = f"{block.path.stem}-{block.line}.{block.language}"
            text = "".join(f'#line {line} "{block.path}"\n{part}' for line, part in block.parts)
            pathlib.Path(name).write_text(text)
            command = [*COMPILERS[block.language], "-Wall", "-Wextra", "-Werror", "-Wno-unused", f"-I{source}/include"]
            is_program = re.search(r"^int main\(", text, re.M)
            run(block, command + ([name, "-o", f"{name}.out", f"-L{build}/lib", f"-Wl,-rpath,{build}/lib",
                                   "-lfuse-compiler", "-lfuse"] if is_program else ["-fsyntax-only", name]))
            compiled += 1
            if is_program:
                run(block, [f"./{name}.out"])
                ran += 1
    print(f"{compiled} blocks compiled, {ran} ran")


if __name__ == "__main__":
    main()
