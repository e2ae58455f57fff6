"""What an action does, told in a closed vocabulary. The page, the spoken announcement, the PPN writer and the
animation are tables over these words; nothing of it is written per game."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.outcome import Outcome
from rules.engine.refusal import Facts, facts_told
from rules.pieces import Piece
from rules.sentence import Naming, Sentence, by_number
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
    """A place with its position on the table, in spaces; off the board only the zone and the seat count."""

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
    """`key` is the layout key of the piece. `clause` says why, `facts` hold the sums; `said` is what needs a sentence:
    how it ended, why somebody is out."""

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
    said: Sentence | None = None

    def to_json(self, seat_names: Naming = by_number) -> dict[str, object]:
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
            found["facts"] = facts_told(self.facts, seat_names)
        return found


def ending(outcome: Outcome) -> Effect:
    """The last effect of a game: how it ended, by which clause, and who alone has won."""
    winner = outcome.winners[0] if len(outcome.winners) == 1 else None
    return Effect(
        EffectKind.END, seat=winner, clause=outcome.clause, facts={"reason": outcome.reason}, said=outcome.said
    )


def what_follows(outcome: Outcome, to_act: int) -> Effect:
    """The last effect of a turn: how the game ended, or whose turn it is now."""
    return ending(outcome) if outcome.over else Effect(EffectKind.TURN, seat=to_act)
