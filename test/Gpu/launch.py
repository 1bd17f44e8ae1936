#!/usr/bin/env python3
"""What launches cost the host, beside bare ones (launch.c says how).

    FUSE_LIBRARY_DIR=build/lib launch.py FUSE [--chip=sm_90a]

Needs a C compiler. The last line says how many graphs stayed below the bound.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
ONE = """func.func @twice(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = arith.addf %x, %x : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
"""


def build(folder, library):
    program = os.path.join(folder, "launch")
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-Wall", "-Werror", "-I", os.path.join(ROOT, "include"),
                    os.path.join(HERE, "launch.c"), "-o", program, library, "-ldl",
                    "-Wl,-rpath," + os.path.dirname(library)], check=True)
    return program


def time_graph(program, fuse, graph, chip, folder):
    """Whether launching it costs little enough."""
    image = os.path.join(folder, os.path.splitext(os.path.basename(graph))[0] + ".fuse")
    command = [fuse, "fuse-run", graph, f"--chip={chip}"]
    said = subprocess.run([*command, "--target=cuda", "--json"], check=True, capture_output=True, text=True).stdout
    kernels = len([kernel for kernel in json.loads(said)["kernels"] if "name" in kernel])
    subprocess.run([*command, "--image=" + image], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([program, image, str(kernels)], capture_output=True, text=True)
    print(("ok " if done.returncode == 0 else "FAIL ") + (done.stdout or done.stderr).strip().replace(folder + "/", ""),
          flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuse")
    parser.add_argument("--chip", default="sm_90a")
    options, _ = parser.parse_known_args()
    library = os.path.join(os.path.abspath(os.environ.get("FUSE_LIBRARY_DIR", os.path.join(ROOT, "build", "lib"))),
                           "libfuse.so.1")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder, library)
        one = os.path.join(folder, "one.mlir")
        with open(one, "w") as file:
            file.write(ONE)
        for graph in (one, os.path.join(ROOT, "docs", "examples", "T1_bf16.mlir")):
            try:
                is_good = time_graph(program, options.fuse, graph, options.chip.split(",")[-1], folder)
            except subprocess.CalledProcessError as error:
                print(f"FAIL {graph}: {error}", flush=True)
                is_good = False
            passed, failed = passed + is_good, failed + (not is_good)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
