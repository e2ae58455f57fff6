"""What an action did, told in effects."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Outcome, Spot
from rules.engine.effects import ending
from rules.engine.refusal import Facts
from rules.games.zombie import actions, house
from rules.games.zombie.opening import OUT, PATIO, ROOMS, TEMPLE, Phase, State, Totem, cell_name
from rules.games.zombie.table import (
    clock_spot,
    health_spot,
    intensity_spot,
    middle,
    pile_spot,
    weapon_spot,
)
from rules.pieces import Piece, Rank, Suit, coin, die, parse_piece, pawn
from rules.table.layout import Zone

YOU = 0
_SUPPLY = Spot(zone=Zone.SUPPLY)


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    if state.totem is Totem.BURIED:
        return Outcome(True, (YOU,), (), "the totem is buried", "ZOMB-5.1")
    if not state.intensity:
        return Outcome(True, (), (), "the last hour is over", "ZOMB-5.2")
    return Outcome(True, (), (), "no health is left", "ZOMB-5.2")


def story(before: State, action: Action, after: State) -> Iterator[Effect]:
    yield from _STORIES[action.verb](before, action, after)
    yield from _time(before, after)
    yield from _meters(before, action, after)
    if after.phase is Phase.OVER:
        yield ending(outcome_of(after))
    else:
        new_turn = after.phase is not before.phase and action.verb in ("end_turn", "roll") and _is_new(before, after)
        kind = EffectKind.TURN if new_turn else EffectKind.PHASE
        yield Effect(kind, seat=YOU, facts={"phase": after.phase.value})


def _is_new(before: State, after: State) -> bool:
    return before.phase in (Phase.SPECIAL, Phase.COWER) and after.phase in (Phase.CLOCK, Phase.MOVE)


def _spot(state: State, code: str) -> Spot:
    cell = house.cell_of(state, code)
    return Spot(cell_name(cell), *middle(cell))


def _room(code: str) -> Piece:
    return parse_piece(f"t{code}")


def _time(before: State, after: State) -> Iterator[Effect]:
    """The hand of the clock, and the coin that goes with a full hour."""
    if before.hand == after.hand:
        return
    source, target = (Spot(f"clock{state.hand}", *clock_spot(state, state.hand)) for state in (before, after))
    facts: Facts = {"step": after.hand}
    yield Effect(EffectKind.MOVE, pawn(Suit.MOONS), "hand", source, target, seat=YOU, clause="ZOMB-4.1", facts=facts)
    if before.intensity != after.intensity:
        rank = before.intensity[0]
        source = Spot(f"intensity{rank}", *intensity_spot(before, rank))
        left: Facts = {
            "intensity": after.intensity[0] if after.intensity else None,
            "left": len(after.intensity),
        }
        piece = coin(None, Rank(rank))
        gone = Spot(zone=Zone.SPENT)
        yield Effect(EffectKind.REMOVE, piece, f"intensity{rank}", source, gone, clause="ZOMB-4.1", facts=left)


_REASONS = {Phase.EVENT: "ZOMB-4.6", Phase.SEARCH: "ZOMB-4.10", Phase.COWER: "ZOMB-4.11"}


def _meters(before: State, action: Action, after: State) -> Iterator[Effect]:
    """Coins that came to a meter or went; of cowering in the Kitchen both reasons are told."""
    by_roll = _REASONS.get(before.phase, "ZOMB-4.6")
    for number in range(before.health, after.health):
        clause = by_roll if _by_dice(before, action, number) else "ZOMB-4.12"
        yield _coin_gained("health", Suit.SUNS, number, after, clause)
    for number in reversed(range(after.health, before.health)):
        source = Spot(f"health{number + 1}", *health_spot(before, number))
        piece = coin(Suit.SUNS)
        yield Effect(EffectKind.PAY, piece, f"health{number}", source, _SUPPLY, seat=YOU, amount=1, clause="ZOMB-4.7")
    for number in range(before.weapon, after.weapon):
        yield _coin_gained("weapon", Suit.ARMS, number, after, by_roll)
    if after.phase is Phase.OVER and not after.health:
        yield Effect(
            EffectKind.ELIMINATE,
            pawn(Suit.ARMS),
            "you",
            seat=YOU,
            clause="ZOMB-5.2",
            facts={"why": "no health left"},
        )


def _by_dice(before: State, action: Action, number: int) -> bool:
    """Whether a coin of health comes from the dice, not from the Kitchen at the end of the turn."""
    if before.phase is Phase.COWER:
        return number == before.health and actions.faces(action[0])["S"] > before.health
    return before.phase is Phase.EVENT


def _coin_gained(name: str, suit: Suit, number: int, after: State, clause: str) -> Effect:
    x, y = (health_spot if name == "health" else weapon_spot)(after, number)
    target = Spot(f"{name}{number + 1}", x, y)
    key = f"{name}{number}"
    return Effect(
        EffectKind.TAKE,
        coin(suit),
        key,
        _SUPPLY,
        target,
        seat=YOU,
        amount=1,
        clause=clause,
        facts={name: number + 1},
    )


def _clock(_before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield from ()


def _stay(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield Effect(
        EffectKind.CHOOSE,
        seat=YOU,
        clause="ZOMB-4.3a",
        facts={"choice": "stay", "room": ROOMS[before.place].name},
    )


def _you_move(before: State, after: State, clause: str) -> Iterator[Effect]:
    """The totem that you carry comes along."""
    facts: Facts = {"room": ROOMS[after.place].name}
    ends = _spot(before, before.place), _spot(after, after.place)
    yield Effect(EffectKind.MOVE, pawn(Suit.ARMS), "you", *ends, seat=YOU, clause=clause, facts=facts)
    if before.totem == "carried":
        yield Effect(EffectKind.MOVE, pawn(Suit.SUNS), "totem", *ends, seat=YOU, clause="ZOMB-4.9")


def _walk(before: State, _action: Action, after: State) -> Iterator[Effect]:
    yield from _you_move(before, after, "ZOMB-4.3b")


def _open(before: State, action: Action, after: State) -> Iterator[Effect]:
    choice = actions.choice_of(action)
    facts: Facts = {"choice": f"open a door: {choice}", "place": action[0], "room": ROOMS[before.place].name}
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.4", facts=facts)
    if choice == "patio":
        yield from _laid(before, after, PATIO, "ZOMB-4.4b")
        yield from _you_move(before, after, "ZOMB-4.4")


def _break_wall(_before: State, action: Action, after: State) -> Iterator[Effect]:
    assert after.opening is not None
    facts: Facts = {
        "choice": "zombies break a wall",
        "place": action[0],
        "room": ROOMS[after.opening.room].name,
    }
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.5", facts=facts)


def _laid(before: State, after: State, code: str, clause: str) -> Iterator[Effect]:
    room = house.room_of(after, code)
    assert room is not None
    new = [pair[0] for pair in after.doors[len(before.doors) :]]
    pile = room.key.rstrip("0123456789")
    facts: Facts = {"room": ROOMS[code].name, "doors_to": [f"t{other}" for other in new]}
    if len(after.holes) > len(before.holes):
        facts = {**facts, "hole_to": f"t{after.holes[-1][0]}"}
    yield Effect(
        EffectKind.PLACE,
        _room(code),
        room.key,
        Spot(pile, *pile_spot(before, pile)),
        _spot(after, code),
        seat=YOU,
        clause=clause,
        facts=facts,
    )


def _draw(before: State, action: Action, after: State) -> Iterator[Effect]:
    code = actions.code_of(action[0])
    assert before.opening is not None
    where = "outdoor" if ROOMS[before.opening.room].zone == OUT else "indoor"
    room = house.room_of(after, code)
    assert room is not None
    yield Effect(
        EffectKind.REVEAL,
        _room(code),
        room.key,
        clause="ZOMB-4.4a",
        facts={"stack": where, "room": ROOMS[code].name},
    )
    yield from _laid(before, after, code, "ZOMB-4.5" if before.opening.hole else "ZOMB-4.4")
    if code == TEMPLE:
        target = _spot(after, TEMPLE)
        yield Effect(EffectKind.PLACE, pawn(Suit.SUNS), "totem", _SUPPLY, target, clause="ZOMB-3.5")
    if after.place != before.place:
        yield from _you_move(before, after, "ZOMB-8.7" if before.opening.hole else "ZOMB-4.4")


def _roll(before: State, action: Action, after: State) -> Iterator[Effect]:
    rolled = actions.faces(action[0])
    clause = {**_REASONS, Phase.MOON: "ZOMB-4.7"}[before.phase]
    for suit in Suit:
        if suit.letter in rolled:
            number = rolled[suit.letter]
            yield Effect(
                EffectKind.ROLL,
                die(suit, Rank(number)),
                f"die-{suit}",
                seat=YOU,
                amount=number,
                clause=clause,
            )
    if before.phase is Phase.EVENT:
        facts: Facts = {"choice": actions.event_of(rolled), "health": after.health, "weapon": after.weapon}
        yield Effect(EffectKind.CHOOSE, clause="ZOMB-4.6", facts=facts)
    if after.phase is Phase.ATTACK:
        yield _attack(after)


def _attack(state: State) -> Effect:
    """The zombies have no seat; the sum says what a fight would cost."""
    facts: Facts = {
        "moons_die": state.moon, "intensity": state.intensity[0], "zombies": actions.zombies(state),
        "weapon": state.weapon, "damage": actions.damage(state),
    }  # fmt: skip
    return Effect(EffectKind.ATTACK, other=YOU, amount=actions.zombies(state), clause="ZOMB-4.7", facts=facts)


def _fight(before: State, _action: Action, after: State) -> Iterator[Effect]:
    facts: Facts = {"choice": "fight", "damage": actions.damage(before), "health": after.health}
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.7", facts=facts)


def _retreat(before: State, _action: Action, after: State) -> Iterator[Effect]:
    facts: Facts = {"choice": "retreat", "damage": 1, "health": after.health}
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.7", facts=facts)
    yield from _you_move(before, after, "ZOMB-8.9")


def _take_totem(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield Effect(EffectKind.TAKE, pawn(Suit.SUNS), "totem", _spot(before, TEMPLE), seat=YOU, clause="ZOMB-4.9")


def _bury(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    target = _spot(before, before.place)
    yield Effect(EffectKind.PLACE, pawn(Suit.SUNS), "totem", None, target, seat=YOU, clause="ZOMB-4.9")
    yield Effect(EffectKind.SCORE, seat=YOU, clause="ZOMB-5.1", facts={"why": "the totem is buried"})


def _said(choice: str, clause: str, before: State) -> Iterator[Effect]:
    yield Effect(EffectKind.CHOOSE, seat=YOU, clause=clause, facts={"choice": choice, "room": ROOMS[before.place].name})


def _search(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield from _said("search", "ZOMB-4.10", before)


def _cower(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield from _said("cower", "ZOMB-4.11", before)


def _end_turn(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield from _said("end of the turn", "ZOMB-4.12", before)


_STORIES = {
    "clock": _clock,
    "stay": _stay,
    "walk": _walk,
    "open": _open,
    "break_wall": _break_wall,
    "draw": _draw,
    "roll": _roll,
    "fight": _fight,
    "retreat": _retreat,
    "take_totem": _take_totem,
    "bury": _bury,
    "search": _search,
    "cower": _cower,
    "end_turn": _end_turn,
}
