"""check-trace.py FILE RUNS: whether a timeline is one, with so many runs on each line."""
import collections
import json
import sys

with open(sys.argv[1]) as file:
    trace = json.load(file)
events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
names = {event["tid"]: event["args"]["name"] for event in trace["traceEvents"] if event["ph"] == "M"}
assert events and {event["tid"] for event in events} == set(names), names
runs = collections.Counter((event["tid"], event["name"], event["args"]["run"]) for event in events)
assert set(runs.values()) == {1} and {run for _, _, run in runs} == set(range(int(sys.argv[2]))), runs
for line in names:
    end = 0
    for event in (event for event in events if event["tid"] == line):
        assert event["dur"] > 0 and event["ts"] >= end - 0.002, event
        end = event["ts"] + event["dur"]
        assert "mlir:" in event["args"]["location"] and "#fuse.schedule" in event["args"]["schedule"], event
