"""Evidence pictures, stored under their SHA-256: each once, and its name proves it unchanged."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path

_NAME = re.compile(r"[0-9a-f]{64}\Z")
DAYS_KEPT = 30


class Evidence:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, jpeg: bytes) -> str:
        """Stores a picture and returns its name."""
        name = hashlib.sha256(jpeg).hexdigest()
        path = self._path(name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".part")
            partial.write_bytes(jpeg)
            partial.replace(path)
        return name

    def find(self, name: str) -> Path | None:
        """The file of a stored picture, None for any other name."""
        if not _NAME.match(name):
            return None
        path = self._path(name)
        return path if path.is_file() else None

    def expire(self, keep: frozenset[str]) -> int:
        """Deletes pictures older than DAYS_KEPT, except those of disputes; returns how many."""
        limit = time.time() - DAYS_KEPT * 86_400
        old = [p for p in self._folder.glob("*/*.jpg") if p.stem not in keep and p.stat().st_mtime < limit]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.jpg"
