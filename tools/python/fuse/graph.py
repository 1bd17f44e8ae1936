"""Writes graphs.

    import fuse.graph
    g = fuse.graph.Graph("linear_relu")
    x, w, b = g.input("x", "bf16", (None, 64)), g.input("w", "bf16", (64, 32)), g.input("b", "f32", (32,))
    g.output(g.relu(g.linear(x, w, bias=b, type="f32")).cast("bf16"), "y")
    print(g.text())        # MLIR, as docs/Fuse.md describes it
    f = g.compile()        # a fuse.Function

Nothing is broadcast or cast without being written, but for numbers, which become constants of the other side's type. A
dimension may be counted from the end, -1 is the last one. Comparisons, == and != among them, are tensors of i1.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from typing import Any, Optional, Sequence, Union

from . import _library as lib
from ._program import Function, compile as _compile

_FLOATS = {"f8E4M3FN": 8, "bf16": 16, "f16": 16, "f32": 32, "f64": 64}
_INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
Number = Union[int, float]
Operand = Union["Value", Number]


def _shape_text(shape: Sequence[Optional[int]]) -> str:
    return "".join(f"{'?' if size is None else size}x" for size in shape)


def _dim(dim: int, value: "Value", what: str) -> int:
    """A dimension as MLIR counts it."""
    try:
        number = operator.index(dim)
    except TypeError:
        raise lib.UsageError(f"{what} is asked for dimension {dim!r}, but a whole number is needed") from None
    rank = len(value.shape)
    if not -rank <= number < rank:
        raise lib.InputError(f"{what} is asked for dimension {number} of {value.tensor}, which has {rank}")
    return number % rank


def _dims(dims: Sequence[int], value: "Value", what: str) -> list[int]:
    found = [_dim(dim, value, what) for dim in dims]
    if len(set(found)) != len(found):
        raise lib.InputError(f"{what} is asked for the dimensions {list(dims)} of {value.tensor}, but each may be "
                             "there once")
    return found


def _shape(shape: Sequence[Optional[int]]) -> tuple[Optional[int], ...]:
    """A shape that somebody wrote."""
    try:
        found = tuple(None if size is None else operator.index(size) for size in shape)
    except TypeError:
        raise lib.UsageError(f"the shape is {shape!r}, but whole numbers are needed, and None for what is open") from None
    if any(size is not None and size < 0 for size in found):
        raise lib.InputError(f"the shape is {found}, but no size is less than 0")
    return found


def _fit(left: Sequence[Optional[int]], right: Sequence[Optional[int]]) -> bool:
    """Whether two shapes can be the same."""
    return len(left) == len(right) and all(a == b or a is None or b is None for a, b in zip(left, right))


def _check_name(name: str, what: str) -> None:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_$.-]+", name):
        raise lib.InputError(f"{name!r} is no name for {what}: letters, digits, '_', '$', '.' and '-' are")


class Value:
    """A tensor of a graph, with operators. Made by methods of Graph."""

    __array_ufunc__ = None

    def __init__(self, graph: "Graph", name: str, type: str, shape: Sequence[Optional[int]]):
        self.graph = graph
        self.name = name
        #: The type of the elements, as MLIR writes it.
        self.type = type
        #: A size that is not known is None.
        self.shape = tuple(shape)

    @property
    def tensor(self) -> str:
        """The type as MLIR writes it."""
        return f"tensor<{_shape_text(self.shape)}{self.type}>"

    def cast(self, type: str) -> "Value":
        """The same numbers in another type."""
        return self.graph.cast(self, type)

    def __add__(self, other: Operand) -> "Value":
        return self.graph.binary("add", self, other)

    def __sub__(self, other: Operand) -> "Value":
        return self.graph.binary("sub", self, other)

    def __mul__(self, other: Operand) -> "Value":
        return self.graph.binary("mul", self, other)

    def __truediv__(self, other: Operand) -> "Value":
        return self.graph.binary("div", self, other)

    def __radd__(self, other: Operand) -> "Value":
        return self.graph.binary("add", other, self)

    def __rsub__(self, other: Operand) -> "Value":
        return self.graph.binary("sub", other, self)

    def __rmul__(self, other: Operand) -> "Value":
        return self.graph.binary("mul", other, self)

    def __rtruediv__(self, other: Operand) -> "Value":
        return self.graph.binary("div", other, self)

    def __neg__(self) -> "Value":
        return self.graph.unary("arith.negf", self) if self.type in _FLOATS else 0 - self

    def __matmul__(self, other: "Value") -> "Value":
        return self.graph.matmul(self, other)

    def __lt__(self, other: Operand) -> "Value":
        return self.graph.compare("lt", self, other)

    def __le__(self, other: Operand) -> "Value":
        return self.graph.compare("le", self, other)

    def __gt__(self, other: Operand) -> "Value":
        return self.graph.compare("gt", self, other)

    def __ge__(self, other: Operand) -> "Value":
        return self.graph.compare("ge", self, other)

    def __eq__(self, other: Operand) -> "Value":  # type: ignore[override]
        return self.graph.compare("eq", self, other)

    def __ne__(self, other: Operand) -> "Value":  # type: ignore[override]
        return self.graph.compare("ne", self, other)

    # As a key, a tensor is itself.
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise lib.UsageError("a tensor of a graph has no truth value: use select")

    def __repr__(self) -> str:
        return f"<{self.name}: {self.tensor}>"


class Graph:
    """A function over tensors, written op by op."""

    def __init__(self, name: str = "graph"):
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$.]*", name):
            raise lib.InputError(f"{name!r} is no name for a graph: letters, digits, '_', '$' and '.' are, and it begins "
                                 "with a letter or '_'")
        self.name = name
        self._inputs: list[tuple[str, Value]] = []
        self._outputs: list[tuple[Optional[str], Value]] = []
        self._lines: list[str] = []
        self._count = 0

    # Arguments and results.

    def input(self, name: str, type: str, shape: Sequence[Optional[int]]) -> Value:
        """The next argument; None is a size that is not known."""
        if type not in lib.TYPE_NUMBERS:
            raise lib.InputError(f"'{type}' is no type: there are {', '.join(lib.TYPE_NAMES)}")
        _check_name(name, "an argument")
        if any(name == other for other, _ in self._inputs):
            raise lib.InputError(f"the graph '{self.name}' has an argument '{name}' already")
        value = Value(self, f"%arg{len(self._inputs)}", type, _shape(shape))
        self._inputs.append((name, value))
        return value

    def output(self, value: Value, name: Optional[str] = None) -> None:
        """The next result."""
        self._own(value)
        if name is not None:
            _check_name(name, "a result")
            if any(name == other for other, _ in self._outputs):
                raise lib.InputError(f"the graph '{self.name}' has a result '{name}' already")
        self._outputs.append((name, value))

    def text(self) -> str:
        """The module."""
        if not self._outputs:
            raise lib.UsageError(f"the graph '{self.name}' has no output")
        arguments = ",\n    ".join(f'{value.name}: {value.tensor} {{fuse.name = "{name}"}}'
                                   for name, value in self._inputs)
        results = ", ".join(value.tensor + (f' {{fuse.name = "{name}"}}' if name else "")
                            for name, value in self._outputs)
        lines = "".join(f"  {line}\n" for line in self._lines)
        names = ", ".join(value.name for _, value in self._outputs)
        types = ", ".join(value.tensor for _, value in self._outputs)
        return f"func.func @{self.name}({arguments})\n    -> ({results}) {{\n{lines}  return {names} : {types}\n}}\n"

    def compile(self, **options: Any) -> Function:
        """A fuse.Function of it; options are those of fuse.compile."""
        return _compile(self.text(), **options)

    # What all ops are made of.

    def _own(self, *values: Value) -> None:
        for value in values:
            if not isinstance(value, Value) or value.graph is not self:
                raise lib.UsageError(f"{value!r} is no tensor of this graph")

    def _write(self, text: str, type: str, shape: Sequence[Optional[int]]) -> Value:
        value = Value(self, f"%{self._count}", type, shape)
        self._count += 1
        self._lines.append(f"{value.name} = {text}")
        return value

    def op(self, text: str, type: str, shape: Sequence[Optional[int]], *operands: Value) -> Value:
        """Any op, as MLIR writes it behind the `=`: `{0}` is the first operand, `{0.tensor}` its type, `{result}` the
        type of the result, which has these elements and this shape."""
        self._own(*operands)
        named = _Operands(operands)
        result = Value(self, "", type, shape).tensor
        return self._write(named.fill(text, result), type, shape)

    def _same(self, left: Value, right: Value, what: str) -> None:
        self._own(left, right)
        if left.type != right.type or not _fit(left.shape, right.shape):
            raise lib.InputError(f"{what} is asked of {left.tensor} and {right.tensor}, but needs two of one type: write "
                                 "broadcast and cast")

    def _pair(self, left: Any, right: Any, what: str) -> tuple[Value, Value]:
        for each in (left, right):
            if not isinstance(each, (Value, numbers.Real)):
                raise lib.UsageError(f"{what} is asked of a {type(each).__name__}, but needs a tensor of a graph "
                                     "or a number")
        if not isinstance(left, Value):
            left = self.full(left, right)
        if not isinstance(right, Value):
            right = self.full(right, left)
        self._same(left, right, what)
        return left, right

    def _index(self, number: int) -> str:
        return self._write(f"arith.constant {number} : index", "index", ()).name

    def _open_sizes(self, shape: Sequence[Optional[int]], known: Sequence[int], like: Optional[Value]) -> str:
        """The sizes of the open dimensions that are not among `known`, which `like` has."""
        names = []
        for dim, size in enumerate(shape):
            if size is not None or dim in known:
                continue
            if like is None:
                raise lib.UsageError(f"size {dim} of the result is open: say of which tensor it is, like=")
            names.append(self._write(f"tensor.dim {like.name}, {self._index(dim)} : {like.tensor}", "index", ()).name)
        return f" sizes [{', '.join(names)}]" if names else ""

    # Numbers.

    @staticmethod
    def _literal(number: Number, type: str) -> str:
        if type == "i1":
            return "true" if number else "false"
        if type not in _FLOATS:
            if int(number) != number:
                raise lib.InputError(f"{number} is no {type}")
            return str(int(number))
        number = float(number)
        if math.isfinite(number):
            text = repr(number)
            return text if "." in text or "e" not in text else text.replace("e", ".0e")
        if math.isnan(number):
            bits = {"f8E4M3FN": 0x7F, "bf16": 0x7FC0, "f16": 0x7E00, "f32": 0x7FC00000, "f64": 0x7FF8 << 48}[type]
        elif type == "f8E4M3FN":
            raise lib.InputError("f8E4M3FN has no infinity")
        else:
            bits = {"bf16": 0x7F80, "f16": 0x7C00, "f32": 0x7F800000, "f64": 0x7FF0 << 48}[type]
            bits |= (number < 0) << (_FLOATS[type] - 1)
        return f"0x{bits:0{_FLOATS[type] // 4}X}"

    def constant(self, number: Number, type: str, shape: Sequence[int] = ()) -> Value:
        """A tensor that is this number everywhere."""
        if type not in lib.TYPE_NUMBERS:
            raise lib.InputError(f"'{type}' is no type: there are {', '.join(lib.TYPE_NAMES)}")
        sizes = _shape(shape)
        if None in sizes:
            raise lib.InputError("a constant has known sizes: full makes one like another tensor")
        tensor = Value(self, "", type, sizes).tensor
        return self._write(f"arith.constant dense<{self._literal(number, type)}> : {tensor}", type, sizes)

    def full(self, number: Number, like: Value) -> Value:
        """A tensor like another one that is this number everywhere."""
        self._own(like)
        known = [size for size in like.shape if size is not None]
        if len(known) == len(like.shape):
            return self.constant(number, like.type, known)
        return self.broadcast(self.constant(number, like.type), (), like=like)

    # Element by element.

    def binary(self, name: str, left: Operand, right: Operand) -> Value:
        """`add`, `sub`, `mul`, `div`, `max` or `min` of two tensors, or of a tensor and a number."""
        left, right = self._pair(left, right, name)
        floats = {"max": "maximumf", "min": "minimumf"}
        integers = {"div": "divsi", "max": "maxsi", "min": "minsi"}
        if name not in ("add", "sub", "mul", "div", "max", "min"):
            raise lib.UsageError(f"'{name}' is not among add, sub, mul, div, max and min")
        op = floats.get(name, name + "f") if left.type in _FLOATS else integers.get(name, name + "i")
        return self._write(f"arith.{op} {left.name}, {right.name} : {left.tensor}", left.type, left.shape)

    def maximum(self, left: Operand, right: Operand) -> Value:
        """The larger one; NaN if either is."""
        return self.binary("max", left, right)

    def minimum(self, left: Operand, right: Operand) -> Value:
        """The smaller one; NaN if either is."""
        return self.binary("min", left, right)

    def unary(self, op: str, value: Value) -> Value:
        """An op of one tensor that keeps its type, such as "math.exp"."""
        self._own(value)
        return self._write(f"{op} {value.name} : {value.tensor}", value.type, value.shape)

    def exp(self, value: Value) -> Value:
        """e to the power of each element."""
        return self.unary("math.exp", value)

    def log(self, value: Value) -> Value:
        """The natural logarithm."""
        return self.unary("math.log", value)

    def tanh(self, value: Value) -> Value:
        """The hyperbolic tangent."""
        return self.unary("math.tanh", value)

    def sqrt(self, value: Value) -> Value:
        """The square root."""
        return self.unary("math.sqrt", value)

    def rsqrt(self, value: Value) -> Value:
        """One over the square root."""
        return self.unary("math.rsqrt", value)

    def erf(self, value: Value) -> Value:
        """The error function."""
        return self.unary("math.erf", value)

    def abs(self, value: Value) -> Value:
        """Without the sign."""
        return self.unary("math.absf" if value.type in _FLOATS else "math.absi", value)

    def relu(self, value: Value) -> Value:
        """No less than zero."""
        return self.unary("fuse.relu", value)

    def sigmoid(self, value: Value) -> Value:
        """1 / (1 + exp(-x))."""
        return self.unary("fuse.sigmoid", value)

    def silu(self, value: Value) -> Value:
        """x * sigmoid(x)."""
        return self.unary("fuse.silu", value)

    def gelu(self, value: Value, form: str = "erf") -> Value:
        """`form` is "erf" or "tanh"."""
        return self.unary(f"fuse.gelu {form}", value)

    def compare(self, name: str, left: Operand, right: Operand) -> Value:
        """`lt`, `le`, `gt`, `ge`, `eq` or `ne`: a tensor of i1."""
        left, right = self._pair(left, right, name)
        is_float = left.type in _FLOATS
        predicate = ("u" if name == "ne" else "o") + name if is_float else name if name in ("eq", "ne") else "s" + name
        return self._write(f"arith.cmp{'f' if is_float else 'i'} {predicate}, {left.name}, {right.name} : {left.tensor}",
                           "i1", left.shape)

    def select(self, condition: Value, left: Operand, right: Operand) -> Value:
        """`left` where the condition holds, else `right`."""
        left, right = self._pair(left, right, "select")
        self._own(condition)
        return self._write(f"arith.select {condition.name}, {left.name}, {right.name} : {condition.tensor}, "
                           f"{left.tensor}", left.type, left.shape)

    def cast(self, value: Value, type: str) -> Value:
        """The same numbers in another type: floats round to nearest even, integers wrap."""
        self._own(value)
        old, new = value.type, type
        if old == new:
            return value
        if old in _FLOATS and new in _FLOATS:
            if _FLOATS[old] == _FLOATS[new]:
                return self.cast(self.cast(value, "f32"), new)
            op = "extf" if _FLOATS[old] < _FLOATS[new] else "truncf"
        elif old in _INTEGERS and new in _INTEGERS:
            op = "trunci" if _INTEGERS[old] > _INTEGERS[new] else "extui" if old == "i1" else "extsi"
        elif old in _FLOATS and new in _INTEGERS and new != "i1":
            op = "fptosi"
        elif old in _INTEGERS and new in _FLOATS:
            op = "uitofp" if old == "i1" else "sitofp"
        else:
            raise lib.InputError(f"there is no cast from {old} to {new}")
        result = Value(self, "", new, value.shape).tensor
        return self._write(f"arith.{op} {value.name} : {value.tensor} to {result}", new, value.shape)

    # Products.

    def matmul(self, left: Value, right: Value, type: Optional[str] = None, precision: Optional[str] = None) -> Value:
        """The product of the last two dimensions; those before are equal on both sides. `type` is that of the sums, by
        default f32 for short floats."""
        self._own(left, right)
        if left.type != right.type or len(left.shape) != len(right.shape) or len(left.shape) < 2:
            raise lib.InputError(f"matmul is asked of {left.tensor} and {right.tensor}, but needs matrices of one type and "
                                 "rank")
        if not _fit((*left.shape[:-2], left.shape[-1]), right.shape[:-1]):
            raise lib.InputError(f"matmul is asked of {left.tensor} and {right.tensor}, which do not fit: the "
                                 "columns of the left one are the rows of the right one, and what is before is the same")
        type = type or ("f32" if _FLOATS.get(left.type, 64) < 32 else left.type)
        shape = (*left.shape[:-1], right.shape[-1])
        result = Value(self, "", type, shape).tensor
        mode = f" precision {precision}" if precision else ""
        return self._write(f"fuse.matmul {left.name}, {right.name}{mode} : {left.tensor}, {right.tensor} -> {result}", type,
                           shape)

    def linear(self, value: Value, weight: Value, bias: Optional[Value] = None, type: Optional[str] = None,
               precision: Optional[str] = None) -> Value:
        """Rows of `value` times a matrix of K rows and N columns, plus `bias`, which has the type of the result."""
        self._own(value, weight, *([bias] if bias is not None else []))
        if not value.shape or len(weight.shape) != 2:
            raise lib.InputError(f"linear is asked of {value.tensor} and {weight.tensor}, but needs rows and a matrix")
        if not _fit(value.shape[-1:], weight.shape[:1]) or value.type != weight.type:
            raise lib.InputError(f"linear is asked of {value.tensor} and {weight.tensor}, which do not fit: both "
                                 "have one type, and as many numbers in a row as the matrix has rows")
        if bias is not None and not _fit(bias.shape, weight.shape[1:]):
            raise lib.InputError(f"linear is asked for the bias {bias.tensor} behind {weight.tensor}, but it has a "
                                 "number for each column")
        type = type or (bias.type if bias is not None else "f32" if _FLOATS.get(value.type, 64) < 32 else value.type)
        shape = (*value.shape[:-1], weight.shape[1])
        result = Value(self, "", type, shape).tensor
        added = f" bias {bias.name}" if bias is not None else ""
        mode = f" precision {precision}" if precision else ""
        types = ", ".join(each.tensor for each in (value, weight, bias) if each is not None)
        return self._write(f"fuse.linear {value.name}, {weight.name}{added}{mode} : {types} -> {result}", type, shape)

    # Rows.

    def reduce(self, kind: str, value: Value, dims: Sequence[int]) -> Value:
        """`sum`, `prod`, `max`, `min` or `mean` along dimensions, which disappear."""
        self._own(value)
        if kind not in ("sum", "prod", "max", "min", "mean"):
            raise lib.UsageError(f"'{kind}' is not among sum, prod, max, min and mean")
        dims = sorted(_dims(dims, value, "reduce"))
        shape = [size for dim, size in enumerate(value.shape) if dim not in dims]
        return self._write(f"fuse.reduce {kind} {value.name} dims {dims} : {value.tensor}", value.type, shape)

    def softmax(self, value: Value, dim: int = -1, mask: Optional[Value] = None) -> Value:
        """Along one dimension; what the mask does not hold is left out."""
        self._own(value, *([mask] if mask is not None else []))
        dim = _dim(dim, value, "softmax")
        masked = (f" mask {mask.name}", f", {mask.tensor}") if mask is not None else ("", "")
        return self._write(f"fuse.softmax {value.name} dim {dim}{masked[0]} : {value.tensor}{masked[1]}",
                           value.type, value.shape)

    def layer_norm(self, value: Value, scale: Optional[Value] = None, shift: Optional[Value] = None,
                   eps: float = 1e-5) -> Value:
        """Along the last dimension."""
        given = [(word, each) for word, each in (("scale", scale), ("shift", shift)) if each is not None]
        self._own(value, *[each for _, each in given])
        words = "".join(f" {word} {each.name}" for word, each in given)
        types = "".join(f", {each.tensor}" for _, each in given)
        return self._write(f"fuse.layer_norm {value.name}{words} eps {self._literal(eps, 'f64')} : {value.tensor}{types}",
                           value.type, value.shape)

    def rms_norm(self, value: Value, scale: Optional[Value] = None, eps: float = 1e-5) -> Value:
        """Along the last dimension."""
        self._own(value, *([scale] if scale is not None else []))
        word, type = (f" scale {scale.name}", f", {scale.tensor}") if scale is not None else ("", "")
        return self._write(f"fuse.rms_norm {value.name}{word} eps {self._literal(eps, 'f64')} : {value.tensor}{type}",
                           value.type, value.shape)

    # Moves.

    def broadcast(self, value: Value, dims: Sequence[int], shape: Optional[Sequence[Optional[int]]] = None,
                  like: Optional[Value] = None) -> Value:
        """Repeats a tensor. `dims` says which dimension of the result each of its own becomes; the result has a shape,
        or that of another tensor."""
        self._own(value, *([like] if like is not None else []))
        if shape is None:
            if like is None:
                raise lib.UsageError("broadcast needs a shape, or a tensor whose shape the result has")
            shape = like.shape
        shape = _shape(shape)
        dims = _dims(dims, Value(self, "", value.type, shape), "broadcast")
        if not _fit(value.shape, [shape[dim] for dim in dims]):
            raise lib.InputError(f"broadcast is asked of {value.tensor} to the dimensions {dims} of "
                                 f"{Value(self, '', value.type, shape).tensor}, which do not fit")
        sizes = self._open_sizes(shape, dims, like)
        result = Value(self, "", value.type, shape).tensor
        return self._write(f"fuse.broadcast {value.name} dims {list(dims)}{sizes} : {value.tensor} -> {result}", value.type,
                           shape)

    def transpose(self, value: Value, permutation: Sequence[int]) -> Value:
        """Dimension `permutation[i]` becomes dimension i."""
        self._own(value)
        permutation = _dims(permutation, value, "transpose")
        if len(permutation) != len(value.shape):
            raise lib.InputError(f"transpose is asked for the dimensions {permutation} of {value.tensor}, but all "
                                 "are needed")
        return self._write(f"fuse.transpose {value.name} {permutation} : {value.tensor}", value.type,
                           [value.shape[dim] for dim in permutation])

    def slice(self, value: Value, *ranges: Union[slice, None]) -> Value:
        """A Python slice with known ends for each dimension; None takes all of it."""
        self._own(value)
        if len(ranges) > len(value.shape):
            raise lib.InputError(f"slice is given {len(ranges)} ranges for {value.tensor}, which has {len(value.shape)} "
                                 "dimensions")
        texts, shape = [], []
        for size, part in zip(value.shape, (*ranges, *[None] * (len(value.shape) - len(ranges)))):
            part = part or slice(None)
            start, step = part.start or 0, part.step or 1
            if part.start is None and part.stop is None and part.step is None:
                texts.append(":")
                shape.append(size)
                continue
            stop = part.stop if part.stop is not None else size
            if stop is None or start < 0 or stop < start or step < 1:
                raise lib.InputError(f"{part} is no range with known ends of a dimension of {size}")
            if size is not None and stop > size:
                raise lib.InputError(f"slice is asked for {start}:{stop} of a dimension of {size}, which ends before")
            texts.append(f"{start}:{stop}" + (f":{step}" if step != 1 else ""))
            shape.append((stop - start + step - 1) // step)
        return self._write(f"fuse.slice {value.name}[{', '.join(texts)}] : {value.tensor}", value.type, shape)

    def concat(self, values: Sequence[Value], dim: int) -> Value:
        """Joins tensors along a dimension."""
        self._own(*values)
        if not values:
            raise lib.UsageError("concat needs tensors, but none was given")
        dim, first = _dim(dim, values[0], "concat"), values[0]
        for each in values:
            others = each.shape[:dim] + each.shape[dim + 1:]
            if each.type != first.type or len(each.shape) != len(first.shape) or not _fit(
                    others, first.shape[:dim] + first.shape[dim + 1:]):
                raise lib.InputError(f"concat is asked of {first.tensor} and {each.tensor}, but needs one type, and "
                                     f"one shape but for dimension {dim}")
        sizes = [value.shape[dim] for value in values]
        known = [size for size in sizes if size is not None]
        shape = list(first.shape)
        shape[dim] = sum(known) if len(known) == len(sizes) else None
        return self._write(f"fuse.concat {', '.join(value.name for value in values)} dim {dim} : "
                           f"{', '.join(value.tensor for value in values)}", values[0].type, shape)


class _Operands:
    """Fills `{0}`, `{0.tensor}` and `{result}` into the text of an op; other braces are MLIR's."""

    def __init__(self, operands: Sequence[Value]):
        self.operands = operands

    def fill(self, text: str, result: str) -> str:
        text = text.replace("{result}", result)
        for number, value in enumerate(self.operands):
            text = text.replace(f"{{{number}.tensor}}", value.tensor).replace(f"{{{number}}}", value.name)
        return text
