"""A stream that comes small: each message is deflated once for all who get it, and the stream of a phone is its
messages one after the other in one gzip. No phone has a compressor of its own."""

from __future__ import annotations

import struct
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import lru_cache

_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x03\x00"
"""An empty last block."""
_KEPT = 32
"""So many messages are kept deflated: those of one event, for the seats of a table."""


@lru_cache(maxsize=_KEPT)
def deflated(message: bytes) -> bytes:
    """A message as blocks that refer to nothing before them."""
    made = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return made.compress(message) + made.flush(zlib.Z_FULL_FLUSH)


async def small(stream: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The same as one gzip, each message whole as soon as it is there."""
    check, size = 0, 0
    yield _HEAD
    async with aclosing(stream):
        async for message in stream:
            check, size = zlib.crc32(message, check), size + len(message)
            yield deflated(message)
    yield _END + struct.pack("<II", check, size & 0xFFFFFFFF)
