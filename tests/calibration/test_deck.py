"""A deck of cards from a folder: by mark or name, whole or not at all; kept in the profile."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import profile as profiles
from calibration.deck import DeckError, from_folder, mark_of
from calibration.profile import Profile
from calibration.profile_store import ProfileError
from calibration.runtime import CalibrationKeeper
from models.render.cards import random_back, random_face
from rules.pieces.decktet import DECKTET
from vision.identify.deck import BACK, cards_in
from vision.table_reader import TableReader

DECK = 8


def draw(folder: Path, mark: str, name: str) -> None:
    cv2.imwrite(str(folder / name), random_face(DECK, mark, 200, 280))


def test_every_card_goes_by_its_mark_and_by_its_name() -> None:
    assert all(mark_of(mark.lower()) == mark for mark in DECKTET)
    by_name = {
        mark: mark_of(f"{card.rank}_the_{card.name.replace(' ', '_').lower()}") for mark, card in DECKTET.items()
    }
    assert all(mark == found for mark, found in by_name.items())
    assert mark_of("1_ace_moons") == "AM"
    assert mark_of("12_crown_leaves") == "XL"
    assert mark_of("holiday") is None


def test_a_taught_deck_survives_the_profile_and_is_what_is_looked_for(tmp_path: Path, eyes: TableReader) -> None:
    folder = tmp_path / "deck"
    folder.mkdir()
    marks = ("2MK", "5YK", "XS", "TSWY")
    for number, mark in enumerate(marks):
        draw(folder, mark, f"{mark}.png" if number % 2 else f"{DECKTET[mark].name.lower()}.png")
    cv2.imwrite(str(folder / "back.png"), random_back(DECK, 200, 280))
    kept = tmp_path / "profile.json"
    Profile(deck=from_folder(folder, eyes)).save(kept)
    table = CalibrationKeeper(profiles.load(kept))
    assert table.deck is not None
    assert set(table.deck.marks) == {*marks, BACK}
    ground = np.full((600, 400), 90, np.uint8)
    ground[150:402, 100:280] = cv2.resize(
        cv2.cvtColor(random_face(DECK, "5YK", 200, 280), cv2.COLOR_BGR2GRAY), (180, 252), interpolation=cv2.INTER_AREA
    )
    (card,) = cards_in(table.deck, ground)
    assert card.mark == "5YK"
    assert card.corners == pytest.approx(np.array([[100, 150], [280, 150], [280, 402], [100, 402]]), abs=4)


def test_a_deck_that_was_taught_before_cards_had_details_is_none(tmp_path: Path) -> None:
    kept = Profile().to_json() | {"deck": {"marks": ["2MK"], "faces": "AAAA"}}
    assert profiles.from_json(kept).deck is None


def test_a_card_alone_before_the_camera_teaches_its_face(tmp_path: Path, eyes: TableReader) -> None:
    table = np.full((720, 1280, 3), (70, 95, 80), np.uint8)
    table[200:452, 500:680] = cv2.resize(random_face(DECK, "5YK", 200, 280), (180, 252), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "5YK.png"), table)
    draw(tmp_path, "2MK", "2MK.png")
    deck = from_folder(tmp_path, eyes)
    grey = np.asarray(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), np.uint8)
    assert [card.mark for card in cards_in(deck, grey)] == ["5YK"]


def test_what_is_wrong_with_the_folder_is_said(tmp_path: Path, eyes: TableReader) -> None:
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
    (tmp_path / "5YK.png").unlink()
    for name in ("back.png", "cover.png"):
        draw(tmp_path, "2MK", name)
    with pytest.raises(DeckError, match="the back is there twice"):
        from_folder(tmp_path, eyes)


@pytest.mark.parametrize("details", ["AAAA", "UEsDBA==", "?"])
def test_a_damaged_deck_is_told_in_one_line(details: str) -> None:
    with pytest.raises(ProfileError, match="damaged"):
        profiles.from_json(Profile().to_json() | {"deck": {"details": details}})


def test_a_deck_of_an_older_companion_is_to_be_taught_again(caplog: pytest.LogCaptureFixture) -> None:
    """The profile is good for everything else, and one line says what to do."""
    profile = profiles.from_json(Profile().to_json() | {"deck": {"faces": {"2MK": "AAAA"}}})
    assert profile.deck is None
    assert [record.getMessage() for record in caplog.records if "teach them again" in record.getMessage()]
