"""What has not changed is not read again; what has is, at once."""

from __future__ import annotations

from functools import cache
from statistics import median

import numpy as np
import pytest

from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from rules.engine.contract import AnyGame
from rules.games import game
from vision.adaptive_reader import AdaptiveReader
from vision.detect.decode import Detection
from vision.frame import Frame, Picture
from vision.nets import OpenModel
from vision.read_cache import MIN_READS, ReadCache
from vision.table_reader import FrameResult, TableReader

SAME_PX = 16.0
"""Distance of one piece in two looks: a twelfth of a tile. Outlines differ with the noise and the processor."""
RNG = np.random.default_rng(5)


@cache
def drawn(rules: AnyGame, state: object) -> Picture:
    return render_layout(rules.layout(state), view=Viewpoint(800, 450)).image


def filmed(rules: AnyGame, state: object, light: float = 1.0) -> Frame:
    """The table as a camera films it, with noise that is new in every frame."""
    image = np.asarray(drawn(rules, state), np.float32)
    return Frame(np.clip(image * light + RNG.normal(0, 3, image.shape), 0, 255).astype(np.uint8))


def told(look: FrameResult) -> list[tuple[str, str, float, float]]:
    return [(str(p.kind), str(p.suit), float(p.center[0]), float(p.center[1])) for p in look.pieces]


def missing(one: FrameResult, other: FrameResult) -> list[tuple[str, str, float, float]]:
    """What the second does not show where the first does."""
    there = told(other)
    return [
        (kind, suit, x, y)
        for kind, suit, x, y in told(one)
        if not any((k, s) == (kind, suit) and np.hypot(x - a, y - b) < SAME_PX for k, s, a, b in there)
    ]


class CountingNet:
    """The reader's net; `crops` counts what it has read."""

    def __init__(self, net: OpenModel) -> None:
        self.model, self.crops, self._run = net.model, 0, net.run

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        self.crops += len(batch)
        return list(self._run(batch))


@pytest.fixture
def net(eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> CountingNet:
    counting = CountingNet(eyes.reader.session)
    monkeypatch.setattr(eyes.reader, "session", counting)
    return counting


@pytest.mark.full
def test_a_quiet_table_is_read_so_often_and_then_recalled(eyes: TableReader, net: CountingNet) -> None:
    rules = game("penguin")
    gaze = AdaptiveReader(eyes)
    looks, crops = [], []
    for _ in range(MIN_READS + 4):
        before = net.crops
        looks.append(gaze.look(filmed(rules, rules.start())))
        crops.append(net.crops - before)
    assert median(crops[: MIN_READS + 1]) > 3 * median(crops[MIN_READS + 1 :])
    assert len(looks[-1].pieces) == len(looks[0].pieces)


def test_when_something_moved_it_is_seen_as_at_a_first_look_and_little_else_is_read(
    eyes: TableReader, net: CountingNet
) -> None:
    rules = game("dodgem")
    gaze = AdaptiveReader(eyes)
    state = rules.start()
    for _ in range(MIN_READS + 2):
        gaze.look(filmed(rules, state))
    action = next(each for each in rules.legal(state))
    after = rules.apply(state, action).state
    frame = filmed(rules, after)
    before = net.crops
    recalled = gaze.look(frame)
    crops_recalled, before = net.crops - before, net.crops
    read = eyes.look(frame)
    assert not missing(recalled, read)
    assert len(missing(read, recalled)) <= 1, "one size of the frame outlines one tile of nine badly"
    assert crops_recalled < 0.7 * (net.crops - before)


def test_a_lamp_that_is_switched_makes_everything_new(eyes: TableReader, net: CountingNet) -> None:
    rules = game("quatri")
    gaze = AdaptiveReader(eyes)
    crops = []
    for light in [1.0] * (MIN_READS + 2) + [0.6]:
        before = net.crops
        gaze.look(filmed(rules, rules.start(), light))
        crops.append(net.crops - before)
    assert crops[-1] > 3 * crops[-2]


def square(x: float, y: float, kind: str = "tile") -> Detection:
    corners = np.array([[-20.0, -20], [20, -20], [20, 20], [-20, 20]]) + (x, y)
    return Detection(kind, 0.9, np.array([x, y]), corners)


def remembered(grey: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], *found: Detection) -> ReadCache:
    cache = ReadCache()
    for _ in range(MIN_READS):
        cache.keep(found, cache.unchanged(grey, found), {})
    return cache


GREY = RNG.integers(60, 200, (480, 640)).astype(np.uint8)


def test_what_was_no_piece_is_not_asked_again() -> None:
    cache = remembered(GREY, square(100, 100))
    assert list(cache.unchanged(GREY, [square(101, 99)])) == [0]


@pytest.mark.parametrize("other", [square(112, 100), square(100, 100, "coin"), square(220, 160)])
def test_another_place_or_kind_is_another_thing(other: Detection) -> None:
    assert not remembered(GREY, square(100, 100)).unchanged(GREY, [other])


def test_a_change_makes_new_what_lies_there_until_it_was_read_often_enough() -> None:
    moved = GREY.copy()
    moved[118:126, 96:104] = 0
    found = [square(100, 100), square(220, 160)]
    cache = remembered(GREY, *found)
    asked = []
    for _ in range(MIN_READS + 1):
        known = cache.unchanged(moved, found)
        cache.keep(found, known, {})
        asked.append(list(known))
    assert asked == [[1]] * MIN_READS + [[0, 1]]


def test_where_nearly_everything_changed_all_is_new() -> None:
    shaken = np.roll(GREY, 7, axis=1)
    assert not remembered(GREY, square(100, 100), square(220, 160)).unchanged(
        shaken, [square(100, 100), square(220, 160)]
    )


def test_a_speck_makes_only_what_it_lies_on_new() -> None:
    changed = GREY.copy()
    changed[108:110, 96:98] = 255
    cache = remembered(GREY, square(100, 100), square(220, 160))
    assert list(cache.unchanged(changed, [square(100, 100), square(220, 160)])) == [1]


def test_a_slow_change_is_a_change_at_last() -> None:
    cache = remembered(GREY, square(100, 100))
    kept = []
    for step in range(1, 9):
        now = GREY.copy()
        now[90:110, 90:110] = np.clip(GREY[90:110, 90:110].astype(int) - 3 * step, 0, 255)
        found = [square(100, 100)]
        known = cache.unchanged(now, found)
        cache.keep(found, known, {})
        kept.append(bool(known))
    assert kept[0]
    assert not all(kept)
