"""What a set's own pieces taught us: for each kind a linear discriminant over its faces, made from the lesson's
pictures. Where there was no lesson, what games have shown weighs the reading."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calibration import learned_appearance
from calibration.discriminant import Discriminant
from calibration.trial import Score, Trial
from vision.nets import models
from vision.piece import DetectedPiece
from vision.witness.appearance import Appearances


@dataclass(frozen=True, slots=True)
class TaughtSet:
    """`reader` names the weights that it was taught to (`reader_now`): with others its numbers mean nothing. `leaks`
    says in words what this edition gives away of hidden sides. `looks`: what games have shown of it. `trials`: of each
    kind what the lesson brings, `tables`: with how many drawn tables it was taught. `net`: the file (ONNX) of a reader
    that was tuned on it, beginning with the weights that `reader` names; None where these are used as they are.
    `other`: the same lesson as the other reader knows it, the shipped or the tuned one. `tuning`: of so many looks kept
    aside how many faces were told rightly before it was tuned and after."""

    name: str
    reader: str
    kinds: Mapping[str, Discriminant] = field(default_factory=dict)
    pieces: int = 0
    leaks: tuple[str, ...] = ()
    looks: Appearances = field(default_factory=Appearances)
    trials: Mapping[str, Trial] = field(default_factory=dict)
    tables: int = 0
    net: bytes | None = None
    other: TaughtSet | None = None
    tuning: Score | None = None

    def named(self, piece: DetectedPiece) -> DetectedPiece:
        """The piece with its chances weighed anew."""
        known = self.kinds.get(piece.kind)
        return known.weigh(piece) if known is not None else learned_appearance.named(self.looks, piece)

    @property
    def has_net(self) -> bool:
        """Whether there is a reader that was tuned on it, in use or not."""
        return self.net is not None or (self.other is not None and self.other.net is not None)

    def with_other_reader(self) -> TaughtSet:
        """Read with the other reader from now on."""
        if self.other is None:
            return self
        return replace(self.other, other=replace(self, other=None, tuning=None), tuning=self.tuning)

    @property
    def faces(self) -> int:
        """How many faces games have shown."""
        return len(learned_appearance.faces_of(self.looks))

    def having_seen(self, looks: Appearances) -> TaughtSet:
        """With what one more game has shown."""
        return replace(self, looks=learned_appearance.together(self.looks, looks))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "reader": self.reader,
            "kinds": {kind: known.to_json() for kind, known in self.kinds.items()},
            "pieces": self.pieces,
            "leaks": list(self.leaks),
            "looks": learned_appearance.to_json(self.looks),
            "trials": {kind: trial.to_json() for kind, trial in self.trials.items()},
            "tables": self.tables,
            "net": None if self.net is None else base64.b64encode(self.net).decode(),
            "other": None if self.other is None else self.other.to_json(),
            "tuning": None if self.tuning is None else list(self.tuning),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> TaughtSet:
        kinds = {str(kind): Discriminant.from_json(entry) for kind, entry in data.get("kinds", {}).items()}
        leaks = tuple(str(words) for words in data["leaks"])
        looks = learned_appearance.from_json(data.get("looks", {}))
        trials = {str(kind): Trial.from_json(entry) for kind, entry in data.get("trials", {}).items()}
        tables, net, other, tuning = int(data.get("tables", 0)), data.get("net"), data.get("other"), data.get("tuning")
        return TaughtSet(
            str(data["name"]),
            str(data["reader"]),
            kinds,
            int(data["pieces"]),
            leaks,
            looks,
            trials,
            tables,
            None if net is None else base64.b64decode(net, validate=True),
            None if other is None else TaughtSet.from_json(other),
            None if tuning is None else Score(*(int(count) for count in tuning)),
        )


def reader_now() -> str:
    """Of the shipped weights that a set is taught to. ModelError or KeyError where there are none."""
    return models()["reader"].sha256
