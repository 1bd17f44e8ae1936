#!/usr/bin/env python3
"""Runs every function of a file and compares what it returns with what is
written above it:

    // IN x: [1, -1, nan]
    // OUT: [1, 0, nan]
    func.func @relu(%x: tensor<3xf32>) -> tensor<3xf32> {

IN gives the data of an argument, OUT those of the next result, both as Python
expressions; OUT may use the arguments by name. An expression goes on over the
next lines while its brackets are open.

    // OUT within 1e-6: ...      at most so far off, relative to the larger of
                                 1 and the wanted number; else bit for bit but
                                 for the payload of a NaN
    // FLAGS: --shape=n:5        more of the command line
    // VERIFY: exact             --verify=exact
    // VERIFY: within 1e-3       what the f64 road may be off, as for OUT; else
                                 two roundings of the result's type
    // VERIFY: round             --reference=round, within two roundings
    // VERIFY: expect 1e-15      not on the f64 road, but by fuse-run itself, which
                                 is given OUT and how far off, relatively, a
                                 result may be; a GPU is given the same
    // VERIFY: none              not on the f64 road

Everything here is computed from the definitions of the formats, with Python's
own numbers: it shares no code with what it tests.
"""

import json
import math
import os
import re
import shlex
import struct
import subprocess
import sys
from fractions import Fraction

inf, nan = math.inf, math.nan
PYTHON_CODES = {"<f2": "e", "<f4": "f", "<f8": "d"}


class Float:
    """Sign, exponent and mantissa; without infinities the largest code is the
    only NaN and everything too large saturates."""

    def __init__(self, size, mantissa, bias, descr, has_infinity=True):
        self.size, self.mantissa, self.bias = size, mantissa, bias
        self.descr, self.has_infinity = descr, has_infinity
        self.sign = 1 << int(8 * size - 1)
        exponents = (self.sign - 1) >> mantissa << mantissa
        self.infinity = exponents if has_infinity else self.sign - 1
        self.epsilon = 2.0 ** -(mantissa + 1)

    def encode(self, value):
        # Python's own conversions round in the same way, and are fast.
        if not isinstance(value, Fraction) and self.descr in ("<f2", "<f4", "<f8"):
            try:
                packed = struct.pack("<" + PYTHON_CODES[self.descr], float(value))
                if value == value:
                    return int.from_bytes(packed, "little")
            except OverflowError:
                pass
        value = float(value) if not isinstance(value, Fraction) else value
        if isinstance(value, float) and math.isnan(value):
            quiet = 1 << (self.mantissa - 1) if self.has_infinity else 0
            return self.infinity | quiet
        negative = value < 0 or value == 0 and math.copysign(1, value) < 0
        sign = self.sign if negative else 0
        largest = self.infinity - (0 if self.has_infinity else 1)
        if value in (inf, -inf):
            return sign | largest
        magnitude = abs(Fraction(value))
        if magnitude == 0:
            return sign
        least = 1 - self.bias
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        exponent = max(exponent, least)
        # Python rounds a Fraction to nearest even.
        scaled = round(magnitude / Fraction(2) ** (exponent - self.mantissa))
        code = ((exponent - least) << self.mantissa) + scaled
        return sign | min(code, largest)

    def decode(self, code):
        sign = -1.0 if code & self.sign else 1.0
        code &= self.sign - 1
        if code >= self.infinity:
            is_infinity = self.has_infinity and code == self.infinity
            return sign * inf if is_infinity else nan
        field, mantissa = code >> self.mantissa, code & ((1 << self.mantissa) - 1)
        if field:
            mantissa |= 1 << self.mantissa
        exponent = max(field, 1) - self.bias - self.mantissa
        return sign * math.ldexp(mantissa, exponent)


class Int:
    def __init__(self, size, descr):
        self.size, self.descr, self.epsilon = size, descr, 0.0
        self.mask = (1 << (8 * size)) - 1

    def encode(self, value):
        if int(value) != value:
            raise ValueError(f"{value} is not a whole number")
        return int(value) & self.mask

    def decode(self, code):
        return code - self.mask - 1 if code > self.mask >> 1 else code


TYPES = {
    "f8E4M3FN": Float(1, 3, 7, "|V1", has_infinity=False),
    "bf16": Float(2, 7, 127, "|V2"),
    "f16": Float(2, 10, 15, "<f2"),
    "f32": Float(4, 23, 127, "<f4"),
    "f64": Float(8, 52, 1023, "<f8"),
    "i1": Int(1, "|b1"),
    "i8": Int(1, "|i1"),
    "i16": Int(2, "<i2"),
    "i32": Int(4, "<i4"),
    "i64": Int(8, "<i8"),
    "index": Int(8, "<i8"),
}


class Array:
    """Numbers with a shape, for what nested lists cannot say."""

    def __init__(self, shape, flat):
        self.shape, self.flat = tuple(shape), list(flat)

    def __iter__(self):
        return iter(self.nested())

    def __getitem__(self, i):
        return self.nested()[i]

    def __len__(self):
        return self.shape[0]

    def nested(self):
        values = self.flat
        for size in reversed(self.shape[1:]):
            count = math.prod(self.shape) // size if size else 0
            values = [values[i * size : (i + 1) * size] for i in range(len(values) // size)] if size else []
        return values if self.shape else values[0]


class Bits(Array):
    """Codes instead of numbers."""


def bits(codes):
    codes = list(codes)
    return Bits((len(codes),), codes)


def full(shape, value):
    return Array(shape, [value] * math.prod(shape))


def flatten(value):
    """The shape and the elements of nested lists."""
    if isinstance(value, Array):
        return value.shape, value.flat
    if not isinstance(value, (list, tuple, range)):
        return (), [value]
    parts = [flatten(part) for part in value]
    shapes = {shape for shape, _ in parts} or {()}
    if len(shapes) > 1:
        raise ValueError(f"rows of different shapes, {shapes}")
    return (len(value), *shapes.pop()), [x for _, flat in parts for x in flat]


def each(function, *values):
    """Applies a function element by element."""
    flats = [flatten(value) for value in values]
    results = [function(*row) for row in zip(*(flat for _, flat in flats))]
    return Array(flats[0][0], results)


def rounded(type_name):
    kind = TYPES[type_name]
    return lambda value: kind.decode(kind.encode(value))


def matmul(a, b):
    """Exact, as fractions; of finite numbers only."""
    columns = list(zip(*b))
    return [[sum(Fraction(x) * Fraction(y) for x, y in zip(row, column)) for column in columns] for row in a]


def transpose(a):
    return [list(row) for row in zip(*a)]


def tf32(value):
    """Rounded to nearest even with 10 bits of mantissa."""
    kind = Float(19 / 8, 10, 127, "")
    return kind.decode(kind.encode(value))


NAMES = {
    **{name: getattr(math, name) for name in dir(math) if name[0] != "_"},
    **{name: rounded(name) for name in ("bf16", "f16", "f32", "f64")},
    "f8": rounded("f8E4M3FN"),
    "each": each,
    "full": full,
    "bits": bits,
    "Array": Array,
    "flatten": flatten,
    "matmul": matmul,
    "transpose": transpose,
    "tf32": tf32,
    "Fraction": Fraction,
}


def write_npy(path, kind, value):
    shape, flat = flatten(value)
    codes = flat if isinstance(value, Bits) else [kind.encode(x) for x in flat]
    header = f"{{'descr': '{kind.descr}', 'fortran_order': False, 'shape': {shape!r}, }}\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(b"".join(code.to_bytes(kind.size, "little") for code in codes))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<H", data, 8)[0]
    header = eval(data[10 : 10 + length])
    return header["descr"], header["shape"], data[10 + length :]


def decode_all(kind, data):
    size = kind.size
    codes = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    return codes, [kind.decode(code) for code in codes]


def distance(got, want):
    """How far off, relative to the larger of 1 and `want`."""
    if math.isnan(want) or math.isnan(got):
        return 0.0 if math.isnan(want) and math.isnan(got) else inf
    if got == want:
        return 0.0
    if math.isinf(want) or math.isinf(got):
        return inf
    return abs(Fraction(got) - Fraction(want)) / max(1, abs(Fraction(want)))


def is_same(got, want):
    if isinstance(want, int):
        return got == want
    if math.isnan(want):
        return math.isnan(got)
    return got == want and math.copysign(1, got) == math.copysign(1, want)


class Case:
    """One function and what is written above it."""

    def __init__(self, name, types, directives):
        self.name, self.types = name, types
        self.inputs, self.outputs, self.flags, self.verify = {}, [], [], ""
        for key, argument, text in directives:
            if key == "IN":
                self.inputs[argument] = text
            elif key == "OUT":
                tolerance = float(argument.split()[1]) if argument else None
                self.outputs.append((tolerance, text))
            elif key == "FLAGS":
                self.flags += shlex.split(text)
            else:
                self.verify = text

    def run(self, source, folder, target):
        folder = os.path.join(folder, target, self.name)
        os.makedirs(folder, exist_ok=True)
        names, command = dict(NAMES), ["fuse-run", source, f"--entry={self.name}", f"--target={target}"]
        for number, (name, (element, rank)) in enumerate(self.types.items()):
            if name not in self.inputs:
                continue
            value = eval(self.inputs[name], names)
            path = os.path.join(folder, f"{name}.npy")
            kind = TYPES[element]
            write_npy(path, kind, value)
            command.append(f"--input={number}={path}")
            # What the function sees has been rounded to the type.
            shape, flat = flatten(value)
            if isinstance(value, Bits):
                flat = [kind.decode(code) for code in flat]
            else:
                flat = [kind.decode(kind.encode(x)) for x in flat]
            names[name] = Array(shape, flat).nested() if 0 not in shape else Array(shape, flat)
        command += [*self.flags, f"--save-outputs={folder}", "--json"]
        if self.verify == "exact":
            command.append("--verify=exact")
        elif self.verify.startswith("expect"):
            command += [f"--rtol={self.verify.split()[1]}", "--atol=0"]
            for number, (_, text) in enumerate(self.outputs):
                path = os.path.join(folder, f"wanted{number}.npy")
                write_npy(path, TYPES["f64"], each(float, eval(text, names)))
                command.append(f"--expect={number}={path}")
        elif self.verify != "none":
            command.append("--verify")
        if self.verify == "round":
            command.append("--reference=round")
        shown = shlex.join(command)
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            if "is not a valid module" in done.stderr:
                sys.exit(done.stderr)
            said = done.stderr or json.dumps(json.loads(done.stdout)["outputs"])
            return [f"{shown}\n  ended with {done.returncode}: {said}"]
        report = json.loads(done.stdout)
        if len(report["outputs"]) != len(self.outputs):
            return [f"{shown}\n  returned {len(report['outputs'])} results, OUT says {len(self.outputs)}"]
        problems = []
        for number, (entry, output) in enumerate(zip(report["outputs"], self.outputs)):
            problem = self.check(folder, number, entry, *output, names)
            if problem:
                problems.append(f"{shown}\n  result {number}: {problem}")
        return problems

    def check(self, folder, number, entry, tolerance, text, names):
        kind = TYPES[entry["type"]]
        name = entry["name"] if entry["name"] != str(number) else f"out{number}"
        descr, shape, data = read_npy(os.path.join(folder, f"{name}.npy"))
        wanted = eval(text, names)
        wanted_shape, flat = flatten(wanted)
        # Opaque bytes have no order, and numpy writes it in both ways.
        if descr.lstrip("<|") != kind.descr.lstrip("<|") or shape != wanted_shape:
            return f"is {descr} {shape}, wanted {kind.descr} {wanted_shape}"
        codes, got = decode_all(kind, data)
        if len(got) != len(flat):
            return f"has {len(got)} elements, wanted {len(flat)}"
        largest = 1.0
        for i, want in enumerate(flat):
            if isinstance(wanted, Bits):
                if codes[i] != want:
                    return f"element {i} is 0x{codes[i]:x}, wanted 0x{want:x}"
                continue
            if tolerance is None:
                want = kind.decode(kind.encode(want))
                is_right = is_same(got[i], want)
            else:
                is_right = distance(got[i], want) <= tolerance
            if not is_right:
                return f"element {i} is {got[i]!r}, wanted {float(want)!r}"
            if math.isfinite(want):
                largest = max(largest, abs(float(want)))
        if self.verify == "none" or self.verify.startswith("expect"):
            return None
        if self.verify.startswith("within"):
            allowed = float(self.verify.split()[1])
        else:
            allowed = max(2 * kind.epsilon, tolerance or 0)
        error = float(entry["verify"]["max_error"])
        if not error <= allowed * largest:
            return f"the f64 road differs by {error}, allowed {allowed * largest}"
        return None


def parse(path):
    """The functions of a file with what is written above them."""
    with open(path) as file:
        lines = file.read().split("\n")
    directives, cases, at = [], [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := re.match(r"// (IN|OUT|FLAGS|VERIFY)(?: ([^:]*))?: (.*)", line):
            key, argument, text = match.groups()
            while sum(map(text.count, "([{")) > sum(map(text.count, ")]}")):
                text += " " + lines[at].lstrip("/").strip()
                at += 1
            directives.append((key, argument, text))
        elif match := re.match(r"func\.func @(\w+)\(", line):
            signature = line
            while signature.count("{") <= signature.count("}") or not signature.endswith("{"):
                signature += " " + lines[at]
                at += 1
            types = {}
            for name, tensor, index in re.findall(r"%(\w+): (?:tensor<([^>]*)>|(index))", signature):
                parts = tensor.split("x") if tensor and not tensor.endswith("index") else []
                if tensor.endswith("index"):
                    parts = [*tensor[: -len("index")].split("x")[:-1], "index"]
                types[name] = (parts[-1] if parts else "index", len(parts) - 1)
            cases.append(Case(match[1], types, directives))
            directives = []
    return cases


def main():
    source, folder = sys.argv[1:3]
    cases = [case for case in parse(source) if case.outputs or case.flags]
    if not cases:
        sys.exit(f"{source}: has nothing to check")
    problems = []
    # All roads have to mean the same by an op; tiles are past the reference.
    with open(source) as file:
        is_tiled = "tile.kernel" in file.read()
    roads = ["cpu", "simulate"] if is_tiled else ["reference", "cpu", "simulate"]
    for target in roads:
        for case in cases:
            problems += case.run(source, folder, target)
    for problem in problems:
        print(problem)
    print(f"{len(cases)} functions, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
