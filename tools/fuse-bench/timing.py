"""How long something takes with PyTorch, measured as `fuse-run --bench` measures.

On a GPU a sample is a CUDA graph of as many calls as take some milliseconds, each on another
set of arguments, so that no call finds its data in the L2 cache. Either samples
follow each other, and the card comes to the clock at which it can go on, or it rests
before each. On a processor calls are on the same set, timed by the clock.
"""

import statistics
import time

import torch

import host
from method import BURST_SAMPLES, L2_MULTIPLE, MOST_SECONDS, MOST_SETS, REST_SECONDS, SAMPLE_SECONDS, SAMPLES


def event():
    return torch.cuda.Event(enable_timing=True)


def count_of_sets(bytes_touched):
    wanted = L2_MULTIPLE * torch.cuda.get_device_properties(0).L2_cache_size / max(bytes_touched, 1)
    return int(min(max(-(-wanted // 1), 1), MOST_SETS))


def bytes_of(values):
    return sum(value.numel() * value.element_size() for value in values if torch.is_tensor(value))


def microseconds(call, sets, state, device):
    """The median of a call, in the state `sustained`, `cold` (the same) or `burst`."""
    if device == "cpu":
        return host.microseconds(lambda: call(*sets[0]))
    for arguments in sets[:3]:
        call(*arguments)
    torch.cuda.synchronize()
    first, last = event(), event()
    first.record()
    for i in range(4):
        call(*sets[i % len(sets)])
    last.record()
    torch.cuda.synchronize()
    estimate = first.elapsed_time(last) * 1e-3 / 4
    calls = int(min(max(SAMPLE_SECONDS / max(estimate, 1e-7), len(sets), 1), MOST_SETS))
    graph, kept = torch.cuda.CUDAGraph(), []
    with torch.cuda.graph(graph):
        for i in range(calls):
            result = call(*sets[i % len(sets)])
            # Results that live have memory of their own, as far as there is enough.
            if len(sets) > 1 and bytes_of([result]) * len(kept) < 4e9:
                kept.append(result)
    graph.replay()
    torch.cuda.synchronize()
    # What is slow is not measured as often.
    count = int(min(max(MOST_SECONDS / (estimate * calls), BURST_SAMPLES), SAMPLES))
    samples = []
    marks = [event() for _ in range(count + 1)]
    if state == "burst":
        for _ in range(BURST_SAMPLES):
            time.sleep(REST_SECONDS)
            marks[0].record()
            graph.replay()
            marks[1].record()
            torch.cuda.synchronize()
            samples.append(marks[0].elapsed_time(marks[1]))
    else:
        marks[0].record()
        for mark in marks[1:]:
            graph.replay()
            mark.record()
        torch.cuda.synchronize()
        samples = [a.elapsed_time(b) for a, b in zip(marks, marks[1:])]
    return statistics.median(samples) * 1e3 / calls
