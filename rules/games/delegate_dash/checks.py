"""Why something may not be done, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Fact
from rules.games.delegate_dash.campaign import may_surrender
from rules.games.delegate_dash.chart import (
    CANDIDATES,
    DISTANCES,
    GAP,
    LETTERS,
    NAMES,
    REGION_OF,
    REGION_SUITS,
    TITLES,
)
from rules.games.delegate_dash.choices import (
    automatic_goals,
    can_reach,
    hidden_states,
    shed_regions,
    takeable,
    unseen_ranks,
)
from rules.games.delegate_dash.opening import DICE_PHASES, Phase, State
from rules.games.delegate_dash.reading import candidate_of, marker_of, place_of, region_of

_PHASES: dict[str, tuple[Collection[Phase], str]] = {
    "deal": ((Phase.DEAL,), "DASH-3.1"),
    "roll": ((Phase.SCATTER, Phase.ROLL), "DASH-4.3"),
    "reveal": ((Phase.REVEAL,), "DASH-4.2"),
    "dice": (DICE_PHASES, "DASH-4.8"),
    "move": ((Phase.MOVE,), "DASH-4.4"),
    "stay": ((Phase.MOVE,), "DASH-4.5"),
    "surrender": ((Phase.AFTER,), "DASH-4.6"),
    "done": ((Phase.AFTER,), "DASH-4.6"),
    "caucus": ((Phase.CAUCUS,), "DASH-4.7"),
    "take": ((Phase.TAKE,), "DASH-4.8"),
    "shed": ((Phase.SHED,), "DASH-5.3"),
}
_DOING = {
    Phase.DEAL: "the states are laid out",
    Phase.SCATTER: "all four dice are rolled and a coin of each suit is placed",
    Phase.REVEAL: "the coins on this round's states are turned over",
    Phase.ROLL: "all four dice are rolled for the order of moves",
    Phase.MOVE: "a candidate moves",
    Phase.AFTER: "a candidate who has moved may surrender a marker or is done",
    Phase.REROLL: "the candidate who surrendered a marker rolls again",
    Phase.CAUCUS: "the holder of the dice says which caucus comes next",
    Phase.VOTE: "the candidates at a caucus roll their dice",
    Phase.TAKE: "markers are taken",
    Phase.SHED: "a candidate who is tied for last gives up a region",
    Phase.DROP: "those who are last without a marker roll for who is out",
    Phase.SHARE: "dice are rolled for the uncommitted markers of a region",
    Phase.LEGISLATURE: "the dice decide between 304 and 304",
    Phase.OVER: "the game is over",
}


def check(state: State, action: Action) -> Refusal | None:
    phases, clause = _PHASES[action.verb]
    if state.phase not in phases:
        text = f"{action.verb} does not belong here: now {_DOING[state.phase]}"
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value})
    return _CHECKS[action.verb](state, *action.args)


def _check_deal(_: State, *regions: str) -> Refusal | None:
    for region, values in enumerate(regions):
        if sorted(values) != list("12345"):
            suit = REGION_SUITS[region]
            text = f"the {suit} states are the values 1 to 5, each once, row by row; not {values[:20]!r}"
            return Refusal(Code.BAD_ARGUMENT, "DASH-3.1", text, {"region": suit.value, "given": values[:20]})
    return None


def _check_face(face: str) -> Refusal | None:
    if len(face) == 1 and face in "012345":
        return None
    text = f"{face[:20]!r} is no face of a die; write 0 (null), 1 (ace), 2, 3, 4 or 5"
    return Refusal(Code.BAD_ARGUMENT, "DASH-4.3", text, {"face": face[:20]})


def _check_roll(_: State, *faces: str) -> Refusal | None:
    return next((refusal for face in faces if (refusal := _check_face(face))), None)


def _check_dice(state: State, *faces: str) -> Refusal | None:
    if len(faces) == len(state.rollers):
        return _check_roll(state, *faces)
    who = [TITLES[candidate] for candidate in state.rollers]
    text = f"{' and '.join(who)} roll: write {len(who)} dice in this order, not {len(faces)}"
    return Refusal(Code.BAD_ARGUMENT, "DASH-4.8", text, {"to_roll": who})


def _check_reveal(state: State, where: str, values: str) -> Refusal | None:
    cells = hidden_states(state)
    cell = place_of(state, where)
    if cell is None or cell not in cells:
        names = [NAMES[other] for other in cells]
        text = f"no coin is turned over on {where[:20]!r}; in round {state.round + 1} it is {', '.join(names)}"
        return Refusal(Code.NO_SUCH_PLACE, "DASH-4.2", text, {"places": names})
    given = values.split("+")
    unseen = [str(rank) for rank in unseen_ranks(state, REGION_OF[cell])]
    count = len(state.hidden_at(cell))
    if len(given) != count:
        text = f"{count} coins lie on {NAMES[cell]}, not {len(given)}"
        return Refusal(Code.BAD_ARGUMENT, "DASH-4.2", text, {"coins": count})
    if len(set(given)) != count or not set(given) <= set(unseen):
        text = f"the coins on {NAMES[cell]} cannot be {values[:20]!r}: of that suit only {', '.join(unseen)} are unseen"
        return Refusal(Code.CONTRADICTS, "DASH-1.1", text, {"unseen": unseen})
    return None


# Moves ------------------------------------------------------------------------------------------------------


def _check_who(state: State, who: str) -> Refusal | None:
    candidate = candidate_of(who)
    if candidate == state.order[0]:
        return None
    text = f"{TITLES[state.order[0]]} is to move, not {_called(who)}"
    return Refusal(Code.NOT_YOUR_TURN, "DASH-4.3", text, {"to_move": CANDIDATES[state.order[0]]})


def _check_move(state: State, who: str, where: str) -> Refusal | None:
    if refusal := _check_who(state, who):
        return refusal
    cell, candidate = place_of(state, where), state.order[0]
    if cell is None:
        text = f"there is no state {where[:20]!r}; states are called a4 to g4, or by their tile like S4"
        return Refusal(Code.NO_SUCH_PLACE, "DASH-2.1", text, {"place": where[:20]})
    if cell == GAP:
        return Refusal(Code.NOT_ALLOWED, "DASH-2.3", "the gap in the middle can be left but not entered")
    if cell == state.pawn_at(candidate):
        text = f"{TITLES[candidate]} is on {NAMES[cell]} already; to remain there is to stay"
        return Refusal(Code.MUST_MOVE, "DASH-4.5", text, {"place": NAMES[cell]})
    if state.is_automatic(candidate):
        return _check_automatic(state, candidate, cell)
    return None if can_reach(state, candidate, cell) else _too_far(state, candidate, cell)


def _too_far(state: State, candidate: int, cell: int) -> Refusal:
    here = state.pawn_at(candidate)
    distance, die = DISTANCES[here][cell], state.roll[candidate] or 0
    text = (
        f"{NAMES[cell]} is {distance} states from {NAMES[here]}, and the die of {TITLES[candidate]} shows {die}; "
        "only a state of the home region can be reached from anywhere"
    )
    facts: dict[str, Fact] = {"distance": distance, "die": die, "place": NAMES[cell]}
    return Refusal(Code.WRONG_DISTANCE, "DASH-4.4", text, facts)


def _check_automatic(state: State, candidate: int, cell: int) -> Refusal | None:
    goals = automatic_goals(state, candidate)
    if cell in goals:
        return None
    names = [NAMES[goal] for goal in goals]
    text = f"{TITLES[candidate]} has no player and goes to {' or '.join(names)}, where most is at stake (or home)"
    return Refusal(Code.NOT_ALLOWED, "DASH-4.10", text, {"goals": names})


def _check_stay(state: State, who: str) -> Refusal | None:
    candidate = state.order[0]
    if refusal := _check_who(state, who):
        return refusal
    if state.is_automatic(candidate):
        return _check_automatic(state, candidate, state.pawn_at(candidate))
    return None


def _check_surrender(state: State, who: str, marker: str) -> Refusal | None:
    if refusal := _check_who(state, who):
        return refusal
    candidate = state.order[0]
    held = state.markers_of(candidate)
    found = marker_of(state, marker)
    if found is not None and found in held and may_surrender(state, candidate):
        return None
    words = ", ".join(map(state.delegates_of, held)) or "no marker"
    text = f"{TITLES[candidate]} holds {words}, not {marker[:20]!r}"
    return Refusal(Code.NO_SUCH_PIECE, "DASH-4.6", text, {"holds": [state.name_of(own) for own in held]})


# Caucuses and the convention --------------------------------------------------------------------------------


def _check_caucus(state: State, where: str) -> Refusal | None:
    if place_of(state, where) in state.caucuses:
        return None
    names = [NAMES[cell] for cell in state.caucuses]
    text = f"there is no caucus on {where[:20]!r}; open are {', '.join(names)}"
    return Refusal(Code.NO_SUCH_PLACE, "DASH-4.7", text, {"open": names})


def _check_take(state: State, who: str, marker: str) -> Refusal | None:
    clause = "DASH-4.8" if state.campaigning else "DASH-5.4"
    taker = state.takers[0]
    if candidate_of(who) != taker:
        text = f"{TITLES[taker]} takes next, not {_called(who)}"
        return Refusal(Code.NOT_YOUR_TURN, clause, text, {"next": CANDIDATES[taker]})
    allowed = takeable(state)
    found = marker_of(state, marker)
    if found is not None and found in allowed:
        return None
    names = [state.delegates_of(other) for other in allowed]
    text = f"{TITLES[taker]} may take {' or '.join(names)}, not {marker[:20]!r}"
    return Refusal(Code.NO_SUCH_PIECE, clause, text, {"may_take": [state.name_of(other) for other in allowed]})


def _check_shed(state: State, who: str, suit: str) -> Refusal | None:
    candidate = state.shedders[0]
    if candidate_of(who) != candidate:
        text = f"{TITLES[candidate]} gives up a region next, not {_called(who)}"
        return Refusal(Code.NOT_YOUR_TURN, "DASH-5.3", text, {"next": CANDIDATES[candidate]})
    regions = shed_regions(state)
    if region_of(suit) in regions:
        return None
    names = [LETTERS[region] for region in regions]
    text = f"{TITLES[candidate]} gives up the markers of {' or '.join(names)}, not {suit[:20]!r}"
    return Refusal(Code.NOT_ALLOWED, "DASH-5.3", text, {"regions": names})


_CHECKS: dict[str, Callable[..., Refusal | None]] = {
    "deal": _check_deal,
    "roll": _check_roll,
    "reveal": _check_reveal,
    "dice": _check_dice,
    "move": _check_move,
    "stay": _check_stay,
    "surrender": _check_surrender,
    "done": _check_who,
    "caucus": _check_caucus,
    "take": _check_take,
    "shed": _check_shed,
}


def _called(who: str) -> str:
    """A candidate as players say it; words that name none as they were said."""
    return TITLES[CANDIDATES.index(who)] if who in CANDIDATES else repr(who[:20])
