"""What would be: the table after an action, why a move is forbidden, what an earlier action may really have been."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from companion_api.projections.choices import told
from companion_api.projections.effects import effect_for
from companion_api.seat_view import SeatView
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.referee import wording
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone

MOST_TRIED = 40
LAID = (EffectKind.MOVE, EffectKind.PLACE)
MOST_ALTERNATIVES = 6
MOST_SPOTS = 150
_NEAR = 1.5  # spaces between a tap and where a piece is laid that was meant by it


def effects_of(game: AnyGame, known: Any, action: Action) -> list[dict[str, Any]]:
    """What it would do. Where others' choices are sealed, the last vote would already tell the count: nothing then."""
    if game.card.hidden and game.turn(known).kind is not TurnKind.SEAT:
        return []
    return [effect_for(game, effect) for effect in game.apply(known, action).effects]


def ghosts_of(game: AnyGame, known: Any, action: Action) -> dict[str, Any]:
    """What will lie elsewhere or otherwise, as it will lie, and the keys of what will lie on the board no more. Nothing
    where others choose in secret, or where the table decides."""
    if game.turn(known).kind is not TurnKind.SEAT:
        return {"ghosts": [], "gone": []}
    before = {placed.key: placed for placed in game.layout(known)}
    after = {placed.key: placed for placed in game.layout(game.advance(known, action))}
    changed = (placed for key, placed in after.items() if placed.zone is Zone.BOARD and placed != before.get(key))
    lying = (key for key, placed in before.items() if placed.zone is Zone.BOARD)
    gone = [key for key in lying if key not in after or after[key].zone is not Zone.BOARD]
    return {"ghosts": [placed.to_json() for placed in changed if _seen_to_change(before, placed)], "gone": gone}


def _seen_to_change(before: dict[str, Placed], placed: Placed) -> bool:
    """A piece that only gets another one beneath it, or another place's name, lies where it lay."""
    old = before.get(placed.key)
    if old is None or old.zone is not Zone.BOARD:
        return True
    looks = (old.x, old.y, old.face, old.angle, old.lean, old.pose, old.shown)
    return looks != (placed.x, placed.y, placed.face, placed.angle, placed.lean, placed.pose, placed.shown)


def spots_of(table: SeatView, source: str) -> list[list[float]]:
    """Where a piece can be laid on a table without a grid: some of the legal spots, to shade the ground by."""
    game, state = table.game, table.state
    taken = _taken_up(game, state, source)
    if taken is None or game.turn(state).kind is not TurnKind.SEAT or game.exhaustive(state):
        return []
    found: dict[tuple[float, float], None] = {}
    for action in islice(game.legal(state, touching=(source,)), MOST_SPOTS):
        if landed := _landing(game, state, action, taken.key):
            found[round(landed[0], 2), round(landed[1], 2)] = None
    return [list(spot) for spot in found]


def _landing(game: AnyGame, state: Any, action: Action, key: str) -> tuple[float, float] | None:
    """Where an action lays a piece, as its story tells; only where it tells nothing the whole table is laid out."""
    for effect in game.apply(state, action).effects:
        spot = effect.target if effect.key == key and effect.kind in LAID else None
        if spot is not None and spot.zone is Zone.BOARD and spot.x is not None and spot.y is not None:
            return spot.x, spot.y
    landed = game.layout(game.advance(state, action)).by_key(key)
    return (landed.x, landed.y) if landed is not None and landed.zone is Zone.BOARD else None


def table_after(table: SeatView, actions: list[Action]) -> dict[str, Any] | None:
    """The table after some actions, as its seat would see it, and what they do; None if one is not legal there."""
    game, state = table.game, table.state
    effects: list[dict[str, Any]] = []
    for action in actions:
        if game.refusal(state, action):
            return None
        if game.card.hidden and game.turn(state).kind is not TurnKind.SEAT:
            break
        effects += effects_of(game, state, action)
        state = game.advance(state, action)
    return {"layout": game.layout(game.view(state, table.seat)).to_json(), "effects": effects}


def why_not(table: SeatView, source: str, target: str) -> Refusal | None:
    """The rule against carrying what lies on one place to another; None if nothing can be said."""
    game, state = table.game, table.state
    change = _carried(game.layout(state), source, target)
    if change is None or game.turn(state).is_over:
        return None
    return _refused(game, state, change)


def _refused(game: AnyGame, state: Any, change: Change) -> Refusal | None:
    """The rule against a change of the table."""
    tried = wording.why_not(game, state, change, MOST_TRIED)
    return tried[1] if tried else None


def carried(table: SeatView, source: str, x: float, y: float) -> tuple[list[Action], Refusal | None]:
    """What a person may mean who taps a piece and then a free spot of the table: legal actions, the likeliest first;
    where there are none, the rule that forbids it. Games without a grid snap the spot to what it touches."""
    game, state = table.game, table.state
    taken = _taken_up(game, state, source)
    if taken is None or game.turn(state).is_over:
        return [], None
    put = taken._replace(x=x, y=y, zone=Zone.BOARD, seat=None, place="")
    change = Change(moved=(MovedPiece(taken, put),))
    meant = (a for a in islice(game.suggest(state, change), MOST_TRIED) if source in game.touches(a))
    legal = (action for action in dict.fromkeys(meant) if game.refusal(state, action) is None)
    found = [action for action in legal if _lands_near(game, state, action, put)]
    return found[:MOST_ALTERNATIVES], None if found else _refused(game, state, change)


def _lands_near(game: AnyGame, state: Any, action: Action, put: Placed) -> bool:
    """Whether the piece comes to lie about where the person tapped; it may also fall off with a part of the board."""
    landed = _landing(game, state, action, put.key)
    return landed is None or math.hypot(landed[0] - put.x, landed[1] - put.y) < _NEAR


def _carried(layout: Layout, source: str, target: str) -> Change | None:
    """The change on the table that a person means who taps here and then there."""
    taken = _top(layout, source)
    place = next((p for p in layout.places if p.name == target), None)
    if taken is None or place is None:
        return None
    put = Placed(taken.piece, taken.key, place.x, place.y, taken.face, taken.angle, place=target)
    return Change(moved=(MovedPiece(taken, put),))


def _lying(layout: Layout, name: str) -> tuple[Placed, ...]:
    return layout.at(name) or tuple(p for p in layout if name in (p.piece.code, p.key))


def _top(layout: Layout, name: str) -> Placed | None:
    lying = _lying(layout, name)
    return lying[-1] if lying else None


def _taken_up(game: AnyGame, state: Any, name: str) -> Placed | None:
    """What a person takes up there: the piece that an action moves, though another may stand on it; or else the top."""
    lying = _lying(game.layout(state), name)
    action = next(iter(game.legal(state, touching=(name,))), None)
    moved = {effect.key for effect in game.apply(state, action).effects if effect.kind in LAID} if action else set()
    return next((placed for placed in lying if placed.key in moved), lying[-1] if lying else None)


def alternatives(table: SeatView, seq: int) -> list[dict[str, Any]]:
    """What the action of an event may really have been, likely ones first, each with the table it would have led to."""
    index, game = table.index_of(seq), table.game
    if index is None:
        return []
    known, done = table.before(index), table.done(index).action
    sealed = game.card.hidden and game.turn(known).kind is TurnKind.ALL
    if done is None or sealed or not table.is_whole(index):
        return []
    legal = [a for a in islice(game.legal(known), 600) if a != done]
    near = sorted(legal, key=lambda action: -_likeness(game, action, done))[:MOST_ALTERNATIVES]
    return [_alternative(game, known, table.seat, action) for action in near]


def _likeness(game: AnyGame, action: Action, done: Action) -> float:
    shared = set(game.touches(action)) & set(game.touches(done))
    return (
        2.0 * len(shared)
        + (action.verb == done.verb)
        + 0.1 * sum(a == b for a, b in zip(action.args, done.args, strict=False))
    )


def _alternative(game: AnyGame, known: Any, seat: int | None, action: Action) -> dict[str, Any]:
    after = game.view(game.advance(known, action), seat)
    return {
        "actions": [action.id],
        "text": game.describe(action),
        "acts": [told(game, action)],
        "layout": game.layout(after).to_json(),
        "effects": effects_of(game, known, action),
    }
