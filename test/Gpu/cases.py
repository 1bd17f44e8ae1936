"""Cases: commands that are run, several at a time, and counted.

Every suite of this folder makes a list of cases and hands it to `run_all`, which
names each one that fails and ends with the line `N passed, N failed`.
"""

import argparse
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import time

# What a tool prints that says why it ended as it did; the errors of results that are right do not.
TELLING = ("error:", "Error:", "WRONG", "NOT THE SAME", "=========")


class Case:
    """One command. It passes if it ends with 0 and `judge`, if there is one, finds no fault.

    `judge` gets what was printed, after the command, and returns what is wrong or None.
    """

    def __init__(self, name, command, judge=None, environment=None):
        self.name, self.command, self.judge = name, command, judge
        self.environment = environment or {}

    def run(self, timeout):
        """What is wrong with it, or None."""
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, errors="replace",
                                  timeout=timeout, env={**os.environ, **self.environment})
        except subprocess.TimeoutExpired:
            return f"took more than {timeout:g} s"
        if done.returncode != 0:
            said = [line.strip() for line in (done.stderr + done.stdout).splitlines()
                    if any(word in line for word in TELLING)]
            return f"status {done.returncode}: " + " | ".join(said[:4])
        return self.judge(done.stdout + done.stderr) if self.judge else None


def parser(description, chips="sm_80,sm_90a", timeout=120):
    """The options that all suites have. `description` is the module's text."""
    made = argparse.ArgumentParser(description=description,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("fuse", help="the executable, such as build/bin/fuse")
    made.add_argument("--target", default="cuda", help="as for fuse-run; others than cuda try the suite itself")
    made.add_argument("--chip", default=chips, help="the chips to make code for, one after the other")
    made.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many cases at a time")
    made.add_argument("--timeout", type=float, default=timeout, help="seconds for each case")
    made.add_argument("--stop-after", type=float, metavar="SECONDS", help="begin no case later than this")
    made.add_argument("--filter", default="", help="only cases in whose names this regular expression is")
    made.add_argument("--list", action="store_true", help="print the commands, and run nothing")
    return made


def fuse_run(options, graph, chip, *arguments):
    """The command that runs `graph` where the options say."""
    place = [f"--target={options.target}"]
    if options.target in ("cuda", "simulate"):
        place.append(f"--chip={chip}")
    return [options.fuse, "fuse-run", graph, *place, *arguments]


def chips(options):
    return options.chip.split(",") if options.target in ("cuda", "simulate") else ["-"]


def summary(counts, start):
    """The last lines of a suite."""
    return f"took {time.monotonic() - start:.0f} s\n" + \
        ", ".join(f"{count} {what}" for what, count in counts.items() if count or what != "skipped")


def run_all(cases, options):
    """Runs what --filter leaves, prints what fails and the counts, and returns the exit status."""
    cases = [case for case in cases if re.search(options.filter, case.name)]
    if options.list:
        for case in cases:
            print(f"{case.name}: {' '.join(case.command)}")
        return 0
    start = time.monotonic()
    end = start + options.stop_after if options.stop_after else None
    counts = {"passed": 0, "failed": 0, "skipped": 0}

    # Who takes the GPU away gets to know what was seen until then.
    def stop(signum, _):
        counts["skipped"] += len(cases) - sum(counts.values())
        print(summary(counts, start), flush=True)
        sys.stderr.write(f"stopped by signal {signum}\n")
        os._exit(1)

    signal.signal(signal.SIGTERM, stop)

    def run(case):
        if end and time.monotonic() > end:
            return "skipped", None
        try:
            problem = case.run(options.timeout)
        # A mistake in one case says nothing of the others.
        except Exception as error:
            problem = f"{type(error).__name__}: {error}".split("\n")[0]
        return "failed" if problem else "passed", problem

    with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        for case, (what, problem) in zip(cases, pool.map(run, cases)):
            counts[what] += 1
            if problem:
                print(f"FAIL {case.name}: {problem}", flush=True)
    print(summary(counts, start))
    return 1 if counts["failed"] or not counts["passed"] else 0
