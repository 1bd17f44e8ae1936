"""Graphs as ops of PyTorch, which torch.compile and CUDA graphs take as they are.

    import fuse, fuse.torch
    gelu = fuse.torch.op("mylib::linear_gelu", fuse.compile("first.mlir"))

    @torch.compile
    def layer(x, w, b):
        return gelu(x, w, b) * 2
"""

from __future__ import annotations

from typing import Any, Callable, Union

import torch

from . import _library as lib
from ._arrays import Torch
from ._program import Function
from ._sizes import FUNCTIONS


# Of symbols these are symbols again, where Python's would ask which one is less.
_FUNCTIONS = {**FUNCTIONS, "min": torch.sym_min, "max": torch.sym_max}
# What the code expects of a size that only data decide.
_UNKNOWN_SIZE = 1024


def _expected(size: Union[int, torch.SymInt]) -> int:
    """What a size is when it is traced, without the graph being for that size alone."""
    if isinstance(size, int):
        return size
    hint = size.node.hint
    return _UNKNOWN_SIZE if hint is None else int(hint)


def op(name: str, function: Function) -> Callable[..., Any]:
    """Registers `function` as the custom op `name`, such as "mylib::linear_gelu", and yields what calls it.

    Arguments are tensors. Results have no gradients. Under torch.compile sizes are taken as they are when it traces, and
    others are traced and compiled anew. Where one image is for all sizes (``open_sizes=True``, and what fuse.load
    loads), torch.compile may leave them open, too: with ``dynamic=True``, or when they change.
    """
    dtypes = Torch().dtypes

    def run(inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        # What autograd would ask for is not here.
        with torch.no_grad():
            results = function(*inputs)
        return list(results) if isinstance(results, tuple) else [results]

    def fake(inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        device = next((tensor.device for tensor in inputs if tensor.device.type == "cuda"), torch.device("cpu"))
        # Where each size has an image, those that are symbols become numbers here.
        stay = function.has_one_image
        known = [tuple(_expected(size) if stay else int(size) for size in tensor.shape) for tensor in inputs]
        image = function.image(known, device.type)
        shapes = image.output_shapes([tensor.shape for tensor in inputs], functions=_FUNCTIONS)
        return [torch.empty(shape, dtype=dtypes[lib.TYPE_NUMBERS[info.type]], device=device)
                for shape, info in zip(shapes, image.outputs)]

    registered = torch.library.custom_op(name, run, mutates_args=(), schema="(Tensor[] inputs) -> Tensor[]")
    registered.register_fake(fake)

    def call(*arguments: torch.Tensor) -> Any:
        results = registered(list(arguments))
        return results[0] if len(results) == 1 else tuple(results)

    call.__doc__ = f"The op {name}: {function!r}."
    return call
