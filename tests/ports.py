"""Ports for servers of tests."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

_FIRST, _LAST = 18_000, 32_000
"""Below those that a system gives to connections by itself: a port found free there stays free until the server of a
test takes it."""


def free_port() -> int:
    """A port that is free together with the next one, which `companion serve` takes for https."""
    while True:
        port = random.SystemRandom().randrange(_FIRST, _LAST)
        with suppress(OSError), socket.socket() as one, socket.socket() as next_one:
            one.bind(("127.0.0.1", port))
            next_one.bind(("127.0.0.1", port + 1))
            return port
