"""Arrays that are not quite NumPy's, and arrays that nobody may write to. Each function that starts with test_ is one."""

import ctypes
import sys
import types

import numpy

import fuse
from checks import run, says
from fuse import _arrays

twice = fuse.compile("""
func.func @twice(%x: tensor<?xf32> {fuse.name = "x"}) -> (tensor<?xf32> {fuse.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
""")
READ_ONLY = "output 0 'y' may only be read, but a result would be written to it"
x = numpy.arange(16, dtype="float32")


def aligned(buffer):
    """16 numbers in a buffer, where code for processors may write."""
    numbers = numpy.frombuffer(buffer, "float32")
    start = -numbers.ctypes.data % 64 // 4
    return numbers[start:start + 16]


class Speaker:
    """What speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Versioned:
    """What speaks DLPack with a version and flags; some NumPys do not."""

    def __init__(self, array, flags=0, major=1):
        shape = (ctypes.c_int64 * 1)(*array.shape)
        tensor = _arrays._DLTensor(array.ctypes.data, 1, 0, 1, 2, 32, 1, shape, None, 0)
        self.managed = _arrays._DLManagedTensorVersioned(major, 0, None, None, flags, tensor)
        self.keep = array, shape

    def __dlpack__(self, *, stream=None, max_version=None):
        assert max_version[0] >= 1
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor_versioned", None)

    def __dlpack_device__(self):
        return 1, 0


def test_read_only_arrays_are_inputs_only():
    fixed = bytes(256)
    out = aligned(fixed)
    assert not out.flags.writeable
    says(READ_ONLY, fuse.InputError, twice, x, out=out)
    assert fixed == bytes(256)
    assert (twice(out) == 0).all()
    out = twice(x)
    out.flags.writeable = False
    says(READ_ONLY, fuse.InputError, twice, x, out=out)
    says(READ_ONLY, fuse.InputError, twice.program([(16,)]).run, [x], out=[out])
    assert (twice(out) == 4 * x).all()


def test_mapped_files_are_not_written_through():
    numpy.zeros(1024, "float32").tofile("numbers")
    says(READ_ONLY, fuse.InputError, twice, numpy.ones(1024, "float32"),
         out=numpy.memmap("numbers", dtype="float32", mode="r"))
    twice(numpy.ones(1024, "float32"), out=numpy.memmap("numbers", dtype="float32", mode="r+"))
    assert (numpy.fromfile("numbers", "float32") == 2).all()


def test_dlpack_runs():
    out = aligned(bytearray(256))
    twice(Speaker(x), out=Speaker(out))
    assert (out == 2 * x).all()
    says("fuse does not know how to allocate outputs for these arrays: give them as out=", fuse.UsageError, twice,
         Speaker(x))
    says("input 0 'x': its strides are 2", fuse.InputError, twice, Speaker(x[::2]), out=Speaker(out[:8]))
    says("on a device of DLPack's kind 10", fuse.InputError, twice, type(
        "Elsewhere", (Speaker,), {"__dlpack_device__": lambda self: (10, 0)})(x))


def test_dlpack_says_what_may_be_written():
    out = aligned(bytearray(256))
    twice(Versioned(x, flags=1), out=Versioned(out))
    assert (out == 2 * x).all()
    says(READ_ONLY, fuse.InputError, twice, x, out=Versioned(out, flags=1))
    says("argument 0 speaks version 2.0 of DLPack, but fuse only 1", fuse.InputError, twice, Versioned(x, major=2))
    says("argument 0 hands out something that is no tensor of DLPack", fuse.InputError, twice, type(
        "Silent", (Speaker,), {"__dlpack__": lambda self: None})(x))

    def refuse(self):
        raise BufferError("it is mine")

    says("argument 0 does not hand out its memory: it is mine", fuse.InputError, twice, type(
        "Own", (Speaker,), {"__dlpack__": refuse})(x))


def test_dlpack_may_fail_as_it_likes():
    # As arrays of JAX do that were donated.
    def deleted(self, **_):
        raise RuntimeError("Array has been deleted")

    says("argument 0 does not hand out its memory: Array has been deleted", fuse.InputError, twice, type(
        "Deleted", (Speaker,), {"__dlpack__": deleted})(x))
    says("argument 0 does not say on which device it is: Array has been deleted", fuse.InputError, twice, type(
        "Deleted", (Speaker,), {"__dlpack_device__": deleted})(x))
    for device in None, 3, "gpu", (1, None), (1, 0, 0):
        says("argument 0 does not say on which device it is", fuse.InputError, twice, type(
            "Nowhere", (Speaker,), {"__dlpack_device__": lambda self: device})(x))


def test_memory_that_lacks_is_no_fault_of_the_array():
    def lacking(self, **_):
        raise MemoryError("no more")

    for name in ("__dlpack__", "__dlpack_device__"):
        says("no more", MemoryError, twice, type("Large", (Speaker,), {name: lacking})(x))
    says("no more", MemoryError, twice, type("Large", (), {"__array_interface__": property(lacking)})())


def test_outputs_without_elements_share_no_memory():
    columns = fuse.compile("""
func.func @columns(%x: tensor<4x8xf32>, %w: tensor<8x?xf32>) -> (tensor<4x?xf32> {fuse.name = "y"}) {
  %0 = fuse.matmul %x, %w : tensor<4x8xf32>, tensor<8x?xf32> -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
""")
    numbers = numpy.ones(32, "float32")

    # NumPy itself moves what is empty to the start.
    def nothing_in_it(*shape):
        return type("Nothing", (), {"__array_interface__": {
            "data": (numbers.ctypes.data + 64, False), "shape": shape, "typestr": "<f4", "version": 3}})()

    columns(numbers.reshape(4, 8), numpy.ones((8, 0), "float32"), out=nothing_in_it(4, 0))
    # Nor does an input without elements that lies in an output.
    sums = fuse.compile("""
func.func @sums(%x: tensor<32x?xf32>) -> (tensor<32xf32> {fuse.name = "y"}) {
  %0 = fuse.reduce sum %x dims [1] : tensor<32x?xf32>
  return %0 : tensor<32xf32>
}
""")
    sums(nothing_in_it(32, 0), out=numbers)
    assert (numbers == 0).all()


def test_arrays_of_jax_do_not_change():
    # As JAX makes them, which need not be there: they are recognized by their module.
    jax_array = type("ArrayImpl", (Speaker,), {"__module__": "jaxlib._jax"})
    made = aligned(bytearray(256))
    numbers = {"float32": numpy.float32}
    sys.modules["jax"] = types.SimpleNamespace(
        devices=lambda kind: [kind], default_device=lambda device: memoryview(b""),
        numpy=types.SimpleNamespace(zeros=lambda shape, name: made_by_jax(made[:shape[0]], numbers[name])))

    def made_by_jax(memory, type):
        array = jax_array(memory)
        array.dtype = numpy.dtype(type)
        array.block_until_ready = lambda: array
        return array

    try:
        result = twice(jax_array(x))
        assert isinstance(result, jax_array) and (made == 2 * x).all()
        says(READ_ONLY, fuse.InputError, twice, jax_array(x), out=result)
    finally:
        del sys.modules["jax"]


def test_what_jax_traces_has_no_numbers():
    tracer = type("Tracer", (), {"__module__": "jax._src.interpreters.partial_eval"})
    says("argument 0 is being traced by JAX and has no numbers yet", fuse.InputError, twice, tracer())


def test_masks_are_not_lost():
    for mask in ([1] + [0] * 15, [0] * 16, False):
        masked = numpy.ma.array(x, mask=mask)
        says("argument 0 is a masked array, which fuse does not have: fill it, or give its data", fuse.InputError, twice,
             masked)
        says("output 0 'y' is a masked array", fuse.InputError, twice, x, out=masked)
    assert (twice(numpy.ma.array(x, mask=[1] + [0] * 15).filled(3))[:2] == [6, 2]).all()
    own = type("Own", (numpy.ma.MaskedArray,), {"__module__": "own"})
    says("argument 0 is a masked array", fuse.InputError, twice, x.view(own))


def test_what_arrays_say_of_themselves_may_be_anything():
    class Own:
        def __init__(self, **more):
            self.more = more

        @property
        def __array_interface__(self):
            return {"shape": (16,), "typestr": "<f4", "data": (x.ctypes.data, False), "version": 3, **self.more}

    assert (twice(Own()) == 2 * x).all() and (twice(Own(shape=[16], strides=(4,))) == 2 * x).all()
    assert twice(Own(shape=(0,), data=(None, False))).shape == (0,)
    for key, wrong in (("shape", (None, 16, ("a",), (1.5,), (1 << 64,))), ("typestr", (None, b"<f4", ["<f4"])),
                       ("strides", (4, ("a",), (1 << 64,))), ("data", ((x.ctypes.data,), ("1", False), (1.0, False),
                                                                       (-1, False), (1 << 64, False), ()))):
        for found in wrong:
            says(f"argument 0 has {found!r} as the '{key}' of its interface, but ", fuse.InputError, twice,
                 Own(**{key: found}))
    for strides in ((), (4, 4)):
        says(f"argument 0 has {len(strides)} strides for 1 dimensions", fuse.InputError, twice, Own(strides=strides))
    says("argument 0 has None as its __array_interface__, but a dict is needed", fuse.InputError, twice,
         type("None", (), {"__array_interface__": None})())

    def fail(self):
        raise ValueError("it is mine")

    says("argument 0 has no __array_interface__: it is mine", fuse.InputError, twice,
         type("Own", (), {"__array_interface__": property(fail)})())


def test_kinds_of_numpys_arrays_are_numpys():
    own = type("Own", (numpy.ndarray,), {"__module__": "own"})
    assert type(twice(x.view(own))) is numpy.ndarray


if __name__ == "__main__":
    sys.exit(run(globals()))
