"""Runs fuse-run on drivers and GPUs with which something is wrong.

    bad-devices.py FOLDER DRIVER

There are cases with what has to be said, and then every function of the driver that a run
calls fails once, in its first call, its last one and one between.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

# A constant, sums that two kernels make and a third one reads, and products that the copy engine feeds.
GRAPH = """
func.func @shift(%x: tensor<16384x64xf16> {fuse.name = "x"}, %w: tensor<64x64xf16> {fuse.name = "w"})
    -> (tensor<16384x64xf32> {fuse.name = "y"}) {
  %table = arith.constant dense<[TABLE]> : tensor<64xf32>
  %0 = fuse.matmul %x, %w : tensor<16384x64xf16>, tensor<64x64xf16> -> tensor<16384x64xf32>
  %1 = fuse.reduce sum %0 dims [0] : tensor<16384x64xf32>
  %2 = arith.addf %1, %table : tensor<64xf32>
  %3 = fuse.broadcast %2 dims [1] : tensor<64xf32> -> tensor<16384x64xf32>
  %4 = arith.addf %0, %3 : tensor<16384x64xf32>
  return %4 : tensor<16384x64xf32>
}
""".replace("TABLE", ", ".join(f"{number}.0" for number in range(64)))

UNSUPPORTED, DEVICE = 4, 5
LOST = r"; the device cannot be used any more in this process: start it anew \(FUSE_CUDA_SYNC=1 .*\)"


class Case(NamedTuple):
    """What is wrong, what is run then, the status, and the line that has to be said, from its start to its end."""

    name: str
    words: str
    arguments: tuple[str, ...]
    status: int
    line: str


IMAGE = ("IMAGE", "--target=cuda", "--input=x=1")
MODULE = ("GRAPH", "--target=cuda", "--input=x=1")
CASES = [
    Case("no driver", "driver", MODULE, DEVICE, r"--target=cuda: no CUDA driver: \S*none\.so could not be opened \(.*\)"),
    Case("no driver for an image", "driver", IMAGE, DEVICE,
         r"--target=cuda: no CUDA driver: \S*none\.so could not be opened \(.*\)"),
    Case("no GPU", "devices=0", MODULE, UNSUPPORTED,
         r"--target=cuda: no CUDA device: the driver finds none on this machine \(or CUDA_VISIBLE_DEVICES hides them\)"),
    Case("no GPU for an image", "devices=0", IMAGE, UNSUPPORTED,
         r"--target=cuda: no CUDA device: the driver finds none on this machine \(or CUDA_VISIBLE_DEVICES hides them\)"),
    Case("an old GPU", "chip=7.5", MODULE, UNSUPPORTED, r"Fake GPU is a sm_75, but there is code for sm_80, .*"),
    Case("an old GPU for an image", "chip=7.5", IMAGE, UNSUPPORTED,
         r"launch '\w+' has code for sm_90a, but the device is sm_75 'Fake GPU'"),
    Case("a later GPU for an image", "chip=10.0", IMAGE, UNSUPPORTED,
         r"launch '\w+' has code for sm_90a, but the device is sm_100 'Fake GPU'"),
    Case("a driver too old for the PTX", "version=11080", MODULE, UNSUPPORTED,
         r"module '\w+' cannot be loaded on sm_90 'Fake GPU': PTX for sm_90a: PTX [\d.]+ needs a driver for CUDA 12\.\d or "
         r"newer, but this one is for CUDA 11\.8"),
    Case("a driver too old for an image", "version=11080", IMAGE, UNSUPPORTED,
         r"module '\w+' cannot be loaded on sm_90 'Fake GPU': PTX for sm_90a: PTX [\d.]+ needs a driver for CUDA 12\.\d or "
         r"newer, but this one is for CUDA 11\.8"),
    Case("PTX that is refused", "cuModuleLoadDataEx=218", IMAGE, UNSUPPORTED,
         r"module '\w+' cannot be loaded on sm_90 'Fake GPU': PTX for sm_90a, assembled by the driver: "
         r"CUDA_ERROR_INVALID_PTX"),
    Case("no memory for a constant", "memory=100", IMAGE, UNSUPPORTED,
         r"constant 0 needs 256 bytes, but the device has 100 bytes free"),
    Case("no memory for what is in between", "cuMemAlloc_v2#2=2", IMAGE, UNSUPPORTED,
         r"the workspace of 'shift' needs [\d.]+ [KM]iB, but the device has [\d.]+ [GM]iB free"),
    Case("no memory for an argument", "cuMemAlloc_v2#3=2", IMAGE, UNSUPPORTED,
         r"input 0 'x' needs 2\.0 MiB, but the device has [\d.]+ [GM]iB free"),
    Case("no memory for a result", "cuMemAlloc_v2#5=2", IMAGE, UNSUPPORTED,
         r"output 0 'y' needs 4\.0 MiB, but the device has [\d.]+ [GM]iB free"),
    Case("a kernel that faults", "fault=700", IMAGE, DEVICE,
         r"kernel 'fuse_0_shift_0' from graph\.mlir:\d+ failed: CUDA_ERROR_ILLEGAL_ADDRESS \(an illegal memory access was "
         r"encountered\)" + LOST),
    Case("a kernel that faults, of a graph", "fault=719", MODULE, DEVICE,
         r"kernel 'fuse_0_shift_0' from graph\.mlir:\d+ failed: CUDA_ERROR_LAUNCH_FAILED" + LOST),
    Case("a number that is none", "cuInit=999", IMAGE, DEVICE,
         r"--target=cuda: the CUDA driver cannot be initialised: error 999"),
]

# What is done beside one run.
MODES = {
    "run": (),
    "bench": ("--bench", "--samples=2", "--sample-ms=1"),
    "graph": ("--repeat-bits=2", "--graph"),
    "profile": ("--profile=PROFILE",),
}
# Without these a run goes on: memory whose extent nobody knows is taken as it is, and a driver that does not say its
# version at first launches nothing early. What goes wrong where things are released is told to nobody.
OPTIONAL = {"cuMemGetAddressRange_v2", "cuDriverGetVersion"}
NAMES = {1: "CUDA_ERROR_INVALID_VALUE", 700: "CUDA_ERROR_ILLEGAL_ADDRESS"}
LAST = {"cuCtxPushCurrent_v2"}


class Runs:
    """Runs fuse-run in a folder with an output that is there already."""

    def __init__(self, folder: Path, driver: str):
        self.folder, self.driver = folder, driver
        self.results = folder / "results"
        self.results.mkdir()
        self.paths = {"GRAPH": folder / "graph.mlir", "IMAGE": folder / "image.fuse",
                      "PROFILE": self.results / "profile.json"}
        self.paths["GRAPH"].write_text(GRAPH)
        os.environ["FUSE_PTXAS"] = "none"
        subprocess.run(["fuse-run", self.paths["GRAPH"], "--chip=sm_90a", f"--image={self.paths['IMAGE']}"], check=True,
                       stdout=subprocess.DEVNULL)

    def run(self, words: str, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
        for path in self.results.iterdir():
            path.unlink()
        (self.results / "y.npy").write_text("old")
        (self.results / "profile.json").write_text("old")
        where = [str(self.paths[a]) if a in self.paths else a.replace("PROFILE", str(self.paths["PROFILE"]))
                 for a in arguments]
        driver = str(self.folder / "none.so") if words == "driver" else self.driver
        return subprocess.run(["fuse-run", *where, f"--output=y={self.results / 'y.npy'}"], capture_output=True, text=True,
                              check=False, env={**os.environ, "FUSE_CUDA_DRIVER": driver,
                                                "FUSE_FAKE_DRIVER": "" if words == "driver" else f"kernels leaks {words}"})

    def problem(self, done: subprocess.CompletedProcess[str], status: set[int], line: str, is_old: bool = True) -> str:
        """What is wrong with a run that has to fail, if anything is."""
        if done.returncode not in status:
            return f"status {done.returncode}"
        if done.stdout:
            return "it printed a report"
        lines = done.stderr.splitlines()
        if len(lines) != 1 or not re.fullmatch("fuse-run: error: " + line, lines[0]):
            return "it said other things"
        found = {path.name: path.read_bytes() for path in self.results.iterdir()}
        if sorted(found) != ["profile.json", "y.npy"]:
            return f"there are {sorted(found)}"
        if found["profile.json"] != b"old" or is_old and found["y.npy"] != b"old":
            return "a file was touched"
        return ""


def sweep(runs: Runs, mode: str):
    """Every function fails; yields names of cases and what is wrong with them."""
    calls = runs.folder / "calls"
    arguments = (*IMAGE, *MODES[mode])
    done = runs.run(f"calls={calls}", arguments)
    if done.returncode or done.stderr:
        yield f"{mode}: nothing fails", f"status {done.returncode}: {done.stderr}"
        return
    called = dict(line.split() for line in calls.read_text().splitlines())
    for function, count in called.items():
        first, middle, last = 1, (int(count) + 1) // 2, int(count)
        for number, code in {(first, 1), (middle, 700), (last, 1)}:
            done = runs.run(f"{function}#{number}={code}", arguments)
            case = f"{mode}: {function} {number} of {count} yields {code}"
            is_optional = (code == 1 and function in OPTIONAL) or (number == last and function in LAST)
            if is_optional and done.returncode == 0 and not done.stderr:
                yield case, ""
                continue
            # The result of the first run is written before others follow.
            problem = runs.problem(done, {UNSUPPORTED, DEVICE}, f".*{NAMES[code]}.*", is_old=mode == "run")
            yield case, problem and f"{problem}: {done.stdout[:200]}{done.stderr}"


def main() -> int:
    runs = Runs(Path(sys.argv[1]), sys.argv[2])
    passed = failed = 0

    def count(name: str, problem: str) -> None:
        nonlocal passed, failed
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print(f"FAIL {name}: {problem}")

    for case in CASES:
        # What is wrong from the start is found before anybody knows what else is wanted.
        for mode, arguments in MODES.items() if "fault" in case.words else [("run", ())]:
            done = runs.run(case.words, (*case.arguments, *arguments))
            problem = runs.problem(done, {case.status}, case.line)
            count(f"{case.name}, {mode}", problem and f"{problem}: {done.stdout[:200]}{done.stderr}")
    for mode in MODES:
        for name, problem in sweep(runs, mode):
            count(name, problem)
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
