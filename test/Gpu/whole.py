#!/usr/bin/env python3
"""Tries functions of one argument on all f32, and those of two on a billion pairs, on a GPU.

    whole.py FUSE [--every=N] [--chip=sm_90a] [--table] [--files]

Graphs are compiled and run in this process, by the Python package, and compared on the
same GPU with what PyTorch says in f64: a function takes a second or two. It passes if no
result is further off than docs/Math.md says. Of pairs, `grid` has every exponent with
every other one and mantissas where something changes; `powers` has exponents for which
the result is a number; the other sets are where powers are hard: next to 1, of whole
numbers and halves, of the least and the largest numbers, and of negative ones to large
whole numbers. --every takes one argument of so many. --files has FUSE run the graphs on
files instead, also where there is no GPU. Needs FUSE_LIBRARY_DIR, but for --files, and
PyTorch and NumPy.
"""

import os
import subprocess
import sys
import tempfile
import threading

from cases import chips, fuse_run, parser, run_all
from functions import COLUMNS, DOCUMENT, Judge, accurate, arguments_of, body, documented, fast

# How many arguments are tried at a time.
PIECE = 1 << 25
MASK = (1 << 32) - 1

# The ends and the middle of a binade, the root of 2, thirds and fifths.
MANTISSAS = [0, 1, 2, 3, 0x7FFFFF, 0x7FFFFE, 0x7FFFFD, 0x400000, 0x400001, 0x3FFFFF, 0x3504F3, 0x3504F4, 0x3504F2, 0x200000,
             0x100000, 0x600000, 0x080000, 0x000100, 0x555555, 0x2AAAAA, 0x2AAAAB, 0x333333, 0x199999, 0x19999A, 0x4CCCCD,
             0x16A09E, 0x5A8279, 0x0F0F0F, 0x317218, 0x38AA3B, 0x490FDB, 0x123456]


def floats(torch, bits):
    """The f32 of so many bits."""
    bits = bits & MASK
    return torch.where(bits >= 1 << 31, bits - (1 << 32), bits).to(torch.int32).view(torch.float32)


def mixed(n):
    """32 bits that look like chance; n has at most 30."""
    n = n * 0x9E3779B1 & MASK
    n = (n ^ n >> 15) * 0x2C1B3C6D & MASK
    return n ^ n >> 13


def exponent_for(torch, x, n):
    """A y for which x to the power of y is any number between 2^-152 and 2^129."""
    wanted = mixed(n).double() * (281 / 2 ** 32) - 152
    return (wanted / torch.log2(x.double())).float()


def grid(torch, n):
    table = torch.tensor(MANTISSAS, device=n.device)

    def number(index):
        return floats(torch, (index >> 5) * (1 << 23) + table[index & 31])
    return number(n >> 14), number(n & 0x3FFF)


def powers(torch, n):
    x = floats(torch, 4 * n + (mixed(n) & 3))
    return x, exponent_for(torch, x, n)


def near_one(torch, n):
    x = floats(torch, 0x3F800000 - (1 << 20) + (n & (1 << 21) - 1))
    return x, exponent_for(torch, x, n)


def whole_numbers(torch, n):
    return ((n >> 10) - (1 << 13)).float() / 2, ((n & 1023) - 512).float() / 2


def extremes(torch, n):
    """Numbers below the least normal one, or of the last two binades, of either sign, to powers next to simple ones."""
    index = n >> 8
    x = floats(torch, torch.where(index >> 16 & 1 > 0, 0x7F800000 - 256 * (1 + (index & 0xFFFF)), 128 * (index & 0xFFFF))
               + ((index >> 17) << 31))
    bases = torch.tensor([1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, 1 / 3], device=n.device).view(torch.int32).long()
    return x, floats(torch, bases[n >> 5 & 7] + (n & 31) - 16)


def parities(torch, n):
    x = floats(torch, 0xBF800000 - (1 << 11) + (n >> 12))
    # From 2^22, where halves are left, to 2^25, where all are even.
    y = floats(torch, 0x4A800000 + (n >> 1 & 0x7FF) * 0x3001)
    return x, torch.where(n & 1 > 0, -y, y)


# Of each set: how many pairs it has.
SETS = {grid: 1 << 28, powers: 1 << 29, near_one: 1 << 26, whole_numbers: 1 << 24, extremes: 1 << 26, parities: 1 << 24}


def graph(function, count):
    second = {False: "", True: ', %y: !t {fuse.name = "y"}'}[function.is_binary]
    if function.arguments == "power":
        second = ', %n2: !i {fuse.name = "y"}'
    shape = f"tensor<{count // COLUMNS}x{COLUMNS}x"
    return (f"!t = {shape}f32>\n!i = {shape}i32>\n"
            f'func.func @f(%x: !t {{fuse.name = "x"}}{second}) -> !t {{\n'
            + "\n".join(body(function)) + "\n  return %result : !t\n}\n")


class Whole:
    """A function on a set of arguments: a case of cases.py."""

    def __init__(self, function, arguments, count, chip, every, runner):
        self.function, self.arguments, self.every, self.runner = function, arguments, every, runner
        # A multiple of what a row has, and of what is tried at a time.
        count = max(count // self.every // COLUMNS, 1) * COLUMNS
        self.piece = min(PIECE, count)
        self.count = count // self.piece * self.piece
        self.chip = chip
        self.name = f"{function.name} {arguments.__name__} {chip}"
        self.command = [f"{self.count} arguments, {self.every} apart"]

    def run(self, timeout):
        """What is wrong with it, or None."""
        compiled = self.runner.compile(graph(self.function, self.piece), self.chip)
        # One at a time has the GPU; others compile meanwhile.
        with self.runner.turn:
            for begin in range(0, self.count, self.piece):
                n = self.runner.torch.arange(begin, begin + self.piece, device=self.runner.judge.device) * self.every
                arguments = self.arguments(self.runner.torch, n)
                found = self.runner.apply(compiled, arguments, self.piece)
                wide = [argument.double() for argument in arguments]
                if problem := self.runner.judge.check(self.function, found.double(), wide):
                    return problem
        return None


class InProcess:
    """Runs graphs by the package."""

    def __init__(self, options, folder):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "python"))
        import fuse
        self.fuse, self.options, self.judge, self.turn = fuse, options, Judge(options), threading.Lock()
        self.torch = self.judge.torch

    def compile(self, text, chip):
        is_gpu = self.judge.device == "cuda"
        compiled = self.fuse.compile(text, chip=chip if is_gpu else None, cache=False)
        shape = tuple(int(size) for size in text.split("tensor<", 1)[1].split("x")[:2])
        compiled.image([shape] * text.split("->")[0].count("fuse.name"), self.judge.device)
        return compiled

    def apply(self, compiled, arguments, count):
        return compiled(*(argument.view(count // COLUMNS, COLUMNS) for argument in arguments)).view(-1)


class ByFiles:
    """Has the executable run them."""

    def __init__(self, options, folder):
        import numpy
        self.numpy, self.options, self.folder, self.judge = numpy, options, folder, Judge(options)
        self.torch, self.turn, self.made = self.judge.torch, threading.Lock(), 0

    def compile(self, text, chip):
        with self.turn:
            self.made += 1
            path = os.path.join(self.folder, f"{self.made}.mlir")
        with open(path, "w") as file:
            file.write(text)
        return path, chip

    def apply(self, compiled, arguments, count):
        path, chip = compiled
        inputs = []
        for name, argument in zip("xy", arguments):
            inputs.append(f"--input={name}={self.folder}/{name}.npy")
            self.numpy.save(f"{self.folder}/{name}.npy", argument.cpu().numpy().reshape(-1, COLUMNS))
        output = f"{self.folder}/result.npy"
        done = subprocess.run(fuse_run(self.options, path, chip, *inputs, f"--output=0={output}"), capture_output=True,
                              text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[:300])
        return self.torch.from_numpy(self.numpy.load(output)).reshape(-1).to(self.judge.device)


def sets_of(function):
    """What a function is tried on, and how many there are."""
    if not function.is_binary:
        def all(torch, n):
            return [floats(torch, n)]
        return [(all, 1 << 32)]

    def scattered(torch, n):
        found = arguments_of(function, torch, 4 * n + (mixed(n) & 3))
        return [found[0].float(), found[1].int() if function.arguments == "power" else found[1].float()]
    made = [(scattered, 1 << 30)]
    # Each of these twice would say nothing new.
    if function.arguments == "pairs":
        made.append((grid, SETS[grid]))
        if "powf" in function.name:
            made = made + [each for each in SETS.items() if each[0] is not grid]
    return made


def main():
    arguments = parser(__doc__, chips="sm_90a", timeout=600)
    arguments.add_argument("--every", type=int, default=1, help="one argument of so many, an odd number")
    arguments.add_argument("--table", action="store_true", help="print the largest error of each function")
    arguments.add_argument("--files", action="store_true", help="let FUSE run the graphs")
    options = arguments.parse_args()
    if options.every < 1 or options.every % 2 == 0:
        arguments.error("--every has to be odd")
    functions = accurate(documented(DOCUMENT)) + fast()
    with tempfile.TemporaryDirectory() as folder:
        runner = None if options.list else (ByFiles if options.files else InProcess)(options, folder)
        cases = [Whole(function, arguments, count, chip, options.every, runner) for function in functions
                 for chip in chips(options) for arguments, count in sets_of(function)]
        status = run_all(cases, options)
    if options.table and runner:
        for name, (off, at) in runner.judge.worst.items():
            print(f"{name:16} {off:10.4g} at {', '.join(f'{value:.9g}' for value in at)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
