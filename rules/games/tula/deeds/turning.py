"""Tiles are turned up, and show what they are (TULA-4.1, TULA-4.2)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.games.tula.deeds.common import covered, known, no_tile, onto_the_stack, refuse, what_follows
from rules.games.tula.layout import key, temple_spot
from rules.games.tula.opening import State, hidden, read_tile
from rules.games.tula.removals import chances, is_fresh, place_of, revealable, settle, taken
from rules.games.tula.temple import accessible, bits, temple
from rules.pieces import Piece, tile
from rules.sentence import Joint, SaidError, enumerated, say


class Start(Deed[State]):
    verb = Verb.of("start", "take the top tile as the first of the stack", "TULA-4.1")
    phases = ("take",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("start"),) if is_fresh(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if is_fresh(state):
            return None
        if state.options.setup != "original":
            text = say("here the stack starts empty; any tile that can be removed may be the first")
            return refuse(Code.NOT_ALLOWED, "TULA-3.4", text, setup=state.options.setup)
        return refuse(Code.WRONG_PHASE, "TULA-4.1", say("the temple has already been begun"))

    def do(self, state: State, action: Action) -> Step[State]:
        top = temple(state.options.setup).full.bit_length() - 1
        after = replace(state, pending=top, starting=True)
        return Step(after, (_turned(state, top, "TULA-4.1"), what_follows(after)))


class Reveal(Deed[State]):
    verb = Verb.of("reveal", "turn the tile on {place}", "TULA-4.2", place=ParamKind.PLACE)
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        names = temple(state.options.setup).names
        return (Action("reveal", (names[place],)) for place in bits(revealable(state)))

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        place = place_of(state, name)
        if state.face_up >> place & 1:
            return refuse(
                Code.REPEATS, "TULA-4.6", say("the tile on {place} already lies face up", place=name), place=name
            )
        if refusal := covered(state, name, "TULA-4.2"):
            return refusal
        if accessible(state.options.setup, state.present) >> place & 1:
            return None
        sides = temple(state.options.setup).blocked_sides(place, state.present)
        text = say(
            "the tile on {place} has no free corner: a tile of its layer stands at its {sides} edge",
            "the tile on {place} has no free corner: tiles of its layer stand at its {sides} edges",
            count=len(sides),
            place=name,
            sides=enumerated(sides, Joint.AND),
        )
        return refuse(Code.BLOCKED, "TULA-2.5", text, place=name, edges=sides)

    def advance(self, state: State, action: Action) -> State:
        return replace(state, pending=place_of(state, action[0]))

    def do(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, (_turned(state, place_of(state, action[0]), "TULA-4.2"), what_follows(after)))


class Show(Deed[State]):
    verb = Verb.of("show", "{place} shows {tile}", "TULA-4.2", place=ParamKind.PLACE, tile=ParamKind.PIECE)
    phases = ("reveal",)

    def legal(self, state: State) -> Iterator[Action]:
        anything = list(dict.fromkeys(hidden(state)))
        for place in bits(chances(state)):
            pieces = [state.deal[state.lies[place]]] if state.deal else anything
            yield from (shown(state, place, piece) for piece in pieces)

    def sample(self, state: State, rng: random.Random) -> Action:
        return by_luck(state, rng)

    def check(self, state: State, action: Action) -> Refusal | None:
        name, code = action.args
        if refusal := no_tile(state, name):
            return refusal
        if not chances(state) >> place_of(state, name) & 1:
            return refuse(
                Code.WRONG_PHASE, "TULA-4.2", say("the tile on {place} is not being turned now", place=name), place=name
            )
        try:
            piece = read_tile(code)
        except SaidError as error:
            return refuse(Code.NO_SUCH_PIECE, "TULA-1.1", error.said, tile=code[:20])
        if piece.code != code:
            return refuse(Code.BAD_ARGUMENT, "TULA-1.1", say("write this tile as {code}", code=piece.code), tile=code)
        return _another_tile(state, name, piece)

    def advance(self, state: State, action: Action) -> State:
        place = place_of(state, action[0])
        number = state.lies[place]
        tiles = (*state.tiles[:number], read_tile(action[1]), *state.tiles[number + 1 :])
        after = replace(state, tiles=tiles, face_up=state.face_up | 1 << place, pending=None, starting=False)
        return settle(taken(after, place, left=False) if state.starting else after)

    def do(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, (*_shown(state, place_of(state, action[0]), after), what_follows(after)))


def by_luck(state: State, rng: random.Random) -> Action:
    """One of the tiles that are being turned shows something."""
    place = rng.choice(list(bits(chances(state))))
    return shown(state, place, state.deal[state.lies[place]] if state.deal else rng.choice(hidden(state)))


def shown(state: State, place: int, piece: Piece) -> Action:
    """What a turned tile shows, as an action."""
    return Action("show", (temple(state.options.setup).names[place], piece.code))


def _turned(state: State, place: int, clause: str) -> Effect:
    where = temple_spot(state, place)
    return Effect(EffectKind.FLIP, tile(), key(state.lies[place]), where, where, 0, clause=clause)


def _shown(state: State, place: int, after: State) -> Iterator[Effect]:
    number = state.lies[place]
    where = temple_spot(state, place)
    yield Effect(EffectKind.REVEAL, known(after, number), key(number), target=where, clause="TULA-4.2")
    if state.starting:
        yield onto_the_stack(after, place, number, "TULA-4.1", {})


def _another_tile(state: State, name: str, piece: Piece) -> Refusal | None:
    seen = state.tiles.count(piece)
    if seen >= temple(state.options.setup).packs:
        text = say("{piece} has already been seen elsewhere", piece=piece)
        return refuse(Code.CONTRADICTS, "TULA-1.1", text, tile=piece.code, seen=seen)
    expected = state.deal[state.lies[place_of(state, name)]] if state.deal else piece
    if piece is expected or piece == expected:
        return None
    text = say("this prepared deal has {expected} on {place}", expected=expected, place=name)
    return refuse(Code.CONTRADICTS, "TULA-3.1", text, tile=piece.code)
