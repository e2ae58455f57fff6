"""A game in every exchange format."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from companion_api.records.board_picture import INK, PAPER, Picture, bounding_box, draw
from companion_api.records.gif import encode_gif
from rules.engine.card import by_name, read_seats
from rules.engine.history import History
from rules.notation.record import score_sheet, write_record
from rules.notation.writer import write_game
from rules.sentence import with_seat_names


def _text(make: Callable[[History], str]) -> Callable[[History, Path], None]:
    def write(history: History, path: Path) -> None:
        path.write_text(make(history), encoding="utf-8")

    return write


def _png(history: History, path: Path) -> None:
    _, encoded = cv2.imencode(".png", draw(history.game.layout(history.state)))
    path.write_bytes(encoded.tobytes())


def _with_suffix(write: Callable[[History, Path], int], suffix: str) -> Callable[[History, Path], None]:
    """For OpenCV's writers, which choose the format by the suffix: writes a temporary file and moves it into place."""

    def write_in_place(history: History, path: Path) -> None:
        with TemporaryDirectory(dir=path.parent, prefix=".export-") as folder:
            made = Path(folder) / f"game{suffix}"
            write(history, made)
            made.replace(path)

    return write_in_place


_STYLE = """
body { font: 10.5pt/1.4 system-ui, sans-serif; margin: 1.4cm; color: #1c2326; }
h1 { margin: 0 0 .2em; } img { max-width: 11cm; max-height: 11cm; float: right; margin: 0 0 1em 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: left; padding: .15em .9em .15em 0; border-bottom: 1px solid #ccc; }
ol { columns: 3; font-size: 8.5pt; padding-left: 2.2em; clear: both; } @page { size: A4; margin: 0; }
"""


def summary_page(history: History) -> str:
    """A complete HTML document with the picture embedded."""
    game = history.game
    outcome = game.outcome(history.state)
    seats = read_seats(game.card, history.seats)
    seat_names = by_name(seats)
    encoded, png = cv2.imencode(".png", draw(game.layout(history.state), longest=900))
    picture = base64.b64encode(png.tobytes()).decode() if encoded else ""
    rows = "".join(
        f"<tr><th>{escape(seat.name)}{' ★' if index in outcome.winners and not outcome.drawn else ''}</th>"
        f"<td>{outcome.scores[index] if index < len(outcome.scores) else '–'}</td></tr>"
        for index, seat in enumerate(seats)
    )
    rows += "".join(f"<tr><th>{escape(name)}</th><td>{points}</td></tr>" for name, points in outcome.others)
    actions = "".join(
        f"<li>{escape(with_seat_names(game.describe(entry.action), seat_names))}</li>" for entry in history.entries
    )
    options = ", ".join(f"{escape(str(k))}: {escape(str(v))}" for k, v in history.options.items())
    reason = with_seat_names(outcome.reason, seat_names) or "not finished"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(game.card.name)}</title>'
        f"<style>{_STYLE}</style><img alt='' src='data:image/png;base64,{picture}'><h1>{escape(game.card.name)}</h1>"
        f"<p>{options}</p><p>{escape(reason)} {escape(outcome.clause)}</p>"
        f"<table>{rows}</table><ol>{actions}</ol></html>"
    )


# Films: one captioned picture per turn -------------------------------------------------------------------------------

_CAPTION = 44
GIF_SIDE, GIF_MS = 480, 900
FILM_SIDE, FILM_FPS = 960, 1.0


def pictures(history: History, longest: int) -> Iterator[Picture]:
    """The opening and the table after every action, in one common frame."""
    states = (history.first, *(entry.state for entry in history.entries))
    layouts = [history.game.layout(state) for state in states]
    box = bounding_box(layouts)
    for before, layout, caption in zip([None, *layouts], layouts, captions_of(history), strict=False):
        yield _with_caption(draw(layout, box, longest, before), caption)


def captions_of(history: History) -> list[str]:
    """Captions: game and players, then every action with its actor."""
    game = history.game
    people = read_seats(game.card, history.seats)
    seat_names = by_name(people)
    states = [history.first, *(entry.state for entry in history.entries)]
    captions = []
    for entry, before in zip(history.entries, states, strict=False):
        seat = None if entry.is_laid else game.actor(before, entry.action)
        who = f"{people[seat].name}: " if seat is not None and seat < len(people) else ""
        captions.append(who + with_seat_names(game.describe(entry.action), seat_names))
    return [f"{game.card.name}: {', '.join(person.name for person in people)}", *captions]


def _with_caption(picture: Picture, text: str) -> Picture:
    height, width = picture.shape[:2]
    whole = np.full((height + _CAPTION, width, 3), PAPER, np.uint8)
    whole[:height] = picture
    scale = min(0.62, 1.5 * width / max(1, 18 * len(text)))
    plain = text.encode("ascii", "replace").decode()
    cv2.putText(whole, plain, (12, height + 29), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
    return whole


def write_gif(history: History, path: Path) -> int:
    """Returns the number of pictures."""
    frames = list(pictures(history, GIF_SIDE))
    path.write_bytes(encode_gif(frames, [GIF_MS] * (len(frames) - 1) + [4 * GIF_MS]))
    return len(frames)


def write_mp4(history: History, path: Path) -> int:
    count = 0
    writer: cv2.VideoWriter | None = None
    for picture in pictures(history, FILM_SIDE):
        if writer is None:
            size = (picture.shape[1], picture.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FILM_FPS, size)
            if not writer.isOpened():
                raise OSError(f"{path}: the film cannot be written there")
        writer.write(picture)
        count += 1
    if writer is not None:
        writer.release()
    return count


FORMATS: dict[str, Callable[[History, Path], None]] = {
    "ppn": _text(lambda history: write_game(history)),
    "json": _text(lambda history: write_record(history)),
    "csv": _text(lambda history: score_sheet(history)),
    "html": _text(lambda history: summary_page(history)),
    "png": _png,
    "gif": _with_suffix(write_gif, ".gif"),
    "mp4": _with_suffix(write_mp4, ".mp4"),
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
    """Writes the game to a file of any name; OSError where that fails."""
    FORMATS[form](history, path)
