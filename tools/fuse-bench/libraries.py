#!/usr/bin/env python3
"""What CUDA's own libraries take: copies, products by cuBLASLt and attention by cuDNN, all of them opened with ctypes.

fuse-bench starts it and writes requests to it, as to peers.py, but it needs nothing besides a driver and the libraries.

  floor     a copy of as many bytes as the workload reads and writes, by the driver or a kernel
  bare      its products alone by cuBLASLt, its attention by cuDNN: less than the workload, and so a bound
  epilogue  the whole workload by cuBLASLt, with its own epilogues, where they suffice
  cudnn     the whole workload by cuDNN, where it is attention that is causal or has no mask, and nothing else is done to scores
"""

import gc
import json
import sys

import attention as graphs
import cublaslt
import cuda
import cudnn


class Step:
    """A product of `m` x `k` and `k` x `n`, `batch` times; its rows are the result of the step before if `chained`."""

    def __init__(self, m, n, k, activation=None, has_bias=False, batch=1, chained=False):
        self.m, self.n, self.k, self.batch = m, n, k, batch
        self.activation, self.has_bias, self.chained = activation, has_bias, chained


class Attend:
    """Attention, of as many queries as keys and with heads of their own if nothing else is said."""

    def __init__(self, batch, heads, tokens, features, is_causal, shared=None, keys=None):
        shared, keys = shared or heads, keys or tokens
        self.shape, self.is_causal = (batch, heads, shared, tokens, keys, features), is_causal
        of_queries, of_keys = batch * heads * tokens * features, batch * shared * keys * features
        # Of queries, keys, values and what comes out.
        self.counts = of_queries, of_keys, of_keys, of_queries


# ----------------------------------------------------------------------------
# What workloads are made of
# ----------------------------------------------------------------------------

def linear(p, epilogue):
    if epilogue:
        return [Step(p["M"], p["N"], p["K"], p.get("activation", "relu"), has_bias=True)]
    return [Step(p["M"], p["N"], p["K"])]


def wide(p, epilogue):
    return None if epilogue else [Step(p["M"], 2 * p["N"], p["K"])]


def main_product(p, epilogue):
    return None if epilogue else [Step(p["M"], p["N"], p["K"])]


def scores(p, epilogue):
    return None if epilogue else [Step(p["S"], p["D"], p["S"])]


def chain(p, epilogue):
    widths = p["widths"]
    if epilogue and p["last"] != "none":
        return None
    last = len(widths) - 2
    return [Step(p["batch"], n, k, "relu" if epilogue and i < last else None, has_bias=epilogue, chained=i > 0)
            for i, (k, n) in enumerate(zip(widths, widths[1:]))]


def two_layers(p, epilogue):
    return [Step(p["M"], p["H"], p["K"], "relu" if epilogue else None), Step(p["M"], p["N"], p["H"], chained=True)]


def attention(p, epilogue):
    # With all that is causal where less is kept: no bound, but near to one. It would be far from a window.
    if epilogue or p["mask"] == "window":
        return None
    return [Attend(p["B"], p["H"], p["S"], p["D"], p["mask"] != "none", p["KV"], p["T"])]


def project(p, epilogue):
    if epilogue:
        return None
    return [Step(p["M"], p["H"], p["K"]), Step(p["M"], p["N"], p["H"], chained=True), Step(p["M"], p["K"], p["N"], chained=True)]


def norm_mlp(p, epilogue):
    return None if epilogue else [Step(p["M"], p["H"], p["K"]), Step(p["M"], p["K"], p["H"], chained=True)]


def gpt2(p, epilogue):
    if epilogue:
        return None
    rows, width, heads = p["batch"] * p["tokens"], p["width"], p["heads"]
    return [Step(rows, 3 * width, width), Attend(p["batch"], heads, p["tokens"], width // heads, True),
            Step(rows, width, width), Step(rows, 4 * width, width), Step(rows, width, 4 * width, chained=True)]


KINDS = {"linear": linear, "linear_f8": linear, "norm_linear": main_product, "gate": wide, "geglu": wide,
         "lora": main_product, "mlp": chain, "two_layers": two_layers, "scores": scores, "attention": attention,
         "project": project, "norm_mlp": norm_mlp, "gpt2": gpt2}


# ----------------------------------------------------------------------------
# Timing
# ----------------------------------------------------------------------------

class Libraries:
    """Opened when they are needed."""

    def __init__(self):
        self.device = cuda.Device()
        self.opened = {}

    def get(self, module):
        if module not in self.opened:
            self.opened[module] = module.Library(self.device)
        return self.opened[module]


class Sequence:
    """Steps with memory, for as many sets of arguments as are asked for."""

    def __init__(self, libraries, steps, element, along_k, tf32, fast, is_hot):
        self.libraries, self.device, self.steps, self.element = libraries, libraries.device, steps, element
        self.made = [self.make(step, along_k, tf32, fast) for step in steps]
        first = self.memory()
        size = sum(memory.size for memory in {id(each): each for step in first for each in step}.values())
        self.sets = [first] + [self.memory() for _ in range(cuda.count_of_sets(self.device, size, is_hot) - 1)]
        self.packs = [[made.pack(*(each.address for each in places)) if isinstance(step, Attend) else None
                       for step, made, places in zip(steps, self.made, memory)] for memory in self.sets]
        for number, (step, made) in enumerate(zip(steps, self.made)):
            if isinstance(step, Step):
                made.choose([[each.address for each in memory[number]] for memory in self.sets])

    def make(self, step, along_k, tf32, fast):
        if isinstance(step, Attend):
            return cudnn.Attention(self.libraries.get(cudnn), *step.shape, self.element, step.is_causal)
        return cublaslt.Product(self.libraries.get(cublaslt), step.m, step.n, step.k, self.element, along_k,
                                step.activation, step.has_bias, tf32, fast, step.batch)

    def memory(self):
        """One set: of each step what it reads and writes."""
        size = cuda.BYTES[self.element]
        result = "bf16" if self.element == "f8" else self.element
        made, before = [], None
        for step in self.steps:
            if isinstance(step, Attend):
                places = [cuda.Memory(self.device, size * count).fill(self.element) for count in step.counts]
            else:
                rows = before if step.chained else cuda.Memory(self.device, size * step.batch * step.m * step.k).fill(
                    self.element)
                weight = cuda.Memory(self.device, size * step.batch * step.k * step.n)
                before = cuda.Memory(self.device, cuda.BYTES[result] * step.batch * step.m * step.n)
                places = [rows, weight.fill(self.element, 1.0 if self.element == "f8" else step.k ** -0.5), before]
                if step.has_bias:
                    places.append(cuda.Memory(self.device, cuda.BYTES[result] * step.n).fill(result))
            made.append(places)
        return made

    def run(self, number):
        for made, places, pack in zip(self.made, self.sets[number], self.packs[number]):
            if pack:
                made.run(pack)
            else:
                made.run(*(each.address for each in places))


def copies(libraries, size, state, is_hot):
    """The faster one of two ways to read and write so many bytes together, half of them each."""
    device = libraries.device
    half = max(int(size) // 2, 16)
    count = cuda.count_of_sets(device, 2 * half, is_hot)
    sets = [(cuda.Memory(device, half), cuda.Memory(device, half).fill("f32")) for _ in range(count)]
    ways = [lambda number, way=way: way(sets[number][0].address, sets[number][1].address, half)
            for way in (device.copy, device.copy_by_kernel)]
    return min(cuda.microseconds(device, way, count, state) for way in ways)


def products(libraries, request, state, is_hot, epilogue):
    """The fastest way; None if there is none."""
    kind, p = request["kind"], request["parameters"]
    steps = KINDS[kind](p, epilogue) if kind in KINDS else None
    if not steps:
        return None
    element = request["element"]
    # It is for short floats.
    if element not in cudnn.TYPES and any(isinstance(step, Attend) for step in steps):
        return None
    has_products = any(isinstance(step, Step) for step in steps)
    # A weight lies as it is stored, if somebody says so. Else both orders are tried, of which one may be faster. Short floats
    # only come in one of them.
    if "layout" in p:
        layouts = [p["layout"] == "nk"]
    else:
        layouts = [True] if element == "f8" else [False, True] if has_products and len(steps) == 1 else [False]
    # Sums of products of 8 bits may be short, too.
    modes = [False, True] if element == "f8" and not epilogue else [False]
    best = None
    for along_k in layouts:
        for fast in modes:
            sequence = Sequence(libraries, steps, element, along_k, p.get("precision") == "tf32", fast, is_hot)
            took = cuda.microseconds(libraries.device, sequence.run, len(sequence.sets), state)
            best = took if best is None else min(best, took)
            del sequence
            gc.collect()
    return best


def time_all(libraries, request):
    """Microseconds of everything that was asked for, by state."""
    states, errors = {state: {"peers": {}} for state in request["states"]}, {}
    is_hot = request.get("cache") == "hot"

    def put(name, function):
        for state in request["states"]:
            try:
                took = function(state)
            except cuda.CudaError as error:
                errors[name] = str(error)[:300]
                return
            if took is not None:
                (states[state] if name in ("floor", "bare") else states[state]["peers"])[name] = took

    for name in request["peers"]:
        if name == "floor" and request.get("bytes"):
            put(name, lambda state: copies(libraries, request["bytes"], state, is_hot))
        elif name in ("bare", "epilogue"):
            put(name, lambda state: products(libraries, request, state, is_hot, name == "epilogue"))
        elif name == "cudnn" and request["kind"] == "attention" and graphs.is_plain(request["parameters"]):
            put(name, lambda state: products(libraries, request, state, is_hot, False))
        gc.collect()
    return {"states": states, "errors": errors}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        libraries = Libraries()
    except cuda.CudaError as error:
        print(json.dumps({"error": str(error)}), file=answers, flush=True)
        return 1
    print(json.dumps({"device": libraries.device.name()}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = time_all(libraries, json.loads(line))
        except Exception as error:
            answer = {"states": {}, "errors": {"all": f"{type(error).__name__}: {error}".split("\n")[0][:300]}}
        print(json.dumps(answer), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
