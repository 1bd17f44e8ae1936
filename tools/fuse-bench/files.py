"""The files that fuse-bench writes: rows as JSON, and pictures.

A file is looked at before anything is measured, and replaced as a whole: what was there is lost only for what is
complete.
"""

import json
import os

from problem import Problem

# What a table is made of.
NUMBERS = ("fuse_us", "kernels")
TEXTS = ("id", "types", "shape", "state")
TIMES = ("floor_us", "bare_us")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_row(number, row):
    """Says what a row lacks that is printed of it."""
    if not isinstance(row, dict):
        raise ValueError(f"row {number} is no object")
    for key in TEXTS:
        if not isinstance(row.get(key), str):
            raise ValueError(f"row {number} has no text as '{key}'")
    for key in NUMBERS:
        if not is_number(row.get(key)) or row[key] < 0 or key == "fuse_us" and row[key] == 0:
            raise ValueError(f"row {number} has no number above 0 as '{key}'")
    for key in ("bytes", "flops"):
        if not is_number(row.get(key, 0)) or row.get(key, 0) < 0:
            raise ValueError(f"row {number} has no number as '{key}'")
    for key in TIMES:
        if row.get(key, False) is not None and not is_number(row.get(key)):
            raise ValueError(f"row {number} has neither a number nor null as '{key}'")
    if row.get("clock_mhz") is not None and not is_number(row["clock_mhz"]):
        raise ValueError(f"row {number} has neither a number nor null as 'clock_mhz'")
    peers = row.get("peers")
    if not isinstance(peers, dict) or not all(value is None or is_number(value) for value in peers.values()):
        raise ValueError(f"row {number} has no times of others as 'peers'")


def read_rows(path):
    """The object of a file, whose rows are whole."""
    try:
        with open(path) as file:
            found = json.load(file)
        if not isinstance(found, dict) or not isinstance(found.get("rows"), list):
            raise ValueError("it has no rows")
        for number, row in enumerate(found["rows"], 1):
            check_row(number, row)
        return found
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}")
    except ValueError as error:
        raise Problem(f"{path}: is no file of rows: {error}")


def is_special(path):
    """Whether it is a device or a pipe, which cannot be replaced by a file."""
    return os.path.exists(path) and not os.path.isfile(path)


def check_writable(path):
    """Refuses a file that cannot be written, before what is to be in it has taken hours to make."""
    if os.path.isdir(path):
        raise Problem(f"{path}: is a folder, but a file is to be written")
    target = os.path.realpath(path)
    try:
        if is_special(target):
            return
        with open(target + ".part", "w"):
            pass
        os.unlink(target + ".part")
        if os.path.exists(target):
            with open(target, "a"):
                pass
    except OSError as error:
        raise Problem(f"{path}: cannot be written: {error.strerror}")


def write(path, text):
    """Replaces a file by a complete one, or leaves it as it is."""
    target = os.path.realpath(path)
    place = target if is_special(target) else target + ".part"
    try:
        try:
            with open(place, "w") as file:
                file.write(text)
            if place != target:
                os.replace(place, target)
        except OSError:
            if place != target and os.path.exists(place):
                os.unlink(place)
            raise
    except OSError as error:
        raise Problem(f"{path}: cannot be written: {error.strerror}")


class Rows:
    """A file of rows that is written after each workload, in case that there is not time for all."""

    def __init__(self, path, about, keep):
        self.path, self.about, self.kept = path, about, []
        check_writable(path)
        if keep and os.path.exists(path):
            before = read_rows(path)
            for key in ("chip", "driver", "commit"):
                if before.get(key) != about[key]:
                    raise Problem(f"{path}: its rows are of {key} {before.get(key)}, but the new ones of {about[key]}")
            self.kept = before["rows"]

    def write(self, rows):
        # A row that was sustained may be cold now, or the other way round.
        new = {row["id"] for row in rows}
        write_json(self.path, {**self.about, "rows": [row for row in self.kept if row["id"] not in new] + rows})


def write_json(path, made):
    write(path, json.dumps(made, indent=1) + "\n")
