"""What functions keep, among threads and after forks. Only the locks of Python matter here: what compiles in another thread
waits in Python. Each function that starts with test_ is one."""

import contextlib
import os
import signal
import sys
import threading
import traceback

import numpy

import fuse
from checks import run, says
from fuse import _kept, _library, _program

TWICE = """func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
real = _library.compile_source


class Compiling:
    """A compiler that waits before it begins, and counts."""

    def __init__(self):
        self.begun, self.go_on, self.count = threading.Event(), threading.Event(), 0

    def __enter__(self):
        _library.compile_source = self
        return self

    def __exit__(self, *_):
        self.go_on.set()
        _library.compile_source = real

    def __call__(self, *arguments):
        self.count += 1
        self.begun.set()
        assert self.go_on.wait(60)
        return real(*arguments)


def ones(size):
    return numpy.ones(size, "float32")


def start(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def test_a_size_that_was_seen_is_not_held_up():
    twice = fuse.compile(TWICE)
    twice(ones(8))
    with Compiling() as compiling:
        other = start(twice, ones(9))
        assert compiling.begun.wait(60)
        done = threading.Event()
        start(lambda: (twice(ones(8)), done.set()))
        assert done.wait(20), "a size that was seen waits for another one"
    other.join()


def test_one_thread_compiles_what_many_need():
    twice = fuse.compile(TWICE)
    results = []
    with Compiling() as compiling:
        threads = [start(lambda: results.append(twice(ones(8)))) for _ in range(8)]
        assert compiling.begun.wait(60)
        compiling.go_on.set()
        for thread in threads:
            thread.join()
        assert compiling.count == 1 and len(results) == 8


def test_what_cannot_be_made_is_said_to_all():
    wrong = fuse.compile("func.func @f( {")
    for _ in range(2):
        says("is not a valid module", fuse.InputError, wrong, ones(8))


def test_children_do_not_wait_for_threads_that_they_do_not_have():
    twice = fuse.compile(TWICE)
    twice(ones(8))
    with Compiling() as compiling:
        other = start(twice, ones(9))
        assert compiling.begun.wait(60)
        # As if another thread were about to change what is kept.
        held = [twice._images._lock, twice._programs._lock, _program._devices._lock]
        for lock in held:
            lock.acquire()
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            _library.compile_source = real
            good = (twice(ones(8)) == 2).all() and (twice(ones(9)) == 2).all()
            os._exit(0 if good else 1)
        for lock in held:
            lock.release()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    other.join()


def test_what_was_not_used_for_longest_goes():
    kept, made = _kept.Kept(2, lambda thing: thing == "needed"), []
    for key, thing in ((1, "needed"), (2, "b"), (1, None), (3, "c"), (2, "b again"), (1, None), (3, "c again")):
        kept.get(key, lambda: made.append(thing) or thing)
    assert made == ["needed", "b", "c", "b again", "c again"] and len(kept) == 2, made


def test_functions_do_not_keep_all_sizes():
    twice = fuse.compile(TWICE, options=["opt-level=0"])
    first = twice.program([(1,)])
    for size in range(1, _program._MOST_SIZES + 20):
        assert (twice(ones(size)) == 2).all()
    assert len(twice._images) == len(twice._programs) == _program._MOST_SIZES
    # What somebody has still runs; what went comes again.
    assert (first.run([ones(1)])[0] == 2).all() and (twice(ones(1)) == 2).all()


@contextlib.contextmanager
def threads_that_change_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def test_threads_may_let_go_of_what_others_use():
    twice, problems = fuse.compile(TWICE, open_sizes=True), []

    def work(thread, lets_go):
        try:
            for count in range(300):
                size = (7 * count + thread) % 23
                assert (twice(ones(size)) == 2).all()
                if lets_go and count % 50 == 0:
                    twice.program([(size,)]).release()
                    twice.release()
        except BaseException:
            problems.append(traceback.format_exc())

    most = _program._MOST_PLANS
    with threads_that_change_often():
        try:
            # As if there were hundreds of sizes.
            _program._MOST_PLANS = 3
            for lets_go in (False, True):
                twice.release()
                threads = [start(work, thread, lets_go) for thread in range(6)]
                for thread in threads:
                    thread.join()
                assert not problems, problems[0]
            assert len(twice.program([(1,)])._plans) <= 3
        finally:
            _program._MOST_PLANS = most


def test_calls_are_not_kept_for_ever():
    twice = fuse.compile(TWICE)
    program, outputs = twice.program([(8,)]), []
    for _ in range(_program._MOST_CALLS + 20):
        # None of them is where another one is.
        outputs.extend(program.run([ones(8)]))
    assert all((output == 2).all() for output in outputs) and len(program._plans) == 1
    (bound,) = program._plans._found.values()
    assert len(bound.calls) == _program._MOST_CALLS


def test_what_graphs_need_stays_until_it_is_released():
    twice = fuse.compile(TWICE)
    program = twice.program([(8,)])
    program._captured.append("a plan")
    for size in range(1, 5):
        twice._programs._most = 2
        twice(ones(size))
    assert twice.program([(8,)]) is program and len(twice._programs) == 2
    twice.release()
    assert len(twice._images) == len(twice._programs) == 0
    assert twice.program([(8,)]) is not program and (twice(ones(8)) == 2).all()


if __name__ == "__main__":
    sys.exit(run(globals()))
