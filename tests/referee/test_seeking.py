"""Doubtful readings are followed both ways, and hands that were touched are counted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import Action, parse_action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import SUITS, Face, Kind, Pose, Size, Suit
from rules.referee.fit import BoardSighting
from rules.referee.hypothesis import HypothesisSearch
from rules.referee.likelihood import TableLikelihood, other_readings, surprise_of
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.table.layout import Placed, Zone
from rules.table.observed import Beliefs, Sighting

DODGEM = game("dodgem")
ICE = game("ice_floe")


STANDING = Sighting(Kind.PYRAMID, 1.0, 1.0, identities={(Suit.SUNS, None): 1.0}, pose=Pose.UPRIGHT)


def board_sighting(seen: Sighting) -> BoardSighting:
    return BoardSighting(0, seen, seen.x, seen.y, None)


def placed_pyramid(size: Size, pose: Pose = Pose.UPRIGHT, angle: float = 0.0) -> Placed:
    piece = next(p.piece for p in ICE.layout(ICE.start()) if p.piece.kind is Kind.PYRAMID)
    return Placed(replace(piece, suit=Suit.SUNS, size=size), "it", 1.0, 1.0, angle=angle, pose=pose)


@pytest.mark.parametrize(("chance", "surprises"), [(0.45, 0.25), (0.1, 2.3), (0.0, TUNING.likelihood.wrong_size_nats)])
def test_another_size_surprises_by_how_unlikely_it_is(chance: float, surprises: float) -> None:
    seen = board_sighting(replace(STANDING, size=Size.SMALL, sizes={Size.SMALL: 1.0 - chance, Size.MEDIUM: chance}))
    right, wrong = (
        surprise_of(placed_pyramid(size), seen, 1.0, 0.0, TUNING.likelihood) for size in (Size.SMALL, Size.MEDIUM)
    )
    assert wrong - right == pytest.approx(surprises, abs=0.35)


def test_a_pyramid_that_may_as_well_lie_is_read_both_ways_and_points_where_it_would() -> None:
    seeking, maybe = TUNING.search, replace(STANDING, lying=0.3, aim=100.0)
    ((odds, other),) = other_readings(board_sighting(maybe), 10.0, seeking)
    assert odds == pytest.approx(0.3 / 0.7)
    assert (other.sighting.pose, other.angle) == (Pose.FLAT, 90.0)
    assert not list(other_readings(board_sighting(replace(maybe, lying=0.01)), 10.0, seeking))
    seen = board_sighting(maybe)
    there, across = (
        surprise_of(placed_pyramid(Size.SMALL, Pose.FLAT, angle), seen, 1.0, 10.0, TUNING.likelihood)
        for angle in (90.0, 270.0)
    )
    assert there < 1.5 < across


def warming_before(verb: str) -> tuple[History, Action, Referee, Onlooker]:
    """Global Warming up to where that is done for the first time; the table was seen so."""
    rules, onlooker = game("global_warming"), Onlooker(8, Noise(jitter=0.02, doubt=0.0))
    history = History.begin(rules)
    for _, action in walk(rules, 3):
        if action.verb == verb:
            break
        history = history.play(action)
    referee = Referee(rules, history)
    before = onlooker.see(rules.layout(history.state))
    referee.begin(before.table)
    referee.look(before)
    return history, action, referee, onlooker


def test_a_margin_counts_what_a_new_coin_may_be_as_well() -> None:
    """A coin that is read at ten to one is not sure by four hundred to one, though nothing near that likely is left."""
    history, action, referee, onlooker = warming_before("open_line")
    layout = history.game.layout(history.play(action).state)
    first = next(p for p in layout.board if p.place == "line1" and p.shown.suit)
    chances: Beliefs = {(suit, None): 0.91 if suit is first.shown.suit else 0.03 for suit in SUITS}
    seen = onlooker.see(layout)
    x, y = onlooker.board.to_table(first.x, first.y)
    new = tuple(
        replace(s, identities=chances) if s.kind is Kind.COIN and math.dist((s.x, s.y), (x, y)) < 0.4 else s
        for s in seen.table.sightings
    )
    verdict = referee.look(replace(seen, table=replace(seen.table, sightings=new)))
    assert verdict.actions == (action,)
    assert 2.0 < verdict.margin < TUNING.debounce.sure_nats


def test_a_secret_choice_is_no_other_explanation_of_what_was_done_before_it() -> None:
    """A tile sank and shows its back on the heap; dice are covered next, which nobody sees: that is not asked about."""
    history, action, referee, onlooker = warming_before("sink")
    seen = onlooker.see(history.game.layout(history.play(action).state))
    heap = tuple(
        replace(s, face=Face.BACK, identities={}) if s.kind is Kind.TILE else s
        for s in seen.table.sightings
        if s.zone is Zone.SPENT
    )
    rest = tuple(s for s in seen.table.sightings if s.zone is not Zone.SPENT)
    assert len(heap) > 1
    tiles = tuple(s for s in heap if s.kind is Kind.TILE)
    verdict = referee.look(replace(seen, table=replace(seen.table, sightings=(*rest, *tiles))))
    assert (verdict.kind, verdict.actions) == (VerdictKind.ACCEPTED, (action,))


@pytest.mark.parametrize("seed", [0, 3, 8])
def test_dice_are_read_after_what_they_were_thrown_for_though_the_state_knows_an_earlier_throw(seed: int) -> None:
    """Zombie: a door is opened, a tile drawn, and the dice are thrown for what waits behind it. That takes few tables,
    for where a throw is waited for and the dice show another one, it is read at once."""
    tuning = replace(TUNING, search=replace(TUNING.search, max_tables=100))
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
    line = HypothesisSearch(
        rules, TableLikelihood(onlooker.see(layout := rules.layout(history.state)).table, Registration(), layout)
    ).null_hypothesis(history.state)
    unread = []
    for suit, value in (("S", 4), ("M", 4), ("C", 2), ("A", 1), ("S", 5), ("M", 3)):
        history = history.play(action := parse_action(f"roll({suit},{value})"))
        thrown = frozenset(effect.piece for effect in history.entries[-1].effects if effect.piece)
        line = line.with_value(action, history.state, line.fit, thrown, unread=0)
        unread.append(line.unread)
    assert unread == [0, 0, 0, 0, 1, 2]
