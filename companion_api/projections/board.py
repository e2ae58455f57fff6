"""The state of a table for one phone: board, turn, legal actions, scores."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from companion_api.access import Role, Token
from companion_api.projections.choices import choices_for, together_for, with_values
from companion_api.reducers import Clock
from companion_api.seat_view import DisputeView, SeatView
from companion_api.study import is_hint_allowed
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.engine.turn import Turn, TurnKind
from rules.games import game as find_game

MAX_LEGAL = 400
WAYS_PER_PIECE = 5
"""Listed ways per piece where there are many; a phone asks for the rest when the piece is picked up."""


def board_for(table: SeatView, viewer: Token) -> dict[str, Any]:
    """The whole snapshot; afterwards a phone needs only the events after `seq`."""
    game, state = table.game, table.state
    return {
        "table": table.table,
        "seq": table.seq,
        "version": table.version,
        "state": table.state_seq,
        "game": game_head(game),
        "options": dict(table.options),
        "seats": seats_of(table),
        "you": you(viewer),
        "wanted": seat_requests(table, viewer),
        "status": table.status.value,
        "simulated": table.simulated,
        "hints": viewer.may_act and is_hint_allowed(table),
        "turn": game.turn(state).to_json(),
        **table.cached("drawn", lambda: {"layout": game.layout(state).to_json(), "diagram": game.diagram(state)}),
        "legal": legal_for(table, viewer),
        "open": others_legal(table, viewer),
        "complete": game.exhaustive(state),
        "luck_by": luck_by(table),
        "together": table.cached("together", lambda: together_for(table, _listed(table))),
        "scores": list(game.outcome(state).scores),
        "outcome": outcome_json(game, state),
        "pending": with_values(game, table.pending.to_json(game)) if table.pending else None,
        "disputes": [with_values(game, dispute_for(dispute)) for dispute in table.disputes.values()],
        "actions": table.actions,
        "clock": clock_for(table.clock),
        "luck": table.luck.to_json() if table.luck else None,
        "takeback": table.takeback.to_json() if table.takeback else None,
        "taken_back": table.taken_back.to_json() if table.taken_back else None,
    }


def you(viewer: Token) -> dict[str, Any]:
    return {"role": viewer.role.value, "seat": viewer.seat, "name": viewer.name, "phone": viewer.phone}


def game_head(game: AnyGame) -> dict[str, Any]:
    card = game.card
    head = {"id": card.id, "name": card.name, "rules": card.version, "hidden": card.hidden}
    return {**head, "by_tiles": game.by_tiles}


def outcome_json(game: AnyGame, state: Any) -> dict[str, Any]:
    outcome = game.outcome(state)
    return {**outcome.to_json(), "said": with_values(game, outcome.sentence.to_json()) if outcome.sentence else None}


def luck_by(table: SeatView) -> str | None:
    """How chance decides now, if it does."""
    game, state = table.game, table.state
    if game.turn(state).kind is not TurnKind.CHANCE:
        return None
    return next((game.verbs[action.verb].luck.value for action in game.legal(state)), None)


def clock_for(clock: Clock | None) -> dict[str, Any] | None:
    """Seconds left now; the phone counts on from there."""
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
    """Actions this viewer may do: a player's own, all for the host. Computed from the viewer's view, since another
    hand's actions would reveal it."""
    turn = table.game.turn(table.state)
    if not viewer.may_act or turn.is_over:
        return []
    return [item for item in _listed(table) if _may_act(viewer, item["seat"], turn)]


def others_legal(table: SeatView, viewer: Token) -> list[dict[str, Any]]:
    """Actions of the seats to move, for viewers who are not; shown only, and none while choices are sealed."""
    turn = table.game.turn(table.state)
    idle = not viewer.may_act or (viewer.role is Role.PLAYER and viewer.seat not in turn.seats)
    return _listed(table) if idle and turn.kind is TurnKind.SEAT else []


def seats_of(table: SeatView) -> list[dict[str, Any]]:
    """Every seat with the names of the people there, or the game's name for it."""
    roster = table.roster
    return [
        {
            "seat": number,
            **seat.to_json(),
            "name": table.names[number],
            "held": [guest.name for guest in roster.holders(number)],
            "out": number in table.eliminated,
        }
        for number, seat in enumerate(table.seats)
    ]


def seat_requests(table: SeatView, viewer: Token) -> list[dict[str, Any]]:
    """Requests to share a seat that this viewer decides on."""
    requests = table.roster.wanted.items()
    own_requests = ((seat, guest) for (_, seat), guest in requests if viewer.role is Role.HOST or seat == viewer.seat)
    return [{"seat": seat, "phone": guest.phone, "name": guest.name} for seat, guest in own_requests]


@cache
def sample_layout(name: str, plies: int = 24) -> dict[str, Any]:
    """The public layout of a random game after some turns, at most before its last."""
    rules = find_game(name)
    states = [state for state, _ in islice(walk(rules, 3), plies)]
    return rules.layout(rules.view(states[-1], None)).to_json()


def _may_act(viewer: Token, seat: int | None, turn: Turn) -> bool:
    if turn.kind is TurnKind.ALL:
        # a seat's secret choice is its own; the host's screen does not show it either
        return seat == viewer.seat
    return viewer.role is Role.HOST or turn.kind is TurnKind.CHANCE or viewer.seat in turn.seats


def _listed(table: SeatView) -> list[dict[str, Any]]:
    """All legal actions as choices, for all seats to move."""
    return table.cached("listed", lambda: choices_for(table, _listed_actions(table.game, table.state)))


def _listed_actions(game: AnyGame, state: Any) -> Iterator[Action]:
    """Legal actions; where they are not enumerable, a few for every piece."""
    if game.exhaustive(state):
        yield from islice(game.legal(state), MAX_LEGAL)
        return
    counts: Counter[tuple[str, ...]] = Counter()
    for action in islice(game.legal(state), MAX_LEGAL):
        touches = game.touches(action)
        counts[touches] += 1
        if not touches or counts[touches] <= WAYS_PER_PIECE:
            yield action
    started = {name for touches in counts for name in touches}
    names = dict.fromkeys(name for placed in game.layout(state) for name in (placed.place, placed.piece.code))
    for name in names:
        if name and name not in started:
            yield from islice(game.legal(state, touching=(name,)), WAYS_PER_PIECE)


def dispute_for(dispute: DisputeView) -> dict[str, Any]:
    rulings = [{"seq": r.seq, "kind": r.kind.value, "by": r.by, **r.data} for r in dispute.rulings]
    return {"claim": dispute.claim.seq, "by": dispute.claim.by, **dispute.claim.data, "rulings": rulings}
