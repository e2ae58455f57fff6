"""What an action did, told in effects."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Outcome, Spot
from rules.engine.effects import ending
from rules.engine.refusal import Facts
from rules.games.penguin import actions, choices
from rules.games.penguin.geometry import name_of
from rules.games.penguin.opening import COINS, SUIT_OF, UNKNOWN, Phase, State
from rules.pieces import Piece, Rank, coin, die, parse_suit, pawn, tile
from rules.table.layout import Zone


def outcome_of(state: State) -> Outcome:
    if len(state.pawns) == 1:
        return _solo_outcome(state)
    if state.phase is not Phase.OVER:
        return Outcome()
    last = next(seat for seat, cell in enumerate(state.penguins) if cell is not None)
    return Outcome(True, (last,), (), f"the {state.pawns[last]} penguin is the last on the ice", "PENG-5.1")


def _solo_outcome(state: State) -> Outcome:
    """The fewer coins are left the better; one is a win, if it must be only of the first suit (PENG-9.1)."""
    laid = state.phase not in (Phase.ROLL, Phase.DEAL, Phase.PLACE_COINS)
    left = sum(map(len, state.stacks)) if laid else COINS
    if state.phase is not Phase.OVER:
        return Outcome(scores=(left,))
    if left > 1:
        return Outcome(True, (), (left,), f"the penguin cannot move; {left} coins are left", "PENG-9.1")
    suit = _last_suit(state)
    if state.options.match_first_suit and suit != state.first_suit:
        wanted = SUIT_OF.get(state.first_suit, "unknown")
        reason = f"one coin is left, but of {SUIT_OF[suit]}; the first coin was of {wanted}"
        return Outcome(True, (), (left,), reason, "PENG-9.1")
    return Outcome(True, (0,), (left,), "only one coin is left", "PENG-9.1")


def _last_suit(state: State) -> str:
    return next((state.suits[stack[-1]] for stack in state.stacks if stack), UNKNOWN)


def story(before: State, action: Action, after: State) -> Iterator[Effect]:
    yield from _STORIES[action.verb](before, action, after)
    if after.phase is Phase.OVER:
        yield ending(outcome_of(after))
    elif action.verb != "drop_out" and (after.phase, after.to_act) == (before.phase, before.to_act):
        yield Effect(EffectKind.TURN, seat=after.to_act)
    elif after.to_act == before.to_act and after.phase is not Phase.MOVE:
        yield Effect(EffectKind.PHASE, seat=after.to_act, facts={"phase": after.phase.value})
    else:
        yield Effect(EffectKind.TURN, seat=after.to_act, facts={"phase": after.phase.value})


def spot(state: State, cell: int) -> Spot:
    where = state.board.spots[cell]
    assert where is not None
    return Spot(state.board.names[cell], where[0] + 1, where[1] + 1)


def coin_piece(state: State, number: int) -> Piece:
    letter = state.suits[number]
    return coin(None if letter == UNKNOWN else SUIT_OF[letter])


def _penguin(state: State, seat: int) -> tuple[Piece, str]:
    return pawn(state.pawns[seat]), f"penguin{seat}"


def _roll(before: State, action: Action, after: State) -> Iterator[Effect]:
    for seat, number in zip(before.rollers, action[0].split("+"), strict=True):
        thrown = die(before.pawns[seat], Rank(int(number)))
        yield Effect(EffectKind.ROLL, thrown, seat=seat, amount=int(number), clause="PENG-3.5")
    if after.rollers:
        again = [str(seat) for seat in after.rollers]
        yield Effect(EffectKind.CHOOSE, clause="PENG-3.5", facts={"choice": "roll again", "seats": again})
    else:
        yield Effect(EffectKind.CHOOSE, seat=after.first, clause="PENG-3.5", facts={"choice": "begins"})


def _deal(before: State, _action: Action, after: State) -> Iterator[Effect]:
    lay = {number for stack in before.stacks for number in stack}
    laid = [(number, cell, level) for cell, stack in enumerate(after.stacks) for level, number in enumerate(stack)]
    for number, cell, level in sorted(item for item in laid if item[0] not in lay):
        clause = "PENG-3.3" if level else "PENG-3.2"
        yield _laid(after, number, cell, clause, level + 1)


def _laid(state: State, number: int, cell: int, clause: str, height: int, seat: int | None = None) -> Effect:
    source = Spot(zone=Zone.SUPPLY)
    piece = coin_piece(state, number)
    facts: Facts = {"height": height}
    return Effect(
        EffectKind.PLACE,
        piece,
        f"coin{number}",
        source,
        spot(state, cell),
        seat=seat,
        clause=clause,
        facts=facts,
    )


def _place_coin(before: State, action: Action, after: State) -> Iterator[Effect]:
    cell = before.board.cells[action[1]]
    stack = after.stacks[cell]
    clause = {"strategic": "PENG-9.2", "irregular": "PENG-9.3"}.get(before.options.start, "PENG-9.4")
    yield _laid(after, stack[-1], cell, clause, len(stack), before.to_act)


def _place_penguin(before: State, action: Action, _after: State) -> Iterator[Effect]:
    piece, key = _penguin(before, before.to_act)
    source = Spot(zone=Zone.HAND, seat=before.to_act)
    target = spot(before, before.board.cells[action[0]])
    yield Effect(EffectKind.PLACE, piece, key, source, target, seat=before.to_act, clause="PENG-4.1")


def _move(before: State, action: Action, _after: State) -> Iterator[Effect]:
    source, goal = before.penguins[before.to_act], before.board.cells[action[0]]
    assert source is not None
    piece, key = _penguin(before, before.to_act)
    here, there = before.stacks[source], before.stacks[goal]
    hop = before.suits[here[-1]] == before.suits[there[-1]]
    step = len(here) == len(there) and bool(before.board.near[source] >> goal & 1)
    facts: Facts = {
        "how": [word for word, true in (("step", step), ("hop", hop)) if true],
        "height": len(there),
    }
    clause = "PENG-4.2" if step else "PENG-4.3"
    ends = spot(before, source), spot(before, goal)
    yield Effect(EffectKind.MOVE, piece, key, *ends, seat=before.to_act, clause=clause, facts=facts)


def _melt(before: State, action: Action, after: State) -> Iterator[Effect]:
    cell = actions.melted_cell(before, action)
    number = before.stacks[cell][-1]
    clause = "PENG-4.4" if cell == before.left else "PENG-9.7"
    place = spot(before, cell)
    facts: Facts = {"left": len(after.stacks[cell]), "place": place.name}
    yield Effect(
        EffectKind.REMOVE, coin_piece(before, number), f"coin{number}", place, Spot(zone=Zone.SPENT),
        seat=before.to_act, clause=clause, facts=facts,
    )  # fmt: skip
    for seat, where in enumerate(before.penguins):
        if where is not None and after.penguins[seat] is None:
            yield from _out(before, seat, "the last coin melted beneath it", "PENG-8.1")
    for index, (old, new) in enumerate(zip(before.tiles, after.tiles, strict=True)):
        if old and not new:
            source = Spot("", old[0] + 1.5, old[1] + 1.5)
            yield Effect(EffectKind.REMOVE, tile(), f"tile{index}", source, Spot(zone=Zone.SPENT), clause="PENG-8.11")


def _out(before: State, seat: int, why: str, clause: str) -> Iterator[Effect]:
    piece, key = _penguin(before, seat)
    cell = before.penguins[seat]
    source = None if cell is None else spot(before, cell)
    yield Effect(EffectKind.REMOVE, piece, key, source, Spot(zone=Zone.SPENT, seat=seat), seat=seat, clause=clause)
    yield Effect(EffectKind.ELIMINATE, piece, key, seat=seat, clause=clause, facts={"why": why})


def _drop_out(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield from _out(before, before.to_act, "its penguin can neither step nor hop", "PENG-4.5")


def _reveal(before: State, action: Action, after: State) -> Iterator[Effect]:
    assert before.left is not None
    number = after.stacks[before.left][-1]
    piece = coin(parse_suit(action[1]))
    yield Effect(EffectKind.REVEAL, piece, f"coin{number}", target=spot(before, before.left), clause="PENG-6.2")


def _drift(before: State, action: Action, _after: State) -> Iterator[Effect]:
    index, corner, quarters = actions.drift_of(before, action)
    old = before.tiles[index]
    assert old is not None
    if old == corner and not quarters:
        yield from _pass(before, action, before)
        return
    kind = EffectKind.ROTATE if old == corner else EffectKind.MOVE
    aboard = [before.pawns[seat].value for seat in choices.penguins_on(before, index)]
    facts: Facts = {
        "clockwise_deg": 90 * quarters,
        "coins": sum(map(len, before.stacks[4 * index : 4 * index + 4])),
        "penguins": aboard,
    }
    source, target = (Spot(name_of(*at), at[0] + 1.5, at[1] + 1.5) for at in (old, corner))
    yield Effect(kind, tile(), f"tile{index}", source, target, seat=before.to_act, clause="PENG-9.8", facts=facts)


def _pass(before: State, _action: Action, _after: State) -> Iterator[Effect]:
    yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="PENG-9.8", facts={"choice": "no drift"})


_STORIES = {
    "roll": _roll,
    "deal": _deal,
    "place_coin": _place_coin,
    "place_penguin": _place_penguin,
    "move": _move,
    "melt": _melt,
    "drop_out": _drop_out,
    "reveal": _reveal,
    "drift": _drift,
    "pass": _pass,
}
