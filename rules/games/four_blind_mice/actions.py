"""What an action does to the state (MICE-3, MICE-4)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Action
from rules.games.four_blind_mice.choices import bidders, covered
from rules.games.four_blind_mice.geometry import CELL_OF
from rules.games.four_blind_mice.opening import FULL_BOX, Bid, Cheese, Phase, State, Where, begin
from rules.games.four_blind_mice.slides import slide
from rules.pieces import SUITS, Rank, parse_suit, pawn

NO_MICE = (None, None, None, None)


def advance(state: State, action: Action) -> State:
    return _VERBS[action.verb](state, action)


MOUSE_OF: dict[str, int] = {pawn(suit).code: number for number, suit in enumerate(SUITS)}
VALUE_OF: dict[str, Rank] = {rank.word: rank for rank in (Rank.NULL, Rank.ACE)}


def _roll(state: State, action: Action) -> State:
    numbers = action[0].split("+")
    best = tuple(seat for seat, number in zip(state.rollers, numbers, strict=True) if number == max(numbers))
    return replace(state, rollers=best) if len(best) > 1 else begin(state, best[0])


def with_cheese(state: State, number: int, cheese: Cheese) -> tuple[Cheese, ...]:
    return (*state.cheeses[:number], cheese, *state.cheeses[number + 1 :])


def _place_cheese(state: State, action: Action) -> State:
    rank = VALUE_OF[action[0]]
    number = next(n for n, c in enumerate(state.cheeses) if c.where is Where.SUPPLY and c.rank is rank)
    cheese = replace(state.cheeses[number], where=Where.BOARD, cell=CELL_OF[action[1]])
    after = replace(state, cheeses=with_cheese(state, number, cheese), to_act=(state.to_act + 1) % state.players)
    complete = all(cheese.where is not Where.SUPPLY for cheese in after.cheeses)
    return replace(after, phase=Phase.PLACE_MICE) if complete else after


def _place_mouse(state: State, action: Action) -> State:
    mouse = MOUSE_OF[action[0]]
    mice = (*state.mice[:mouse], CELL_OF[action[1]], *state.mice[mouse + 1 :])
    seat = (state.to_act + 1) % state.players
    if None in mice:
        return replace(state, mice=mice, to_act=seat)
    return replace(state, mice=mice, home=mice, to_act=seat, chooser=seat, phase=Phase.CHOOSE)


def _restart(state: State, _action: Action) -> State:
    first = (state.to_act - sum(c.where is Where.BOARD for c in state.cheeses) - _count(state.mice)) % state.players
    return replace(state, cheeses=FULL_BOX, mice=NO_MICE, phase=Phase.PLACE_CHEESE, to_act=first)


def _count(mice: tuple[int | None, ...]) -> int:
    return len(mice) - mice.count(None)


def _uncover(state: State, action: Action) -> State:
    cell = CELL_OF[action[0]]
    number = next(number for number in covered(state) if state.cheeses[number].cell == cell)
    after = replace(state, target=number, barred=None)
    if state.cheeses[number].suit is None:
        return replace(after, phase=Phase.REVEAL)
    return _think(replace(after, cheeses=with_cheese(state, number, replace(state.cheeses[number], public=True))))


def _reveal(state: State, action: Action) -> State:
    assert state.target is not None
    cheese = replace(state.cheeses[state.target], suit=parse_suit(action[0]), public=True)
    return _think(replace(state, cheeses=with_cheese(state, state.target, cheese)))


def _think(state: State) -> State:
    """The coin is turned: everybody thinks and bids; alone one simply begins (MICE-5.3)."""
    state = replace(state, home=state.mice, bids=(None,) * state.players, first_bid=None, used=0, plan=())
    if state.is_solo:
        return replace(state, phase=Phase.ATTEMPT, to_act=0)
    return replace(state, phase=Phase.BID)


def _bid(state: State, action: Action) -> State:
    assert action.seat is not None
    known = [bid for bid in state.bids if bid]
    time = milliseconds(action.args[1]) if len(action.args) > 1 and action.args[1] else None
    if time is None:
        time = max((bid.time for bid in known), default=0)
    bid = Bid(int(action[0]), time, max((bid.number for bid in known), default=0) + 1)
    bids = (*state.bids[: action.seat], bid, *state.bids[action.seat + 1 :])
    return replace(state, bids=bids, first_bid=time if state.first_bid is None else state.first_bid)


def milliseconds(seconds: str) -> int:
    return round(1000 * float(seconds))


def _close_bids(state: State, _action: Action) -> State:
    order = bid_order(state)
    return replace(state, phase=Phase.ATTEMPT, order=order[1:], to_act=order[0], used=0, plan=())


def bid_order(state: State) -> tuple[int, ...]:
    """Fewest moves first, of equal ones the earlier (MICE-4.3)."""
    given = [(bid.moves, bid.time, bid.number, seat) for seat, bid in enumerate(state.bids) if bid]
    return tuple(seat for *_, seat in sorted(given))


def _slide(state: State, action: Action) -> State:
    mouse = MOUSE_OF[action[0]]
    found = slide(state, mouse, action[1])
    mice = (*state.mice[:mouse], found.stop, *state.mice[mouse + 1 :])
    step = SUITS[mouse].letter + action[1]
    after = replace(state, mice=mice, used=state.used + found.cost, plan=(*state.plan, step))
    return _claim(after) if found.claims else after


def _claim(state: State) -> State:
    """The cheese is won and the mice stay where they are (MICE-4.9)."""
    assert state.target is not None
    seat = state.to_act
    scores = tuple(score + (number == seat) for number, score in enumerate(state.scores))
    cheese = replace(state.cheeses[state.target], where=Where.HAND, cell=None, owner=seat)
    won = replace(
        state, scores=scores, cheeses=with_cheese(state, state.target, cheese), moves=state.moves + state.used,
        home=state.mice,
    )  # fmt: skip
    goes_back = state.options.replacement and not _decided(won)
    return replace(won, phase=Phase.REPLACE) if goes_back else end_round(replace(won, target=None))


def _decided(state: State) -> bool:
    """Whether the goal or the tie-break is reached."""
    goal = state.options.goal
    solo_clears_all = state.is_solo and not state.options.replacement
    if goal and not solo_clears_all and max(state.scores) >= goal:
        return True
    return bool(state.tied) and len(leaders(state)) == 1


def leaders(state: State) -> tuple[int, ...]:
    best = max(state.scores)
    return tuple(seat for seat, score in enumerate(state.scores) if score == best)


def end_round(state: State) -> State:
    """The next player chooses, unless the game is decided or no cheese is left (MICE-4.9, MICE-5.1)."""
    over = _decided(state) or not covered(state)
    chooser = _next_chooser(state)
    return replace(
        state, phase=Phase.OVER if over else Phase.CHOOSE, to_act=chooser, chooser=chooser, order=(), used=0,
        plan=(), bids=(None,) * state.players, first_bid=None,
    )  # fmt: skip


def _next_chooser(state: State) -> int:
    seat = (state.chooser + 1) % state.players
    while seat not in bidders(state):
        seat = (seat + 1) % state.players
    return seat


def _fail(state: State, _action: Action) -> State:
    """The mice go back; the next bidder tries, after the last one the cheese is lost (MICE-4.10, MICE-4.11)."""
    after = replace(state, mice=state.home, used=0, plan=(), moves=state.moves + state.used * state.is_solo)
    if state.is_solo:
        return after
    if state.order:
        return replace(after, to_act=state.order[0], order=state.order[1:])
    return _discard(after, _action)


def _discard(state: State, _action: Action) -> State:
    assert state.target is not None
    cheese = replace(state.cheeses[state.target], where=Where.GONE, cell=None)
    moves = state.moves + state.used * state.is_solo
    cheeses = with_cheese(state, state.target, cheese)
    return end_round(replace(state, cheeses=cheeses, target=None, mice=state.home, moves=moves))


def _replace(state: State, action: Action) -> State:
    """The scorer's cheese lies on the board again, its suit known to all (MICE-9.1)."""
    assert state.target is not None
    cheese = replace(state.cheeses[state.target], where=Where.BOARD, cell=CELL_OF[action[0]], owner=None)
    after = replace(state, cheeses=with_cheese(state, state.target, cheese), barred=state.target, target=None)
    return end_round(after)


def _time_up(state: State, _action: Action) -> State:
    best = leaders(state)
    if len(best) == 1 or state.is_solo:
        return replace(state, phase=Phase.OVER)
    after = replace(state, tied=best)
    chooser = state.chooser if state.chooser in best else _next_chooser(after)
    return replace(after, chooser=chooser, to_act=chooser)


_VERBS = {
    "roll": _roll,
    "place_cheese": _place_cheese,
    "place_mouse": _place_mouse,
    "restart": _restart,
    "uncover": _uncover,
    "reveal": _reveal,
    "bid": _bid,
    "close_bids": _close_bids,
    "slide": _slide,
    "fail": _fail,
    "discard": _discard,
    "replace": _replace,
    "time_up": _time_up,
}
