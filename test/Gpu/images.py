#!/usr/bin/env python3
"""Compiles examples to Images at odd sizes, runs them on a GPU, and compares all bits with the graph's own run.

    images.py FUSE [--chip=sm_80,sm_90a] [--jobs=N]

Each case is a graph as an Image: for one chip, with a cubin and without, for all of --chip
and a processor, and with sizes that are open. The graph is run first, and verified; its Image
then has to give the same bits on the same data, launched kernel by kernel and as a CUDA graph
that is replayed, and a profile that can be true. Images that are broken, or for other chips,
have to be refused with one sentence.
"""

import filecmp
import json
import os
import subprocess
import sys
import tempfile
import time

import graphs
from cases import TELLING, chips, parser, run_all
from graphs import FAMILIES

# Families of sizes.py, one for each way to make a kernel, and their sizes.
SIZES = {
    "linear_f16": {"M": 65, "N": 63, "K": 127},
    "linear_tf32": {"M": 33, "N": 17, "K": 65},
    "linear_f8": {"M": 17, "N": 63, "K": 64},
    "norm_linear_gelu": {"M": 13, "N": 65, "K": 63},
    "gate_bf16": {"M": 63, "N": 33, "K": 65},
    "mlp": {"M": 65, "N": 63, "K": 16},
    "attention_bf16": {"S": 65, "D": 24},
    "attention_padded": {"S": 63, "D": 16},
    "softmax_f32": {"M": 17, "N": 257},
    "layer_norm": {"M": 7, "N": 1000},
    "pointwise_sigmoid": {"M": 33, "N": 63},
}

# Examples of several kernels, and of several results.
BLOCK = {"S": 67, "H": 3, "F": 8, "W": 57}
SHAPES = {"D1_f16": ["x:65x13"], "X_router": ["x:33x256"]}

# With sizes that are open: what to expect, and what is run.
OPEN = {
    "first": {"x": [(100, 64), (1, 64), (0, 64), (257, 64), (13, 64)]},
    "D1_f16": {"x": [(64, 13), (7, 13), (0, 13), (300, 13)]},
    "X_residual": {"x": [(33, 384), (1, 384), (0, 384), (65, 384)], "r": [(33, 384), (1, 384), (0, 384), (65, 384)]},
}

# No card runs the code for both.
EXCLUSIVE = ("sm_90a", "sm_120")

# Events of CUDA tell half microseconds, and two of them are added.
ROUNDING = 1.5


def block(tokens, heads, features, hidden):
    """T1 at another size."""
    width = heads * features
    text = graphs.resize(graphs.example("T1"), {
        "x": (tokens, width), "xf": (tokens, width), "vec": (width,), "wqkv": (width, 3 * width), "bqkv": (3 * width,),
        "qkv": (tokens, 3 * width), "qkvf": (tokens, 3 * width), "split": (tokens, heads, features),
        "head": (heads, tokens, features), "headf": (heads, tokens, features), "kt": (heads, features, tokens),
        "s": (heads, tokens, tokens), "probs": (heads, tokens, tokens), "ij": (heads, tokens, tokens),
        "keep": (heads, tokens, tokens), "wo": (width, width), "w1": (width, hidden), "b1": (hidden,),
        "mid": (tokens, hidden), "midf": (tokens, hidden), "w2": (hidden, width)},
        [("[:, 0:768]", f"[:, 0:{width}]"), ("[:, 768:1536]", f"[:, {width}:{2 * width}]"),
         ("[:, 1536:2304]", f"[:, {2 * width}:{3 * width}]"), ("[12, 64]", f"[{heads}, {features}]"),
         ("dense<0.125>", f"dense<{features ** -0.5!r}>")])
    return text


def graphs_of():
    """Names, graphs and shapes."""
    for family in FAMILIES:
        if family.name in SIZES:
            yield family.name, family.graph(SIZES[family.name]), list(family.inputs)
    inputs = [f"--input={name}=uniform:-0.5:0.5" for name in ("wqkv", "wo", "w1", "w2")]
    yield "block", block(BLOCK["S"], BLOCK["H"], BLOCK["F"], BLOCK["W"]), inputs
    for name, shapes in SHAPES.items():
        yield name, graphs.example(name), ["--shape=" + shape for shape in shapes]


class Wrong(Exception):
    """What is wrong with a case, in a sentence."""


class Steps:
    """A case of several commands, which `function` runs with the help of this."""

    def __init__(self, name, function, *arguments):
        self.name, self.function, self.arguments = name, function, arguments
        self.command = [function.__name__.replace("_", "-"), name]
        self.end = 0.0

    def run(self, timeout):
        """What is wrong with it, or None."""
        self.end = time.monotonic() + timeout
        try:
            self.function(self, *self.arguments)
        except Wrong as wrong:
            return str(wrong)
        except subprocess.TimeoutExpired:
            return f"took more than {timeout:g} s"
        return None

    def start(self, command, environment=None):
        """One of the commands."""
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=max(self.end - time.monotonic(), 0.1), env={**os.environ, **(environment or {})})

    def must(self, what, command, environment=None):
        """One that has to end well; what it printed."""
        done = self.start(command, environment)
        if done.returncode != 0:
            said = [line.strip() for line in (done.stderr + done.stdout).splitlines()
                    if any(word in line for word in TELLING)]
            raise Wrong(f"{what}: status {done.returncode}: " + " | ".join(said[:4]))
        return done.stdout


def same_files(what, left, right):
    """Both folders have to have the same files, at least one."""
    names = sorted(os.listdir(left))
    if not names or names != sorted(os.listdir(right)):
        raise Wrong(f"{what}: there are {sorted(os.listdir(right))}, but {names} are wanted")
    for name in names:
        if not filecmp.cmp(os.path.join(left, name), os.path.join(right, name), shallow=False):
            raise Wrong(f"{what}: NOT THE SAME: {name}")


def check_line(what, events, names, runs, rounding):
    """One line of a profile: each run has each kernel, in order, and none begins before the last one has ended."""
    end = 0.0
    found = []
    for event in events:
        begin, took = event["ts"], event["dur"]
        if took < 0 or begin < 0 or begin + rounding < end:
            raise Wrong(f"{what}: {event['name']} begins at {begin} and takes {took}, but the one before ends at {end}")
        end = begin + took
        found.append((event["args"]["run"], event["name"]))
    wanted = [(run, name) for run in range(runs) for name in names]
    if found != wanted:
        raise Wrong(f"{what}: runs have {found}, but {wanted} are wanted")
    return end


def check_profile(path, names, runs, seconds):
    """The trace in a file is of the kernels `names`, `runs` times, within so many seconds."""
    try:
        with open(path) as file:
            events = json.load(file)["traceEvents"]
        lines = {event["args"]["name"]: event["tid"] for event in events if event["ph"] == "M"}
        spans = [event for event in events if event["ph"] == "X"]
        for line, rounding in (("kernels on the GPU", ROUNDING), ("launches on the host", 0.001)):
            of_line = [event for event in spans if event["tid"] == lines[line]]
            end = check_line(f"profile, {line}", of_line, names, runs, rounding)
            if end > 1e6 * seconds:
                raise Wrong(f"profile, {line}: it ends after {end} us, but all took {1e6 * seconds:.0f} us")
        if len(spans) != 2 * runs * len(names):
            raise Wrong(f"profile: {len(spans)} spans, but {2 * runs * len(names)} are wanted")
    except (OSError, ValueError, KeyError) as error:
        raise Wrong(f"profile: {type(error).__name__}: {error}") from error


def run_image(steps, what, command, folder, wanted=None):
    """Runs an Image plainly, as a CUDA graph that is replayed, and profiled, and compares with what is in `wanted`."""
    began = time.monotonic()
    # What is saved is of the plain run, of which replays must not differ in a bit.
    said = json.loads(steps.must(what, [
        *command, "--graph", "--repeat-bits=4", f"--profile={folder}/profile.json", "--samples=5", "--json",
        f"--save-inputs={folder}/in", f"--save-outputs={folder}/out"]))
    if wanted:
        same_files(f"inputs of the {what}", f"{wanted}/in", f"{folder}/in")
        same_files(what, f"{wanted}/out", f"{folder}/out")
    # Where there is nothing to do, nothing is launched.
    is_empty = all(0 in output["shape"] for output in said["outputs"])
    names = [] if is_empty else [kernel["name"] for kernel in said["kernels"]]
    check_profile(f"{folder}/profile.json", names, 5, time.monotonic() - began)


def time_image(steps, command):
    """Times have to be possible."""
    said = json.loads(steps.must("image --bench", [*command, "--bench", "--samples=3", "--sample-ms=1", "--json"]))
    times = said["time_seconds"]
    if not 0 < times["min"] <= times["median"] <= times["max"] or times["samples"] != 3:
        raise Wrong(f"image --bench: {times}")
    for kernel in said["kernels"]:
        if not kernel["seconds"] or kernel["seconds"] < 0:
            raise Wrong(f"image --bench: {kernel['name']} takes {kernel['seconds']} s")


def image_runs(steps, options, folder, graph, chip_list, arguments, environment=None):
    """Of known sizes."""
    os.makedirs(folder)
    image = os.path.join(folder, "image.fuse")
    shapes = [argument for argument in arguments if argument.startswith("--shape=")]
    has_several = "," in chip_list
    all_chips = chip_list + ",x86-64" if has_several else chip_list
    steps.must("fuse-compile", [options.fuse, "fuse-compile", graph, *shapes, "--cache=off", "-o", image,
                                f"--chip={all_chips}"], environment)
    wanted = os.path.join(folder, "wanted")
    steps.must("graph", [options.fuse, "fuse-run", graph, "--target=cuda", f"--chip={chip_list}", *arguments,
                         "--verify", f"--save-inputs={wanted}/in", f"--save-outputs={wanted}/out"], environment)
    command = [options.fuse, "fuse-run", image, "--target=cuda", *arguments]
    run_image(steps, "image", command, folder, wanted)
    if not has_several and not environment:
        time_image(steps, command)


def open_image_runs(steps, options, folder, graph, chip, arguments):
    """One of open sizes, at each of them: the graph's runs share its code at the first."""
    os.makedirs(folder)
    image = os.path.join(folder, "image.fuse")

    def shape(name, sizes):
        return f"--shape={name}:" + "/".join("x".join(map(str, size)) for size in sizes)

    first = [shape(name, sizes[:1]) for name, sizes in arguments.items()]
    steps.must("fuse-compile", [options.fuse, "fuse-compile", graph, *first, "--open-sizes=on", "--cache=off", "-o",
                                image, f"--chip={chip}"])
    # All sizes are verified; results are told of one.
    run = [options.fuse, "fuse-run", graph, "--target=cuda", f"--chip={chip}", "--open-sizes"]
    steps.must("graph", [*run, "--verify", *(shape(name, sizes) for name, sizes in arguments.items())])
    for number in range(len(next(iter(arguments.values())))):
        at = [shape(name, [sizes[number]]) for name, sizes in arguments.items()]
        place = os.path.join(folder, str(number))
        wanted = os.path.join(place, "wanted")
        saved = [f"--save-inputs={wanted}/in", f"--save-outputs={wanted}/out"]
        command = [options.fuse, "fuse-run", image, "--target=cuda", *at]
        if number == 0:
            steps.must("graph", [*run, *at, *saved])
            run_image(steps, "image", command, place, wanted)
            continue
        # The reference in the types as written; how far off it may be --verify has judged.
        steps.must("reference", [options.fuse, "fuse-run", graph, "--target=reference", *at, *saved])
        near = [f"--expect={name[:-len('.npy')].removeprefix('out')}={wanted}/out/{name}"
                for name in os.listdir(f"{wanted}/out")]
        run_image(steps, f"image {' '.join(at)}", [*command, *near, "--rtol=0.02", "--atol=0.02"], place)


def is_refused(what, done, status, telling):
    """Ended as it should, with one sentence that tells why."""
    said = done.stderr.strip()
    if done.returncode != status or "\n" in said or telling not in said or not said.startswith("fuse-run: error: "):
        raise Wrong(f"{what}: ended with {done.returncode} and '{said[:300]}', but {status} and '{telling}' are wanted")


def other_chips(steps, options, folder, graph, environment):
    """Images for chips of which the card is one at most."""
    os.makedirs(folder)
    refused = 0
    for chip in EXCLUSIVE:
        image = os.path.join(folder, chip + ".fuse")
        steps.must("fuse-compile", [options.fuse, "fuse-compile", graph, "--shape=x:7x64", "--cache=off", "-o", image,
                                    f"--chip={chip}"], environment)
        done = steps.start([options.fuse, "fuse-run", image, "--target=cuda"])
        if done.returncode:
            is_refused(chip, done, 4, f"has code for {chip}, but the device is sm_")
            refused += 1
    if not refused:
        raise Wrong(f"one card ran the code for {' and '.join(EXCLUSIVE)}")


def broken_images(steps, options, folder, graph, chip):
    """Files that end too early, or have another byte somewhere."""
    os.makedirs(folder)
    image = os.path.join(folder, "image.fuse")
    steps.must("fuse-compile", [options.fuse, "fuse-compile", graph, "--shape=x:7x64", "--cache=off", "-o", image,
                                f"--chip={chip}"])
    with open(image, "rb") as file:
        data = file.read()

    def refuse(what, content, telling):
        path = os.path.join(folder, "broken.fuse")
        with open(path, "wb") as file:
            file.write(content)
        is_refused(what, steps.start([options.fuse, "fuse-run", path, "--target=cuda"]), 3, telling)

    for length in (8, 31, 32, 200, len(data) // 2, len(data) - 1):
        refuse(f"{length} bytes of it", data[:length], "the image is truncated")
    for at in (40, len(data) // 3, len(data) - 1):
        refuse(f"byte {at} is another", data[:at] + bytes([data[at] ^ 16]) + data[at + 1:], "checksum")
    refuse("a byte more", data + b"\0", "the image")


def main():
    options = parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = os.path.join(folder, name + ".mlir")
            with open(path, "w") as file:
                file.write(text)
            return path

        cases = []

        def add(name, function, *arguments):
            cases.append(Steps(name, function, options, os.path.join(folder, str(len(cases))), *arguments))

        no_ptxas = {"FUSE_PTXAS": "none"}
        for number, (name, text, arguments) in enumerate(graphs_of()):
            path = write(name, text)
            for chip in chips(options):
                add(f"{name} {chip}", image_runs, path, chip, arguments)
                if number % 3 == 0:
                    add(f"{name} {chip} as PTX", image_runs, path, chip, arguments, no_ptxas)
            # The first that the card runs is what an Image chooses, if the best is the first.
            if number % 3 == 1 and len(chips(options)) > 1:
                add(f"{name} for all", image_runs, path, ",".join(reversed(chips(options))), arguments)
        for name, arguments in OPEN.items():
            path = write(name + "_open", graphs.example(name))
            for chip in chips(options):
                add(f"{name} open {chip}", open_image_runs, path, chip, arguments)
        first = write("first", graphs.example("first"))
        add("other chips", other_chips, first, {})
        add("other chips as PTX", other_chips, first, no_ptxas)
        add("broken", broken_images, first, chips(options)[0])
        return run_all(cases, options)


if __name__ == "__main__":
    sys.exit(main())
