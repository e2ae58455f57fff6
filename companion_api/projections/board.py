"""What one phone may see of a table now: the drawn board, whose turn it is, what is legal, the score."""

from __future__ import annotations

from itertools import islice
from typing import Any

from companion_api.access import Role, Token
from companion_api.known import KnownDispute, KnownTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import Turn, TurnKind

MAX_LEGAL = 400


def board_for(table: KnownTable, viewer: Token) -> dict[str, Any]:
    """The whole snapshot; a phone that has it needs only the events after `seq`."""
    game, seen = table.game, table.state
    outcome = game.outcome(seen)
    return {
        "table": table.table,
        "seq": table.seq,
        "game": {"id": game.card.id, "name": game.card.name, "rules": game.card.version, "hidden": game.card.hidden},
        "options": dict(table.options),
        "seats": [{"seat": i, **seat.to_json()} for i, seat in enumerate(table.seats)],
        "you": {"role": viewer.role.value, "seat": viewer.seat, "name": viewer.name},
        "status": table.status.value,
        "turn": game.turn(seen).to_json(),
        "layout": game.layout(seen).to_json(),
        "diagram": game.diagram(seen),
        "legal": legal_for(table, viewer),
        "complete": game.exhaustive(seen),
        "scores": list(outcome.scores),
        "outcome": outcome.to_json(),
        "pending": table.pending.to_json(game) if table.pending else None,
        "disputes": [dispute_for(dispute) for dispute in table.disputes.values()],
        "actions": table.actions,
    }


def legal_for(table: KnownTable, viewer: Token) -> list[dict[str, Any]]:
    """What this viewer may do: a player for the own seat, the host for everybody; others only look. It is what is
    legal as far as the viewer can know: another hand's actions would tell what is in it."""
    turn = table.game.turn(table.state)
    if not viewer.may_act or turn.is_over:
        return []
    allowed = (action for action in table.game.legal(table.state) if _may(viewer, action, turn))
    return [_listed(table.game, action) for action in islice(allowed, MAX_LEGAL)]


def _may(viewer: Token, action: Action, turn: Turn) -> bool:
    if turn.kind is TurnKind.ALL:
        # What a seat chooses in secret is its own; the host's screen does not show it either.
        return action.seat == viewer.seat
    return viewer.role is Role.HOST or turn.kind is TurnKind.CHANCE or viewer.seat in turn.seats


def _listed(game: AnyGame, action: Action) -> dict[str, Any]:
    return {
        "id": action.id,
        "text": game.describe(action),
        "touches": list(game.touches(action)),
        "seat": action.seat,
    }


def dispute_for(dispute: KnownDispute) -> dict[str, Any]:
    rulings = [{"seq": r.seq, "kind": r.kind.value, "by": r.by, **r.data} for r in dispute.rulings]
    return {"claim": dispute.claim.seq, "by": dispute.claim.by, **dispute.claim.data, "rulings": rulings}
