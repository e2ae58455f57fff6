"""Why something may not be done, in words (all clauses of DECAY-2 to DECAY-5)."""

from __future__ import annotations

import re

from rules.engine import Action, Code, Refusal
from rules.games.decay.battle import split_of
from rules.games.decay.choices import (
    OWN_TURN,
    forbidden_to,
    may_offer_draw,
    pawns_allow,
    sides_allow,
    tile_prices,
)
from rules.games.decay.geometry import (
    NOWHERE,
    SIDE_WORDS,
    Fault,
    Forbidden,
    contacts,
    nearest,
    placement_fault,
    touched_sides,
)
from rules.games.decay.money import may_end_on, may_pass
from rules.games.decay.opening import INDEX, LETTERS, NAMES, Phase, State, suit_name, suit_of, value_of
from rules.games.decay.payment_checks import check_price, check_step_payment
from rules.games.decay.slide_checks import check_slide
from rules.games.decay.tile_step import victim_of

_WHOLE = re.compile(r"-?\d{1,6}\Z")
_PHASES = {
    "roll": (Phase.ROLL, "DECAY-3.2"),
    "create_tile": (Phase.CREATE, "DECAY-3.3"),
    "pawn_step": (Phase.PAWN, "DECAY-4.1"),
    "end_pawn_move": (Phase.PAWN, "DECAY-4.1"),
    "move_tile": (Phase.TILE, "DECAY-4.1"),
    "skip_tile": (Phase.TILE, "DECAY-4.1"),
    "keep_section": (Phase.KEEP, "DECAY-5.7"),
    "attack": (Phase.ATTACK, "DECAY-8.13"),
    "waive_attack": (Phase.ATTACK, "DECAY-8.13"),
    "take_coin": (Phase.TAKE, "DECAY-5.16"),
    "decline_coin": (Phase.TAKE, "DECAY-8.13"),
    "slide": (Phase.SLIDE, "DECAY-4.1"),
    "end_turn": (Phase.SLIDE, "DECAY-4.26"),
    "accept_draw": (Phase.DRAW, "DECAY-5.20"),
    "decline_draw": (Phase.DRAW, "DECAY-5.20"),
}
_DOING = {
    Phase.ROLL: "the dice are rolled for who begins",
    Phase.CREATE: "the board is being built",
    Phase.PAWN: "the pawn is moved (step 1)",
    Phase.TILE: "one tile may be moved (step 2)",
    Phase.KEEP: "the active seat says which part of the board stays",
    Phase.ATTACK: "the attack is made or waived",
    Phase.TAKE: "coins won by the attack are taken",
    Phase.SLIDE: "tiles may slide (step 3)",
    Phase.DRAW: "a draw was offered and is to be answered",
    Phase.OVER: "the game is over",
}


def check(state: State, action: Action) -> Refusal | None:
    if action.verb in ("offer_draw", "resign"):
        return _check_offer(state) if action.verb == "offer_draw" else _check_resign(state)
    phase, clause = _PHASES[action.verb]
    if state.phase is not phase:
        text = f"{action.verb} does not belong here: now {_DOING[state.phase]}"
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value, "belongs_to": phase.value})
    if action.verb == "roll":
        return _check_roll(state, *action.args)
    if action.verb in ("create_tile", "pawn_step", "move_tile", "slide", "keep_section"):
        return _check_tile_action(state, action)
    if action.verb == "end_pawn_move":
        return _check_end_pawn(state)
    return _check_take(state, action) if action.verb in ("take_coin", "decline_coin") else None


def _check_tile_action(state: State, action: Action) -> Refusal | None:
    name = action[0]
    if name not in INDEX:
        text = f"{name[:20]!r} is no tile; tiles are called like Sn, Ma, C2 or A5"
        return Refusal(Code.BAD_ARGUMENT, "DECAY-1.3", text, {"tile": name[:20]})
    tile = INDEX[name]
    if action.verb == "create_tile":
        return _check_create(state, tile, action[1], action[2])
    if state.tiles[tile] is None:
        return Refusal(Code.NO_SUCH_PIECE, "DECAY-5.9", f"{name} is not on the table", {"tile": name})
    if action.verb == "pawn_step":
        return _check_step(state, tile, *action.args[1:])
    if action.verb == "move_tile":
        return _check_move(state, tile, *action.args[1:])
    if action.verb == "slide":
        return check_slide(state, tile, action[1], action[2])
    return _check_keep(state, tile)


# Setting up -------------------------------------------------------------------------------------------------


def _check_roll(state: State, who: str, face: str) -> Refusal | None:
    suits = [LETTERS[state.suits[seat]] for seat in state.contenders if state.rolls[seat] is None]
    if who not in suits:
        text = f"{who[:20]!r} has no die to roll; still to roll: {', '.join(suits)}"
        return Refusal(Code.NOT_YOUR_TURN, "DECAY-3.2", text, {"to_roll": suits})
    if face not in tuple("012345"):
        text = f"{face[:20]!r} is no face of a die; write 0 (null), 1 (ace), 2, 3, 4 or 5"
        return Refusal(Code.BAD_ARGUMENT, "DECAY-1.5", text, {"face": face[:20]})
    return None


def _check_create(state: State, tile: int, x: str, y: str) -> Refusal | None:
    name = NAMES[tile]
    if suit_of(tile) != state.active_suit:
        text = f"{name} belongs to {suit_name(suit_of(tile))}; {suit_name(state.active_suit)} lays one of its own tiles"
        return Refusal(Code.NOT_YOURS, "DECAY-3.3", text, {"tile": name, "to_act": suit_name(state.active_suit)})
    if state.tiles[tile] is not None:
        text = f"{name} is already on the table; lay one that is still in front of you"
        return Refusal(Code.NOT_ALLOWED, "DECAY-3.3", text, {"tile": name})
    if not any(state.tiles):
        if (x, y) == ("0", "0"):
            return None
        text = f"the first tile lies at (0, 0): all positions are measured from it, not ({x[:12]}, {y[:12]})"
        return Refusal(Code.NOT_ALLOWED, "DECAY-8.14", text, {"nearest": "0,0"})
    return _check_place(state, tile, x, y, NOWHERE)


def _check_place(state: State, tile: int, x: str, y: str, forbidden: Forbidden) -> Refusal | None:
    if not (_WHOLE.match(x) and _WHOLE.match(y)):
        text = f"a position is two whole numbers of u (16 to a tile side), not ({x[:12]}, {y[:12]})"
        return Refusal(Code.BAD_ARGUMENT, "DECAY-2.23", text, {"x": x[:12], "y": y[:12]})
    place = int(x), int(y)
    fault = placement_fault(state.tiles, tile, *place, state.touch, forbidden)
    return _refused_place(state, tile, place, fault, forbidden) if fault else None


def _refused_place(state: State, tile: int, place: tuple[int, int], fault: Fault, forbidden: Forbidden) -> Refusal:
    close = nearest(state.tiles, tile, *place, state.touch, forbidden)
    facts: dict[str, str | int | float | bool | list[str] | None] = {
        "tile": NAMES[tile],
        "position": f"{place[0]},{place[1]}",
        "tiles": [NAMES[other] for other in fault.tiles],
        "amount_u": fault.amount,
    }
    text = f"{NAMES[tile]} at ({place[0]}, {place[1]}) {_place_words(fault)}"
    if close is not None:
        (low, high), base, side = close.span, NAMES[close.base], SIDE_WORDS[close.side]
        facts |= {
            "nearest": f"{close.spot[0]},{close.spot[1]}",
            "nearest_base": base,
            "nearest_side": side,
            "low": low,
            "high": high,
        }
        where = f"({close.spot[0]}, {close.spot[1]}), on the {side} side of {base} shifted "
        where += f"{low} u" if low == high else f"{low} to {high} u"
        text += f"; the nearest legal place is {where}"
    return Refusal(fault.code, fault.clause, text, facts)


def _place_words(fault: Fault) -> str:
    names = [NAMES[other] for other in fault.tiles]
    if fault.clause == "DECAY-2.11":
        return f"would overlap {names[0]} by {fault.amount} u"
    if fault.clause == "DECAY-2.12":
        return f"would touch the {SIDE_WORDS[fault.side]} side of {names[0]} again, as before it was lifted"
    if fault.clause == "DECAY-2.10":
        return f"is offset from {names[0]} by {fault.amount} u only; a quarter of a side (4 u) is the least"
    if fault.clause == "DECAY-2.9":
        return f"would touch both {names[0]} and {names[1]}, which touch each other"
    return "would touch no tile (a corner is no contact)"


# The pawn ---------------------------------------------------------------------------------------------------


def _check_step(state: State, tile: int, pay: str = "", toll: str = "") -> Refusal | None:
    here = state.pawns[state.to_act]
    name = NAMES[tile]
    if here is None:
        return Refusal(Code.NO_SUCH_PIECE, "DECAY-1.6", f"{suit_name(state.active_suit)} has no pawn on the board")
    if tile not in contacts(state.tiles, state.touch)[here]:
        text = f"{name} does not touch {NAMES[here]}, where the pawn is; a pawn steps to a tile in contact"
        return Refusal(Code.NOT_ADJACENT, "DECAY-4.3", text, {"from": NAMES[here], "to": name})
    if not may_pass(state, tile):
        text = f"the pawn started this turn on {name} and may not come back to it"
        return Refusal(Code.REPEATS, "DECAY-4.9", text, {"start": name})
    return check_step_payment(state, tile, pay, toll)


def _check_end_pawn(state: State) -> Refusal | None:
    here = state.pawns[state.to_act]
    if here is not None and may_end_on(state, here):
        return None
    if here == state.start or here is None:
        text = "the pawn must move to another tile; it cannot stay where it was"
        return Refusal(Code.MUST_MOVE, "DECAY-4.12" if here == state.start else "DECAY-4.8", text)
    text = f"another pawn stands on {NAMES[here]}; the move must end on a free tile"
    return Refusal(Code.OCCUPIED, "DECAY-4.8", text, {"tile": NAMES[here]})


# One tile ---------------------------------------------------------------------------------------------------


def _check_move(state: State, tile: int, pay: str, x: str, y: str) -> Refusal | None:
    refusal = _check_liftable(state, tile)
    if refusal is None:
        refusal = check_price(state, tile, pay, tile_prices(state, tile), "DECAY-4.16")
    return refusal or _check_place(state, tile, x, y, forbidden_to(state, tile))


def _check_liftable(state: State, tile: int) -> Refusal | None:
    name = NAMES[tile]
    if tile in state.dice:
        owner = suit_name(state.suits[state.dice.index(tile)])
        text = f"the die of {owner} lies on {name}; a tile with a die cannot be moved by anybody"
        return Refusal(Code.PROTECTED, "DECAY-2.14", text, {"tile": name, "die": owner})
    if value_of(tile) == 1 and suit_of(tile) != state.active_suit:
        text = f"{name} is the ace of {suit_name(suit_of(tile))}; only its owner may move it"
        return Refusal(Code.PROTECTED, "DECAY-2.15", text, {"tile": name})
    if not pawns_allow(state, tile):
        text = f"a pawn stands on {name}; move_tile_with_pawn is {state.options.move_tile_with_pawn}"
        return Refusal(Code.PROTECTED, "DECAY-2.16", text, {"tile": name})
    if not sides_allow(state, tile):
        sides = sorted(SIDE_WORDS[side] for side in touched_sides(contacts(state.tiles, state.touch), tile))
        text = f"{name} is touched on its {' and '.join(sides)} sides; to be lifted, "
        text += "a tile may be touched on at most two sides, and these must meet in a corner"
        return Refusal(Code.STUCK, "DECAY-2.13", text, {"tile": name, "sides": sides})
    return None


def _check_keep(state: State, tile: int) -> Refusal | None:
    split = split_of(state, state.moved) if state.moved is not None else None
    tied = split.tied if split else ()
    if any(tile in part for part in tied):
        return None
    parts = ["+".join(NAMES[other] for other in sorted(part)) for part in tied]
    text = f"{NAMES[tile]} is in none of the largest parts; choose a tile of {' or '.join(parts)}"
    return Refusal(Code.NOT_ALLOWED, "DECAY-5.7", text, {"parts": parts})


# Coins and draws --------------------------------------------------------------------------------------------


def _check_take(state: State, action: Action) -> Refusal | None:
    victims = sorted({LETTERS[state.suits[victim_of(state, tile)]] for tile in state.gains})
    if action[0] not in victims:
        text = f"no attack on {action[0][:20]!r} is open; a coin may be taken from {', '.join(victims)}"
        return Refusal(Code.NOT_ALLOWED, "DECAY-5.16", text, {"victims": victims})
    if action.verb == "decline_coin":
        return None
    hand = state.hand(state.suits.index(LETTERS.index(action[0])))
    held = [letter for letter, count in zip(LETTERS, hand, strict=False) if count]
    if action[1] in held:
        return None
    text = f"there is no coin {action[1][:20]!r} in that hand; it has {', '.join(held)}"
    return Refusal(Code.NO_SUCH_PIECE, "DECAY-5.16", text, {"hand": held})


def _check_offer(state: State) -> Refusal | None:
    if may_offer_draw(state):
        return None
    if state.offered:
        return Refusal(Code.REPEATS, "DECAY-5.20", "a draw has already been offered in this turn")
    if state.options.draw != "by_agreement" or state.phase not in OWN_TURN:
        kind = state.options.draw.replace("_", " ")
        text = f"a draw cannot be offered now: {_DOING[state.phase]}, and draws are {kind}"
        return Refusal(Code.NOT_ALLOWED, "DECAY-5.20", text)
    left = len(state.persons_left)
    text = f"a draw is for the last two; {left} are still in the game"
    return Refusal(Code.NOT_ALLOWED, "DECAY-5.20", text, {"left": left})


def _check_resign(state: State) -> Refusal | None:
    if state.options.allow_resign and state.phase in OWN_TURN:
        return None
    return Refusal(
        Code.NOT_ALLOWED,
        "DECAY-8.17",
        "giving up is not allowed here (option allow_resign, in one's own turn)",
    )
