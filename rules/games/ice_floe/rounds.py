"""What comes after what: movers, votes and their count, explosions, rounds, the last scoring (ICE-4, ICE-5)."""

from __future__ import annotations

from rules.engine.values import replace
from rules.games.ice_floe.floes import Waters, has_lost, is_out
from rules.games.ice_floe.opening import (
    ENDED,
    EXPLODE,
    MOVE,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    SCORE,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    WINNER,
    Ballot,
    State,
    points,
)
from rules.games.ice_floe.votes import coin_seats, is_number, leaders, suits_left, tally, valid_choices, voters, waiting

# Moving ------------------------------------------------------------------------------------------------------


def moved(state: State, waters: Waters, seat: int) -> State:
    """The next one who still has a pyramid; after the last the vote, or the end (ICE-5.2, ICE-5.5)."""
    following = _next_mover(state, waters.pyramids, seat)
    after = replace(
        state,
        floes=waters.floes,
        pyramids=waters.pyramids,
        spots=waters.spots,
        to_act=state.torch if following is None else following,
    )
    if following is None or state.options.end_timing == "immediate":
        if _ends_after_move(after):
            return final(after)
        return open_ballot(after, NUMBER) if following is None else after
    return after


def _next_mover(state: State, pyramids: tuple[int, ...], seat: int) -> int | None:
    """The next seat with a pyramid before it is the torch bearer's turn again."""
    following = (seat + 1) % state.players
    while following != state.torch:
        if not has_lost(pyramids, following):
            return following
        following = (following + 1) % state.players
    return None


def someone_is_out(state: State) -> bool:
    return any(is_out(state, seat) for seat in range(state.players))


def _ends_after_move(state: State) -> bool:
    standing = {cell for cell in state.pyramids if cell >= 0}
    return len(standing) <= 1 or someone_is_out(state)


# Voting ------------------------------------------------------------------------------------------------------


def open_ballot(state: State, phase: str) -> State:
    """Everybody sanctioned leaves the choice to the torch bearer (ICE-R8)."""
    after = replace(state, phase=phase, ballot=Ballot(("",) * state.players), to_act=state.torch)
    return after if voters(after) else _left_to_torch(after, valid_choices(after))


def votes_cast(state: State, votes: tuple[str, ...]) -> State:
    after = replace(state, ballot=Ballot(votes))
    if waiting(votes, state.sanctioned):
        return after
    valid = valid_choices(after)
    if not any(vote in valid for vote in votes if vote):
        return _no_valid_vote(after, valid)
    phase = NUMBER_COINS if state.phase == NUMBER else SUIT_COINS
    return next_coin(replace(after, phase=phase, to_act=state.torch))


def _no_valid_vote(state: State, valid: tuple[str, ...]) -> State:
    """ICE-R8."""
    if state.options.all_votes_void == "revote" and len(state.sanctioned) < state.players:
        return open_ballot(state, state.phase)
    return _left_to_torch(state, valid)


def _left_to_torch(state: State, choices: tuple[str, ...]) -> State:
    if len(choices) == 1:
        return decided(state, choices[0])
    phase = NUMBER_TIE if is_number(state) else SUIT_TIE
    return replace(state, phase=phase, to_act=state.torch, ballot=replace(state.ballot, choices=choices))


def next_coin(state: State) -> State:
    """Who is asked next for a coin; when everybody has passed, the votes are counted (ICE-4.20)."""
    seats = coin_seats(state)
    if not seats:
        return count(state)
    return state if state.to_act == seats[0] else replace(state, to_act=seats[0])


def count(state: State) -> State:
    return _left_to_torch(state, leaders(tally(state)))


def decided(state: State, choice: str) -> State:
    if not is_number(state):
        return replace(state, phase=EXPLODE, target=choice + state.number, to_act=state.torch, ballot=Ballot())
    suits = suits_left(state.floes, choice)
    if len(suits) == 1 and state.options.forced_suit_vote == "skip":
        target = suits[0] + choice
        return replace(state, phase=EXPLODE, number=choice, target=target, to_act=state.torch, ballot=Ballot())
    return open_ballot(replace(state, number=choice), SUIT)


# Exploding and scoring ---------------------------------------------------------------------------------------


def after_explosions(state: State) -> State:
    if someone_is_out(state):
        return final(state)
    if state.round > state.players:
        return replace(state, phase=SCORE, to_act=state.torch)
    return next_round(state)


def next_round(state: State) -> State:
    torch = (state.torch + 1) % state.players
    return replace(state, phase=MOVE, round=state.round + 1, torch=torch, to_act=torch, sanctioned=())


def final(state: State) -> State:
    """Everybody scores what is left (ICE-5.3); a tie for the first place is the torch bearer's (ICE-5.4)."""
    scores = list(state.scores)
    for index, where in enumerate(state.pyramids):
        if where >= 0:
            scores[index // 6] += points(state.options, index)
    best = tuple(seat for seat, total in enumerate(scores) if total == max(scores))
    after = replace(state, scores=tuple(scores), to_act=state.torch, ballot=Ballot(), number="", target="")
    return replace(after, phase=WINNER if len(best) > 1 else ENDED, winners=best)
