"""The reader's small pictures in a file, each read when a batch needs it: thousands of them take no memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import numpy as np

from models.training.augment import Picture
from models.training.reader_data import STORE, Stored

SHAPE: Final = (STORE, STORE, 3)
SIZE: Final = STORE * STORE * 3
NONE: Final[Picture] = np.empty((0, 0, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class StoredOnDisk(Stored):
    """Without its picture, which is number `at` of the file."""

    at: int = 0


class PictureFile:
    """Begins empty, whatever lay there before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        path.write_bytes(b"")

    def put(self, items: Sequence[Stored]) -> list[StoredOnDisk]:
        """The same items, their pictures in the file from now on."""
        with self.path.open("ab") as file:
            for item in items:
                file.write(item.picture.tobytes())
        first, self.count = self.count, self.count + len(items)
        return [without_picture(item, at) for at, item in enumerate(items, first)]

    def take(self, item: Stored) -> Stored:
        """An item as it was before it was put here."""
        assert isinstance(item, StoredOnDisk)
        flat = np.fromfile(self.path, np.uint8, SIZE, offset=item.at * SIZE)
        return replace(item, picture=flat.reshape(SHAPE))


def without_picture(item: Stored, at: int) -> StoredOnDisk:
    known = {field.name: getattr(item, field.name) for field in fields(Stored)}
    return StoredOnDisk(**known | {"picture": NONE}, at=at)
