"""What an action did, told as effects; and how the game ended."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Outcome
from rules.engine.refusal import Fact
from rules.games.tula import taking
from rules.games.tula.opening import State
from rules.games.tula.table import key, stack_spot, temple_spot
from rules.pieces import Piece, tile


def outcome(state: State) -> Outcome:
    left = state.present.bit_count()
    if not state.end:
        return Outcome(scores=(left,))
    if state.end == "won":
        return Outcome(True, (0,), (left,), _won(state), "TULA-5.1")
    reason = f"no tile can be revealed or removed; {left} are left"
    return Outcome(True, (), (left,), reason, "TULA-5.2")


def _won(state: State) -> str:
    points = f", with {state.demerits} penalty points" if state.options.demerit else ""
    return f"all tiles are on the stack{points}"


def story(state: State, action: Action, after: State) -> Iterator[Effect]:
    yield from _what_happens(state, action, after)
    if after.end:
        clause = "TULA-5.1" if after.end == "won" else "TULA-5.2"
        facts: dict[str, Fact] = {"reason": outcome(after).reason, "left": after.present.bit_count()}
        yield Effect(EffectKind.END, seat=0, clause=clause, facts=facts)
    elif taking.chances(after):
        yield Effect(EffectKind.PHASE, clause="TULA-4.2", facts={"phase": "reveal"})
    else:
        yield Effect(EffectKind.TURN, seat=0, facts={"left": after.present.bit_count()})


def _what_happens(state: State, action: Action, after: State) -> Iterator[Effect]:
    if action.verb in ("start", "reveal"):
        return _turn_over(state, after.pending or 0, action)
    if action.verb == "demerit":
        return _demerit(state, after)
    place = taking.place_of(state, action[0])
    if action.verb == "show":
        return _show(state, place, after)
    if action.verb == "exchange":
        return _exchange(state, place)
    return _take(state, place, after)


def _known(state: State, number: int) -> Piece:
    return state.tiles[number] or tile()


def _turn_over(state: State, place: int, action: Action) -> Iterator[Effect]:
    clause = "TULA-4.1" if action.verb == "start" else "TULA-4.2"
    where = temple_spot(state, place)
    yield Effect(EffectKind.FLIP, tile(), key(state.lies[place]), where, where, 0, clause=clause)


def _show(state: State, place: int, after: State) -> Iterator[Effect]:
    number = state.lies[place]
    where = temple_spot(state, place)
    yield Effect(EffectKind.REVEAL, _known(after, number), key(number), target=where, clause="TULA-4.2")
    if state.starting:
        yield _onto_the_stack(after, place, number, "TULA-4.1", {})


def _take(state: State, place: int, after: State) -> Iterator[Effect]:
    number = state.lies[place]
    piece = _known(state, number)
    last = taking.ends(state)
    end = last[-1] if after.left > state.left else last[0] if last else None
    facts: dict[str, Fact] = {}
    if end is not None:
        same = "suit" if piece.suit is end.suit else "value"
        facts = {"matches": end.code, "by": "both" if piece == end else same}
    yield _onto_the_stack(after, place, number, "TULA-4.3", facts)


def _onto_the_stack(after: State, place: int, number: int, clause: str, facts: dict[str, Fact]) -> Effect:
    index = after.stack.index(number)
    ends = (temple_spot(after, place), stack_spot(after, index))
    return Effect(EffectKind.MOVE, _known(after, number), key(number), *ends, 0, clause=clause, facts=facts)


def _exchange(state: State, place: int) -> Iterator[Effect]:
    taken, put = state.lies[place], state.stack[0]
    here, stack = temple_spot(state, place), stack_spot(state, 0)
    yield Effect(EffectKind.MOVE, _known(state, put), key(put), stack, here, 0, clause="TULA-9.1")
    yield Effect(EffectKind.MOVE, _known(state, taken), key(taken), here, stack, 0, clause="TULA-9.1")


def _demerit(state: State, after: State) -> Iterator[Effect]:
    number = state.stack[0]
    ends = (stack_spot(state, 0), stack_spot(after, len(after.stack) - 1))
    yield Effect(EffectKind.MOVE, _known(state, number), key(number), *ends, 0, clause="TULA-9.4")
    facts: dict[str, Fact] = {"total": after.demerits}
    yield Effect(EffectKind.PAY, seat=0, amount=1, clause="TULA-9.4", facts=facts)
