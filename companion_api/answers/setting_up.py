"""Cameras, calibration, custom sets, hands, and the set-up."""

from __future__ import annotations

from typing import Literal

from calibration.check import CalibrationState
from companion_api.answers.base import Answer, Position, SentenceTold, Statement
from companion_api.answers.table import Judged, LaidPiece
from companion_api.projections.setup_help import LaidState
from rules.pieces import Face, Kind, Pose, Size, Suit
from rules.table.layout import Zone

Corners = list[Position]


class Cameras(Answer):
    """`blind`: why no picture can be read."""

    used: str
    choices: list[str]
    blind: str | None
    blind_said: SentenceTold | None
    secure_port: int | None


class Used(Answer):
    used: str


class FirstTime(Answer):
    first: bool


class SeenOnPhoto(Answer):
    pieces: int
    verdict: Judged | None


class OtherReading(Answer):
    suit: Suit | None
    value: str | None
    p: float


class SeenPiece(Answer):
    """As in `companion look`; `confidence` of the detection, `certainty` of the identity."""

    mark: str | None = None
    kind: Kind
    suit: Suit | None
    value: str | None
    face: Face | None
    size: Size | None
    pose: Pose | None
    center_px: Position
    outline_px: list[Position]
    angle_deg: float | None
    position: Position | None
    level: int | None
    table_angle_deg: float | None
    confidence: float
    certainty: float
    alternatives: list[OtherReading]


class Unseen(Answer):
    """No picture yet."""

    picture: Literal[False]


class CameraView(Answer):
    picture: Literal[True]
    width: int
    height: int
    at: float
    pieces: list[SeenPiece]
    timings_ms: dict[str, float]


class OwnPieces(Answer):
    """Photographs by visible side (`tile.suns.3.front`) with their version; `enough`: whether most flat pieces of this
    board have one."""

    enough: bool
    known: dict[str, str]


class Needed(Answer):
    kind: Kind
    count: int


class PieceToLay(LaidPiece):
    """`outline_px`: outline of its actual or expected place in the picture."""

    standing: LaidState
    outline_px: list[Position]


class SetUp(Answer):
    """`seen`: the table is in view; `found`: the board was registered."""

    seen: bool
    found: bool
    pieces: list[PieceToLay]
    differences: list[str]
    said_differences: list[Statement]
    needed: list[Needed]
    width: int | None = None
    height: int | None = None


class GuideStepTold(Answer):
    id: str
    title: str
    words: str
    needed: bool
    done: bool


class LightTold(Answer):
    score: float
    stops: float
    blown: float
    contrast: float
    evenness: float
    glare: list[list[float]]
    shade: list[list[float]]


class AdviceTold(Answer):
    code: str
    words: str
    facts: dict[str, float | str]


class QualityTold(Answer):
    """Quality of the current picture."""

    tiles: int
    tile_px: float
    sharpness: float
    tilt_deg: float | None
    distance_mm: int | None
    error_mm: float | None
    light: LightTold
    good: bool
    advice: list[AdviceTold]


class Checked(Answer):
    """The last calibration check."""

    standing: CalibrationState
    moved_mm: float
    turned_deg: float
    words: str


class TuningBrings(Answer):
    """Held-out readings: number, correct ones before tuning or teaching, and after."""

    looks: int
    read: int
    taught: int


class TrialTold(TuningBrings):
    """The readings of one kind. `used`: whether the taught appearance is used."""

    kind: str
    used: bool


class TaughtSetTold(Answer):
    """`leaks`: marks that reveal hidden values; `trials`: results of the lesson; `kept`: whether its pictures are
    stored for tuning; `tuned`: whether a tuned reader is used; `other`: whether its other reader is available;
    `brings`: results of tuning."""

    name: str
    pieces: int
    faces: int
    leaks: list[str]
    trials: list[TrialTold]
    kept: bool
    tuned: bool
    other: bool
    brings: TuningBrings | None


class TuningTold(Answer):
    """The set being tuned, with `done` of `there` steps of the phase. `problem`: why it ended."""

    name: str
    phase: Literal["begin", "again", "own", "others", "steps", "trial"]
    done: int
    there: int
    problem: str | None
    problem_said: SentenceTold | None


class Calibration(Answer):
    problem: str | None
    problem_said: SentenceTold | None
    steps: list[GuideStepTold]
    quality: QualityTold | None
    check: Checked | None
    made: str
    sheets: int
    sets: list[TaughtSetTold]
    using: str | None
    tuning: TuningTold | None
    can_tune: bool


class AccuracyTold(Answer):
    typical_mm: float
    worst_mm: float


class SheetCount(Answer):
    """Stored views of the sheet."""

    sheets: int


class PieceName(Answer):
    suit: str | None
    value: str | None


class LessonStep(Answer):
    id: str
    words: str
    needed: bool
    names: list[PieceName]


class LessonPiece(PieceName):
    number: int
    outline_px: list[Position]
    center_px: Position
    doubt: bool


class LessonPage(Answer):
    step: str
    width: int
    height: int
    doubts: int
    pieces: list[LessonPiece]


class LessonBox(PieceName):
    """Left, top, right, bottom in pixels."""

    box: tuple[float, float, float, float]


class LessonDraft(Answer):
    """A refused picture: detected outlines, and boxes drawn by hand."""

    step: str
    width: int
    height: int
    found: list[list[Position]]
    boxes: list[LessonBox]


class LessonPractice(Answer):
    """Tables drawn with the set, of how many; `problem`: why the set could not be saved."""

    drawn: int
    tables: int
    problem: str | None
    problem_said: SentenceTold | None


class LessonTold(Answer):
    steps: list[LessonStep]
    pages: list[LessonPage]
    missing: list[str]
    draft: LessonDraft | None
    practice: LessonPractice | None


class Shown(Answer):
    pieces: int
    doubts: int


class SetKept(Answer):
    """`warnings`: marks that reveal hidden values."""

    name: str
    warnings: list[str]


class LearntLooks(Answer):
    """Appearances learned in a game: number of faces, new ones, and by kind. `name`: the set they would be added to;
    `offered`: whether to ask people."""

    faces: int
    new: int
    kinds: dict[str, int]
    name: str | None
    offered: bool


class SetChosen(Answer):
    name: str


class ShippedChosen(Answer):
    using: None


class HandArea(Answer):
    """Four corners in shares of the picture's width and height."""

    zone: Zone
    seat: int | None
    corners: Corners
