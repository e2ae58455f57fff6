"""What a set's own pieces taught us: albums of what looks the same whenever it is seen, and judges of dice.

An album holds every face of a side, every pawn or every pyramid as the reader's embedding saw it in the lesson; what
is seen later is the one it resembles most. Where there was no lesson, what games have shown weighs the reading.

A judge is a straight line through the embedding space, fitted to the user's own pieces in a fraction of a second, and
weighed against the reader as leaving each piece out in turn showed it to deserve: look by look, as a game will have
single looks, and no more than was shown beyond chance. Where it earns nothing it weighs nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

import numpy as np

from calibration import shown
from calibration.album import FLOOR, Album, side_of, softmax
from rules.pieces import Rank, Suit, parse_rank
from vision.detect.shape import Floats
from vision.piece import Chances, Name, Seen
from vision.witness.looks import Looks

SOFTNESS: Final = 3.0
OPTIONS: Final = (
    (0.0, 1.0),
    *((scale, share) for share in (1.0, 0.5, 0.25) for scale in (2.0, 4.0, 8.0, 14.0)),
)
"""(scale, share): how much the judge counts and how much the reader; what trusts the reader more comes first."""
LEAST: Final = 3
"""A class is judged by no fewer pieces than this."""


@dataclass(frozen=True, slots=True)
class Judge:
    """`weights` has a row per number of the embedding and one for the constant; a column per name."""

    names: tuple[Suit | Rank, ...]
    weights: Floats
    scale: float
    share: float

    def votes(self, embedding: np.ndarray) -> Floats:
        out: Floats = embedding.astype(np.float64) @ self.weights[:-1] + self.weights[-1]
        return out

    def weigh(self, chances: Chances[Name], embedding: np.ndarray) -> Chances[Name]:
        """The reader's chances and the judge's, together."""
        names = cast("tuple[Name, ...]", self.names)
        read = np.log([max(chances.get(name, 0.0), FLOOR) for name in names])
        both = softmax(self.share * read + self.scale * self.votes(embedding))
        return dict(zip(names, both.tolist(), strict=True))

    def to_json(self) -> dict[str, Any]:
        packed = base64.b64encode(self.weights.astype("<f4").tobytes()).decode()
        return {
            "names": [word_of(name) for name in self.names],
            "weights": packed,
            "scale": self.scale,
            "share": self.share,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Judge:
        names = tuple(name_of(str(word)) for word in data["names"])
        flat = np.frombuffer(base64.b64decode(data["weights"], validate=True), "<f4").astype(np.float64)
        if len(names) < 2 or len(flat) % len(names) or not np.isfinite(flat).all():
            raise ValueError("a judge's weights")
        return Judge(names, flat.reshape(-1, len(names)), float(data["scale"]), float(data["share"]))


def word_of(name: Suit | Rank) -> str:
    """As it is written down."""
    return name.value if isinstance(name, Suit) else name.word


def name_of(word: str) -> Suit | Rank:
    """No suit is spelt like a value."""
    return Suit(word) if word in set(Suit) else parse_rank(word)


@dataclass(frozen=True, slots=True)
class TaughtSet:
    """`reader` names the weights that made the embeddings: with other weights the judges mean nothing. `leaks` says in
    words what this edition gives away of hidden sides. `looks`: what games have shown of it."""

    name: str
    reader: str
    judges: Mapping[str, Judge] = field(default_factory=dict)
    pieces: int = 0
    leaks: tuple[str, ...] = ()
    albums: Mapping[str, Album] = field(default_factory=dict)
    looks: Looks = field(default_factory=Looks)

    def named(self, piece: Seen) -> Seen:
        """The piece with its chances weighed anew."""
        if piece.embedding is None:
            return piece
        album = self.albums.get(side_of(piece.kind, piece.face))
        if album is not None:
            return album.weigh(piece, piece.embedding)
        suit, value = self.judges.get(f"suit {piece.kind}"), self.judges.get(f"value {piece.kind}")
        if suit is None and value is None:
            return shown.named(self.looks, piece)
        return replace(
            piece,
            suits=suit.weigh(piece.suits, piece.embedding) if suit and piece.suits else piece.suits,
            ranks=value.weigh(piece.ranks, piece.embedding) if value and piece.ranks else piece.ranks,
        )

    @property
    def faces(self) -> int:
        """How many faces games have shown."""
        return len(shown.faces_of(self.looks))

    def having_seen(self, looks: Looks) -> TaughtSet:
        """With what one more game has shown."""
        return replace(self, looks=shown.together(self.looks, looks))

    def to_json(self) -> dict[str, Any]:
        judges = {question: judge.to_json() for question, judge in self.judges.items()}
        return {
            "name": self.name,
            "reader": self.reader,
            "judges": judges,
            "pieces": self.pieces,
            "leaks": list(self.leaks),
            "albums": {side: album.to_json() for side, album in self.albums.items()},
            "looks": shown.to_json(self.looks),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> TaughtSet:
        judges = {str(question): Judge.from_json(entry) for question, entry in data["judges"].items()}
        leaks = tuple(str(words) for words in data["leaks"])
        albums = {str(side): Album.from_json(entry) for side, entry in data.get("albums", {}).items()}
        looks = shown.from_json(data.get("looks", {}))
        return TaughtSet(str(data["name"]), str(data["reader"]), judges, int(data["pieces"]), leaks, albums, looks)


@dataclass(frozen=True, slots=True)
class Examples:
    """Of one question: several embeddings per piece (pieces x looks x numbers), the reader's logarithms (pieces x looks
    x names), and which name each piece is. `alike` groups pieces that share what the question does not ask for: a three
    of suns looks like the other threes, of which its own suit has none, so they must be left out together."""

    names: tuple[Suit | Rank, ...]
    embeddings: Floats
    read: Floats
    labels: np.ndarray
    alike: np.ndarray


def line_through(embeddings: Floats, labels: np.ndarray, count: int) -> Floats:
    """Ridge regression from embeddings (n x numbers) to one column per class, the constant last.

    Classes weigh alike, however many examples they have: else a piece left out would be held against its own class.
    """
    weights = 1 / np.maximum(np.bincount(labels, minlength=count), 1)[labels]
    weights = weights * len(labels) / weights.sum()
    middle = np.average(embeddings, axis=0, weights=weights)
    around = embeddings - middle
    wanted = np.eye(count)[labels]
    usual = np.average(wanted, axis=0, weights=weights)
    matrix = (around * weights[:, None]).T @ around + SOFTNESS * np.eye(around.shape[1])
    slopes = np.linalg.solve(matrix, (around * weights[:, None]).T @ (wanted - usual))
    out: Floats = np.vstack([slopes, usual - middle @ slopes])
    return out


def votes_left_out(examples: Examples) -> Floats:
    """Each look at each group of pieces judged by all the others (pieces x looks x names)."""
    pieces, looks, numbers = examples.embeddings.shape
    out = np.zeros((pieces, looks, len(examples.names)))
    for group in np.unique(examples.alike):
        mine = examples.alike == group
        flat = examples.embeddings[~mine].reshape(-1, numbers)
        weights = line_through(flat, np.repeat(examples.labels[~mine], looks), len(examples.names))
        out[mine] = examples.embeddings[mine] @ weights[:-1] + weights[-1]
    return out


def deserved(examples: Examples, votes: Floats) -> tuple[float, float]:
    """(scale, share) under which the pieces left out would have been told best; of options that can hardly be told
    apart (less than one standard error over the pieces) the one that trusts the reader most."""
    told = np.array([told_by(option, examples, votes) for option in OPTIONS])
    behind = told[int(told.mean(axis=1).argmax())] - told
    error = behind.std(axis=1) / np.sqrt(len(votes))
    return OPTIONS[int(np.argmax(behind.mean(axis=1) <= error))]


def told_by(option: tuple[float, float], examples: Examples, votes: Floats) -> Floats:
    """The logarithm of the chance given to each piece's true name, its looks averaged."""
    scale, share = option
    chances = softmax(share * examples.read + scale * votes)
    true = np.take_along_axis(chances, examples.labels[:, None, None], axis=2)[:, :, 0]
    out: Floats = np.log(np.maximum(true, 1e-3)).mean(axis=1)
    return out


def judge_for(examples: Examples) -> Judge | None:
    """None where some class has too few pieces, or where the judge earns nothing."""
    counts = np.bincount(examples.labels, minlength=len(examples.names))
    if counts.min() < LEAST:
        return None
    scale, share = deserved(examples, votes_left_out(examples))
    if scale == 0.0:
        return None
    pieces, looks, numbers = examples.embeddings.shape
    flat = examples.embeddings.reshape(pieces * looks, numbers)
    weights = line_through(flat, np.repeat(examples.labels, looks), len(examples.names))
    return Judge(examples.names, weights, scale, share)


def judges_from(lessons: Mapping[str, Sequence[Examples]]) -> dict[str, Judge]:
    """One judge per question, from all pictures that answer it."""
    found = {question: judge_for(joined(parts)) for question, parts in lessons.items() if parts}
    return {question: judge for question, judge in found.items() if judge is not None}


def joined(parts: Sequence[Examples]) -> Examples:
    return Examples(
        parts[0].names,
        np.concatenate([part.embeddings for part in parts]),
        np.concatenate([part.read for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.alike for part in parts]),
    )
