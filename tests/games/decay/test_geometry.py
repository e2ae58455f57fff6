"""Legal places against a second, quite different count: every position of the table, tried one by one."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from rules.games.decay.geometry import (
    NOWHERE,
    Forbidden,
    Tiles,
    Touch,
    beside,
    contacts,
    forbidden_sides,
    free_offsets,
    nearest,
    offsets_in,
    on_table,
    placement_fault,
    placements,
    sections,
    spots_of,
)

TOUCH = Touch()


def random_board(rng: random.Random, count: int, slid: bool = False) -> Tiles:
    """A board as players build it; with `slid` some tiles lie aligned, as only slides leave them."""
    tiles: list[tuple[int, int] | None] = [None] * 24
    tiles[0] = (0, 0)
    for index in range(1, count):
        board = tuple(tiles)
        while tiles[index] is None:
            base, side = rng.randrange(index), rng.randrange(4)
            spot = tiles[base]
            assert spot is not None
            if slid and rng.random() < 0.3:
                place = beside(spot, side, rng.randint(-3, 3))
                near = [t for t, x, y in on_table(board) if max(abs(x - place[0]), abs(y - place[1])) < 16]
                tiles[index] = None if near else place
                continue
            offsets = list(offsets_in(free_offsets(board, index, base, side, TOUCH)))
            tiles[index] = beside(spot, side, rng.choice(offsets)) if offsets else None
    return tuple(tiles)


def try_everywhere(tiles: Tiles, tile: int, forbidden: Forbidden = NOWHERE) -> set[tuple[int, int]]:
    """Where a tile may lie flush against at least one other, straight from the words of DECAY-2.8 to 2.12."""
    others = [(i, x, y) for i, x, y in on_table(tiles) if i != tile]
    xs = np.arange(min(x for _, x, _ in others) - 17, max(x for _, x, _ in others) + 18)
    ys = np.arange(min(y for _, _, y in others) - 17, max(y for _, _, y in others) + 18)
    px, py = np.meshgrid(xs, ys)
    good = np.ones(px.shape, bool)
    flush = np.zeros(px.shape, bool)
    touched = {}
    for index, x, y in others:
        across, along = np.abs(px - x), np.abs(py - y)
        good &= ~((across < 16) & (along < 16))
        beside_it = (across >= 16) & (across <= 18) & (along <= 15)
        above_it = (along >= 16) & (along <= 18) & (across <= 15)
        good &= ~(beside_it & (along < 4)) & ~(above_it & (across < 4))
        flush |= (beside_it & (across == 16)) | (above_it & (along == 16))
        touched[index] = beside_it | above_it
        masks = (above_it & (py > y), beside_it & (px > x), above_it & (py < y), beside_it & (px < x))
        for side in range(4):
            if (index, side) in forbidden:
                good &= ~masks[side]
    for i, x, y in others:
        for j, other_x, other_y in others:
            dx, dy = abs(x - other_x), abs(y - other_y)
            if i < j and ((16 <= dx <= 18 and dy <= 15) or (16 <= dy <= 18 and dx <= 15)):
                good &= ~(touched[i] & touched[j])
    rows, columns = np.nonzero(good & flush)
    return {(int(xs[column]), int(ys[row])) for row, column in zip(rows, columns, strict=True)}


@pytest.mark.parametrize("chunk", range(4))
def test_a_thousand_boards_agree_with_trying_everywhere(chunk: int) -> None:
    rng = random.Random(chunk)
    for number in range(250):
        tiles = random_board(rng, rng.randint(1, 6), slid=number % 3 == 0)
        assert set(spots_of(tiles, placements(tiles, 23, TOUCH))) == try_everywhere(tiles, 23)
        lifted = rng.randrange(sum(spot is not None for spot in tiles))
        if lifted:
            forbidden = forbidden_sides(contacts(tiles, TOUCH), lifted)
            found = set(spots_of(tiles, placements(tiles, lifted, TOUCH, forbidden)))
            assert found == try_everywhere(tiles, lifted, forbidden)


def test_every_position_is_judged_as_it_is_listed() -> None:
    rng = random.Random(5)
    for _ in range(4):
        tiles = random_board(rng, 4)
        listed = try_everywhere(tiles, 23)
        for x in range(-60, 61, 5):
            for y in range(-60, 61, 5):
                fault = placement_fault(tiles, 23, x, y, TOUCH)
                assert ((x, y) in listed) <= (fault is None)
                near = nearest(tiles, 23, x, y, TOUCH)
                assert near is not None
                assert near.spot in listed
                best = min((a - x) ** 2 + (b - y) ** 2 for a, b in listed)
                assert near.distance == pytest.approx(best**0.5)


def spans(tiles: Tiles, base: int, side: int) -> list[tuple[int, int]]:
    edges = [edge for edge in placements(tiles, 23, TOUCH) if (edge.base, edge.side) == (base, side)]
    return [span for edge in edges for span in edge.spans]


def board(*spots: tuple[int, int]) -> Tiles:
    return (*spots, *([None] * (24 - len(spots))))


def test_worked_set_1() -> None:
    assert [spans(board((0, 0)), 0, side) for side in range(4)] == [[(-15, -4), (4, 15)]] * 4


def test_worked_set_2() -> None:
    tiles = board((0, 0), (16, 6))
    both = [(-15, -4), (4, 15)]
    assert [spans(tiles, 0, side) for side in range(4)] == [[(-15, -4)], [(-15, -13)], both, both]
    assert [spans(tiles, 1, side) for side in range(4)] == [both, both, [(4, 15)], [(13, 15)]]


def test_worked_set_3_the_pinwheel() -> None:
    assert spans(board((0, 0), (-4, 16), (12, 20)), 0, 1) == [(-15, -4), (4, 4)]


def test_worked_set_4_a_pair_aligned_by_a_slide() -> None:
    assert spans(board((0, 0), (16, 0)), 0, 0) == [(-15, -4)]


@pytest.mark.parametrize(
    ("spot", "side"),
    [
        ((16, 15), 1),
        ((16, 16), None),
        ((18, 8), 1),
        ((19, 8), None),
        ((16, 0), 1),
        ((-16, 3), 3),
        ((3, -17), 2),
    ],
)
def test_contact(spot: tuple[int, int], side: int | None) -> None:
    assert contacts(board((0, 0), spot), TOUCH)[0].get(1) == side


@pytest.mark.long
def test_places_of_a_whole_board_come_quickly() -> None:
    tiles = random_board(random.Random(1), 24)
    assert len(sections(tiles, contacts(tiles, TOUCH))) == 1
    best = min(_seconds(tiles) for _ in range(5))
    assert best < 0.02


def _seconds(tiles: Tiles) -> float:
    placements.cache_clear()
    start = time.process_time()
    placements(tiles, 5, TOUCH)
    return time.process_time() - start
