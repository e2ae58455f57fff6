"""The printed sheet: a ChArUco board as a PDF in true size, and its detection in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import cv2
import numpy as np

from calibration import bundle
from calibration.bundle import FlatThing, grid_start
from calibration.lens import Lens
from calibration.plane import SHEET_SIGMA_PX
from rules.sentence import InputError, say
from vision.detect.shape import Floats
from vision.frame import Picture

COLUMNS: Final = 7
ROWS: Final = 9
SQUARE_MM: Final = 24.0
CELL_MM: Final = 1.5
"""Squares, markers and their bits are whole numbers of cells, so that the sheet is drawn without rounding."""
RULER_MM: Final = 100.0
POINTS_PER_MM: Final = 72 / 25.4
PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MIN_CORNERS: Final = 8


class SheetError(InputError):
    """The sheet cannot be used; the text says what to do."""


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """Points of the sheet (mm) and their pixels."""

    points: Floats
    seen: Floats

    @property
    def share(self) -> float:
        return len(self.points) / ((COLUMNS - 1) * (ROWS - 1))


@cache
def board() -> Any:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, 12 * CELL_MM, dictionary)


@cache
def detector() -> Any:
    return cv2.aruco.CharucoDetector(board())


def cells() -> np.ndarray:
    """The board as a map of black cells, CELL_MM each."""
    per_square = round(SQUARE_MM / CELL_MM)
    image = board().generateImage((COLUMNS * per_square * 4, ROWS * per_square * 4))
    return np.asarray(image[2::4, 2::4] < 128)


def find(image: Picture, measured_mm: float = RULER_MM) -> SheetSeen:
    """Detect the sheet's corners. `measured_mm`: length of its printed ruler."""
    if not 50 <= measured_mm <= 200:
        raise SheetError(
            say(
                "the ruler on the sheet measures {measured} mm? measure the line marked 100 mm again",
                measured=f"{measured_mm:g}",
            )
        )
    corners, names = detector().detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[:2]
    if corners is None or names is None or len(names) < MIN_CORNERS:
        raise SheetError(say("the sheet was not found: lay it flat, all of it in the picture, without glare on it"))
    points = np.asarray(board().getChessboardCorners(), dtype=np.float64)[np.ravel(names), :2]
    seen = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
    return SheetSeen(points * (measured_mm / RULER_MM), seen)


def lens_from(sheets: Sequence[SheetSeen], lens: Lens) -> Lens:
    """The lens from pictures of the sheet in several poses; one from straight above determines little of it."""
    if not sheets:
        raise SheetError(say("no picture of the sheet was given: take three to ten, from different sides"))
    things = [
        FlatThing(each.points - each.points.mean(axis=0), each.seen, view, independent=True)
        for view, each in enumerate(sheets)
    ]
    fit = bundle.fit(things, lens, grid_start(things, lens), SHEET_SIGMA_PX)
    return Lens(lens.size, fit.lens.numbers, fit.lens.spread, "sheet")


def as_pdf(paper: str = "a4") -> bytes:
    if paper not in PAPERS:
        raise SheetError(say("no paper is called {paper}; use {known}", paper=repr(paper), known=" or ".join(PAPERS)))
    width, height = PAPERS[paper]
    page = PdfPage(width, height)
    left, top = (width - COLUMNS * SQUARE_MM) / 2, 22.0
    for x, y, length in black_runs(cells()):
        page.rectangle(left + x * CELL_MM, top + y * CELL_MM, length * CELL_MM, CELL_MM)
    page.text(left, 11, "Piecepack Companion: calibration sheet", 13)
    page.text(
        left, 17, "Print at 100 % (actual size, no scaling). Lay it flat on the table, all of it in the picture.", 8.5
    )
    ruler(page, left, top + ROWS * SQUARE_MM + 8)
    return page.to_bytes()


def ruler(page: PdfPage, left: float, top: float) -> None:
    for tick in range(11):
        page.rectangle(left + tick * 10 - 0.1, top - (3 if tick % 5 == 0 else 1.5), 0.2, 3 if tick % 5 == 0 else 1.5)
    page.rectangle(left - 0.1, top, RULER_MM + 0.2, 0.2)
    page.text(
        left, top + 5, "This line is 100 mm long. If yours is not, tell the program how long it is (--measured).", 8.5
    )


def black_runs(black: np.ndarray) -> list[tuple[int, int, int]]:
    """(column, row, length) of each stretch of black cells."""
    runs = []
    for row, line in enumerate(black):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        runs += [(int(a), row, int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return runs


@dataclass(slots=True)
class PdfPage:
    """One page of black rectangles and plain text, in millimetres from the top left."""

    width: float
    height: float
    marks: list[str] = field(default_factory=list)

    def rectangle(self, x: float, y: float, width: float, height: float) -> None:
        left, bottom = x * POINTS_PER_MM, (self.height - y - height) * POINTS_PER_MM
        self.marks.append(f"{left:.4f} {bottom:.4f} {width * POINTS_PER_MM:.4f} {height * POINTS_PER_MM:.4f} re f")

    def text(self, x: float, y: float, words: str, size: float) -> None:
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.marks.append(
            f"BT /F1 {size:g} Tf {x * POINTS_PER_MM:.3f} {(self.height - y) * POINTS_PER_MM:.3f} Td ({safe}) Tj ET"
        )

    def to_bytes(self) -> bytes:
        drawing = "\n".join(self.marks).encode("latin-1")
        box = f"[0 0 {self.width * POINTS_PER_MM:.3f} {self.height * POINTS_PER_MM:.3f}]"
        objects = [
            # PrintScaling None asks viewers to print in true size without being told
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
            f"/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        return pdf_file(objects)


def pdf_file(objects: list[bytes]) -> bytes:
    """A PDF file: header, numbered objects, cross-reference table, trailer."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
