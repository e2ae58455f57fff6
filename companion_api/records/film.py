"""A game as an animated GIF or mp4: one captioned picture per turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion_api.records.board_picture import INK, PAPER, Picture, bounding_box, draw
from companion_api.records.gif import encode_gif
from rules.engine.card import by_name, read_seats
from rules.engine.history import History
from rules.sentence import with_seat_names

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
