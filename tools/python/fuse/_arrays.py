"""Arrays of other libraries: what they are, who allocates more of them, and on which stream they work.

Nothing is imported here that the caller has not imported: an array brings its library.
"""

from __future__ import annotations

import ctypes
import operator
import sys
from typing import Any, Callable, NamedTuple, Optional, Sequence

from . import _library as lib


class View(NamedTuple):
    """An array as fuse sees it."""

    address: int
    shape: tuple[int, ...]
    # In elements; None means row-major without gaps.
    strides: Optional[tuple[int, ...]]
    type: int
    kind: int
    # Below 0 where it is not known, for there are no elements.
    ordinal: int
    # What has to live as long as the memory is used.
    owner: Any = None
    # Whether whoever made the array says that nobody may write to it.
    is_read_only: bool = False
    # On which stream it is used, if the array says so.
    stream: Optional[int] = None

    def structure(self, keep: list[Any]) -> lib.Array:
        """As C takes it; `keep` gets what it points to."""
        sizes = (ctypes.c_int64 * max(len(self.shape), 1))(*self.shape)
        keep.append(sizes)
        strides = None
        if self.strides is not None:
            strides = (ctypes.c_int64 * max(len(self.strides), 1))(*self.strides)
            keep.append(strides)
        return lib.Array(self.address, sizes, strides, len(self.shape), self.type, self.kind, self.ordinal)


def check_writable(view: View, what: str) -> None:
    """Outputs are written to, whatever the processor would allow."""
    if view.is_read_only:
        raise lib.InputError(f"{what} may only be read, but a result would be written to it: give an array that may be "
                             "written")


def structures(views: Sequence[View], keep: list[Any]) -> ctypes.Array[lib.Array]:
    """A list of arrays for C."""
    made = (lib.Array * max(len(views), 1))(*[view.structure(keep) for view in views])
    keep.append(made)
    return made


def _type(name: str, what: str) -> int:
    number = lib.TYPE_NUMBERS.get(name)
    if number is None:
        raise lib.InputError(f"{what} has elements of type {name}, which fuse does not have; there are "
                             f"{', '.join(lib.TYPE_NAMES)}")
    return number


def _strides(shape: Sequence[int], byte_strides: Sequence[int], bytes_each: int, what: str) -> tuple[int, ...]:
    if len(byte_strides) != len(shape):
        raise lib.InputError(f"{what} has {len(byte_strides)} strides for {len(shape)} dimensions")
    strides = []
    for size, stride in zip(shape, byte_strides):
        if stride % bytes_each and size > 1:
            raise lib.InputError(f"{what} has a stride of {stride} bytes, which is not a multiple of its elements' "
                                 f"{bytes_each}: make a copy")
        strides.append(stride // bytes_each)
    return tuple(strides)


# What NumPy's protocols call the types; of what they do not know, the name of the dtype says more.
_INTERFACE_TYPES = {"|b1": "i1", "|i1": "i8", "<i2": "i16", "<i4": "i32", "<i8": "i64", "<f2": "f16", "<f4": "f32",
                    "<f8": "f64"}
_DTYPE_NAMES = {"bfloat16": "bf16", "float8_e4m3fn": "f8E4M3FN"}


# Whatever an array raises when it is asked is a fault of what was given, but for a MemoryError: that the process has no
# memory left says nothing of the array.


def _interface_of(array: Any, name: str, what: str) -> dict[str, Any]:
    """What an array says of itself; it is anybody's, and may be anything."""
    try:
        found = getattr(array, name)
    except MemoryError:
        raise
    except Exception as error:
        raise lib.InputError(f"{what} has no {name}: {error}") from error
    if not isinstance(found, dict):
        raise lib.InputError(f"{what} has {found!r} as its {name}, but a dict is needed")
    return found


def _entry(interface: dict[str, Any], key: str, read: Callable[[Any], Any], needed: str, what: str) -> Any:
    found = interface.get(key)
    try:
        return read(found)
    except (IndexError, KeyError, TypeError, ValueError):
        raise lib.InputError(f"{what} has {found!r} as the '{key}' of its interface, but {needed} is needed") from None


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError
    return found


def _sizes(found: Any) -> tuple[int, ...]:
    sizes = tuple(map(operator.index, found))
    if sizes and not -1 << 63 <= min(sizes) <= max(sizes) < 1 << 63:
        raise ValueError
    return sizes


def _address(found: Any) -> int:
    address = operator.index(found)
    if not 0 <= address < 1 << 64:
        raise ValueError
    return address


def _memory(found: Any) -> tuple[int, bool]:
    # What has no elements may have no address.
    return 0 if found[0] is None else _address(found[0]), bool(found[1])


def _from_interface(array: Any, interface: dict[str, Any], kind: int, ordinal: int, what: str) -> View:
    text: str = _entry(interface, "typestr", _text, "the name of a type", what)
    name = _INTERFACE_TYPES.get(text)
    if name is None:
        # NumPy takes long to say it.
        own: str = getattr(getattr(array, "dtype", None), "name", "")
        name = _DTYPE_NAMES.get(own, text)
    if interface.get("mask") is not None:
        raise lib.InputError(f"{what} is a masked array, which fuse does not have")
    number = _type(name, what)
    shape = _entry(interface, "shape", _sizes, "a tuple of sizes", what)
    strides = None
    if interface.get("strides") is not None:
        strides = _strides(shape, _entry(interface, "strides", _sizes, "a tuple of numbers of bytes", what),
                           lib.TYPE_BYTES[number], what)
    address, is_read_only = _entry(interface, "data", _memory, "an address, and whether it may only be read,", what)
    return View(address, shape, strides, number, kind, ordinal, array, is_read_only)


def _with_address(array: Any, what: str) -> tuple[Any, dict[str, Any]]:
    """An array whose data are at an address for as long as it lives, and what it says of itself. The data of a NumPy
    number are there for a moment only, and pictures give bytes: NumPy makes arrays of both, into which nobody can
    write."""
    interface = _interface_of(array, "__array_interface__", what)
    known = sys.modules.get("numpy")
    is_number = known is not None and isinstance(array, known.generic)
    if not is_number and isinstance(interface.get("data"), tuple):
        return array, interface
    try:
        import numpy
        made = numpy.array(array)
    except (ImportError, KeyError, TypeError, ValueError) as error:
        raise lib.InputError(f"{what} has no data at an address: {error}") from error
    made.setflags(write=False)
    return made, made.__array_interface__


_NO_OUTPUTS = "fuse does not know how to allocate outputs for these arrays: give them as out="


class Framework:
    """A library of arrays."""

    # Whether runs are on a stream that the library waits for by itself.
    has_streams = True

    def view(self, array: Any, what: str) -> View:
        raise NotImplementedError

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        raise NotImplementedError

    def stream(self, ordinal: int) -> int:
        return 0

    def is_capturing(self) -> bool:
        return False


class Numpy(Framework):
    """The host's memory."""

    def view(self, array: Any, what: str) -> View:
        # What makes masked arrays is there if there is one; their interface does not tell of the mask.
        masked = sys.modules.get("numpy.ma")
        if masked is not None and isinstance(array, masked.MaskedArray):
            raise lib.InputError(f"{what} is a masked array, which fuse does not have: fill it, or give its data")
        array, interface = _with_address(array, what)
        return _from_interface(array, interface, lib.CPU, 0, what)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        import numpy
        name = lib.TYPE_NAMES[type]
        names = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "index": "int64",
                 "f16": "float16", "f32": "float32", "f64": "float64"}
        if name in names:
            dtype = numpy.dtype(names[name])
        else:
            try:
                import ml_dtypes
            except ImportError:
                raise lib.UnsupportedError(f"an output is {name}, for which NumPy needs the package ml_dtypes") from None
            dtype = numpy.dtype(ml_dtypes.bfloat16 if name == "bf16" else ml_dtypes.float8_e4m3fn)
        count = 1
        for size in shape:
            count *= size
        # NumPy aligns to less than what code for processors writes to.
        raw = numpy.empty(count * dtype.itemsize + alignment, numpy.uint8)
        start = -raw.__array_interface__["data"][0] % alignment
        return raw[start:start + count * dtype.itemsize].view(dtype).reshape(tuple(shape))


class Torch(Framework):
    """PyTorch."""

    def __init__(self) -> None:
        import torch
        self.torch = torch
        names = {"bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float8_e4m3fn": "f8E4M3FN",
                 "bfloat16": "bf16", "float16": "f16", "float32": "f32", "float64": "f64"}
        self.types = {getattr(torch, name): lib.TYPE_NUMBERS[own] for name, own in names.items() if hasattr(torch, name)}
        self.dtypes = {number: dtype for dtype, number in self.types.items()}
        self.dtypes[lib.TYPE_NUMBERS["index"]] = torch.int64
        self.current_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self.capturing = getattr(torch._C, "_cuda_isCurrentStreamCapturing", None)

    def view(self, array: Any, what: str) -> View:
        number = self.types.get(array.dtype)
        if number is None:
            number = _type(str(array.dtype), what)
        device = array.device
        if array.layout is not self.torch.strided:
            raise lib.InputError(f"{what} is a sparse tensor, which fuse does not have")
        if device.type not in ("cpu", "cuda"):
            raise lib.InputError(f"{what} is on {device}, but fuse runs on a processor or an NVIDIA GPU")
        if array.requires_grad and self.torch.is_grad_enabled():
            raise lib.InputError(f"{what} requires a gradient, which fuse does not compute: detach it, or call under "
                                 "torch.no_grad()")
        if array.is_conj() or array.is_neg():
            raise lib.InputError(f"{what} is a view that conjugates or negates: make a copy")
        # Such as what torch.vmap or a fake mode makes of a tensor, or resize_ of its storage.
        try:
            address = array.data_ptr()
        except RuntimeError as error:
            raise lib.InputError(f"{what} has no memory: {str(error).splitlines()[0]}") from None
        if not address and array.numel():
            raise lib.InputError(f"{what} has no memory: its address is NULL")
        return View(address, tuple(array.shape), None if array.is_contiguous() else array.stride(), number,
                    lib.CUDA if device.type == "cuda" else lib.CPU, device.index or 0, array)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        return self.torch.empty(tuple(shape), dtype=self.dtypes[type],
                                device="cpu" if kind == lib.CPU else f"cuda:{ordinal}")

    def stream(self, ordinal: int) -> int:
        return int(self.current_stream(ordinal)) if self.current_stream else 0

    def is_capturing(self) -> bool:
        return bool(self.capturing and self.capturing())


class Cupy(Framework):
    """CuPy."""

    def view(self, array: Any, what: str) -> View:
        return _from_interface(array, array.__cuda_array_interface__, lib.CUDA, array.device.id, what)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        import cupy
        dtype = {number: text for text, name in _INTERFACE_TYPES.items()
                 for number in [lib.TYPE_NUMBERS[name]]}.get(type)
        if dtype is None:
            raise lib.UnsupportedError(f"an output is {lib.TYPE_NAMES[type]}, which CuPy does not have: give it as out=")
        with cupy.cuda.Device(ordinal):
            return cupy.empty(tuple(shape), dtype=dtype)

    def stream(self, ordinal: int) -> int:
        import cupy
        with cupy.cuda.Device(ordinal):
            return int(cupy.cuda.get_current_stream().ptr)

    def is_capturing(self) -> bool:
        import cupy
        return hasattr(cupy.cuda.Stream, "is_capturing") and bool(cupy.cuda.get_current_stream().is_capturing())


class CudaInterface(Framework):
    """What speaks __cuda_array_interface__ and nothing else, such as Numba; it cannot be asked for new arrays."""

    def view(self, array: Any, what: str) -> View:
        interface = _interface_of(array, "__cuda_array_interface__", what)
        view = _from_interface(array, interface, lib.CUDA, -1, what)
        if 0 not in view.shape:
            kind, ordinal = lib.find_device(view.address)
            if kind != lib.CUDA:
                raise lib.InputError(f"{what} says that it is on a GPU, but its address 0x{view.address:x} is of the host's "
                                     "memory")
            view = view._replace(ordinal=ordinal)
        if interface.get("stream") is None:
            return view
        stream = _entry(interface, "stream", _address, "the handle of a stream", what)
        if stream == 0:
            raise lib.InputError(f"{what} says that its stream is 0, but 1 is the legacy default one, and 2 that of each "
                                 "thread")
        # The driver's name of the legacy one.
        return view._replace(stream=0 if stream == 1 else stream)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        raise lib.UsageError(_NO_OUTPUTS)


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_kind", ctypes.c_int32), ("device_ordinal", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


# By DLPack's code and the number of bits; 0 signed, 2 float, 4 bfloat, 6 bool, 10 f8 e4m3fn.
_DLPACK_TYPES = {(6, 8): "i1", (0, 8): "i8", (0, 16): "i16", (0, 32): "i32", (0, 64): "i64", (10, 8): "f8E4M3FN",
                 (4, 16): "bf16", (2, 16): "f16", (2, 32): "f32", (2, 64): "f64"}


class _DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _DLTensor)]


_DLPACK_VERSION = (1, 0)
_DLPACK_READ_ONLY = 1


def _device_of(array: Any, what: str) -> tuple[int, int]:
    """The kind and the number of the device that an array says it is on."""
    try:
        kind, ordinal = (int(number) for number in array.__dlpack_device__())
    except MemoryError:
        raise
    except Exception as error:
        raise lib.InputError(f"{what} does not say on which device it is: {error}") from error
    return kind, ordinal


def _capsule_of(array: Any, stream: Optional[int], what: str) -> Any:
    """What an array hands out, versioned if it can: only that says what may be written."""
    options = {} if stream is None else {"stream": stream}
    try:
        try:
            return array.__dlpack__(max_version=_DLPACK_VERSION, **options)
        except TypeError:
            # It is of before there were versions.
            return array.__dlpack__(**options)
    except MemoryError:
        raise
    except Exception as error:
        # A BufferError, or whatever its library says of an array that was deleted or donated.
        raise lib.InputError(f"{what} does not hand out its memory: {error}") from error


def _tensor_in(capsule: Any, what: str) -> tuple[_DLTensor, bool]:
    """The tensor of a capsule, and whether it may only be read."""
    is_valid, get = ctypes.pythonapi.PyCapsule_IsValid, ctypes.pythonapi.PyCapsule_GetPointer
    is_valid.restype, is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    if is_valid(capsule, b"dltensor_versioned"):
        managed = _DLManagedTensorVersioned.from_address(get(capsule, b"dltensor_versioned"))
        if managed.major != _DLPACK_VERSION[0]:
            raise lib.InputError(f"{what} speaks version {managed.major}.{managed.minor} of DLPack, but fuse only "
                                 f"{_DLPACK_VERSION[0]}")
        return managed.tensor, bool(managed.flags & _DLPACK_READ_ONLY)
    if not is_valid(capsule, b"dltensor"):
        raise lib.InputError(f"{what} hands out something that is no tensor of DLPack, or was taken already")
    # The tensor is what a managed one starts with.
    return _DLTensor.from_address(get(capsule, b"dltensor")), False


class Dlpack(Framework):
    """Whatever speaks DLPack; it cannot be asked for new arrays."""

    def view(self, array: Any, what: str) -> View:
        kind, ordinal = _device_of(array, what)
        # 3 is memory of the host that is pinned.
        if kind not in (lib.CPU, lib.CUDA, 3):
            raise lib.InputError(f"{what} is on a device of DLPack's kind {kind}, but fuse runs on a processor or an "
                                 "NVIDIA GPU")
        # The legacy stream: whoever made the array waits with it.
        capsule = _capsule_of(array, 1 if kind == lib.CUDA else None, what)
        tensor, is_read_only = _tensor_in(capsule, what)
        if tensor.lanes != 1:
            raise lib.InputError(f"{what} has vectors of {tensor.lanes} numbers, which fuse does not have")
        number = _type(_DLPACK_TYPES.get((tensor.code, tensor.bits), f"(DLPack {tensor.code}, {tensor.bits} bits)"),
                       what)
        shape = tuple(tensor.shape[dim] for dim in range(tensor.rank))
        strides = tuple(tensor.strides[dim] for dim in range(tensor.rank)) if tensor.strides else None
        return View((tensor.data or 0) + tensor.offset, shape, strides, number, lib.CUDA if kind == lib.CUDA else lib.CPU,
                    ordinal if kind == lib.CUDA else 0, (array, capsule), is_read_only)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        raise lib.UsageError(_NO_OUTPUTS)


class Jax(Dlpack):
    """JAX, whose arrays are filled by others only here, before anybody has seen them."""

    has_streams = False

    def view(self, array: Any, what: str) -> View:
        # It can be asked for before a function is traced, not while.
        if not hasattr(array, "__dlpack_device__"):
            raise lib.InputError(f"{what} is being traced by JAX and has no numbers yet, but fuse needs them: call it "
                                 "outside of jax.jit")
        # JAX takes it that its arrays never change, and gives several of them the same memory.
        return super().view(array, what)._replace(is_read_only=True)

    def empty(self, shape: Sequence[int], type: int, kind: int, ordinal: int, alignment: int) -> Any:
        import jax
        names = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "f8E4M3FN": "float8_e4m3fn",
                 "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64"}
        name = names[lib.TYPE_NAMES[type]]
        devices = jax.devices("cpu" if kind == lib.CPU else "gpu")
        with jax.default_device(devices[ordinal]):
            made = jax.numpy.zeros(tuple(shape), name)
        if made.dtype.name != name:
            raise lib.UnsupportedError(f"an output is {lib.TYPE_NAMES[type]}, which JAX makes {made.dtype.name} of unless "
                                       "jax_enable_x64 is set")
        return made.block_until_ready()


_frameworks: dict[type, Framework] = {}


def _choose(cls: type, what: str) -> Framework:
    module = cls.__module__.partition(".")[0]
    families = {base.__module__.partition(".")[0] for base in cls.__mro__}
    if "numpy" in families:
        return Numpy()
    if "torch" in families:
        return Torch()
    if module in ("jax", "jaxlib"):
        return Jax()
    if "cupy" in families:
        return Cupy()
    if hasattr(cls, "__dlpack__"):
        return Dlpack()
    if hasattr(cls, "__cuda_array_interface__"):
        return CudaInterface()
    if hasattr(cls, "__array_interface__"):
        return Numpy()
    name = f"{cls.__module__}.{cls.__qualname__}"
    raise lib.InputError(f"{what} is a {name}, but an array is needed that speaks DLPack, __cuda_array_interface__ or "
                         "__array_interface__")


def framework_of(array: Any, what: str) -> Framework:
    """The library that an array is of."""
    cls = type(array)
    found = _frameworks.get(cls)
    if found is None:
        found = _frameworks[cls] = _choose(cls, what)
    return found
