"""What changed is looked at from nearer, and only what changed."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rules.pieces import Face, Kind, Pose, Size, Suit
from rules.table.layout import Placed
from rules.table.observed import Identity, ObservedTable, Sighting
from tests.vision.test_witness import BEFORE, BOARD, MOVED, coins, shot, sighted, spots
from vision.eyes import Eyes
from vision.frame import Frame
from vision.witness.closer import Box, again, parts, repeated, together, whole
from vision.witness.looks import Looked
from vision.witness.tuning import WITNESS
from vision.witness.witness import FrameEvidence

SIZE = (1280, 720)
ROW = np.zeros(4, np.float32)


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


def test_two_looks_agree_and_what_only_one_shows_is_new() -> None:
    (both,), new = together(
        [coin(50, 50, suns=0.6, moons=0.4)], [coin(52, 50, 0.95, suns=0.2, moons=0.8), coin(90, 50, suns=1.0)]
    )
    assert both.best[0] is Suit.MOONS
    assert both.certainty == 0.95
    assert [one.center_px for one in new] == [(90, 50)]


def test_a_wide_part_is_looked_at_in_pieces_that_share_what_lies_across_their_edges() -> None:
    wanted = parts([(300, 200, 640, 240)], lambda _: 30.0, SIZE)
    assert {times for _, times in wanted} == {3.0}
    boxes = sorted(box for box, _ in wanted)
    assert (boxes[0][0], boxes[-1][2]) == (300 - 39, 640 + 39)
    assert all((right - left) * 3.0 <= 905 for left, _, right, _ in boxes)
    assert all(one[2] - other[0] >= 39 for one, other in pairwise(boxes))


def test_what_two_pieces_of_a_part_show_is_one_thing() -> None:
    _, (new,) = together([], [coin(90, 50, 0.5, suns=1.0), coin(91, 50, 0.8, suns=1.0)])
    assert new.certainty == 0.8


def test_of_two_sides_of_a_die_the_one_above_is_its_top() -> None:
    top = replace(coin(50, 50, 0.6, suns=1.0), kind=Kind.DIE)
    side = replace(coin(47, 58, 0.9, moons=1.0), kind=Kind.DIE)
    for looks in ((top, side), (side, top)):
        ((both,), new) = together([looks[0]], [looks[1]])
        assert both.best[0] is Suit.SUNS
        assert new == []


def pyramid(lying: float, **sizes: float) -> Sighting:
    told = {Size(size): share for size, share in sizes.items()}
    pose = Pose.FLAT if lying > 0.5 else Pose.UPRIGHT
    size = max(told, key=lambda one: told[one])
    angle = 40.0 if pose is Pose.FLAT else None
    seen = replace(coin(50, 50, suns=1.0), kind=Kind.PYRAMID, pose=pose, lying=lying, angle=angle)
    return replace(seen, size=size, sizes=told)


def test_two_looks_agree_on_how_large_a_pyramid_is_and_whether_it_lies() -> None:
    first, second = pyramid(0.95, small=0.7, medium=0.3), replace(pyramid(0.4, small=0.45, medium=0.55), certainty=0.99)
    ((both,), _) = together([first], [second])
    assert both.size is Size.SMALL
    assert both.sizes[Size.SMALL] == pytest.approx(
        0.7 ** (1 / 3) * 0.45 ** (2 / 3) / (0.7 ** (1 / 3) * 0.45 ** (2 / 3) + 0.3 ** (1 / 3) * 0.55 ** (2 / 3))
    )
    assert (both.pose, both.angle, both.certainty) == (Pose.FLAT, 40.0, 0.99)
    assert both.lying is not None
    assert 0.5 < both.lying < 0.95


def sought(missing: Placed, shown: list[Sighting]) -> tuple[list[Box], list[Sighting]]:
    """Where it is looked for that piece of the opening, and what is new in what is seen then."""
    asked: list[Box] = []

    def nearer(box: Box, times: float) -> list[Looked]:
        asked.append(box)
        return [(one, ROW) for one in shown]

    image, plane = shot(False)
    near = replace(WITNESS, nearing=replace(WITNESS.nearing, space=400.0, most_share=1.0, side=math.inf))
    seen = ObservedTable(tuple(sighted(placed) for placed in coins(BEFORE) if placed != missing))
    table = FrameEvidence(Frame(image), plane, (), nearer, near).seeks([missing], BEFORE, BOARD, seen)
    assert table is not None
    return asked, [one for one in table.sightings if one not in seen.sightings]


def test_what_should_lie_there_is_sought_from_nearer_and_no_other_kind_is() -> None:
    missing, other = coins(BEFORE)[:2]
    asked, new = sought(missing, [sighted(missing)])
    (at,) = [one.center_px for one in [sighted(missing)]]
    assert at is not None
    assert any(box[0] < at[0] < box[2] and box[1] < at[1] < box[3] for box in asked)
    assert [one.center_px for one in new] == [at]
    assert sought(missing, [replace(sighted(missing), kind=Kind.PAWN)])[1] == []
    far = replace(sighted(other), center_px=(at[0] + 300.0, at[1]))
    assert sought(missing, [far])[1] == [], "it is sought where it should lie"


def test_without_a_nearer_look_nothing_is_sought() -> None:
    image, plane = shot(False)
    assert FrameEvidence(Frame(image), plane).seeks(coins(BEFORE), BEFORE, BOARD, ObservedTable(())) is None


def test_places_that_are_asked_about_are_looked_at_in_several_sizes() -> None:
    wanted = again([(100, 100, 120, 120), (900, 500, 910, 510)], lambda _: 40.0, SIZE)
    assert {box for box, _ in wanted} == {(72, 72, 148, 148), (872, 472, 938, 538)}
    assert [times for box, times in wanted if box[0] == 72] == pytest.approx([1.5, 2.0, 2.75])
    assert again([(1400, 100, 1420, 120)], lambda _: 40.0, SIZE) == [], "out of the picture"
    assert again([(100, 100, 120, 120)], lambda _: 150.0, SIZE) == [], "as large as it can be"


def test_several_looks_count_alike() -> None:
    doubtful = coin(50, 50, suns=0.6, moons=0.4)
    looks = [[coin(51, 50, suns=0.1, moons=0.9)], [coin(50, 51, suns=0.2, moons=0.8)]]
    (told,) = repeated([doubtful], looks)
    assert told.best[0] is Suit.MOONS
    assert told.chance_of(Suit.MOONS, None) == pytest.approx(0.288 ** (1 / 3) / (0.288 ** (1 / 3) + 0.012 ** (1 / 3)))
    assert repeated([doubtful], []) == (doubtful,)


def test_what_was_not_seen_before_must_be_seen_more_than_once() -> None:
    seen = coin(50, 50, suns=1.0)
    new = coin(90, 50, suns=1.0)
    assert repeated([seen], [[new], []]) == (seen,)
    assert [one.center_px for one in repeated([seen], [[new], [new]])] == [(50, 50), (90, 50)]


def test_what_is_cut_is_not_read() -> None:
    assert whole(coin(50, 50), (30, 30, 80, 80), SIZE)
    assert not whole(coin(35, 50), (30, 30, 80, 80), SIZE)
    assert whole(coin(10, 50), (0, 30, 80, 80), SIZE), "the picture's own edge is no cut"


def test_a_coin_that_the_eyes_missed_is_found_where_it_was_laid_and_nowhere_else() -> None:
    near = replace(
        WITNESS, nearing=replace(WITNESS.nearing, space=400.0, most_share=1.0, side=math.inf)
    )  # the coins here are large
    before, after = spots(BEFORE), spots(MOVED)
    (at,) = set(after) - set(before)
    asked: list[Box] = []

    def nearer(box: Box, times: float) -> list[Looked]:
        asked.append(box)
        unmoved = next(placed for spot, placed in before.items() if spot in after)
        return [(sighted(after[at]), ROW), (sighted(replace(unmoved, x=4.0, y=4.0)), ROW)]

    image, plane = shot(True)
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    said = FrameEvidence(Frame(image), plane, (), nearer, near).compared(kept, ObservedTable(()))
    assert said is not None
    assert asked
    assert {(round(s.x), round(s.y)) for s in said.table.sightings} == {at}


@pytest.mark.parametrize(
    ("kind", "reach", "is_seen"),
    [(Kind.TILE, 1.0, True), (Kind.TILE, 0.5, False), (Kind.COIN, 0.3, True), (Kind.COIN, 0.1, False)],
)
def test_a_quarter_of_a_tile_is_no_tile_and_a_dot_of_a_dashed_line_no_coin(
    kind: Kind, reach: float, is_seen: bool
) -> None:
    near = replace(WITNESS, nearing=replace(WITNESS.nearing, space=400.0, most_share=1.0, side=math.inf))
    before, after = spots(BEFORE), spots(MOVED)
    (at,) = set(after) - set(before)
    image, plane = shot(True)
    corners = np.array(at) + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    outline = tuple((float(x), float(y)) for x, y in plane.to_picture(corners))
    square = replace(sighted(after[at]), kind=kind, face=Face.BACK, outline_px=outline)
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    said = FrameEvidence(Frame(image), plane, (), lambda *_: [(square, ROW)], near).compared(kept, ObservedTable(()))
    assert said is not None
    assert [one.kind for one in said.table.sightings] == [kind] * is_seen


def test_a_place_that_is_asked_about_is_read_again_and_no_other() -> None:
    """The moved coin is taken for one of two; asked about, every nearer look says the same."""
    before, after = spots(BEFORE), spots(MOVED)
    (at,) = set(after) - set(before)
    true = sighted(after[at])
    other = next(suit for suit in Suit if suit is not true.best[0])
    doubtful = replace(true, identities={true.best: 0.5, (other, None): 0.5})
    stands = [sighted(placed) for spot, placed in before.items() if spot in after]
    asked: list[Box] = []

    def nearer(box: Box, times: float) -> list[Looked]:
        asked.append(box)
        return [(true, ROW), *((replace(one, identities={(other, None): 1.0}), ROW) for one in stands)]

    image, plane = shot(True)
    opening = ObservedTable(tuple(sighted(placed) for placed in before.values()))
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, opening, None)
    assert kept is not None
    near = replace(WITNESS, nearing=replace(WITNESS.nearing, most_share=0.0, again=(200.0, 400.0)))
    said = FrameEvidence(Frame(image), plane, (), nearer, near).compared(kept, ObservedTable((*stands, doubtful)))
    assert said is not None
    assert not asked, "nothing is looked at before it is asked about"
    told = said.shows([after[at]])
    assert told is not None
    assert asked
    (there,) = (s for s in told.sightings if (round(s.x), round(s.y)) == at)
    assert there.chance_of(*true.best) > 0.9
    assert sorted(s.best for s in told.sightings if s is not there) == sorted(s.best for s in stands)


def test_without_a_nearer_look_nothing_is_told() -> None:
    image, plane = shot(True)
    kept = FrameEvidence(Frame(shot(False)[0]), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    said = FrameEvidence(Frame(image), plane).compared(kept, ObservedTable(()))
    assert said is not None
    assert said.shows(list(MOVED.board)) is None


def test_real_eyes_look_closer_in_the_pictures_own_pixels() -> None:
    image, _ = shot(False)
    look = Eyes(threads=1).look(Frame(image))
    first = next(piece for piece in look.pieces if piece.kind == "coin")
    assert look.closer is not None
    (left, top), (right, bottom) = first.center.round().astype(int) - 90, first.center.round().astype(int) + 90
    box = (max(0, int(left)), max(0, int(top)), int(right), int(bottom))
    again = [piece for piece in look.closer(box, 1.5) if piece.kind == "coin"]
    assert min(np.hypot(*(piece.center - first.center)) for piece in again) < 0.1 * np.ptp(first.outline[:, 0])
