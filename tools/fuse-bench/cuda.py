"""As much of the CUDA driver as timing needs, opened with ctypes, and how long something takes.

The method is that of `fuse-run --bench` (and of timing.py): a sample is a CUDA graph of as many calls as take some
milliseconds, each on another set of arguments, so that no call finds its data in the L2 cache; or each on the same,
so that all do.
"""

import array
import ctypes
import glob
import os
import random
import statistics
import struct
import sys
import time

from method import BURST_SAMPLES, L2_MULTIPLE, MOST_SECONDS, MOST_SETS, REST_SECONDS, SAMPLE_SECONDS, SAMPLES

# Odd, so that rows of a matrix differ.
RANDOM_COUNT = (1 << 18) - 37
BYTES = {"f32": 4, "f16": 2, "bf16": 2, "f8": 1}

# Sixteen bytes at a time, four times by each thread.
COPY = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 target, .param .u64 source, .param .u64 count) {
  .reg .b32 %r<5>; .reg .b64 %i<9>; .reg .b32 %v<16>; .reg .pred %p<4>;
  ld.param.u64 %i0, [target]; ld.param.u64 %i1, [source]; ld.param.u64 %i2, [count];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x;
  mul.wide.u32 %i3, %r0, 1024; cvt.u64.u32 %i4, %r1; add.u64 %i3, %i3, %i4;
  add.u64 %i5, %i3, 256; add.u64 %i6, %i3, 512; add.u64 %i7, %i3, 768;
  setp.lt.u64 %p0, %i3, %i2; setp.lt.u64 %p1, %i5, %i2; setp.lt.u64 %p2, %i6, %i2; setp.lt.u64 %p3, %i7, %i2;
  shl.b64 %i3, %i3, 4; add.u64 %i4, %i1, %i3; add.u64 %i8, %i0, %i3;
  @%p0 ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%i4];
  @%p1 ld.global.v4.b32 {%v4, %v5, %v6, %v7}, [%i4 + 4096];
  @%p2 ld.global.v4.b32 {%v8, %v9, %v10, %v11}, [%i4 + 8192];
  @%p3 ld.global.v4.b32 {%v12, %v13, %v14, %v15}, [%i4 + 12288];
  @%p0 st.global.v4.b32 [%i8], {%v0, %v1, %v2, %v3};
  @%p1 st.global.v4.b32 [%i8 + 4096], {%v4, %v5, %v6, %v7};
  @%p2 st.global.v4.b32 [%i8 + 8192], {%v8, %v9, %v10, %v11};
  @%p3 st.global.v4.b32 [%i8 + 12288], {%v12, %v13, %v14, %v15};
  ret;
}
"""


class CudaError(Exception):
    """What the driver, or a library on top of it, refuses."""


def f8_bits(value):
    """E4M3 of a number, rounded towards zero, without subnormal ones; the largest one in place of infinity."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    sign, exponent, mantissa = bits >> 24 & 128, (bits >> 23 & 255) - 127 + 7, bits >> 20 & 7
    return sign | (0 if exponent <= 0 else min(exponent << 3 | mantissa, 0x7E))


def random_bytes(element, scale, count=RANDOM_COUNT):
    """Normally distributed numbers as they lie in memory."""
    source = random.Random(0)
    values = array.array("f", (source.gauss(0, scale) for _ in range(count)))
    if element == "f32":
        return values.tobytes()
    if element == "f16":
        return struct.pack(f"<{count}e", *values)
    if element == "f8":
        return bytes(map(f8_bits, values))
    wide = values.tobytes()
    made = bytearray(2 * count)
    made[::2], made[1::2] = wide[2::4], wide[3::4]
    return bytes(made)


def folders():
    """Where libraries of CUDA are: in the packages of this Python, else where the loader looks, else in the toolkit."""
    packages = [folder for path in sys.path for folder in sorted(glob.glob(os.path.join(path, "nvidia", "*", "lib")))]
    toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return [*packages, "", os.path.join(toolkit, "lib64"), os.path.join(toolkit, "lib")]


def open_library(name, versions, mode=ctypes.DEFAULT_MODE):
    """The first version that is there."""
    for version in versions:
        file = f"lib{name}.so.{version}"
        for folder in folders():
            try:
                return ctypes.CDLL(os.path.join(folder, file), mode=mode)
            except OSError:
                continue
    raise CudaError(f"lib{name}.so is not found: versions {', '.join(versions)} were looked for")


class Device:
    """The context that others in this process use, too."""

    def __init__(self):
        # As the runtime does.
        ordinal = int(os.environ.get("FUSE_CUDA_DEVICE") or 0)
        try:
            self.driver = ctypes.CDLL(os.environ.get("FUSE_CUDA_DRIVER") or "libcuda.so.1")
        except OSError as error:
            raise CudaError(f"there is no CUDA driver: {error}") from None
        self.call("cuInit", 0)
        number = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(number), ordinal)
        self.number = number.value
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.number)
        self.call("cuCtxSetCurrent", context)
        self.l2_bytes = self.attribute(38)
        stream = ctypes.c_void_p()
        # One that does not wait for the legacy stream.
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        self.stream = stream
        self.patterns = {}
        self.copy_function = None

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(status, ctypes.byref(text))
            raise CudaError(f"{name}: {(text.value or str(status).encode()).decode()}")

    def attribute(self, which):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), which, self.number)
        return value.value

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self.number)
        return text.value.decode()

    def wait(self):
        self.call("cuStreamSynchronize", self.stream)

    def pattern(self, element, scale):
        key = element, scale
        if key not in self.patterns:
            self.patterns[key] = random_bytes(element, scale)
        return self.patterns[key]

    def copy(self, target, source, count):
        """A copy by the driver."""
        self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(target), ctypes.c_uint64(source), ctypes.c_size_t(count),
                  self.stream)

    def copy_by_kernel(self, target, source, count):
        """The same by a kernel; `count` is cut down to multiples of 16."""
        if self.copy_function is None:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), COPY + b"\0")
            self.call("cuModuleGetFunction", ctypes.byref(function), module, b"copy")
            self.copy_function = function
        values = [ctypes.c_uint64(target), ctypes.c_uint64(source), ctypes.c_uint64(count // 16)]
        places = (ctypes.c_void_p * 3)(*(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values))
        blocks = max(-(-(count // 16) // 1024), 1)
        self.call("cuLaunchKernel", self.copy_function, blocks, 1, 1, 256, 1, 1, 0, self.stream, places, None)


class Memory:
    """Memory of a device that is given back with it."""

    def __init__(self, device, size):
        self.device, self.size = device, size
        address = ctypes.c_uint64()
        device.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 16)))
        self.address = address.value

    def __del__(self):
        if getattr(self, "address", 0):
            self.device.driver.cuMemFree_v2(ctypes.c_uint64(self.address))

    def fill(self, element, scale=1.0):
        """With random numbers."""
        pattern = self.device.pattern(element, scale)
        there = min(len(pattern), self.size)
        self.device.call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.address), pattern, ctypes.c_size_t(there))
        while there < self.size:
            count = min(there, self.size - there)
            # Whole patterns only, so that numbers stay where numbers are.
            self.device.copy(self.address + there, self.address, count)
            there += count
        self.device.wait()
        return self

    def write(self, data):
        self.device.call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.address), data, ctypes.c_size_t(len(data)))
        return self


class Event:
    def __init__(self, device):
        self.device = device
        self.event = ctypes.c_void_p()
        device.call("cuEventCreate", ctypes.byref(self.event), 0)

    def __del__(self):
        self.device.driver.cuEventDestroy_v2(self.event)

    def record(self):
        self.device.call("cuEventRecord", self.event, self.device.stream)

    def seconds_since(self, other):
        took = ctypes.c_float()
        self.device.call("cuEventElapsedTime", ctypes.byref(took), other.event, self.event)
        return took.value * 1e-3


class Graph:
    """What a function puts into the stream, to be put there again."""

    def __init__(self, device, function):
        self.device = device
        device.call("cuStreamBeginCapture_v2", device.stream, 2)
        graph = ctypes.c_void_p()
        try:
            function()
        finally:
            device.call("cuStreamEndCapture", device.stream, ctypes.byref(graph))
        self.graph, self.instance = graph, ctypes.c_void_p()
        device.call("cuGraphInstantiateWithFlags", ctypes.byref(self.instance), graph, ctypes.c_ulonglong(0))

    def __del__(self):
        if getattr(self, "instance", None):
            self.device.driver.cuGraphExecDestroy(self.instance)
            self.device.driver.cuGraphDestroy(self.graph)

    def launch(self):
        self.device.call("cuGraphLaunch", self.instance, self.device.stream)


def count_of_sets(device, size, is_hot):
    """How many sets of arguments of so many bytes the L2 cache does not hold."""
    if is_hot:
        return 1
    return int(min(max(-(-L2_MULTIPLE * device.l2_bytes // max(size, 1)), 1), MOST_SETS))


def seconds_of(device, call, count):
    """What so many calls take one by one."""
    first, last = Event(device), Event(device)
    first.record()
    for number in range(count):
        call(number)
    last.record()
    device.wait()
    return last.seconds_since(first) / count


def roughly(device, call, sets):
    """Seconds of a call, measured for a moment only, but as `microseconds` does."""
    estimate = seconds_of(device, lambda number: call(number % sets), 3)
    count = int(min(max(1e-3 / max(estimate, 1e-7), 2), 128))
    graph = Graph(device, lambda: [call(number % sets) for number in range(count)])
    return min(seconds_of(device, lambda _: graph.launch(), 1) for _ in range(4)) / count


def microseconds(device, call, sets, state):
    """The median of `call(set)`, in the state `sustained`, `cold` (the same) or `burst`."""
    for number in range(min(sets, 3)):
        call(number)
    device.wait()
    estimate = seconds_of(device, lambda number: call(number % sets), 4)
    calls = int(min(max(SAMPLE_SECONDS / max(estimate, 1e-7), sets, 1), MOST_SETS))

    def record():
        for number in range(calls):
            call(number % sets)

    graph = Graph(device, record)
    graph.launch()
    device.wait()
    # What is slow is not measured as often.
    count = int(min(max(MOST_SECONDS / (estimate * calls), BURST_SAMPLES), SAMPLES))
    if state == "burst":
        samples = []
        first, last = Event(device), Event(device)
        for _ in range(BURST_SAMPLES):
            time.sleep(REST_SECONDS)
            first.record()
            graph.launch()
            last.record()
            device.wait()
            samples.append(last.seconds_since(first))
    else:
        marks = [Event(device) for _ in range(count + 1)]
        marks[0].record()
        for mark in marks[1:]:
            graph.launch()
            mark.record()
        device.wait()
        samples = [b.seconds_since(a) for a, b in zip(marks, marks[1:])]
    return statistics.median(samples) * 1e6 / calls
