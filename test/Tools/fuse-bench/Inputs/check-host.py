"""What bounds a processor, and with which sizes a BLAS is called.

usage: check-host.py SOURCE
"""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import host  # noqa: E402

asked = []


class Fake:
    """Stands in for a library, and keeps what it is asked for."""

    class cblas_sgemm:
        def __new__(cls, *arguments):
            asked.append(arguments)


host.ctypes.CDLL = lambda name: Fake
host.SAMPLES, host.SAMPLE_SECONDS = 1, 0
request = {"kind": "mlp", "parameters": {"batch": 7, "widths": [3, 5, 2], "last": "none"}, "element": "f32", "bytes": 4096,
           "states": ["cold"], "peers": ["floor", "bare"]}
answer = host.time_all(request, "libfake.so")
assert not answer["errors"], answer
assert answer["states"]["cold"]["floor"] > 0 and answer["states"]["cold"]["bare"] > 0, answer
assert [(call[3:6], call[8], call[10], call[13]) for call in asked[:2]] == [((7, 5, 3), 3, 5, 5), ((7, 2, 5), 5, 2, 2)], asked[:2]
# Nothing multiplies shorter floats, and rows have no products.
for change in ({"element": "bf16"}, {"kind": "softmax"}):
    assert "bare" not in host.time_all({**request, **change}, "libfake.so")["states"]["cold"], change
os.environ["FUSE_NUM_THREADS"] = "3"
assert host.count_of_threads() == 3 and host.copy(100000) > 0
print("right")
