"""Why a use of a suit may not be made, in words (DEC-4.20 to 4.39)."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Facts
from rules.games.dectana.deeds import actor_of
from rules.games.dectana.ground import ahead, name_of, value_of
from rules.games.dectana.opening import SIZE_WORDS, Pyramid, State, deck
from rules.games.dectana.powers import (
    ABILITIES,
    ON_CARD,
    SUIT_OF,
    UPRIGHT,
    cost_of,
    is_at_hand,
    push_limit,
    push_plans,
    reach,
    read_plan,
    shrink_plans,
    shrunk,
)

CLAUSES = {
    "create": "DEC-4.20",
    "create_card": "DEC-4.21",
    "grow": "DEC-4.22",
    "grow_card": "DEC-4.23",
    "move": "DEC-4.25",
    "move_card": "DEC-4.27",
    "push": "DEC-4.29",
    "steal": "DEC-4.31",
    "shrink": "DEC-4.32",
    "destroy": "DEC-4.34",
    "draw": "DEC-4.35",
    "draw_card": "DEC-4.36",
}


def why_not(state: State, action: Action) -> Refusal | None:
    assert state.use is not None, "a suit is being used"
    suit = state.use.suit
    if SUIT_OF[action.verb] != suit:
        can = " or ".join(ABILITIES[suit])
        text = f"{suit} is being used, which can {can}; {action.verb} is a power of {SUIT_OF[action.verb]}"
        return Refusal(Code.NOT_ALLOWED, "DEC-4.3", text, {"suit": suit, "needs": SUIT_OF[action.verb]})
    actor = actor_of(state, action[0])
    if actor is None:
        text = f"you have no pyramid {action[0][:24]!r}; one is written like 2E@x0y1: size, orientation, space"
        return Refusal(Code.NO_SUCH_PIECE, "DEC-4.4", text, {"pyramid": action[0][:24]})
    return _actor(state, action.verb, actor) or _target(state, action.verb, actor) or _rest(state, actor, action)


def _actor(state: State, verb: str, actor: Pyramid) -> Refusal | None:
    facts: Facts = {"pyramid": actor.ref, "power": verb}
    if verb in UPRIGHT and actor.is_flat:
        return Refusal(Code.NOT_ALLOWED, "DEC-4.39", f"{verb} needs an upright pyramid; {actor.ref} lies flat", facts)
    if verb not in UPRIGHT and not actor.is_flat:
        return Refusal(Code.NOT_ALLOWED, "DEC-4.39", f"{verb} needs a flat pyramid; {actor.ref} stands upright", facts)
    if not is_at_hand(state, actor):
        text = f"{actor.ref} is not on the card that was activated"
        return Refusal(Code.NOT_ALLOWED, "DEC-R1", text, facts)
    return None


def _target(state: State, verb: str, actor: Pyramid) -> Refusal | None:
    """The powers over cards want an empty territory."""
    if verb not in ON_CARD:
        return None
    cell, place = actor.target, name_of(actor.target)
    if cell not in state.ground.cards:
        text = f"{actor.ref} points at {place}, which is {state.ground.what(cell)}; it must be a territory"
        return Refusal(Code.NO_SUCH_PLACE, CLAUSES[verb], text, {"pyramid": actor.ref, "place": place})
    there = state.at(cell)
    if there:
        who = "a pyramid is" if len(there) == 1 else f"{len(there)} pyramids are"
        facts: Facts = {"place": place, "pyramids": [p.group for p in there]}
        text = f"the card on {place} is protected: {who} on it"
        return Refusal(Code.PROTECTED, "DEC-4.11", text, facts)
    return None


def _rest(state: State, actor: Pyramid, action: Action) -> Refusal | None:
    check = _CHECKS.get(action.verb)
    return check(state, actor, action) if check else None


def _create(state: State, actor: Pyramid, _action: Action) -> Refusal | None:
    if state.options.suns_needs_territory and actor.cell not in state.ground.cards:
        text = f"{actor.ref} stands on wasteland; suns create pyramids on a territory"
        return Refusal(Code.NO_SUCH_PLACE, "DEC-R2", text, {"pyramid": actor.ref})
    if state.free_number(actor.seat, 1) is None:
        return Refusal(Code.NO_SUCH_PIECE, "DEC-4.20", "no small pyramid is in the stash", {"size": "small"})
    return None


def _create_card(state: State, actor: Pyramid, _action: Action) -> Refusal | None:
    cell, place = actor.target, name_of(actor.target)
    if cell not in state.ground.wasteland:
        text = f"{actor.ref} points at {place}, which is {state.ground.what(cell)}; it must be wasteland"
        return Refusal(Code.NO_SUCH_PLACE, "DEC-4.21", text, {"place": place})
    if state.is_occupied(cell):
        return Refusal(Code.OCCUPIED, "DEC-4.21", f"there are pyramids on {place}; it must be empty", {"place": place})
    if not (state.pile or state.discard):
        return Refusal(Code.NO_SUCH_PIECE, "DEC-4.21", "there is no card left to draw", {"pile": 0})
    return None


def _grow(state: State, actor: Pyramid, _action: Action) -> Refusal | None:
    if actor.size == 3:
        return Refusal(Code.LIMIT, "DEC-4.22", "a large pyramid cannot grow", {"pyramid": actor.ref})
    if state.free_number(actor.seat, actor.size + 1) is None:
        size = SIZE_WORDS[actor.size + 1]
        return Refusal(Code.NO_SUCH_PIECE, "DEC-4.22", f"no {size} pyramid is in the stash", {"size": size})
    return None


def _grow_card(state: State, actor: Pyramid, action: Action) -> Refusal | None:
    card = action[1]
    if card not in deck(state.options):
        text = f"there is no card {card[:12]!r} in this deck; write for example 2MK, AM or XL"
        return Refusal(Code.BAD_ARGUMENT, "DEC-4.23", text, {"given": card[:12]})
    if not state.can_show(state.to_act, (card,)):
        text = f"{card} cannot be in this hand"
        clause = "DEC-R12" if state.use and state.use.card == card else "DEC-4.23"
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {"card": card})
    old = state.ground.cards[actor.target][-1]
    if value_of(card) > value_of(old):
        return None
    text = f"{card} (value {value_of(card)}) is not larger than {old} (value {value_of(old)})"
    return Refusal(Code.TOO_LOW, "DEC-4.24", text, {"card": card, "covers": old})


def _move(state: State, actor: Pyramid, action: Action) -> Refusal | None:
    if action[1] not in tuple("0123456789"):
        text = "say how many spaces it moves, as a number"
        return Refusal(Code.BAD_ARGUMENT, "DEC-4.25", text, {"given": action[1][:12]})
    steps = int(action[1])
    facts: Facts = {"pyramid": actor.ref, "spaces": steps, "pips": actor.size}
    if not steps and not state.options.waves_zero:
        return Refusal(Code.WRONG_DISTANCE, "DEC-R5", "a move goes at least one space", facts)
    if steps > actor.size:
        text = f"{actor.ref} moves as many spaces as it has pips: {actor.size} at most, not {steps}"
        return Refusal(Code.WRONG_DISTANCE, "DEC-4.25", text, facts)
    far = reach(state, actor)
    if steps > far:
        place = name_of(ahead(actor.cell, actor.orient, far + 1))
        text = f"{place} is void; {actor.ref} can move {far} spaces at most"
        return Refusal(Code.BLOCKED, "DEC-4.26", text, {**facts, "void": place})
    return None


def _push(state: State, actor: Pyramid, action: Action) -> Refusal | None:
    if not state.is_occupied(actor.target):
        text = f"nothing stands on {name_of(actor.target)}, where {actor.ref} points"
        return Refusal(Code.EMPTY, "DEC-4.29", text, {"place": name_of(actor.target)})
    plan = read_plan(state, actor, action[1])
    if isinstance(plan, str):
        return Refusal(Code.BAD_ARGUMENT, "DEC-4.30", plan, {"given": action[1][:40]})
    cost = cost_of("push", plan)
    if cost > actor.size:
        text = f"this push costs {cost} points (pips times spaces); {actor.ref} has {actor.size}"
        return Refusal(Code.CANNOT_PAY, "DEC-4.30", text, {"cost": cost, "points": actor.size})
    too_far = [p.group for p, steps in plan if steps > push_limit(state, p, actor)]
    if too_far:
        text = f"{too_far[0]} is destroyed as soon as it is in the void and goes no farther"
        return Refusal(Code.WRONG_DISTANCE, "DEC-4.30", text, {"pyramid": too_far[0]})
    best = max((cost_of("push", other) for other in push_plans(state, actor)), default=0)
    return _unspent(state, cost, best)


def _unspent(state: State, cost: int, best: int) -> Refusal | None:
    if not state.options.spend_all_points or cost >= best:
        return None
    text = f"all points that can be used must be used: {best}, not {cost}"
    return Refusal(Code.WRONG_PAYMENT, "DEC-R6", text, {"cost": cost, "most": best})


def _shrink(state: State, actor: Pyramid, action: Action) -> Refusal | None:
    place = name_of(actor.target)
    if not any(p.seat != actor.seat for p in state.at(actor.target)):
        return Refusal(Code.EMPTY, "DEC-4.32", f"no opposing pyramid stands on {place}", {"place": place})
    plan = read_plan(state, actor, action[1])
    if isinstance(plan, str):
        return Refusal(Code.BAD_ARGUMENT, "DEC-4.33", plan, {"given": action[1][:40]})
    if own := [p.group for p, _ in plan if p.seat == actor.seat]:
        return Refusal(Code.NOT_ALLOWED, "DEC-4.33", f"{own[0]} is your own pyramid", {"pyramid": own[0]})
    cost = cost_of("shrink", plan)
    if cost > actor.size:
        text = f"{cost} points are given, {actor.ref} has {actor.size}"
        return Refusal(Code.CANNOT_PAY, "DEC-4.33", text, {"cost": cost, "points": actor.size})
    if too_much := [p.group for p, points in plan if points > p.size]:
        text = f"{too_much[0]} needs fewer points to be destroyed"
        return Refusal(Code.LIMIT, "DEC-4.33", text, {"pyramid": too_much[0]})
    if shrunk(state, plan) is None:
        text = "a pyramid of this plan would not change: its owner's stash has no smaller one that fits"
        return Refusal(Code.NO_SUCH_PIECE, "DEC-R7", text, {"plan": action[1][:40]})
    best = max((cost_of("shrink", other) for other in shrink_plans(state, actor)), default=0)
    return _unspent(state, cost, best)


_CHECKS: dict[str, Callable[[State, Pyramid, Action], Refusal | None]] = {
    "create": _create,
    "create_card": _create_card,
    "grow": _grow,
    "grow_card": _grow_card,
    "move": _move,
    "push": _push,
    "shrink": _shrink,
}
