"""What the steps of this game change and tell, in turn."""

from __future__ import annotations

from abc import abstractmethod

from rules.engine import Action, Deed, EffectKind, Spot, Step
from rules.engine.narration import Narration
from rules.games.delegate_dash.chart import COINS, NAMES, TITLES, marker_key, marker_piece, spot_at
from rules.games.delegate_dash.opening import AREA, ASIDE, POOL, Phase, State, area_seat
from rules.table.layout import Zone


def spot_of(state: State, where: int) -> Spot:
    if where == POOL:
        return Spot("pool", zone=Zone.SPENT)
    if where == ASIDE:
        return Spot(zone=Zone.SUPPLY)
    if where >= AREA:
        return Spot(zone=Zone.HAND, seat=area_seat(state, where - AREA))
    x, y = spot_at(where)
    return Spot(NAMES[where], x, y)


class TellingDeed(Deed[State]):
    """A deed that is told while it is done."""

    def do(self, state: State, action: Action) -> Step[State]:
        narration = DashNarration(state)
        self.play(narration, action)
        if not narration.effects:
            narration.tell(EffectKind.PHASE, clause="DASH-4.6", facts={"phase": narration.state.phase.value})
        return narration.step()

    @abstractmethod
    def play(self, narration: DashNarration, action: Action) -> None: ...


EffectFact = str | int | list[str]
"""What an effect tells beside its pieces: a name, a number, or several names."""


class DashNarration(Narration[State]):
    def phase(self, phase: Phase, clause: str, **facts: EffectFact) -> None:
        self.set(phase=phase)
        self.tell(EffectKind.PHASE, clause=clause, facts={"phase": phase.value, **facts})

    def put(
        self, kind: EffectKind, marker: int, where: int, clause: str, candidate: int | None = None, **facts: EffectFact
    ) -> None:
        """A marker goes somewhere."""
        state = self.state
        rank = None if marker >= COINS else state.ranks[marker]
        spots = (*state.spots[:marker], where, *state.spots[marker + 1 :])
        who = {} if candidate is None else {"candidate": TITLES[candidate].text}
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
        names = [TITLES[candidate].text for candidate in rollers]
        self.set(dice=(None, None, None, None), rollers=rollers)
        self.phase(phase, clause, dice=names)
