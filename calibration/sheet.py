"""The printed sheet: a ChArUco board that every printer can print in true size, and how it is found in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np

from calibration import bundle, pdf
from calibration.bundle import FlatThing
from calibration.initial_guess import grid_start
from calibration.lens import Lens
from calibration.plane import PRINTED
from rules.sentence import InputError, say
from vision.detect.shape import Floats
from vision.frame import Picture

COLUMNS: Final = 7
ROWS: Final = 9
SQUARE_MM: Final = 24.0
CELL_MM: Final = 1.5
"""Squares, markers and their bits are all whole numbers of cells, so the sheet is drawn without rounding."""
RULER_MM: Final = 100.0
PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
LEAST: Final = 8


class SheetError(InputError):
    """The sheet cannot be used; the text says what to do."""


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """Points of the sheet in millimetres and where the picture shows them."""

    points: Floats
    seen: Floats

    @property
    def share(self) -> float:
        return len(self.points) / ((COLUMNS - 1) * (ROWS - 1))


@cache
def board() -> Any:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, 12 * CELL_MM, words)


@cache
def detector() -> Any:
    return cv2.aruco.CharucoDetector(board())


def cells() -> np.ndarray:
    """The board as a map of black cells, CELL_MM each."""
    per_square = round(SQUARE_MM / CELL_MM)
    drawn = board().generateImage((COLUMNS * per_square * 4, ROWS * per_square * 4))
    out: np.ndarray = drawn[2::4, 2::4] < 128
    return out


def find(image: Picture, measured_mm: float = RULER_MM) -> SheetSeen:
    """Where the sheet's corners are. `measured_mm` is how long its ruler came out of the printer."""
    if not 50 <= measured_mm <= 200:
        raise SheetError(
            say(
                "the ruler on the sheet measures {measured} mm? measure the line marked 100 mm again",
                measured=f"{measured_mm:g}",
            )
        )
    corners, names = detector().detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[:2]
    if corners is None or names is None or len(names) < LEAST:
        raise SheetError(say("the sheet was not found: lay it flat, all of it in the picture, without glare on it"))
    points = np.asarray(board().getChessboardCorners(), dtype=np.float64)[np.ravel(names), :2]
    seen = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
    return SheetSeen(points * (measured_mm / RULER_MM), seen)


def lens_from(sheets: Sequence[SheetSeen], lens: Lens) -> Lens:
    """The lens from the sheet held or laid in several ways; one picture from straight above tells little of it."""
    if not sheets:
        raise SheetError(say("no picture of the sheet was given: take three to ten, from different sides"))
    things = [
        FlatThing(each.points - each.points.mean(axis=0), each.seen, view, alone=True)
        for view, each in enumerate(sheets)
    ]
    fit = bundle.fit(things, lens, grid_start(things, lens), PRINTED)
    return Lens(lens.size, fit.lens.numbers, fit.lens.spread, "sheet")


def as_pdf(paper: str = "a4") -> bytes:
    """The sheet in true size."""
    if paper not in PAPERS:
        raise SheetError(say("no paper is called {paper}; use {known}", paper=repr(paper), known=" or ".join(PAPERS)))
    width, height = PAPERS[paper]
    page = pdf.Page(width, height)
    left, top = (width - COLUMNS * SQUARE_MM) / 2, 22.0
    for x, y, length in runs(cells()):
        page.rectangle(left + x * CELL_MM, top + y * CELL_MM, length * CELL_MM, CELL_MM)
    page.text(left, 11, "Piecepack Companion: calibration sheet", 13)
    page.text(
        left, 17, "Print at 100 % (actual size, no scaling). Lay it flat on the table, all of it in the picture.", 8.5
    )
    ruler(page, left, top + ROWS * SQUARE_MM + 8)
    return page.to_bytes()


def ruler(page: pdf.Page, left: float, top: float) -> None:
    for tick in range(11):
        page.rectangle(left + tick * 10 - 0.1, top - (3 if tick % 5 == 0 else 1.5), 0.2, 3 if tick % 5 == 0 else 1.5)
    page.rectangle(left - 0.1, top, RULER_MM + 0.2, 0.2)
    page.text(
        left, top + 5, "This line is 100 mm long. If yours is not, tell the program how long it is (--measured).", 8.5
    )


def runs(black: np.ndarray) -> list[tuple[int, int, int]]:
    """(column, row, length) of each stretch of black cells."""
    found = []
    for row, line in enumerate(black):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        found += [(int(a), row, int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return found
