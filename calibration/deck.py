"""Taught cards: a deck from a folder with a picture of every face, scanned or taken by the camera."""

from __future__ import annotations

import base64
import io
import logging
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import cv2
import numpy as np

from rules.pieces.decktet import DECKTET, SUIT_NAMES
from vision.assemble import upright_quad
from vision.detect.shape import Floats
from vision.frame import Picture, PictureError, read_frame
from vision.identify.deck import ASPECT, BACK, CARD_WIDTH_PX, SHIPPED, Deck, read, write
from vision.table_reader import TableReader

log = logging.getLogger("companion.profile")

SCAN_RATIOS: Final = (1.25, 1.62)
"""Height to width of a picture that shows the card alone."""
ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp")
MIN_FACES: Final = 2


class DeckError(ValueError):
    """A folder of cards that cannot be used; the text says why in one line."""


def from_folder(folder: Path, eyes: TableReader) -> Deck:
    """The deck in a folder. Files are named by the card's mark (2MK.jpg) or name (2_author.jpg), the back by that word;
    another name is an error, so that no card is silently missing."""
    if not folder.is_dir():
        raise DeckError(f"{folder}: no such folder; give one with a picture of every card, named like 2MK.jpg")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    faces: dict[str, Picture] = {}
    for path in files:
        mark = mark_of(path.stem) or (BACK if is_back(path.stem) else None)
        if mark is None:
            raise DeckError(f"{path.name}: no card has this name; call it by mark (2MK) or name (author)")
        if mark in faces:
            twice = f"{DECKTET[mark].name} ({mark})" if mark else "the back"
            raise DeckError(f"{path.name}: {twice} is there twice")
        faces[mark] = face_in(path, eyes)
    if len(faces) < MIN_FACES:
        raise DeckError(f"{folder}: holds {len(faces)} pictures of cards; the whole deck is wanted")
    return Deck.of(faces)


def mark_of(stem: str) -> str | None:
    """Mark of the card that a file name means, None if unknown."""
    if stem.upper() in DECKTET:
        return stem.upper()
    words = letters_of(stem)
    found = [mark for mark, card in DECKTET.items() if matches_name(card.rank, card.suits, card.name, words)]
    return found[0] if len(found) == 1 else None


def matches_name(rank: str, suits: str, name: str, words: str) -> bool:
    """Whether the words of a file name end in this card's name, or in "ace moons", "crown moons"."""
    if rank in ("A", "X"):
        return words.endswith((("ace " if rank == "A" else "crown ") + SUIT_NAMES[suits], letters_of(name)))
    return f" {words}".endswith(f" {letters_of(name)}")


def letters_of(text: str) -> str:
    return re.sub(r"[^a-z]+", " ", text.lower()).strip()


def is_back(stem: str) -> bool:
    return bool({"back", "cover"} & set(re.split(r"[^a-z]+", stem.lower()))) or "cover" in stem.lower()


def face_in(path: Path, eyes: TableReader) -> Picture:
    try:
        frame = read_frame(str(path))
    except PictureError as error:
        raise DeckError(str(error)) from None
    width, height = frame.size
    if SCAN_RATIOS[0] <= height / width <= SCAN_RATIOS[1]:
        return frame.image
    seen = [piece for piece in eyes.look(frame).pieces if piece.kind == "card"]
    if len(seen) != 1:
        raise DeckError(f"{path.name}: shows {len(seen)} cards; lay one card alone before the camera")
    return upright(frame.image, seen[0].outline)


def upright(image: Picture, corners: Floats) -> Picture:
    """Rectified picture of the card, upright or upside down, twice as large as it is learnt."""
    wide, long = 2 * CARD_WIDTH_PX, round(2 * CARD_WIDTH_PX * ASPECT)
    face = np.array([[0, 0], [wide, 0], [wide, long], [0, long]], np.float32)
    matrix = cv2.getPerspectiveTransform(upright_quad(corners).astype(np.float32), face)
    return np.asarray(cv2.warpPerspective(image, matrix, (wide, long), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def to_json(deck: Deck) -> dict[str, Any]:
    """The deck as an encoded npz file: 400 kB, as in any other format."""
    buffer = io.BytesIO()
    write(deck, buffer)
    return {"details": base64.b64encode(buffer.getvalue()).decode()}


def from_json(data: Mapping[str, Any]) -> Deck | None:
    """The deck, None if it was taught by a release without details of cards; ValueError where it is damaged."""
    if "details" not in data:
        log.warning("the cards of this profile were taught to an older companion: teach them again (`teach --cards`)")
        return None
    try:
        with np.load(io.BytesIO(base64.b64decode(data["details"], validate=True)), allow_pickle=False) as file:
            deck = read(file)
    except (BadZipFile, EOFError, AttributeError) as error:
        raise ValueError("the deck") from error
    if not deck.is_consistent:
        raise ValueError("the deck")
    return deck


def main(folder: Path) -> None:
    """Write the shipped description of the Decktet from a folder with a picture of every card."""
    deck = from_folder(folder, TableReader())
    write(deck, SHIPPED)
    print(f"{len(deck.marks)} faces, {len(deck.owner)} details")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
