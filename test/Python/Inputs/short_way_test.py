"""The short way of calls on PyTorch's tensors, with stand-ins for PyTorch and for what launches."""

import gc
import itertools
import sys
import threading
import types
import weakref

import fuse._fast as fast
from fuse import _library as lib


class Tensor:
    def __init__(self, shape, dtype="f32", device=0, address=None, contiguous=True, gradient=False, negates=False):
        self.shape, self.dtype, self.device, self.requires_grad = tuple(shape), dtype, device, gradient
        self.address = address if address is not None else next(addresses)
        self.contiguous, self.negates = contiguous, negates

    @property
    def is_cuda(self):
        return self.device >= 0

    def data_ptr(self):
        return self.address

    def get_device(self):
        return self.device

    def is_contiguous(self):
        return self.contiguous

    def is_neg(self):
        return self.negates

    def stride(self):
        return tuple(self.shape[1:]) + (1,)


class Parameter(Tensor):
    pass


class View(Tensor):
    """What only looks like a tensor."""


addresses = itertools.count(1 << 20, 256)
state = {"gradients": False, "stream": 7, "capturing": False, "device": 0}
made, launched = [], []


def empty(size, strides, dtype):
    # An allocator that gives the same memory again.
    made.append((size, strides, dtype))
    return Tensor(size, dtype, address=4096 * len(size) + 64 * made.count((size, strides, dtype)) % 128)


class Call:
    def __init__(self, handle):
        self.handle = handle


class Program:
    kind, ordinal = lib.CUDA, 0

    def __init__(self):
        self.calls = []

    def call(self, arrays, outputs, stream):
        self.calls.append((tuple(each.address for each in (*arrays, *outputs)), stream))
        return Call(len(self.calls))


def launch(handle, stream):
    launched.append((handle, stream))
    return state.get("status", 0)


def make(inputs, outputs, devices=2):
    torch = types.ModuleType("torch")
    torch.Tensor, torch.nn = Tensor, types.SimpleNamespace(Parameter=Parameter)
    torch.is_grad_enabled = lambda: state["gradients"]
    torch.cuda = types.SimpleNamespace(device_count=lambda: devices)
    torch._C = types.SimpleNamespace(
        _cuda_getCurrentRawStream=lambda ordinal: state["stream"], _cuda_getDevice=lambda: state["device"],
        _cuda_isCurrentStreamCapturing=lambda: state["capturing"],
        _dynamo=types.SimpleNamespace(guards=types.SimpleNamespace(_empty_strided_cuda=empty)))
    sys.modules["torch"] = torch
    found = fast.calls_for([Tensor((1,))] * inputs, outputs)
    assert found is not None
    return found


lib.launch = launch
x, w = Tensor((8, 64)), Parameter((64, 32))

# What was never seen takes the long way.
calls, program = make(2, 1), Program()
assert calls.run((x, w)) is None
calls.learn((x, w), program, [Tensor((8, 32))])
# The first time of an address makes a call, the others launch only.
for _ in range(10):
    y = calls.run((x, w))
    assert y.shape == (8, 32) and y.dtype == "f32"
assert len(program.calls) == 2 and len(launched) == 10 and set(launched) == {(1, 7), (2, 7)}, (program.calls, launched)
other = Tensor((8, 64))
assert calls.run((other, w)) is not None and program.calls[-1][0][:2] == (other.address, w.address)

# What is not quite the same takes the long way: other sizes and types, gaps, gradients, devices, numbers of arguments.
for strange in (Tensor((9, 64), address=x.address), Tensor((8, 64), "f16", address=x.address),
                Tensor((8, 64), address=x.address, contiguous=False), Tensor((8, 64), device=-1, address=x.address),
                Tensor((8, 64), device=1, address=x.address), View((8, 64), address=x.address),
                Tensor((8, 64), negates=True), 3, None):
    assert calls.run((strange, w)) is None, strange
    assert calls.run((w, strange)) is None, strange
assert calls.run((x,)) is None and calls.run((x, w, w)) is None and calls.run(()) is None
state["gradients"] = True
assert calls.run((x, w)) is not None
assert calls.run((x, Parameter((64, 32), address=w.address, gradient=True))) is None
state["gradients"], state["device"] = False, 1
assert calls.run((x, w)) is None
state["device"] = 0

# Streams and threads have calls of their own.
before = len(program.calls)
state["stream"] = 8
calls.run((x, w))
assert len(program.calls) == before + 1 and launched[-1][1] == 8
thread = threading.Thread(target=lambda: calls.run((x, w)))
thread.start()
thread.join()
assert len(program.calls) == before + 2
state["stream"] = 7

# What is captured takes the long way, which keeps what the graph needs.
state["capturing"] = True
assert calls.run((x, w)) is None
state["capturing"] = False
assert calls.run((x, w)) is not None
several, keeps = make(1, 2), Program()
several.learn((x,), keeps, [Tensor((8,)), Tensor((8, 64))])
first, second = several.run((x,))
assert (first.shape, second.shape) == ((8,), (8, 64))
state["capturing"] = True
assert several.run((x,)) is None
# Nor is anything learned then, nor of arrays that are not PyTorch's.
several.learn((other,), keeps, [Tensor((8,)), Tensor((8, 64))])
several.learn((object(),), keeps, [object(), object()])
state["capturing"] = False
assert len(several.entries) == 1

# Where there is one GPU, tensors are there or are not.
alone = make(2, 1, devices=1)
alone.learn((x, w), program, [Tensor((8, 32))])
assert alone.run((x, w)) is not None
assert alone.run((Tensor((8, 64), device=-1, address=x.address), w)) is None
assert alone.run((x, Tensor((64, 32), device=-1, address=w.address))) is None

# Who goes, goes at once: not when Python looks for circles.
gc.disable()
short = make(2, 1)
lives = Program()
short.learn((x, w), lives, [Tensor((8, 32))])
short.run((x, w))
gone = weakref.ref(lives)
del short, lives
assert gone() is None
gc.enable()

# Addresses are not remembered for ever.
for _ in range(3000):
    assert calls.run((Tensor((8, 64)), w)) is not None
assert len(calls.records) <= 1024

# Nor are sizes, with the programs that they need.
for size in range(300):
    calls.learn((Tensor((size, 64)), w), Program(), [Tensor((size, 32))])
assert len(calls.entries) <= 256 and not calls.records
assert calls.run((Tensor((299, 64)), w)) is not None
calls.learn((x, w), program, [Tensor((8, 32))])

# Threads learn and forget at the same time.
def learn(first):
    several, outputs = [Tensor((size, 64)) for size in range(first, first + 9)], [Tensor((8, 32))]
    try:
        for count in range(2000):
            calls.learn((several[count % 9], w), program, outputs)
    except BaseException as error:
        problems.append(error)


problems, interval, most = [], sys.getswitchinterval(), fast._MOST_SIZES
sys.setswitchinterval(1e-6)
fast._MOST_SIZES = 4
threads = [threading.Thread(target=learn, args=(1000 * number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.setswitchinterval(interval)
fast._MOST_SIZES = most
assert not problems and len(calls.entries) <= 4 + len(threads), problems
calls.learn((x, w), program, [Tensor((8, 32))])

# What a launch says is said.
state["status"] = lib.BAD_USAGE
try:
    calls.run((x, w))
except lib.UsageError:
    print("right")
