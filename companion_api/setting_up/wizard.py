"""The calibration wizard: its steps, the current picture quality, and saving the table plane."""

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
from companion_api.setting_up.keeper import ProfileKeeper, check_json, problem_json
from companion_api.setting_up.tuner import Tuner
from vision.frame import Frame
from vision.table_reader import FrameResult

MIN_SHEETS = 3
MAX_SHEETS = 10


class Wizard:
    """`keeper` returns the profile in use, a separate one for a simulated table; `tuner` reports tuning."""

    def __init__(self, keeper: Callable[[], ProfileKeeper], tuner: Tuner) -> None:
        self._keeper = keeper
        self._tuner = tuner
        self._sheets: list[tuple[tuple[int, int], SheetSeen]] = []
        self._quality_cache: tuple[FrameResult, dict[str, Any]] | None = None

    def standing(self, look: FrameResult | None) -> dict[str, Any]:
        """Steps, progress and the reader's view of the current frame."""
        keeper = self._keeper()
        keeper.refresh()
        profile = keeper.profile
        ready = steps_done(profile)
        return {
            **problem_json(keeper.problem),
            "steps": [
                {"id": s.id, "title": s.title, "words": s.words, "needed": s.needed, "done": ready.get(s.id, False)}
                for s in STEPS
            ],
            "quality": self._quality(look) if look is not None else None,
            "check": check_json(keeper.known.last),
            "made": profile.made,
            "sheets": len(self._sheets),
            "sets": [_set_json(taught, keeper.path) for taught in profile.sets.values()],
            "using": profile.using,
            "tuning": self._tuner.to_json(),
            "can_tune": can_tune(),
        }

    def from_tiles(self, look: FrameResult) -> TablePlane:
        """The plane from the tiles on the table; PlaneError where they do not suffice."""
        return self._save_plane(look, planes.from_tiles(tile_outlines(look.pieces), self._lens(look.frame)))

    def from_corners(
        self, look: FrameResult, corners: list[tuple[float, float]], width: float, height: float
    ) -> TablePlane:
        """The plane from a rectangle: corners in pixels, size in millimetres."""
        return self._save_plane(look, planes.from_corners(np.array(corners), width, height, self._lens(look.frame)))

    def from_sheet(self, look: FrameResult) -> TablePlane:
        """The plane from the printed sheet on the table; SheetError where it is not found."""
        seen = sheets.find(look.frame.image)
        plane = planes.from_grid(seen.points, seen.seen, self._lens(look.frame))
        return self._save_plane(look, plane, white_from_sheet(look.frame.image, seen))

    def sheet(self, frame: Frame) -> int:
        """Adds a view of the sheet from another side and returns their number; from MIN_SHEETS on they determine the
        lens."""
        seen = sheets.find(frame.image)
        self._sheets = [*(each for each in self._sheets if each[0] == frame.size), (frame.size, seen)][-MAX_SHEETS:]
        if len(self._sheets) >= MIN_SHEETS:
            lens = sheets.lens_from([each for _, each in self._sheets], assumed(frame.size))
            keeper = self._keeper()
            keeper.keep(replace(keeper.profile, lens=lens))
        return len(self._sheets)

    def _quality(self, look: FrameResult) -> dict[str, Any]:
        """Computed once per frame for all phones."""
        if self._quality_cache is None or self._quality_cache[0] is not look:
            self._quality_cache = look, quality(look, self._lens(look.frame)).to_json()
        return self._quality_cache[1]

    def _lens(self, frame: Frame) -> Lens:
        known = self._keeper().profile.lens
        return known.at_size(frame.size) if known is not None else assumed(frame.size)

    def _save_plane(
        self, look: FrameResult, plane: TablePlane, white: tuple[float, float, float] | None = None
    ) -> TablePlane:
        keeper, quads = self._keeper(), tile_outlines(look.pieces)
        resting = positions_of(plane, quads) if quads else np.zeros((0, 2))
        made = datetime.now(UTC).isoformat(timespec="seconds")
        white = white or keeper.profile.white
        keeper.keep(replace(keeper.profile, made=made, lens=plane.lens, plane=plane, resting=resting, white=white))
        return plane


def _set_json(taught: TaughtSet, profile: Path) -> dict[str, Any]:
    return {
        "name": taught.name,
        "pieces": taught.pieces,
        "faces": taught.faces,
        "leaks": list(taught.leaks),
        "trials": [
            {"kind": kind, **trial.total._asdict(), "used": taught.kinds[kind].trusted}
            for kind, trial in taught.trials.items()
        ],
        "kept": is_stored(folder_of(profile, taught.name)),
        "tuned": taught.net is not None,
        "other": taught.other is not None,
        "brings": None if taught.tuning is None else taught.tuning._asdict(),
    }
