"""Deeds of choosing: dice set in secret, on phones or on the table, and uncovered together (GW-4.1, GW-4.3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.action import DICE, RANK, SUIT, PieceIcon
from rules.engine.refusal import Fact
from rules.engine.values import replace, with_item
from rules.games.global_warming.deeds.common import WarmingDeed, drowning_effects, lapse_effects
from rules.games.global_warming.opening import MISSING, Phase, State
from rules.games.global_warming.turns import (
    FACES,
    acting_order,
    actor_of,
    faces_set,
    handler_after,
    pawn_of,
    split,
    still_choosing,
)
from rules.pieces import RANKS, Kind, Suit, die, parse_rank, parse_suit
from rules.sentence import Person, say, several

_SHOWN = (*(rank.digit for rank in RANKS), MISSING)
"""Faces of an uncovered die, also missing."""


class Commit(WarmingDeed):
    verb = Verb.of(
        "commit",
        "set the {die} die to {face}",
        "GW-4.1",
        drawn=PieceIcon(Kind.DIE, suit="die", value="face"),
        die=SUIT,
        face=RANK,
    )
    phases = (Phase.SELECT,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        for index in state.alive:
            if not state.faces[index]:
                for rank in RANKS:
                    yield Action("commit", (state.suits[index].letter, rank.digit), state.owners[index])

    def sample(self, state: State, rng: random.Random) -> Action:
        """Mostly sealed choices; sometimes all dice at once, or a resignation."""
        waiting = [index for index in state.alive if not state.faces[index]]
        luck = rng.random()
        if luck < 0.1:
            faces = [state.suits[index].letter + rng.choice(_SHOWN) for index in waiting]
            return Action("reveal", ("+".join(faces),))
        index = waiting[int(rng.random() * len(waiting))]
        if luck < 0.12 and state.options.resign:
            return Action("resign", (), state.owners[index])
        rank = RANKS[int(rng.random() * 6)]
        return Action("commit", (state.suits[index].letter, rank.digit), state.owners[index])

    def check(self, state: State, action: Action) -> Refusal | None:
        seat = actor_of(state, action)
        if refusal := _check_die(state, action[0]) or _check_face(action[1]):
            return refusal
        index = state.suits.index(parse_suit(action[0]))
        suit = state.suits[index]
        if seat is not None and state.owners[index] != seat:
            text = say("the {die} die belongs to {owner}", die=suit, owner=Person(state.owners[index]))
            return Refusal(Code.NOT_YOURS, "GW-1.5", text, {"die": suit.value, "owner": state.owners[index]})
        if state.faces[index]:
            text = say("the {die} die is set and covered already", die=suit)
            return Refusal(Code.REPEATS, "GW-4.1", text, {"die": suit.value})
        return None

    def advance(self, state: State, action: Action) -> State:
        index = pawn_of(state, action[0])
        face = parse_rank(action[1]).letter
        return faces_set(state, with_item(state.faces, index, face))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        """The effect leaves the face out, which is secret until all dice are uncovered."""
        index = pawn_of(before, action[0])
        suit, owner = before.suits[index], before.owners[index]
        yield Effect(
            EffectKind.CHOOSE, die(suit), f"d{suit.letter}", seat=owner, clause="GW-4.1", facts={"sealed": True}
        )
        yield from _uncovered(with_item(before.faces, index, parse_rank(action[1]).letter), before, after)


class Reveal(WarmingDeed):
    verb = Verb.of("reveal", "uncover the dice: {faces}", "GW-4.3", faces=DICE)
    phases = (Phase.SELECT,)
    is_open_to_all = True

    def legal(self, state: State) -> tuple[Action, ...]:
        """No listing: the dice are read from the table, and there is no actor."""
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        named = set()
        for item in split(action[0]):
            refusal = _check_die(state, item[:1]) or (None if item[1:] == MISSING else _check_face(item[1:]))
            if refusal:
                return refusal
            index = state.suits.index(parse_suit(item[0]))
            if index in named:
                text = say("the {die} die is named twice", die=state.suits[index])
                return Refusal(Code.REPEATS, "GW-4.3", text, {"die": state.suits[index].value})
            if refusal := _check_agrees(state, index, item[1:]):
                return refusal
            named.add(index)
        open_dice = [state.suits[index].value for index in state.alive if not state.faces[index] and index not in named]
        if not open_dice:
            return None
        first = open_dice[0][0].upper()
        text = say(
            "all dice are uncovered at once; {dice} is not named (write {first}- for a die that was not set)",
            dice=several(Suit(name) for name in open_dice),
            first=first,
        )
        return Refusal(Code.BAD_ARGUMENT, "GW-4.3", text, {"missing": open_dice})

    def advance(self, state: State, action: Action) -> State:
        """The state with the faces on the table; dice chosen on phones stay as they lie."""
        named = _named_faces(state, action)
        read = {index: face for index, face in named.items() if face != MISSING}
        shown = tuple(read.get(index, face) for index, face in enumerate(state.shown))
        return faces_set(replace(state, shown=shown), _with_faces(state, named))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from _uncovered(_with_faces(before, _named_faces(before, action)), before, after)


def _named_faces(state: State, action: Action) -> dict[int, str]:
    """What the dice show, by pawn; "-" for a die that was not set."""
    items = split(action[0])
    return {pawn_of(state, i[0]): MISSING if i[1:] == MISSING else parse_rank(i[1:]).letter for i in items}


def _with_faces(state: State, named: dict[int, str]) -> tuple[str, ...]:
    return tuple(named.get(index, face) for index, face in enumerate(state.faces))


class Resign(WarmingDeed):
    verb = Verb.of("resign", "give up", "GW-R14")
    phases = (Phase.SELECT,)

    def legal(self, state: State) -> Iterator[Action]:
        if state.options.resign:
            for owner in still_choosing(state):
                yield Action("resign", (), owner)

    def check(self, state: State, action: Action) -> Refusal | None:
        if not state.options.resign:
            return Refusal(Code.NOT_ALLOWED, "GW-R14", say("the options of this game do not allow giving up"))
        seat = actor_of(state, action)
        if seat not in state.survivors:
            text = say("{seat} has no pawn on the island", seat=Person(seat))
            return Refusal(Code.NOT_YOURS, "GW-R14", text, {"seat": seat})
        return None

    def advance(self, state: State, action: Action) -> State:
        """The pawns leave the board as if drowned (GW-R14)."""
        seat = actor_of(state, action)
        lost = [owner == seat for owner in state.owners]
        pawns = tuple("" if gone else place for gone, place in zip(lost, state.pawns, strict=True))
        faces = tuple("" if gone else face for gone, face in zip(lost, state.faces, strict=True))
        after = replace(state, pawns=pawns, handler=handler_after(state, pawns))
        if len(after.survivors) <= 1:
            return replace(after, phase=Phase.ENDED, faces=("",) * len(faces))
        return faces_set(after, faces)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = actor_of(before, action)
        for index in before.alive:
            if before.owners[index] == seat:
                yield from drowning_effects(before, index, "GW-R14")
        if after.phase in (Phase.ACTIONS, Phase.SINK):
            yield from _uncovered(
                tuple(f if p else "" for f, p in zip(before.faces, after.pawns, strict=True)), after, after
            )


def _check_die(state: State, name: str) -> Refusal | None:
    try:
        suit = parse_suit(name)
    except ValueError:
        return Refusal(Code.NO_SUCH_PIECE, "GW-1.5", say("“{given}” is not the suit of a die", given=name[:20]))
    if suit not in state.suits:
        return Refusal(Code.NO_SUCH_PIECE, "GW-1.2", say("nobody plays {die}", die=suit), {"die": suit.value})
    if not state.pawns[state.suits.index(suit)]:
        text = say("the {die} pawn has drowned; its die is not used any more", die=suit)
        return Refusal(Code.NO_SUCH_PIECE, "GW-5.2", text, {"die": suit.value})
    return None


def _check_face(face: str) -> Refusal | None:
    try:
        parse_rank(face)
    except ValueError:
        text = say("a die has no face “{given}”; it has 0 (null), 1 (ace), 2, 3, 4 and 5", given=face[:20])
        return Refusal(Code.BAD_ARGUMENT, "GW-4.1", text)
    return None


def _check_agrees(state: State, index: int, seen: str) -> Refusal | None:
    """Refusal where the die shows another face than was chosen on the phone."""
    chosen = state.faces[index]
    if not chosen or (seen != MISSING and parse_rank(seen).letter == chosen):
        return None
    text = say("another face was chosen for the {die} die than it shows now", die=state.suits[index])
    return Refusal(Code.CONTRADICTS, "GW-6.1", text, {"die": state.suits[index].value, "seen": seen})


def _uncovered(faces: tuple[str, ...], before: State, after: State) -> Iterator[Effect]:
    if any(not faces[index] for index in before.alive):
        return
    count = Counter(faces)
    for index in before.alive:
        yield _one_die(faces, index, before, count)
    if after.phase == Phase.SELECT:
        facts = {"what": "a die was not set; all choose again"}
        yield Effect(EffectKind.PHASE, clause="GW-R10", facts=facts)
        return
    order = acting_order(faces)
    names = [f"{before.suits[index]} {faces[index]}" for index in order]
    yield Effect(EffectKind.PHASE, clause="GW-4.4", facts={"order": names})
    yield from lapse_effects(order, after)


def _one_die(faces: tuple[str, ...], index: int, before: State, count: Counter[str]) -> Effect:
    face, suit, seat = faces[index], before.suits[index], before.owners[index]
    key = f"d{suit.letter}"
    if face == MISSING:
        return Effect(EffectKind.REVEAL, die(suit), key, seat=seat, clause="GW-R10", facts={"missing": True})
    same = [before.suits[other].value for other in before.alive if other != index and faces[other] == face]
    facts: dict[str, Fact] = {"face": face, "cancelled": count[face] > 1, "same_as": same}
    return Effect(EffectKind.REVEAL, die(suit, RANKS[FACES.index(face)]), key, seat=seat, clause="GW-4.3", facts=facts)
