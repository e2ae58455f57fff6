"""What one phone may see of a table now: the drawn board, whose turn it is, what is legal, the score."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from companion_api.access import Role, Token
from companion_api.clock import Clock
from companion_api.projections.choices import choices_for, together_for, valued
from companion_api.seat_view import KnownDispute, SeatView
from companion_api.study import may_hint
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.engine.turn import Turn, TurnKind
from rules.games import game as find_game

MAX_LEGAL = 400
EACH = 5
"""So many ways tell a phone that there are several; it asks for more where the piece is taken up."""


def board_for(table: SeatView, viewer: Token) -> dict[str, Any]:
    """The whole snapshot; a phone that has it needs only the events after `seq`."""
    game, seen = table.game, table.state
    outcome = game.outcome(seen)
    return {
        "table": table.table,
        "seq": table.seq,
        "version": table.version,
        "state": table.state_seq,
        "game": head_of(game),
        "options": dict(table.options),
        "seats": seats_of(table),
        "you": you(viewer),
        "wanted": wanted_from(table, viewer),
        "status": table.status.value,
        "simulated": table.simulated,
        "hints": viewer.may_act and may_hint(table),
        "turn": game.turn(seen).to_json(),
        **table.once("drawn", lambda: {"layout": game.layout(seen).to_json(), "diagram": game.diagram(seen)}),
        "legal": legal_for(table, viewer),
        "open": open_to_others(table, viewer),
        "complete": game.exhaustive(seen),
        "luck_by": luck_by(table),
        "together": table.once("together", lambda: together_for(table, _listed(table))),
        "scores": list(outcome.scores),
        "outcome": {
            **outcome.to_json(),
            "said": valued(game, outcome.sentence.to_json()) if outcome.sentence else None,
        },
        "pending": valued(game, table.pending.to_json(game)) if table.pending else None,
        "disputes": [valued(game, dispute_for(dispute)) for dispute in table.disputes.values()],
        "actions": table.actions,
        "clock": clock_for(table.clock),
        "luck": table.luck.to_json() if table.luck else None,
        "takeback": table.takeback.to_json() if table.takeback else None,
        "taken_back": table.taken_back.to_json() if table.taken_back else None,
    }


def you(viewer: Token) -> dict[str, Any]:
    return {"role": viewer.role.value, "seat": viewer.seat, "name": viewer.name, "phone": viewer.phone}


def head_of(game: AnyGame) -> dict[str, Any]:
    card = game.card
    head = {"id": card.id, "name": card.name, "rules": card.version, "hidden": card.hidden}
    return {**head, "by_tiles": game.by_tiles}


def luck_by(table: SeatView) -> str | None:
    """How the table decides now, where it does."""
    game, state = table.game, table.state
    if game.turn(state).kind is not TurnKind.CHANCE:
        return None
    return next((game.verbs[action.verb].luck.value for action in game.legal(state)), None)


def clock_for(clock: Clock | None) -> dict[str, Any] | None:
    """What everybody has left at this moment; a phone counts on from there."""
    if clock is None:
        return None
    return {
        "left": [round(left, 1) for left in clock.at(time.time())],
        "ticking": list(clock.ticking) if clock.goes else [],
        "run": clock.run,
        "held": clock.held,
        "minutes": clock.minutes,
        "increment": clock.increment,
    }


def legal_for(table: SeatView, viewer: Token) -> list[dict[str, Any]]:
    """What this viewer may do: a player for the own seat, the host for everybody; others only look. It is what is
    legal as far as the viewer can know: another hand's actions would tell what is in it."""
    turn = table.game.turn(table.state)
    if not viewer.may_act or turn.is_over:
        return []
    return [item for item in _listed(table) if _may(viewer, item["seat"], turn)]


def open_to_others(table: SeatView, viewer: Token) -> list[dict[str, Any]]:
    """For whoever may do nothing now: what those whose turn it is may do, as far as this viewer can know it. Only
    shown, never done; nothing while choices are sealed."""
    turn = table.game.turn(table.state)
    idle = not viewer.may_act or (viewer.role is Role.PLAYER and viewer.seat not in turn.seats)
    if not idle or turn.kind is not TurnKind.SEAT:
        return []
    return _listed(table)


def seats_of(table: SeatView) -> list[dict[str, Any]]:
    """Every seat with its name: what those who sit there call themselves, or else what the game calls it."""
    roster = table.roster
    return [
        {
            "seat": number,
            **seat.to_json(),
            "name": table.names[number],
            "held": [guest.name for guest in roster.holders(number)],
            "out": number in table.out,
        }
        for number, seat in enumerate(table.seats)
    ]


def wanted_from(table: SeatView, viewer: Token) -> list[dict[str, Any]]:
    """Who would share a seat that this viewer can speak for."""
    asked = table.roster.wanted.items()
    mine = ((seat, guest) for (_, seat), guest in asked if viewer.role is Role.HOST or seat == viewer.seat)
    return [{"seat": seat, "phone": guest.phone, "name": guest.name} for seat, guest in mine]


@cache
def sketched(name: str, plies: int = 24) -> dict[str, Any]:
    """The public layout of a random game some turns old, or of the last turn before its end."""
    rules = find_game(name)
    states = [state for state, _ in islice(walk(rules, 3), plies)]
    return rules.layout(rules.view(states[-1], None)).to_json()


def _may(viewer: Token, seat: int | None, turn: Turn) -> bool:
    """Whether this viewer may do what that seat may."""
    if turn.kind is TurnKind.ALL:
        # What a seat chooses in secret is its own; the host's screen does not show it either.
        return seat == viewer.seat
    return viewer.role is Role.HOST or turn.kind is TurnKind.CHANCE or viewer.seat in turn.seats


def _listed(table: SeatView) -> list[dict[str, Any]]:
    """What is legal, for whoever may do it."""
    return table.once("listed", lambda: choices_for(table, _offered(table.game, table.state)))


def _offered(game: AnyGame, state: Any) -> Iterator[Action]:
    """All that is legal; where a piece can be laid in a thousand ways, a few of them for every piece that can be."""
    if game.exhaustive(state):
        yield from islice(game.legal(state), MAX_LEGAL)
        return
    given: Counter[tuple[str, ...]] = Counter()
    for action in islice(game.legal(state), MAX_LEGAL):
        touches = game.touches(action)
        given[touches] += 1
        if not touches or given[touches] <= EACH:
            yield action
    begun = {name for touches in given for name in touches}
    names = dict.fromkeys(name for placed in game.layout(state) for name in (placed.place, placed.piece.code))
    for name in names:
        if name and name not in begun:
            yield from islice(game.legal(state, touching=(name,)), EACH)


def dispute_for(dispute: KnownDispute) -> dict[str, Any]:
    rulings = [{"seq": r.seq, "kind": r.kind.value, "by": r.by, **r.data} for r in dispute.rulings]
    return {"claim": dispute.claim.seq, "by": dispute.claim.by, **dispute.claim.data, "rulings": rulings}
