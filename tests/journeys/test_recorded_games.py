"""Games that are played before a camera are recorded with their truth, and a referee that is told what lies there
follows all of them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace

import pytest

from companion_api.simulated.incidents import ActKind
from rules.games import game
from tests.bench.ground.capture import Shooting, film, stills
from tests.bench.ground.judge import judged
from tests.bench.ground.recording import Deed, Recording
from tests.bench.trials.stills import sequence, with_acts
from tests.tiers import full

SMALL = (640, 360)


@pytest.mark.parametrize("name", ["dodgem", "zombie", "decay", "delegate_dash"])
def test_a_sequence_can_be_played(name: str) -> None:
    rules = game(name)
    history, _, shown = sequence(rules, 7, 4)
    assert shown
    for still in shown:
        for action in still.actions:
            history = history.play(action)
        assert history.state == still.state
        assert len(still.layout) == len(rules.layout(still.state))


def results(recording: Recording) -> set[str]:
    """Of the legal steps."""
    return results_by_deed(recording)[Deed.LEGAL]


def results_by_deed(recording: Recording) -> dict[Deed, set[str]]:
    found = defaultdict(set)
    steps = judged(recording, helping=False).steps
    for step in steps:
        result = step.result if step.result in ("right", "clause") else f"{step.result}: {step.note}"
        found[recording.steps[step.number].deed].add(result)
    for deed in (Deed.LEGAL, Deed.ILLEGAL):
        judged_steps = sum(recording.steps[step.number].deed is deed for step in steps)
        assert judged_steps == sum(step.deed is deed for step in recording.steps)
    return found


@pytest.mark.parametrize(
    ("name", "seed", "turns"),
    [
        full(("zombie", 409, 5)),  # who ends a turn and who cowers move the clock alike: what follows tells which
        full(("dectana", 414, 5)),  # cards drawn into a hand, a pass before another's deed
        full(("delegate_dash", 409, 3)),  # candidates that stay leave no trace
        full(("delegate_dash", 413, 5)),  # dice that decide a caucus, and are thrown for the order of moves
        full(("global_warming", 413, 5)),  # a pawn that drowned lies right beside the board
        full(("global_warming", 412, 5)),  # the new coin of the line shows what another showed
    ],
)
def test_stills_of_a_game_are_followed(name: str, seed: int, turns: int) -> None:
    assert results(stills(Shooting(name, seed, SMALL, turns, illegal=0, style="white"), None)) == {"right"}


@pytest.mark.parametrize(("name", "style"), [("dodgem", "classic"), full(("penguin", "card"))])
def test_a_filmed_game_is_followed(name: str, style: str) -> None:
    assert results(film(Shooting(name, 11, SMALL, turns=2, illegal=0, style=style), None)) == {"right"}


def test_illegal_acts_of_several_kinds_are_shown_and_put_right_and_change_nothing_of_the_game() -> None:
    rules = game("dodgem")
    begin, _, legal = sequence(rules, 6, 1)
    shown = with_acts(rules, begin, legal, 2, random.Random(6))
    assert [still for still in shown if still.meant is None] == legal
    staged = [still.meant for still in shown if still.meant is not None]
    assert [meant.deed for meant in staged] == [ActKind.ILLEGAL, ActKind.PUT_RIGHT] * 2
    assert len({meant.incident for meant in staged}) == 2
    recording = stills(Shooting("dodgem", 6, SMALL, turns=1, illegal=2, style="white"), None)
    found = results_by_deed(recording)
    assert found[Deed.LEGAL] == {"right"}
    assert not any(result.startswith("passed") for result in found[Deed.ILLEGAL])


def test_what_was_not_done_is_wrong() -> None:
    rules = game("dodgem")
    recording = stills(Shooting("dodgem", 6, SMALL, turns=1, illegal=0, style="white"), None)
    begin, _, [still] = sequence(rules, 6, 1)
    other = next(action for action in rules.legal(begin.state) if action not in still.actions)
    false = tuple(replace(step, actions=(other.id,)) if step.actions else step for step in recording.steps)
    [result] = results(replace(recording, steps=false))
    assert result.startswith("wrong")


def test_where_nobody_is_to_act_nothing_is_staged() -> None:
    rules = game("dodgem")
    begin, _, shown = sequence(rules, 6, 3)
    assert with_acts(rules, begin, shown, 0, random.Random(6)) == shown
    assert with_acts(rules, begin, [], 4, random.Random(6)) == []
