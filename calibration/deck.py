"""The cards of this table's deck: a folder with a picture of every face, scanned or taken by the camera."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from rules.pieces.decktet import DECKTET, SUIT_NAMES
from vision.eyes import Eyes
from vision.frame import Frame, PictureError, read_frame
from vision.identify.cards import BINS, LENGTH, Gallery, descriptor
from vision.piece import Seen

SCAN: Final = (1.25, 1.62)
"""A picture as long, for its width, as a card is taken for the card itself."""
ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp")
FEWEST: Final = 2


class DeckError(ValueError):
    """What is wrong with the folder of cards, in one line."""


def from_folder(folder: Path, eyes: Eyes) -> Gallery:
    """Files are named by the card's mark (2MK.jpg) or its name (2_author.jpg). Another name is an error, so that no
    card is silently missing."""
    if not folder.is_dir():
        raise DeckError(f"{folder}: no such folder; give one with a picture of every card, named like 2MK.jpg")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    faces: dict[str, np.ndarray] = {}
    for path in files:
        mark = mark_of(path.stem)
        if mark is None:
            if is_back(path.stem):
                continue
            raise DeckError(f"{path.name}: no card has this name; call it by mark (2MK) or name (author)")
        if mark in faces:
            raise DeckError(f"{path.name}: {DECKTET[mark].name} ({mark}) is there twice")
        faces[mark] = face_in(path, eyes)
    if len(faces) < FEWEST:
        raise DeckError(f"{folder}: holds {len(faces)} pictures of cards; the whole deck is wanted")
    return Gallery(tuple(faces), np.stack([face.reshape(-1, BINS) for face in faces.values()]).astype(np.float32))


def mark_of(stem: str) -> str | None:
    """The card that a file name means."""
    if stem.upper() in DECKTET:
        return stem.upper()
    words = plain(stem)
    found = [mark for mark, card in DECKTET.items() if called(card.rank, card.suits, card.name, words)]
    return found[0] if len(found) == 1 else None


def called(rank: str, suits: str, name: str, words: str) -> bool:
    """Whether the words of a file name end in this card's: its name, or "ace moons", "crown moons"."""
    if rank in ("A", "X"):
        return words.endswith((("ace " if rank == "A" else "crown ") + SUIT_NAMES[suits], plain(name)))
    return f" {words}".endswith(f" {plain(name)}")


def plain(text: str) -> str:
    return re.sub(r"[^a-z]+", " ", text.lower()).strip()


def is_back(stem: str) -> bool:
    return bool({"back", "cover"} & set(re.split(r"[^a-z]+", stem.lower()))) or "cover" in stem.lower()


def face_in(path: Path, eyes: Eyes) -> np.ndarray:
    try:
        frame = read_frame(str(path))
    except PictureError as error:
        raise DeckError(str(error)) from None
    width, height = frame.size
    if SCAN[0] <= height / width <= SCAN[1]:
        return descriptor(frame.image).ravel()
    return only_card(frame, path.name, eyes)


def only_card(frame: Frame, name: str, eyes: Eyes) -> np.ndarray:
    seen: list[Seen] = [piece for piece in eyes.look(frame).pieces if piece.kind == "card"]
    if len(seen) != 1 or seen[0].embedding is None:
        raise DeckError(f"{name}: shows {len(seen)} cards; lay one card alone before the camera")
    return seen[0].embedding


def to_json(gallery: Gallery) -> dict[str, Any]:
    """Likenesses need no more than a byte a number."""
    small = np.round(np.clip(gallery.faces, 0, 1) * 255).astype(np.uint8)
    return {"marks": list(gallery.marks), "faces": base64.b64encode(small.tobytes()).decode()}


def from_json(data: Mapping[str, Any]) -> Gallery:
    marks = tuple(str(mark) for mark in data["marks"])
    flat = np.frombuffer(base64.b64decode(data["faces"], validate=True), np.uint8)
    if not marks or len(flat) != len(marks) * LENGTH:
        raise ValueError("the deck")
    return Gallery(marks, (flat.astype(np.float32) / np.float32(255)).reshape(len(marks), -1, BINS))
