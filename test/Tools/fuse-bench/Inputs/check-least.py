"""Writes rows whose least times are known to OUT.least.json.

usage: check-least.py SOURCE OUT
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import files  # noqa: E402


def row(name, types, fuse, kernels, bytes_, flops, floor=None, bare=None):
    return {"id": name, "types": types, "shape": "-", "fuse_us": fuse, "kernels": kernels, "bytes": bytes_, "flops": flops,
            "floor_us": floor, "bare_us": bare, "peers": {}, "state": "cold", "cache": "cold"}


# 1e6 bytes a us by another row's kernel; 1e9 operations a us for what has 16 bits, 5e8 for tf32.
rows = [row("copy", "f32", 20, 1, 10_000_000, 0, floor=12), row("small", "f32", 5, 3, 1_000_000, 0),
        row("half", "bf16", 30, 1, 1000, 20_000_000_000, bare=20), row("same", "f16", 20, 1, 1000, 20_000_000_000),
        row("tf32", "tf32", 50, 1, 1000, 20_000_000_000, bare=40), row("parts", "tf32x3", 200, 1, 1000, 20_000_000_000),
        row("other", "f64", 7, 1, 100_000, 20_000_000_000), row("streams", "f32", 4, 1, 4_000_000, 0)]
files.write_json(sys.argv[2] + ".least.json", {"chip": None, "driver": None, "date": "-", "commit": None, "rows": rows})
