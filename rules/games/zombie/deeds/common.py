"""Base of the deeds, and common refusals and effects: rooms, places, walking, meters, the next phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot
from rules.engine.effects import end_effect
from rules.engine.refusal import Facts
from rules.games.zombie import house
from rules.games.zombie.layout import clock_spot, intensity_spot, meter_spot, middle, pile_spot
from rules.games.zombie.night import cell_from, faces
from rules.games.zombie.opening import ROOMS, Cell, Phase, State, Totem, cell_name
from rules.pieces import Rank, Suit, coin, parse_piece, pawn
from rules.sentence import Sentence, say
from rules.table.layout import Zone

YOU = 0
"""The only seat."""


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    if state.totem is Totem.BURIED:
        return Outcome(True, (YOU,), (), say("the totem is buried"), "ZOMB-5.1")
    if not state.intensity:
        return Outcome(True, (), (), say("the last hour is over"), "ZOMB-5.2")
    return Outcome(True, (), (), say("no health is left"), "ZOMB-5.2")


MAX_ECHO = 20
SUPPLY = Spot(zone=Zone.SUPPLY)
_CELL = re.compile(r"-?\d{1,3}:-?\d{1,3}\Z", re.ASCII)
REASONS = {
    Phase.EVENT: "ZOMB-4.6", Phase.MOON: "ZOMB-4.7", Phase.SEARCH: "ZOMB-4.10", Phase.COWER: "ZOMB-4.11",
}  # fmt: skip
"""Why dice are rolled, by phase."""


class ZombieDeed(NarratedDeed[State]):
    def effects(self, before: State, action: Action, after: State) -> Iterable[Effect]:
        return ()

    def next_effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from _clock_effects(before, after)
        by_roll = REASONS.get(before.phase, "ZOMB-4.6")
        for number in range(before.health, after.health):
            clause = by_roll if _is_from_dice(before, action, number) else "ZOMB-4.12"
            yield _coin_gained("health", Suit.SUNS, number, after, clause)
        for number in reversed(range(after.health, before.health)):
            source = Spot(f"health{number + 1}", *meter_spot(before, "health", number))
            paid = coin(Suit.SUNS), f"health{number}", source, SUPPLY
            yield Effect(EffectKind.PAY, *paid, seat=YOU, amount=1, clause="ZOMB-4.7")
        for number in range(before.weapon, after.weapon):
            yield _coin_gained("weapon", Suit.ARMS, number, after, by_roll)
        if after.phase is Phase.OVER and not after.health:
            why: Facts = {"why": "no health left"}
            yield Effect(EffectKind.ELIMINATE, pawn(Suit.ARMS), "you", seat=YOU, clause="ZOMB-5.2", facts=why)
        if after.phase is Phase.OVER:
            yield end_effect(outcome_of(after))
        else:
            ended = action.verb in ("end_turn", "roll") and before.phase in (Phase.SPECIAL, Phase.COWER)
            kind = EffectKind.TURN if ended and after.phase in (Phase.CLOCK, Phase.MOVE) else EffectKind.PHASE
            yield Effect(kind, seat=YOU, facts={"phase": after.phase.value})


def name_of(code: str) -> Sentence:
    return say("the {room} (t{code})", room=ROOMS[code].words, code=code)


def no_such_room(text: str, clause: str) -> Refusal | None:
    if text[:1] == "t" and text[1:] in ROOMS:
        return None
    words = say("there is no room “{room}”; rooms are tiles, for example tA3", room=text[:MAX_ECHO])
    code = Code.NO_SUCH_PIECE if text[:1] == "t" else Code.BAD_ARGUMENT  # a pawn is no room
    return Refusal(code, clause, words)


def no_such_cell(text: str, clause: str) -> Refusal | None:
    if _CELL.match(text) and cell_name(cell_from(text)) == text:
        return None
    words = say(
        "“{place}” is not a place; write how far east and north of the Foyer, for example 1:-2", place=text[:MAX_ECHO]
    )
    return Refusal(Code.NO_SUCH_PLACE, clause, words)


def not_there(state: State, cell: Cell, room: str, clause: str) -> Refusal:
    place = cell_name(cell)
    facts: Facts = {"place": place, "room": room}
    if taken := next((other.code for other in state.rooms if other.cell == cell), None):
        return Refusal(Code.OCCUPIED, clause, say("{room} lies at {place}", room=name_of(taken), place=place), facts)
    text = say("{place} is not beside {room}", place=place, room=name_of(room))
    return Refusal(Code.NOT_ADJACENT, clause, text, facts)


def spot(state: State, code: str) -> Spot:
    cell = house.cell_of(state, code)
    return Spot(cell_name(cell), *middle(cell))


def move_effects(before: State, after: State, clause: str) -> Iterator[Effect]:
    """Effects of your move, also on a carried totem."""
    facts: Facts = {"room": ROOMS[after.place].name}
    ends = spot(before, before.place), spot(after, after.place)
    yield Effect(EffectKind.MOVE, pawn(Suit.ARMS), "you", *ends, seat=YOU, clause=clause, facts=facts)
    if before.totem == "carried":
        yield Effect(EffectKind.MOVE, pawn(Suit.SUNS), "totem", *ends, seat=YOU, clause="ZOMB-4.9")


def laying_effects(before: State, after: State, clause: str) -> Iterator[Effect]:
    room = after.rooms[-1]
    new = [pair[0] for pair in after.doors[len(before.doors) :]]
    pile = room.key.rstrip("0123456789")
    facts: Facts = {"room": ROOMS[room.code].name, "doors_to": [f"t{other}" for other in new]}
    if len(after.holes) > len(before.holes):
        facts = {**facts, "hole_to": f"t{after.holes[-1][0]}"}
    ends, piece = (Spot(pile, *pile_spot(before, pile)), spot(after, room.code)), parse_piece(f"t{room.code}")
    yield Effect(EffectKind.PLACE, piece, room.key, *ends, seat=YOU, clause=clause, facts=facts)


def choice_effects(choice: str, clause: str, before: State) -> Iterator[Effect]:
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause=clause, facts={"choice": choice, "room": ROOMS[before.place].name})


def _clock_effects(before: State, after: State) -> Iterator[Effect]:
    """Effects of the clock hand and of the coin of a full hour."""
    if before.hand == after.hand:
        return
    source, target = (Spot(f"clock{state.hand}", *clock_spot(state, state.hand)) for state in (before, after))
    facts: Facts = {"step": after.hand}
    yield Effect(EffectKind.MOVE, pawn(Suit.MOONS), "hand", source, target, seat=YOU, clause="ZOMB-4.1", facts=facts)
    if before.intensity != after.intensity:
        rank, key = before.intensity[0], f"intensity{before.intensity[0]}"
        ends = Spot(key, *intensity_spot(before, rank)), Spot(zone=Zone.SPENT)
        left: Facts = {"intensity": after.intensity[0] if after.intensity else None, "left": len(after.intensity)}
        yield Effect(EffectKind.REMOVE, coin(None, Rank(rank)), key, *ends, clause="ZOMB-4.1", facts=left)


def _is_from_dice(before: State, action: Action, number: int) -> bool:
    """Whether a coin of health came from the dice, not from the Kitchen at the end of the turn."""
    if before.phase is Phase.COWER:
        return number == before.health and faces(action[0])["S"] > before.health
    return before.phase is Phase.EVENT


def _coin_gained(name: str, suit: Suit, number: int, after: State, clause: str) -> Effect:
    target = Spot(f"{name}{number + 1}", *meter_spot(after, name, number))
    gained = coin(suit), f"{name}{number}", SUPPLY, target
    return Effect(EffectKind.TAKE, *gained, seat=YOU, amount=1, clause=clause, facts={name: number + 1})
