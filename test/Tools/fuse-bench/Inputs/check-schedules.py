"""Schedules are read and written as they were, and each of their neighbours is one step away.

usage: check-schedules.py SOURCE
"""
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools", "fuse-bench"))
import schedules  # noqa: E402
from problem import Problem  # noqa: E402

TEXT = ("#fuse.schedule<parallel = [64, 16], sequential = [r13_0 = 16, rs3_1 = 64], owned = 1, "
        "cascades = [1 wrt 0 = rescale, 2 wrt 1 = defer], split = 8, warps = 8, order = [2 down, 0]>")
schedule = schedules.Schedule.parse(TEXT)
assert str(schedule) == TEXT, schedule
assert schedule.fields["parallel"] == [64, 16] and schedule.fields["sequential"] == {"r13_0": 16, "rs3_1": 64}
made = [str(step) for step in schedules.neighbours(schedule)]
assert len(set(made)) == len(made) and TEXT not in made
for wanted in (TEXT.replace("[64, 16]", "[128, 16]"), TEXT.replace("[64, 16]", "[32, 32]"),
               TEXT.replace("rs3_1 = 64", "rs3_1 = 128").replace("[64, 16]", "[32, 16]"), TEXT.replace("split = 8", "split = 4"),
               TEXT.replace(", warps = 8", "") + ", ", TEXT.replace("warps = 8", "warps = 16")):
    assert wanted.rstrip(", ") in made, wanted
# Chunks may be merged in a cluster, as many as one may have.
merged = schedule.changed(merge="cluster")
assert str(merged) in made and TEXT in map(str, schedules.neighbours(merged, ["merge"]))
few, many = (schedules.Schedule.parse(f"#fuse.schedule<sequential = [r4096_0 = 64], split = {n}, merge = cluster>") for n in (4, 8))
assert {str(step).count("merge") for step in schedules.neighbours(few, ["split"])} == {1}
assert sorted(str(step).count("merge") for step in schedules.neighbours(many, ["split"])) == [0, 1]
# 13 numbers are in one window of 16.
assert not any("r13_0 = 32" in step for step in made)
assert all("cascades = [1 wrt 0 = rescale, 2 wrt 1 = defer]" in step and "order = [2 down, 0]" in step for step in made)
only = schedules.neighbours(schedule, ["warps"])
assert [step.fields.get("warps") for step in only] == [None, 16, 4]
# What is one tile of one is not halved, and what sums nothing is not split.
assert [str(step) for step in schedules.neighbours(schedules.Schedule.parse("#fuse.schedule<parallel = [1]>"), ["parallel", "split"])
        ] == ["#fuse.schedule<parallel = [2]>"]
try:
    schedules.Schedule.parse("{parallel = [1]}")
    raise AssertionError("this is no schedule")
except Problem:
    pass
print("right")
