"""What one phone may see of a table now: the drawn board, whose turn it is, what is legal, the score."""

from __future__ import annotations

from itertools import islice
from typing import Any

from companion_api.access import Role, Token
from companion_api.session import Session
from rules.engine.action import Action
from rules.engine.turn import Turn, TurnKind

MAX_LEGAL = 400


def board_for(session: Session, viewer: Token) -> dict[str, Any]:
    """The whole snapshot; a phone that has it needs only the events after `seq`."""
    game = session.game
    # Everything below is worked out from what this seat may know, so that nothing else can slip through.
    seen = game.view(session.state, viewer.seat)
    turn = game.turn(seen)
    outcome = game.outcome(seen)
    return {
        "table": session.table,
        "seq": session.seq,
        "game": {"id": game.card.id, "name": game.card.name, "rules": game.card.version, "hidden": game.card.hidden},
        "options": options_for(session),
        "seats": [{"seat": i, **seat.to_json()} for i, seat in enumerate(session.seats)],
        "you": {"role": viewer.role.value, "seat": viewer.seat, "name": viewer.name},
        "status": session.status.value,
        "turn": turn.to_json(),
        "layout": game.layout(seen).to_json(),
        "diagram": game.diagram(seen),
        "legal": legal_for(session, viewer, seen),
        "complete": game.exhaustive(seen),
        "scores": list(outcome.scores),
        "outcome": outcome.to_json(),
        "pending": pending_for(session),
        "disputes": [dispute_for(session, seq) for seq in session.disputes],
        "actions": len(session.history.entries),
    }


def options_for(session: Session) -> dict[str, Any]:
    """The options without those that would tell a prepared deal: what the public view leaves out of them."""
    first = session.first.first
    told, seen = getattr(first, "options", None), getattr(session.game.view(first, None), "options", None)
    given = dict(session.history.options)
    return {name: value for name, value in given.items() if getattr(told, name, None) == getattr(seen, name, None)}


def legal_for(session: Session, viewer: Token, seen: Any) -> list[dict[str, Any]]:
    """What this viewer may do: a player for the own seat, the host for everybody; others only look. It is what is
    legal as far as the viewer can know: another hand's actions would tell what is in it."""
    turn = session.game.turn(seen)
    if not viewer.may_act or turn.is_over:
        return []
    actions = session.game.legal(seen)
    allowed = (action for action in actions if _may(viewer, action, turn))
    return [_listed(session, action) for action in islice(allowed, MAX_LEGAL)]


def _may(viewer: Token, action: Action, turn: Turn) -> bool:
    if turn.kind is TurnKind.ALL:
        # What a seat chooses in secret is its own; the host's screen does not show it either.
        return action.seat == viewer.seat
    return viewer.role is Role.HOST or turn.kind is TurnKind.CHANCE or viewer.seat in turn.seats


def _listed(session: Session, action: Action) -> dict[str, Any]:
    return {
        "id": action.id,
        "text": session.game.describe(action),
        "touches": list(session.game.touches(action)),
        "seat": action.seat,
    }


def pending_for(session: Session) -> dict[str, Any] | None:
    """What waits for a person: the choices of an ambiguous picture, the reason of a refused one."""
    return session.pending.to_json(session.game) if session.pending else None


def dispute_for(session: Session, seq: int) -> dict[str, Any]:
    dispute = session.disputes[seq]
    rulings = [{"seq": r.seq, "kind": r.kind.value, "by": r.by, **r.data} for r in dispute.rulings]
    return {"claim": seq, "by": dispute.claim.by, **dispute.claim.data, "rulings": rulings}
