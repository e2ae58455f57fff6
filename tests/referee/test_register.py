"""The board is found by all that lies on it, also where the table plane was taken wrongly and pieces lie high."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion_api.simulated.synthetic import Noise, observe
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import SUITS, Kind
from rules.referee.exposure import HeightMap, exposed
from rules.referee.pose import Perspective, fit_perspective, scaled
from rules.referee.register import Registration, pose_error_mm, register
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting
from tests.tiers import first

FUJI = game("fuji_san")
DODGEM = game("dodgem")
MICE = game("four_blind_mice")
ZOMBIE = game("zombie")


class Slanted:
    """A camera far from upright, and a table plane that was taken `wrong` by so much a space."""

    def __init__(self, wrong: float = 0.0, scale: float = 1.0, tilt: float = 35.0) -> None:
        self.wrong, self.scale, self.slant = wrong, scale, math.tan(math.radians(tilt))
        self.rng = random.Random(5)

    def spot(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Where a point of so much height appears on that plane."""
        x, y = x + 0.3 * self.slant * z, y + self.slant * z
        below = (1 + self.wrong * x) / self.scale
        return x / below + self.rng.gauss(0, 0.03), y / below + self.rng.gauss(0, 0.03)

    def see(self, layout: Layout, leave_out: Iterable[Placed] = ()) -> ObservedTable:
        height_map, left_out = HeightMap(layout.pieces), set(leave_out)
        return ObservedTable(
            tuple(self._sight(p, height_map) for p, share in exposed(layout) if share > 0.5 and p not in left_out)
        )

    def _sight(self, placed: Placed, height_map: HeightMap) -> Sighting:
        x, y = self.spot(placed.x, placed.y, height_map.at(placed.x, placed.y))
        shown = placed.shown
        return Sighting(
            shown.kind, x, y, placed.face, placed.angle, identities={(shown.suit, shown.rank): 1.0}, certainty=0.99
        )


def errors(layout: Layout, seen: ObservedTable) -> list[float]:
    """How far from their places (in spaces) the pieces are believed to lie."""
    found = register(layout, seen)
    assert found is not None
    height_map = HeightMap(layout.pieces)
    places = [found.surface_place(height_map, s.x, s.y) for s in seen.sightings]
    return [
        min(math.dist((p.x, p.y), at) for p in layout.board if p.piece.kind is s.kind)
        for s, at in zip(seen.sightings, places, strict=True)
    ]


@pytest.mark.parametrize(("wrong", "scale"), [(0.0, 1.0), (0.012, 0.95), (-0.012, 1.06)])
def test_a_mountain_is_found_from_its_coins_and_pawns_alone(wrong: float, scale: float) -> None:
    layout = FUJI.layout(FUJI.start())
    seen = Slanted(wrong, scale).see(layout, (p for p in layout if p.piece.kind is Kind.TILE))
    assert max(errors(layout, seen)) < 0.26


def test_ten_coins_and_one_tile_are_a_board() -> None:
    layout = DODGEM.layout(DODGEM.start())
    tiles = [p for p in layout if p.piece.kind is Kind.TILE]
    assert max(errors(layout, Slanted(0.02, 0.93).see(layout, tiles[1:]))) < 0.25


def test_high_piles_beside_a_flat_board_lie_where_they_lie() -> None:
    layout = ZOMBIE.layout(ZOMBIE.start())
    assert max(errors(layout, Slanted().see(layout))) < 0.3


def test_a_house_far_from_its_clock_is_found_where_the_plane_was_taken_wrongly() -> None:
    """Nearly all of it lies together, and fits well; the house alone tells how the plane slants."""
    layout = ZOMBIE.layout(ZOMBIE.start())
    seen = Slanted(tilt=0.0).see(layout)
    clock_at = -12.0
    bent = tuple(replace(s, x=s.x + 0.004 * (s.x - clock_at) ** 2) for s in seen.sightings)
    assert max(errors(layout, ObservedTable(bent))) < 0.25


def test_nothing_that_is_there_is_no_board() -> None:
    layout = DODGEM.layout(DODGEM.start())
    assert register(layout, ObservedTable((Sighting(Kind.COIN, 0.0, 0.0), Sighting(Kind.PAWN, 3.0, 0.0)))) is None


def test_a_perspective_goes_both_ways() -> None:
    spots = [(float(x), float(y), 0.2 * ((x + y) % 3)) for x in range(6) for y in range(4)]
    camera = Slanted(0.01, 0.95)
    seen = [camera.spot(*spot) for spot in spots]
    found, _ = fit_perspective(np.array(spots), np.array(seen), [1 / 0.03**2] * len(spots))
    for (x, y, z), at in zip(spots, seen, strict=True):
        assert math.dist(found.project(x, y, z), at) < 0.12
        assert found.unproject(*found.project(x, y, z), z) == pytest.approx((x, y), abs=1e-6)
    assert found.is_valid()
    assert Perspective().project(3.0, 4.0, 0.5) == (3.0, 4.0)


def test_the_relief_of_a_mountain() -> None:
    layout = FUJI.layout(FUJI.start())
    height_map = HeightMap(p for p in layout if p.piece.kind is Kind.TILE)
    assert height_map.at(7.5, 1.5) > height_map.at(4.0, 1.5) > height_map.at(1.6, 1.5) == pytest.approx(0.0)
    assert height_map.at(30.0, 1.5) < 0
    assert len(height_map.heights) > 1
    flat = HeightMap(p for p in DODGEM.layout(DODGEM.start()) if p.piece.kind is Kind.TILE and p.zone is Zone.BOARD)
    assert len(flat.heights) == 1


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 270.0])
def test_a_board_that_looks_the_same_from_four_sides_is_told_by_what_lies_beside_it(turn: float) -> None:
    """Nine cards of which nothing is read, and the pyramids of two colours that wait where their owners sit."""
    rules = game("dectana")
    state = rules.start()
    layout = rules.layout(rules.advance(state, rules.read(state, "deal(5YK+XL+3LY+XM+XY+XS+9MS+2MK+9MS)")))
    truth = Registration(turn, 3.0, -2.0)
    cards = [p for p in layout.board if p.piece.kind is Kind.CARD]
    waiting = [p for p in layout if p.piece.kind is Kind.PYRAMID]
    seen = ObservedTable(
        tuple(
            Sighting(p.piece.kind, *truth.to_table(p.x, p.y), identities={(p.piece.suit, None): 1.0})
            for p in (*waiting, *cards)
        )
    )
    found = register(layout, seen)
    assert found is not None
    assert math.dist(found.to_table(0.0, 0.0), truth.to_table(0.0, 0.0)) < 0.1
    assert math.dist(found.to_table(6.0, 0.0), truth.to_table(6.0, 0.0)) < 0.1


def nine_cards(truth: Registration) -> tuple[Layout, list[Sighting]]:
    """A dealt board of which nothing is read but how its cards' sides run."""
    rules = game("dectana")
    state = rules.start()
    layout = rules.layout(rules.advance(state, rules.read(state, "deal(5YK+XL+3LY+XM+XY+XS+9MS+2MK+9MS)")))
    cards = (p for p in layout.board if p.piece.kind is Kind.CARD)
    return layout, [Sighting(Kind.CARD, *truth.to_table(p.x, p.y), edges=p.angle + truth.turn) for p in cards]


def corners(pose: Registration) -> list[tuple[float, float]]:
    return [pose.to_table(x, y) for x, y in ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))]


@pytest.mark.parametrize("turn", [4.0, 94.0, 184.0, 274.0])
def test_the_side_on_which_somebody_keeps_things_tells_how_the_board_lies(turn: float) -> None:
    """They keep them farther off than the layout draws them, in ground that was marked out."""
    truth = Registration(turn, 3.0, -2.0)
    layout, cards = nine_cards(truth)
    south, west = truth.to_table(4.0, -14.0), truth.to_table(-14.0, 4.0)
    kept = [Sighting(Kind.COIN, *spot, zone=Zone.HAND, seat=seat) for seat, spot in enumerate((south, west))]
    found = register(layout, ObservedTable((*cards, *kept)), Registration())
    assert found is not None, "where nothing lay yet (turn 0) is no place to keep to"
    assert max(map(math.dist, corners(found), corners(truth))) < 0.1


@pytest.mark.parametrize("turn", [-35.0, 20.0, 65.0])
def test_cards_that_lie_lengthwise_tell_quarter_turns(turn: float) -> None:
    truth = Registration(turn, 1.0, 5.0)
    layout, cards = nine_cards(truth)
    found = register(layout, ObservedTable(tuple(cards)))
    assert found is not None
    assert abs((found.turn - turn + 90) % 180 - 90) < 1.0, "up to half turns, which nothing here tells"


@pytest.mark.parametrize("turn", [-9.0, 81.0, 171.0, 261.0])
@pytest.mark.parametrize("wide", [1.0, 1.22])
def test_a_printed_frame_taken_for_the_edge_makes_no_other_board(turn: float, wide: float) -> None:
    """Every tile is outlined too small, so all lie too far apart: the board is not one tile aside, nor turned."""
    rules = game("four_blind_mice")
    layout = rules.layout(rules.start())
    truth, rng = Registration(turn, -6.0, -4.5), random.Random(3)
    seen = []
    for placed in layout.pieces:
        x, y = truth.to_table(placed.x, placed.y)
        shown, aslant = placed.shown, wide * (1 + 0.004 * y)
        place = (x * aslant + rng.gauss(0, 0.04), y * aslant + rng.gauss(0, 0.04))
        angle = (placed.angle + turn) % 90
        seen.append(Sighting(shown.kind, *place, placed.face, angle, identities={(shown.suit, shown.rank): 1.0}))
    found = register(layout, ObservedTable(tuple(seen)))
    assert found is not None
    for placed in layout.board:
        x, y = truth.to_table(placed.x, placed.y)
        aslant = wide * (1 + 0.004 * y)
        assert math.dist(found.to_table(placed.x, placed.y), (x * aslant, y * aslant)) < 0.3


@pytest.mark.parametrize(("seen_up_to", "is_found"), [(9.0, False), (99.0, True)])
def test_half_a_board_that_may_lie_a_row_farther_up_is_not_found(seen_up_to: float, is_found: bool) -> None:
    """Wherever it were laid, half its tiles would be missing, and a pawn would stand in the next row."""
    rules = game("san_andreas")
    layout = rules.layout(rules.start())
    tiles = [p for p in layout.board if p.piece.kind is Kind.TILE and p.y < seen_up_to]
    seen = [Sighting(Kind.TILE, p.x, p.y, p.face, p.angle % 90) for p in tiles]
    assert (register(layout, ObservedTable(tuple(seen))) is not None) is is_found


def test_pieces_that_belong_to_no_layout_are_no_board() -> None:
    """Found by mutations of a judge's conversation: a pawn alone where coins and tiles should lie."""
    pawn = ObservedTable.from_look([{"kind": "pawn", "suit": "suns", "position": [0, 0]}])
    assert register(DODGEM.layout(DODGEM.start()), pawn) is None


def misread(layout: Layout, turn: float, share: float = 1.0) -> ObservedTable:
    """Every tile of the board is found at its place; of most the suit is misread."""
    truth, rng = Registration(turn, 4.0, -3.0), random.Random(11)
    seen = []
    for number, placed in enumerate(p for p in layout.board if p.piece.kind is Kind.TILE):
        shown = placed.shown
        suit = shown.suit if number % 3 == 0 else rng.choice([other for other in SUITS if other is not shown.suit])
        if rng.random() < share:
            x, y = truth.to_table(placed.x, placed.y)
            seen.append(Sighting(Kind.TILE, x, y, placed.face, identities={(suit, shown.rank): 1.0}))
    return ObservedTable(tuple(seen))


def board_layout() -> Layout:
    """Delegate Dash after its deal: twenty-four tiles, each known."""
    rules = game("delegate_dash")
    layouts = (rules.layout(state) for state, _ in walk(rules, 1))
    return next(one for one in layouts if sum(p.shown.suit is not None for p in one.board) >= 24)


@pytest.mark.parametrize("turn", [8.0, -82.0, 98.0])
def test_a_board_of_which_most_suits_are_misread_lies_where_its_tiles_lie(turn: float) -> None:
    layout = board_layout()
    found = register(layout, misread(layout, turn))
    assert found is not None
    assert math.dist(found.to_table(1.0, 1.0), Registration(turn, 4.0, -3.0).to_table(1.0, 1.0)) < 0.2


@pytest.mark.parametrize(("share", "is_found"), [(0.5, True), (0.2, False)])
def test_half_a_misread_board_lies_where_its_tiles_lie_and_too_little_of_it_nowhere(
    share: float, is_found: bool
) -> None:
    layout = board_layout()
    found = register(layout, misread(layout, 8.0, share))
    assert (found is not None) is is_found
    if found is not None:
        assert math.dist(found.to_table(1.0, 1.0), Registration(8.0, 4.0, -3.0).to_table(1.0, 1.0)) < 0.2


def test_a_board_that_is_hardly_seen_is_found_by_what_is_faint() -> None:
    """A few tiles are surely seen, the others too faintly to be told of."""
    rules = game("ice_floe")
    layout = rules.layout(rules.start())
    truth = Registration(14.0, -2.0, -6.0)
    tiles = [p for p in layout.board if p.piece.kind is Kind.TILE]
    seen = [
        Sighting(
            Kind.TILE,
            *truth.to_table(p.x, p.y),
            p.face,
            identities={(p.shown.suit, p.shown.rank): 1.0},
        )
        for p in tiles
    ]
    faint = tuple(replace(one, certainty=0.15) for one in seen[6:])
    assert register(layout, ObservedTable(tuple(seen[:6]))) is None
    found = register(layout, ObservedTable(tuple(seen[:6]), faint=faint))
    assert found is not None
    assert math.dist(found.to_table(5.0, 5.0), truth.to_table(5.0, 5.0)) < 0.1


@pytest.mark.parametrize("shift", [0.0, 0.125, 0.25, 0.375, 0.49])
@pytest.mark.parametrize("turn", [0.0, -8.5, 33.0])
def test_no_border_between_votes_parts_a_board(shift: float, turn: float) -> None:
    """Sixteen tiles in their places are that board, and not twelve of them one two columns away."""
    layout = MICE.layout(MICE.start())
    tiles = [p for p in layout.board if p.piece.kind is Kind.TILE]
    pose, rng = Registration(turn, 3.1 + shift, -2.2 - shift), random.Random(4)
    seen = [
        Sighting(Kind.TILE, x + rng.gauss(0, 0.04), y + rng.gauss(0, 0.04), p.face, turn, certainty=0.99)
        for p in tiles
        for x, y in [pose.to_table(p.x, p.y)]
    ]
    found = register(layout, ObservedTable(tuple(seen)))
    assert found is not None
    places = {(round(p.x, 1), round(p.y, 1)) for p in tiles}
    assert all(min(math.dist(found.to_board(s.x, s.y), place) for place in places) < 0.3 for s in seen)


@pytest.mark.parametrize(("jitter", "least", "most"), [(0.0, 0.0, 0.01), (0.04, 0.1, 0.8), (0.12, 0.4, 2.0)])
def test_the_board_says_by_how_much_it_may_lie_elsewhere(jitter: float, least: float, most: float) -> None:
    layout, truth = DODGEM.layout(DODGEM.start()), Registration(20.0, 3.0, -2.0)
    seen = observe(layout, truth, random.Random(3), Noise(jitter=jitter, miss=0.0, misread=0.0))
    found = register(layout, seen)
    assert found is not None
    astray = pose_error_mm(layout, seen, found)
    assert astray is not None
    assert least <= astray <= most
    one = replace(seen, sightings=seen.sightings[:2])
    assert pose_error_mm(layout, one, found) is None


TULA = game("tula")
DASH = game("delegate_dash")


@pytest.mark.parametrize("turn", [0.0, 20.0, -67.0])
@pytest.mark.parametrize("with_sides", [True, False])
def test_a_staggered_board_of_backs_is_turned_as_its_tiles_are(turn: float, with_sides: bool) -> None:
    """The nearest neighbour of each tile lies on the slant, and a back has no up; but it has sides, and only one turn
    carries all tiles to their places."""
    layout = TULA.layout(TULA.start())
    pose, rng = Registration(turn), random.Random(3)
    sides = (turn + 45) % 90 - 45
    seen = tuple(
        Sighting(
            Kind.TILE, x + rng.gauss(0, 0.06), y + rng.gauss(0, 0.06), placed.face, edges=sides if with_sides else None
        )
        for placed, _ in exposed(layout)
        for x, y in [pose.to_table(placed.x, placed.y)]
    )
    found = register(layout, ObservedTable(seen))
    assert found is not None
    assert (found.turn - sides + 45) % 90 - 45 == pytest.approx(0, abs=5)


def test_tiles_are_a_board_though_nothing_on_them_is_seen_and_their_names_are_doubted() -> None:
    states = (state for state, _ in walk(DASH, 3))
    layout = DASH.layout(next(state for number, state in enumerate(states) if number == 1))
    tiles = [
        replace(seen, identities={key: 0.4 * chance for key, chance in seen.identities.items()})
        for seen in Slanted().see(layout).sightings
        if seen.kind is Kind.TILE
    ]
    found = register(layout, ObservedTable(tuple(tiles)))
    assert found is not None
    assert math.dist(found.to_table(8, 8), (8, 8)) < 1.5
    assert register(layout, ObservedTable(tuple(tiles[: len(tiles) // 3]))) is None


# The same table, seen again ------------------------------------------------------------------------------------------

SEEN = Path(__file__).with_name("fuji_san_seen.json")
"""What the eyes saw of three stills of a drawn Fuji-San (36 degrees from upright), and what was done after each."""


def observed_mountains() -> list[tuple[Layout, ObservedTable]]:
    state, found = FUJI.start({"layout": "424221245401353303151050"}), []
    for still in json.loads(SEEN.read_text()):
        found.append((FUJI.layout(state), ObservedTable.from_look(still["pieces"])))
        state = FUJI.advance(state, FUJI.read(state, still["next"]))
    return found


def reobserved(seen: ObservedTable, rng: random.Random, plane: float) -> tuple[ObservedTable, Registration]:
    """As the next picture would show it: places, certainties and chances a little otherwise, and the table plane
    scaled and turned by some `plane`; the motion that is told is the plane's."""
    scale, moved = 1 + plane * rng.uniform(-1, 1), Registration(90 * plane * rng.uniform(-1, 1))

    def again(one: Sighting) -> Sighting:
        x, y = moved.to_table(scale * one.x, scale * one.y)
        chances = {key: min(1.0, max(0.0, p + rng.gauss(0, 0.02))) for key, p in one.identities.items()}
        return replace(
            one,
            x=x + rng.gauss(0, 0.02),
            y=y + rng.gauss(0, 0.02),
            edges=None if one.edges is None else one.edges + moved.turn + rng.gauss(0, 1.0),
            angle=None if one.angle is None else one.angle + moved.turn + rng.gauss(0, 1.0),
            certainty=min(1.0, max(0.02, one.certainty + rng.gauss(0, 0.03))),
            identities=chances,
        )

    return ObservedTable(tuple(map(again, seen.sightings))), replace(moved, perspective=scaled(np.zeros((1, 3)), scale))


@pytest.mark.parametrize(("still", "plane"), first([(1, 0.05), (0, 0.0), (1, 0.0), (2, 0.0), (0, 0.05)]))
def test_a_table_that_is_seen_again_is_found_where_it_was(still: int, plane: float) -> None:
    """Ten times each: no small change of what was seen takes the board elsewhere, or away."""
    layout, seen = observed_mountains()[still]
    found = register(layout, seen)
    assert found is not None
    for seed in range(10):
        again, moved = reobserved(seen, random.Random(seed), plane)
        other = register(layout, again)
        assert other is not None
        for placed, _ in exposed(layout):
            there = moved.to_table(*found.to_table(placed.x, placed.y))
            assert math.dist(other.to_table(placed.x, placed.y), there) < 0.25


def test_the_likeliest_pose_is_told_whatever_order_the_sightings_come_in() -> None:
    layout, seen = observed_mountains()[0]
    found, other = register(layout, seen), register(layout, ObservedTable(seen.sightings[::-1]))
    assert found is not None
    assert other is not None
    for placed, _ in exposed(layout):
        assert math.dist(found.to_table(placed.x, placed.y), other.to_table(placed.x, placed.y)) < 0.01
