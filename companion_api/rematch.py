"""A game once more with the same people: whoever sits after the one who began last time begins now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion_api.session import Session
from rules.engine.card import read_seats
from rules.engine.turn import TurnKind

_START = "start_player"
"""The option of the games that let people choose who begins."""
_ROLLED = "roll"


@dataclass(frozen=True, slots=True)
class Rematch:
    """`places`: to which seat each seat goes; empty where everybody keeps theirs."""

    options: dict[str, Any]
    seats: list[dict[str, Any]]
    places: tuple[int, ...]


def rematch_of(session: Session) -> Rematch:
    """Who begins is chosen by the option of the game, rolled for again, or else people change places."""
    options, count = dict(session.first.options), len(session.seats)
    seats = [seat.to_json() for seat in session.seats]
    chosen = next((option for option in session.game.card.options if option.name == _START), None)
    began = _began(session)
    if chosen is None and began is not None and count > 1:
        places = tuple((seat - 1) % count for seat in range(count))
        moved = list(seats)
        for seat, place in enumerate(places):
            moved[place] = {**seats[place], "name": _given_name(session, seat)}
        return Rematch(options, moved, places)
    if chosen is not None and began is not None and options.get(_START, chosen.default) != _ROLLED:
        after = (began + 1) % count
        options[_START] = next((choice for choice in chosen.choices if str(choice) == str(after)), after)
    return Rematch(options, seats, ())


def _began(session: Session) -> int | None:
    """Whose turn was the first that was a single seat's."""
    state = session.history.first
    for entry in session.history.entries:
        turn = session.game.turn(state)
        if turn.kind is TurnKind.SEAT:
            return turn.seats[0]
        state = entry.state
    return None


def _given_name(session: Session, seat: int) -> str:
    """What people call themselves; empty for what only the game calls a seat."""
    plain = read_seats(session.game.card, len(session.seats))[seat].name
    name = session.roster.name_of(seat) or session.seats[seat].name
    return "" if name == plain else name
