"""A state on its way through an action, with the story so far. Lives only while one action is done."""

from __future__ import annotations

from typing import Any

from rules.engine import Effect, EffectKind, Spot
from rules.games.delegate_dash.chart import COINS, NAMES, TITLES, marker_piece, spot_at
from rules.games.delegate_dash.opening import AREA, ASIDE, POOL, Phase, State, changed
from rules.table.layout import Zone


def area_seat(state: State, candidate: int) -> int:
    """The seat number of a candidate's area on the table: the player's, then the automatic ones clockwise."""
    seat = state.players[candidate]
    if seat is not None:
        return seat
    spare = [other for other in range(4) if state.players[other] is None]
    return 4 - len(spare) + spare.index(candidate)


def spot_of(state: State, where: int) -> Spot:
    if where == POOL:
        return Spot("pool", zone=Zone.SPENT)
    if where == ASIDE:
        return Spot(zone=Zone.SUPPLY)
    if where >= AREA:
        return Spot(zone=Zone.HAND, seat=area_seat(state, where - AREA))
    x, y = spot_at(where)
    return Spot(NAMES[where], x, y)


def marker_key(marker: int) -> str:
    """A coin is known by its suit and by when it was placed; that says nothing about its value."""
    suit = marker_piece(marker, None).suit
    return f"pawn-{suit}" if marker >= COINS else f"{suit}-{marker % 6}"


class Telling:
    def __init__(self, state: State) -> None:
        self.state = state
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        self.state = changed(self.state, **changes)

    def tell(self, kind: EffectKind, **fields: Any) -> None:
        self.effects.append(Effect(kind, **fields))

    def phase(self, phase: Phase, clause: str, **facts: Any) -> None:
        self.set(phase=phase)
        self.tell(EffectKind.PHASE, clause=clause, facts={"phase": phase.value, **facts})

    def put(
        self,
        kind: EffectKind,
        marker: int,
        where: int,
        clause: str,
        candidate: int | None = None,
        **facts: Any,
    ) -> None:
        """A marker goes somewhere."""
        state = self.state
        rank = None if marker >= COINS else state.ranks[marker]
        spots = (*state.spots[:marker], where, *state.spots[marker + 1 :])
        who = {} if candidate is None else {"candidate": TITLES[candidate]}
        self.tell(
            kind,
            piece=marker_piece(marker, rank),
            key=marker_key(marker),
            source=spot_of(state, state.spots[marker]),
            target=spot_of(state, where),
            seat=None if candidate is None else state.players[candidate],
            clause=clause,
            facts={**who, **facts},
        )
        self.set(spots=spots)

    def throw(self, phase: Phase, rollers: tuple[int, ...], clause: str) -> None:
        """These candidates' dice are to be thrown."""
        names = [TITLES[candidate] for candidate in rollers]
        self.set(dice=(None, None, None, None), rollers=rollers)
        self.phase(phase, clause, dice=names)
