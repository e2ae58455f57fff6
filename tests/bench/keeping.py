"""Figures that take hours, kept in a file as they come: what is interrupted has not been for nothing, and goes on where
it stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion_api.commands.console import UsageError

Figures = Mapping[str, Any]


class KeptFigures:
    """Under what was asked, what came of it, and whether that is all. Without a file nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._rows: dict[str, dict[str, Any]] = {}
        if path is None or not path.exists():
            return
        try:
            self._rows = {row["asked"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{path} holds no figures that were kept here ({error}); name another file") from None

    def done(self, asked: str) -> Figures | None:
        row = self._rows.get(asked)
        return row["figures"] if row is not None and row["done"] else None

    def keep(self, asked: str, figures: Figures, done: bool) -> None:
        self._rows[asked] = {"asked": asked, "done": done, "figures": figures}
        if self._path is None:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.write_text("".join(json.dumps(row) + "\n" for row in self._rows.values()), "utf-8")
            new.replace(self._path)
        except OSError as error:
            raise UsageError(f"{self._path}: {error.strerror}; name a file that can be written") from None
