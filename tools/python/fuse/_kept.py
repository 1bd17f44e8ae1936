"""What is made once for each key, by whichever thread needs it first, and kept as long as there is room.

Threads that need another key are not held up. A child after a fork has none of its parent's threads, so what they
were about to make is forgotten there, and the locks that they held are made anew.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict
from typing import Any, Callable, Generic, Optional, TypeVar

Thing = TypeVar("Thing")
_all: weakref.WeakSet[Kept[Any]] = weakref.WeakSet()


class Kept(Generic[Thing]):
    """Up to `most` things; the one that was not used for longest goes first, unless `is_needed` says that it has to
    stay."""

    def __init__(self, most: int, is_needed: Optional[Callable[[Thing], bool]] = None):
        self._most = most
        self._is_needed = is_needed
        self._found: OrderedDict[Any, Thing] = OrderedDict()
        self.forget_threads()
        _all.add(self)

    def forget_threads(self) -> None:
        """For a process that has no other threads."""
        self._lock = threading.Lock()
        self._making: dict[Any, threading.Event] = {}

    def get(self, key: Any, make: Callable[[], Thing]) -> Thing:
        """What there is for a key, or else what `make` makes, which one thread calls at a time."""
        while True:
            with self._lock:
                if key in self._found:
                    self._found.move_to_end(key)
                    return self._found[key]
                others = self._making.get(key)
                if others is None:
                    own = self._making[key] = threading.Event()
                    break
            others.wait()
        try:
            made = make()
            # They go when nobody holds the lock: that may take a while.
            gone = self._keep(key, made)
            del gone
            return made
        finally:
            with self._lock:
                self._making.pop(key, None)
            own.set()

    def _keep(self, key: Any, made: Thing) -> list[Thing]:
        """Yields what had to go."""
        with self._lock:
            self._found[key] = made
            gone = []
            while len(self._found) > self._most:
                # The new one is the last.
                old = next(each for each in self._found if each == key or not self._has_to_stay(self._found[each]))
                if old == key:
                    break
                gone.append(self._found.pop(old))
            return gone

    def _has_to_stay(self, thing: Thing) -> bool:
        return self._is_needed is not None and self._is_needed(thing)

    def forget(self, key: Any, made: Thing) -> None:
        """Lets go of one thing, if it is still there."""
        with self._lock:
            if self._found.get(key) is made:
                del self._found[key]

    def clear(self) -> None:
        """Lets go of all of it."""
        with self._lock:
            gone, self._found = self._found, OrderedDict()
        del gone

    def __len__(self) -> int:
        return len(self._found)


def _forget_threads() -> None:
    for each in list(_all):
        each.forget_threads()


os.register_at_fork(after_in_child=_forget_threads)
