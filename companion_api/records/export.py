"""A game in any of the formats that people share, and back from a record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from companion_api.records.board_picture import draw
from companion_api.records.film import write_gif, write_mp4
from companion_api.records.summary import summary_page
from rules.engine.history import History
from rules.notation.record import score_sheet, write_record
from rules.notation.writer import write_game


def _text(make: Callable[[History], str]) -> Callable[[History, Path], None]:
    def write(history: History, path: Path) -> None:
        path.write_text(make(history), encoding="utf-8")

    return write


def _png(history: History, path: Path) -> None:
    _, encoded = cv2.imencode(".png", draw(history.game.layout(history.state)))
    path.write_bytes(encoded.tobytes())


def _as_named(write: Callable[[History, Path], int], suffix: str) -> Callable[[History, Path], None]:
    """For OpenCV's writers, which choose the format by the file's ending: written beside it and moved into place."""

    def written(history: History, path: Path) -> None:
        with TemporaryDirectory(dir=path.parent, prefix=".export-") as folder:
            made = Path(folder) / f"game{suffix}"
            write(history, made)
            made.replace(path)

    return written


FORMATS: dict[str, Callable[[History, Path], None]] = {
    "ppn": _text(lambda history: write_game(history)),
    "json": _text(lambda history: write_record(history)),
    "csv": _text(lambda history: score_sheet(history)),
    "html": _text(lambda history: summary_page(history)),
    "png": _png,
    "gif": _as_named(write_gif, ".gif"),
    "mp4": _as_named(write_mp4, ".mp4"),
}
MEDIA_TYPES = {
    "ppn": "text/plain; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "png": "image/png",
    "gif": "image/gif",
    "mp4": "video/mp4",
}


def export(history: History, form: str, path: Path) -> None:
    """Write the game to a file of any name; OSError where it cannot be written."""
    FORMATS[form](history, path)
