#!/usr/bin/env python3
"""Runs every family of workloads at awkward sizes on a GPU, and compares with the reference.

    sizes.py FUSE [--chip=sm_80,sm_90a] [--rounds=N] [--jobs=N]

In each of --rounds rounds every size stands once for each letter (M, N, K) of
each family, in an order that is shuffled with a fixed seed. --all takes all
combinations whose reference is no more work than --most-work.
"""

import itertools
import os
import random
import sys
import tempfile

from cases import Case, chips, fuse_run, parser, run_all
from graphs import FAMILIES

SIZES = [1, 2, 3, 7, 13, 16, 17, 63, 65, 127, 197, 257, 1000, 4099]


def usable(family, letter):
    return [size for size in SIZES if size <= family.most.get(letter, SIZES[-1])]


def shuffled_round(family, generator, most_work):
    """Combinations in which every size of every letter is there."""
    columns = {letter: usable(family, letter) for letter in family.letters}
    length = max(map(len, columns.values()))
    for _ in range(1000):
        orders = []
        for letter in family.letters:
            column = list(itertools.islice(itertools.cycle(columns[letter]), length))
            generator.shuffle(column)
            orders.append(column)
        combinations = [dict(zip(family.letters, sizes)) for sizes in zip(*orders)]
        if all(family.work(sizes) <= most_work for sizes in combinations):
            return combinations
    raise ValueError(f"{family.name}: no order of sizes keeps each below {most_work:g} steps")


def combinations(family, options):
    if options.all:
        for sizes in itertools.product(*(usable(family, letter) for letter in family.letters)):
            named = dict(zip(family.letters, sizes))
            if family.work(named) <= options.most_work:
                yield named
        return
    # Each family has an order of its own, the same on every machine.
    generator = random.Random(family.name)
    seen = []
    for _ in range(options.rounds):
        for sizes in shuffled_round(family, generator, options.most_work):
            if sizes not in seen:
                seen.append(sizes)
                yield sizes


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--rounds", type=int, default=1)
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--most-work", type=float, default=1.1e9, help="steps of a reference")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for family in FAMILIES:
            for sizes in combinations(family, options):
                name = family.name + "".join(f"-{letter}{size}" for letter, size in sizes.items())
                path = os.path.join(folder, name + ".mlir")
                with open(path, "w") as file:
                    file.write(family.graph(sizes))
                cases += [Case(f"{name} {chip}", fuse_run(options, path, chip, "--verify", *family.inputs))
                          for chip in chips(options)]
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
