"""What every action does to the state. Only legal actions come here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine import Action
from rules.games.ice_floe.floes import Waters, broken, empty_floes, has_lost, is_out, slid, walk
from rules.games.ice_floe.geometry import CELL_OF, COMPASS, NOWHERE, neighbour
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    MOVE,
    NOT_ROLLED,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    PLACE,
    SCORE,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    UNPLACED,
    WINNER,
    Ballot,
    State,
    after_sets,
    find_pyramid,
    points,
)
from rules.games.ice_floe.voting import (
    COIN_WORTH,
    coin_seats,
    is_number,
    leaders,
    may_add,
    suits_left,
    tally,
    valid_choices,
    voters,
    waiting,
)
from rules.pieces import parse_rank, parse_suit


def split(argument: str) -> list[str]:
    return argument.split("+") if argument else []


def seat_of(state: State, suit: str) -> int:
    return state.suits.index(parse_suit(suit))


def set_at(values: tuple[str, ...], index: int, value: str) -> tuple[str, ...]:
    return (*values[:index], value, *values[index + 1 :])


def read_path(argument: str) -> tuple[int, int]:
    first, _, second = argument.partition(">")
    return CELL_OF[first], CELL_OF[second] if second else NOWHERE


# Setting up ---------------------------------------------------------------------------------------------------


def take_set(state: State, action: Action, _seat: int) -> State:
    sets = (*state.sets, parse_rank(action[0]).letter)
    if len(sets) < state.players:
        return replace(state, sets=sets, to_act=len(sets))
    return replace(state, sets=sets, phase=after_sets(state.options), to_act=state.torch)


def roll(state: State, action: Action, _seat: int) -> State:
    """Some dice or all; when all have rolled the highest begins, and those who tie roll again (ICE-3.4)."""
    new = {seat_of(state, item[0]): parse_rank(item[1:]) for item in split(action[0])}
    dice = tuple(new[seat].letter if seat in new else face for seat, face in enumerate(state.dice))
    rolled = tuple(int(new[seat]) if seat in new else value for seat, value in enumerate(state.rolled))
    rolling = tuple(seat for seat in state.rolling if seat not in new)
    if rolling:
        return replace(state, rolling=rolling, rolled=rolled, dice=dice)
    best = tuple(seat for seat, value in enumerate(rolled) if value == max(rolled))
    again = (NOT_ROLLED,) * state.players
    if len(best) > 1:
        return replace(state, rolling=best, rolled=again, dice=dice)
    return replace(state, rolling=(), rolled=again, dice=dice, phase=PLACE, to_act=best[0], torch=best[0])


def place(state: State, action: Action, seat: int) -> State:
    index = find_pyramid(state, action[0])
    assert index is not None
    pyramids = (*state.pyramids[:index], CELL_OF[action[1]], *state.pyramids[index + 1 :])
    if UNPLACED not in pyramids:
        return replace(state, pyramids=pyramids, phase=MOVE, to_act=state.torch)
    return replace(state, pyramids=pyramids, to_act=(seat + 1) % state.players)


def next_letter(state: State) -> int:
    """The index of the pyramid that is to be placed now (ICE-3.5)."""
    first = 6 * state.to_act
    return first + state.pyramids[first : first + 6].index(UNPLACED)


# Moving --------------------------------------------------------------------------------------------------------


def move(state: State, action: Action, seat: int) -> State:
    index = find_pyramid(state, action[0])
    assert index is not None
    return _moved(state, walk(state, index, read_path(action[1])), seat)


def slide(state: State, action: Action, seat: int) -> State:
    source = CELL_OF[action[0]]
    target = neighbour(source, *COMPASS[action[1]])
    assert target is not None
    return _moved(state, slid(state, source, target), seat)


def do_nothing(state: State, _action: Action, seat: int) -> State:
    return _moved(state, Waters(state.floes, state.pyramids, state.spots), seat)


def _moved(state: State, waters: Waters, seat: int) -> State:
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


# Voting --------------------------------------------------------------------------------------------------------


def open_ballot(state: State, phase: str) -> State:
    """Everybody sanctioned leaves the choice to the torch bearer (ICE-R8)."""
    after = replace(state, phase=phase, ballot=Ballot(("",) * state.players), to_act=state.torch)
    return after if voters(after) else _left_to_torch(after, valid_choices(after))


def commit(state: State, action: Action, seat: int) -> State:
    return votes_cast(state, set_at(state.ballot.votes, seat, read_choice(state, action[0])))


def read_choice(state: State, text: str) -> str:
    return parse_rank(text).letter if is_number(state) else parse_suit(text).letter


def reveal(state: State, action: Action, _seat: int) -> State:
    """What is uncovered on the table; dice of those who chose on phones lie as they lay."""
    votes, dice = state.ballot.votes, state.dice
    for item in split(action[0]):
        seat, choice = seat_of(state, item[0]), read_choice(state, item[1:])
        votes = set_at(votes, seat, choice)
        dice = set_at(dice, seat, choice) if is_number(state) else dice
    return votes_cast(replace(state, dice=dice), votes)


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
        return _decided(state, choices[0])
    phase = NUMBER_TIE if is_number(state) else SUIT_TIE
    return replace(state, phase=phase, to_act=state.torch, ballot=replace(state.ballot, choices=choices))


def add_coin(state: State, action: Action, seat: int) -> State:
    worth = COIN_WORTH[parse_rank(action[0]).letter]
    coins = tuple(left - worth if n == seat else left for n, left in enumerate(state.coins))
    support = (*state.ballot.support, (read_choice(state, action[1]), worth, seat))
    ballot = Ballot(state.ballot.votes, support)
    return next_coin(replace(state, coins=coins, ballot=ballot, to_act=(seat + 1) % state.players))


def keep_coins(state: State, _action: Action, seat: int) -> State:
    ballot = replace(state.ballot, passed=(*state.ballot.passed, seat))
    return next_coin(replace(state, ballot=ballot, to_act=(seat + 1) % state.players))


def close_coins(state: State, _action: Action, _seat: int) -> State:
    return _count(state)


def next_coin(state: State) -> State:
    """Who is asked next for a coin; when everybody has passed, the votes are counted (ICE-4.20)."""
    seats = coin_seats(state)
    if not seats:
        return _count(state)
    return state if state.to_act == seats[0] else replace(state, to_act=seats[0])


def _count(state: State) -> State:
    return _left_to_torch(state, leaders(tally(state)))


def break_tie(state: State, action: Action, _seat: int) -> State:
    return _decided(state, read_choice(state, action[0]))


def _decided(state: State, choice: str) -> State:
    if not is_number(state):
        return replace(state, phase=EXPLODE, target=choice + state.number, to_act=state.torch, ballot=Ballot())
    suits = suits_left(state.floes, choice)
    if len(suits) == 1 and state.options.forced_suit_vote == "skip":
        target = suits[0] + choice
        return replace(state, phase=EXPLODE, number=choice, target=target, to_act=state.torch, ballot=Ballot())
    return open_ballot(replace(state, number=choice), SUIT)


def sanction(state: State, action: Action, _seat: int) -> State:
    """Both votes that are left of the round count as not cast (ICE-4.26)."""
    culprit = int(action[0])
    after = replace(state, sanctioned=(*state.sanctioned, culprit))
    if state.phase in (NUMBER, SUIT):
        votes = set_at(state.ballot.votes, culprit, "")
        return votes_cast(after, votes)
    if state.phase in COIN_PHASES and not may_add(after, culprit):
        return next_coin(after)
    return after


# Exploding and scoring -----------------------------------------------------------------------------------------


def explode(state: State, action: Action, _seat: int) -> State:
    waters = broken(state.floes, state.pyramids, state.spots, CELL_OF[action[0]])
    after = replace(state, floes=waters.floes, pyramids=waters.pyramids, target="", number="")
    if state.options.end_timing == "immediate" and someone_is_out(after):
        return final(after)
    if len(empty_floes(after)) > 1:
        return replace(after, phase=BONUS, to_act=state.torch)
    return _after_explosions(after)


def bonus(state: State, action: Action, _seat: int) -> State:
    waters = broken(state.floes, state.pyramids, state.spots, CELL_OF[action[0]])
    return _after_explosions(replace(state, floes=waters.floes))


def decline(state: State, _action: Action, _seat: int) -> State:
    return _after_explosions(state)


def _after_explosions(state: State) -> State:
    if someone_is_out(state):
        return final(state)
    if state.round > state.players:
        return replace(state, phase=SCORE, to_act=state.torch)
    return _next_round(state)


def score(state: State, action: Action, seat: int) -> State:
    scores = scored(state, CELL_OF[action[0]])
    following = (seat + 1) % state.players
    after = replace(state, scores=scores, to_act=following)
    return _next_round(after) if following == state.torch else after


def scored(state: State, cell: int) -> tuple[int, ...]:
    """Every pyramid on the tile scores for its owner (ICE-4.30)."""
    found = list(state.scores)
    for index, where in enumerate(state.pyramids):
        if where == cell:
            found[index // 6] += points(state.options, index)
    return tuple(found)


def _next_round(state: State) -> State:
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


def choose_winner(state: State, action: Action, _seat: int) -> State:
    return replace(state, phase=ENDED, winners=(seat_of(state, action[0]),))


def share(state: State, _action: Action, _seat: int) -> State:
    return replace(state, phase=ENDED)


DO: dict[str, Callable[[State, Action, int], State]] = {
    "take_set": take_set,
    "roll": roll,
    "place": place,
    "move": move,
    "slide": slide,
    "pass": do_nothing,
    "commit_number": commit,
    "commit_suit": commit,
    "reveal_number": reveal,
    "reveal_suit": reveal,
    "add_coin": add_coin,
    "keep_coins": keep_coins,
    "close_coins": close_coins,
    "break_tie": break_tie,
    "sanction": sanction,
    "explode": explode,
    "bonus": bonus,
    "decline": decline,
    "score": score,
    "choose_winner": choose_winner,
    "share": share,
}
