"""Mutates modules and demands that fuse-opt survives whatever comes of it.

usage: fuzz.py [--seconds N] [--rounds N] [--seed N] [--bytecode] [--save DIR]
               fuse-opt module...

Three promises are checked. However wrong its input is, fuse-opt ends by itself
with a small exit status: no signal, no hang, no "LLVM ERROR". What it accepts,
it prints so that it reads the same again. And a pass may refuse what it
accepts only by a message that says whose fault it is (see REFUSALS).

Everything follows from the seed; the time is only a limit. Many mutants share
a process, split by `// -----`; where a process fails, its mutants are run one
by one, and the first that fails alone is made small and printed.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

PASSES = [
    ["--canonicalize", "--cse"],
    ["--fuse-decompose", "--canonicalize"],
    ["--fuse-reference-to-linalg"],
    ["--fuse-reference-to-linalg=floats=round"],
]
# What a pass may say about a valid module.
REFUSALS = re.compile(
    "does not belong to the stage|graphs work on ranked tensors|, but elements are i1, |"
    "has several blocks|cannot be lowered; compare|"
    "looks at the bits of a number|has a value that cannot be widened|"
    r"asks for dimension -?\d+ of a tensor that has \d+")
FATAL = re.compile("LLVM ERROR|Stack dump|PLEASE submit|UNREACHABLE|Assertion")
ERROR_LINE = re.compile(r"^(?:<stdin>|-):(\d+):\d+: error: ", re.M)
DISCARD = ["-o", os.devnull]
# MLIR's own reader of bytecode does not survive every mutant; our code must.
READER = "mlir::readBytecodeFile"
OUR_FRAME = re.compile(r"\bfuse::(?!run)\w+")
SPLIT = "\n// -----\n"
BATCH = 80
TIMEOUT = 60
TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|[%#@!^][\w$.-]+|0x[0-9A-Fa-f]+|'
    r"\d+\.\d*(?:[eE][-+]?\d+)?|\d+|[A-Za-z_][\w$.]*|->|::|\s+|.")
NUMBERS = ["-1", "0", "1", "2", "3", "-2147483648", "2147483648", "4294967296",
           "9223372036854775807", "-9223372036854775808",
           "9223372036854775808", "99999999999999999999", "?", "0.0", "-0.5",
           "1.0e400", "0x7FF8000000000000", "0xFFFFFFFFFFFFFFFF"]
SIZES = ["0", "1", "2", "3", "4", "8", "64", "-1", "9223372036854775807",
         "99999999999999999999", "-9223372036854775808", "x"]
ELEMENTS = ["f8E4M3FN", "bf16", "f16", "f32", "f64", "i1", "i8", "i16", "i32",
            "i64", "index", "i4", "ui8", "f80", "f128", "complex<f32>",
            "vector<2xf32>", "none", "tf32"]
TYPES = ["tensor<*xf32>", "tensor<f32>", "tensor<0xf32>", "tensor<?x?xf32>",
         "tensor<4x8xf32, 1 : i64>", "tensor<?x0xi1>", "memref<4x8xf32>",
         "vector<4x8xf32>", "index", "f32", "none", "tuple<>", "!fuse.none",
         "tensor<9223372036854775807x2xf32>", "tensor<1x1x1x1x1x1x1x1xf32>",
         "tensor<2147483648x4294967296x2xf16>", "(f32) -> f32"]
WORDS = ["sum", "max", "min", "prod", "mean", "ieee", "tf32", "tf32x3", "erf",
         "tanh", "left", "right", "top_left", "bottom_right", "dims", "dim",
         "sizes", "into", "mask", "scale", "shift", "eps", "bias", "window",
         "precision", "alpha", "by", "unit", "true", "dense", "array",
         "uniform", "normal", "integers", "constant", "fuse.name", "fuse.fill"]


class FuseOpt:
    def __init__(self, program):
        self.program = program

    def run(self, source, flags, timeout=TIMEOUT):
        """Exit status, or the name of what is wrong; output; errors."""
        if isinstance(source, str):
            source = source.encode()
        try:
            done = subprocess.run([self.program, *flags], input=source,
                                  capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return "hang", "", ""
        output = done.stdout.decode(errors="replace")
        errors = done.stderr.decode(errors="replace")
        if done.returncode < 0 or done.returncode > 125:
            return f"signal {abs(done.returncode)}", output, errors
        fatal = FATAL.search(errors)
        if fatal:
            return fatal.group(), output, errors
        return done.returncode, output, errors


class Checker:
    """Judges one module or many; None where all is well."""

    def __init__(self, opt):
        self.opt = opt

    def parse(self, mutants):
        """What is wrong with reading them, and those that were accepted."""
        status, _, errors = self.opt.run(SPLIT.join(mutants),
                                         ["--split-input-file", *DISCARD])
        if isinstance(status, str):
            return status, [], errors
        # Lines are counted through all of them.
        wrong = {int(line) for line in ERROR_LINE.findall(errors)}
        valid, line = [], 1
        for mutant in mutants:
            behind = line + mutant.count("\n") + SPLIT.count("\n")
            if wrong.isdisjoint(range(line, behind)):
                valid.append(mutant)
            line = behind
        return None, valid, errors

    def fails_on_valid(self, source, flags):
        status, _, errors = self.opt.run(source, ["--split-input-file", *DISCARD,
                                             *flags])
        if isinstance(status, str):
            return status, errors
        complaints = [line for line in errors.splitlines()
                      if " error: " in line and not REFUSALS.search(line)]
        if complaints:
            return "refuses what is valid: " + complaints[0], errors
        return None, errors


def tokens_of(text):
    return TOKEN.findall(text)


def substance(tokens):
    return [i for i, token in enumerate(tokens) if not token.isspace()]


def mutate(rng, text, corpus):
    tokens = tokens_of(text)
    for _ in range(rng.choice([1, 1, 1, 1, 2, 2, 3])):
        where = substance(tokens)
        if not where:
            break
        kind = rng.choice([0, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, 11])
        at = rng.choice(where)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at] + " ")
        elif kind == 2:
            other = rng.choice(where)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind in (3, 4):
            numbers = [i for i in where if re.match(r"-?\d|\?", tokens[i])]
            if numbers:
                at = rng.choice(numbers)
                near = re.match(r"\d+$", tokens[at]) and rng.random() < 0.3
                tokens[at] = (str(int(tokens[at]) + rng.choice([-1, 1]))
                              if near else rng.choice(NUMBERS))
        elif kind in (5, 6):
            tokens = replace_type(rng, tokens)
        elif kind == 7:
            words = [i for i in where
                     if tokens[i] in WORDS or tokens[i] in ELEMENTS]
            if words:
                tokens[rng.choice(words)] = rng.choice(WORDS)
        elif kind == 8:
            values = [i for i in where if tokens[i].startswith("%")]
            if values:
                tokens[rng.choice(values)] = tokens[rng.choice(values)]
        elif kind == 9:
            ops = [i for i in where
                   if tokens[i].startswith(("fuse.", '"fuse.'))]
            if ops:
                names = [t for t in tokens_of(rng.choice(corpus))
                         if t.startswith(tokens[rng.choice(ops)][:5])]
                if names:
                    tokens[rng.choice(ops)] = rng.choice(names)
        elif kind == 10:
            # A number of a list once more, or one less.
            commas = [i for i in where if tokens[i] == ","]
            if commas:
                at = rng.choice(commas)
                if rng.random() < 0.5:
                    tokens[at:at + 3] = tokens[at:at + 3] * 2
                else:
                    del tokens[at:at + 3]
        else:
            lines = "".join(tokens).splitlines(keepends=True)
            at = rng.randrange(len(lines))
            if rng.random() < 0.5:
                del lines[at]
            else:
                other = rng.choice(corpus).splitlines(keepends=True)
                lines.insert(at, rng.choice(other))
            tokens = tokens_of("".join(lines))
    return "".join(tokens)


def replace_type(rng, tokens):
    """Another type, size or element, in one place or everywhere."""
    text = "".join(tokens)
    types = re.findall(r"tensor<[^<>]*>", text)
    if not types:
        return tokens
    old = rng.choice(types)
    dims = re.match(r"tensor<((?:[?\d]+x)*)", old).group(1)
    choice = rng.random()
    if choice < 0.3:
        new = rng.choice(types + TYPES)
    elif choice < 0.6:
        new = f"tensor<{dims}{rng.choice(ELEMENTS)}>"
    else:
        element = old[len("tensor<") + len(dims):]
        sizes = dims.split("x")[:-1]
        change = rng.random()
        if change < 0.2 and sizes:
            del sizes[rng.randrange(len(sizes))]
        elif change < 0.4:
            sizes.insert(rng.randrange(len(sizes) + 1), rng.choice("012"))
        elif sizes:
            sizes[rng.randrange(len(sizes))] = rng.choice(
                ["?", "?", "0", "1", "2", "3", "9223372036854775807"])
        new = "tensor<" + "".join(size + "x" for size in sizes) + element
    if rng.random() < 0.5:
        return tokens_of(text.replace(old, new))
    place = rng.choice([m.start() for m in re.finditer(re.escape(old), text)])
    return tokens_of(text[:place] + new + text[place + len(old):])


def mutate_bytes(rng, data):
    data = bytearray(data)
    if rng.random() < 0.2:
        return bytes(data[:rng.randrange(len(data))])
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(data))
        data[at] = rng.choice([data[at] ^ (1 << rng.randrange(8)), 0, 1, 255,
                               rng.randrange(256)])
    return bytes(data)


def minimise(text, fails, seconds=20):
    """Drops lines, then tokens, as long as the failure stays."""
    end = time.monotonic() + seconds
    words = re.compile(f"(?:{TOKEN.pattern})\\s*")
    for split in (lambda t: t.splitlines(keepends=True), words.findall):
        parts = split(text)
        size = max(1, len(parts) // 2)
        while time.monotonic() < end:
            at, changed = 0, False
            while at < len(parts) and time.monotonic() < end:
                shorter = parts[:at] + parts[at + size:]
                if "".join(shorter).strip() and fails("".join(shorter)):
                    parts, changed = shorter, True
                else:
                    at += size
            if size == 1 and not changed:
                break
            size = max(1, size // 2)
        text = "".join(parts)
    return text


class Fuzzer:
    def __init__(self, options):
        self.opt = FuseOpt(options.program)
        self.check = Checker(self.opt)
        self.options = options
        self.rng = random.Random(options.seed)
        self.found, self.mutants, self.valid, self.upstream = {}, 0, 0, 0
        self.load(options.modules)
        self.end = time.monotonic() + options.seconds

    def load(self, paths):
        self.custom = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                text = re.sub(r"(?m)^\s*//(?! -----).*\n|\s//(?! -----).*", "",
                              file.read())
            self.custom += [part.strip() + "\n"
                            for part in text.split("// -----") if part.strip()]
        # One op is mutated better alone than among others.
        for part in list(self.custom):
            functions = re.split(r"(?m)^(?=func\.func)", part)
            if len(functions) > 2:
                self.custom += [functions[0] + f for f in functions[1:]]
            for function in functions[1:]:
                lines = re.findall(r"(?m)^  %\w+ = .*\n", function)
                if len(lines) > 1 and function.endswith("  return\n}\n"):
                    head = function[:function.index(lines[0])]
                    self.custom += [f"{functions[0]}{head}{line}  return\n}}\n"
                                    for line in lines]
        _, self.custom, _ = self.check.parse(self.custom)
        _, generic, _ = self.opt.run(
            SPLIT.join(self.custom),
            ["--split-input-file", "--mlir-print-op-generic"])
        self.generic = [p.strip() + "\n"
                        for p in generic.split("// -----") if p.strip()]
        small = [part for part in self.custom if len(part) < 2000]
        self.bytecode = []
        if self.options.bytecode:
            self.bytecode = [self.to_bytecode(part) for part in self.rng.sample(
                small, min(len(small), 30))]
        if not self.custom or not self.generic:
            sys.exit("no module to mutate could be read")

    def to_bytecode(self, text):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "module.mlirbc")
            self.opt.run(text, ["--emit-bytecode", "-o", output])
            with open(output, "rb") as file:
                return file.read()

    def report(self, what, source, errors, flags, make_small=True):
        """Keeps one mutant of each kind of failure."""
        frames = re.findall(r"(?:fuse|mlir)::[\w:~]+", errors)
        ours = [f for f in frames if OUR_FRAME.match(f)]
        place = (ours or frames or [""])[0]
        if what.startswith("refuses"):
            place = re.sub(r"[\d?]+", "N", what.split("error: ")[-1])[:60]
        key = (what.split(":")[0], place)
        if key in self.found:
            return
        if make_small:
            def same(text):
                status, new = self.run_alone(text, flags)
                return status is not None and \
                    status.split(":")[0] == what.split(":")[0] and \
                    (not place or place in re.sub(r"[\d?]+", "N", new)
                     or place in new)
            source = minimise(source, same)
        self.found[key] = source
        print(f"==== {what} {' '.join(flags)}  [{place}]")
        sys.stdout.write(source if isinstance(source, str)
                         else f"{len(source)} bytes\n")
        print(errors[-3000:] if not make_small else errors[:1500], flush=True)
        if self.options.save:
            name = os.path.join(self.options.save,
                                f"crash-{self.options.seed}-{len(self.found)}")
            if isinstance(source, str):
                with open(name + ".mlir", "w", encoding="utf-8") as file:
                    file.write(f"// fuse-opt {' '.join(flags)}: {what}\n")
                    file.write(source)
            else:
                with open(name + ".mlirbc", "wb") as file:
                    file.write(source)

    def run_alone(self, text, flags):
        """What is wrong with one mutant, and the errors that say so."""
        status, valid, errors = self.check.parse([text])
        if not status and flags and valid:
            if flags[0].startswith("--pass-pipeline"):
                status, _, errors = self.opt.run(text, flags)
                return status if isinstance(status, str) else None, errors
            status, errors = self.check.fails_on_valid(text, flags)
        return status, errors

    def text_batch(self):
        corpus = self.rng.choice([self.custom, self.custom, self.generic])
        mutants = [mutate(self.rng, self.rng.choice(corpus), corpus)
                   for _ in range(BATCH)]
        mutants = [mutant for mutant in mutants if mutant.strip()]
        self.mutants += len(mutants)
        status, valid, _ = self.check.parse(mutants)
        if status:
            self.single_out(mutants, [])
        self.valid += len(valid)
        if not valid:
            return
        for flags in [["--verify-roundtrip"], *PASSES]:
            status, _ = self.check.fails_on_valid(SPLIT.join(valid), flags)
            if status:
                self.single_out(valid, flags)
        self.bind_sizes(self.rng.choice(valid))

    def bind_sizes(self, text):
        """Sizes may contradict each other in any way, but it has to be said."""
        status, plain, errors = self.opt.run(text, [])
        arguments = re.search(r"func\.func.*?@[\w.]+\((.*)", plain)
        if not arguments:
            return
        shapes = []
        for type in re.findall(r"%arg\d+: (tensor<[^<>]*>|\S+?)(?=[,) ])",
                               arguments.group(1)):
            sizes = re.findall(r"(\d+|\?)x", type)
            sizes = [self.rng.choice(SIZES) if size == "?" else size
                     for size in sizes]
            if type == "index":
                sizes = [self.rng.choice(SIZES)]
            shapes.append("x".join(sizes) or "scalar")
        flags = ["--pass-pipeline=builtin.module(func.func(fuse-bind-sizes{"
                 f"shapes={','.join(shapes)}}}),fuse-reference-to-linalg)"]
        status, _, errors = self.opt.run(text, flags)
        if isinstance(status, str):
            self.report(status, text, errors, flags)

    def single_out(self, mutants, flags):
        """Which of the mutants it was that failed."""
        failed = False
        for mutant in mutants:
            status, errors = self.run_alone(mutant, flags)
            if status:
                failed = True
                self.report(status, mutant, errors, flags)
        if not failed:
            self.report("fails together only", SPLIT.join(mutants), "", flags,
                        make_small=False)

    def bytecode_batch(self):
        for _ in range(8):
            self.mutants += 1
            mutant = mutate_bytes(self.rng, self.rng.choice(self.bytecode))
            status, _, errors = self.opt.run(mutant, ["--canonicalize"],
                                             timeout=10)
            if not isinstance(status, str):
                continue
            if OUR_FRAME.search(errors) and READER not in errors:
                self.report(status, mutant, errors, ["--canonicalize"], False)
            else:
                self.upstream += 1

    def run(self):
        rounds = 0
        while time.monotonic() < self.end:
            self.text_batch()
            if self.options.bytecode and rounds % 4 == 0:
                self.bytecode_batch()
            rounds += 1
            if self.options.rounds and rounds >= self.options.rounds:
                break
        print(f"seed {self.options.seed}: {self.mutants} mutants, "
              f"{self.valid} of them valid, {len(self.found)} failures, "
              f"{self.upstream} more in MLIR's reader of bytecode")
        return 1 if self.found else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--seconds", type=float,
                        default=float(os.environ.get("FUSE_FUZZ_SECONDS", 30)))
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save")
    parser.add_argument("--bytecode", action="store_true")
    sys.exit(Fuzzer(parser.parse_args()).run())


main()
