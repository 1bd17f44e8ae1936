"""What Python is told of a GPU, a driver, memory and kernels with which something is wrong, and that everything works
again when it is mended. Each function that starts with test_ is one."""

import contextlib
import ctypes
import gc
import os
import sys

import numpy

import fake_cuda
import fuse
from checks import run, says
from fake_cuda import DlpackArray
from fuse import _library, _program

driver = ctypes.CDLL(os.environ["FUSE_CUDA_DRIVER"])
driver.fuseFakeSettings.restype = driver.fuseFakeIsClean.restype = ctypes.c_bool

GOOD = b"devices=1 version=12040 chip=9.0 memory=1073741824"
TWICE = """
func.func @twice(%x: tensor<?x8xf32> {fuse.name = "x"}) -> (tensor<?x8xf32> {fuse.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
"""
# Sums of all rows, before any row is done.
SHIFT = """
func.func @shift(%x: tensor<65536x8xf32>) -> tensor<65536x8xf32> {
  %0 = fuse.reduce sum %x dims [0] : tensor<65536x8xf32>
  %1 = fuse.broadcast %0 dims [1] : tensor<8xf32> -> tensor<65536x8xf32>
  %2 = arith.addf %x, %1 : tensor<65536x8xf32>
  return %2 : tensor<65536x8xf32>
}
"""


@fake_cuda.kernel("twice")
def double(parameter):
    count = 8 * parameter(1)
    fake_cuda.floats(parameter(2), count)[:] = 2 * fake_cuda.floats(parameter(0), count)


def release():
    """Of devices, too, of which the package keeps those that it has opened."""
    gc.collect()
    _program._devices.clear()


@contextlib.contextmanager
def wrong(words, **environment):
    """The driver as the words say, and then as it was."""
    release()
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    assert driver.fuseFakeSettings(words.encode())
    try:
        yield
    finally:
        release()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        driver.fuseFakeMend()
        assert driver.fuseFakeSettings(GOOD)


IMAGE = fuse.compile(TWICE, chip="sm_90a", open_sizes=True).image([(3, 8)], "cuda").to_bytes()


def works():
    """The same on memory of the device, of which nothing is left afterwards."""
    x, y = DlpackArray((3, 8), 3), DlpackArray((3, 8), -1)
    for twice in (fuse.load(IMAGE), fuse.compile(TWICE, open_sizes=True)):
        y.numbers[...] = -1
        assert twice(x, out=y) is y and (y.numbers == 6).all()
    del twice, x, y
    release()
    assert driver.fuseFakeIsClean()


def fails(text, kind, words, source=None):
    """Whether this is said of an image, or of a graph, and everything works again afterwards."""
    x, y = DlpackArray((3, 8), 3), DlpackArray((3, 8), -1)
    twice = fuse.load(IMAGE) if source is None else fuse.compile(source, open_sizes=True)
    with wrong(words):
        says(text, kind, twice, x, out=y)
    # Not only others: this one, too.
    assert twice(x, out=y) is y and (y.numbers == 6).all()
    del twice, x, y
    release()
    assert driver.fuseFakeIsClean()
    works()


def test_nothing_is_wrong():
    works()


def test_there_is_no_driver():
    with wrong("", FUSE_CUDA_DRIVER="/nowhere/libcuda.so.1"):
        says("no CUDA driver: /nowhere/libcuda.so.1 could not be opened", fuse.DeviceError, fuse.Program, fuse.Image.parse(IMAGE),
             "cuda")
    works()


def test_there_is_no_gpu():
    fails("no CUDA device: the driver finds none on this machine", fuse.UnsupportedError, "devices=0")


def test_the_gpu_is_older_or_newer_than_the_code():
    fails("has code for sm_90a, but the device is sm_75 'Fake GPU'", fuse.UnsupportedError, "chip=7.5")
    fails("has code for sm_90a, but the device is sm_100 'Fake GPU'", fuse.UnsupportedError, "chip=10.0")
    fails("Fake GPU is a sm_75, but there is code for sm_80", fuse.UnsupportedError, "chip=7.5", TWICE)


def test_the_driver_is_too_old_for_the_ptx():
    fails("needs a driver for CUDA 12.0 or newer, but this one is for CUDA 11.8", fuse.UnsupportedError, "version=11080")


def test_there_is_no_memory():
    x, y = DlpackArray((1 << 16, 8), 3), DlpackArray((1 << 16, 8), -1)
    shift = fuse.compile(SHIFT)
    with wrong("memory=0"):
        says("the workspace of 'shift' needs", fuse.UnsupportedError, shift, x, out=y)
        # What needs none does not ask for any.
        assert fuse.load(IMAGE)(x, out=y) is y and (y.numbers == 6).all()
    assert shift(x, out=y) is y
    del shift, x, y
    works()


def test_a_kernel_faults():
    x, y = DlpackArray((3, 8), 3), DlpackArray((3, 8), -1)
    twice = fuse.load(IMAGE)
    loss = "failed: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
    with wrong("fault=700", FUSE_CUDA_SYNC="1"):
        says(f"from <memory>:3 {loss}; the device cannot be used any more in this process: start it anew", fuse.DeviceError,
             twice, x, out=y)
        for _ in range(2):
            says("the device cannot be used any more in this process, since: kernel 'fuse_0_twice_0", fuse.DeviceError, twice,
                 x, out=y)
        # Processors are not concerned.
        assert (fuse.compile(TWICE)(numpy.ones((3, 8), "float32")) == 2).all()
    del twice, x, y
    works()


def test_nobody_waits_for_a_kernel_that_faults():
    x, y = DlpackArray((3, 8), 3), DlpackArray((3, 8), -1)
    twice = fuse.load(IMAGE)
    with wrong("fault=719"):
        # Whoever waits is told, and whatever comes then.
        assert twice(x, out=y) is y
        says("waiting for what was launched failed: CUDA_ERROR_LAUNCH_FAILED", fuse.DeviceError, _library.call,
             "fuse_device_wait", _program._device(_library.CUDA, 0).handle, None)
        says("since: waiting for what was launched failed: CUDA_ERROR_LAUNCH_FAILED", fuse.DeviceError, twice, x, out=y)
    del twice, x, y
    works()


def test_arrays_do_not_fit():
    twice = fuse.load(IMAGE)
    x, y = DlpackArray((3, 8), 3), DlpackArray((3, 8), -1)
    says("output 0 'y': it has the shape 4x8, but 3x8 is needed", fuse.InputError, twice, x, out=DlpackArray((4, 8)))
    says("input 0 'x'", fuse.InputError, twice, DlpackArray((3, 9)), out=y)

    class OfTheHost(DlpackArray):
        """Says that it is on the GPU."""

        def __init__(self):
            super().__init__((3, 8))
            self.own, self.host = self.address, numpy.ones((3, 8), "float32")
            self.address = self.host.ctypes.data

        def __del__(self):
            self.address = self.own
            super().__del__()
    says("is of the host's memory, but memory of device 0 is needed", fuse.InputError, twice, OfTheHost(), out=y)
    says("'twice' has no code for processors", fuse.UnsupportedError, twice, numpy.ones((3, 8), "float32"), out=y)
    assert twice(x, out=y) is y and (y.numbers == 6).all()


if __name__ == "__main__":
    sys.exit(run(globals()))
