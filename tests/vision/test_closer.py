"""What changed is looked at from nearer, and only what changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rules.pieces import Face, Kind, Rank, Suit
from rules.table.observed import Identity, ObservedTable, Sighting
from tests.vision.test_witness import BEFORE, BOARD, MOVED, shot, sighted, spots
from vision.eyes import Eyes, Look
from vision.frame import Frame
from vision.piece import Seen
from vision.sightings import looked_closer, table_evidence
from vision.witness.closer import Box, parts, read_together, unseen, whole
from vision.witness.looks import Looked
from vision.witness.tuning import WITNESS
from vision.witness.witness import FrameEvidence

SIZE = (1280, 720)
ROW = np.zeros(4, np.float32)
NEAR = replace(WITNESS, nearing=replace(WITNESS.nearing, space=400.0, most_share=1.0, side=math.inf))
"""The coins of these pictures are large: they are worth a nearer look all the same."""


def coin(x: float, y: float, certainty: float = 0.9, **doubts: float) -> Sighting:
    """Twenty pixels wide."""
    outline = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
    identities: dict[Identity, float] = {(Suit(suit), None): share for suit, share in doubts.items()}
    return Sighting(
        Kind.COIN, 0.0, 0.0, identities=identities, certainty=certainty, center_px=(x, y), outline_px=outline
    )


def test_small_places_are_made_larger_and_near_ones_are_one() -> None:
    wanted = parts([(100, 100, 120, 120), (150, 100, 170, 120), (900, 500, 910, 510)], lambda _: 40.0, SIZE)
    assert [(box[0], box[2]) for box, _ in wanted] == [(48, 222), (848, 962)]
    assert all(times == pytest.approx(2.25) for _, times in wanted)


def test_what_is_large_already_or_nearly_everything_is_not_looked_at_again() -> None:
    assert parts([(100, 100, 220, 220)], lambda _: 120.0, SIZE) == []
    assert parts([(-900, -700, -880, -680)], lambda _: 40.0, SIZE) == [], "what should lie beyond the picture's edge"
    assert parts([(4000, 100, 4020, 120)], lambda _: 40.0, SIZE) == []
    assert parts([(10, 10, 1200, 700)], lambda _: 40.0, SIZE) == []


def test_only_what_was_not_seen_before_is_added_and_each_thing_once() -> None:
    """What was seen keeps its reading, whatever it looks like from nearer."""
    before = [coin(50, 50, suns=0.6, moons=0.4)]
    nearer = [coin(52, 50, 0.95, suns=0.2, moons=0.8), coin(90, 50, 0.5, suns=1.0), coin(91, 50, 0.8, suns=1.0)]
    (new,) = unseen(before, nearer)
    assert (new.center_px, new.certainty) == ((91, 50), 0.8)


def die(x: float, y: float, certainty: float, **doubts: float) -> Sighting:
    """Twenty pixels wide."""
    identities: dict[Identity, float] = {(Suit.ARMS, Rank[name.upper()]): share for name, share in doubts.items()}
    return replace(coin(x, y, certainty), kind=Kind.DIE, identities=identities)


def up(_: Sighting) -> np.ndarray:
    return np.array([0.0, -1.0])


def test_a_die_is_read_by_the_looks_at_its_upper_face() -> None:
    """The outline that took in the side face, which shows a two, lies half a width lower."""
    low, high = die(50, 50, 0.8, two=0.97), die(51, 42, 0.7, null=0.98)
    assert read_together(low, [high], up).best == (Suit.ARMS, Rank.NULL)
    assert read_together(high, [low], up).best == (Suit.ARMS, Rank.NULL)
    assert read_together(low, [high], lambda seen: -up(seen)).best == low.best, "seen from the other side"


def test_looks_at_one_face_of_a_die_are_weighed_by_their_certainty() -> None:
    told = read_together(die(50, 50, 0.9, two=0.8, three=0.2), [die(50, 49, 0.3, three=1.0)], up)
    assert told.identities == {(Suit.ARMS, Rank.TWO): pytest.approx(0.6), (Suit.ARMS, Rank.THREE): pytest.approx(0.4)}
    assert told.certainty == 0.9


def test_other_dice_and_other_kinds_keep_their_reading() -> None:
    alone = die(50, 50, 0.8, two=0.97)
    assert read_together(alone, [die(50, 30, 0.9, three=1.0)], up) is alone
    before = coin(50, 50, suns=1.0)
    assert read_together(before, [coin(50, 50, moons=1.0)], up) is before


def test_a_wide_part_is_looked_at_in_pieces_that_share_what_lies_across_their_edges() -> None:
    wanted = parts([(300, 200, 640, 240)], lambda _: 30.0, SIZE)
    assert {times for _, times in wanted} == {3.0}
    boxes = sorted(box for box, _ in wanted)
    assert (boxes[0][0], boxes[-1][2]) == (300 - 39, 640 + 39)
    assert all((right - left) * 3.0 <= 905 for left, _, right, _ in boxes)
    assert all(one[2] - other[0] >= 39 for one, other in pairwise(boxes))


def test_what_is_cut_is_not_read() -> None:
    assert whole(coin(50, 50), (30, 30, 80, 80), SIZE)
    assert not whole(coin(35, 50), (30, 30, 80, 80), SIZE)
    assert whole(coin(10, 50), (0, 30, 80, 80), SIZE), "the picture's own edge is no cut"


def seen_closer(nearer: Callable[[Box, float], list[Looked]]) -> ObservedTable:
    """What a moment in which a coin was moved shows on the board, seen from nearer alone."""
    image, plane = shot(True)
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    picture = FrameEvidence(Frame(image), plane, (), NEAR)
    found = [one for part in picture.changed_parts(kept, ObservedTable(())) for one in nearer(*part)]
    said = picture.compared(kept, picture.with_closer(ObservedTable(()), found, kept))
    assert said is not None
    return said.table


def test_what_changed_is_looked_at_from_nearer_when_a_moment_is_made_and_only_then() -> None:
    """Judging runs no net: what a nearer look adds is in the table that is handed over."""
    (before, plane), (after, _) = shot(False), shot(True)
    kept = FrameEvidence(Frame(before), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    look = Look(Frame(after), [], plane, 0.0, [], {}, closer=lambda *_: [])
    asked: list[Box] = []

    def closer(box: Box, times: float) -> list[Seen]:
        asked.append(box)
        return []

    seen = table_evidence(replace(look, closer=closer))
    assert seen.picture is not None
    assert kept is not None
    seen.picture.compared(kept, seen.table)
    assert looked_closer(seen, replace(look, closer=closer), None) is seen, "nothing to compare with"
    assert not asked
    looked_closer(
        replace(seen, picture=FrameEvidence(Frame(after), plane, (), NEAR)), replace(look, closer=closer), kept
    )
    assert asked


def test_a_coin_that_the_eyes_missed_is_found_where_it_was_laid_and_nowhere_else() -> None:
    before, after = spots(BEFORE), spots(MOVED)
    (at,) = set(after) - set(before)
    asked: list[Box] = []

    def nearer(box: Box, times: float) -> list[Looked]:
        asked.append(box)
        unmoved = next(placed for spot, placed in before.items() if spot in after)
        return [(sighted(after[at]), ROW), (sighted(replace(unmoved, x=4.0, y=4.0)), ROW)]

    said = seen_closer(nearer)
    assert asked
    assert {(round(s.x), round(s.y)) for s in said.sightings} == {at}


def test_a_die_that_was_thrown_is_read_where_its_upper_face_is_seen_from_nearer() -> None:
    """Up is away from the camera, which looks down at a slant."""
    after, plane = spots(MOVED), shot(True)[1]
    (at,) = set(after) - set(spots(BEFORE))
    outlines = [np.array(at) + 0.3 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) + (0, away) for away in (0, 0.25)]
    low, high = (
        replace(die(x, y, 0.8, **face), outline_px=tuple((float(u), float(v)) for u, v in plane.to_picture(outline)))
        for outline, face in zip(outlines, ({"two": 0.97}, {"null": 0.98}), strict=True)
        for x, y in plane.to_picture(outline.mean(axis=0)[None]).tolist()
    )
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    (seen,) = (
        FrameEvidence(Frame(shot(True)[0]), plane).with_closer(ObservedTable((low,)), [(high, ROW)], kept).sightings
    )
    assert (seen.best, seen.center_px) == ((Suit.ARMS, Rank.NULL), low.center_px)


@pytest.mark.parametrize(
    ("kind", "reach", "is_seen"),
    [(Kind.TILE, 1.0, True), (Kind.TILE, 0.5, False), (Kind.COIN, 0.3, True), (Kind.COIN, 0.1, False)],
)
def test_a_quarter_of_a_tile_is_no_tile_and_a_dot_of_a_dashed_line_no_coin(
    kind: Kind, reach: float, is_seen: bool
) -> None:
    before, after = spots(BEFORE), spots(MOVED)
    (at,) = set(after) - set(before)
    _, plane = shot(True)
    corners = np.array(at) + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outline = tuple((float(x), float(y)) for x, y in plane.to_picture(corners))
    square = replace(sighted(after[at]), kind=kind, face=Face.BACK, outline_px=outline)
    said = seen_closer(lambda *_: [(square, ROW)])
    assert [one.kind for one in said.sightings] == [kind] * is_seen


def test_real_eyes_look_closer_in_the_pictures_own_pixels() -> None:
    image, _ = shot(False)
    look = Eyes(threads=1).look(Frame(image))
    first = next(piece for piece in look.pieces if piece.kind == "coin")
    assert look.closer is not None
    (left, top), (right, bottom) = first.center.round().astype(int) - 90, first.center.round().astype(int) + 90
    box = (max(0, int(left)), max(0, int(top)), int(right), int(bottom))
    again = [piece for piece in look.closer(box, 1.5) if piece.kind == "coin"]
    assert min(np.hypot(*(piece.center - first.center)) for piece in again) < 0.1 * np.ptp(first.outline[:, 0])
