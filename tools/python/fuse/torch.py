"""Graphs as ops of PyTorch, which torch.compile and CUDA graphs take as they are.

    import fuse, fuse.torch
    gelu = fuse.torch.op("mylib::linear_gelu", fuse.compile("first.mlir"))

    @torch.compile
    def layer(x, w, b):
        return gelu(x, w, b) * 2
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from . import _library as lib
from ._arrays import Torch
from ._program import Function


def op(name: str, function: Function) -> Callable[..., Any]:
    """Registers `function` as the custom op `name`, such as "mylib::linear_gelu", and yields what calls it.

    Arguments are tensors. Results have no gradients. Under torch.compile sizes are taken as they are when it traces:
    others are compiled anew.
    """
    dtypes = Torch().dtypes

    def run(inputs: list) -> list:
        # What autograd would ask for is not here.
        with torch.no_grad():
            results = function(*inputs)
        return list(results) if isinstance(results, tuple) else [results]

    def fake(inputs: list) -> list:
        device = next((tensor.device for tensor in inputs if tensor.device.type == "cuda"), torch.device("cpu"))
        # Sizes that are not known become known here.
        shapes = [tuple(int(size) for size in tensor.shape) for tensor in inputs]
        image = function.image(shapes, device.type)
        return [torch.empty(info.shape, dtype=dtypes[lib.TYPE_NUMBERS[info.type]], device=device)
                for info in image.outputs]

    registered = torch.library.custom_op(name, run, mutates_args=(), schema="(Tensor[] inputs) -> Tensor[]")
    registered.register_fake(fake)

    def call(*arguments: torch.Tensor) -> Any:
        results = registered(list(arguments))
        return results[0] if len(results) == 1 else tuple(results)

    call.__doc__ = f"The op {name}: {function!r}."
    return call
