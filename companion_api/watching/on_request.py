"""Pictures that somebody sends or asks about: they are looked at one after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from rules.sentence import InputError, say

MOST_PHOTOS = 4
"""Photos that are looked at or wait for it: each holds a thread of the server."""


class EyesBusyError(InputError):
    """So many photos came at once that this one is not looked at."""


class PhotoQueue:
    """Many looks at once would need the memory many times, and anybody may send photos."""

    def __init__(self) -> None:
        self._looking = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_PHOTOS)

    def alone(self) -> AbstractContextManager[object]:
        """While nobody else looks at a picture on request; waits for it."""
        return self._looking

    @contextmanager
    def one_photo(self) -> Iterator[None]:
        """The same for what anybody may send: EyesBusyError where too many wait."""
        if not self._places.acquire(blocking=False):
            raise EyesBusyError(say("the eyes are busy with other photos; try again in a moment"))
        try:
            with self._looking:
                yield
        finally:
            self._places.release()
