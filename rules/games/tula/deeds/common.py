"""What several deeds say and tell."""

from __future__ import annotations

from rules.engine import Code, Effect, EffectKind, Refusal
from rules.engine.refusal import Fact
from rules.games.tula.ending import outcome_of
from rules.games.tula.layout import key, stack_spot, temple_spot
from rules.games.tula.opening import State
from rules.games.tula.removals import chances, place_of
from rules.games.tula.temple import bits, temple, uncovered
from rules.pieces import Piece, tile
from rules.sentence import Sentence, say, several


def refuse(code: Code, clause: str, text: Sentence, **facts: str | int | list[str]) -> Refusal:
    return Refusal(code, clause, text, facts)


def no_tile(state: State, name: str) -> Refusal | None:
    """Whether there is such a place, with a tile on it."""
    names = temple(state.options.setup).names
    if name not in names:
        text = say(
            "this temple has no place “{place}”; places are written like {example} (layer:x-y)",
            place=name[:20],
            example=names[-1],
        )
        return refuse(Code.NO_SUCH_PLACE, "TULA-2.1", text, place=name[:20])
    if not state.present >> names.index(name) & 1:
        return refuse(Code.EMPTY, "TULA-2.1", say("the tile on {place} has already been taken", place=name), place=name)
    return None


def covered(state: State, name: str, clause: str) -> Refusal | None:
    place = place_of(state, name)
    if uncovered(state.options.setup, state.present) >> place & 1:
        return None
    built = temple(state.options.setup)
    above = [built.names[other] for other in bits(built.above[place] & state.present)]
    text = say("the tile on {place} is covered by {above}", place=name, above=several(above))
    return refuse(Code.BLOCKED, clause, text, place=name, covered_by=above)


def known(state: State, number: int) -> Piece:
    return state.tiles[number] or tile()


def onto_the_stack(after: State, place: int, number: int, clause: str, facts: dict[str, Fact]) -> Effect:
    ends = (temple_spot(after, place), stack_spot(after, after.stack.index(number)))
    return Effect(EffectKind.MOVE, known(after, number), key(number), *ends, 0, clause=clause, facts=facts)


def what_follows(after: State) -> Effect:
    left = after.present.bit_count()
    if after.end:
        outcome = outcome_of(after)
        facts: dict[str, Fact] = {"reason": outcome.reason, "left": left}
        return Effect(EffectKind.END, seat=0, clause=outcome.clause, facts=facts, said=outcome.said)
    if chances(after):
        return Effect(EffectKind.PHASE, clause="TULA-4.2", facts={"phase": "reveal"})
    return Effect(EffectKind.TURN, seat=0, facts={"left": left})
