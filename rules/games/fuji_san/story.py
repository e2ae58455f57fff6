"""What an action did, told as effects."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Spot
from rules.engine.refusal import Fact
from rules.games.fuji_san.climbing import free_spaces, occupied
from rules.games.fuji_san.mountain import INDEX, NAMES, ROW_MASK, STEP_SUITS, SUMMIT, WIDTH, coin_at
from rules.games.fuji_san.opening import State
from rules.games.fuji_san.table import spot
from rules.games.fuji_san.turning import target_of
from rules.pieces import SUITS, Rank, coin, die, pawn
from rules.table.layout import Zone

REASONS = {
    "summit": "all four priests are on the summit after {moves} moves",
    "down": "all four priests are down again after {moves} moves",
    "failed": "foul weather: no priest can move, even with the dice",
    "stuck": "no priest can move any more",
    "lost": "the goal is out of reach: no sequence of moves leads there",
}
END_CLAUSES = {
    "summit": "FUJI-5.1",
    "down": "FUJI-9.4",
    "failed": "FUJI-3.6",
    "stuck": "FUJI-5.2",
    "lost": "FUJI-5.2",
}


def story(state: State, action: Action, after: State) -> Iterator[Effect]:
    yield from _what_happens(state, action, after)
    if after.end:
        reason = REASONS[after.end].format(moves=after.moves)
        facts: dict[str, Fact] = {"reason": reason, "moves": after.moves}
        yield Effect(EffectKind.END, seat=0, clause=END_CLAUSES[after.end], facts=facts)
    elif after.phase != state.phase:
        yield Effect(EffectKind.PHASE, clause=_PHASES[after.phase], facts={"phase": after.phase})
    else:
        yield Effect(EffectKind.TURN, seat=0, facts={"moves": after.moves})


def _what_happens(state: State, action: Action, after: State) -> Iterator[Effect]:
    if action.verb == "deal":
        return _deal(after)
    if action.verb == "roll":
        return _roll(after)
    if action.verb == "carry":
        return _carry(state, action)
    return _rescue(state, action, after) if action.verb == "rescue" else _move(state, action, after)


_PHASES = {
    "ascent": "FUJI-4.7",
    "roll": "FUJI-3.6",
    "rescue": "FUJI-3.6",
    "carry": "FUJI-9.4",
    "descent": "FUJI-9.4",
}


def _spot(place: str) -> Spot:
    return Spot(place, *spot(place))


def _deal(after: State) -> Iterator[Effect]:
    for name in NAMES:
        number = coin_at(name)
        if number is not None:
            piece = coin(STEP_SUITS[number % 12], Rank(after.values[number]))
            yield Effect(EffectKind.REVEAL, piece, f"coin-{name}", target=_spot(name), clause="FUJI-3.2")


def _roll(after: State) -> Iterator[Effect]:
    for suit, number in zip(SUITS, after.dice, strict=True):
        yield Effect(EffectKind.ROLL, die(suit, Rank(number)), f"die-{suit}", amount=number, clause="FUJI-3.6")


def _rescue(state: State, action: Action, after: State) -> Iterator[Effect]:
    seat = [suit.value for suit in SUITS].index(action[0])
    number = state.dice[seat]
    choice: dict[str, Fact] = {"choice": action[0], "die": number}
    yield Effect(EffectKind.CHOOSE, seat=0, clause="FUJI-3.6", facts=choice)
    if number:
        source, target = NAMES[state.priests[seat]], NAMES[after.priests[seat]]
        yield _walk(seat, source, target, "FUJI-3.6", {"spaces": number, "moves": after.moves})


def _carry(state: State, action: Action) -> Iterator[Effect]:
    for summit, ground in zip(SUMMIT, action.args, strict=True):
        number = coin_at(summit) or 0
        rank = Rank(state.values[number])
        facts: dict[str, Fact] = {"counts": max(1, 0 if rank == 1 and state.options.aces_null else int(rank))}
        piece = coin(STEP_SUITS[number % 12], rank)
        key = f"coin-{summit}"
        yield Effect(EffectKind.MOVE, piece, key, _spot(summit), _spot(ground), clause="FUJI-9.4", facts=facts)


_CLAUSES = {"climb": "FUJI-4.1", "side": "FUJI-4.2", "cross": "FUJI-4.3"}


def _move(state: State, action: Action, after: State) -> Iterator[Effect]:
    source, target = action[0], target_of(action)
    seat = state.priests.index(INDEX[source])
    facts: dict[str, Fact] = {"how": action.verb, "moves": after.moves}
    if action.verb == "climb":
        row, start = divmod(INDEX[source], WIDTH)
        here = occupied(state) >> row * WIDTH & ROW_MASK
        facts["spaces"] = free_spaces(here, start, INDEX[target] % WIDTH)
    yield _walk(seat, source, target, _CLAUSES[action.verb], facts)
    if after.priests[seat] < 0:
        off = Spot(zone=Zone.SPENT, seat=0)
        suit = SUITS[seat]
        yield Effect(EffectKind.REMOVE, pawn(suit), f"priest-{suit}", _spot(target), off, clause="FUJI-9.4")


def _walk(seat: int, source: str, target: str, clause: str, facts: dict[str, Fact]) -> Effect:
    suit = SUITS[seat]
    ends = (_spot(source), _spot(target))
    return Effect(EffectKind.MOVE, pawn(suit), f"priest-{suit}", *ends, 0, clause=clause, facts=facts)
