"""Set-up help: the layout that should lie there against what the camera saw, piece by piece in its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import cv2
import numpy as np

from companion_api.change_box import lens_of
from companion_api.projections.choices import valued
from companion_api.seat_view import SeatView
from rules.pieces import Kind
from rules.pieces.sizes import half_sides
from rules.referee.exposure import exposed
from rules.referee.fit import Residual, placed_from
from rules.referee.likelihood import TableLikelihood
from rules.referee.register import Registration, register
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable
from vision.pipeline import Moment


class LaidState(StrEnum):
    """How a piece of the set-up lies as far as the camera sees it."""

    LAID = "laid"
    MISSING = "missing"
    WRONG = "wrong"
    EXTRA = "extra"  # something lies where nothing should


_SQUARE = np.array([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j])
_OCTAGON = np.exp(1j * np.arange(8) * np.pi / 4)
_ORDER = (Kind.TILE, Kind.CARD, Kind.PYRAMID, Kind.COIN, Kind.DIE, Kind.PAWN)  # what lies below is laid first


def setup_help(table: SeatView, moment: Moment | None) -> dict[str, Any]:
    """`found`: whether the board was found in the picture; `pieces`: everything that should lie on the board and how it
    lies, in the order that people lay it, each with its outline in the picture; `differences` in words; `needed`."""
    layout = table.game.layout(table.state)
    answer: dict[str, Any] = {"seen": False, "found": False, "pieces": [], "differences": [], "said_differences": []}
    answer["needed"] = _needed(layout)
    if moment is None or moment.table is None:
        return answer
    answer["seen"] = True
    found = register(layout, moment.table, None)
    if found is None:
        return answer
    view = TableLikelihood(moment.table, found, layout)
    fit = view.fit(layout)
    words = view.change(layout, fit).words
    return answer | {
        "found": True,
        "width": moment.frame.size[0] if moment.frame is not None else 0,
        "height": moment.frame.size[1] if moment.frame is not None else 0,
        "pieces": list(_pieces(layout, fit, found, moment.table)),
        "differences": [one.text for one in words],
        "said_differences": [valued(table.game, one.to_json()) for one in words],
    }


def _pieces(layout: Layout, fit: Residual, found: Registration, observed: ObservedTable) -> Iterator[dict[str, Any]]:
    """Whatever a piece hides stays hidden."""
    lens = lens_of(observed)
    if lens is None:
        return
    standing = {p.key: LaidState.MISSING for p in fit.missing} | {
        placed.key: LaidState.WRONG for placed, _ in fit.mismatched
    }
    shown = sorted((placed for placed, _ in exposed(layout)), key=lambda p: (_ORDER.index(p.piece.kind), -p.y, p.x))
    each = [(placed, standing.get(placed.key, LaidState.LAID)) for placed in shown]
    each += [(placed_from(seen, f"seen{seen.index}"), LaidState.EXTRA) for seen in fit.extra]
    for placed, how in each:
        outline = cv2.perspectiveTransform(np.array([_corners(placed, found)], dtype=np.float64), lens)[0]
        if np.isfinite(outline).all():
            plain = placed._replace(piece=placed.shown).to_json()
            yield {**plain, "standing": how.value, "outline_px": np.round(outline, 1).tolist()}


def _corners(placed: Placed, found: Registration) -> list[tuple[float, float]]:
    """Of its outline on the table: four of what is square, eight of what is round."""
    wide, high = half_sides(placed.piece)
    if placed.piece.kind in (Kind.TILE, Kind.DIE, Kind.CARD):
        rim, turn = wide * _SQUARE.real + 1j * high * _SQUARE.imag, np.exp(1j * np.radians(placed.angle))
    else:
        rim, turn = wide * _OCTAGON, 1.0
    return [found.to_table(placed.x + at.real, placed.y + at.imag) for at in rim * turn]


def _needed(layout: Layout) -> list[dict[str, Any]]:
    """How many of each kind lie on the board."""
    counts = Counter(placed.piece.kind.value for placed in layout.board)
    return [{"kind": kind, "count": count} for kind, count in counts.items()]
