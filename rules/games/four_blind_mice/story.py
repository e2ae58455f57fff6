"""What an action did, told in effects."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Outcome, Spot
from rules.engine.effects import ending
from rules.engine.refusal import Facts
from rules.games.four_blind_mice import actions, slides
from rules.games.four_blind_mice.geometry import CELL_OF, NAMES, position_of
from rules.games.four_blind_mice.opening import Phase, State, Where
from rules.pieces import SUITS, Piece, Rank, coin, die, pawn
from rules.table.layout import Zone

_SUPPLY = Spot(zone=Zone.SUPPLY)


def outcome_of(state: State) -> Outcome:
    if state.is_solo:
        return _solo_outcome(state)
    if state.phase is not Phase.OVER:
        return Outcome(scores=state.scores)
    best = actions.leaders(state)
    names = " and ".join(f"seat {seat}" for seat in best)
    cheeses = max(state.scores)
    if len(best) > 1:
        reason = f"no cheese is left; {names} share the win with {cheeses} each"
        return Outcome(True, best, state.scores, reason, "MICE-5.2")
    clause = "MICE-5.2" if state.tied else "MICE-5.1"
    return Outcome(True, best, state.scores, f"{names} has the most cheese: {cheeses}", clause)


def _solo_outcome(state: State) -> Outcome:
    """Alone the moves are counted; to have lost no cheese is a win (MICE-5.3)."""
    scores = (state.moves,)
    if state.phase is not Phase.OVER:
        return Outcome(scores=scores)
    won = state.scores[0]
    lost = sum(cheese.where is Where.GONE for cheese in state.cheeses)
    left = sum(cheese.where is Where.BOARD for cheese in state.cheeses)
    reason = f"{won} cheeses in {state.moves} moves" + (f", {lost} lost" if lost else "")
    complete = not lost and (not left or state.options.replacement)
    return Outcome(True, (0,) if complete else (), scores, reason, "MICE-5.3")


def story(before: State, action: Action, after: State) -> Iterator[Effect]:
    yield from _STORIES[action.verb](before, action, after)
    if after.phase is Phase.OVER:
        yield ending(outcome_of(after))
    elif after.phase is Phase.BID:
        facts: Facts = {"phase": "think" if after.first_bid is None else "bid"}
        yield Effect(EffectKind.PHASE, clause="MICE-4.2", facts=facts)
    elif after.phase is Phase.REVEAL:
        yield Effect(EffectKind.PHASE, clause="MICE-4.1", facts={"phase": "reveal"})
    else:
        yield Effect(EffectKind.TURN, seat=after.to_act, facts={"phase": after.phase.value})


def spot(cell: int) -> Spot:
    return Spot(NAMES[cell], *position_of(cell))


def shown(state: State, number: int) -> Piece:
    """What may be told of a cheese: its suit only when it is public."""
    cheese = state.cheeses[number]
    return coin(cheese.suit if cheese.public else None, cheese.rank)


def _roll(before: State, action: Action, after: State) -> Iterator[Effect]:
    for seat, number in zip(before.rollers, action[0].split("+"), strict=True):
        thrown = die(SUITS[seat % 4], Rank(int(number)))
        yield Effect(EffectKind.ROLL, thrown, seat=seat, amount=int(number), clause="MICE-3.3")
    again = [str(seat) for seat in after.rollers]
    what: Facts = {"choice": "roll again", "seats": again} if again else {"choice": "begins"}
    yield Effect(EffectKind.CHOOSE, seat=None if again else after.to_act, clause="MICE-3.3", facts=what)


def _place_cheese(before: State, action: Action, after: State) -> Iterator[Effect]:
    cell = CELL_OF[action[1]]
    number = next(n for n, cheese in enumerate(after.cheeses) if cheese.cell == cell)
    piece, key = shown(after, number), f"cheese{number}"
    yield Effect(EffectKind.PLACE, piece, key, _SUPPLY, spot(cell), seat=before.to_act, clause="MICE-3.3")


def _place_mouse(before: State, action: Action, _after: State) -> Iterator[Effect]:
    piece = pawn(SUITS[actions.MOUSE_OF[action[0]]])
    target = spot(CELL_OF[action[1]])
    yield Effect(EffectKind.PLACE, piece, f"mouse-{piece.suit}", _SUPPLY, target, seat=before.to_act, clause="MICE-3.4")


def _restart(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    facts: Facts = {"choice": "begin again", "why": "nothing more can be placed"}
    yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="MICE-8.10", facts=facts)


def _uncover(before: State, action: Action, after: State) -> Iterator[Effect]:
    assert after.target is not None
    piece, place = shown(after, after.target), spot(CELL_OF[action[0]])
    seat = before.to_act
    yield Effect(EffectKind.FLIP, piece, f"cheese{after.target}", target=place, seat=seat, clause="MICE-4.1")


def _reveal(before: State, _action: Action, after: State) -> Iterator[Effect]:
    assert before.target is not None
    cell = before.cheeses[before.target].cell
    assert cell is not None
    piece = shown(after, before.target)
    yield Effect(EffectKind.REVEAL, piece, f"cheese{before.target}", target=spot(cell), clause="MICE-4.1")


def _bid(_before: State, action: Action, after: State) -> Iterator[Effect]:
    assert action.seat is not None
    bid = after.bids[action.seat]
    assert bid is not None
    facts: Facts = {"choice": "bid", "moves": bid.moves, "seconds": bid.time / 1000}
    yield Effect(EffectKind.CHOOSE, seat=action.seat, amount=bid.moves, clause="MICE-4.2", facts=facts)


def _close_bids(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    bids = [before.bids[seat] for seat in actions.bid_order(before)]
    facts: Facts = {
        "phase": "attempt",
        "order": [str(seat) for seat in actions.bid_order(before)],
        "bids": [str(bid.moves) for bid in bids if bid],
    }
    yield Effect(EffectKind.PHASE, clause="MICE-4.3", facts=facts)


def _slide(before: State, action: Action, after: State) -> Iterator[Effect]:
    mouse = actions.MOUSE_OF[action[0]]
    found = slides.slide(before, mouse, action[1])
    start = before.mice[mouse]
    assert start is not None
    facts: Facts = {
        "direction": action[1], "cost": found.cost, "used": after.used or before.used + found.cost, "bid": before.limit,
    }  # fmt: skip
    piece = pawn(SUITS[mouse])
    ends = spot(start), spot(found.stop)
    yield Effect(
        EffectKind.MOVE,
        piece,
        f"mouse-{piece.suit}",
        *ends,
        seat=before.to_act,
        clause="MICE-4.5",
        facts=facts,
    )
    if found.claims:
        yield from _claim(before, after, before.used + found.cost)


def _claim(before: State, after: State, used: int) -> Iterator[Effect]:
    assert before.target is not None
    seat, cell = before.to_act, before.cheeses[before.target].cell
    assert cell is not None
    piece, hand = shown(before, before.target), Spot(zone=Zone.HAND, seat=seat)
    yield Effect(EffectKind.TAKE, piece, f"cheese{before.target}", spot(cell), hand, seat=seat, clause="MICE-4.9")
    facts: Facts = {
        "moves": used,
        "bid": None if before.is_solo else before.limit,
        "cheeses": after.scores[seat],
    }
    yield Effect(EffectKind.SCORE, seat=seat, amount=1, clause="MICE-4.9", facts=facts)


def _fail(before: State, _action: Action, after: State) -> Iterator[Effect]:
    facts: Facts = {"choice": "fail", "used": before.used, "bid": before.limit}
    yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="MICE-4.10", facts=facts)
    yield from _mice_go_home(before)
    if after.target is None:
        yield from _lost(before, after)


def _mice_go_home(before: State) -> Iterator[Effect]:
    for suit, cell, home in zip(SUITS, before.mice, before.home, strict=True):
        if cell != home and cell is not None and home is not None:
            yield Effect(EffectKind.MOVE, pawn(suit), f"mouse-{suit}", spot(cell), spot(home), clause="MICE-4.10")


def _lost(before: State, after: State) -> Iterator[Effect]:
    number = before.target
    assert number is not None
    cell = before.cheeses[number].cell
    assert cell is not None
    assert after.cheeses[number].where is Where.GONE
    piece = shown(before, number)
    yield Effect(EffectKind.REMOVE, piece, f"cheese{number}", spot(cell), Spot(zone=Zone.SPENT), clause="MICE-4.11")


def _discard(before: State, _action: Action, after: State) -> Iterator[Effect]:
    yield from _mice_go_home(before)
    yield from _lost(before, after)


def _replace(before: State, action: Action, after: State) -> Iterator[Effect]:
    number = before.target
    assert number is not None
    source = Spot(zone=Zone.HAND, seat=before.to_act)
    target = spot(CELL_OF[action[0]])
    piece = shown(after, number)
    yield Effect(EffectKind.PLACE, piece, f"cheese{number}", source, target, seat=before.to_act, clause="MICE-9.1")


def _time_up(_before: State, _action: Action, after: State) -> Iterator[Effect]:
    tied = [str(seat) for seat in after.tied]
    facts: Facts = {"phase": "time is up", "final_round": tied} if tied else {"phase": "time is up"}
    yield Effect(EffectKind.PHASE, clause="MICE-5.2" if tied else "MICE-5.1", facts=facts)


_STORIES = {
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
