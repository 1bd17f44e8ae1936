"""Arrays on a GPU that there is not: the driver of the C++ tests, whose memory is the host's and whose kernels are functions
of a test. FUSE_CUDA_DRIVER names it."""

import ctypes
import os

import numpy

_driver = ctypes.CDLL(os.environ["FUSE_CUDA_DRIVER"])
_BODY = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32), ctypes.c_void_p,
                         ctypes.POINTER(ctypes.c_void_p))
#: What was launched: names, grids and streams.
launches = []
_bodies = {}


@_BODY
def _launch(name, grid, stream, parameters):
    launches.append((name.decode(), tuple(grid[:3]), stream))
    for part, body in _bodies.items():
        if part in name.decode():
            body(lambda number, type=ctypes.c_int64: ctypes.cast(parameters[number], ctypes.POINTER(type))[0])


_driver.fuseFakeAllKernels(_launch)


def kernel(part):
    """Makes a function what kernels do whose names contain `part`; it is given what yields a parameter."""
    def register(body):
        _bodies[part] = body
        return body
    return register


def floats(address, count):
    """What lies in memory of the device."""
    return numpy.ctypeslib.as_array((ctypes.c_float * count).from_address(address)) if count else numpy.empty(0, "float32")


class Array:
    """Memory of the device, in rows, which speaks no protocol."""

    def __init__(self, shape, fill=None):
        self.shape = tuple(shape)
        self.count = int(numpy.prod(self.shape, dtype=int))
        address = ctypes.c_uint64()
        # Without a current context the driver does nothing.
        context, own = ctypes.c_void_p(), ctypes.c_void_p(1)
        assert _driver.cuCtxPushCurrent_v2(own) == 0
        assert _driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(4 * self.count, 4))) == 0
        assert _driver.cuCtxPopCurrent_v2(ctypes.byref(context)) == 0
        self.address = address.value
        self.numbers = floats(self.address, self.count).reshape(self.shape)
        if fill is not None:
            self.numbers[...] = fill

    def __del__(self):
        _driver.cuMemFree_v2(ctypes.c_uint64(self.address))


class DlpackArray(Array):
    """The same for those who ask for DLPack."""

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None, max_version=None):
        from fuse import _arrays
        shape = (ctypes.c_int64 * max(len(self.shape), 1))(*self.shape)
        tensor = _arrays._DLTensor(self.address, 2, 0, len(self.shape), 2, 32, 1, shape, None, 0)
        self.managed = _arrays._DLManagedTensorVersioned(1, 0, None, None, 0, tensor), shape
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed[0]), b"dltensor_versioned", None)
