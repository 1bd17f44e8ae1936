"""What was installed runs, and its record is right."""
import base64
import csv
import glob
import hashlib
import os
import sys

import numpy

import fuse

assert fuse.__file__.startswith(sys.argv[1]), fuse.__file__
f = fuse.compile("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}")
x = numpy.arange(4, dtype="float32")
assert (f(x) == x).all()
record, = glob.glob(os.path.join(sys.argv[1], "*.dist-info", "RECORD"))
with open(record) as file:
    rows = list(csv.reader(file))
for name, digest, size in rows:
    if digest:
        data = open(os.path.join(sys.argv[1], name), "rb").read()
        assert len(data) == int(size)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
assert any(name == "fuse/py.typed" for name, _, _ in rows)
