"""Products by cuBLASLt, opened with ctypes: alone, or with its own epilogue."""

import ctypes

import cuda

# Of library_types.h, cublas_api.h and cublasLt.h.
TYPES = {"f32": 0, "f16": 2, "bf16": 14, "f8": 28}
F32 = 0
COMPUTE_F32, COMPUTE_TF32 = 68, 77
TRANSPOSE = 1
DESC_TRANSPOSE_A, DESC_EPILOGUE, DESC_BIAS, DESC_SCALE_A, DESC_SCALE_B, DESC_FAST = 3, 7, 8, 17, 18, 25
EPILOGUES = {(None, False): 1, ("relu", False): 2, (None, True): 4, ("relu", True): 6, ("gelu", False): 32,
             ("gelu", True): 36}
PREFERENCE_WORKSPACE = 1
LAYOUT_BATCH, LAYOUT_STRIDE = 5, 6
WORKSPACE_BYTES = 64 << 20
# How many of its algorithms are tried.
MOST_ALGORITHMS = 8


class Heuristic(ctypes.Structure):
    _fields_ = [("algorithm", ctypes.c_uint64 * 8), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int),
                ("waves", ctypes.c_float), ("reserved", ctypes.c_int * 4)]


class Library:
    def __init__(self, device):
        self.device = device
        self.library = cuda.open_library("cublasLt", ("13", "12", "11"))
        self.handle = ctypes.c_void_p()
        self.call("cublasLtCreate", ctypes.byref(self.handle))
        self.workspace = cuda.Memory(device, WORKSPACE_BYTES)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise cuda.CudaError(f"{name}: status {status}")

    def layout(self, element, rows, columns, batch):
        made = ctypes.c_void_p()
        self.call("cublasLtMatrixLayoutCreate", ctypes.byref(made), TYPES[element], ctypes.c_uint64(rows),
                  ctypes.c_uint64(columns), ctypes.c_int64(rows))
        if batch > 1:
            self.set("cublasLtMatrixLayoutSetAttribute", made, LAYOUT_BATCH, ctypes.c_int32(batch))
            self.set("cublasLtMatrixLayoutSetAttribute", made, LAYOUT_STRIDE, ctypes.c_int64(rows * columns))
        return made

    def set(self, function, owner, which, value):
        self.call(function, owner, which, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(value)))


class Product:
    """Rows of `m` x `k` times a matrix of `k` x `n`, which lies as that or, `along_k`, as `n` x `k`.

    To the library, which counts columns first, it is the product of the transposed matrices.
    """

    def __init__(self, library, m, n, k, element, along_k=False, activation=None, has_bias=False, tf32=False,
                 fast=False, batch=1):
        self.library, self.device = library, library.device
        self.along_k = along_k
        result = "bf16" if element == "f8" else element
        self.description = ctypes.c_void_p()
        library.call("cublasLtMatmulDescCreate", ctypes.byref(self.description), COMPUTE_TF32 if tf32 else COMPUTE_F32, F32)
        self.set(DESC_TRANSPOSE_A, ctypes.c_int32(TRANSPOSE if along_k else 0))
        self.set(DESC_EPILOGUE, ctypes.c_uint32(EPILOGUES[activation, has_bias]))
        if element == "f8":
            self.scale = cuda.Memory(self.device, 16).write(bytes(ctypes.c_float(k ** -0.25)))
            for which in (DESC_SCALE_A, DESC_SCALE_B):
                self.set(which, ctypes.c_uint64(self.scale.address))
            self.set(DESC_FAST, ctypes.c_int8(int(fast)))
        self.weight = library.layout(element, k if along_k else n, n if along_k else k, batch)
        self.rows = library.layout(element, k, m, batch)
        self.result = library.layout(result, n, m, batch)
        self.has_bias = has_bias
        self.algorithm = None
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)

    def set(self, which, value):
        self.library.set("cublasLtMatmulDescSetAttribute", self.description, which, value)

    def algorithms(self):
        preference = ctypes.c_void_p()
        self.library.call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))
        self.library.set("cublasLtMatmulPreferenceSetAttribute", preference, PREFERENCE_WORKSPACE,
                         ctypes.c_uint64(WORKSPACE_BYTES))
        found, count = (Heuristic * MOST_ALGORITHMS)(), ctypes.c_int()
        self.library.call("cublasLtMatmulAlgoGetHeuristic", self.library.handle, self.description, self.weight, self.rows,
                          self.result, self.result, preference, MOST_ALGORITHMS, found, ctypes.byref(count))
        self.library.call("cublasLtMatmulPreferenceDestroy", preference)
        return [entry for entry in found[:count.value] if entry.state == 0]

    def choose(self, sets):
        """Takes the fastest one for these sets of addresses."""
        if self.has_bias:
            self.set(DESC_BIAS, ctypes.c_uint64(sets[0][3]))
        best, reason = None, "it has no algorithm for this"
        for candidate in self.algorithms():
            self.algorithm = candidate
            try:
                took = cuda.roughly(self.device, lambda number: self.run(*sets[number]), len(sets))
            except cuda.CudaError as error:
                reason = str(error)
                continue
            if best is None or took < best[0]:
                best = took, candidate
        if best is None:
            raise cuda.CudaError(f"cuBLASLt: {reason}")
        self.algorithm = best[1]

    def run(self, x, w, y, bias=0):
        if self.has_bias:
            self.set(DESC_BIAS, ctypes.c_uint64(bias))
        address = ctypes.c_void_p
        self.library.call("cublasLtMatmul", self.library.handle, self.description, ctypes.byref(self.one), address(w),
                          self.weight, address(x), self.rows, ctypes.byref(self.zero), address(y), self.result, address(y),
                          self.result, self.algorithm.algorithm, address(self.library.workspace.address),
                          ctypes.c_size_t(WORKSPACE_BYTES), self.device.stream)
