"""Set-up help: the layout that should lie there against what the camera saw."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion_api.known import KnownTable
from rules.referee.hypothesis import observed_change
from rules.referee.likelihood import View
from rules.referee.register import register
from rules.sentence import Sentence
from rules.table.layout import Layout
from rules.table.observed import ObservedTable
from vision.pipeline import Moment


def setup_help(table: KnownTable, moment: Moment | None) -> dict[str, Any]:
    """`found`: whether the board was found in the picture; `differences` in words; `missing` and `needed` pieces."""
    layout = table.game.layout(table.state)
    needed = _needed(layout)
    if moment is None or moment.table is None:
        return {"seen": False, "found": False, "differences": [], "said_differences": [], "needed": needed}
    differences = _differences(layout, moment.table)
    return {
        "seen": True,
        "found": differences is not None,
        "pieces": len(moment.table.sightings),
        "differences": [one.text for one in differences or ()],
        "said_differences": [one.to_json() for one in differences or ()],
        "needed": needed,
    }


def _needed(layout: Layout) -> list[dict[str, Any]]:
    """How many of each kind lie on the board."""
    counts = Counter(placed.piece.kind.value for placed in layout.board)
    return [{"kind": kind, "count": count} for kind, count in counts.items()]


def _differences(layout: Layout, table: ObservedTable) -> list[Sentence] | None:
    """What lies otherwise, in words; None where the board is not in the picture."""
    found = register(layout, table, None)
    if found is None:
        return None
    view = View(table, found, layout)
    return observed_change(view, layout, view.fit(layout)).words
