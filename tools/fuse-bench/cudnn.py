"""Attention by cuDNN, whose backend is opened with ctypes.

A graph of small operations is described to it, and it has an engine that computes the whole of such a graph in one
kernel. Names and numbers are those of cudnn_graph.h.
"""

import contextlib
import ctypes

import cuda

TYPES = {"f16": 2, "bf16": 9}
FLOAT, BOOLEAN = 0, 11
# Descriptors.
POINTWISE, ENGINE_CONFIG, HEURISTICS, PLAN, OPERATION_POINTWISE, GRAPH, PACK, TENSOR = 0, 3, 4, 5, 13, 15, 16, 17
MATMUL, OPERATION_MATMUL, REDUCTION, OPERATION_REDUCTION = 18, 19, 21, 22
# Kinds of attributes.
HANDLE, DATA_TYPE, TRUTH, INT64, POINTER, HEURISTICS_MODE, POINTWISE_MODE, DESCRIPTOR = 0, 1, 2, 3, 6, 8, 14, 15
REDUCTION_MODE = 18
# Modes.
ADD, MUL, DIV, SUB, EXP, LOG, GREATER_EQUAL, INDEX, SELECT = 0, 1, 6, 9, 13, 15, 303, 501, 601
SUM, MAX = 0, 3
HEURISTICS_A, HEURISTICS_FALLBACK = 3, 2
LOWEST = -3.4028234663852886e38


class Library:
    def __init__(self, device):
        self.device = device
        # Its engines that compile look for this by name, and are not there without it.
        for version in ("13", "12"):
            with contextlib.suppress(cuda.CudaError):
                cuda.open_library("nvrtc", (version,), ctypes.RTLD_GLOBAL)
        self.library = cuda.open_library("cudnn", ("9",))
        self.library.cudnnGetErrorString.restype = ctypes.c_char_p
        self.library.cudnnGetVersion.restype = ctypes.c_size_t
        self.handle = ctypes.c_void_p()
        self.call("cudnnCreate", ctypes.byref(self.handle))
        self.call("cudnnSetStream", self.handle, device.stream)

    def version(self):
        number = self.library.cudnnGetVersion()
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            said = ctypes.create_string_buffer(512)
            self.library.cudnnGetLastErrorString(said, ctypes.c_size_t(len(said)))
            text = self.library.cudnnGetErrorString(status).decode()
            raise cuda.CudaError(f"{name}: {text} {said.value.decode(errors='replace').strip()}".strip())


class Descriptor:
    """One of the backend's; attributes are set before it is finished."""

    def __init__(self, library, kind, keep=()):
        self.library, self.keep = library, list(keep)
        self.raw = ctypes.c_void_p()
        library.call("cudnnBackendCreateDescriptor", kind, ctypes.byref(self.raw))

    def __del__(self):
        if getattr(self, "raw", None):
            self.library.library.cudnnBackendDestroyDescriptor(self.raw)

    def set(self, name, kind, ctype, *values):
        made = (ctype * len(values))(*values)
        self.library.call("cudnnBackendSetAttribute", self.raw, name, kind, ctypes.c_int64(len(values)), made)
        return self

    def link(self, name, *others):
        self.keep += others
        return self.set(name, DESCRIPTOR, ctypes.c_void_p, *(other.raw.value for other in others))

    def finish(self):
        self.library.call("cudnnBackendFinalize", self.raw)
        return self


class Attention:
    """softmax(q k^T / sqrt(features)) v, of arrays of batch x heads x tokens x features; keys and values may have fewer heads,
    of which each is shared, and another number of tokens."""

    QUERIES, KEYS, VALUES, OUTPUTS, SCALE, NEVER = range(1, 7)

    def __init__(self, library, batch, heads, shared, queries, keys, features, element, is_causal):
        self.library, self.device = library, library.device
        self.batch, self.heads, self.shared = batch, heads, shared
        self.queries, self.keys, self.features = queries, keys, features
        self.element, self.is_causal = element, is_causal
        self.number = 100
        self.operations = []
        self.scale, self.never = ctypes.c_float(features ** -0.5), ctypes.c_float(LOWEST)
        self.build()
        self.plan = self.find_plan()
        size = ctypes.c_int64()
        self.library.call("cudnnBackendGetAttribute", self.plan.raw, 402, INT64, ctypes.c_int64(1),
                          ctypes.byref(ctypes.c_int64()), ctypes.byref(size))
        self.workspace = cuda.Memory(self.device, size.value)

    def tensor(self, shape, strides, data_type, number=None, is_by_value=False):
        made = Descriptor(self.library, TENSOR)
        is_virtual = number is None
        if is_virtual:
            self.number += 1
        made.set(901, DATA_TYPE, ctypes.c_int, data_type)
        made.set(902, INT64, ctypes.c_int64, *shape).set(903, INT64, ctypes.c_int64, *strides)
        made.set(906, INT64, ctypes.c_int64, self.number if is_virtual else number)
        made.set(900, INT64, ctypes.c_int64, 16).set(907, TRUTH, ctypes.c_bool, is_virtual)
        if is_by_value:
            made.set(908, TRUTH, ctypes.c_bool, True)
        return made.finish()

    def array(self, heads, rows, columns, data_type, number=None, is_transposed=False):
        """One of batch x heads x rows x columns, which lies with its columns or, transposed, its rows side by side."""
        strides = (1, rows) if is_transposed else (columns, 1)
        return self.tensor((self.batch, heads, rows, columns), (heads * rows * columns, rows * columns, *strides), data_type,
                           number)

    def scores(self, data_type=FLOAT):
        """One for each query and key, nowhere in memory."""
        return self.array(self.heads, self.queries, self.keys, data_type)

    def rows(self):
        return self.array(self.heads, self.queries, 1, FLOAT)

    def scalar(self, number):
        return self.tensor((1,) * 4, (1,) * 4, FLOAT, number, is_by_value=True)

    def pointwise(self, mode, x, y, b=None, t=None, precision=FLOAT, axis=None):
        what = Descriptor(self.library, POINTWISE).set(0, POINTWISE_MODE, ctypes.c_int, mode)
        what.set(1, DATA_TYPE, ctypes.c_int, precision)
        if axis is not None:
            what.set(9, INT64, ctypes.c_int64, axis)
        made = Descriptor(self.library, OPERATION_POINTWISE).link(750, what.finish()).link(751, x)
        if b:
            made.link(752, b)
        if t:
            made.link(758, t)
        self.operations.append(made.link(753, y).finish())
        return y

    def reduction(self, mode, x, y):
        what = Descriptor(self.library, REDUCTION).set(1600, REDUCTION_MODE, ctypes.c_int, mode)
        what.set(1601, DATA_TYPE, ctypes.c_int, FLOAT).finish()
        self.operations.append(Descriptor(self.library, OPERATION_REDUCTION).link(1612, what).link(1610, x)
                               .link(1611, y).finish())
        return y

    def matmul(self, a, b, c):
        what = Descriptor(self.library, MATMUL).set(1500, DATA_TYPE, ctypes.c_int, FLOAT).finish()
        self.operations.append(Descriptor(self.library, OPERATION_MATMUL).link(1520, a).link(1521, b).link(1522, c)
                               .link(1523, what).finish())
        return c

    def build(self):
        element = TYPES[self.element]
        queries, outputs = (self.array(self.heads, self.queries, self.features, element, number)
                            for number in (self.QUERIES, self.OUTPUTS))
        values = self.array(self.shared, self.keys, self.features, element, self.VALUES)
        # Read the other way round.
        keys = self.array(self.shared, self.features, self.keys, element, self.KEYS, is_transposed=True)
        x = self.matmul(queries, keys, self.scores())
        x = self.pointwise(MUL, x, self.scores(), b=self.scalar(self.SCALE))
        if self.is_causal:
            row = self.pointwise(INDEX, x, self.scores(), axis=2)
            column = self.pointwise(INDEX, x, self.scores(), axis=3)
            kept = self.pointwise(GREATER_EQUAL, row, self.scores(BOOLEAN), b=column, precision=BOOLEAN)
            x = self.pointwise(SELECT, x, self.scores(), b=self.scalar(self.NEVER), t=kept)
        most = self.reduction(MAX, x, self.rows())
        powers = self.pointwise(EXP, self.pointwise(SUB, x, self.scores(), b=most), self.scores())
        sums = self.reduction(SUM, powers, self.rows())
        # Nobody reads it, but by this it knows the graph.
        self.pointwise(ADD, most, self.rows(), b=self.pointwise(LOG, sums, self.rows()))
        weights = self.pointwise(DIV, powers, self.scores(element), b=sums)
        self.matmul(weights, values, outputs)
        graph = Descriptor(self.library, GRAPH).set(800, HANDLE, ctypes.c_void_p, self.library.handle.value)
        self.graph = graph.link(801, *self.operations).finish()

    def configurations(self, mode):
        heuristics = Descriptor(self.library, HEURISTICS).link(201, self.graph)
        heuristics.set(200, HEURISTICS_MODE, ctypes.c_int, mode).finish()
        count = ctypes.c_int64()
        self.library.call("cudnnBackendGetAttribute", heuristics.raw, 202, DESCRIPTOR, ctypes.c_int64(0),
                          ctypes.byref(count), None)
        made = [Descriptor(self.library, ENGINE_CONFIG) for _ in range(count.value)]
        places = (ctypes.c_void_p * max(len(made), 1))(*(each.raw.value for each in made))
        self.library.call("cudnnBackendGetAttribute", heuristics.raw, 202, DESCRIPTOR, ctypes.c_int64(len(made)),
                          ctypes.byref(count), places)
        return made[:count.value]

    def find_plan(self):
        """The first engine that takes it."""
        reason = "it has no engine for this"
        for mode in (HEURISTICS_A, HEURISTICS_FALLBACK):
            try:
                configurations = self.configurations(mode)
            except cuda.CudaError as error:
                reason = str(error)
                continue
            for configuration in configurations:
                try:
                    plan = Descriptor(self.library, PLAN).set(400, HANDLE, ctypes.c_void_p, self.library.handle.value)
                    return plan.link(401, configuration).finish()
                except cuda.CudaError as error:
                    reason = str(error)
        raise cuda.CudaError(f"cuDNN {self.library.version()}: {reason}")

    def pack(self, q, k, v, o):
        """Arguments of a call."""
        numbers = [self.QUERIES, self.KEYS, self.VALUES, self.OUTPUTS, self.SCALE]
        places = [q, k, v, o, ctypes.addressof(self.scale)]
        if self.is_causal:
            numbers.append(self.NEVER)
            places.append(ctypes.addressof(self.never))
        made = Descriptor(self.library, PACK).set(1000, INT64, ctypes.c_int64, *numbers)
        made.set(1001, POINTER, ctypes.c_void_p, *places)
        return made.set(1003, POINTER, ctypes.c_void_p, self.workspace.address).finish()

    def run(self, pack):
        self.library.call("cudnnBackendExecute", self.library.handle, self.plan.raw, pack.raw)
