"""The laws that every game keeps. A game's own tests call `check_laws` with its options and seats; the whole suite
runs it over all games with random play-outs."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.engine import Action, Step
from rules.engine.action import DICE, ParamKind, parse_action
from rules.engine.card import read_seats
from rules.engine.contract import AnyGame
from rules.engine.dice import read_die, write_dice
from rules.engine.effects import EffectKind
from rules.engine.playout import walk
from rules.engine.rulebook import clauses_of
from rules.pieces import parse_rank
from rules.table.layout import Layout

ABSURD = (
    "fly(a1,b1)",
    "move(z99,q0)",
    "pass(pass,pass,pass,pass,pass,pass,pass,pass,pass)",
    "place(tX9,-1,1e9)",
    "99:pass",
    "0:vote(nobody)",
)


def check_laws(
    game: AnyGame,
    seed: int,
    options: Mapping[str, object] | None = None,
    seats: object = None,
    limit: int = 400,
) -> int:
    """Play one random game and check every law in every state; returns the number of plies."""
    rng = random.Random(seed)
    plies = 0
    actions = []
    state = first = game.start(options, seats)
    stock = _stock(game.layout(first))
    assert game.seats_of(first) == len(read_seats(game.card, seats))
    for state, action in walk(game, seed, options, seats):
        _check_state(game, state, rng, stock)
        step = _check_step(game, state, action)
        actions.append(action)
        plies += 1
        state = step.state
        if plies >= limit:
            break
    _check_replay(game, first, actions, state)
    if game.turn(state).is_over:
        _check_end(game, state)
    return plies


def _stock(layout: Layout) -> Counter[str]:
    return Counter(placed.piece.kind.value for placed in layout)


def _check_state(game: AnyGame, state: Any, rng: random.Random, stock: Counter[str]) -> None:
    legal = list(game.legal(state))
    assert legal, f"nothing is legal, but the game goes on: {game.encode(state)}"
    ids = [action.id for action in legal]
    assert len(set(ids)) == len(ids), f"the same action twice: {ids}"
    for action in rng.sample(legal, min(len(legal), 12)):
        assert game.refusal(state, action) is None, f"{action} is legal, yet: {game.refusal(state, action)}"
        assert parse_action(action.id) == action
        _check_form(game, action)
        assert game.describe(action)
    _check_near(game, state, legal, rng)
    _check_refusals(game, state, set(ids), rng)
    _check_no_such_seat(game, state, rng.choice(legal))
    _check_json(game, state)
    _check_layout(game.layout(state), stock)
    assert game.diagram(state).strip()
    for seat in (None, *game.turn(state).seats):
        assert game.layout(game.view(state, seat)) is not None


def _check_form(game: AnyGame, action: Action) -> None:
    """A value is written by its digit and dice as S0+M5, whatever else is read."""
    for param, code in zip(game.verbs[action.verb].params, action.args, strict=False):
        if param.kind is ParamKind.RANK:
            assert code == parse_rank(code).digit, f"{action} does not write the value as {parse_rank(code).digit}"
        if param.reader is DICE.reader:
            thrown = [part for part in code.split("+") if not part.endswith("-")]
            assert thrown == [write_dice([read_die(part)]) for part in thrown], f"{action} writes dice otherwise"


def _check_near(game: AnyGame, state: Any, legal: list[Action], rng: random.Random) -> None:
    """What is legal at a place is what is legal and points at it."""
    names = sorted({name for action in legal for name in game.touches(action)})
    for name in (*rng.sample(names, min(len(names), 1)), "nowhere"):
        near = {action.id for action in game.legal(state, touching={name})}
        assert near == {action.id for action in legal if name in game.touches(action)}, f"not what is legal at {name}"
    silent = {action.id for action in legal if not game.touches(action)}
    assert {action.id for action in game.without_targets(state)} <= silent, "what points at nothing does"


def _check_refusals(game: AnyGame, state: Any, legal: set[str], rng: random.Random) -> None:
    """Anything may be tried; what is refused cites a clause of the rulebook."""
    clauses = clauses_of(game.card.id)
    for text in (*ABSURD, *_mutants(legal, rng)):
        action = parse_action(text)
        refusal = game.refusal(state, action)
        if refusal is None:
            allowed = (
                action.id in legal
                or action.without_seat.id in legal
                or not game.exhaustive(state)
                or action.seat is not None
            )
            assert allowed, f"{action} is not listed, yet not refused"
            continue
        assert action.id not in legal, f"{action} is listed, yet refused: {refusal}"
        assert refusal.clause in clauses, f"{refusal.clause} is not in the rulebook of {game.card.id}"
        assert refusal.text
        json.dumps(refusal.to_json(), allow_nan=False)


def _check_no_such_seat(game: AnyGame, state: Any, action: Action) -> None:
    """Whoever does not sit at the table is told so, whatever may be done by everybody else."""
    nobody = game.seats_of(state)
    refusal = game.refusal(state, Action(action.verb, action.args, nobody))
    assert refusal is not None, f"seat {nobody} may do {action}"
    assert refusal.facts["seat"] == nobody
    assert refusal.text.startswith(f"there is no seat {nobody} at this table")


def _mutants(legal: set[str], rng: random.Random) -> list[str]:
    """Almost legal actions: the arguments of one in the place of another's."""
    pool = [parse_action(text) for text in rng.sample(sorted(legal), min(len(legal), 8))]
    words = sorted({arg for action in pool for arg in action.args})
    found = []
    for action in pool:
        if action.args and words:
            args = list(action.args)
            args[rng.randrange(len(args))] = rng.choice(words)
            found.append(Action(action.verb, tuple(args), action.seat).id)
            found.append(Action(action.verb, tuple(reversed(action.args)), action.seat).id)
    return found


def _check_json(game: AnyGame, state: Any) -> None:
    text = json.dumps(game.encode(state), allow_nan=False)
    assert game.decode(json.loads(text)) == state, "a state does not survive JSON"


def _check_layout(layout: Layout, stock: Counter[str]) -> None:
    keys = Counter(placed.key for placed in layout)
    twice = [key for key, count in keys.items() if count > 1]
    assert not twice, f"keys used twice: {twice}"
    assert _stock(layout) == stock, f"pieces came or went: {_stock(layout)} instead of {stock}"
    json.dumps(layout.to_json(), allow_nan=False)


def _check_step(game: AnyGame, state: Any, action: Action) -> Step[Any]:
    assert game.refusal(state, action) is None, f"the sampled {action} is refused: {game.refusal(state, action)}"
    before = game.encode(state)
    step = game.apply(state, action)
    assert game.encode(state) == before, "apply changed its input"
    assert game.advance(state, action) == step.state, "advance and apply disagree"
    assert step.effects, f"{action} tells no story"
    clauses = clauses_of(game.card.id)
    for effect in step.effects:
        json.dumps(effect.to_json(), allow_nan=False)
        assert not effect.clause or effect.clause in clauses, f"{effect.clause} is not in the rulebook"
    if game.turn(step.state).is_over:
        assert step.effects[-1].kind is EffectKind.END
        ended = game.outcome(step.state).clause
        assert step.effects[-1].clause == ended, f"the end cites {step.effects[-1].clause}, the outcome {ended}"
    return step


def _check_replay(game: AnyGame, first: Any, actions: list[Action], last: Any) -> None:
    state = first
    for action in actions:
        state = game.apply(state, parse_action(action.id)).state
    assert state == last, "replaying the actions gives another state"


def _check_end(game: AnyGame, state: Any) -> None:
    outcome = game.outcome(state)
    assert outcome.over
    assert outcome.clause in clauses_of(game.card.id)
    assert outcome.reason
    assert not list(game.legal(state))
    refusal = game.refusal(state, Action(game.card.verbs[0].name))
    assert refusal is not None
    assert refusal.code == "game_over"
    assert refusal.clause == outcome.clause, "after the end another clause is cited than the game ended by"
