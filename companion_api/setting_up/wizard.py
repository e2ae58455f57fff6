"""The wizard: its steps, how good the picture is just now, and keeping where the table is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from calibration import plane as planes
from calibration import sheet as sheets
from calibration.check import positions_of
from calibration.custom_set import TaughtSet
from calibration.guide import STEPS, quality, steps_done
from calibration.kept_lesson import folder_of, is_stored
from calibration.lens import Lens, assumed
from calibration.light import white_from_sheet
from calibration.plane import TablePlane
from calibration.runtime import tile_outlines
from calibration.sheet import SheetSeen
from calibration.tuning import can_tune
from companion_api.setting_up.keeper import ProfileKeeper, check_told
from companion_api.setting_up.tuner import Tuner
from vision.frame import Frame
from vision.table_reader import FrameResult

ENOUGH_SHEETS = 3
MOST_SHEETS = 10


class Wizard:
    """`keeper` gives the profile in use; a simulated table has one of its own. `tuner` says what is tuned now."""

    def __init__(self, keeper: Callable[[], ProfileKeeper], tuner: Tuner) -> None:
        self._keeper = keeper
        self._tuner = tuner
        self._sheets: list[tuple[tuple[int, int], SheetSeen]] = []
        self._judged: tuple[FrameResult, dict[str, Any]] | None = None

    def standing(self, look: FrameResult | None) -> dict[str, Any]:
        """The steps, what is done, and what the camera makes of the table now."""
        keeper = self._keeper()
        keeper.refresh()
        profile = keeper.profile
        ready = steps_done(profile)
        return {
            "problem": keeper.problem.text if keeper.problem else None,
            "problem_said": keeper.problem.to_json() if keeper.problem else None,
            "steps": [
                {"id": s.id, "title": s.title, "words": s.words, "needed": s.needed, "done": ready.get(s.id, False)}
                for s in STEPS
            ],
            "quality": self._quality(look) if look is not None else None,
            "check": check_told(keeper.known.last),
            "made": profile.made,
            "sheets": len(self._sheets),
            "sets": [_set(taught, keeper.path) for taught in profile.sets.values()],
            "using": profile.using,
            "tuning": self._tuner.told(),
            "can_tune": can_tune(),
        }

    def from_tiles(self, look: FrameResult) -> TablePlane:
        """The tiles on the table say where it is; PlaneError where they cannot."""
        quads = tile_outlines(look.pieces)
        return self._kept(look, planes.from_tiles(quads, self._lens(look.frame)))

    def from_corners(
        self, look: FrameResult, corners: list[tuple[float, float]], width: float, height: float
    ) -> TablePlane:
        """A rectangle of known size (millimetres), its corners in pixels."""
        return self._kept(look, planes.from_corners(np.array(corners), width, height, self._lens(look.frame)))

    def from_sheet(self, look: FrameResult) -> TablePlane:
        """The printed sheet lies on the table; SheetError where it is not in the picture."""
        frame = look.frame
        seen = sheets.find(frame.image)
        plane = planes.from_grid(seen.points, seen.seen, self._lens(frame))
        return self._kept(look, plane, white_from_sheet(frame.image, seen))

    def sheet(self, frame: Frame) -> int:
        """One more picture of the sheet, from another side; from three on they tell the lens. How many there are."""
        seen = sheets.find(frame.image)
        self._sheets = [*(each for each in self._sheets if each[0] == frame.size), (frame.size, seen)][-MOST_SHEETS:]
        if len(self._sheets) >= ENOUGH_SHEETS:
            lens = sheets.lens_from([each for _, each in self._sheets], assumed(frame.size))
            keeper = self._keeper()
            keeper.keep(replace(keeper.profile, lens=lens))
        return len(self._sheets)

    def _quality(self, look: FrameResult) -> dict[str, Any]:
        """Worked out once for a picture, however many phones ask."""
        if self._judged is None or self._judged[0] is not look:
            self._judged = look, quality(look, self._lens(look.frame)).to_json()
        return self._judged[1]

    def _lens(self, frame: Frame) -> Lens:
        known = self._keeper().profile.lens
        return known.at_size(frame.size) if known is not None else assumed(frame.size)

    def _kept(
        self, look: FrameResult, plane: TablePlane, white: tuple[float, float, float] | None = None
    ) -> TablePlane:
        keeper, quads = self._keeper(), tile_outlines(look.pieces)
        resting = positions_of(plane, quads) if quads else np.zeros((0, 2))
        made = datetime.now(UTC).isoformat(timespec="seconds")
        white = white or keeper.profile.white
        keeper.keep(replace(keeper.profile, made=made, lens=plane.lens, plane=plane, resting=resting, white=white))
        return plane


def _set(taught: TaughtSet, profile: Path) -> dict[str, Any]:
    return {
        "name": taught.name,
        "pieces": taught.pieces,
        "faces": taught.faces,
        "leaks": list(taught.leaks),
        "trials": _trials(taught),
        "kept": is_stored(folder_of(profile, taught.name)),
        "tuned": taught.net is not None,
        "other": taught.other is not None,
        "brings": None if taught.tuning is None else taught.tuning._asdict(),
    }


def _trials(taught: TaughtSet) -> list[dict[str, Any]]:
    return [
        {"kind": kind, **trial.total._asdict(), "used": taught.kinds[kind].trusted}
        for kind, trial in taught.trials.items()
    ]
