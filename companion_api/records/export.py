"""A game in every exchange format."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_api.records.board_picture import INK, PAPER, Picture, bounding_box, draw
from rules.engine.card import by_name, read_seats
from rules.engine.history import History
from rules.notation.record import score_sheet, write_record
from rules.notation.writer import write_game
from rules.sentence import with_seat_names


def png(history: History, longest: int = 1200) -> bytes:
    """The table as it lies now."""
    _, encoded = cv2.imencode(".png", draw(history.game.layout(history.state), longest=longest))
    return encoded.tobytes()


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
    picture = base64.b64encode(png(history, longest=900)).decode()
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


def gif(history: History) -> bytes:
    frames = list(pictures(history, GIF_SIDE))
    return encode_gif(frames, [GIF_MS] * (len(frames) - 1) + [4 * GIF_MS])


def mp4(history: History) -> bytes:
    shown = pictures(history, FILM_SIDE)
    first = next(shown)
    with TemporaryDirectory(prefix="export-") as folder:
        path = Path(folder) / "game.mp4"  # OpenCV chooses the format by the suffix
        size = (first.shape[1], first.shape[0])
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FILM_FPS, size)
        if not writer.isOpened():
            raise OSError(f"{path}: the film cannot be written there")
        for picture in chain([first], shown):
            writer.write(picture)
        writer.release()
        return path.read_bytes()


FORMATS: dict[str, Callable[[History], str | bytes]] = {
    "ppn": write_game, "json": write_record, "csv": score_sheet, "html": summary_page,
    "png": png, "gif": gif, "mp4": mp4,
}  # fmt: skip
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
    made = FORMATS[form](history)
    path.write_bytes(made.encode() if isinstance(made, str) else made)


# GIF: drawn boards with few flat colours, storing only changed parts. OpenCV writes whole dithered pictures, ten times
# as large.

COLOURS = 64
"""One of them is the transparent colour of unchanged pixels."""
_SAME = 0
_ROUNDED = 8
"""Width of a bin of channel values when frequent colours are counted."""
_CODE_BITS, _MAX_CODES = 6, 4096


def encode_gif(pictures: Sequence[Picture], shown_ms: Sequence[int]) -> bytes:
    """GIF file of equally sized BGR pictures and their durations; loops for ever."""
    palette, indexed = _indexed(pictures)
    height, width = indexed[0].shape
    table = np.zeros((COLOURS, 3), np.uint8)
    table[1 : len(palette) + 1] = palette[:, ::-1]
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF0 | _CODE_BITS - 1, 0, 0), table.tobytes()]
    out.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    before: Picture | None = None
    for picture, shown in zip(indexed, shown_ms, strict=True):
        out += _frame(picture, before, shown)
        before = picture
    return b"".join([*out, b"\x3b"])


def _indexed(pictures: Sequence[Picture]) -> tuple[Picture, list[Picture]]:
    """The most frequent colours, and the pictures as indices of the nearest one, from 1."""
    counts: dict[int, int] = {}
    codes = [_codes(picture) for picture in pictures]
    for each in codes:
        for code, count in zip(*np.unique(each, return_counts=True), strict=True):
            counts[int(code)] = counts.get(int(code), 0) + int(count)
    known = np.array(sorted(counts, key=lambda code: -counts[code]))
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    palette = colours[: COLOURS - 1]
    distances = ((colours[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(2)
    index_of_colour = dict(zip(known.tolist(), (distances.argmin(1) + 1).tolist(), strict=True))
    found = []
    for each in codes:
        values, where = np.unique(each, return_inverse=True)
        found.append(np.array([index_of_colour[int(v)] for v in values], np.uint8)[where].reshape(each.shape))
    return palette.astype(np.uint8), found


def _codes(picture: Picture) -> NDArray[np.int64]:
    rounded = np.minimum(255, (picture.astype(np.int64) + _ROUNDED // 2) // _ROUNDED * _ROUNDED)
    return rounded[..., 0] << 16 | rounded[..., 1] << 8 | rounded[..., 2]


def _frame(picture: Picture, before: Picture | None, shown_ms: int) -> Iterator[bytes]:
    """Blocks of the changed part; unchanged pixels in it are transparent."""
    top, left = 0, 0
    part = picture
    if before is not None:
        left, top, width, height = cv2.boundingRect((picture != before).astype(np.uint8))
        width, height = max(1, width), max(1, height)
        box = np.s_[top : top + height, left : left + width]
        part = np.where(picture[box] == before[box], _SAME, picture[box]).astype(np.uint8)
    yield b"\x21\xf9\x04" + struct.pack("<BHBB", 0x05, shown_ms // 10, _SAME, 0)
    yield b"\x2c" + struct.pack("<HHHHB", left, top, part.shape[1], part.shape[0], 0)
    packed = _packed(part.tobytes())
    yield bytes([_CODE_BITS])
    for at in range(0, len(packed), 255):
        block = packed[at : at + 255]
        yield bytes([len(block)]) + block
    yield b"\x00"


def _packed(pixels: bytes) -> bytes:
    """LZW compression of GIF: codes of growing width, lowest bits first."""
    clear = 1 << _CODE_BITS
    out = bytearray()
    buffer, bits = 0, 0
    codes: dict[tuple[int, int], int] = {}
    width, next_code = _CODE_BITS + 1, clear + 2

    def write(code: int) -> None:
        nonlocal buffer, bits
        buffer |= code << bits
        bits += width
        while bits >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            bits -= 8

    write(clear)
    prefix = pixels[0]
    for pixel in pixels[1:]:
        known = codes.get((prefix, pixel))
        if known is not None:
            prefix = known
            continue
        write(prefix)
        if next_code < _MAX_CODES:
            if next_code == 1 << width:
                width += 1
            codes[prefix, pixel] = next_code
            next_code += 1
        else:
            write(clear)
            codes.clear()
            width, next_code = _CODE_BITS + 1, clear + 2
        prefix = pixel
    write(prefix)
    width += next_code == 1 << width and next_code < _MAX_CODES
    write(clear + 1)
    if bits:
        out.append(buffer & 255)
    return bytes(out)
