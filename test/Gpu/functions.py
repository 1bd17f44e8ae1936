#!/usr/bin/env python3
"""Measures the errors of functions on a GPU, and compares them with docs/Math.md.

    functions.py FUSE [--step=65] [--count=67108864] [--chip=sm_90a] [--table]

The arguments are bit patterns, made on the GPU: --count of them, --step apart, so
that they lie in every binade and NaN, infinities and numbers below the least
normal one are among them; whole.py takes all 2^32. What is right is what PyTorch
says in f64. Special values are compared apart from that. A function passes if no
result is further off than the document says. Needs PyTorch and NumPy.
"""

import math
import os
import re
import sys
import tempfile
import threading

from cases import Case, chips, fuse_run, parser, run_all

COLUMNS = 1024
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "Math.md")

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, math.inf, -math.inf, math.nan, math.pi, -math.pi / 2,
           2.0 ** -149, -(2.0 ** -149), 2.0 ** -126, -(2.0 ** -126), 2.0 ** -126 - 2.0 ** -149, 3.4028234663852886e38,
           -3.4028234663852886e38, 88.0, 89.0, -87.0, -88.0, -104.0, 127.0, 128.0, -126.0, -149.0, -150.0, 1e-3,
           0.9999999403953552, 1.0000001192092896, -0.9999999403953552, 65536.0, 1e10, 2.0 ** 24, 9.0, -9.0, 10.5, -10.5]


def documented(document):
    """The errors that the document's first table states for f32, in units in the last place."""
    with open(document) as file:
        table = file.read().split("| | f32 | f64 |")[1].split("\n\n")[0]
    found = {}
    for names, bound in re.findall(r"^\| (`.*?) \| ([\d.]+)", table, flags=re.M):
        for name in re.findall(r"`([^`]+)`", names):
            found[name] = float(bound)
    return found


class Function:
    """What is computed, what is right, and how far off it may be.

    `text` is the op on %x (and %y); `right` gets torch and the arguments in f64.
    `domain` says which arguments are judged, `allowed` how far off a result may be in
    units in the last place of `scale`, which is the right result itself if not given.
    """

    def __init__(self, name, text, right, allowed, domain=None, scale=None, arguments="all", flushes=False):
        self.name, self.text, self.right, self.allowed = name, text, right, allowed
        self.domain, self.scale, self.arguments, self.flushes = domain, scale, arguments, flushes

    @property
    def is_binary(self):
        return self.arguments != "all"


def accurate(bounds):
    """The functions of the document's table."""
    def unary(name, right, text=None, key=None, **more):
        return Function(name, text or f"math.{name} %x : !t", right, bounds[key or name], **more)

    plain = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
             "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "rsqrt"]
    made = [unary(name, lambda t, x, name=name: getattr(t, name if hasattr(t, name) else "special_" + name)(x))
            for name in plain]
    made += [
        unary("cbrt", lambda t, x: t.copysign(t.pow(t.abs(x), 1 / 3), x)),
        Function("sincos_sine", "math.sincos %x : !t", lambda t, x: t.sin(x), bounds["sincos"]),
        Function("sincos_cosine", "math.sincos %x : !t", lambda t, x: t.cos(x), bounds["sincos"]),
        Function("sqrt", "math.sqrt %x : !t", lambda t, x: t.sqrt(x), 0.5),
        Function("floor", "math.floor %x : !t", lambda t, x: t.floor(x), 0),
        Function("ceil", "math.ceil %x : !t", lambda t, x: t.ceil(x), 0),
        Function("trunc", "math.trunc %x : !t", lambda t, x: t.trunc(x), 0),
        Function("roundeven", "math.roundeven %x : !t", lambda t, x: t.round(x), 0),
        Function("round", "math.round %x : !t", lambda t, x: t.copysign(t.floor(t.abs(x) + 0.5), x), 0),
        Function("sigmoid", "fuse.sigmoid %x : !t", lambda t, x: 1 / (1 + t.exp(-x)), bounds["fuse.sigmoid"],
                 domain=lambda t, x: ~(x < -87)),
        Function("gelu_erf", "fuse.gelu erf %x : !t", lambda t, x: 0.5 * x * t.special.erfc(-x * math.sqrt(0.5)),
                 bounds["fuse.gelu erf"], scale=lambda t, x, right: x, domain=lambda t, x: t.isfinite(x)),
        Function("gelu_tanh", "fuse.gelu tanh %x : !t",
                 lambda t, x: x / (1 + t.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
                 bounds["fuse.gelu tanh"], scale=lambda t, x, right: x, domain=lambda t, x: t.isfinite(x)),
    ]
    for arguments in ("pairs", "near"):
        made += [
            Function(f"powf_{arguments}", "math.powf %x, %y : !t", lambda t, x, y: t.pow(x, y), bounds["powf"],
                     arguments=arguments),
            Function(f"atan2_{arguments}", "math.atan2 %x, %y : !t", lambda t, x, y: t.atan2(x, y), bounds["atan2"],
                     arguments=arguments),
            Function(f"remf_{arguments}", "arith.remf %x, %y : !t", lambda t, x, y: t.fmod(x, y),
                     bounds["arith.remf"], arguments=arguments),
            Function(f"divf_{arguments}", "arith.divf %x, %y : !t", lambda t, x, y: x / y, 0.5, arguments=arguments),
        ]
    made.append(Function("fpowi", "math.fpowi %x, %n : !t, !i", lambda t, x, n: t.pow(x, n), bounds["fpowi"],
                         arguments="power"))
    return made


def units(right, error):
    """An error that is meant absolutely, in units in the last place of what is right."""
    return error / ulp(right)


def ulp(value):
    import torch
    exponent = torch.frexp(value.abs().clamp(max=2.0 ** 127))[1] - 1
    return torch.ldexp(torch.ones_like(value), exponent.clamp(min=-126) - 23)


def fast():
    """The second table, in units in the last place: `allowed` is a function of what is right and the arguments."""
    def unary(name, allowed, domain=None):
        return Function("fast_" + name, f"math.{name} %x fastmath<afn> : !t", lambda t, x: getattr(t, name)(x), allowed,
                        domain=domain, flushes=True)

    def logarithm(right, x):
        return 2.0 ** -22 * right.abs().clamp(min=1) / ulp(right) + 1

    def of_angle(right, x):
        return units(right, 2.0 ** -20.4)

    def inner(t, x):
        return (x.abs() <= 2 * math.pi) | t.isnan(x)

    # Of a quotient of two that are off; next to a pole nothing is left of it.
    def tangent(right, x):
        return 2.0 ** -20.4 * (1 + right.abs()) ** 2 * 1.5 / ulp(right) + 4

    def no_pole(t, x):
        return inner(t, x) & ~(t.cos(x).abs() < 2.0 ** -10)

    def power(right, x, y):
        import torch
        exponent = torch.log2(x).abs().clamp(min=1) * y.abs()
        return exponent * 2.0 ** -21 / ulp(right) * right.abs() + 4

    def quotient(t, x, y):
        return y.abs() <= 2.0 ** 126

    def base(t, x, y):
        return (x > 0) & t.isfinite(x) & (y.abs() <= 1000)

    return [
        unary("exp2", 2.25),
        unary("exp", lambda right, x: 2.25 + 1.25 * x.abs()),
        unary("log", logarithm), unary("log2", logarithm), unary("log10", logarithm),
        unary("tanh", lambda right, x: 2.0 ** -11 * right.abs() / ulp(right) + 1),
        unary("sin", of_angle, inner), unary("cos", of_angle, inner), unary("tan", tangent, no_pole),
        unary("rsqrt", lambda right, x: 2.0 ** -22.4 * right.abs() / ulp(right) + 1),
        unary("sqrt", lambda right, x: 2.0 ** -23 * right.abs() / ulp(right) + 1),
        Function("fast_divf", "arith.divf %x, %y fastmath<afn> : !t", lambda t, x, y: x / y, 2.25, domain=quotient,
                 arguments="near", flushes=True),
        Function("fast_powf", "math.powf %x, %y fastmath<afn> : !t", lambda t, x, y: t.pow(x, y), power,
                 domain=base, arguments="near", flushes=True),
    ]


# Arguments, as integers that become bits: the number n of an element is
# start + step * (its index); a second argument is made of another multiple.
SPREAD, OFFSET = 0x9E3779B1, 0x7F4A7C15
NEAR_MASK, NEAR_ADDED = 0x07FFFFFF, 0x3C000000


def graph(function, rows, step):
    lines = [
        f"!i = tensor<{rows}x{COLUMNS}xi32>",
        f"!t = tensor<{rows}x{COLUMNS}xf32>",
        'func.func @f(%start: tensor<i32> {fuse.name = "start"}) -> !t {',
        "  %row = fuse.iota dim 0 : !i",
        "  %column = fuse.iota dim 1 : !i",
        f"  %columns = arith.constant dense<{COLUMNS}> : !i",
        "  %before = arith.muli %row, %columns : !i",
        "  %index = arith.addi %before, %column : !i",
        f"  %step = arith.constant dense<{signed(step)}> : !i",
        "  %walked = arith.muli %index, %step : !i",
        "  %first = fuse.broadcast %start dims [] : tensor<i32> -> !i",
        "  %n = arith.addi %walked, %first : !i",
    ]
    if function.is_binary:
        lines += [
            f"  %spread = arith.constant dense<{signed(SPREAD)}> : !i",
            f"  %offset = arith.constant dense<{signed(OFFSET)}> : !i",
            "  %scattered = arith.muli %n, %spread : !i",
            "  %m = arith.addi %scattered, %offset : !i",
        ]
    first, second = "%n", "%m"
    if function.arguments == "near":
        lines += [
            f"  %added = arith.constant dense<{NEAR_ADDED}> : !i",
            f"  %mask_x = arith.constant dense<{NEAR_MASK}> : !i",
            f"  %mask_y = arith.constant dense<{signed(NEAR_MASK | 1 << 31)}> : !i",
            "  %masked_x = arith.andi %n, %mask_x : !i",
            "  %masked_y = arith.andi %m, %mask_y : !i",
            "  %near_x = arith.addi %masked_x, %added : !i",
            "  %near_y = arith.addi %masked_y, %added : !i",
        ]
        first, second = "%near_x", "%near_y"
    lines.append(f"  %x = arith.bitcast {first} : !i to !t")
    if function.arguments == "power":
        lines += ["  %shift = arith.constant dense<24> : !i", "  %n2 = arith.shrsi %m, %shift : !i"]
    elif function.is_binary:
        lines.append(f"  %y = arith.bitcast {second} : !i to !t")
    lines += body(function) + ["  return %result : !t", "}"]
    return "\n".join(lines) + "\n"


def body(function):
    text = function.text.replace("%n ", "%n2 ")
    if function.name == "sincos_sine":
        return [f"  %result, %other = {text}"]
    if function.name == "sincos_cosine":
        return [f"  %other, %result = {text}"]
    return [f"  %result = {text}"]


def special_graph(function, count):
    return (f"!t = tensor<{count}xf32>\n"
            f'func.func @f(%x: !t {{fuse.name = "x"}}, %y: !t {{fuse.name = "y"}}) -> !t {{\n'
            + "\n".join(body(function)) + "\n  return %result : !t\n}\n")


def signed(number):
    number &= 0xFFFFFFFF
    return number - (1 << 32) if number >> 31 else number


def arguments_of(function, torch, n):
    """The arguments that are made of the numbers n, in f64."""
    n = n & 0xFFFFFFFF

    def floats(bits):
        return torch.where(bits >= 1 << 31, bits - (1 << 32), bits).to(torch.int32).view(torch.float32).double()

    if not function.is_binary:
        return [floats(n)]
    # The low half of a product of 32 bits, which 64 bits would not hold.
    m = ((n * (SPREAD & 0xFFFF) + ((n * (SPREAD >> 16) & 0xFFFF) << 16)) + OFFSET) & 0xFFFFFFFF
    if function.arguments == "near":
        return [floats((n & NEAR_MASK) + NEAR_ADDED), floats(((m & (NEAR_MASK | 1 << 31)) + NEAR_ADDED) & 0xFFFFFFFF)]
    if function.arguments == "power":
        return [floats(n), torch.where(m >= 1 << 31, m - (1 << 32), m).div(1 << 24, rounding_mode="floor").double()]
    return [floats(n), floats(m)]


def errors(function, torch, found, arguments, right=None):
    """Of each element: how far off it is, in units in the last place, and how far it may be."""
    right = function.right(torch, *arguments) if right is None else right
    limit = 2.0 ** 128
    # What rounds to infinity may be infinity; NaN is compared apart.
    near = right.clamp(-limit, limit)
    off = (found.clamp(-limit, limit) - near).abs() / ulp(function.scale(torch, *arguments, right) if function.scale
                                                          else near)
    off = torch.where((found == right) | (torch.isnan(found) & torch.isnan(right)), torch.zeros_like(off), off)
    off = torch.where(torch.isnan(found) != torch.isnan(right), torch.full_like(off, math.inf), off)
    allowed = function.allowed(right, *arguments) if callable(function.allowed) else torch.full_like(
        off, function.allowed)
    # What is no number is right or wrong.
    allowed = torch.where(torch.isfinite(allowed) & torch.isfinite(right), allowed, torch.zeros_like(allowed))
    if not function.flushes and not function.scale:
        # A zero has the sign that it should have.
        wrong_sign = (right == 0) & (found == 0) & (torch.signbit(right) != torch.signbit(found))
        off = torch.where(wrong_sign, torch.full_like(off, math.inf), off)
    if function.domain:
        off = torch.where(function.domain(torch, *arguments), off, torch.zeros_like(off))
    return off, allowed


def judged(function, torch, found, arguments):
    """As `errors`; where a flush to zero is allowed, before or after, the better of the two counts."""
    off, allowed = errors(function, torch, found, arguments)
    if not function.flushes:
        return off, allowed
    least = 2.0 ** -126
    right = function.right(torch, *arguments)
    off = torch.where((found == 0) & (right.abs() < least), torch.zeros_like(off), off)
    is_tiny = torch.zeros_like(off, dtype=torch.bool)
    flushed = []
    for argument in arguments:
        tiny = argument.abs() < least
        is_tiny |= tiny
        flushed.append(torch.where(tiny, torch.copysign(torch.zeros_like(argument), argument), argument))
    other_off, other_allowed = errors(function, torch, found, flushed)
    better = is_tiny & (other_off <= other_allowed)
    return torch.where(better, other_off, off), torch.where(better, other_allowed, allowed)


class Judge:
    """Compares what functions gave with what is right, a few at a time: memory is short."""

    def __init__(self, options):
        import numpy
        import torch
        self.numpy, self.torch, self.options = numpy, torch, options
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.places, self.lock = threading.Semaphore(4), threading.Lock()
        self.worst = {}

    def compare(self, function, path, start):
        with self.places:
            problem = self.walk(function, path, start)
            os.remove(path)
            return problem

    def walk(self, function, path, start):
        torch = self.torch
        found_all = self.numpy.load(path, mmap_mode="r").reshape(-1)
        for begin in range(0, len(found_all), 1 << 24):
            piece = torch.from_numpy(self.numpy.array(found_all[begin:begin + (1 << 24)])).to(self.device).double()
            n = torch.arange(begin, begin + len(piece), device=self.device) * self.options.step + start
            arguments = arguments_of(function, torch, n)
            problem = self.check(function, piece, arguments)
            if problem:
                return problem
        return None

    def check(self, function, found, arguments):
        torch = self.torch
        off, allowed = judged(function, torch, found, arguments)
        worst = int(off.argmax())
        largest, where = float(off[worst]), [float(a[worst]) for a in arguments]
        with self.lock:
            if largest > self.worst.get(function.name, (-1.0,))[0]:
                self.worst[function.name] = (largest, where)
        beyond = off > allowed
        if not bool(beyond.any()):
            return None
        excess = torch.where(beyond, off - allowed, torch.full_like(off, -1.0))
        at = int(excess.argmax())
        values = ", ".join(f"{float(a[at]):.9g} ({float(a[at]).hex()})" for a in arguments)
        right = function.right(torch, *(a[at:at + 1] for a in arguments))
        return (f"{int(beyond.sum())} results too far off; at {values}: got {float(found[at]):.9g}, wanted "
                f"{float(right):.9g}, {float(off[at]):.4g} units off of {float(allowed[at]):.4g} allowed")

    def compare_special(self, function, path, arguments):
        with self.places:
            torch = self.torch
            found = torch.from_numpy(self.numpy.load(path)).double()
            arguments = [torch.from_numpy(a).double() for a in arguments[:1 + function.is_binary]]
            return self.check(function, found, arguments)


def special_arguments(numpy):
    values = numpy.array(SPECIAL, numpy.float32)
    return [numpy.repeat(values, len(values)), numpy.tile(values, len(values))]


def make_cases(options, folder):
    import numpy
    judge = Judge(options)
    specials = special_arguments(numpy)
    for name, values in zip("xy", specials):
        numpy.save(os.path.join(folder, name + ".npy"), values)
    rows = options.count // COLUMNS
    starts = [part * options.count * options.step for part in range(options.parts)]
    cases = []
    for function in accurate(documented(DOCUMENT)) + fast():
        base = os.path.join(folder, function.name)
        with open(base + ".mlir", "w") as file:
            file.write(graph(function, rows, options.step))
        if function.arguments != "power":
            with open(base + ".special.mlir", "w") as file:
                file.write(special_graph(function, len(specials[0])))
        for chip in chips(options):
            for part, start in enumerate(starts):
                output = f"{base}.{chip}.{part}.npy"
                cases.append(Case(f"{function.name} {chip} part {part}",
                                  fuse_run(options, base + ".mlir", chip, f"--input=start={signed(start)}",
                                           f"--output=0={output}"),
                                  judge=lambda printed, f=function, o=output, s=start: judge.compare(f, o, s)))
            if function.arguments == "power":
                continue
            output = f"{base}.{chip}.special.npy"
            cases.append(Case(f"{function.name} {chip} special values",
                              fuse_run(options, base + ".special.mlir", chip,
                                       *(f"--input={name}={folder}/{name}.npy" for name in "xy"),
                                       f"--output=0={output}"),
                              judge=lambda printed, f=function, o=output: judge.compare_special(f, o, specials)))
    return cases, judge


def main():
    arguments = parser(__doc__, chips="sm_90a", timeout=300)
    arguments.add_argument("--step", type=int, default=65, help="how far apart arguments are, an odd number")
    arguments.add_argument("--count", type=int, default=1 << 26, help="how many there are in one run")
    arguments.add_argument("--parts", type=int, default=1, help="how many runs follow each other")
    arguments.add_argument("--table", action="store_true", help="print the largest error of each function")
    arguments.add_argument("--folder", help="where files of some GB may lie for a while")
    options = arguments.parse_args()
    if options.step % 2 == 0 or options.count < COLUMNS or options.count % COLUMNS:
        arguments.error(f"--step has to be odd, and --count a multiple of {COLUMNS}")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        cases, judge = make_cases(options, folder)
        status = run_all(cases, options)
    if options.table:
        for name, (off, at) in judge.worst.items():
            print(f"{name:16} {off:10.4g} at {', '.join(f'{value:.9g}' for value in at)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
