"""Limits of one file, far above real games: expansion bombs are refused before they grow."""

from __future__ import annotations

from rules.notation.errors import LimitError
from rules.sentence import say

MAX_FILE = 64_000_000
MAX_METADATA = 65_536
MAX_METADATA_DEPTH = 20
MAX_METADATA_NODES = 5_000
MAX_DEPTH = 20
MAX_EXPANSION = 1_000_000
MAX_LABEL = 300
MAX_SPEC = 200
MAX_GAMES = 50_000
MAX_PIECES = 1_000
MAX_NUMBER = 1_000_000


class Allowance:
    """Characters that braces and macros may still add to a file, shared by all its games."""

    def __init__(self, left: int = MAX_EXPANSION) -> None:
        self.left = left

    def check(self, wanted: int, what: str) -> None:
        if wanted > self.left:
            raise LimitError(say("{what} would grow beyond {most} characters", what=what, most=MAX_EXPANSION))

    def take(self, wanted: int, what: str) -> None:
        self.check(wanted, what)
        self.left -= wanted
