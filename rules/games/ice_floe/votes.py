"""Votes: which are valid, what the coins add, who leads (ICE-4.12 to ICE-4.23)."""

from __future__ import annotations

from rules.engine import Action
from rules.games.ice_floe.opening import COIN_PHASES, FACES, NUMBER, NUMBER_PHASES, SUIT, SUIT_LETTERS, State
from rules.pieces import parse_rank, parse_suit

ACE, TWO = 1, 2
COIN_WORTH = {"a": ACE, "2": TWO}


def is_number(state: State) -> bool:
    """Whether the vote is on the number, not on the suit."""
    return state.phase in NUMBER_PHASES


def candidates(state: State) -> str:
    """Everything that can be voted for, also in vain."""
    return FACES if is_number(state) else SUIT_LETTERS


def written(choice: str) -> str:
    """What is voted for as an action names it: a value by its digit, a suit by its letter."""
    return parse_rank(choice).digit if choice in FACES else choice


def valid_choices(state: State) -> tuple[str, ...]:
    """The values or suits of which a tile is left (ICE-4.13, ICE-4.16)."""
    if is_number(state):
        return numbers_left(state.floes)
    return suits_left(state.floes, state.number)


def numbers_left(floes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(face for face in FACES if any(name[1:] == face for name in floes))


def suits_left(floes: tuple[str, ...], number: str) -> tuple[str, ...]:
    return tuple(letter for letter in SUIT_LETTERS if letter + number in floes)


def supportable(state: State) -> tuple[str, ...]:
    """What coins may be added to: valid votes (ICE-4.18), or everything valid (ICE-R10)."""
    valid = valid_choices(state)
    if state.options.support_unvoted_choice:
        return valid
    return tuple(choice for choice in valid if choice in state.ballot.votes)


def tally(state: State) -> dict[str, int]:
    """The weight of every valid choice that has any."""
    valid = valid_choices(state)
    found: dict[str, int] = {}
    for vote in state.ballot.votes:
        if vote and vote in valid:
            found[vote] = found.get(vote, 0) + 1
    for choice, worth, _ in state.ballot.support:
        found[choice] = found.get(choice, 0) + worth
    return found


def leaders(weights: dict[str, int]) -> tuple[str, ...]:
    most = max(weights.values())
    return tuple(choice for choice, weight in weights.items() if weight == most)


def voters(state: State) -> tuple[int, ...]:
    """The seats that have still to vote."""
    return waiting(state.ballot.votes, state.sanctioned)


def waiting(votes: tuple[str, ...], sanctioned: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([seat for seat, vote in enumerate(votes) if not vote and seat not in sanctioned])


def may_add(state: State, seat: int) -> bool:
    """Whether a seat has a coin left that it may use."""
    return state.coins[seat] > 0 and (state.options.sanctioned_may_add_coins or seat not in state.sanctioned)


def coin_seats(state: State) -> tuple[int, ...]:
    """Who may add a coin and has not passed since the last one, from the one who is to act (ICE-4.20)."""
    count = state.players
    order = ((state.to_act + n) % count for n in range(count))
    return tuple(seat for seat in order if seat not in state.ballot.passed and may_add(state, seat))


def coins_of(state: State, seat: int) -> list[str]:
    return [coin for coin, worth in COIN_WORTH.items() if state.coins[seat] & worth]


def actor_of(state: State, action: Action) -> int:
    """Who does it: the seat it names, the only one that is asked, or who is to act."""
    if action.seat is not None:
        return action.seat
    asked = voters(state) if state.phase in (NUMBER, SUIT) else ()
    if state.phase in COIN_PHASES and state.options.coin_stage == "free":
        asked = coin_seats(state)
    return asked[0] if len(asked) == 1 else state.to_act


def read_choice(state: State, text: str) -> str:
    return parse_rank(text).letter if is_number(state) else parse_suit(text).letter
