"""Sightings without errors, moments with other sightings, and what is said to a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Placed
from rules.table.observed import Sighting
from tests.bench.trials.witness import PictureErrors


def seen(placed: Placed, **otherwise: Any) -> Sighting:
    """The piece as it lies, but for what is `otherwise`."""
    shown, size = placed.shown, placed.piece.size
    look, names = size.look if size else None, {(shown.suit, shown.rank): 1.0}
    sighting = Sighting(shown.kind, placed.x, placed.y, placed.face, placed.angle, identities=names, size=look)
    return replace(sighting, pose=placed.pose, **otherwise)


def resighted(seen: TableEvidence, sightings: Iterable[Sighting]) -> TableEvidence:
    """The same picture and time; what the detector made of it is replaced by `sightings`."""
    return replace(seen, table=replace(seen.table, sightings=tuple(sightings)))


def verdict_of(
    rules: AnyGame, state: Any, after: Layout, noise: Noise | None = None, picture: PictureErrors | None = None
) -> Verdict:
    """What is said to that table, which was seen before as the state has it."""
    onlooker = Onlooker(5, noise or Noise(jitter=0.02, doubt=0.0), picture=picture)
    referee = Referee(rules, History(rules, state), onlooker.board)
    before = onlooker.see(rules.layout(state))
    referee.begin(before.table)
    referee.look(before)
    return referee.look(onlooker.see(after))
