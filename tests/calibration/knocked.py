"""A game before a calibrated camera that is knocked, under a lamp that is switched: what the referee says, and how soon
everything is where it was.

Pieces are found and read as true eyes do, their outlines wrong by the usual 0.7 pixels; where they lie on the table is
told by the calibrated plane alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from calibration import lens, plane
from calibration.bundle import USUAL_SIGMA
from calibration.check import positions_of
from calibration.profile import Profile
from calibration.runtime import CalibrationKeeper, tile_outlines
from companion_api.simulated.script import Script, people_of
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.camera import Viewpoint
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.history import History
from rules.games import game
from rules.referee.referee import Referee
from rules.referee.verdict import VerdictKind
from tests.bench.truth_reader import Errors, TruthReader
from vision import assemble
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Frame
from vision.piece import DetectedPiece
from vision.pipeline import Pipeline
from vision.table_reader import FrameResult

KNOCK = (3.0, 20 / 25.4)
"""Degrees and inches."""
NEAR = 2.0
"""Millimetres within which a tile is where it was."""
VIEW = Viewpoint(960, 540, 62, 20)


class CalibratedEyes:
    """True eyes behind a profile: made from the first picture, as `companion calibrate` makes it, and kept true."""

    def __init__(self, camera: SimulatedCamera, seed: int) -> None:
        self._eyes = TruthReader.at(camera, seed, Errors(misread=0.0, miss=0.0))
        self._rng = np.random.default_rng([seed, 31])
        self.known: CalibrationKeeper | None = None
        self.tiles: list[tuple[float, Floats]] = []
        """When the eyes looked, and where (millimetres) they believed the tiles to lie."""

    def look(self, frame: Frame) -> FrameResult:
        look = self._eyes.look(frame)
        pieces = [self._misread(piece) for piece in look.pieces]
        self.known = self.known or calibrated(pieces, frame)
        found = self.known.plane(pieces, frame.size)
        assert found is not None
        placed = assemble.with_positions(pieces, found, frame.size)
        tiles = [piece.center for piece in placed if piece.kind == "tile"]
        self.tiles.append((frame.at, found.to_table(np.array(tiles)) * plane.TILE_MM / 2))
        return replace(look, pieces=placed, plane=found)

    def _misread(self, piece: DetectedPiece) -> DetectedPiece:
        outline = piece.outline + self._rng.normal(0, USUAL_SIGMA, piece.outline.shape)
        center = shape.crossing(outline) if piece.kind == "tile" else piece.center + self._rng.normal(0, 0.35, 2)
        return replace(piece, outline=outline, center=center, position=None, table_angle=None)


def calibrated(pieces: list[DetectedPiece], frame: Frame) -> CalibrationKeeper:
    quads = tile_outlines(pieces)
    fitted = plane.from_tiles(quads, lens.assumed(frame.size))
    return CalibrationKeeper(Profile(lens=fitted.lens, plane=fitted, resting=positions_of(fitted, quads)))


@dataclass(frozen=True, slots=True)
class Knock:
    """`thrown_mm`: how far the tiles seemed to have moved (middle) in the first look; `back_s`: seconds of the game
    until all of them were where they had been."""

    thrown_mm: float
    back_s: float


@dataclass
class Played:
    """`turns`: right, or not understood; `false`: whatever else the referee said; `notes`: what people were told."""

    turns: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    knocks: list[Knock] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def play(name: str, seed: int, turns: int, every: int = 2, fps: float = 5.0) -> Played:
    """A random game of so many turns; after every so many of them the camera is knocked and the lamp is switched."""
    out, rules = Played(), game(name)
    referee = Referee(rules, History.begin(rules))
    people = people_of(referee)

    def understood(after: object, _: object) -> bool:
        right = rules.layout(referee.history.state) == rules.layout(after)
        out.turns["right" if right else "not understood"] += 1
        return right

    script = Script(rules, referee.history.state, seed, replace(people, is_recognised=understood), pause=1.2)
    knocks: list[float] = []

    def disturbed(acts: Iterator[Act]) -> Iterator[Act]:
        for number, act in enumerate(acts):
            yield act
            if number and number % every == 0:
                assert camera.shot is not None
                knocks.append(camera.shot.at)
                yield replace(act, kind="bump", pause=2.4)
                yield replace(act, kind="lamp", pause=1.2)

    filming = FilmSettings(seed=seed, fps=fps, view=VIEW, bump=KNOCK)
    camera = SimulatedCamera(SimulatedTable(disturbed(script.acts(turns)), filming))
    eyes = CalibratedEyes(camera, seed)
    for told in TableWatcher(RefereeJudge(referee)).watch(Pipeline(camera, eyes)):
        if isinstance(told, TimedVerdict) and told.verdict.kind not in (VerdictKind.SETTLED, VerdictKind.ACCEPTED):
            out.false.append(f"{told.verdict.kind.value}: {told.verdict.text}")
    assert eyes.known is not None
    out.knocks, out.notes = [knock_at(at, eyes.tiles) for at in knocks], eyes.known.notes
    return out


def knock_at(at: float, looks: list[tuple[float, Floats]]) -> Knock:
    before = [tiles for when, tiles in looks if when <= at][-1]
    after = [(when - at, strayed(before, tiles)) for when, tiles in looks if when > at]
    back = (when for when, away in after if away.max() < NEAR)
    return Knock(float(np.median(after[0][1])), next(back, float("inf")))


def strayed(before: Floats, now: Floats) -> Floats:
    """How far from each tile's place the nearest tile is believed to lie now."""
    out: Floats = np.linalg.norm(before[:, None] - now[None], axis=2).min(axis=1)
    return out
