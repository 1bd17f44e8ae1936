"""The libraries of fuse, opened with ctypes."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any, Optional, Sequence

ABI_VERSION = 1
OK, BAD_USAGE, BAD_INPUT, UNSUPPORTED, OUTPUT, DEVICE = range(6)
CPU, CUDA = 1, 2
INPUT, OUTPUT_ARGUMENT, SCALAR = 0, 1, 2

TYPE_NAMES = ("i1", "i8", "i16", "i32", "i64", "index", "f8E4M3FN", "bf16", "f16", "f32", "f64")
TYPE_BYTES = (1, 1, 2, 4, 8, 8, 1, 2, 2, 4, 8)
TYPE_NUMBERS = {name: number for number, name in enumerate(TYPE_NAMES)}


class Error(RuntimeError):
    """What fuse says when something cannot be done."""


class UsageError(Error, TypeError):
    """The call itself is wrong: what is closed, or a wrong number of arguments."""


class InputError(Error, ValueError):
    """A graph, a file or an array is malformed or does not fit."""


class UnsupportedError(Error, NotImplementedError):
    """Well formed, but more than fuse or this machine can do."""


class OutputError(Error, OSError):
    """A file could not be written."""


class DeviceError(Error):
    """The device or its driver failed."""


# Users know them as `fuse.InputError`, wherever they are written.
for _error in (Error, UsageError, InputError, UnsupportedError, OutputError, DeviceError):
    _error.__module__ = "fuse"

_ERRORS = {BAD_USAGE: UsageError, BAD_INPUT: InputError, UNSUPPORTED: UnsupportedError, OUTPUT: OutputError,
           DEVICE: DeviceError}


class Array(ctypes.Structure):
    """FuseArray."""

    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32), ("type", ctypes.c_int32),
                ("device_kind", ctypes.c_int32), ("device_ordinal", ctypes.c_int32)]


class Argument(ctypes.Structure):
    """FuseArgument."""

    _fields_ = [("struct_bytes", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32), ("type", ctypes.c_int32),
                ("alignment", ctypes.c_uint32)]


_HANDLE = ctypes.c_void_p
_PLACE = ctypes.POINTER(ctypes.c_void_p)
_ARRAYS = ctypes.POINTER(Array)
_SIZE = ctypes.c_size_t
_NUMBERS = ctypes.POINTER(ctypes.c_int64)
_TEXTS = ctypes.POINTER(ctypes.c_char_p)

_RUNTIME: dict[str, list[Any]] = {
    "fuse_check_abi": [ctypes.c_uint32],
    "fuse_image_parse": [ctypes.c_char_p, _SIZE, _PLACE],
    "fuse_image_read": [ctypes.c_char_p, _PLACE],
    "fuse_image_write": [_HANDLE, ctypes.c_char_p],
    "fuse_image_serialize": [_HANDLE, ctypes.c_void_p, _SIZE, ctypes.POINTER(_SIZE)],
    "fuse_image_describe": [_HANDLE, ctypes.c_char_p, _SIZE, ctypes.POINTER(_SIZE)],
    "fuse_image_name": [_HANDLE, ctypes.POINTER(ctypes.c_char_p)],
    "fuse_image_count_diagnostics": [_HANDLE, ctypes.POINTER(_SIZE)],
    "fuse_image_diagnostic": [_HANDLE, _SIZE, ctypes.POINTER(ctypes.c_char_p)],
    "fuse_image_has_code": [_HANDLE, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32)],
    "fuse_image_count": [_HANDLE, ctypes.c_int32, ctypes.POINTER(_SIZE)],
    "fuse_image_argument": [_HANDLE, ctypes.c_int32, _SIZE, ctypes.POINTER(Argument)],
    "fuse_image_size": [_HANDLE, ctypes.c_int32, _SIZE, _SIZE, ctypes.POINTER(ctypes.c_char_p)],
    "fuse_image_destroy": [_HANDLE],
    "fuse_device_open": [ctypes.c_int32, ctypes.c_int32, _PLACE],
    "fuse_device_find": [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(ctypes.c_int32)],
    "fuse_device_name": [_HANDLE, ctypes.POINTER(ctypes.c_char_p)],
    "fuse_device_wait": [_HANDLE, ctypes.c_void_p],
    "fuse_device_destroy": [_HANDLE],
    "fuse_program_load": [_HANDLE, _HANDLE, _PLACE],
    "fuse_program_destroy": [_HANDLE],
    "fuse_plan_create": [_HANDLE, _ARRAYS, _SIZE, _NUMBERS, _SIZE, _PLACE],
    "fuse_plan_workspace_bytes": [_HANDLE, ctypes.POINTER(ctypes.c_uint64)],
    "fuse_plan_output": [_HANDLE, _SIZE, ctypes.POINTER(Argument)],
    "fuse_plan_destroy": [_HANDLE],
    "fuse_call_create": [_HANDLE, _ARRAYS, _SIZE, _ARRAYS, _SIZE, _PLACE],
    "fuse_call_launch": [_HANDLE, ctypes.c_void_p],
    "fuse_call_destroy": [_HANDLE],
}
_COMPILER: dict[str, list[Any]] = {
    "fuse_compile": [ctypes.c_char_p, _SIZE, ctypes.c_char_p, _TEXTS, _SIZE, _PLACE],
    "fuse_compile_file": [ctypes.c_char_p, _TEXTS, _SIZE, _PLACE],
}


def _candidates(name: str) -> list[str]:
    folder = os.environ.get("FUSE_LIBRARY_DIR")
    if folder:
        return [os.path.join(folder, name)]
    beside = pathlib.Path(__file__).resolve().parent / "lib" / name
    return [str(beside)] if beside.exists() else [name]


def _open(name: str, functions: dict[str, list[Any]]) -> ctypes.CDLL:
    problems = []
    for path in _candidates(name):
        try:
            library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL if name == "libfuse.so.1" else ctypes.RTLD_LOCAL)
        except OSError as error:
            problems.append(str(error))
            continue
        for function, arguments in functions.items():
            try:
                found = getattr(library, function)
            except AttributeError:
                raise ImportError(f"the library {path} has no function {function}: it is older than the Python "
                                  "package") from None
            found.argtypes = arguments
            found.restype = ctypes.c_int32
        return library
    raise ImportError(f"the library {name} of fuse was not found ({'; '.join(problems)}): set FUSE_LIBRARY_DIR to the "
                      "folder that it is in")


_runtime = _open("libfuse.so.1", _RUNTIME)
_runtime.fuse_last_error.restype = ctypes.c_char_p
_compiler: Optional[ctypes.CDLL] = None

# What is called in every launch.
launch = _runtime.fuse_call_launch


def last_error() -> str:
    text: bytes = _runtime.fuse_last_error()
    return text.decode(errors="replace")


def check(status: int) -> None:
    """Raises unless a call went well."""
    if status != OK:
        raise _ERRORS.get(status, Error)(last_error())


def _check_abi() -> None:
    status = _runtime.fuse_check_abi(ABI_VERSION)
    if status != OK:
        raise ImportError(last_error())


_check_abi()


def call(function: str, *arguments: Any) -> None:
    """Calls a function of the runtime."""
    check(getattr(_runtime, function)(*arguments))


def make(function: str, *arguments: Any) -> int:
    """The handle that a function of the runtime makes."""
    place = ctypes.c_void_p()
    check(getattr(_runtime, function)(*arguments, ctypes.byref(place)))
    return place.value or 0


def find_device(address: int) -> tuple[int, int]:
    """The kind and the number of the device whose memory an address is in."""
    kind, ordinal = ctypes.c_int32(), ctypes.c_int32()
    call("fuse_device_find", address, ctypes.byref(kind), ctypes.byref(ordinal))
    return kind.value, ordinal.value


def compiler() -> ctypes.CDLL:
    """The library that compiles, which is large and opened when it is needed."""
    global _compiler
    if _compiler is None:
        _compiler = _open("libfuse-compiler.so.1", _COMPILER)
    return _compiler


def compile_source(source: bytes, name: str, options: Sequence[str]) -> int:
    texts = (ctypes.c_char_p * max(len(options), 1))(*[option.encode() for option in options])
    place = ctypes.c_void_p()
    check(compiler().fuse_compile(source, len(source), os.fsencode(name), texts, len(options), ctypes.byref(place)))
    return place.value or 0


class Handle:
    """A handle that is closed when nobody refers to it. The library knows which ones are closed."""

    _close = ""

    def __init__(self, handle: int):
        self.handle = handle
        self._is_open = True

    @property
    def is_open(self) -> bool:
        """Whether nobody has closed it."""
        return self._is_open

    def close(self) -> None:
        """Lets go of it, after which it cannot be used. What was made of it stays. Closing twice does nothing."""
        is_open, self._is_open = self._is_open, False
        if is_open:
            getattr(_runtime, self._close)(self.handle)

    def __del__(self) -> None:
        # At the end of the process the library's functions may be gone.
        if getattr(self, "_is_open", False) and _runtime is not None:
            self.close()

    def __reduce__(self) -> Any:
        # A copy would close it a second time, and in another process it is nothing.
        raise TypeError(f"a {type(self).__name__.strip('_').lower()} of fuse cannot be copied or pickled: make another one")

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def text_of(handle: int, function: str) -> str:
    """The text that a function copies out."""
    size = ctypes.c_size_t()
    call(function, handle, None, 0, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    call(function, handle, buffer, size.value, ctypes.byref(size))
    return buffer.value.decode(errors="replace")


def bytes_of(handle: int, function: str) -> bytes:
    """The bytes that a function copies out."""
    size = ctypes.c_size_t()
    call(function, handle, None, 0, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    call(function, handle, buffer, size.value, ctypes.byref(size))
    return buffer.raw
