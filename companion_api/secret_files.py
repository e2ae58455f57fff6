"""Files that only their owner may read, written whole or not at all: half a key would be no key."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_secret(path: Path, data: bytes) -> None:
    """First a file of its own beside it, on the disk for sure; then the names are exchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # for its owner alone
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
