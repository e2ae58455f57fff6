"""A deck of cards from a folder: by mark or name, whole or not at all; kept in the profile."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import profile as profiles
from calibration.deck import DeckError, from_folder, mark_of
from calibration.known import CalibrationKeeper
from calibration.profile import Profile
from models.render import cards as drawn
from rules.pieces import Kind
from rules.pieces.decktet import DECKTET
from vision.eyes import Eyes
from vision.identify.cards import descriptor
from vision.piece import Seen

BOX = np.array([[0.0, 0], [1, 0], [1, 1.4], [0, 1.4]])


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes()


def draw(folder: Path, mark: str, name: str) -> None:
    cv2.imwrite(str(folder / name), drawn.face(mark, 60.0, np.random.default_rng(0)).colours)


def test_every_card_goes_by_its_mark_and_by_its_name() -> None:
    assert all(mark_of(mark.lower()) == mark for mark in DECKTET)
    by_name = {
        mark: mark_of(f"{card.rank}_the_{card.name.replace(' ', '_').lower()}") for mark, card in DECKTET.items()
    }
    assert all(mark == found for mark, found in by_name.items())
    assert mark_of("1_ace_moons") == "AM"
    assert mark_of("12_crown_leaves") == "XL"
    assert mark_of("holiday") is None


def test_a_taught_deck_survives_the_profile_and_names_cards(tmp_path: Path, eyes: Eyes) -> None:
    folder = tmp_path / "deck"
    folder.mkdir()
    for number, mark in enumerate(("2MK", "5YK", "XS", "TSWY")):
        draw(folder, mark, f"{mark}.png" if number % 2 else f"{DECKTET[mark].name.lower()}.png")
    kept = tmp_path / "profile.json"
    Profile(deck=from_folder(folder, eyes)).save(kept)
    table = CalibrationKeeper(profiles.load(kept))
    shown = descriptor(drawn.face("5YK", 60.0, np.random.default_rng(0)).colours).ravel()
    card = Seen(Kind.CARD, np.zeros(2), BOX, 0.9, embedding=shown)
    assert table.named([card])[0].mark == "5YK"


def test_what_is_wrong_with_the_folder_is_said(tmp_path: Path, eyes: Eyes) -> None:
    with pytest.raises(DeckError, match="no such folder"):
        from_folder(tmp_path / "none", eyes)
    with pytest.raises(DeckError, match="whole deck"):
        from_folder(tmp_path, eyes)
    draw(tmp_path, "2MK", "2MK.png")
    draw(tmp_path, "2MK", "author.png")
    with pytest.raises(DeckError, match="twice"):
        from_folder(tmp_path, eyes)
    (tmp_path / "author.png").rename(tmp_path / "grandmother.png")
    with pytest.raises(DeckError, match=r"grandmother\.png: no card has this name"):
        from_folder(tmp_path, eyes)
    (tmp_path / "grandmother.png").unlink()
    cv2.imwrite(str(tmp_path / "5YK.png"), np.full((480, 640, 3), 90, np.uint8))
    with pytest.raises(DeckError, match=r"5YK\.png: shows 0 cards"):
        from_folder(tmp_path, eyes)
