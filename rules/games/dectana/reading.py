"""Actions that explain a change of the table of Dectana (DEC-7)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.engine.open_grid import cell_of, name_of
from rules.games.dectana.deeds.turning import PASS
from rules.games.dectana.opening import BOARD, Phase, State, places_of
from rules.games.dectana.powers import SUIT_OF
from rules.pieces import Kind, Pose
from rules.table.change import Change
from rules.table.layout import Placed, Zone

_BY_ANGLE = {0: "N", 90: "W", 180: "S", 270: "E"}


def suggestions(state: State, change: Change, legal: tuple[Action, ...]) -> Iterator[Action]:
    """Candidate actions, likely ones first. Choosing a card changes little by itself; its effect shows in its uses."""
    if state.stage is Phase.DEAL and (deal := _deal_seen(change)):
        yield deal
    turned = reorientation(state, change)
    if state.stage is Phase.TURN and turned is not None:
        yield turned
    on_board = [action for action in legal if action.verb in (*SUIT_OF, "enter", "place_start")]
    near = [action for action in on_board if not change.places.isdisjoint(places_of(action[0]))]
    yield from near
    if state.stage is Phase.TURN:
        shown = _cards_shown(change)
        cards = [action for action in legal if action.verb in ("activate", "play", "redraw")]
        likely = [action for action in cards if action.verb != "play" or action[0] in shown or not shown]
        yield from sorted(likely, key=lambda action: _order(action, shown))
        if any(p.piece.kind is Kind.PYRAMID for p in [*change.placed, *change.removed]):
            yield from (action for action in legal if action.verb == "enter" and action not in near)
        if PASS in legal:
            yield PASS
    elif not near:
        shown = _cards_shown(change)
        yield from [action for action in legal if action.verb == "discard" and action[0] in shown] or legal


def _deal_seen(change: Change) -> Action | None:
    """The nine face-up cards, row by row from the north-west."""
    cards = [p for p in change.placed if p.piece.kind is Kind.CARD and p.piece.mark and p.zone is Zone.BOARD]
    rows = sorted(cards, key=lambda p: (-round(p.y), p.x))
    return Action("deal", ("+".join(str(p.piece.mark) for p in rows),)) if len(rows) == len(BOARD) else None


def reorientation(state: State, change: Change) -> Action | None:
    """One action for all own pyramids with another orientation in the same space."""
    words = []
    own = {pyramid.key: pyramid for pyramid in state.own(state.to_act)}
    for move in change.moved:
        pyramid = own.get(move.before.key)
        orient = orient_of(move.after)
        if pyramid and move.after.place == name_of(pyramid.cell) and orient != pyramid.orient:
            words.append(f"{pyramid.ref}>{orient}")
    return Action("reorient", ("+".join(sorted(words)),)) if words else None


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Possible attempts, legal or not: pyramids moved between spaces, turned, or brought in."""
    known = {pyramid.key: pyramid for pyramid in state.pyramids}
    lying = [(move.before.key, move.after) for move in change.moved]
    for key, after in [*lying, *((new.key, new) for new in change.added)]:
        pyramid, goal = known.get(key), cell_of(after.place)
        if goal is None or after.piece.kind is not Kind.PYRAMID:
            continue
        if pyramid is None:
            yield Action("enter", (after.place, orient_of(after)))
            yield Action("place_start", (after.place, orient_of(after)))
        elif goal == pyramid.cell:
            yield Action("reorient", (f"{pyramid.ref}>{orient_of(after)}",))
        else:
            far = abs(goal[0] - pyramid.x) + abs(goal[1] - pyramid.y)
            yield Action("move", (pyramid.ref, str(far)))


def orient_of(placed: Placed) -> str:
    """Orientation of a pyramid as the nearest of four directions (DEC-2.8)."""
    if placed.pose is not Pose.FLAT:
        return "U"
    return _BY_ANGLE[round(placed.angle / 90) % 4 * 90]


def _cards_shown(change: Change) -> set[str]:
    """Cards newly visible on the discard pile or in a hand."""
    cards = [p for p in change.placed if p.piece.kind is Kind.CARD and p.zone is not Zone.BOARD]
    return {p.piece.mark for p in cards if p.piece.mark}


def _order(action: Action, shown: set[str]) -> int:
    if action.verb == "play":
        return 0 if action[0] in shown else 3
    return 1 if action.verb == "activate" else 2
