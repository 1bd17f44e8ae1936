"""Schedules as text, and what is one step away from one."""

import re

from problem import Problem

# What a field may be, and whether only the road to GPUs reads it.
FIELDS = ("parallel", "sequential", "split", "merge", "warps", "residents", "stages", "roles", "share", "crews")
OF_GPUS = ("merge", "warps", "residents", "stages", "roles", "share", "crews")
USUAL = ("parallel", "sequential", "split", "merge", "warps", "residents", "crews")
# How many chunks a cluster may merge.
IN_CLUSTERS = (2, 4, 8)
LARGEST_TILE, MOST_CHUNKS, MOST_WARPS, MOST_RESIDENTS, MOST_STAGES, MOST_SHARES = 16384, 512, 16, 4, 8, 8


def parts_of(text):
    """What stands between commas that no bracket holds."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


class Schedule:
    """Fields by name: lists of numbers, loops by name, a number, or text that is left as it is."""

    def __init__(self, fields):
        self.fields = fields

    @staticmethod
    def parse(text):
        found = re.fullmatch(r"#fuse\.schedule<(.*)>", text.strip())
        if not found:
            raise Problem(f"expected a schedule as #fuse.schedule<...>, but got '{text}'")
        fields = {}
        for part in parts_of(found[1]):
            name, _, value = (side.strip() for side in part.partition("="))
            if name == "parallel":
                fields[name] = [int(number) for number in parts_of(value[1:-1])]
            elif name == "sequential":
                loops = (loop.split("=") for loop in parts_of(value[1:-1]))
                fields[name] = {loop.strip(): int(tile) for loop, tile in loops}
            elif value.isdigit():
                fields[name] = int(value)
            else:
                fields[name] = value
        return Schedule(fields)

    def __str__(self):
        def said(value):
            if isinstance(value, dict):
                return "[" + ", ".join(f"{name} = {tile}" for name, tile in value.items()) + "]"
            return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else str(value)
        return "#fuse.schedule<" + ", ".join(f"{name} = {said(value)}" for name, value in self.fields.items()) + ">"

    def changed(self, **others):
        """The same but for some fields; those that are None are left out."""
        fields = {**self.fields, **others}
        # Crews have four warps each, and their blocks neither chunks nor company.
        if any(others.get(name) not in (None, 1) for name in ("split", "warps", "residents")):
            fields.pop("crews", None)
        if fields.get("split") not in IN_CLUSTERS:
            fields.pop("merge", None)
        return Schedule({name: value for name, value in fields.items() if value is not None})


def neighbours(schedule, fields=USUAL):
    """What differs in one field, or in two tiles of which one is twice as large and the other half."""
    steps = []
    tiles = [(field, key) for field in ("parallel", "sequential") if field in fields
             for key in (range(len(schedule.fields.get(field, []))) if field == "parallel" else schedule.fields.get(field, {}))]

    def with_tiles(changes):
        made = schedule
        for (field, key), by in changes:
            values = made.fields[field]
            values = list(values) if field == "parallel" else dict(values)
            tile = values[key] * 2 if by > 0 else values[key] // 2
            whole = re.fullmatch(r"r(\d+)_\d+", str(key))
            most = 1 << max(int(whole[1]) - 1, 0).bit_length() if whole else LARGEST_TILE
            if not 1 <= tile <= most:
                return None
            values[key] = tile
            made = made.changed(**{field: values})
        return made

    for tile in tiles:
        steps += [with_tiles([(tile, by)]) for by in (1, -1)]
    for one in tiles:
        steps += [with_tiles([(one, 1), (other, -1)]) for other in tiles if other != one]

    def numbers(field, absent, others):
        now = schedule.fields.get(field)
        if field in fields:
            steps.extend(schedule.changed(**{field: number}) for number in (absent if now is None else others(now)))

    if schedule.fields.get("sequential"):
        numbers("split", (4, 16, 64), lambda now: [n if n > 1 else None for n in (now * 2, now // 2) if n <= MOST_CHUNKS])
    if "merge" in fields and schedule.fields.get("split") in IN_CLUSTERS:
        steps.append(schedule.changed(merge=None if "merge" in schedule.fields else "cluster"))
    numbers("warps", (1, 2, 4, 8), lambda now: [None, *(n for n in (now * 2, now // 2) if 1 <= n <= MOST_WARPS)])
    numbers("residents", (2,), lambda now: [n if n > 1 else None for n in (now + 1, now - 1) if n <= MOST_RESIDENTS])
    numbers("stages", (2, 3, 4), lambda now: [None, *(n for n in (now + 1, now - 1) if 1 <= n <= MOST_STAGES)])
    numbers("roles", (1, 2), lambda now: [None, 3 - now])
    numbers("crews", (2,), lambda now: [None])
    numbers("share", (2,), lambda now: [n if n > 1 else None for n in (now * 2, now // 2) if n <= MOST_SHARES])
    known, made = {str(schedule)}, []
    for step in steps:
        if step and str(step) not in known:
            known.add(str(step))
            made.append(step)
    return made
