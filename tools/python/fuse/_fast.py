"""The short way for what is called again and again: contiguous tensors of PyTorch on a GPU, of sizes that were seen.

Everything that is not quite that takes the long way, which also says what is wrong; so does what is captured into a
graph, for which it keeps what the graph needs. What is left here costs a call a
few microseconds besides the launch itself, so the function that does it is written for as many arguments as there are:
a loop over them would take longer than what is in it.
"""

from __future__ import annotations

import threading
from typing import Any, Optional, Sequence

from . import _library as lib

# Then they are forgotten; but frameworks give the same memory again and again.
_MOST_CALLS = 1024
# Of each there is a program on the device.
_MOST_SIZES = 256

# `records` has, by stream, thread and whatever is known of the arguments, what is known of the outputs and the calls by
# their addresses.
_SOURCE = """
def run(arguments):
    try:
        {names}, = arguments
    except ValueError:
        return None
    if not ({are_tensors}) or not ({are_contiguous}):
        return None
    if is_grad_enabled() and ({ask_gradients}):
        return None
{find_device}
    if is_capturing():
        return None
    stream = current_stream(ordinal)
    key = stream, get_ident(), ordinal, {key}
    record = find(key)
    if record is None:
        record = make_record(key, arguments)
        if record is None:
            return None
    calls, program, {makers} = record
{outputs}
    call = calls.get({addresses})
    if call is None:
        call = make_call(record, arguments, ({results},), stream, {addresses})
    status = launch(call.handle, stream)
    if status:
        check(status)
    return {results}
"""


# All have to be on one device, which is the current one: that is where outputs are allocated.
_ONE_OF_SEVERAL = """    ordinal = x0.get_device()
    if ordinal < 0 or current_device() != ordinal{others}:
        return None"""
_ONLY_ONE = """    if not ({are_there}):
        return None
    ordinal = 0"""


def _write(inputs: int, outputs: int, devices: int) -> str:
    """The function for so many tensors, where there are so many GPUs."""
    x = [f"x{number}" for number in range(inputs)]
    y = [f"y{number}" for number in range(outputs)]
    addresses = ", ".join(f"{name}.data_ptr()" for name in y)
    return _SOURCE.format(
        names=", ".join(x),
        are_tensors=" and ".join(f"(type({name}) is Tensor or type({name}) is Parameter)" for name in x),
        are_contiguous=" and ".join(f"{name}.is_contiguous()" for name in x),
        ask_gradients=" or ".join(f"{name}.requires_grad" for name in x),
        find_device=_ONLY_ONE.format(are_there=" and ".join(f"{name}.is_cuda" for name in x)) if devices == 1 else
        _ONE_OF_SEVERAL.format(others="".join(f" or {name}.get_device() != ordinal" for name in x[1:])),
        key=", ".join(f"{name}.shape, {name}.dtype, {name}.data_ptr()" for name in x),
        makers=", ".join(f"size{number}, strides{number}, dtype{number}" for number in range(outputs)),
        outputs="\n".join(f"    y{number} = empty(size{number}, strides{number}, dtype{number})"
                          for number in range(outputs)),
        addresses=addresses if outputs == 1 else f"({addresses})",
        results=", ".join(y))


class _Entry:
    """What is known for certain shapes and types: who runs them, and what the outputs are."""

    def __init__(self, program: Any, outputs: Sequence[Any]):
        self.program = program
        self.makers = [each for tensor in outputs for each in (tuple(tensor.shape), tensor.stride(), tensor.dtype)]


def _key(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Of shapes and types."""
    return tuple(each for tensor in arguments for each in (tensor.shape, tensor.dtype, tensor.get_device()))


class TorchCalls:
    """The calls of one function.

    Nothing here refers to itself in a circle: what a circle keeps alive goes when Python happens to look for circles,
    and that may be while a graph is captured, when no memory of a device may be given back.
    """

    def __init__(self, torch: Any, inputs: int, outputs: int):
        self.tensor = torch.Tensor
        self.is_capturing = torch._C._cuda_isCurrentStreamCapturing
        self.current_stream = torch._C._cuda_getCurrentRawStream
        records: dict[Any, tuple[Any, ...]] = {}
        entries: dict[Any, _Entry] = {}
        self.records, self.entries = records, entries

        def make_record(key: Any, arguments: Sequence[Any]) -> Optional[tuple[Any, ...]]:
            """For arguments that are where none was before."""
            entry = entries.get(_key(arguments))
            # A view that negates looks like any other.
            if entry is None or any(tensor.is_neg() for tensor in arguments):
                return None
            if len(records) >= _MOST_CALLS:
                records.clear()
            record = records[key] = ({}, entry.program, *entry.makers)
            return record

        def make_call(record: tuple[Any, ...], arguments: Sequence[Any], outputs: Sequence[Any], stream: int,
                      addresses: Any) -> Any:
            """For outputs that are where none was before. A call keeps its plan alive."""
            call = record[1].call(arguments, outputs, stream)
            calls = record[0]
            if len(calls) >= _MOST_CALLS:
                calls.clear()
            calls[addresses] = call
            return call

        names = {"Tensor": torch.Tensor, "Parameter": torch.nn.Parameter, "is_grad_enabled": torch.is_grad_enabled,
                 "current_stream": self.current_stream, "current_device": torch._C._cuda_getDevice,
                 "get_ident": threading.get_ident, "find": records.get, "make_record": make_record,
                 "make_call": make_call, "is_capturing": self.is_capturing, "empty": _allocator(torch),
                 "launch": lib.launch, "check": lib.check}
        exec(_write(inputs, outputs, torch.cuda.device_count()), names)
        #: The results, or None where the long way has to be taken.
        self.run: Any = names.pop("run")

    def learn(self, arguments: Sequence[Any], program: Any, outputs: Sequence[Any]) -> None:
        """What the long way did for these arguments, this one can do again."""
        if program.kind != lib.CUDA or not all(isinstance(each, self.tensor) for each in (*arguments, *outputs)):
            return
        if not self.is_capturing() and all(each.is_contiguous() for each in outputs):
            if len(self.entries) >= _MOST_SIZES:
                # All at once, for other threads may be here, too: to find the oldest one takes several steps. What
                # refers to them goes as well.
                self.entries.clear()
                self.records.clear()
            self.entries[_key(arguments)] = _Entry(program, outputs)


def _allocator(torch: Any) -> Any:
    """Who makes tensors on the current device: the way of PyTorch's own compiled code, if there is one."""
    guards = getattr(getattr(torch._C, "_dynamo", None), "guards", None)
    found = getattr(guards, "_empty_strided_cuda", None)
    return found or (lambda size, strides, dtype: torch.empty_strided(size, strides, dtype=dtype, device="cuda"))


def calls_for(arguments: Sequence[Any], outputs: int) -> Optional[TorchCalls]:
    """If all arguments are tensors of PyTorch, and it has what is needed."""
    import sys
    torch = sys.modules.get("torch")
    if torch is None or not arguments or not all(isinstance(each, torch.Tensor) for each in arguments):
        return None
    needed = ("_cuda_getCurrentRawStream", "_cuda_isCurrentStreamCapturing", "_cuda_getDevice")
    return TorchCalls(torch, len(arguments), outputs) if all(hasattr(torch._C, name) for name in needed) else None
