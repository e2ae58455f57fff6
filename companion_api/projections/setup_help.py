"""Set-up help: the expected layout compared with the observed table, piece by piece in its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np

from companion_api.change_box import table_to_picture
from companion_api.projections.choices import with_values
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
    """State of a piece of the set-up in the picture."""

    LAID = "laid"
    MISSING = "missing"
    WRONG = "wrong"
    EXTRA = "extra"  # a piece where none should be


_SQUARE = np.array([1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j])
_OCTAGON = np.exp(1j * np.arange(8) * np.pi / 4)
_ORDER = (Kind.TILE, Kind.CARD, Kind.PYRAMID, Kind.COIN, Kind.DIE, Kind.PAWN)  # in the order people lay them


def setup_help(table: SeatView, moment: Moment | None) -> dict[str, Any]:
    """`found`: whether the board was registered; `pieces`: everything on the board with its state and its outline in
    the picture, in laying order; `differences` in words; `needed`: pieces by kind."""
    layout = table.game.layout(table.state)
    answer: dict[str, Any] = {"seen": False, "found": False, "pieces": [], "differences": [], "said_differences": []}
    counts = Counter(placed.piece.kind.value for placed in layout.board)
    answer["needed"] = [{"kind": kind, "count": count} for kind, count in counts.items()]
    if moment is None or moment.table is None:
        return answer
    answer["seen"] = True
    registration = register(layout, moment.table, None)
    if registration is None:
        return answer
    view = TableLikelihood(moment.table, registration, layout)
    fit = view.fit(layout)
    words = view.change(layout, fit).words
    return answer | {
        "found": True,
        "width": moment.frame.size[0] if moment.frame is not None else 0,
        "height": moment.frame.size[1] if moment.frame is not None else 0,
        "pieces": list(_pieces(layout, fit, registration, moment.table)),
        "differences": [one.text for one in words],
        "said_differences": [with_values(table.game, one.to_json()) for one in words],
    }


def _pieces(
    layout: Layout, fit: Residual, registration: Registration, observed: ObservedTable
) -> Iterator[dict[str, Any]]:
    """Covered pieces stay out."""
    homography = table_to_picture(observed)
    if homography is None:
        return
    states = {p.key: LaidState.MISSING for p in fit.missing} | {
        placed.key: LaidState.WRONG for placed, _ in fit.mismatched
    }
    shown = sorted((placed for placed, _ in exposed(layout)), key=lambda p: (_ORDER.index(p.piece.kind), -p.y, p.x))
    each = [(placed, states.get(placed.key, LaidState.LAID)) for placed in shown]
    each += [(placed_from(seen, f"seen{seen.index}"), LaidState.EXTRA) for seen in fit.extra]
    for placed, piece_state in each:
        outline = cv2.perspectiveTransform(np.array([_corners(placed, registration)], dtype=np.float64), homography)[0]
        if np.isfinite(outline).all():
            plain = replace(placed, piece=placed.shown).to_json()
            yield {**plain, "standing": piece_state.value, "outline_px": np.round(outline, 1).tolist()}


def _corners(placed: Placed, registration: Registration) -> list[tuple[float, float]]:
    """Outline on the table: four corners of a square piece, eight points of a round one."""
    wide, high = half_sides(placed.piece)
    if placed.piece.kind in (Kind.TILE, Kind.DIE, Kind.CARD):
        rim, turn = wide * _SQUARE.real + 1j * high * _SQUARE.imag, np.exp(1j * np.radians(placed.angle))
    else:
        rim, turn = wide * _OCTAGON, 1.0
    return [registration.to_table(placed.x + at.real, placed.y + at.imag) for at in rim * turn]
