"""A profile of one table: the camera's lens, the table plane, white balance, taught sets and cards; its JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration import deck as decks
from calibration import lens as lenses
from calibration import profile_store
from calibration.custom_set import TaughtSet
from calibration.lens import Lens, LensError
from calibration.light import bgr
from calibration.plane import Accuracy, TablePlane
from calibration.profile_store import ProfileError
from rules.sentence import say, sentence_of
from vision.detect.shape import Floats
from vision.identify.deck import Deck

KIND: Final = "piecepack-companion profile"
LENS_KIND: Final = "piecepack-companion lens"


@dataclass(frozen=True, slots=True)
class Profile:
    """`resting`: the tiles' positions (mm) at the last good look, for the correction of a bump. `white`: white balance
    factors (blue, green, red). `using`: the set in use. `deck`: the taught faces of cards."""

    name: str = "table"
    made: str = ""
    lens: Lens | None = None
    plane: TablePlane | None = None
    resting: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    white: tuple[float, float, float] | None = None
    sets: Mapping[str, TaughtSet] = field(default_factory=dict)
    using: str | None = None
    deck: Deck | None = None

    @property
    def my_set(self) -> TaughtSet | None:
        return self.sets.get(self.using) if self.using else None

    def with_set(self, taught: TaughtSet) -> Profile:
        """The profile with this set stored and in use."""
        return replace(self.with_stored_set(taught), using=taught.name)

    def with_stored_set(self, taught: TaughtSet) -> Profile:
        """The profile with this set stored; the set in use stays."""
        return replace(self, sets={**self.sets, taught.name: taught})

    def without_set(self, name: str) -> Profile:
        self.set_named(name)
        left = {key: value for key, value in self.sets.items() if key != name}
        return replace(self, sets=left, using=next(iter(left), None) if self.using == name else self.using)

    def with_selected(self, name: str) -> Profile:
        return replace(self, using=self.set_named(name).name)

    def without_selected(self) -> Profile:
        """The profile with no set in use."""
        return replace(self, using=None)

    def set_named(self, name: str) -> TaughtSet:
        if name not in self.sets:
            known = ", ".join(sorted(self.sets)) or "none yet: teach one with `companion teach`"
            raise ProfileError(say("no set {name}; taught sets: {known}", name=repr(name), known=known))
        return self.sets[name]

    def save(self, path: Path) -> None:
        profile_store.write(path, KIND, self.to_json())

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "made": self.made,
            "lens": self.lens.to_json() if self.lens else None,
            "plane": plane_to_json(self.plane) if self.plane else None,
            "resting": np.round(self.resting, 3).tolist(),
            "white": list(self.white) if self.white else None,
            "sets": {name: taught.to_json() for name, taught in self.sets.items()},
            "using": self.using,
            "deck": decks.to_json(self.deck) if self.deck else None,
        }


def load(path: Path) -> Profile:
    """The profile in a file; ProfileError where it cannot be used."""
    return from_json(profile_store.read(path, KIND), str(path))


def load_or_new(path: Path, name: str = "table") -> Profile:
    return load(path) if path.exists() else Profile(name=name)


def from_json(data: Mapping[str, Any], where: str = "profile") -> Profile:
    try:
        return Profile(
            name=str(data["name"]),
            made=str(data["made"]),
            lens=lenses.from_json(data["lens"]) if data["lens"] else None,
            plane=plane_from_json(data["plane"]) if data["plane"] else None,
            resting=np.array(data["resting"], dtype=np.float64).reshape(-1, 2),
            white=bgr(data["white"]) if data["white"] else None,
            sets={str(name): TaughtSet.from_json(entry) for name, entry in data["sets"].items()},
            using=data["using"] if data["using"] in data["sets"] else None,
            deck=decks.from_json(data["deck"]) if data.get("deck") else None,
        )
    except (KeyError, TypeError, ValueError, AttributeError, LensError) as error:
        raise ProfileError(
            say(
                "{file}: is damaged ({why} is not as it should be); calibrate again", file=where, why=sentence_of(error)
            )
        ) from None


def plane_to_json(plane: TablePlane) -> dict[str, Any]:
    return {
        "lens": plane.lens.to_json(),
        "view": plane.view.tolist(),
        "frame": plane.frame.tolist(),
        "spread": [[float(f"{value:.6g}") for value in row] for row in plane.spread],
        "accuracy": plane.accuracy.to_json(),
        "source": plane.source,
        "height": plane.height,
        "tile": plane.tile,
    }


def plane_from_json(data: Mapping[str, Any]) -> TablePlane:
    stored = data["accuracy"]
    numbers = [np.array(data[name], dtype=np.float64) for name in ("view", "frame", "spread")]
    if [each.shape for each in numbers] != [(3,), (3,), (10, 10)] or not all(np.isfinite(n).all() for n in numbers):
        raise ValueError("the plane")
    accuracy = Accuracy(
        float(stored["typical_mm"]),
        float(stored["worst_mm"]),
        float(stored["plane_mm"]),
        float(stored["corner_px"]),
        int(stored["used"]),
        int(stored["left_out"]),
    )
    view, frame, spread = numbers
    lens = lenses.from_json(data["lens"])
    return TablePlane(
        lens, view, frame, spread, accuracy, str(data["source"]), float(data["height"]), float(data["tile"])
    )


def lens_file(folder: Path, model: str) -> Path:
    """The file of a camera model's lens, shared by all tables."""
    safe = "".join(letter if letter.isalnum() else "-" for letter in model.lower()).strip("-") or "camera"
    return folder / "lenses" / f"{safe}.json"


def save_lens(folder: Path, model: str, lens: Lens) -> None:
    profile_store.write(lens_file(folder, model), LENS_KIND, {"model": model, "lens": lens.to_json()})


def stored_lens(folder: Path, model: str, size: tuple[int, int]) -> Lens:
    """The lens stored for this camera model, or the prior."""
    path = lens_file(folder, model)
    if not path.exists():
        return lenses.assumed(size)
    try:
        lens = lenses.from_json(profile_store.read(path, LENS_KIND)["lens"])
    except (LensError, KeyError, TypeError) as error:
        raise ProfileError(
            say("{file}: is damaged ({why}); calibrate again", file=str(path), why=sentence_of(error))
        ) from None
    return replace(lens.at_size(size), source="stored" if lens.at_size(size).source != "assumed" else "assumed")
