"""The registry of a folder of weights (registry.json), as training changes it. Needs no torch."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def registry_of(folder: Path) -> Iterator[dict[str, Any]]:
    """The entries by net, to be changed; they are written at the end."""
    path = folder / "registry.json"
    entries = json.loads(path.read_text()) if path.exists() else {}
    yield entries
    path.write_text(json.dumps(entries, indent=1) + "\n")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
