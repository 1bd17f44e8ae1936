"""Images, and functions that run them on arrays of other libraries."""

from __future__ import annotations

import ctypes
import numbers
import operator
import os
import re
import stat
import threading
import warnings
from collections import OrderedDict
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, SupportsIndex, Union, cast

from . import _library as lib
from ._arrays import Framework, View, check_writable, framework_of, structures
from ._fast import calls_for
from ._kept import Kept
from ._sizes import FUNCTIONS, evaluate

#: Of an argument: sizes, or the value of an index.
Shape = Union[SupportsIndex, Sequence[SupportsIndex]]
_Known = Union[int, tuple[int, ...]]


class ArgumentInfo(NamedTuple):
    """What an argument or result has to be."""

    name: str
    type: str
    #: None for a size that is not known before the arguments are.
    shape: tuple[Optional[int], ...]
    alignment: int


def _read_argument(argument: lib.Argument) -> ArgumentInfo:
    shape = tuple(None if argument.shape[dim] < 0 else argument.shape[dim] for dim in range(argument.rank))
    return ArgumentInfo(argument.name.decode(), lib.TYPE_NAMES[argument.type], shape, argument.alignment)


def _path(path: Union[str, bytes, os.PathLike[str]]) -> bytes:
    """As the C library takes it, which would end it at a zero."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise lib.UsageError(f"a {type(path).__name__} was given, but the path of a file is needed")
    name = os.fsencode(path)
    if 0 in name:
        raise lib.InputError(f"the path {path!r} has a zero in it, which no file's has")
    return name


def _length(given: Any, what: str) -> int:
    """How many there are of what has to be a list."""
    try:
        if isinstance(given, (str, bytes)):
            raise TypeError
        return len(given)
    except TypeError:
        raise lib.UsageError(f"the {what} are {given!r}, but a list is needed") from None


def _scalars(given: Any) -> tuple[int, ...]:
    _length(given, "scalars")
    scalars = []
    for number, scalar in enumerate(given):
        try:
            scalars.append(operator.index(scalar))
        except TypeError:
            scalars.append(1 << 63)
        if not -(1 << 63) <= scalars[-1] < 1 << 63:
            raise lib.UsageError(f"scalar {number} is {scalar!r}, but a whole number of 64 bits is needed")
    return tuple(scalars)


class Image(lib.Handle):
    """A compiled graph: what ``fuse-run --image`` writes."""

    _close = "fuse_image_destroy"

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> "Image":
        """Reads a file."""
        return cls(lib.make("fuse_image_read", _path(path)))

    @classmethod
    def parse(cls, data: bytes) -> "Image":
        """Makes one of the bytes of a file."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise lib.UsageError(f"a {type(data).__name__} was given, but the bytes of an image are needed")
        data = bytes(data)
        return cls(lib.make("fuse_image_parse", data, len(data)))

    def __reduce__(self) -> Any:
        return type(self).parse, (self.to_bytes(),)

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a file, or leaves the one that was there as it was."""
        lib.call("fuse_image_write", self.handle, _path(path))

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return lib.bytes_of(self.handle, "fuse_image_serialize")

    def describe(self) -> str:
        """What is in it, for people."""
        return lib.text_of(self.handle, "fuse_image_describe")

    @property
    def name(self) -> str:
        """The name of the function."""
        name = ctypes.c_char_p()
        lib.call("fuse_image_name", self.handle, ctypes.byref(name))
        return (name.value or b"").decode(errors="replace")

    @property
    def diagnostics(self) -> list[str]:
        """What the compiler warned of or remarked, such as ``"model.mlir:3:5: warning: ..."``."""
        count = ctypes.c_size_t()
        lib.call("fuse_image_count_diagnostics", self.handle, ctypes.byref(count))
        texts = []
        for number in range(count.value):
            text = ctypes.c_char_p()
            lib.call("fuse_image_diagnostic", self.handle, number, ctypes.byref(text))
            texts.append((text.value or b"").decode(errors="replace"))
        return texts

    def _count(self, kind: int) -> int:
        count = ctypes.c_size_t()
        lib.call("fuse_image_count", self.handle, kind, ctypes.byref(count))
        return count.value

    def _arguments(self, kind: int) -> list[ArgumentInfo]:
        arguments = []
        for number in range(self._count(kind)):
            argument = lib.Argument(ctypes.sizeof(lib.Argument))
            lib.call("fuse_image_argument", self.handle, kind, number, ctypes.byref(argument))
            arguments.append(_read_argument(argument))
        return arguments

    @property
    def inputs(self) -> list[ArgumentInfo]:
        """An ArgumentInfo for each input."""
        return self._arguments(lib.INPUT)

    @property
    def outputs(self) -> list[ArgumentInfo]:
        """An ArgumentInfo for each output."""
        return self._arguments(lib.OUTPUT_ARGUMENT)

    def output_shapes(self, inputs: Sequence[Sequence[Any]], scalars: Sequence[Any] = (),
                      functions: Mapping[str, Any] = FUNCTIONS) -> list[tuple[Any, ...]]:
        """The shapes of the outputs for inputs of these shapes, which are not checked. Where sizes are open, those that
        are given may be symbols that know `+ - * // %`, with `functions` of their own for min and max."""
        for kind, given, what in ((lib.INPUT, inputs, "inputs"), (lib.SCALAR, scalars, "scalars")):
            count = _length(given, what)
            if count != self._count(kind):
                raise lib.UsageError(f"'{self.name}' has {self._count(kind)} {what}, but {count} were given")
        for number, shape in enumerate(inputs):
            _length(shape, f"sizes of input {number}")
        shapes = []
        for number, output in enumerate(self.outputs):
            sizes = []
            for dimension, size in enumerate(output.shape):
                if size is None:
                    text = ctypes.c_char_p()
                    lib.call("fuse_image_size", self.handle, lib.OUTPUT_ARGUMENT, number, dimension, ctypes.byref(text))
                    size = evaluate((text.value or b"").decode(), inputs, scalars, functions)
                sizes.append(size)
            shapes.append(tuple(sizes))
        return shapes

    def has_code_for(self, device: str) -> bool:
        """Whether it runs on "cuda" or "cpu"."""
        answer = ctypes.c_int32()
        lib.call("fuse_image_has_code", self.handle, _kind(device), ctypes.byref(answer))
        return bool(answer.value)


def _kind(device: str) -> int:
    kinds = {"cpu": lib.CPU, "cuda": lib.CUDA}
    if not isinstance(device, str) or device not in kinds:
        raise lib.UsageError(f"'{device}' is no kind of devices: there are cpu and cuda")
    return kinds[device]


def _ordinal(ordinal: Any) -> int:
    try:
        return operator.index(ordinal)
    except TypeError:
        raise lib.UsageError(f"the ordinal is {ordinal!r}, but the number of a device is needed") from None


class _Device(lib.Handle):
    _close = "fuse_device_destroy"


class _Program(lib.Handle):
    _close = "fuse_program_destroy"


class _Plan(lib.Handle):
    _close = "fuse_plan_destroy"


class _Call(lib.Handle):
    _close = "fuse_call_destroy"


_devices: Kept[_Device] = Kept(1 << 20)


def _device(kind: int, ordinal: int) -> _Device:
    # A child after a fork has devices of its own.
    key = (kind, ordinal, os.getpid())
    return _devices.get(key, lambda: _Device(lib.make("fuse_device_open", kind, -1 if kind == lib.CPU else ordinal)))


class _Bound:
    """A program for certain sizes on a certain stream: a plan, and what its outputs are."""

    def __init__(self, program: _Program, inputs: Sequence[View], scalars: Sequence[int]):
        keep: list[Any] = []
        numbers = (ctypes.c_int64 * max(len(scalars), 1))(*scalars)
        self.plan = _Plan(lib.make("fuse_plan_create", program.handle, structures(inputs, keep), len(inputs), numbers,
                                   len(scalars)))
        #: Calls that were made, by the addresses of their arguments: by one thread, as a plan is for one.
        self.calls: OrderedDict[Any, _Call] = OrderedDict()

    def call(self, inputs: Sequence[View], outputs: Sequence[View]) -> _Call:
        """One on these arrays; one that was there before is not made again."""
        key = tuple(view[:6] for view in inputs), tuple(view[:6] for view in outputs)
        call = self.calls.get(key)
        if call is None:
            keep: list[Any] = []
            call = _Call(lib.make("fuse_call_create", self.plan.handle, structures(inputs, keep), len(inputs),
                                  structures(outputs, keep), len(outputs)))
            while len(self.calls) >= _MOST_CALLS:
                self.calls.popitem(last=False)
            self.calls[key] = call
        return call

    def output(self, number: int) -> ArgumentInfo:
        argument = lib.Argument(ctypes.sizeof(lib.Argument))
        lib.call("fuse_plan_output", self.plan.handle, number, ctypes.byref(argument))
        return _read_argument(argument)


# How many calls a plan remembers: frameworks give the same memory again and again.
_MOST_CALLS = 256
# How many sizes a function remembers: each is an image, and a program on its device.
_MOST_SIZES = 256
# How many plans a program remembers, of which each has memory on its device: where it serves all sizes, as many.
_MOST_PLANS = _MOST_SIZES


class Program:
    """An image that has been loaded on one device."""

    def __init__(self, image: Image, device: str = "cpu", ordinal: int = 0):
        if not isinstance(image, Image):
            raise lib.UsageError(f"a {type(image).__name__} was given, but an Image is needed")
        self.image = image
        #: Also when somebody has closed the image.
        self.name = image.name
        self.kind = _kind(device)
        ordinal = _ordinal(ordinal)
        self.ordinal = 0 if self.kind == lib.CPU else ordinal
        self._device = _device(self.kind, ordinal)
        self._program = _Program(lib.make("fuse_program_load", image.handle, self._device.handle))
        self.inputs = image.inputs
        self.outputs = image.outputs
        self._index = lib.TYPE_NUMBERS["index"]
        self._plans: Kept[_Bound] = Kept(_MOST_PLANS)
        # Plans in graphs that were captured: their memory is used whenever somebody replays one.
        self._captured: list[_Bound] = []

    def _views(self, arrays: Sequence[Any], infos: Sequence[ArgumentInfo], what: str) -> list[View]:
        count = _length(arrays, f"{what}s")
        if count != len(infos):
            raise lib.UsageError(f"'{self.name}' has {len(infos)} {what}s, but {count} were given")
        views = []
        for number, (array, info) in enumerate(zip(arrays, infos)):
            name = f"{what} {number} '{info.name}'"
            view = framework_of(array, name).view(array, name)
            # Other libraries have no type for indices.
            if info.type == "index" and lib.TYPE_NAMES[view.type] == "i64":
                view = view._replace(type=self._index)
            views.append(view if view.ordinal >= 0 else view._replace(ordinal=self.ordinal))
        return views

    def _given_outputs(self, arrays: Sequence[Any]) -> list[View]:
        """Outputs that somebody else has made, and that may be what nobody is to write to."""
        views = self._views(arrays, self.outputs, "output")
        for number, (view, info) in enumerate(zip(views, self.outputs)):
            check_writable(view, f"output {number} '{info.name}'")
        return views

    def _bound(self, inputs: Sequence[View], scalars: tuple[int, ...], stream: int, framework: Framework) -> _Bound:
        if self.kind == lib.CUDA and framework.is_capturing():
            bound = _Bound(self._program, inputs, scalars)
            self._captured.append(bound)
            return bound
        # Runs of one plan have to follow each other.
        key = (tuple((view.shape, view.strides, view.type) for view in inputs), scalars, stream, threading.get_ident())
        # Whoever still runs in one that goes keeps it.
        return self._plans.get(key, lambda: _Bound(self._program, inputs, scalars))

    def call(self, arrays: Sequence[Any], out: Sequence[Any], stream: int) -> _Call:
        """What launches on these arrays, as often as wanted."""
        inputs = self._views(arrays, self.inputs, "input")
        bound = self._bound(inputs, (), stream, framework_of(arrays[0], "input 0"))
        return bound.call(inputs, self._given_outputs(out))

    @property
    def is_captured(self) -> bool:
        """Whether a CUDA graph was captured that runs it."""
        return bool(self._captured)

    def release(self) -> None:
        """Lets go of its plans, those of captured CUDA graphs included: none of these may be replayed afterwards."""
        self._captured = []
        self._plans.clear()

    def run(self, arrays: Sequence[Any], scalars: Sequence[int] = (), out: Optional[Sequence[Any]] = None,
            stream: Optional[int] = None) -> list[Any]:
        """Runs once and yields the outputs: those of `out`, or new arrays of the library that the first input is of.

        `stream` is the handle of a stream, by default the one that the first input names, or else the current one of its
        library. Nothing waits for the run to end, but for arrays of a library whose streams nobody else can use, and for
        those that name another stream.
        """
        count = _length(arrays, "inputs")
        if count != len(self.inputs):
            raise lib.UsageError(f"'{self.name}' has {len(self.inputs)} inputs, but {count} were given")
        if count:
            framework = framework_of(arrays[0], "input 0")
        elif out is not None and _length(out, "outputs"):
            framework = framework_of(out[0], "output 0")
        else:
            raise lib.UsageError(f"'{self.name}' has no inputs, so its outputs are needed: give them as out=")
        inputs = self._views(arrays, self.inputs, "input")
        stream = self._stream(inputs, framework) if stream is None else _handle(stream)
        bound = self._bound(inputs, _scalars(scalars), stream, framework)
        if out is None:
            out = []
            for number in range(len(self.outputs)):
                info = bound.output(number)
                # All sizes are known now.
                shape = cast("tuple[int, ...]", info.shape)
                out.append(framework.empty(shape, lib.TYPE_NUMBERS[info.type], self.kind, self.ordinal, info.alignment))
            outputs = self._views(out, self.outputs, "output")
        else:
            outputs = self._given_outputs(out)
        call = bound.call(inputs, outputs)
        # What others do there before has to end first, and what they do afterwards does not know of this run.
        others = {view.stream for view in (*inputs, *outputs) if view.stream is not None} - {stream}
        for other in others:
            lib.call("fuse_device_wait", self._device.handle, other)
        status = lib.launch(call.handle, stream)
        if status:
            lib.check(status)
        if self.kind == lib.CUDA and (others or not framework.has_streams):
            lib.call("fuse_device_wait", self._device.handle, stream)
        return list(out)

    def _stream(self, inputs: Sequence[View], framework: Framework) -> int:
        """The one that a run is on if nobody says it."""
        if self.kind == lib.CPU:
            return 0
        own = inputs[0].stream if inputs else None
        return framework.stream(self.ordinal) if own is None else own


def _handle(stream: Any) -> int:
    """A stream as the C library takes it, whose pointers have 64 bits."""
    handle = None if isinstance(stream, bool) or not isinstance(stream, numbers.Integral) else operator.index(stream)
    if handle is None or not 0 <= handle < 1 << 64:
        raise lib.UsageError(f"the stream is {stream!r}, but its handle is needed, a whole number of 64 bits")
    return handle


def _is_captured(program: Program) -> bool:
    return program.is_captured


def _as_key(shapes: Iterable[Shape]) -> tuple[_Known, ...]:
    """Shapes as what was compiled is looked up by; that they can be shapes is said here."""
    key: list[_Known] = []
    if isinstance(shapes, (str, bytes)) or not isinstance(shapes, Iterable):
        raise lib.UsageError(f"the shapes are {shapes!r}, but a list is needed")
    for number, shape in enumerate(shapes):
        if isinstance(shape, numbers.Integral):
            key.append(_index(shape, number))
            continue
        try:
            sizes = tuple(operator.index(size) for size in shape)  # type: ignore[union-attr]
        except TypeError:
            raise lib.UsageError(f"the shape of argument {number} is {shape!r}, but whole numbers are needed") from None
        if any(size < 0 for size in sizes):
            raise lib.InputError(f"the shape of argument {number} is {sizes}, but no size is less than 0")
        key.append(sizes)
    return tuple(key)


def _index(value: Any, number: int) -> int:
    if operator.index(value) < 0:
        raise lib.InputError(f"argument {number} is {value}, but an index is no less than 0")
    return operator.index(value)


def _explain(error: lib.Error, shapes: Sequence[_Known]) -> lib.Error:
    """What the compiler complains of, who was given shapes, in the words of who gave arguments, each with its number."""
    message = str(error)
    too_many = re.search(r"a shape is given for '(\d+)', but (@\S+) has no such argument", message)
    if too_many:
        return lib.UsageError(f"{too_many[2]} has {too_many[1]} arguments, but {len(shapes)} were given")
    missing = re.search(r"argument ('.*') (?:has open sizes; they are needed|leaves sizes open)", message)
    if missing:
        return lib.UsageError(f"{len(shapes)} arguments were given, but argument {missing[1]} is needed, too")
    index = re.search(r"argument ('.*') is an index; its value is needed", message)
    if index:
        return lib.UsageError(f"argument {index[1]} is an index, but no whole number was given for it")
    return error


class Function:
    """A graph that is called like a function of Python.

    It is compiled when it is first called with arguments of certain sizes, for the device that they are on, and kept on
    disk; with ``open_sizes`` the first call may suffice. Arguments are arrays of NumPy, PyTorch, JAX, CuPy or anything
    that speaks DLPack or ``__cuda_array_interface__``; a number stands for an argument of type index. Results are arrays
    of the library that the first argument is of, one alone or a tuple.
    """

    def __init__(self, source: bytes, name: str, options: Sequence[str], image: Optional[Image] = None,
                 open_sizes: bool = False):
        self._source = source
        self._name = name
        self._options = tuple(options)
        self._open_sizes = open_sizes
        self._image = image
        self._images: Kept[Image] = Kept(_MOST_SIZES)
        self._programs: Kept[Program] = Kept(_MOST_SIZES, _is_captured)
        self._fast: Any = None
        # The short way, or None as long as nobody has been the long one.
        self._run: Any = None

    @property
    def has_one_image(self) -> bool:
        """Whether one image for each kind of devices runs arguments of all sizes that can be run there at all; but each
        value of an index has its own."""
        return self._image is not None or self._open_sizes

    def _key(self, shapes: tuple[_Known, ...]) -> tuple[Optional[_Known], ...]:
        """What is looked up by: of sizes that stay open only how many arguments have them; indices are bound."""
        if not self.has_one_image:
            return shapes
        return tuple(shape if isinstance(shape, int) else None for shape in shapes)

    def image(self, shapes: Iterable[Shape], device: str = "cpu") -> Image:
        """Compiles for arguments of these shapes, in their order; a number is the value of an index. An image that was
        there before is not made again; where sizes stay open these are the ones to expect."""
        if self._image is not None:
            return self._image
        _kind(device)
        known = _as_key(shapes)
        key = (device, self._key(known))
        while True:
            image = self._images.get(key, lambda: self._compile(known, device))
            if image.is_open:
                return image
            # Whoever it was given to has closed it.
            self._images.forget(key, image)

    def _compile(self, shapes: Sequence[_Known], device: str) -> Image:
        options = list(self._options)
        if not any(option.startswith("chip=") for option in options):
            options.append(f"chip={device}")
        for number, shape in enumerate(shapes):
            text = str(shape) if isinstance(shape, int) else "x".join(map(str, shape)) or "scalar"
            options.append(f"shape={number}:{text}")
        if self.has_one_image:
            options.append("open-sizes=on")
        try:
            image = Image(lib.compile_source(self._source, self._name, options))
        except lib.Error as error:
            raise _explain(error, shapes) from None
        for text in image.diagnostics:
            if ": warning: " in text:
                warnings.warn(text, RuntimeWarning, stacklevel=2)
        return image

    def program(self, shapes: Iterable[Shape], device: str = "cpu", ordinal: int = 0) -> Program:
        """The same, loaded on a device."""
        known = _as_key(shapes) if self._image is None else ()
        # What is looked up by has to be right before.
        _kind(device)
        ordinal = _ordinal(ordinal)
        # A child after a fork has programs of its own.
        return self._programs.get((self._key(known), device, ordinal, os.getpid()),
                                  lambda: Program(self.image(known, device), device, ordinal))

    def release(self) -> None:
        """Lets go of all that was compiled and loaded, also of what CUDA graphs need that were captured: none of these
        may be replayed afterwards. The function can be called again, and starts anew."""
        self._run = self._fast = None
        self._images.clear()
        self._programs.clear()

    def __call__(self, *arguments: Any, out: Any = None, stream: Optional[int] = None) -> Any:
        """Runs it, and compiles it first if arguments of these sizes are new.

        `out` is an array for the result, or a list of them, by default new ones; `stream` is the handle of a CUDA
        stream, by default the one that the first argument names, or else the current one of its library.
        """
        # Other threads may let go of what this one uses.
        run = self._run
        if run is not None and out is None and stream is None:
            results = run(arguments)
            if results is not None:
                return results
        arrays: list[Any] = []
        scalars: list[int] = []
        shapes: list[Shape] = []
        device, ordinal = "cpu", -1
        for number, argument in enumerate(arguments):
            if isinstance(argument, numbers.Integral) and not isinstance(argument, bool):
                scalars.append(_index(argument, number))
                shapes.append(scalars[-1])
                continue
            view = framework_of(argument, f"argument {number}").view(argument, f"argument {number}")
            if view.kind == lib.CUDA and ordinal < 0:
                device, ordinal = "cuda", view.ordinal
            arrays.append(argument)
            shapes.append(view.shape)
        program = self.program(shapes, device, max(ordinal, 0))
        if self._image is None:
            if scalars and len(arrays) < len(program.inputs):
                raise lib.UsageError(f"'{program.name}' has {len(program.inputs)} inputs, but {len(arrays)} arrays "
                                     f"and {len(scalars)} numbers were given: a number only stands for an index")
            scalars = []
        outputs = None if out is None else list(out) if isinstance(out, (tuple, list)) else [out]
        results = program.run(arrays, scalars, outputs, stream)
        if device == "cuda" and outputs is None and stream is None:
            fast = self._fast
            if fast is None:
                fast = self._fast = calls_for(arguments, len(results))
            if fast is not None:
                fast.learn(arguments, program, results)
                self._run = fast.run
        return results[0] if len(results) == 1 else tuple(results)

    def __reduce__(self) -> Any:
        # What was compiled and loaded is not taken along: the cache has it.
        return type(self), (self._source, self._name, self._options, self._image, self._open_sizes)

    def __repr__(self) -> str:
        return f"<fuse.Function of {self._name}>"


def _texts(given: Any) -> Optional[list[str]]:
    """Several texts as a list; none if they are something else, such as one text, whose letters would be several."""
    texts = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else [None]
    return texts if all(isinstance(text, str) for text in texts) else None


def _encode(text: str, what: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise lib.InputError(f"{what} is no text of Unicode: {error}") from None


def _is_path(source: str) -> bool:
    """Whether one line is the path of a file: text has a brace, which a path seldom has."""
    return "\n" not in source and ("{" not in source or source.endswith(".mlir") or os.path.isfile(source))


# Nothing tells how much comes of a pipe, so what there is grows by pieces.
_MOST_OF_PIPE, _PIECE = 1 << 30, 1 << 20


def _read(path: str) -> bytes:
    """A file or a pipe; what never ends is refused."""
    try:
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISREG(mode):
                return file.read()
            if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not file.isatty() and file.read(1):
                raise lib.InputError(f"'{path}' is a device, but a file or a pipe is needed")
            data = bytearray()
            while len(data) <= _MOST_OF_PIPE and (piece := file.read(_PIECE)):
                data += piece
    except OSError as error:
        raise lib.InputError(f"cannot read '{path}': {error.strerror}") from None
    if len(data) > _MOST_OF_PIPE:
        raise lib.UnsupportedError(f"'{path}' has more than 1 GiB, which only a regular file may have")
    return bytes(data)


def compile(source: Union[str, bytes, os.PathLike[str]], *, entry: Optional[str] = None,
            chip: Union[None, str, Sequence[str]] = None, schedules: Optional[Mapping[str, str]] = None,
            options: Sequence[str] = (), cache: bool = True, open_sizes: bool = False) -> Function:
    """Makes a Function of a graph.

    `source` is a module in MLIR: text, bytecode, or the path of a file. `entry` is the function to take where there are
    several; `chip` for what to compile, by default for what the arguments are on; `schedules` maps kernels to
    schedules, with or without a ``@`` before their names; `options` are further ones of ``fuse_compile`` (docs/CApi.md), such as ``"opt-level=1"``. With
    ``cache=False`` nothing is looked for on disk, nor kept there.

    With ``open_sizes=True`` what is compiled is for all sizes that the graph leaves open, so that only the first call
    on a GPU, and the first on a processor, compile. Its sizes are those that the code expects: others are as right, but
    may take longer. ``image`` and ``program`` of the function compile for chosen ones before there is a call.
    """
    name = "<memory>"
    if isinstance(source, os.PathLike) or (isinstance(source, str) and _is_path(source)):
        name = os.fsdecode(_path(source))
        data = _read(name)
        if data.startswith(b"\x89FUSEIMG"):
            raise lib.InputError(f"'{name}' is an image, which is compiled already: fuse.load runs it")
    else:
        if not isinstance(source, (str, bytes, bytearray, memoryview)):
            raise lib.UsageError(f"a {type(source).__name__} was given, but a module or the path of a file is needed")
        data = _encode(source, "the module") if isinstance(source, str) else bytes(source)
    given = _texts(options)
    if given is None:
        raise lib.UsageError(f"the options are {options!r}, but a list of texts is needed, such as ['opt-level=1']")
    if entry is not None:
        if not isinstance(entry, str):
            raise lib.UsageError(f"the entry is {entry!r}, but the name of a function is needed")
        given.append(f"entry={entry}")
    if chip is not None:
        chips = [chip] if isinstance(chip, str) else _texts(chip)
        if chips is None:
            raise lib.UsageError(f"the chip is {chip!r}, but its name is needed, such as 'sm_90a', or a list of names")
        given.append("chip=" + ",".join(chips))
    if schedules is not None and (
            not isinstance(schedules, Mapping) or _texts([*schedules, *schedules.values()]) is None):
        raise lib.UsageError(f"the schedules are {schedules!r}, but texts by the names of kernels are needed, such as "
                             "{'main_0': 'parallel = [64]'}")
    for kernel, schedule in (schedules or {}).items():
        given.append(f"schedule=@{kernel[1:] if kernel.startswith('@') else kernel}:{schedule}")
    if not cache:
        given.append("cache=off")
    for option in given:
        if b"\0" in _encode(option, f"the option {option!r}"):
            raise lib.InputError(f"the option {option!r} has a zero in it, which would be its end")
    return Function(data, name, given, open_sizes=open_sizes)


def load(image: Union[Image, bytes, str, os.PathLike[str]]) -> Function:
    """Makes a Function of an image: a file, its bytes, or one that is there."""
    if isinstance(image, (bytes, bytearray, memoryview)):
        image = Image.parse(bytes(image))
    elif not isinstance(image, Image):
        image = Image.read(image)
    return Function(b"", f"image '{image.name}'", (), image)
