"""Clocks that a library says, or does not.

usage: check-clocks.py SOURCE
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import clocks  # noqa: E402
import cuda  # noqa: E402


class Card:
    """What stands for the library: the first times the card is idle, and at its highest clock."""

    def __init__(self, result=0, lacks=()):
        self.result, self.lacks, self.asked = result, lacks, []
        self.states = iter([(1980, 90_000)] * 2 + [(1410, 690_000), (1395, 700_000), (1425, 695_000)] * 1000)

    def __getattr__(self, name):
        if name in self.lacks:
            raise AttributeError(name)

        def call(*arguments):
            self.asked.append((name, [argument.value for argument in arguments if hasattr(argument, "value")]))
            if name == "nvmlDeviceGetClockInfo":
                self.clock, self.power = next(self.states)
                arguments[2]._obj.value = self.clock
            elif name == "nvmlDeviceGetPowerUsage":
                arguments[1]._obj.value = self.power
            elif name.startswith("nvmlDeviceGetHandle"):
                arguments[1]._obj.value = 1
            return self.result
        return call


def check(what, is_right):
    print(what, "is right" if is_right else "is WRONG")


check("the clock under load", clocks.clock_of([(1980, 90), (1410, 690), (1395, 700), (1425, 695), (345, 60)]) == 1410)
check("no clock", clocks.clock_of([]) is None)

os.environ.pop("CUDA_VISIBLE_DEVICES", None)
card = Card()
cuda.open_library = lambda name, versions: card
read = clocks.reader()
with clocks.watched(read) as samples:
    while len(samples) < 5:
        time.sleep(0.01)
count = len(samples)
time.sleep(3 * clocks.SECONDS_BETWEEN)
check("what was watched", clocks.clock_of(samples) == 1410 and len(samples) == count)
check("the first card", card.asked[1] == ("nvmlDeviceGetHandleByIndex_v2", [0]))

os.environ["CUDA_VISIBLE_DEVICES"] = "GPU-12ab,1"
card = Card()
clocks.reader()
check("a card by its id", card.asked[1][0] == "nvmlDeviceGetHandleByUUID")
os.environ["CUDA_VISIBLE_DEVICES"] = "3"
card = Card()
clocks.reader()
check("a card by its number", card.asked[1] == ("nvmlDeviceGetHandleByIndex_v2", [3]))

card = Card(result=999)
check("a library that fails", clocks.reader() is None)
card = Card(lacks=["nvmlDeviceGetPowerUsage"])
check("a library that lacks something", clocks.reader() is None)


def missing(name, versions):
    raise cuda.CudaError("not found")


cuda.open_library = missing
check("no library", clocks.reader() is None)
with clocks.watched(None) as samples:
    pass
check("nothing to watch", samples == [])


def failing():
    raise clocks.Silent


with clocks.watched(failing) as samples:
    time.sleep(2 * clocks.SECONDS_BETWEEN)
check("a library that fails later", samples == [])
