#!/usr/bin/env python3
"""What bounds a workload on a processor: a copy of its bytes, and its products alone by a BLAS.

fuse-bench starts it and writes requests to it, as to libraries.py, in whose place it is. It needs nothing for copies,
and OpenBLAS, or NumPy, for products of f32.

    host.py BLAS     the library to open, such as libopenblas.so.0
"""

import concurrent.futures
import ctypes
import json
import os
import statistics
import sys
import time

SAMPLES = 15
SAMPLE_SECONDS = 5e-3
ROW_MAJOR, AS_IT_IS = 101, 111


def count_of_threads():
    """As the runtime counts them."""
    said = os.environ.get("FUSE_NUM_THREADS", "")
    return int(said) if said.isdigit() and int(said) else len(os.sched_getaffinity(0))


def microseconds(call):
    """The median of a call on the same data, which is what `fuse-run --bench` does on a processor."""
    call()
    start = time.perf_counter()
    call()
    count = int(min(max(SAMPLE_SECONDS / max(time.perf_counter() - start, 1e-7), 1), 10000))
    samples = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        for _ in range(count):
            call()
        samples.append((time.perf_counter() - start) / count)
    return statistics.median(samples) * 1e6


def copy(size):
    """The faster one of a copy by one thread and by all; half of the bytes are read, half written."""
    half = max(size // 2, 1)
    source, target = ctypes.create_string_buffer(half), ctypes.create_string_buffer(half)
    # Memory that nobody has written is all the same page.
    ctypes.memset(source, 1, half)
    ctypes.memset(target, 2, half)
    from_, to = ctypes.addressof(source), ctypes.addressof(target)
    best = microseconds(lambda: ctypes.memmove(to, from_, half))
    threads = count_of_threads()
    if threads == 1:
        return best
    bounds = [half * number // threads for number in range(threads + 1)]
    parts = [(to + a, from_ + a, b - a) for a, b in zip(bounds, bounds[1:])]
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return min(best, microseconds(lambda: list(pool.map(lambda part: ctypes.memmove(*part), parts))))


class Blas:
    """Products of f32 by a library's cblas_sgemm."""

    def __init__(self, name):
        self.product = ctypes.CDLL(name).cblas_sgemm
        pointer, number, real = ctypes.c_void_p, ctypes.c_int, ctypes.c_float
        self.product.argtypes = [number] * 6 + [real, pointer, number, pointer, number, real, pointer, number]
        self.product.restype = None
        set_threads = getattr(ctypes.CDLL(name), "openblas_set_num_threads", None)
        if set_threads:
            set_threads(count_of_threads())

    def make(self, m, n, k):
        x, w, y = ((ctypes.c_float * count)() for count in (m * k, k * n, m * n))
        for array in (x, w):
            # A small float that is no zero, and not so small that it is slow.
            ctypes.memset(array, 0x3D, ctypes.sizeof(array))
        return lambda: self.product(ROW_MAJOR, AS_IT_IS, AS_IT_IS, m, n, k, 1, ctypes.addressof(x), k, ctypes.addressof(w), n, 0,
                                    ctypes.addressof(y), n)


class NumPy:
    """The same by NumPy, whatever it multiplies with."""

    def __init__(self):
        import numpy
        self.numpy = numpy

    def make(self, m, n, k):
        x, w = self.numpy.full((m, k), 0.05, "float32"), self.numpy.full((k, n), 0.05, "float32")
        y = self.numpy.zeros((m, n), "float32")
        return lambda: self.numpy.matmul(x, w, out=y)


def multiplier(name):
    """What multiplies; ModuleNotFoundError, which is a note, if nothing is there that does."""
    try:
        return Blas(name)
    except (OSError, AttributeError):
        pass
    try:
        return NumPy()
    except ImportError:
        raise ModuleNotFoundError(f"there is neither {name} with cblas_sgemm, which --blas names, nor NumPy") from None


def products(request, blas):
    """The products of a workload one after the other, or None if there are none, or others than of f32."""
    # Described beside what opens CUDA's libraries, of which nothing is opened by it.
    import libraries
    describe = libraries.KINDS.get(request["kind"])
    steps = describe(request["parameters"], False) if describe else None
    if not steps or request["element"] != "f32" or not all(isinstance(step, libraries.Step) for step in steps):
        return None
    calls = [multiplier(blas).make(step.m, step.n, step.k) for step in steps for _ in range(step.batch)]
    return microseconds(lambda: [call() for call in calls])


def time_all(request, blas):
    """Microseconds of what was asked for, in every state the same: a processor has none."""
    found, errors = {"peers": {}}, {}
    for name in request["peers"]:
        try:
            took = copy(request["bytes"]) if name == "floor" else products(request, blas)
        except Exception as error:
            errors[name] = f"{type(error).__name__}: {error}".split("\n")[0][:300]
            continue
        if took is not None:
            found[name] = took
    return {"states": {state: dict(found) for state in request["states"]}, "errors": errors}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"device": "cpu"}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(time_all(json.loads(line), sys.argv[1])), file=answers, flush=True)


if __name__ == "__main__":
    main()
