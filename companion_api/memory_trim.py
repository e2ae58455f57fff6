"""Returns free memory to the system. glibc keeps the memory of large pictures in arenas per thread, so a server with
many threads seems to grow by hundreds of megabytes. Elsewhere nothing happens."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

_M_ARENA_MAX = -8  # M_ARENA_MAX
_M_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD; a fixed value also stops its automatic growth
MAX_ARENAS = 2
MMAP_THRESHOLD = 4 * 1024 * 1024
INTERVAL_S = 5.0
"""Seconds between trims, which take one to four milliseconds; up to 60 MB of freed picture memory per minute stay for
reuse until then."""


@cache
def _library() -> Any | None:
    try:
        library = ctypes.CDLL(None)
    except (OSError, TypeError):
        return None
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def configure() -> None:
    """Call before any thread is started."""
    if (library := _library()) is not None:
        library.mallopt(_M_ARENA_MAX, MAX_ARENAS)
        library.mallopt(_M_MMAP_THRESHOLD, MMAP_THRESHOLD)


def trim() -> None:
    """Returns free memory now; takes some milliseconds."""
    if (library := _library()) is not None:
        library.malloc_trim(0)
