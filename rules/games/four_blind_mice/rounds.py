"""Course of a round: covered cheeses, bidders and their order, next chooser, scores, outcome (MICE-4, MICE-5)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Outcome
from rules.engine.outcome import leaders
from rules.games.four_blind_mice.opening import Phase, State, Where
from rules.pieces import SUITS, Piece, Rank, Suit, coin, parse_rank, pawn
from rules.sentence import Joint, Person, say, several

MOUSE_OF: dict[str, int] = {pawn(suit).code: number for number, suit in enumerate(SUITS)}


def cheese_value(text: str) -> Rank | None:
    """The value of a cheese by its digit, word or coin code (c?0)."""
    try:
        rank = parse_rank(text[-1:] if text.startswith("c") else text)
    except ValueError:
        return None
    return rank if rank in (Rank.NULL, Rank.ACE) else None


def waiting_values(state: State) -> list[Rank]:
    return sorted({cheese.rank for cheese in state.cheeses if cheese.where is Where.SUPPLY})


def covered_cheeses(state: State) -> list[int]:
    return [
        number for number, cheese in enumerate(state.cheeses) if cheese.where is Where.BOARD and number != state.target
    ]


def open_to_choice(state: State) -> list[int]:
    """Cheeses that may be uncovered; the barred one only if there is no other (MICE-9.1)."""
    found = covered_cheeses(state)
    return [number for number in found if number != state.barred] or found


def possible_suits(state: State) -> list[Suit]:
    """Possible suits of the uncovered coin: each suit has one null and one ace."""
    rank = state.uncovered.rank
    seen = {cheese.suit for cheese in state.cheeses if cheese.rank is rank}
    return [suit for suit in SUITS if suit not in seen]


def visible_piece(state: State, number: int) -> Piece:
    """Coin of a cheese as it is known to all: with its suit only when public."""
    cheese = state.cheeses[number]
    return coin(cheese.suit if cheese.public else None, cheese.rank)


def bidders(state: State) -> tuple[int, ...]:
    """Seats that may bid: all, or those who are tied (MICE-5.2)."""
    return state.tied or tuple(range(state.players))


def begin_thinking(state: State) -> State:
    """The state with the coin turned: all may bid; a lone player starts at once (MICE-5.3)."""
    state = replace(state, home=state.mice, bids=(None,) * state.players, first_bid=None, used=0, plan=())
    if state.is_solo:
        return replace(state, phase=Phase.ATTEMPT, to_act=0)
    return replace(state, phase=Phase.BID)


def bid_order(state: State) -> tuple[int, ...]:
    """Bidders by number of moves, of equal ones the earlier first (MICE-4.3)."""
    given = [(bid.moves, bid.time, bid.number, seat) for seat, bid in enumerate(state.bids) if bid]
    return tuple(seat for *_, seat in sorted(given))


def is_decided(state: State) -> bool:
    """Whether the goal or the tie-break is reached."""
    goal = state.options.goal
    solo_clears_all = state.is_solo and not state.options.replacement
    if goal and not solo_clears_all and max(state.scores) >= goal:
        return True
    return bool(state.tied) and len(leaders(dict(enumerate(state.scores)))) == 1


def end_round(state: State) -> State:
    """The state after a round: the next player chooses, unless the game is decided or no cheese is left (MICE-4.9,
    MICE-5.1)."""
    over = is_decided(state) or not covered_cheeses(state)
    chooser = next_chooser(state)
    return replace(
        state, phase=Phase.OVER if over else Phase.CHOOSE, to_act=chooser, chooser=chooser, order=(), used=0,
        plan=(), bids=(None,) * state.players, first_bid=None,
    )  # fmt: skip


def next_chooser(state: State) -> int:
    seat = (state.chooser + 1) % state.players
    while seat not in bidders(state):
        seat = (seat + 1) % state.players
    return seat


def after_discard(state: State) -> State:
    """The state with the cheese lost and the mice back at their places."""
    cheeses = state.with_uncovered(where=Where.GONE, cell=None)
    moves = state.moves + state.used * state.is_solo
    return end_round(replace(state, cheeses=cheeses, target=None, mice=state.home, moves=moves))


def outcome_of(state: State) -> Outcome:
    if state.is_solo:
        return _solo_outcome(state)
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = leaders(dict(enumerate(state.scores)))
    names = several(map(Person, best), Joint.AND)
    cheeses = max(state.scores)
    reason = say("{winner} has the most cheese: {cheeses}", winner=names, cheeses=cheeses)
    if len(best) > 1:
        reason = say("no cheese is left; {winners} share the win with {cheeses} each", winners=names, cheeses=cheeses)
    clause = "MICE-5.2" if state.tied or len(best) > 1 else "MICE-5.1"
    return Outcome(True, best, state.scores, reason, clause)


def _solo_outcome(state: State) -> Outcome:
    """Outcome of a lone player: moves are counted; it is a win if no cheese was lost (MICE-5.3)."""
    scores = (state.moves,)
    if state.phase is not Phase.OVER:
        return Outcome(scores=scores)
    won = state.scores[0]
    lost = sum(cheese.where is Where.GONE for cheese in state.cheeses)
    left = sum(cheese.where is Where.BOARD for cheese in state.cheeses)
    reason = say("one cheese in {moves} moves", "{count} cheeses in {moves} moves", count=won, moves=state.moves)
    if lost:
        reason = say(
            "one cheese in {moves} moves, {lost} lost",
            "{count} cheeses in {moves} moves, {lost} lost",
            count=won,
            moves=state.moves,
            lost=lost,
        )
    complete = not lost and (not left or state.options.replacement)
    return Outcome(True, (0,) if complete else (), scores, reason, "MICE-5.3")
