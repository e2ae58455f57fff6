"""Deeds of Tula: possible reveals and removals (TULA-4, TULA-9), their effects on temple and stack, mercy and demerit,
the end (TULA-5)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, PhaseText, Refusal, Verb
from rules.engine.action import PIECE, PLACE
from rules.engine.refusal import Fact
from rules.engine.values import replace, with_item
from rules.games.tula.layout import key, stack_spot, temple_spot
from rules.games.tula.opening import State, hidden, read_tile
from rules.games.tula.temple import accessible, bits, matches
from rules.pieces import Piece, tile
from rules.sentence import InputError, Joint, Sentence, enumerated, say, several

LEFT = "left"
MERCIFUL = ("original", "variant4")


def tile_on(state: State, place: int) -> Piece | None:
    """The known tile on a place, None if unknown."""
    return state.tiles[state.lies[place]]


def revealable(state: State) -> int:
    return accessible(state.options.setup, state.present) & ~state.face_up


def ends(state: State) -> tuple[Piece | None, ...]:
    """Tiles that the next one must match: the top of the stack, or both ends of the line."""
    if not state.stack:
        return ()
    top = state.tiles[state.stack[-1]]
    return (top, state.tiles[state.stack[0]]) if state.options.line and len(state.stack) > 1 else (top,)


def fits(piece: Piece | None, end: Piece | None) -> bool:
    return piece is not None and end is not None and matches(piece, end)


def removals(state: State) -> Iterator[Action]:
    names, last = state.temple.names, ends(state)
    for place in bits(state.face_up & state.uncovered):
        piece = tile_on(state, place)
        if not last or fits(piece, last[0]):
            yield Action("remove", (names[place],))
        if len(last) > 1 and fits(piece, last[1]):
            yield Action("remove", (names[place], LEFT))


def is_fresh(state: State) -> bool:
    return state.options.setup == "original" and not state.face_up and state.present == state.temple.full


def chances(state: State) -> int:
    """Places whose tile is being turned, by choice or automatically (TULA-8.8)."""
    if state.pending is not None:
        return 1 << state.pending
    return revealable(state) if state.options.auto_reveal else 0


def plain_actions(state: State) -> Iterator[Action]:
    """Actions of the player except the demerit."""
    if is_fresh(state):
        yield Action("start")
    yield from reveals(state)
    yield from removals(state)
    yield from exchanges(state)


def reveals(state: State) -> Iterator[Action]:
    names = state.temple.names
    return (Action("reveal", (names[place],)) for place in bits(revealable(state)))


def exchanges(state: State) -> Iterator[Action]:
    if no_mercy(state) is None:
        yield from (Action("exchange", (state.temple.names[place],)) for place in bits(second_layer(state)))


def second_layer(state: State) -> int:
    """The face-up tiles of the layer below the top."""
    return state.temple.layer(state.temple.layers - 1) & state.face_up & state.uncovered


def no_mercy(state: State) -> Sentence | None:
    """Reason against an exchange (TULA-9.1) in words; None if it is possible."""
    built = state.temple
    if not state.options.mercy or state.options.setup not in MERCIFUL:
        return say("this game is played without mercy")
    if state.mercy_used:
        return say("mercy has been used")
    if len(state.stack) != 1 or not built.layer(built.layers) & 1 << state.stack[0]:
        return say("mercy is for the moment after the top tile alone has started the stack")
    if revealable(state) & built.layer(built.layers - 1):
        return say("first all tiles of the next layer have to be revealed")
    for place in bits(second_layer(state)):
        if fits(tile_on(state, place), state.tiles[state.stack[0]]):
            return say("the tile on {place} matches the stack", place=built.names[place])
    return None


def can_demerit(state: State) -> bool:
    """Whether a demerit is possible: no other action, and a tile of the stack that would help (TULA-9.4)."""
    if not state.options.demerit or len(state.stack) < 2 or next(plain_actions(state), None):
        return False
    open_tiles = [tile_on(state, place) for place in bits(state.face_up & state.uncovered)]
    return any(fits(piece, state.tiles[number]) for piece in open_tiles for number in state.stack)


def settle(state: State) -> State:
    """The state with its outcome, if the game is over."""
    if not state.present:
        return replace(state, end="won")
    if state.pending is not None or revealable(state) or next(plain_actions(state), None) or can_demerit(state):
        return state
    return replace(state, end="lost")


def place_of(state: State, name: str) -> int:
    return state.temple.names.index(name)


def after_taking(state: State, place: int, *, left: bool) -> State:
    """The state after a tile has been taken onto the stack."""
    number, others = state.lies[place], ~(1 << place)
    stack = (number, *state.stack) if left else (*state.stack, number)
    present, face_up = state.present & others, state.face_up & others
    return replace(state, present=present, face_up=face_up, stack=stack, left=state.left + left)


def outcome_of(state: State) -> Outcome:
    left = state.present.bit_count()
    if not state.end:
        return Outcome(scores=(left,))
    if state.end != "won":
        reason = say("no tile can be revealed or removed; tiles left: {left}", left=left)
        return Outcome(True, (), (left,), reason, "TULA-5.2")
    reason = say("all tiles are on the stack")
    if state.options.demerit:
        reason = say(
            "all tiles are on the stack, with {count} penalty point",
            "all tiles are on the stack, with {count} penalty points",
            count=state.demerits,
        )
    return Outcome(True, (0,), (left,), reason, "TULA-5.1")


def no_tile(state: State, name: str) -> Refusal | None:
    """Refusal of a place that does not exist or has no tile."""
    names = state.temple.names
    if name not in names:
        text = say(
            "this temple has no place “{place}”; places are written like {example} (layer:x-y)",
            place=name[:20],
            example=names[-1],
        )
        return Refusal(Code.NO_SUCH_PLACE, "TULA-2.1", text, {"place": name[:20]})
    if not state.present >> names.index(name) & 1:
        return Refusal(Code.EMPTY, "TULA-2.1", say("the tile on {place} has already been taken", place=name))
    return None


def covered(state: State, name: str, clause: str) -> Refusal | None:
    place = place_of(state, name)
    if state.uncovered >> place & 1:
        return None
    above = [state.temple.names[other] for other in bits(state.temple.above[place] & state.present)]
    text = say("the tile on {place} is covered by {above}", place=name, above=several(above))
    return Refusal(Code.BLOCKED, clause, text, {"place": name, "covered_by": above})


def piece_of(state: State, number: int) -> Piece:
    return state.tiles[number] or tile()


def stack_effect(after: State, place: int, number: int, clause: str, facts: dict[str, Fact]) -> Effect:
    ends = (temple_spot(after, place), stack_spot(after, after.stack.index(number)))
    return Effect(EffectKind.MOVE, piece_of(after, number), key(number), *ends, 0, clause=clause, facts=facts)


class TulaDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        left = after.present.bit_count()
        if after.end:
            outcome = outcome_of(after)
            facts: dict[str, Fact] = {"reason": outcome.reason, "left": left}
            yield Effect(EffectKind.END, seat=0, clause=outcome.clause, facts=facts, sentence=outcome.sentence)
        elif chances(after):
            yield Effect(EffectKind.PHASE, clause="TULA-4.2", facts={"phase": "reveal"})
        else:
            yield Effect(EffectKind.TURN, seat=0, facts={"left": left})


class Remove(TulaDeed):
    verb = Verb.of("remove", "take the tile on {place} {end}", "TULA-4.3", place=PLACE, end="word?")
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        return removals(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        if not state.face_up >> place_of(state, name) & 1:
            text = say("the tile on {place} lies face down; it has to be revealed first", place=name)
            return Refusal(Code.NOT_ALLOWED, "TULA-8.4", text)
        return covered(state, name, "TULA-4.3") or _no_match(state, action)

    def advance(self, state: State, action: Action) -> State:
        return settle(after_taking(state, place_of(state, action[0]), left=len(action.args) > 1))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        place = place_of(before, action[0])
        number, last = before.lies[place], ends(before)
        end = last[-1] if len(action.args) > 1 else last[0] if last else None
        facts: dict[str, Fact] = {}
        if end is not None:
            piece = piece_of(before, number)
            same = "suit" if piece.suit is end.suit else "value"
            facts = {"matches": end.code, "by": "both" if piece == end else same}
        yield stack_effect(after, place, number, "TULA-4.3", facts)


class Exchange(TulaDeed):
    """The two tiles change places, also in the memory of where each came from."""

    verb = Verb.of("exchange", "exchange the top of the stack with the tile on {place}", "TULA-4.4", place=PLACE)
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        return exchanges(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        if why := no_mercy(state):
            return Refusal(Code.NOT_ALLOWED, "TULA-9.1", say("no exchange: {why}", why=why), {"place": name})
        if second_layer(state) >> place_of(state, name) & 1:
            return None
        text = say("{place} is not one of the face-up tiles of the layer below the top", place=name)
        return Refusal(Code.NOT_ALLOWED, "TULA-9.1", text)

    def advance(self, state: State, action: Action) -> State:
        place = place_of(state, action[0])
        took, put = state.lies[place], state.stack[0]
        lies = list(state.lies)
        lies[lies.index(put)], lies[place] = took, put
        return settle(replace(state, lies=tuple(lies), stack=(took,), mercy_used=True))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        place = place_of(before, action[0])
        ends = temple_spot(before, place), stack_spot(before, 0)
        for number, way in ((before.stack[0], ends[::-1]), (before.lies[place], ends)):
            yield Effect(EffectKind.MOVE, piece_of(before, number), key(number), *way, 0, clause="TULA-9.1")


class Demerit(TulaDeed):
    verb = Verb.of("demerit", "bring the bottom tile of the stack to its top", "TULA-9.4")
    phases = ("take",)
    is_last_resort = True

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("demerit"),) if can_demerit(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if can_demerit(state):
            return None
        text = say("bringing the bottom tile up is for a player who is stuck, with that option, and where it helps")
        return Refusal(Code.NOT_ALLOWED, "TULA-9.4", text)

    def advance(self, state: State, action: Action) -> State:
        turned = (*state.stack[1:], state.stack[0])
        return settle(replace(state, stack=turned, left=state.left - 1, demerits=state.demerits + 1))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        number, way = before.stack[0], (stack_spot(before, 0), stack_spot(after, len(after.stack) - 1))
        yield Effect(EffectKind.MOVE, piece_of(before, number), key(number), *way, 0, clause="TULA-9.4")
        yield Effect(EffectKind.PAY, seat=0, amount=1, clause="TULA-9.4", facts={"total": after.demerits})


def _no_match(state: State, action: Action) -> Refusal | None:
    last = ends(state)
    if len(action.args) > 1 and (action[1] != LEFT or len(last) < 2):
        text = say("a tile goes on the stack; “{given}” means nothing here", given=action[1][:20])
        return Refusal(Code.BAD_ARGUMENT, "TULA-9.4", text, {"end": action[1][:20]})
    end = last[len(action.args) - 1] if last else None
    piece = tile_on(state, place_of(state, action[0]))
    if not last or fits(piece, end) or piece is None or end is None:
        return None
    text = say("{piece} on {place} matches {end} neither in suit nor in value", piece=piece, place=action[0], end=end)
    return Refusal(Code.NOT_ALLOWED, "TULA-4.7", text, {"place": action[0], "tile": piece.code, "stack": end.code})


class Start(TulaDeed):
    verb = Verb.of("start", "take the top tile as the first of the stack", "TULA-4.1")
    phases = ("take",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("start"),) if is_fresh(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if is_fresh(state):
            return None
        if state.options.setup != "original":
            text = say("here the stack starts empty; any tile that can be removed may be the first")
            return Refusal(Code.NOT_ALLOWED, "TULA-3.4", text, {"setup": state.options.setup})
        return Refusal(Code.WRONG_PHASE, "TULA-4.1", say("the temple has already been begun"))

    def advance(self, state: State, action: Action) -> State:
        return replace(state, pending=len(state.temple.spots) - 1, starting=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield _turn_effect(after, "TULA-4.1")


class Reveal(TulaDeed):
    verb = Verb.of("reveal", "turn the tile on {place}", "TULA-4.2", place=PLACE)
    phases = ("take",)

    def legal(self, state: State) -> Iterator[Action]:
        return reveals(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        name = action[0]
        if refusal := no_tile(state, name):
            return refusal
        place = place_of(state, name)
        if state.face_up >> place & 1:
            return Refusal(Code.REPEATS, "TULA-4.6", say("the tile on {place} already lies face up", place=name))
        if refusal := covered(state, name, "TULA-4.2"):
            return refusal
        if accessible(state.options.setup, state.present) >> place & 1:
            return None
        sides = state.temple.blocked_sides(place, state.present)
        text = say(
            "the tile on {place} has no free corner: a tile of its layer stands at its {sides} edge",
            "the tile on {place} has no free corner: tiles of its layer stand at its {sides} edges",
            count=len(sides),
            place=name,
            sides=enumerated(sides, Joint.AND),
        )
        return Refusal(Code.BLOCKED, "TULA-2.5", text, {"place": name, "edges": sides})

    def advance(self, state: State, action: Action) -> State:
        return replace(state, pending=place_of(state, action[0]))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield _turn_effect(after, "TULA-4.2")


class Show(TulaDeed):
    verb = Verb.of("show", "{place} shows {tile}", "TULA-4.2", place=PLACE, tile=PIECE)
    phases = ("reveal",)

    def legal(self, state: State) -> Iterator[Action]:
        anything = list(dict.fromkeys(hidden(state)))
        for place in bits(chances(state)):
            pieces = [state.deal[state.lies[place]]] if state.deal else anything
            yield from (show_action(state, place, piece) for piece in pieces)

    def sample(self, state: State, rng: random.Random) -> Action:
        return random_result(state, rng)

    def check(self, state: State, action: Action) -> Refusal | None:
        name, code = action.args
        if refusal := no_tile(state, name):
            return refusal
        if not chances(state) >> place_of(state, name) & 1:
            return Refusal(Code.WRONG_PHASE, "TULA-4.2", say("the tile on {place} is not being turned now", place=name))
        try:
            piece = read_tile(code)
        except InputError as error:
            return Refusal(Code.NO_SUCH_PIECE, "TULA-1.1", error.sentence, {"tile": code[:20]})
        if piece.code != code:
            text = say("write this tile as {code}", code=piece.code)
            return Refusal(Code.BAD_ARGUMENT, "TULA-1.1", text, {"tile": code})
        seen = state.tiles.count(piece)
        if seen >= state.temple.packs:
            text = say("{piece} has already been seen elsewhere", piece=piece)
            return Refusal(Code.CONTRADICTS, "TULA-1.1", text, {"tile": piece.code, "seen": seen})
        expected = state.deal[state.lies[place_of(state, name)]] if state.deal else piece
        if piece == expected:
            return None
        text = say("this prepared deal has {expected} on {place}", expected=expected, place=name)
        return Refusal(Code.CONTRADICTS, "TULA-3.1", text, {"tile": piece.code})

    def advance(self, state: State, action: Action) -> State:
        place = place_of(state, action[0])
        number = state.lies[place]
        tiles = with_item(state.tiles, number, read_tile(action[1]))
        after = replace(state, tiles=tiles, face_up=state.face_up | 1 << place, pending=None, starting=False)
        return settle(after_taking(after, place, left=False) if state.starting else after)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        place = place_of(before, action[0])
        number, where = before.lies[place], temple_spot(before, place)
        yield Effect(EffectKind.REVEAL, piece_of(after, number), key(number), target=where, clause="TULA-4.2")
        if before.starting:
            yield stack_effect(after, place, number, "TULA-4.1", {})


def random_result(state: State, rng: random.Random) -> Action:
    """A random result for one of the tiles being turned."""
    place = rng.choice(list(bits(chances(state))))
    return show_action(state, place, state.deal[state.lies[place]] if state.deal else rng.choice(hidden(state)))


def show_action(state: State, place: int, piece: Piece) -> Action:
    """The action that tells the visible side of a turned tile."""
    return Action("show", (state.temple.names[place], piece.code))


def _turn_effect(after: State, clause: str) -> Effect:
    """Effect of the tile being turned."""
    place = after.pending or 0
    where = temple_spot(after, place)
    return Effect(EffectKind.FLIP, tile(), key(after.lies[place]), where, where, 0, clause=clause)


DEEDS = (Start(), Reveal(), Show(), Remove(), Exchange(), Demerit())
PHASES: dict[str, PhaseText] = {
    "take": PhaseText("TULA-4.2", "no tile is being turned now"),
    "reveal": PhaseText("TULA-4.2", "first the tile on {places} has to be turned up"),
}
