"""Tiles go onto the stack; mercy and demerit for who is stuck (TULA-4.3, TULA-4.4, TULA-9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.engine.refusal import Fact
from rules.games.tula.deeds.common import covered, known, no_tile, onto_the_stack, refuse, what_follows
from rules.games.tula.layout import key, stack_spot, temple_spot
from rules.games.tula.opening import State
from rules.games.tula.removals import (
    LEFT,
    can_demerit,
    ends,
    exchanges,
    fits,
    no_mercy,
    place_of,
    removals,
    second_layer,
    settle,
    taken,
    tile_on,
)
from rules.sentence import say


class Remove(Deed[State]):
    verb = Verb.of("remove", "take the tile on {place} {end}", "TULA-4.3", place=ParamKind.PLACE, end="word?")
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        return removals(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        if not state.face_up >> place_of(state, name) & 1:
            text = say("the tile on {place} lies face down; it has to be revealed first", place=name)
            return refuse(Code.NOT_ALLOWED, "TULA-8.4", text, place=name)
        return covered(state, name, "TULA-4.3") or _no_match(state, action)

    def advance(self, state: State, action: Action) -> State:
        return settle(taken(state, place_of(state, action[0]), left=len(action.args) > 1))

    def do(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        place = place_of(state, action[0])
        number, last = state.lies[place], ends(state)
        end = last[-1] if len(action.args) > 1 else last[0] if last else None
        facts: dict[str, Fact] = {}
        if end is not None:
            piece = known(state, number)
            same = "suit" if piece.suit is end.suit else "value"
            facts = {"matches": end.code, "by": "both" if piece == end else same}
        return Step(after, (onto_the_stack(after, place, number, "TULA-4.3", facts), what_follows(after)))


class Exchange(Deed[State]):
    """The two tiles change places, also in the memory of where each came from."""

    verb = Verb.of(
        "exchange", "exchange the top of the stack with the tile on {place}", "TULA-4.4", place=ParamKind.PLACE
    )
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        return exchanges(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        if why := no_mercy(state):
            return refuse(Code.NOT_ALLOWED, "TULA-9.1", say("no exchange: {why}", why=why), place=name)
        if second_layer(state) >> place_of(state, name) & 1:
            return None
        text = say("{place} is not one of the face-up tiles of the layer below the top", place=name)
        return refuse(Code.NOT_ALLOWED, "TULA-9.1", text, place=name)

    def do(self, state: State, action: Action) -> Step[State]:
        place = place_of(state, action[0])
        took, put = state.lies[place], state.stack[0]
        lies = list(state.lies)
        lies[lies.index(put)], lies[place] = took, put
        after = settle(replace(state, lies=tuple(lies), stack=(took,), mercy_used=True))
        here, stack = temple_spot(state, place), stack_spot(state, 0)
        down = Effect(EffectKind.MOVE, known(state, put), key(put), stack, here, 0, clause="TULA-9.1")
        up = Effect(EffectKind.MOVE, known(state, took), key(took), here, stack, 0, clause="TULA-9.1")
        return Step(after, (down, up, what_follows(after)))


class Demerit(Deed[State]):
    verb = Verb.of("demerit", "bring the bottom tile of the stack to its top", "TULA-9.4")
    phases = ("take",)
    last_resort = True

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("demerit"),) if can_demerit(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if can_demerit(state):
            return None
        text = say("bringing the bottom tile up is for a player who is stuck, with that option, and where it helps")
        return refuse(Code.NOT_ALLOWED, "TULA-9.4", text)

    def do(self, state: State, action: Action) -> Step[State]:
        turned = (*state.stack[1:], state.stack[0])
        after = settle(replace(state, stack=turned, left=state.left - 1, demerits=state.demerits + 1))
        number, way = state.stack[0], (stack_spot(state, 0), stack_spot(after, len(after.stack) - 1))
        moved = Effect(EffectKind.MOVE, known(state, number), key(number), *way, 0, clause="TULA-9.4")
        paid = Effect(EffectKind.PAY, seat=0, amount=1, clause="TULA-9.4", facts={"total": after.demerits})
        return Step(after, (moved, paid, what_follows(after)))


def _no_match(state: State, action: Action) -> Refusal | None:
    last = ends(state)
    if len(action.args) > 1 and (action[1] != LEFT or len(last) < 2):
        text = say("a tile goes on the stack; “{given}” means nothing here", given=action[1][:20])
        return refuse(Code.BAD_ARGUMENT, "TULA-9.4", text, end=action[1][:20])
    end = last[len(action.args) - 1] if last else None
    piece = tile_on(state, place_of(state, action[0]))
    if not last or fits(piece, end) or piece is None or end is None:
        return None
    text = say("{piece} on {place} matches {end} neither in suit nor in value", piece=piece, place=action[0], end=end)
    return refuse(Code.NOT_ALLOWED, "TULA-4.7", text, place=action[0], tile=piece.code, stack=end.code)
