"""Says what images.py finds wrong with profiles of two runs of two kernels."""

import copy
import json
import sys

sys.path.insert(0, sys.argv[1])
from images import Wrong, check_profile  # noqa: E402

PATH = sys.argv[2]


def span(line, run, name, begin, took):
    return {"args": {"run": run}, "name": name, "ph": "X", "pid": 1, "tid": line, "ts": begin, "dur": took}


def line(number, name):
    return {"args": {"name": name}, "name": "thread_name", "ph": "M", "pid": 1, "tid": number}


RIGHT = [line(1, "kernels on the GPU"), line(2, "launches on the host"),
         *(span(1, run, name, begin, 5) for run, name, begin in
           [(0, "a", 5), (0, "b", 10), (1, "a", 20), (1, "b", 30)]),
         *(span(2, run, name, begin, 1) for run, name, begin in [(0, "a", 0), (0, "b", 1), (1, "a", 2), (1, "b", 3)])]


def tell(what, change, seconds=1e-3, text=None):
    events = copy.deepcopy(RIGHT)
    change(events)
    with open(PATH, "w") as file:
        file.write(text or json.dumps({"traceEvents": events}))
    try:
        check_profile(PATH, ["a", "b"], 2, seconds)
        print(f"{what}: nothing")
    except Wrong as wrong:
        print(f"{what}: {wrong}")


def nothing(events):
    pass


def overlap(events):
    events[3]["ts"] = 8


def shorten(events):
    del events[4:6]


def forget(events):
    del events[3]


def add(events):
    events.append(span(3, 0, "a", 0, 1))


tell("right", nothing)
tell("overlapping", overlap)
tell("a run less", shorten)
tell("a kernel less", forget)
tell("too long", nothing, 30e-6)
tell("a span more", add)
tell("no JSON", nothing, text="{")
