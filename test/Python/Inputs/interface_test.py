"""Arrays that speak __cuda_array_interface__ and nothing else, on a GPU that there is not. Each function that starts with
test_ is one."""

import sys

import numpy

import fake_cuda
import fuse
from checks import run, says
from fake_cuda import Array
from fuse import _library

add = fuse.compile("""
func.func @add(%x: tensor<?x4xf32> {fuse.name = "x"}, %y: tensor<?x4xf32> {fuse.name = "y"})
    -> (tensor<?x4xf32> {fuse.name = "z"}) {
  %0 = arith.addf %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
""", open_sizes=True)
#: What was launched and waited for, in order.
events = []


@fake_cuda.kernel("add")
def launched(parameter):
    x, x_rows, y, y_rows, z, z_rows = (parameter(number) for number in range(6))
    assert x_rows == y_rows == z_rows
    fake_cuda.floats(z, 4 * z_rows)[:] = fake_cuda.floats(x, 4 * x_rows) + fake_cuda.floats(y, 4 * y_rows)
    events.append(("launch", fake_cuda.launches[-1][2] or 0))


def call_and_note(function, *arguments):
    if function == "fuse_device_wait":
        events.append(("wait", arguments[1]))
    return real_call(function, *arguments)


real_call, _library.call = _library.call, call_and_note


class Speaker(Array):
    def __init__(self, shape, fill=None, **more):
        super().__init__(shape, fill)
        self.more = more

    @property
    def __cuda_array_interface__(self):
        # Nothing has no address.
        return {"shape": self.shape, "typestr": "<f4", "data": (self.address if self.count else 0, False), "version": 3,
                **self.more}


def happens(wanted, rows=3, x={}, y={}, z={}, **options):
    """Whether a call is right, and what it launches and waits for."""
    events.clear()
    out = Speaker((rows, 4), -1, **z)
    assert add(Speaker((rows, 4), 3, **x), Speaker((rows, 4), 4, **y), out=out, **options) is out
    assert (out.numbers == 7).all() and events == wanted, events


def test_it_needs_no_other_library():
    assert "cupy" not in sys.modules
    # Older versions have no stream, and None means that there is nothing to wait for.
    happens([("launch", 0)])
    happens([("launch", 0)], x={"stream": None}, y={"version": 2}, z={"strides": None})
    says("fuse does not know how to allocate outputs for these arrays: give them as out=", fuse.UsageError, add,
         Speaker((3, 4)), Speaker((3, 4)))


def test_runs_are_on_the_stream_of_the_first_array():
    happens([("launch", 4096)], x={"stream": 4096}, y={"stream": 4096}, z={"stream": 4096})
    happens([("launch", 4096)], x={"stream": 4096})
    # 1 is the legacy default stream, and 2 that of each thread.
    happens([("launch", 0)], x={"stream": 1}, y={"stream": 1})
    happens([("launch", 2)], x={"stream": 2}, y={"stream": 2}, z={"stream": 2})


def test_other_streams_are_waited_for():
    happens([("wait", 8192), ("launch", 4096), ("wait", 4096)], x={"stream": 4096}, y={"stream": 8192})
    happens([("wait", 8192), ("launch", 0), ("wait", 0)], y={"stream": 8192}, z={"stream": 1})
    happens([("wait", 0), ("launch", 4096), ("wait", 4096)], x={"stream": 4096}, z={"stream": 1})
    happens([("wait", 4096), ("launch", 64), ("wait", 64)], x={"stream": 4096}, z={"stream": 4096}, stream=64)


def test_nothing_lies_nowhere():
    happens([], rows=0)
    empty, some = Speaker((0, 4)), Speaker((3, 4), 1)
    says("input 1 'y' has the shape 3x4, but its size 0 has to be 0", fuse.InputError, add, empty, some, out=empty)


def test_what_cannot_be_is_said():
    x = Speaker((3, 4), 1)
    host = numpy.ones((3, 4), "float32")
    says("argument 1 says that it is on a GPU, but its address 0x", fuse.InputError, add, x,
         Speaker((3, 4), data=(host.ctypes.data, False)), out=x)
    says("argument 0 says that its stream is 0, but 1 is the legacy default one", fuse.InputError, add,
         Speaker((3, 4), stream=0), x, out=x)
    for stream in ("a", 2.5, -1, 1 << 64):
        says(f"argument 0 has {stream!r} as the 'stream' of its interface, but the handle of a stream is needed",
             fuse.InputError, add, Speaker((3, 4), stream=stream), x, out=x)
        says("but its handle is needed, a whole number of 64 bits", fuse.UsageError, add, x, x, out=Speaker((3, 4)),
             stream=stream)
    says("argument 0 has None as the 'data' of its interface", fuse.InputError, add, Speaker((3, 4), data=None), x, out=x)
    says("argument 0 is a masked array", fuse.InputError, add, Speaker((3, 4), mask=x), x, out=x)
    says("output 0 'z' may only be read", fuse.InputError, add, x, x,
         out=Speaker((3, 4), data=(x.address, True)))
    says("argument 0 has elements of type <c8", fuse.InputError, add, Speaker((3, 4), typestr="<c8"), x, out=x)
    real, _library.find_device = _library.find_device, lambda address: (_library.CUDA, 1)
    try:
        says("CUDA device 1 was asked for, but there is 1 device", fuse.UnsupportedError, add, x, x, out=x)
    finally:
        _library.find_device = real


if __name__ == "__main__":
    sys.exit(run(globals()))
