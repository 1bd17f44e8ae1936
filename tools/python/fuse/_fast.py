"""The short way for what is called again and again: contiguous tensors of PyTorch on a GPU, of sizes that were seen.

Everything that is not quite that takes the long way, which also says what is wrong.
"""

from __future__ import annotations

import threading
from typing import Any, Optional

from . import _library as lib


class _Entry:
    """What is known for certain shapes and types."""

    def __init__(self, program, outputs, is_single: bool):
        self.program = program
        self.ordinal = program.ordinal
        # Without elements, so that they hold no memory: each makes tensors of its type on its device.
        self.makers = [(tensor.new_empty(0).new_empty, tuple(tensor.shape)) for tensor in outputs]
        self.is_single = is_single
        #: Of calls by stream, thread and addresses. A call keeps its plan alive.
        self.calls: dict = {}


# As many for each entry; frameworks give the same memory again and again.
_MOST_CALLS = 1024


class TorchCalls:
    """The calls of one function."""

    def __init__(self, torch):
        self.tensor_types = (torch.Tensor, torch.nn.Parameter)
        self.is_grad_enabled = torch.is_grad_enabled
        self.stream = torch._C._cuda_getCurrentRawStream
        self.is_capturing = torch._C._cuda_isCurrentStreamCapturing
        self.entries: dict = {}

    def key(self, arguments) -> Optional[tuple]:
        """Of shapes and types; None if this way is not for them."""
        asks_gradients = self.is_grad_enabled()
        types = self.tensor_types
        key: list = []
        for tensor in arguments:
            if type(tensor) not in types or not tensor.is_contiguous() or (asks_gradients and tensor.requires_grad):
                return None
            key += (tensor.shape, tensor.dtype, tensor.get_device())
        return tuple(key)

    def run(self, arguments) -> Any:
        """The results, or None where the long way has to be taken."""
        entry = self.entries.get(self.key(arguments))
        if entry is None or self.is_capturing():
            return None
        outputs = [make(shape) for make, shape in entry.makers]
        stream = self.stream(entry.ordinal)
        key = (stream, threading.get_ident(), *[tensor.data_ptr() for tensor in arguments],
               *[tensor.data_ptr() for tensor in outputs])
        call = entry.calls.get(key)
        if call is None:
            call = entry.program.call(arguments, outputs, stream)
            while len(entry.calls) >= _MOST_CALLS:
                entry.calls.pop(next(iter(entry.calls)))
            entry.calls[key] = call
        status = lib.launch(call.handle, stream)
        if status:
            lib.check(status)
        return outputs[0] if entry.is_single else tuple(outputs)

    def learn(self, arguments, program, outputs) -> None:
        """What the long way did for these arguments, this one can do again."""
        key = self.key(arguments)
        if key is not None and program.kind == lib.CUDA:
            self.entries[key] = _Entry(program, outputs, len(outputs) == 1)


def calls_for(arguments) -> Optional[TorchCalls]:
    """If the first argument is a tensor of PyTorch with CUDA."""
    import sys
    torch = sys.modules.get("torch")
    if torch is None or not arguments or not isinstance(arguments[0], torch.Tensor) or not arguments[0].is_cuda:
        return None
    if not hasattr(torch._C, "_cuda_getCurrentRawStream") or not hasattr(torch._C, "_cuda_isCurrentStreamCapturing"):
        return None
    return TorchCalls(torch)
