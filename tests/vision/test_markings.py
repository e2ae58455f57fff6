"""How this set draws its values tells a tile of another suit."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.pieces import Face, Kind, Rank, Suit
from rules.table.observed import Beliefs, Sighting
from vision.frame import Picture
from vision.witness.markings import Marking, SetMarkings, likeness, marking_of

RED, BLACK = (40, 40, 190), (40, 40, 40)
WOOD = (120, 170, 200)
RED_FIVE = (Suit.SUNS, Rank.FIVE)
FIVE_OR_ACE: Beliefs = {(Suit.MOONS, Rank.ACE): 0.64, (Suit.MOONS, Rank.FIVE): 0.32, (Suit.MOONS, Rank.TWO): 0.04}


def tile(text: str, ink: tuple[int, int, int], turns: int = 0, aside: int = 0) -> Picture:
    picture = np.full((160, 160, 3), WOOD, np.uint8)
    noise = np.random.default_rng(len(text) + turns + aside).normal(0, 4, picture.shape)
    face = cv2.putText(picture.copy(), text, (58 + aside, 102), cv2.FONT_HERSHEY_TRIPLEX, 2.0, ink, 4)
    return np.clip(np.rot90(face, turns) + noise, 0, 255).astype(np.uint8)


def seen(chances: Beliefs = FIVE_OR_ACE) -> Sighting:
    corners = ((10.0, 12.0), (149.0, 10.0), (150.0, 150.0), (11.0, 148.0))
    return Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, identities=chances, outline_px=corners)


def figure(picture: Picture) -> Marking:
    found = marking_of(picture, seen())
    assert found is not None
    return found


@pytest.mark.parametrize("turns", range(4))
def test_the_same_number_in_another_colour_is_alike_whichever_way_it_lies(turns: int) -> None:
    known = figure(tile("5", RED))
    same, *others = (likeness(known.ink, figure(tile(text, BLACK, turns, aside=5)).ink) for text in "524")
    assert same > 0.97
    assert max(others) < same - 0.05


def test_a_value_is_told_by_the_other_suits_that_show_it() -> None:
    known = SetMarkings().taught([(RED_FIVE, figure(tile("5", RED))), ((Suit.SUNS, Rank.TWO), figure(tile("2", RED)))])
    told = known.weighed(seen(), figure(tile("5", BLACK))).identities
    assert told[Suit.MOONS, Rank.FIVE] > 0.8
    other = known.weighed(seen(), figure(tile("2", BLACK))).identities
    before, after = (chances[Suit.MOONS, Rank.TWO] / chances[Suit.MOONS, Rank.FIVE] for chances in (FIVE_OR_ACE, other))
    assert after > 2 * before


def test_an_ace_that_bears_its_suit_is_unlike_the_others_and_still_an_ace() -> None:
    known = SetMarkings().taught([((Suit.SUNS, Rank.ACE), figure(tile("Y", RED)))])
    assert known.weighed(seen(), figure(tile("C", BLACK))).identities == pytest.approx(dict(FIVE_OR_ACE))


def test_nothing_known_or_nothing_drawn_says_nothing() -> None:
    assert SetMarkings().weighed(seen(), figure(tile("5", BLACK))) == seen()
    back = replace(seen(), face=Face.BACK)
    assert marking_of(tile("5", BLACK), back) is None
    assert SetMarkings().taught([(RED_FIVE, figure(tile("5", RED)))]).weighed(seen(), None) == seen()


def test_what_is_known_is_not_kept_twice() -> None:
    first = figure(tile("5", RED))
    once = SetMarkings().taught([(RED_FIVE, first)])
    again = once.taught([(RED_FIVE, figure(tile(text, RED))) for text in "0123456789"])
    assert again.shown[RED_FIVE] is first
    assert len(again.shown) == 1


GREEN, WINE = (60, 150, 60), (90, 40, 140)
THREE: Beliefs = {(Suit.ARMS, Rank.THREE): 0.6, (Suit.SUNS, Rank.THREE): 0.3, (Suit.MOONS, Rank.THREE): 0.1}


def under(lamp: float, picture: Picture) -> Picture:
    return np.asarray(np.clip(picture * lamp, 0, 255), np.uint8)


@pytest.mark.parametrize("lamp", [0.5, 1.0, 1.2])
def test_a_suit_is_told_by_the_colour_of_its_other_tiles_under_any_lamp(lamp: float) -> None:
    shown = [((Suit.MOONS, Rank.TWO), GREEN), ((Suit.MOONS, Rank.FIVE), GREEN), ((Suit.SUNS, Rank.TWO), WINE)]
    known = SetMarkings().taught([(face, figure(tile(str(face[1].value), ink))) for face, ink in shown])
    told = known.weighed(seen(THREE), figure(under(lamp, tile("3", GREEN)))).identities
    assert told[Suit.MOONS, Rank.THREE] > 0.6
    assert told[Suit.SUNS, Rank.THREE] < 0.1
    assert told[Suit.ARMS, Rank.THREE] < 0.4, "which nobody has shown yet"


def test_a_set_of_one_ink_tells_no_suit_by_it() -> None:
    shown = [((Suit.MOONS, Rank.TWO), BLACK), ((Suit.SUNS, Rank.FIVE), BLACK)]
    known = SetMarkings().taught([(face, figure(tile(str(face[1].value), ink))) for face, ink in shown])
    assert known.weighed(seen(THREE), figure(tile("3", BLACK))).identities == pytest.approx(dict(THREE))


def test_suits_printed_alike_are_told_from_others_and_not_from_each_other() -> None:
    shown = [((Suit.MOONS, Rank.TWO), BLACK), ((Suit.SUNS, Rank.FIVE), BLACK), ((Suit.CROWNS, Rank.FIVE), GREEN)]
    known = SetMarkings().taught([(face, figure(tile(str(face[1].value), ink))) for face, ink in shown])
    doubts: Beliefs = {(suit, Rank.THREE): 0.25 for suit in Suit}
    told = known.weighed(seen(doubts), figure(tile("3", BLACK))).identities
    alike = [told[suit, Rank.THREE] for suit in (Suit.MOONS, Suit.SUNS, Suit.ARMS)]
    assert max(alike) < 1.3 * min(alike), "arms, which nobody has shown yet, may be printed so too"
    assert told[Suit.CROWNS, Rank.THREE] < 0.02
