"""Cameras, calibration, one's own set, whose things lie where, and whether everything lies there."""

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
    """`blind`: why nothing can be seen at all."""

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
    """As `companion look` tells it; `confidence` is of its being there, `certainty` of what it is."""

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
    """There is no picture yet."""

    picture: Literal[False]


class CameraView(Answer):
    picture: Literal[True]
    width: int
    height: int
    at: float
    pieces: list[SeenPiece]
    timings_ms: dict[str, float]


class OwnPieces(Answer):
    """The photographs that there are, by what they show (`tile.suns.3.front`), each with its version; `enough`: whether
    most of what lies flat on this board has one."""

    enough: bool
    known: dict[str, str]


class Needed(Answer):
    kind: Kind
    count: int


class PieceToLay(LaidPiece):
    """`outline_px`: where it lies, or should, in the picture."""

    standing: LaidState
    outline_px: list[Position]


class SetUp(Answer):
    """`seen`: the camera sees the table; `found`: it finds the board."""

    seen: bool
    found: bool
    pieces: list[PieceToLay]
    differences: list[str]
    said_differences: list[Statement]
    needed: list[Needed]
    width: int | None = None
    height: int | None = None


# Calibration ----------------------------------------------------------------------------------------------------


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
    """How good the picture is just now."""

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
    """Whether the calibration still holds."""

    standing: CalibrationState
    moved_mm: float
    turned_deg: float
    words: str


class TrialTold(Answer):
    """Of one kind: of so many looks kept aside how many were told rightly as shipped and as taught. `used`: whether
    what was taught counts."""

    kind: str
    looks: int
    read: int
    taught: int
    used: bool


class TuningBrings(Answer):
    """Of so many looks kept aside how many were told rightly before the eyes were tuned and after."""

    looks: int
    read: int
    taught: int


class TaughtSetTold(Answer):
    """`leaks`: what gives hidden values away in this edition; `trials`: what the lesson brings; `kept`: whether the
    lesson's pictures are here, to tune the eyes with; `tuned`: whether it is read by a reader tuned on it; `other`:
    whether it could be read by the other one of the two; `brings`: what tuning brings, if that was tried."""

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
    """The set that the eyes are being tuned to; `done` of `there` is done of the phase. `problem`: why it ended."""

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
    """So many pictures of the sheet there are."""

    sheets: int


# The lesson -----------------------------------------------------------------------------------------------------


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
    """A picture that was refused: what the eyes find in it, and the boxes that a person has drawn."""

    step: str
    width: int
    height: int
    found: list[list[Position]]
    boxes: list[LessonBox]


class LessonPractice(Answer):
    """How many tables are drawn with the set, of how many; `problem`: why it could not be kept."""

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
    """`warnings`: what gives hidden values away in this edition."""

    name: str
    warnings: list[str]


class LearntLooks(Answer):
    """What a game has shown of the set: how many faces, how many of them new, and of which kinds. `name`: the set that
    they would be added to; `offered`: whether it is worth asking people."""

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
