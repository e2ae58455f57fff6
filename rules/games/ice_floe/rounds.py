"""Course of the game: movers, votes and their count, explosions, rounds, final scoring, outcome (ICE-4, ICE-5)."""

from __future__ import annotations

from collections.abc import Container, Iterable

from rules.engine import Action, Outcome
from rules.engine.outcome import leaders
from rules.engine.values import replace
from rules.games.ice_floe.floes import is_out
from rules.games.ice_floe.geometry import CELL_OF, CELLS, NOWHERE
from rules.games.ice_floe.opening import COIN_PHASES, FACES, NUMBER_PHASES, SUIT_LETTERS, Ballot, Phase, State, points
from rules.pieces import parse_rank, parse_suit
from rules.sentence import Fact, Joint, Person, Several, say, several

ACE, TWO = 1, 2
COIN_WORTH = {"a": ACE, "2": TWO}


def is_number(state: State) -> bool:
    """Whether the vote is on the number, not on the suit."""
    return state.phase in NUMBER_PHASES


def candidates(state: State) -> str:
    """All choices of a vote, also without effect."""
    return FACES if is_number(state) else SUIT_LETTERS


def choice_code(choice: str) -> str:
    """Code of a choice in an action: digit of a value, letter of a suit."""
    return parse_rank(choice).digit if choice in FACES else choice


def valid_choices(state: State) -> tuple[str, ...]:
    """Values or suits with a remaining tile (ICE-4.13, ICE-4.16)."""
    if is_number(state):
        return numbers_left(state.floes)
    return suits_left(state.floes, state.number)


def numbers_left(floes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(face for face in FACES if any(name[1:] == face for name in floes))


def suits_left(floes: tuple[str, ...], number: str) -> tuple[str, ...]:
    return tuple(letter for letter in SUIT_LETTERS if letter + number in floes)


def supportable(state: State) -> tuple[str, ...]:
    """Choices to which coins may be added: valid votes (ICE-4.18), or every valid choice (ICE-R10)."""
    valid = valid_choices(state)
    if state.options.support_unvoted_choice:
        return valid
    return tuple(choice for choice in valid if choice in state.ballot.votes)


def tally(state: State) -> dict[str, int]:
    """Weight of every valid choice that has any."""
    valid = valid_choices(state)
    found: dict[str, int] = {}
    for vote in state.ballot.votes:
        if vote in valid:
            found[vote] = found.get(vote, 0) + 1
    for choice, worth, _ in state.ballot.support:
        found[choice] = found.get(choice, 0) + worth
    return found


def clause_of(state: State) -> str:
    """The clause of the vote."""
    return "ICE-4.12" if is_number(state) else "ICE-4.15"


def voters(state: State) -> tuple[int, ...]:
    """Seats still to vote."""
    votes, sanctioned = state.ballot.votes, state.sanctioned
    return tuple([seat for seat, vote in enumerate(votes) if not vote and seat not in sanctioned])


def may_add(state: State, seat: int) -> bool:
    """Whether a seat has a coin left that it may use."""
    return state.coins[seat] > 0 and (state.options.sanctioned_may_add_coins or seat not in state.sanctioned)


def coin_seats(state: State) -> tuple[int, ...]:
    """Seats that may add a coin and have not passed since the last one, from the seat to act (ICE-4.20)."""
    count = state.players
    order = ((state.to_act + n) % count for n in range(count))
    return tuple(seat for seat in order if seat not in state.ballot.passed and may_add(state, seat))


def coins_of(state: State, seat: int) -> list[str]:
    return [coin for coin, worth in COIN_WORTH.items() if state.coins[seat] & worth]


def actor_of(state: State, action: Action) -> int:
    """Actor: the seat named, the only one deciding, or the seat to act."""
    if action.seat is not None:
        return action.seat
    deciding = voters(state) if state.phase in (Phase.NUMBER, Phase.SUIT) else ()
    if state.phase in COIN_PHASES and state.options.coin_stage == "free":
        deciding = coin_seats(state)
    return deciding[0] if len(deciding) == 1 else state.to_act


def read_choice(state: State, text: str) -> str:
    return parse_rank(text).letter if is_number(state) else parse_suit(text).letter


def split(argument: str) -> list[str]:
    return argument.split("+") if argument else []


def seat_of(state: State, suit: str) -> int:
    return state.suits.index(parse_suit(suit))


def read_path(argument: str) -> tuple[int, int]:
    first, _, second = argument.partition(">")
    return CELL_OF[first], CELL_OF[second] if second else NOWHERE


def letter_among(text: str, letters: Container[str]) -> str | None:
    """Letter of a value by any of its names, if it is one of these."""
    try:
        letter = parse_rank(text).letter
    except ValueError:
        return None
    return letter if letter in letters else None


def choice_fact(choice: str) -> Fact:
    """A choice as a fact of a sentence."""
    return parse_rank(choice) if choice in FACES else parse_suit(choice)


def choice_facts(choices: Iterable[str]) -> Several:
    return several(map(choice_fact, choices))


def outcome_of(state: State) -> Outcome:
    if state.phase != Phase.ENDED:
        return Outcome(scores=state.scores)
    names = several(map(Person, state.winners), Joint.AND)
    best = max(state.scores)
    if state.scores.count(best) > 1:
        why = say(
            "{winners} won with one point, as the torch bearer decided",
            "{winners} won with {count} points, as the torch bearer decided",
            winners=names,
            count=best,
        )
    else:
        why = say("{winners} won with one point", "{winners} won with {count} points", winners=names, count=best)
    return Outcome(True, state.winners, state.scores, why, "ICE-5.4")


def after_move(state: State, seat: int) -> State:
    """The state after a move was made: the next seat with a pyramid; after the last one the vote, or the end (ICE-5.2,
    ICE-5.5)."""
    following = _next_mover(state, seat)
    after = replace(state, to_act=state.torch if following is None else following)
    if following is None or state.options.end_timing == "immediate":
        standing = {cell for cell in after.pyramids if cell >= 0}
        if len(standing) <= 1 or has_loser(after):
            return final_scoring(after)
        return open_ballot(after, Phase.NUMBER) if following is None else after
    return after


def _next_mover(state: State, seat: int) -> int | None:
    """The next seat with a pyramid before the turn of the torch bearer comes again."""
    following = (seat + 1) % state.players
    while following != state.torch:
        if not is_out(state.pyramids, following):
            return following
        following = (following + 1) % state.players
    return None


def has_loser(state: State) -> bool:
    return any(is_out(state.pyramids, seat) for seat in range(state.players))


def open_ballot(state: State, phase: Phase) -> State:
    """The state with an open vote; if everybody is sanctioned the torch bearer decides (ICE-R8)."""
    after = replace(state, phase=phase, ballot=Ballot(("",) * state.players), to_act=state.torch)
    return after if voters(after) else _with_torch_choice(after, valid_choices(after))


def after_votes(state: State, votes: tuple[str, ...]) -> State:
    after = replace(state, ballot=Ballot(votes))
    if voters(after):
        return after
    valid = valid_choices(after)
    if not any(vote in valid for vote in votes if vote):
        # A vote without a valid choice (ICE-R8).
        if after.options.all_votes_void == "revote" and len(after.sanctioned) < after.players:
            return open_ballot(after, after.phase)
        return _with_torch_choice(after, valid)
    phase = Phase.NUMBER_COINS if state.phase == Phase.NUMBER else Phase.SUIT_COINS
    return next_coin(replace(after, phase=phase, to_act=state.torch))


def _with_torch_choice(state: State, choices: tuple[str, ...]) -> State:
    if len(choices) == 1:
        return after_decision(state, choices[0])
    phase = Phase.NUMBER_TIE if is_number(state) else Phase.SUIT_TIE
    return replace(state, phase=phase, to_act=state.torch, ballot=replace(state.ballot, choices=choices))


def next_coin(state: State) -> State:
    """The state with the next seat asked for a coin; once all have passed the votes are counted (ICE-4.20)."""
    seats = coin_seats(state)
    if not seats:
        return count_votes(state)
    return state if state.to_act == seats[0] else replace(state, to_act=seats[0])


def count_votes(state: State) -> State:
    weights = tally(state)
    most = max(weights.values())
    return _with_torch_choice(state, tuple(choice for choice, weight in weights.items() if weight == most))


def after_decision(state: State, choice: str) -> State:
    if not is_number(state):
        return replace(state, phase=Phase.EXPLODE, target=choice + state.number, to_act=state.torch, ballot=Ballot())
    suits = suits_left(state.floes, choice)
    if len(suits) == 1 and state.options.forced_suit_vote == "skip":
        target = suits[0] + choice
        return replace(state, phase=Phase.EXPLODE, number=choice, target=target, to_act=state.torch, ballot=Ballot())
    return open_ballot(replace(state, number=choice), Phase.SUIT)


def after_explosions(state: State) -> State:
    if has_loser(state):
        return final_scoring(state)
    if state.round > state.players:
        return replace(state, phase=Phase.SCORE, to_act=state.torch)
    return next_round(state)


def next_round(state: State) -> State:
    torch = (state.torch + 1) % state.players
    return replace(state, phase=Phase.MOVE, round=state.round + 1, torch=torch, to_act=torch, sanctioned=())


def final_scoring(state: State) -> State:
    """The state with the final scores (ICE-5.3); the torch bearer breaks a tie for the first place (ICE-5.4)."""
    scores = scores_after(state, CELLS)
    best = leaders(dict(enumerate(scores)))
    after = replace(state, scores=scores, to_act=state.torch, ballot=Ballot(), number="", target="")
    return replace(after, phase=Phase.WINNER if len(best) > 1 else Phase.ENDED, winners=best)


def scores_after(state: State, cells: Container[int]) -> tuple[int, ...]:
    """The scores with the points of the pyramids on these cells."""
    scores = list(state.scores)
    for index, where in enumerate(state.pyramids):
        if where in cells:
            scores[index // 6] += points(state.options, index)
    return tuple(scores)
