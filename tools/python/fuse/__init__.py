"""fuse: graphs of tensor ops, compiled to few kernels.

    import fuse, numpy
    twice = fuse.compile('''
    func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = arith.addf %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    }''')
    twice(numpy.ones(8, "float32"))

docs/Python.md says more. `fuse.graph` writes graphs, `fuse.torch` makes custom ops of them.
"""

from ._library import (DeviceError, Error, InputError, OutputError, UnsupportedError, UsageError)
from ._program import ArgumentInfo, Function, Image, Program, compile, load
from . import graph
from ._version import VERSION as __version__

__all__ = ["ArgumentInfo", "DeviceError", "Error", "Function", "Image", "InputError", "OutputError", "Program",
           "UnsupportedError", "UsageError", "__version__", "compile", "graph", "load"]
