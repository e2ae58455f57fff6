"""Whether a vote, a coin or a decision of the torch bearer is right."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.games.ice_floe.opening import State
from rules.games.ice_floe.play import read_choice, seat_of, split
from rules.games.ice_floe.voting import (
    COIN_WORTH,
    candidates,
    coins_of,
    is_number,
    may_add,
    supportable,
    valid_choices,
    voters,
)


def _clause(state: State) -> str:
    return "ICE-4.12" if is_number(state) else "ICE-4.15"


def _no_choice(state: State, text: str) -> Refusal | None:
    try:
        read_choice(state, text)
    except ValueError:
        names = ", ".join(candidates(state))
        what = "value" if is_number(state) else "suit"
        words = f"{text[:20]!r} is no {what}; vote for one of {names}"
        return Refusal(Code.BAD_ARGUMENT, _clause(state), words, {"given": text[:20]})
    return None


def check_commit(state: State, action: Action, seat: int) -> Refusal | None:
    return _no_choice(state, action[0]) or _no_vote(state, seat)


def _no_vote(state: State, seat: int) -> Refusal | None:
    if seat in voters(state):
        return None
    if seat in state.sanctioned:
        text = f"{state.suits[seat]} does not vote in this round"
        return Refusal(Code.NOT_ALLOWED, "ICE-4.26", text, {"seat": seat})
    text = f"{state.suits[seat]} has voted already"
    return Refusal(Code.REPEATS, _clause(state), text, {"seat": seat})


def check_reveal(state: State, action: Action, _seat: int) -> Refusal | None:
    named: set[int] = set()
    for item in split(action[0]):
        refusal = _no_player(state, item[:1]) or _no_choice(state, item[1:])
        if refusal:
            return refusal
        seat = seat_of(state, item[0])
        if seat in named:
            text = f"the vote of {state.suits[seat]} is named twice"
            return Refusal(Code.REPEATS, _clause(state), text, {"seat": seat})
        if refusal := _disagrees(state, seat, item[1:]):
            return refusal
        named.add(seat)
    return _incomplete(state, named)


def _no_player(state: State, letter: str) -> Refusal | None:
    try:
        seat_of(state, letter)
    except ValueError:
        text = f"nobody plays {letter[:20]!r}"
        return Refusal(Code.NO_SUCH_PIECE, "ICE-1.2", text, {"given": letter[:20]})
    return None


def _disagrees(state: State, seat: int, seen: str) -> Refusal | None:
    """What was chosen on a phone must be what is uncovered; the sanctioned do not vote."""
    vote = state.ballot.votes[seat]
    if vote and vote != read_choice(state, seen):
        text = f"{state.suits[seat]} chose something else before than is uncovered now"
        return Refusal(Code.CONTRADICTS, _clause(state), text, {"seat": seat, "seen": seen})
    return None if vote else _no_vote(state, seat)


def _incomplete(state: State, named: set[int]) -> Refusal | None:
    missing = [state.suits[seat].value for seat in voters(state) if seat not in named]
    if not missing:
        return None
    text = f"all votes are uncovered together; that of {', '.join(missing)} is missing"
    return Refusal(Code.BAD_ARGUMENT, _clause(state), text, {"missing": missing})


def check_coin(state: State, action: Action, seat: int) -> Refusal | None:
    coin, choice = action.args
    if coin not in COIN_WORTH:
        text = f"{coin[:20]!r} is no voting coin; they are the ace (a) and the 2"
        return Refusal(Code.NO_SUCH_PIECE, "ICE-4.17", text, {"given": coin[:20]})
    if coin not in coins_of(state, seat):
        text = f"{state.suits[seat]} has used its {'ace' if coin == 'a' else '2'} coin before"
        return Refusal(Code.REPEATS, "ICE-4.17", text, {"coin": coin, "left": coins_of(state, seat)})
    if not may_add(state, seat):
        text = f"{state.suits[seat]} may add no coins in this round"
        return Refusal(Code.NOT_ALLOWED, "ICE-R20", text, {"seat": seat})
    return _no_candidate(state, choice) or _cannot_support(state, choice)


def _no_candidate(state: State, choice: str) -> Refusal | None:
    if choice in candidates(state) and len(choice) == 1:
        return None
    names = list(candidates(state))
    text = f"{choice[:20]!r} is no choice; they are {', '.join(names)}"
    return Refusal(Code.BAD_ARGUMENT, _clause(state), text, {"given": choice[:20], "known": names})


def _cannot_support(state: State, choice: str) -> Refusal | None:
    open_to = list(supportable(state))
    if choice in open_to:
        return None
    if choice not in valid_choices(state):
        words = f"the vote for {choice} is void: no such tile is left"
        return Refusal(Code.NOT_ALLOWED, "ICE-R9", words, {"choice": choice, "open": open_to})
    words = f"nobody voted for {choice}; coins go to {', '.join(open_to)}"
    return Refusal(Code.NOT_ALLOWED, "ICE-4.18", words, {"choice": choice, "open": open_to})


def check_tie(state: State, action: Action, _seat: int) -> Refusal | None:
    if refusal := _no_candidate(state, action[0]):
        return refusal
    choices = list(state.ballot.choices)
    if action[0] in choices:
        return None
    text = f"the torch bearer chooses only among {', '.join(choices)}"
    return Refusal(Code.NOT_ALLOWED, "ICE-4.23", text, {"choices": choices})


def check_sanction(state: State, action: Action, _seat: int) -> Refusal | None:
    seats = [str(seat) for seat in range(state.players)]
    if action[0] not in seats:
        text = f"there is no seat {action[0][:20]!r}; seats are {', '.join(seats)}"
        return Refusal(Code.BAD_ARGUMENT, "ICE-4.26", text, {"seats": seats})
    if int(action[0]) in state.sanctioned:
        text = f"{state.suits[int(action[0])]} does not vote in this round anyway"
        return Refusal(Code.REPEATS, "ICE-4.26", text, {"seat": int(action[0])})
    return None
