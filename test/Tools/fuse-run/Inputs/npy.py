#!/usr/bin/env python3
"""Makes .npy files, right and wrong, without numpy:

    npy.py FILE DESCR SHAPE NUMBER...    NUMBERs are repeated to fill SHAPE
        --order=True                     in column-major order, it says
        --cut=N                          without its last N bytes
        --head=N                         only its first N bytes
        --add=N                          with N more zero bytes
    npy.py --show FILE                   prints what a file holds
"""

import math
import struct
import sys

CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "b1": "?", "f2": "e", "f4": "f", "f8": "d", "u1": "B", "V1": "B", "V2": "H"}


def write(path, descr, shape, *numbers, order="False", cut=0, head=None, add=0):
    sizes = [int(size) for size in shape.split("x")] if shape != "scalar" else []
    code = ("<" if descr[0] in "<|" else ">") + CODES[descr[1:]]
    numbers = [float(n) if code[-1] in "efd" else int(n) for n in numbers] or [0]
    text = "".join(f"{size}, " for size in sizes)
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({text}), }}\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    for i in range(math.prod(sizes)):
        data += struct.pack(code, numbers[i % len(numbers)])
    data = data[: len(data) - cut] + bytes(add)
    with open(path, "wb") as file:
        file.write(data if head is None else data[:head])


def show(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<H", data, 8)[0]
    header = eval(data[10 : 10 + length])
    code = "<" + CODES[header["descr"][1:]]
    numbers = [x for (x,) in struct.iter_unpack(code, data[10 + length :])]
    print(header["descr"], header["shape"], numbers)


if __name__ == "__main__":
    if sys.argv[1] == "--show":
        show(sys.argv[2])
    else:
        words = [word for word in sys.argv[1:] if not word.startswith("--")]
        options = dict(word[2:].split("=") for word in sys.argv[1:] if word.startswith("--"))
        write(*words, **{key: value if key == "order" else int(value) for key, value in options.items()})
