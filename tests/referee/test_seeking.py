"""Doubtful readings are followed both ways, and hands that were touched are counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Kind, Pose, Size, Suit
from rules.referee.fit import Located
from rules.referee.hypothesis import Seeker, Tried
from rules.referee.likelihood import View, other_readings, surprise_of
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.table.layout import Placed
from rules.table.observed import Sighting

DODGEM = game("dodgem")
ICE = game("ice_floe")


STANDING = Sighting(Kind.PYRAMID, 1.0, 1.0, identities={(Suit.SUNS, None): 1.0}, pose=Pose.UPRIGHT)


def located(seen: Sighting) -> Located:
    return Located(0, seen, seen.x, seen.y, None)


def lying(size: Size, pose: Pose = Pose.UPRIGHT, angle: float = 0.0) -> Placed:
    piece = next(p.piece for p in ICE.layout(ICE.start()) if p.piece.kind is Kind.PYRAMID)
    return Placed(replace(piece, suit=Suit.SUNS, size=size), "it", 1.0, 1.0, angle=angle, pose=pose)


@pytest.mark.parametrize(("chance", "surprises"), [(0.45, 0.25), (0.1, 2.3), (0.0, TUNING.fitting.wrong_size)])
def test_another_size_surprises_by_how_unlikely_it_is(chance: float, surprises: float) -> None:
    seen = located(replace(STANDING, size=Size.SMALL, sizes={Size.SMALL: 1.0 - chance, Size.MEDIUM: chance}))
    right, wrong = (surprise_of(lying(size), seen, 1.0, 0.0, TUNING.fitting) for size in (Size.SMALL, Size.MEDIUM))
    assert wrong - right == pytest.approx(surprises, abs=0.35)


def test_a_pyramid_that_may_as_well_lie_is_read_both_ways_and_points_where_it_would() -> None:
    seeking, maybe = TUNING.seeking, replace(STANDING, lying=0.3, aim=100.0)
    (other,) = other_readings(located(maybe), 10.0, seeking)
    assert (other.sighting.pose, other.angle) == (Pose.FLAT, 90.0)
    assert not list(other_readings(located(replace(maybe, lying=0.01)), 10.0, seeking))
    seen = located(maybe)
    there, across = (
        surprise_of(lying(Size.SMALL, Pose.FLAT, angle), seen, 1.0, 10.0, TUNING.fitting) for angle in (90.0, 270.0)
    )
    assert there < 1.5 < across


@pytest.mark.parametrize("seed", [0, 3, 8])
def test_dice_are_read_after_what_they_were_thrown_for_though_the_state_knows_an_earlier_throw(seed: int) -> None:
    """Zombie: a door is opened, a tile drawn, and the dice are thrown for what waits behind it. That takes few tables,
    for where a throw is waited for and the dice show another one, it is read at once."""
    tuning = replace(TUNING, seeking=replace(TUNING.seeking, tables=100))
    rules, onlooker = game("zombie"), Onlooker(8, Noise(jitter=0.02))
    steps = [action for _, action in walk(rules, seed)]
    first = next(n for n in range(len(steps)) if [a.verb for a in steps[n : n + 3]] == ["open", "draw", "roll"])
    history = History.begin(rules)
    for action in steps[:first]:
        history = history.play(action)
    referee = Referee(rules, history, tuning=tuning)
    referee.look(onlooker.see(rules.layout(history.state)))
    for action in steps[first : first + 3]:
        history = history.play(action)
    verdict = referee.look(onlooker.see(rules.layout(history.state)))
    assert verdict.kind is VerdictKind.ACCEPTED
    assert referee.history.state == history.state


def test_what_a_die_showed_before_it_was_thrown_again_is_not_read() -> None:
    """Decay: whose throws are equal throw again. That they did, unseen, explains the last throw as well."""
    rules, onlooker = game("decay"), Onlooker(8, Noise(jitter=0.0, misread=0.0, flicker=0.0))
    history = History.begin(rules)
    line = Seeker(rules, View(onlooker.see(layout := rules.layout(history.state)).table, Registration(), layout)).still(
        history.state
    )
    unread = []
    for suit, value in (("S", 4), ("M", 4), ("C", 2), ("A", 1), ("S", 5), ("M", 3)):
        history = history.play(action := parse_action(f"roll({suit},{value})"))
        thrown = frozenset(effect.piece for effect in history.entries[-1].effects if effect.piece)
        line = line.then(action, Tried(history.state, line.fit, thrown), is_value=True)
        unread.append(line.unread)
    assert unread == [0, 0, 0, 0, 1, 2]
