"""Sizes that follow from others, as an image says them: "64", "in0.size(0)", "ceildiv(in0.size(0), 2) + scalar0"."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

from . import _library as lib


class _Input:
    def __init__(self, number: int, shape: Sequence[Any]):
        self._number, self._shape = number, shape

    def size(self, dimension: int) -> Any:
        if dimension >= len(self._shape):
            raise lib.InputError(f"input {self._number} has {len(self._shape)} dimensions, but its size {dimension} is "
                                 "needed")
        return self._shape[dimension]


def _ceildiv(left: Any, right: Any) -> Any:
    return -(-left // right)


#: What the expressions call; those of numbers that are not Python's may differ.
FUNCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "floordiv": lambda left, right: left // right, "ceildiv": _ceildiv, "min": min, "max": max}


def evaluate(text: str, shapes: Sequence[Sequence[Any]], scalars: Sequence[Any] = (),
             functions: Mapping[str, Callable[[Any, Any], Any]] = FUNCTIONS) -> Any:
    """What a size is for inputs of these shapes, whose sizes may be symbols."""
    # The library prints expressions as Python reads them, rounding of // and % included.
    names: dict[str, Any] = {"__builtins__": {}, **functions}
    names.update((f"in{number}", _Input(number, shape)) for number, shape in enumerate(shapes))
    names.update((f"scalar{number}", scalar) for number, scalar in enumerate(scalars))
    try:
        return eval(text, names)
    except ZeroDivisionError:
        raise lib.InputError(f"'{text}' divides by zero") from None
