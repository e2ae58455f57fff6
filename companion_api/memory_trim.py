"""Memory that is free goes back to the system. The C library keeps what large pictures took, in an arena for every
thread that ever held one: a server with many threads then looks as if it grew, by hundreds of megabytes. Only where the
C library is GNU's; elsewhere nothing happens."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_ARENAS = -8  # M_ARENA_MAX
_MAPPED = -3  # M_MMAP_THRESHOLD: setting it also keeps it from growing with every large picture
MOST_ARENAS = 2
MAPPED_FROM = 4 * 1024 * 1024
EVERY_S = 5.0
"""It takes one to four milliseconds; what a picture leaves free until then (up to 60 MB in a minute) is there when the
next one comes."""


@cache
def _library() -> Any | None:
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def begin() -> None:
    """Before any thread is started."""
    if (library := _library()) is not None:
        library.mallopt(_ARENAS, MOST_ARENAS)
        library.mallopt(_MAPPED, MAPPED_FROM)


def give_back() -> None:
    """What lies free now; takes some milliseconds."""
    if (library := _library()) is not None:
        library.malloc_trim(0)
