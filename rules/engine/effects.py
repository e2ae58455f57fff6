"""Effects of an action, in a closed vocabulary. The page, the spoken announcement, the PPN writer and the animation are
tables over it; none is written per game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.outcome import Outcome
from rules.engine.refusal import Facts, facts_with_names
from rules.pieces import Piece
from rules.sentence import SeatNames, Sentence, by_number
from rules.table.layout import Zone


class EffectKind(StrEnum):
    PLACE = "place"  # a piece comes onto the board
    MOVE = "move"  # a piece goes from place to place
    FLIP = "flip"  # turned over; what shows now is in `piece`
    ROTATE = "rotate"
    TAKE = "take"  # a seat gets a piece
    REMOVE = "remove"  # a piece leaves the game or goes back to the supply
    REVEAL = "reveal"  # a value that nobody (or not everybody) knew is now known
    ROLL = "roll"
    PAY = "pay"  # `seat` pays `amount` (to `other`, if anybody)
    CHOOSE = "choose"  # a vote, a bid, a sealed choice, an option
    ATTACK = "attack"  # `seat` attacks `other`; facts: strength, defence, success
    COLLAPSE = "collapse"  # a part of the board goes; facts: places
    ELIMINATE = "eliminate"  # `seat` is out; facts: why
    SCORE = "score"  # `seat` gets `amount`; facts: the sum it comes from
    PHASE = "phase"
    TURN = "turn"  # it is now the turn of `seat`
    END = "end"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place with its position on the table, in spaces; off the board a zone and a seat."""

    name: str = ""
    x: float | None = None
    y: float | None = None
    zone: Zone = Zone.BOARD
    seat: int | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "place": self.name,
            "position": None if self.x is None or self.y is None else [self.x, self.y],
            "zone": self.zone.value,
            "seat": self.seat,
        }


@dataclass(frozen=True, slots=True)
class Effect:
    """`key`: layout key of the piece. `clause`: its rule; `facts`: numbers and codes; `sentence`: how the game ended or
    why a seat is out."""

    kind: EffectKind
    piece: Piece | None = None
    key: str = ""
    source: Spot | None = None
    target: Spot | None = None
    seat: int | None = None
    other: int | None = None
    amount: int | None = None
    clause: str = ""
    facts: Facts = field(default_factory=dict)
    sentence: Sentence | None = None

    def to_json(self, seat_names: SeatNames = by_number) -> dict[str, object]:
        found: dict[str, object] = {"kind": self.kind.value}
        if self.piece is not None:
            found["piece"] = self.piece.code
        if self.key:
            found["key"] = self.key
        if self.source is not None:
            found["from"] = self.source.to_json()
        if self.target is not None:
            found["to"] = self.target.to_json()
        numbers = {"seat": self.seat, "other": self.other, "amount": self.amount}
        found.update({name: value for name, value in numbers.items() if value is not None})
        if self.clause:
            found["clause"] = self.clause
        if self.facts:
            found["facts"] = facts_with_names(self.facts, seat_names)
        return found


def end_effect(outcome: Outcome) -> Effect:
    """The END effect of an outcome; `seat` is the only winner, if there is one."""
    winner = outcome.winners[0] if len(outcome.winners) == 1 else None
    return Effect(
        EffectKind.END, seat=winner, clause=outcome.clause, facts={"reason": outcome.reason}, sentence=outcome.sentence
    )


def next_turn_effect(outcome: Outcome, to_act: int) -> Effect:
    """The last effect of a turn: END if the game is over, else TURN."""
    return end_effect(outcome) if outcome.over else Effect(EffectKind.TURN, seat=to_act)
