"""A taught set: for each kind a linear discriminant over its faces, fitted to a lesson's pictures; for kinds without a
lesson, appearances from games reweight the reading."""

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
    """`reader`: hash of the reader's weights with which it was taught (`reader_now`), the only ones it is valid for.
    `leaks`: warnings about hidden sides. `looks`: appearances from games. `trials`: cross-validation by kind; `tables`:
    number of rendered tables used. `net`: ONNX file of a reader tuned on the set from the weights `reader`; None where
    these are used unchanged. `other`: the same lesson with the other reader, shipped or tuned. `tuning`: number of
    held-out looks, and of those read rightly before and after tuning."""

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

    def reweighted(self, piece: DetectedPiece) -> DetectedPiece:
        known = self.kinds.get(piece.kind)
        return known.weigh(piece) if known is not None else learned_appearance.reweighted(self.looks, piece)

    @property
    def has_net(self) -> bool:
        """Whether a reader was tuned on it, in use or not."""
        return self.net is not None or (self.other is not None and self.other.net is not None)

    def with_other_reader(self) -> TaughtSet:
        """The set with the other reader in use, this one kept as `other`."""
        if self.other is None:
            return self
        return replace(self.other, other=replace(self, other=None, tuning=None), tuning=self.tuning)

    @property
    def faces(self) -> int:
        """Number of faces with appearances from games."""
        return len(learned_appearance.faces_of(self.looks))

    def with_appearances(self, looks: Appearances) -> TaughtSet:
        """The set with one more game's appearances."""
        return replace(self, looks=learned_appearance.merged(self.looks, looks))

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
    """Hash of the shipped reader's weights. ModelError or KeyError where there are none."""
    return models()["reader"].sha256
