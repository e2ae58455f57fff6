"""A lesson: collects named pictures of a set and fits the taught set to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from calibration import corner_signs
from calibration.corner_signs import CornerSigns
from calibration.custom_set import TaughtSet, reader_now
from calibration.discriminant import Discriminant, Shown
from calibration.double import colour_of, double_of, practice_readings
from calibration.guide import refuse_unready
from calibration.lesson_pieces import without_size_outliers
from calibration.lesson_readings import coin_leak_warning
from calibration.lesson_task import STEPS, Box, Boxes, FewFoundError, LessonError, LessonTask, NamedPage
from calibration.teaching_session import checked_corrections, named_page
from calibration.trial import LabelledView, Trial, cross_validated
from calibration.views import SetPictures, plain_view, views
from rules.pieces import Face
from rules.sentence import Joint, say, several
from rules.table.observed import Identity
from vision.detect.channels import STAND
from vision.detect.decode import Detection
from vision.frame import Frame
from vision.identify.heads import CROP
from vision.identify.name import signs_of
from vision.identify.read import Reader
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import FrameResult, TableReader

MAX_PICTURES: Final = 16
LESSON_CERTAINTY: Final = 0.12
"""Detection threshold in lessons: low, since the number of pieces is known."""
VIEWS: Final = 24
"""Augmented views per face, shared among the pieces that show it. 60 gain nothing and take longer."""
ROTATIONS: Final = 4
"""Consecutive views that show a piece in each of its four rotations."""
TABLES: Final = 40
"""Rendered tables per lesson. With 12 of them sets that the reader reads well were read worse."""

Example = tuple[Layers, DetectedPiece]
GoOn = Callable[[int], bool]


def lesson_reader() -> TableReader:
    return TableReader(certain=LESSON_CERTAINTY)


@dataclass(slots=True)
class Draft:
    """A picture that was not accepted yet."""

    task: LessonTask
    look: FrameResult
    boxes: list[tuple[Identity, Box]]

    @property
    def found(self) -> list[DetectedPiece]:
        """Detections outside the drawn boxes."""
        pieces = without_size_outliers([piece for piece in self.look.pieces if piece.kind == self.task.kind])
        return [piece for piece in pieces if not any(contains(box, piece) for _, box in self.boxes)]


def contains(box: Box, piece: DetectedPiece) -> bool:
    left, top, right, bottom = box
    x, y = piece.center
    return bool(left < x < right and top < y < bottom)


@dataclass(slots=True)
class Lesson:
    """Collects pages; `finish` fits the set. A refused page is not stored."""

    name: str
    eyes: TableReader
    pages: list[tuple[Frame, NamedPage]] = field(default_factory=list)
    draft: Draft | None = None
    """The last picture, if it was refused: a person may draw boxes about pieces that were not detected."""

    def show(
        self,
        step: str,
        frame: Frame,
        corrections: Mapping[int, Identity] | None = None,
        incomplete: bool = False,
        boxes: Boxes = (),
        watching: bool = False,
    ) -> NamedPage:
        """Read and store one picture for a step; LessonError says what is wrong with it. `incomplete`: a person accepts
        that pieces are missing (lost, or not detected). `boxes`: pieces drawn by a person. `watching`: the picture was
        taken automatically and is stored only if it is good enough."""
        if step not in STEPS:
            raise LessonError(
                say("no step is called {step}; there are {known}", step=repr(step), known=", ".join(STEPS))
            )
        self._refuse_more()
        self.draft = Draft(STEPS[step], self.eyes.look(frame), list(boxes))
        page = self.read_draft(corrections, incomplete)
        if watching:
            refuse_unready(frame.image, page, [each for _, each in self.pages if each.step.id == step])
        return self.store_page(page)

    def add_pages(self, frame: Frame, pages: Sequence[NamedPage]) -> None:
        """Store a picture whose pieces are known."""
        self._refuse_more()
        self.pages += [(frame, page) for page in pages]
        self.draft = None

    def _refuse_more(self) -> None:
        if len({id(frame) for frame, _ in self.pages}) >= MAX_PICTURES:
            raise LessonError(say("{most} pictures are enough: finish, or begin the lesson again", most=MAX_PICTURES))

    def box(self, name: Identity, box: Box) -> NamedPage | None:
        """Add a piece drawn by a person to the refused picture; the page as soon as nothing else is missing.
        LessonError where there can be no such piece, and the box is dropped."""
        draft = self._draft()
        checked_corrections({1: name}, draft.task, 1)
        draft.boxes.append((name, box))
        try:
            return self.store_page(self.read_draft(None, False))
        except FewFoundError:
            return None
        except LessonError:
            draft.boxes.pop()
            raise

    def unbox(self) -> None:
        """Drop the box that was drawn last."""
        if self._draft().boxes:
            self._draft().boxes.pop()

    def read_draft(self, corrections: Mapping[int, Identity] | None, incomplete: bool) -> NamedPage:
        draft = self._draft()
        return named_page(self.eyes, draft.look, draft.task, corrections, incomplete, draft.boxes)

    def store_page(self, page: NamedPage) -> NamedPage:
        self.pages.append((self._draft().look.frame, page))
        self.draft = None
        return page

    def _draft(self) -> Draft:
        if self.draft is None:
            raise LessonError(say("there is no picture to draw in: take one first"))
        return self.draft

    def replace_last(self, page: NamedPage) -> None:
        """Replace the last page, after a correction."""
        self.pages[-1] = (self.pages[-1][0], page)

    @property
    def missing(self) -> list[str]:
        """Needed steps without a picture; none where a game's board has shown all faces of a side."""
        shown = {page.step.id for _, page in self.pages if not page.game}
        if any(page.game for _, page in self.pages) and complete_kinds(examples_of(self.pages)):
            return []
        return [step.id for step in STEPS.values() if step.needed and step.id not in shown]

    def refuse_incomplete(self) -> None:
        if self.missing:
            wanted = several((STEPS[step].words for step in self.missing), Joint.SEMICOLON)
            raise LessonError(say("pictures are still missing. {wanted}", wanted=wanted))

    def finish(self, tables: int = TABLES, go_on: GoOn = lambda _: True) -> TaughtSet:
        """The fitted set with its cross-validation (`calibration.trial`). `tables`: at most so many are rendered with
        the set's double; `go_on` gets the number rendered so far before each of them, and stops them by False."""
        self.refuse_incomplete()
        pieces = sum(len(page.named) for _, page in self.pages)
        drawn, done = self.practice(tables, go_on)
        kinds: dict[str, Discriminant] = {}
        trials: dict[str, Trial] = {}
        for kind, own in own_views(self.pages, self.eyes.reader).items():
            corners = corner_classifier(self.pages) if kind == "tile" else None
            looks = [look for each in own.values() for look in each]
            kinds[kind], trials[kind] = cross_validated(tuple(own), looks, drawn[kind], corners)
        return TaughtSet(self.name, reader_now(), kinds, pieces, self.leaks(), trials=trials, tables=done)

    def practice(self, tables: int, go_on: GoOn) -> tuple[Mapping[str, list[LabelledView]], int]:
        """Labelled readings on rendered tables by kind, and the number of tables."""
        out: dict[str, list[LabelledView]] = defaultdict(list)
        double, done = practice_readings(self.eyes, double_of(self.name, self.pages)), 0
        while done < tables and go_on(done):
            for kind, look in next(double):
                out[kind].append(look)
            done += 1
        return out, done

    def leaks(self) -> tuple[str, ...]:
        """Warnings about hidden sides of this edition, from the last pair of coin pictures."""
        by_step = {page.step.id: (frame, page) for frame, page in self.pages}
        if not {"coin-values", "coin-suits"} <= set(by_step):
            return ()
        frame, values = by_step["coin-values"]
        words = coin_leak_warning(values, frame.image, by_step["coin-suits"][1])
        return (words,) if words else ()


def own_views(pages: Sequence[tuple[Frame, NamedPage]], reader: Reader) -> dict[str, dict[Shown, list[LabelledView]]]:
    """Labelled views of the lesson's own pieces by kind and face, for kinds of which all faces of a side were shown."""
    shown = examples_of(pages)
    same_set = pictures_of_set(pages, reader.side)
    return {
        kind: {face: labelled_views(face, own, same_set, reader) for face, own in faces.items()}
        for kind, faces in complete_kinds(shown).items()
    }


def corner_classifier(pages: Sequence[tuple[Frame, NamedPage]]) -> CornerSigns | None:
    """The classifier of the signs in the tiles' corners; None unless all fronts were shown."""
    tiles = complete_kinds(examples_of(pages)).get("tile", {})
    examples = [(shown.suit, *each) for shown, own in tiles.items() if shown.suit is not None for each in own]
    return corner_signs.fitted_classifier(examples, pictures_of_set(pages, CROP)) if examples else None


def pictures_of_set(pages: Sequence[tuple[Frame, NamedPage]], side: int) -> SetPictures:
    shown = examples_of(pages)
    coins, tiles = (
        [plain_view(*example, side, None) for own in shown.get(kind, {}).values() for example in own]
        for kind in ("coin", "tile")
    )
    standing = [(Layers(frame.image), page.named) for frame, page in pages if page.step.kind in STAND]
    colours = [colour_of(layers, each.piece) / np.float32(255) for layers, named in standing for each in named]
    return SetPictures(coins, tiles, colours)


def examples_of(pages: Sequence[tuple[Frame, NamedPage]]) -> dict[str, dict[Shown, list[Example]]]:
    """The pages' pieces by kind and face."""
    shown: dict[str, dict[Shown, list[Example]]] = {}
    layers = {id(frame): Layers(frame.image) for frame, _ in pages}
    for frame, page in pages:
        step = page.step
        for each in page.named:
            face = Shown(None if step.face is None else Face(step.face), *each.name)
            shown.setdefault(step.kind, {}).setdefault(face, []).append((layers[id(frame)], each.piece))
    return shown


def complete_kinds(shown: Mapping[str, Mapping[Shown, list[Example]]]) -> dict[str, dict[Shown, list[Example]]]:
    """Examples of the sides of which all faces were shown, by kind, where there is more than one face."""
    complete = {kind: complete_sides(kind, faces) for kind, faces in shown.items()}
    return {kind: faces for kind, faces in complete.items() if len(faces) > 1}


def complete_sides(kind: str, faces: Mapping[Shown, list[Example]]) -> dict[Shown, list[Example]]:
    """Examples of the sides of which all faces were shown; of dice by suit alone where not every value was shown."""
    needed: dict[Face | None, set[Identity]] = {}
    for step in STEPS.values():
        if step.kind == kind:
            needed[None if step.face is None else Face(step.face)] = set(step.names)
    shown = {side: {(each.suit, each.rank) for each in faces if each.face == side} for side in needed}
    complete = {side for side in needed if shown[side] >= needed[side]}
    if kind == "die" and not complete:
        return by_suit(faces)
    return {each: own for each, own in faces.items() if each.face in complete}


def by_suit(faces: Mapping[Shown, list[Example]]) -> dict[Shown, list[Example]]:
    """The examples by suit alone; none where a suit is missing."""
    out: dict[Shown, list[Example]] = {}
    for each, own in faces.items():
        out.setdefault(each._replace(rank=None), []).extend(own)
    return out if len(out) == 4 else {}


def labelled_views(
    face: Shown, examples: Sequence[Example], same_set: SetPictures, reader: Reader
) -> list[LabelledView]:
    """Readings of augmented views of one face. Cross-validation groups are its pieces, or with one piece some views."""
    rng = np.random.default_rng(7)
    count = -(-VIEWS // len(examples))
    out: list[LabelledView] = []
    for number, (layers, piece) in enumerate(examples):
        batch = views(layers, piece, same_set, count, reader.side, rng)
        reads = reader(batch, [whole_crop(piece, reader.side)] * count, [np.eye(3)] * count)
        groups = [number] * count if len(examples) > 1 else [view // ROTATIONS for view in range(count)]
        out += [
            LabelledView(face, signs_of(read, read.signs), group)
            for read, group in zip(reads, groups, strict=True)
            if read.signs is not None
        ]
    return out


def whole_crop(piece: DetectedPiece, side: int) -> Detection:
    """A detection that fills its crop."""
    corners = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]])
    return Detection(piece.kind, 1.0, corners.mean(axis=0), corners)
