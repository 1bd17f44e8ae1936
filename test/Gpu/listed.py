#!/usr/bin/env python3
"""Runs every workload that fuse-bench lists, at its size and in its types, and compares with PyTorch in f64.

    FUSE_LIBRARY_DIR=build/lib listed.py FUSE [--chip=sm_90a]

Data are made on the GPU as the examples say; all that comes out is compared with the workload's mathematics, op by op
in f64 on the same GPU. It may be off by twice the error of the same ops in the types as written, as fuse-run --verify
has it, and each row by twice its mean error. Where small whole numbers are rounded nowhere, there is a second run on
these, which has to be right bit for bit. --target=cpu --small tries the suite itself, on a processor.
"""

import dataclasses
import math
import os
import re
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "..", "tools", name) for name in ("python", "fuse-bench")]

import torch  # noqa: E402

import fuse  # noqa: E402
import workloads  # noqa: E402
from cases import chips, parser, run_all  # noqa: E402
from mathematics import KINDS, TYPES, WHOLE, Exact, Typed, has_whole_data  # noqa: E402

ALIAS = re.compile(r"^!(\w+) = tensor<([^>]*)>", re.M)
ARGUMENT = re.compile(r"%(\w+): (?:!(\w+)|tensor<([^>]*)>) \{([^{}]*)\}")
FILL = re.compile(r"#fuse\.fill<(\w+), ([^,>]+), ([^,>]+)>")

# As in fuse-run: how many results are few, and in how many orders sums are taken for these.
FEW, ORDERS = 4096, 16
# Of how many elements a row has a mean error that is no matter of luck.
LONG = 64


class Argument:
    """What the graph says of one."""

    def __init__(self, name, shape, element, fill):
        self.name, self.shape, self.element, self.fill = name, shape, element, fill

    def random(self, generator, device):
        """Data as the graph says they are, else as fuse-run fills what has no word."""
        kind, low, high = self.fill
        if self.element.startswith("i"):
            low, high = (int(low), int(high)) if kind else (0, 7)
            return torch.randint(low, high + 1, self.shape, generator=generator, device=device,
                                 dtype=torch.int64).to(TYPES[self.element])
        made = torch.empty(self.shape, device=device)
        low, high = (float(low), float(high)) if kind else (-1.0, 1.0)
        if kind == "normal":
            made.normal_(low, high, generator=generator)
        else:
            made.uniform_(low, high, generator=generator)
        return made.to(TYPES[self.element])

    def whole(self, generator, device, largest, count):
        """Whole numbers, of which `count` in a column are not 0. A scale is 1."""
        if not self.shape:
            return torch.ones((), device=device).to(TYPES[self.element])
        made = torch.randint(-largest, largest + 1, self.shape, generator=generator, device=device,
                             dtype=torch.int32).float()
        if count:
            # A sign for each that stays.
            made = torch.randint(0, 2, self.shape, generator=generator, device=device) * (2.0 * largest) - largest
            share = min(count / self.shape[0], 1)
            made *= torch.rand(self.shape, generator=generator, device=device) < share
        return made.to(TYPES[self.element])


def arguments_of(text, shapes):
    """The arguments of the only function, open sizes as `shapes` (NAME:8x128) say."""
    aliases = dict(ALIAS.findall(text))
    said = dict(shape.rpartition(":")[::2] for shape in shapes)
    made = []
    signature = text[text.index("func.func"):]
    for name, alias, own, attributes in ARGUMENT.findall(signature[:signature.index("->")]):
        *sizes, element = (aliases[alias] if alias else own).split("x")
        sizes = said[name].split("x") if name in said else sizes
        fill = FILL.search(attributes)
        made.append(Argument(name, [int(size) for size in sizes], element, fill.groups() if fill else ("", 0, 0)))
    return made


def make_small(workload):
    """The same at sizes that a processor does in a moment: the workload, its graph and its shapes."""
    def less(size):
        n = int(size)
        if workload.kind == "dlrm":
            return str(1009 if n == 100000 else n)
        if workload.kind == "gpt2" and n == 64:
            return "4"
        return str(n if n < 256 else n // 16)

    if workload.is_made():
        parameters = {name: int(less(value)) if isinstance(value, int) else value
                      for name, value in workload.parameters.items()}
        workload = dataclasses.replace(workload, parameters=parameters)
        return workload, workload.graph(), []

    def each(match):
        return re.sub(r"\d+(?=x)", lambda size: less(size[0]), match[0])

    text = re.sub(r"tensor<[^>]*>", each, workload.graph())
    text = re.sub(r"(\d+):(\d+)\]", lambda match: f"{less(match[1])}:{less(match[2])}]", text)
    # Some of so few tokens are no padding.
    text = text.replace("<integers, 0, 512>", "<integers, 0, 40>")
    text = re.sub(r"into \[(\d+), (\d+)\]", lambda match: f"into [{less(match[1])}, {less(match[2])}]", text)
    if workload.kind == "dlrm":
        text = text.replace("dense<100000>", "dense<1009>")
    if workload.kind == "gpt2":
        text = re.sub(r"(%scale = arith.constant )dense<[^>]*>", r"\1dense<0.5>", text)
    shapes = []
    for shape in workload.shapes:
        name, _, sizes = shape.partition(":")
        rows, columns = sizes.split("x")
        shapes.append(f"{name}:{max(int(rows) // 64, 5)}x{less(columns)}")
    return workload, text, shapes


class Listed:
    """A workload: compiled beside others, run alone."""

    # Who uses the GPU, and its memory.
    using = threading.Lock()

    def __init__(self, workload, chip, options):
        self.chip, self.options = chip, options
        self.workload, self.text, self.shapes = (make_small(workload) if options.small else
                                                 (workload, workload.graph(), workload.shapes))
        self.name = f"{workload.id} {chip}"
        self.command = ["fuse.compile", workload.id]
        self.device = "cuda" if options.target == "cuda" else "cpu"

    def run(self, timeout):
        """What is wrong with it, or None."""
        with torch.no_grad():
            return self.check(timeout)

    def give_up(self, timeout):
        """Nobody can end what a GPU does but the process."""
        print(f"FAIL {self.name}: took more than {timeout:g} s", flush=True)
        os._exit(1)

    def check(self, timeout):
        arguments = arguments_of(self.text, self.shapes)
        function = fuse.compile(self.text, chip=self.chip if self.device == "cuda" else None, cache=False)
        outputs = function.image([argument.shape for argument in arguments], self.device).outputs
        with self.using:
            watch = threading.Timer(timeout, self.give_up, [timeout])
            watch.start()
            try:
                problem = self.compare(function, arguments, outputs, False)
                if not problem and has_whole_data(self.workload):
                    problem = self.compare(function, arguments, outputs, True)
            finally:
                watch.cancel()
                function.release()
                if self.device == "cuda":
                    torch.cuda.empty_cache()
        return problem

    def data(self, arguments, is_whole):
        made = {}
        for number, argument in enumerate(arguments):
            generator = torch.Generator(self.device).manual_seed(1000 * self.options.seed + number)
            made[argument.name] = (argument.whole(generator, self.device, *WHOLE[self.workload.kind][argument.name])
                                   if is_whole else argument.random(generator, self.device))
        return made

    def compare(self, function, arguments, outputs, is_whole):
        data = self.data(arguments, is_whole)
        # What is not written is seen.
        found, = (torch.full(output.shape, math.nan, device=self.device).to(TYPES[output.type]) for output in outputs)
        function(*data.values(), out=[found])
        compute = KINDS[self.workload.kind]
        exact = compute(Exact(is_whole), self.workload, **data)
        if exact.shape != found.shape:
            return f"results have the shape {tuple(found.shape)}, but {tuple(exact.shape)} is wanted"
        if is_whole:
            wrong = found.double() != exact
            return f"whole numbers: {elements(wrong)}{worst(wrong, found, exact)}" if wrong.any() else None
        orders = ORDERS if found.numel() <= FEW else 2
        own, of_rows = (torch.zeros((), device=self.device, dtype=torch.float64) for _ in range(2))
        for order in range(orders):
            typed = compute(Typed(order), self.workload, **data)
            distance = (typed.double() - exact).abs()
            # Where the types themselves have no number, anything is right.
            unknown = ~torch.isfinite(distance)
            distance = torch.where(unknown, 0, distance)
            own, of_rows = torch.maximum(own, distance.max()), torch.maximum(of_rows, mean_of_rows(distance))
            del typed, distance
            sizes = exact.abs()
            typical = sizes.flatten()[::max(sizes.numel() // (1 << 16), 1)].median()
            allowed = allowance(found, own, torch.maximum(sizes, typical))
            distance = torch.where(unknown, 0, (found.double() - exact).abs())
            wrong = ~(distance <= allowed)
            # Rows may be of other sizes than the largest is, as those of attention are: then that says little of them.
            in_rows = ~(mean_of_rows(distance) <= allowance(found, of_rows, mean_of_rows(sizes)))
            if found.shape[-1] < LONG:
                in_rows &= False
            if not wrong.any() and not in_rows.any():
                return None
        if wrong.any():
            return elements(wrong) + worst(wrong, found, exact, allowed)
        wrong = in_rows[..., None] & (distance > 0)
        return f"WRONG on the average in {int(in_rows.sum())} rows{worst(wrong, found, exact)}"


def allowance(found, own, sizes):
    """Twice the error of the types as written, and four roundings of what is so large."""
    return 2 * own + 4 * (torch.finfo(found.dtype).eps / 2) * sizes


def mean_of_rows(distance):
    """The root of the mean square."""
    return (distance * distance).mean(-1).sqrt()


def elements(wrong):
    return f"WRONG in {int(wrong.sum())} elements"


def worst(wrong, found, exact, allowed=None):
    """The one that is furthest off."""
    distance = torch.nan_to_num((found.double() - exact).abs(), nan=math.inf)
    at = torch.where(wrong, distance, -1.0).argmax().item()
    place = []
    for size in reversed(found.shape):
        place.insert(0, at % size)
        at //= size
    place = tuple(place)
    limit = "" if allowed is None else f" of {allowed[place].item():.3g} allowed"
    return (f"; worst at {list(place)}: got {found[place].item():.9g}, wanted {exact[place].item():.9g}, error "
            f"{distance[place].item():.3g}{limit}")


def main():
    made = parser(__doc__, chips="sm_90a", timeout=60)
    made.add_argument("--small", action="store_true", help="at small sizes")
    made.add_argument("--seed", type=int, default=1, help="of the data")
    options = made.parse_args()
    if options.target == "cuda":
        # Sums in f32 are sums in f32.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    known = workloads.known().values()
    return run_all([Listed(workload, chip, options) for chip in chips(options) for workload in known], options)


if __name__ == "__main__":
    sys.exit(main())
