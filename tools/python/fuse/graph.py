"""Writes graphs.

    import fuse.graph
    g = fuse.graph.Graph("linear_relu")
    x, w, b = g.input("x", "bf16", (None, 64)), g.input("w", "bf16", (64, 32)), g.input("b", "f32", (32,))
    g.output(g.relu(g.linear(x, w, bias=b, type="f32")).cast("bf16"), "y")
    print(g.text())        # MLIR, as docs/Fuse.md describes it
    f = g.compile()        # a fuse.Function

Nothing is broadcast or cast without being written, but for numbers, which become constants of the other side's type,
if that can hold them. Where one of two tensors knows a size that the other leaves open, it is that of both: other
arguments are refused when they are given. A dimension may be counted from the end, -1 is the last one. Comparisons, ==
and != among them, are tensors of i1.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from typing import Any, Iterable, Optional, Sequence, Union

from . import _library as lib
from ._program import Function, compile as _compile

_FLOATS = {"f8E4M3FN": 8, "bf16": 16, "f16": 16, "f32": 32, "f64": 64}
_INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
# The largest number of each, and from where on others are not rounded to it any more.
_LARGEST = {"f8E4M3FN": (448.0, 464.0), "bf16": (float.fromhex("0x1.fep127"), float.fromhex("0x1.ffp127")),
            "f16": (65504.0, 65520.0), "f32": (float.fromhex("0x1.fffffep127"), float.fromhex("0x1.ffffffp127")),
            "f64": (float.fromhex("0x1.fffffffffffffp1023"), math.inf)}
# Of floats, of integers, and of truth values: these are NumPy's, 0 and 1, and have no difference and no quotient.
_BINARY = {"add": ("addf", "addi", "ori"), "sub": ("subf", "subi", None), "mul": ("mulf", "muli", "andi"),
           "div": ("divf", "divsi", None), "max": ("maximumf", "maxsi", "maxui"), "min": ("minimumf", "minsi", "minui")}
# What composites are made of.
_WIDE_FLOATS = ("bf16", "f16", "f32", "f64")
_END = 1 << 63
Number = Union[int, float]
Operand = Union["Value", Number]


def _shape_text(shape: Sequence[Optional[int]]) -> str:
    return "".join(f"{'?' if size is None else size}x" for size in shape)


def _number_text(number: Number) -> str:
    """A number in a sentence, which has no place for thousands of digits; nor does Python write so many."""
    try:
        text = str(number)
    except ValueError:
        text = ""
    return text if 0 < len(text) <= 40 else f"a {type(number).__name__} of more than 40 digits"


def _whole(number: Any) -> int:
    """A whole number that somebody wrote; a TypeError for others, and for truth values."""
    if isinstance(number, bool):
        raise TypeError
    return int(operator.index(number))


def _among(name: Any, known: Sequence[str]) -> None:
    if name not in known:
        raise lib.UsageError(f"{name!r} is not among {', '.join(known[:-1])} and {known[-1]}")


def _dim(dim: Any, value: "Value", what: str) -> int:
    """A dimension as MLIR counts it."""
    try:
        number = _whole(dim)
    except TypeError:
        raise lib.UsageError(f"{what} is asked for dimension {dim!r}, but a whole number is needed") from None
    rank = len(value.shape)
    if not -rank <= number < rank:
        raise lib.InputError(f"{what} is asked for dimension {number} of {value.tensor}, which has {rank}")
    return number % rank


def _dims(dims: Iterable[int], value: "Value", what: str) -> list[int]:
    given = _listed(dims, f"{what} is asked for the dimensions {dims!r}, but a list of whole numbers is needed")
    found = [_dim(dim, value, what) for dim in given]
    if len(set(found)) != len(found):
        raise lib.InputError(f"{what} is asked for the dimensions {given} of {value.tensor}, but each may be there "
                             "once")
    return found


def _listed(given: Any, problem: str) -> list[Any]:
    """What somebody gave to be gone through, once."""
    try:
        return list(given)
    except TypeError:
        raise lib.UsageError(problem) from None


def _check_type(type: Any) -> None:
    if not isinstance(type, str) or type not in lib.TYPE_NUMBERS:
        raise lib.InputError(f"{type!r} is no type: there are {', '.join(lib.TYPE_NAMES)}")


def _shape(shape: Iterable[Optional[int]]) -> tuple[Optional[int], ...]:
    """A shape that somebody wrote."""
    try:
        found = tuple(None if size is None else _whole(size) for size in shape)
    except TypeError:
        raise lib.UsageError(f"the shape is {shape!r}, but whole numbers are needed, and None for what is open") from None
    if any(size is not None and not 0 <= size < _END for size in found):
        raise lib.InputError(f"the shape is {found}, but no size is less than 0, nor 2^63 or more")
    return found


def _common(*shapes: Sequence[Optional[int]]) -> Optional[tuple[Optional[int], ...]]:
    """The shape of all of them, with each size that one of them knows, or None if they cannot be the same."""
    if len({len(shape) for shape in shapes}) > 1:
        return None
    known = [{size for size in sizes if size is not None} for sizes in zip(*shapes)]
    return tuple(sizes.pop() if sizes else None for sizes in known) if all(len(sizes) < 2 for sizes in known) else None


def _check_name(name: Any, what: str) -> None:
    # The compiler's rule: file names, switches and symbols are made of it.
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise lib.InputError(f"{name!r} is no name for {what}: letters, digits and '_' are, with no digit in front")


class Value:
    """A tensor of a graph, with operators. Made by methods of Graph."""

    __array_ufunc__ = None

    def __init__(self, graph: "Graph", name: str, type: str, shape: Iterable[Optional[int]]):
        _check_type(type)
        self.graph = graph
        self.name = name
        #: The type of the elements, as MLIR writes it.
        self.type = type
        #: A size that is not known is None.
        self.shape = _shape(shape)

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
        _check_name(name, "an argument")
        if any(name == other for other, _ in self._inputs):
            raise lib.InputError(f"the graph '{self.name}' has an argument '{name}' already")
        value = Value(self, f"%arg{len(self._inputs)}", type, shape)
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
        if not isinstance(text, str):
            raise lib.UsageError(f"the op is {text!r}, but its text is needed, such as 'math.atan {{0}} : {{0.tensor}}'")
        self._own(*operands)
        named = _Operands(operands)
        result = Value(self, "", type, shape).tensor
        return self._write(named.fill(text, result), type, shape)

    def _sized(self, value: Value, shape: Sequence[Optional[int]]) -> Value:
        """The same tensor where more of its sizes are known. Whether they are so is seen when there are arguments."""
        if value.shape == tuple(shape):
            return value
        return self._write(f"tensor.cast {value.name} : {value.tensor} to {Value(self, '', value.type, shape).tensor}",
                           value.type, shape)

    def _one_shape(self, values: Sequence[Value], problem: str) -> list[Value]:
        """Tensors of one shape, as ops need them that go element by element."""
        shape = _common(*[value.shape for value in values])
        if shape is None:
            raise lib.InputError(problem)
        return [self._sized(value, shape) for value in values]

    def _where(self, what: str, condition: Value, *values: Value) -> list[Value]:
        """The same with one shape."""
        self._own(condition)
        problem = (f"{what} is asked of {values[0].tensor} where {condition.tensor} holds, but needs i1 of the same "
                   "shape: write broadcast")
        if condition.type != "i1":
            raise lib.InputError(problem)
        return self._one_shape((condition, *values), problem)

    def _pair(self, left: Any, right: Any, what: str) -> tuple[Value, Value]:
        for each in (left, right):
            if not isinstance(each, (Value, numbers.Real)):
                raise lib.UsageError(f"{what} is asked of a {type(each).__name__}, but needs a tensor of a graph "
                                     "or a number")
        if not isinstance(left, Value):
            left = self.full(left, right)
        if not isinstance(right, Value):
            right = self.full(right, left)
        self._own(left, right)
        problem = (f"{what} is asked of {left.tensor} and {right.tensor}, but needs two of one type: write broadcast "
                   "and cast")
        if left.type != right.type:
            raise lib.InputError(problem)
        left, right = self._one_shape((left, right), problem)
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
        """A number as MLIR writes it, if the type can hold it."""
        if not isinstance(number, numbers.Real):
            raise lib.UsageError(f"{number!r} was given, but a number is needed")
        if type not in _FLOATS:
            bits = _INTEGERS.get(type, 64)
            low, high = (0, 1) if type == "i1" else (-1 << bits - 1, (1 << bits - 1) - 1)
            try:
                whole = int(number)
                is_held = whole == number and low <= whole <= high
            except (OverflowError, ValueError):
                is_held = False
            if not is_held:
                raise lib.InputError(f"{_number_text(number)} is no {type}, which holds the whole numbers from {low} "
                                     f"to {high}")
            return ("true" if whole else "false") if type == "i1" else str(whole)
        largest, end = _LARGEST[type]
        try:
            value = float(number)
            # Where there is infinity, it is a number of its own. NaN is not compared.
            is_held = not abs(value) >= end or (math.isinf(value) and type != "f8E4M3FN")
        except OverflowError:
            is_held = False
        if not is_held:
            raise lib.InputError(f"{_number_text(number)} is no {type}, whose largest number is {largest:g}")
        if math.isfinite(value):
            text = repr(value)
            return text if "." in text or "e" not in text else text.replace("e", ".0e")
        if math.isnan(value):
            pattern = {"f8E4M3FN": 0x7F, "bf16": 0x7FC0, "f16": 0x7E00, "f32": 0x7FC00000, "f64": 0x7FF8 << 48}[type]
        else:
            pattern = {"bf16": 0x7F80, "f16": 0x7C00, "f32": 0x7F800000, "f64": 0x7FF0 << 48}[type]
            pattern |= (value < 0) << (_FLOATS[type] - 1)
        return f"0x{pattern:0{_FLOATS[type] // 4}X}"

    def constant(self, number: Number, type: str, shape: Iterable[int] = ()) -> Value:
        """A tensor that is this number everywhere."""
        made = Value(self, "", type, shape)
        if None in made.shape:
            raise lib.InputError("a constant has known sizes: full makes one like another tensor")
        return self._write(f"arith.constant dense<{self._literal(number, type)}> : {made.tensor}", type, made.shape)

    def full(self, number: Number, like: Value) -> Value:
        """A tensor like another one that is this number everywhere."""
        self._own(like)
        known = [size for size in like.shape if size is not None]
        if len(known) == len(like.shape):
            return self.constant(number, like.type, known)
        return self.broadcast(self.constant(number, like.type), (), like=like)

    # Element by element.

    def binary(self, name: str, left: Operand, right: Operand) -> Value:
        """`add`, `sub`, `mul`, `div`, `max` or `min` of two tensors, or of a tensor and a number. Quotients of integers
        lose what is behind the point. The sum of truth values holds where one of them does."""
        _among(name, tuple(_BINARY))
        left, right = self._pair(left, right, name)
        op = _BINARY[name][0 if left.type in _FLOATS else 2 if left.type == "i1" else 1]
        if op is None:
            raise lib.InputError(f"{name} is asked of {left.tensor}, but truth values have none: cast them, or compare "
                                 "them")
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

    def _floats(self, what: str, value: Value, known: Sequence[str] = tuple(_FLOATS)) -> None:
        self._own(value)
        if value.type not in known:
            raise lib.InputError(f"{what} is asked of {value.tensor}, but needs elements of {', '.join(known[:-1])} or "
                                 f"{known[-1]}: cast it")

    def _function(self, name: str, value: Value) -> Value:
        self._floats(name, value)
        return self.unary(f"math.{name}", value)

    def _composite(self, name: str, value: Value, form: str = "") -> Value:
        self._floats(name, value, _WIDE_FLOATS)
        return self.unary(f"fuse.{name}{form}", value)

    def exp(self, value: Value) -> Value:
        """e to the power of each element."""
        return self._function("exp", value)

    def log(self, value: Value) -> Value:
        """The natural logarithm."""
        return self._function("log", value)

    def tanh(self, value: Value) -> Value:
        """The hyperbolic tangent."""
        return self._function("tanh", value)

    def sqrt(self, value: Value) -> Value:
        """The square root."""
        return self._function("sqrt", value)

    def rsqrt(self, value: Value) -> Value:
        """One over the square root."""
        return self._function("rsqrt", value)

    def erf(self, value: Value) -> Value:
        """The error function."""
        return self._function("erf", value)

    def abs(self, value: Value) -> Value:
        """Without the sign."""
        return self.unary("math.absf" if value.type in _FLOATS else "math.absi", value)

    def relu(self, value: Value) -> Value:
        """No less than zero."""
        return self._composite("relu", value)

    def sigmoid(self, value: Value) -> Value:
        """1 / (1 + exp(-x))."""
        return self._composite("sigmoid", value)

    def silu(self, value: Value) -> Value:
        """x * sigmoid(x)."""
        return self._composite("silu", value)

    def gelu(self, value: Value, form: str = "erf") -> Value:
        """`form` is "erf" or "tanh"."""
        _among(form, ("erf", "tanh"))
        return self._composite("gelu", value, f" {form}")

    def compare(self, name: str, left: Operand, right: Operand) -> Value:
        """`lt`, `le`, `gt`, `ge`, `eq` or `ne`: a tensor of i1. Of truth values false is less than true."""
        _among(name, ("lt", "le", "gt", "ge", "eq", "ne"))
        left, right = self._pair(left, right, name)
        is_float = left.type in _FLOATS
        if is_float:
            predicate = ("u" if name == "ne" else "o") + name
        else:
            predicate = name if name in ("eq", "ne") else ("u" if left.type == "i1" else "s") + name
        return self._write(f"arith.cmp{'f' if is_float else 'i'} {predicate}, {left.name}, {right.name} : {left.tensor}",
                           "i1", left.shape)

    def select(self, condition: Value, left: Operand, right: Operand) -> Value:
        """`left` where the condition holds, else `right`."""
        left, right = self._pair(left, right, "select")
        condition, left, right = self._where("select", condition, left, right)
        return self._write(f"arith.select {condition.name}, {left.name}, {right.name} : {condition.tensor}, "
                           f"{left.tensor}", left.type, left.shape)

    def cast(self, value: Value, type: str) -> Value:
        """The same numbers in another type: floats round to nearest even, integers wrap, those of i1 are 0 and 1.
        Floats become integers without what is behind the point; NaN, and what an integer cannot hold, becomes any
        number."""
        self._own(value)
        _check_type(type)
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
        before = _common((*left.shape[:-2], left.shape[-1]), right.shape[:-1])
        if before is None:
            raise lib.InputError(f"matmul is asked of {left.tensor} and {right.tensor}, which do not fit: the "
                                 "columns of the left one are the rows of the right one, and what is before is the same")
        type = self._sums(type, left, "matmul")
        shape = (*before[:-1], left.shape[-2], right.shape[-1])
        result = Value(self, "", type, shape).tensor
        mode = self._mode(precision)
        return self._write(f"fuse.matmul {left.name}, {right.name}{mode} : {left.tensor}, {right.tensor} -> {result}", type,
                           shape)

    def linear(self, value: Value, weight: Value, bias: Optional[Value] = None, type: Optional[str] = None,
               precision: Optional[str] = None) -> Value:
        """Rows of `value` times a matrix of K rows and N columns, plus `bias`, which has the type of the result."""
        self._own(value, weight, *([bias] if bias is not None else []))
        if not value.shape or len(weight.shape) != 2:
            raise lib.InputError(f"linear is asked of {value.tensor} and {weight.tensor}, but needs rows and a matrix")
        if _common(value.shape[-1:], weight.shape[:1]) is None or value.type != weight.type:
            raise lib.InputError(f"linear is asked of {value.tensor} and {weight.tensor}, which do not fit: both "
                                 "have one type, and as many numbers in a row as the matrix has rows")
        if type is None and bias is not None and bias.type in self._sum_types(value):
            type = bias.type
        type = self._sums(type, value, "linear")
        columns = weight.shape[1:]
        if bias is not None:
            common = _common(columns, bias.shape)
            if common is None or bias.type != type:
                raise lib.InputError(f"linear is asked for the bias {bias.tensor} behind {weight.tensor}, but it has a "
                                     f"number for each column, of the type of the sums, {type}")
            columns = common
        shape = (*value.shape[:-1], *columns)
        result = Value(self, "", type, shape).tensor
        added = f" bias {bias.name}" if bias is not None else ""
        mode = self._mode(precision)
        types = ", ".join(each.tensor for each in (value, weight, bias) if each is not None)
        return self._write(f"fuse.linear {value.name}, {weight.name}{added}{mode} : {types} -> {result}", type, shape)

    @staticmethod
    def _sum_types(value: Value) -> tuple[str, ...]:
        """What products may be added up in."""
        return ("f64",) if value.type == "f64" else ("f32", "f64")

    def _sums(self, type: Optional[str], value: Value, what: str) -> str:
        """The type of the sums of products, by default the first one that there is."""
        if value.type not in _FLOATS:
            raise lib.InputError(f"{what} is asked of {value.tensor}, but needs floats: cast it")
        known = self._sum_types(value)
        if type is not None and type not in known:
            raise lib.InputError(f"{what} is asked for sums of {type}, but those of {value.type} are "
                                 f"{' or '.join(known)}")
        return type or known[0]

    @staticmethod
    def _mode(precision: Optional[str]) -> str:
        if precision is None:
            return ""
        _among(precision, ("ieee", "tf32", "tf32x3"))
        return f" precision {precision}"

    # Rows.

    def reduce(self, kind: str, value: Value, dims: Iterable[int]) -> Value:
        """`sum`, `prod`, `max`, `min` or `mean` along dimensions, which disappear. Integers have no mean."""
        self._own(value)
        _among(kind, ("sum", "prod", "max", "min", "mean"))
        if value.type in ("i1", "f8E4M3FN") or (kind == "mean" and value.type not in _FLOATS):
            raise lib.InputError(f"reduce {kind} is asked of {value.tensor}, but elements of {value.type} have none: "
                                 "cast them")
        along = sorted(_dims(dims, value, "reduce"))
        shape = [size for dim, size in enumerate(value.shape) if dim not in along]
        return self._write(f"fuse.reduce {kind} {value.name} dims {along} : {value.tensor}", value.type, shape)

    def softmax(self, value: Value, dim: int = -1, mask: Optional[Value] = None) -> Value:
        """Along one dimension; what the mask does not hold is left out."""
        self._floats("softmax", value, _WIDE_FLOATS)
        dim = _dim(dim, value, "softmax")
        masked = ("", "")
        if mask is not None:
            mask, value = self._where("softmax", mask, value)
            masked = (f" mask {mask.name}", f", {mask.tensor}")
        return self._write(f"fuse.softmax {value.name} dim {dim}{masked[0]} : {value.tensor}{masked[1]}",
                           value.type, value.shape)

    def layer_norm(self, value: Value, scale: Optional[Value] = None, shift: Optional[Value] = None,
                   eps: float = 1e-5) -> Value:
        """Along the last dimension. Where there is a `shift`, there is a `scale`."""
        if scale is None and shift is not None:
            raise lib.UsageError("layer_norm is given a shift, but no scale, which is needed, too")
        return self._norm("layer_norm", value, [("scale", scale), ("shift", shift)], eps)

    def rms_norm(self, value: Value, scale: Optional[Value] = None, eps: float = 1e-5) -> Value:
        """Along the last dimension."""
        return self._norm("rms_norm", value, [("scale", scale)], eps)

    def _norm(self, what: str, value: Value, vectors: Sequence[tuple[str, Optional[Value]]], eps: float) -> Value:
        given = [(word, each) for word, each in vectors if each is not None]
        self._own(value, *[each for _, each in given])
        self._floats(what, value, _WIDE_FLOATS)
        if not value.shape:
            raise lib.InputError(f"{what} is asked of {value.tensor}, but needs a last dimension")
        if not isinstance(eps, numbers.Real) or not 0 <= eps < math.inf:
            raise lib.InputError(f"{what} is asked for an eps of {eps!r}, but a finite number of at least 0 is needed")
        row = value.shape[-1:]
        for word, each in given:
            common = _common(row, each.shape)
            if common is None or each.type != value.type:
                raise lib.InputError(f"{what} is asked of {value.tensor} with the {word} {each.tensor}, but needs a "
                                     "number of the same type for each one of a row")
            row = common
        value = self._sized(value, (*value.shape[:-1], *row))
        given = [(word, self._sized(each, row)) for word, each in given]
        words = "".join(f" {word} {each.name}" for word, each in given)
        types = "".join(f", {each.tensor}" for _, each in given)
        return self._write(f"fuse.{what} {value.name}{words} eps {self._literal(eps, 'f64')} : {value.tensor}{types}",
                           value.type, value.shape)

    # Moves.

    def broadcast(self, value: Value, dims: Iterable[int], shape: Optional[Iterable[Optional[int]]] = None,
                  like: Optional[Value] = None) -> Value:
        """Repeats a tensor. `dims` says which dimension of the result each of its own becomes, in order; the result has
        a shape, or that of another tensor."""
        self._own(value, *([like] if like is not None else []))
        if shape is None:
            if like is None:
                raise lib.UsageError("broadcast needs a shape, or a tensor whose shape the result has")
            shape = like.shape
        result = Value(self, "", value.type, shape)
        if like is not None and _common(result.shape, like.shape) is None:
            raise lib.InputError(f"broadcast is asked for {result.tensor} like {like.tensor}, which do not fit")
        places = _dims(dims, result, "broadcast")
        is_in_order = places == sorted(places)
        if not is_in_order or _common(value.shape, [result.shape[dim] for dim in places]) is None:
            raise lib.InputError(f"broadcast is asked of {value.tensor} to the dimensions {places} of {result.tensor}, "
                                 f"which {'do not fit' if is_in_order else 'are not in order: transpose it'}")
        sizes = self._open_sizes(result.shape, places, like)
        return self._write(f"fuse.broadcast {value.name} dims {places}{sizes} : {value.tensor} -> {result.tensor}",
                           value.type, result.shape)

    def transpose(self, value: Value, permutation: Iterable[int]) -> Value:
        """Dimension `permutation[i]` becomes dimension i."""
        self._own(value)
        order = _dims(permutation, value, "transpose")
        if len(order) != len(value.shape):
            raise lib.InputError(f"transpose is asked for the dimensions {order} of {value.tensor}, but all are needed")
        return self._write(f"fuse.transpose {value.name} {order} : {value.tensor}", value.type,
                           [value.shape[dim] for dim in order])

    def slice(self, value: Value, *ranges: Union[slice, None]) -> Value:
        """A Python slice for each dimension, from end to end or forwards; None takes all of it. What begins or ends in
        a dimension is within it, and is counted from its end only where its size is known."""
        self._own(value)
        if len(ranges) > len(value.shape):
            raise lib.InputError(f"slice is given {len(ranges)} ranges for {value.tensor}, which has {len(value.shape)} "
                                 "dimensions")
        texts, shape = [], []
        for size, part in zip(value.shape, (*ranges, *[None] * (len(value.shape) - len(ranges)))):
            part = slice(None) if part is None else part
            try:
                start, stop, step = (None if end is None else _whole(end) for end in (part.start, part.stop, part.step))
            except (AttributeError, TypeError):
                raise lib.UsageError(f"slice is given {part!r}, but needs Python's slices of whole numbers, or "
                                     "None") from None
            if part == slice(None):
                texts.append(":")
                shape.append(size)
                continue
            start, step = 0 if start is None else start, 1 if step is None else step
            if size is not None:
                stop = size if stop is None else stop
                start, stop = start + (size if start < 0 else 0), stop + (size if stop < 0 else 0)
            last = _END - 1 if stop is None else stop
            if not 0 <= start <= last < _END or not 1 <= step < _END:
                raise lib.InputError(f"{part} is no range of a dimension of {'open size' if size is None else size}")
            if size is not None and last > size:
                raise lib.InputError(f"slice is asked for {start}:{last} of a dimension of {size}, which ends before")
            texts.append(f"{start}:{'' if stop is None else stop}" + (f":{step}" if step != 1 else ""))
            shape.append(None if stop is None else (stop - start + step - 1) // step)
        return self._write(f"fuse.slice {value.name}[{', '.join(texts)}] : {value.tensor}", value.type, shape)

    def concat(self, values: Iterable[Value], dim: int) -> Value:
        """Joins tensors along a dimension."""
        joined = _listed(values, f"concat needs tensors, but {values!r} was given")
        self._own(*joined)
        if not joined:
            raise lib.UsageError("concat needs tensors, but none was given")
        first = joined[0]
        dim = _dim(dim, first, "concat")

        def rest(value: Value) -> list[Optional[int]]:
            """What has to be one shape."""
            return [None if place == dim else size for place, size in enumerate(value.shape)]

        for count, each in enumerate(joined):
            if each.type != first.type or _common(*map(rest, joined[:count + 1])) is None:
                raise lib.InputError(f"concat is asked of {first.tensor} and {each.tensor}, but needs one type, and "
                                     f"one shape but for dimension {dim}")
        common = _common(*map(rest, joined)) or ()
        sizes = [each.shape[dim] for each in joined]
        known = [size for size in sizes if size is not None]
        shape = (*common[:dim], sum(known) if len(known) == len(sizes) else None, *common[dim + 1:])
        return self._write(f"fuse.concat {', '.join(each.name for each in joined)} dim {dim} : "
                           f"{', '.join(each.tensor for each in joined)}", first.type, shape)


class _Operands:
    """Fills `{0}`, `{0.tensor}` and `{result}` into the text of an op; other braces are MLIR's."""

    def __init__(self, operands: Sequence[Value]):
        self.operands = operands

    def fill(self, text: str, result: str) -> str:
        text = text.replace("{result}", result)
        for number, value in enumerate(self.operands):
            text = text.replace(f"{{{number}.tensor}}", value.tensor).replace(f"{{{number}}}", value.name)
        return text
