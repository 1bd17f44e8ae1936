"""At which clock a GPU runs while something is measured, as its management library says.

Nobody has to have that library: where it is not there, or says nothing, no clock is known.
"""

import contextlib
import ctypes
import os
import statistics
import threading

import cuda

# Of nvml.h.
SUCCESS = 0
CLOCK_SM = 1
SECONDS_BETWEEN = 0.02
# Compiling and copying take less of the card than what is measured.
BUSY = 0.8


class Silent(Exception):
    """The library does not say."""


class Library:
    """The clock in MHz and the power in mW of one GPU."""

    def __init__(self):
        try:
            self.library = cuda.open_library("nvidia-ml", ("1",))
        except cuda.CudaError as error:
            raise Silent(str(error)) from None
        self.call("nvmlInit_v2")
        self.device = ctypes.c_void_p()
        # The first of those that may be seen, which can be named by a number or by an id.
        first = (os.environ.get("CUDA_VISIBLE_DEVICES") or "0").split(",")[0].strip()
        if first.isdigit():
            self.call("nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(int(first)), ctypes.byref(self.device))
        else:
            self.call("nvmlDeviceGetHandleByUUID", first.encode(), ctypes.byref(self.device))

    def call(self, name, *arguments):
        try:
            result = getattr(self.library, name)(*arguments)
        except AttributeError:
            raise Silent(f"it has no {name}") from None
        if result != SUCCESS:
            raise Silent(f"{name} ended with {result}")

    def read(self):
        clock, power = ctypes.c_uint(), ctypes.c_uint()
        self.call("nvmlDeviceGetClockInfo", self.device, ctypes.c_int(CLOCK_SM), ctypes.byref(clock))
        self.call("nvmlDeviceGetPowerUsage", self.device, ctypes.byref(power))
        return clock.value, power.value


def clock_of(samples):
    """The median of the clocks that a card had while it took nearly as much power as ever; None without samples."""
    most = max((power for _, power in samples), default=0)
    clocks = [clock for clock, power in samples if power >= BUSY * most]
    return round(statistics.median(clocks)) if clocks else None


@contextlib.contextmanager
def watched(read):
    """What `read` says of clock and power, again and again until the end; nothing where it is None."""
    samples, ended = [], threading.Event()

    def watch():
        while not ended.wait(SECONDS_BETWEEN):
            try:
                samples.append(read())
            except Silent:
                return

    thread = threading.Thread(target=watch, daemon=True) if read else None
    if thread:
        thread.start()
    try:
        yield samples
    finally:
        ended.set()
        if thread:
            thread.join()


def reader():
    """What reads clock and power of the GPU; None where nothing can."""
    try:
        library = Library()
        library.read()
    except Silent:
        return None
    return library.read
