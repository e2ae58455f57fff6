"""SCENE.json: a table described by hand or by another program, drawn as a picture.

    {"size": [1280, 720], "style": "classic", "seed": 3, "jitter": 0.0,
     "camera": {"tilt_deg": 15, "turn_deg": 0, "fov_deg": 62, "distance": 20, "aim": [0, 0],
                "distortion": [0, 0, 0, 0, 0]},
     "pieces": [{"kind": "tile", "suit": "suns", "value": "3", "face": "front", "position": [0, 0], "angle_deg": 0}],
     "hands": [{"position": [2, 1], "height": 0.6, "angle_deg": 20, "pose": "pinch"}],
     "clutter": [{"shape": "mug", "position": [5, 3], "angle_deg": 0}]}

Only "pieces" is required. Pieces have the fields of `companion look --json`; a piece without a "level" (inches) lies on
the pieces listed before it. Without "distance" or "aim" the camera shows everything.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.render import hands, things
from models.render.camera import Viewpoint, camera_at
from models.render.edition import SUITS, VALUES, Sizes
from models.render.layout_scene import fitting_view
from models.render.renderer import Rendered, render
from models.render.scene import PIECES, Body, Scene, clutter_body
from models.render.shapes import resting_height
from models.render.styles import style

_FAR = 1e4
"""Greatest inches and degrees."""


class SceneError(ValueError):
    """The scene cannot be drawn; the text says which entry is wrong and what it should be."""


def render_scene_file(
    path: str | Path,
    out: str | Path,
    truth: str | Path | None = None,
    style_name: str | None = None,
    seed: int | None = None,
) -> Rendered:
    """Draws SCENE.json into a picture file and, where asked, its truth into another file."""
    drawn = render(scene_from_json(_read(Path(path)), style_name, seed))
    facts = {"image": Path(out).name, **drawn.truth}
    write_picture(out, drawn.image)
    if truth is not None:
        Path(truth).write_text(json.dumps(facts) + "\n", encoding="utf-8")
    return drawn


def write_picture(out: str | Path, image: np.ndarray, quality: int = 95) -> None:
    """Writes a picture; `quality`: of a JPEG, 0 to 100. Raises SceneError if the suffix (OpenCV raises) or the folder
    (OpenCV returns False) is unusable."""
    try:
        written = cv2.imwrite(str(out), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    except cv2.error:
        written = False
    if not written:
        raise SceneError(f"{out}: cannot write a picture there; use a name that ends in .jpg or .png")


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SceneError(f"{path}: no such file") from None
    except OSError as error:
        raise SceneError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise SceneError(f"{path}: is no JSON; give a scene file, or --game GAME") from None
    if not isinstance(data, Mapping):
        raise SceneError(f"{path}: must hold one JSON object with a list called pieces")
    return data


def scene_from_json(data: Mapping[str, Any], style_name: str | None = None, seed: int | None = None) -> Scene:
    """The scene that a SCENE.json object describes."""
    whole = _Entry(data)
    chosen_seed = seed if seed is not None else whole.integer("seed", 0)
    try:
        look = style(style_name or str(data.get("style", "classic")), chosen_seed)
    except ValueError as error:
        raise SceneError(str(error)) from None
    sizes, jitter = look.edition.sizes, whole.number("jitter", 0.0, 0, 1)
    bodies: list[Body] = []
    for index, entry in enumerate(whole.entries("pieces")):
        bodies.append(_piece(entry, index + chosen_seed * 1000, jitter, bodies, sizes))
    view = _view(whole, bodies, sizes)
    bodies += [_hand(entry, index) for index, entry in enumerate(whole.entries("hands"))]
    bodies += [_clutter(entry, index) for index, entry in enumerate(whole.entries("clutter"))]
    eye, tilt = camera_at(view), view.tilt_deg
    return Scene(look.edition, bodies, look.table, look.light, eye, look.film, chosen_seed, "file", "file", tilt)


def _piece(entry: "_Entry", number: int, jitter: float, below: list[Body], sizes: Sizes) -> Body:
    kind = entry.choice("kind", PIECES) or "tile"
    (x, y), (dx, dy, turn) = entry.pair("position"), np.random.default_rng([abs(number), 4]).normal(0, 1, 3) * jitter
    standing = kind in ("pawn", "pyramid")
    body = Body(
        kind,
        x + dx,
        y + dy,
        0.0,
        entry.number("angle_deg", 0.0, -_FAR, _FAR) + turn * 70,
        entry.choice("suit", SUITS) or SUITS[abs(number) % 4],
        None if standing else _value(entry, kind, number),
        entry.choice("face", ("front", "back")) or ("front" if kind in ("tile", "coin", "card") else None),
        entry.choice("size", ("small", "medium", "large", *"ABCDEF")) or ("small" if kind == "pyramid" else None),
        entry.choice("pose", ("upright", "flat")) or ("upright" if standing else None),
        entry.pair("lean", (0.0, 0.0)),
        seed=abs(number),
        name=str(entry.data.get("id", "")),
    )
    resting = resting_height(body, below, sizes) if entry.data.get("level") is None else 0.0
    return replace(body, z=entry.number("level", resting, 0, 30))


def _value(entry: "_Entry", kind: str, number: int) -> str:
    if kind == "card":
        return str(entry.data.get("value") or "")
    return entry.choice("value", VALUES) or VALUES[abs(number) % 6]


def _hand(entry: "_Entry", index: int) -> Body:
    x, y = entry.pair("position")
    pose = entry.choice("pose", tuple(hands.POSES)) or "flat"
    height, angle = entry.number("height", 0.5, 0, 12), entry.number("angle_deg", 0.0, -_FAR, _FAR)
    return hands.reaching((x, y, height), angle, pose, seed=index, left=bool(entry.data.get("left", False)))


def _clutter(entry: "_Entry", index: int) -> Body:
    x, y = entry.pair("position")
    shape = entry.choice("shape", things.KINDS)
    if shape is None:
        raise SceneError(f"{entry.name('shape')} must be one of {', '.join(things.KINDS)}")
    return clutter_body(x, y, shape, entry.integer("seed", index), angle=entry.number("angle_deg", 0.0, -_FAR, _FAR))


def _view(whole: "_Entry", bodies: list[Body], sizes: Sizes) -> Viewpoint:
    """The camera; without a distance or an aim so that everything is in sight."""
    eye = _Entry(whole.data.get("camera", {}), "camera")
    wide, high = whole.pair("size", (1280, 720))
    if not (64 <= wide <= 4096 and 64 <= high <= 4096):
        raise SceneError("size must be from 64 to 4096 pixels each way")
    lens = eye.data.get("distortion", [0, 0, 0, 0, 0])
    if not isinstance(lens, list) or len(lens) != 5:
        raise SceneError("camera.distortion must be five numbers")
    k1, k2, p1, p2, k3 = (_number(value, "camera.distortion", -1, 1) for value in lens)
    fov, tilt = eye.number("fov_deg", 62, 20, 110), eye.number("tilt_deg", 15, 0, 75)
    turn, roll = eye.number("turn_deg", 0, -_FAR, _FAR), eye.number("roll_deg", 0, -_FAR, _FAR)
    view = Viewpoint(int(wide), int(high), fov, tilt, turn, roll, distortion=(k1, k2, p1, p2, k3))
    fitted = fitting_view(bodies, sizes, view)
    aim, distance = eye.pair("aim", fitted.aim), eye.data.get("distance")
    return replace(view, aim=aim, distance=fitted.distance if distance is None else eye.number("distance", 0, 4, 200))


@dataclass(frozen=True, slots=True)
class _Entry:
    """An object of the file and its name in messages; a field that is missing or null has the value `other`."""

    data: Mapping[str, Any]
    where: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.data, Mapping):
            raise SceneError(f"{self.where} must be an object")

    def name(self, field: str) -> str:
        return f"{self.where}.{field}" if self.where else field

    def entries(self, field: str) -> "list[_Entry]":
        found = self.data.get(field, [])
        if not isinstance(found, list):
            raise SceneError(f"{field} must be a list")
        return [_Entry(each, f"{field}[{index}]") for index, each in enumerate(found)]

    def choice(self, field: str, choices: Sequence[str]) -> str | None:
        value = self.data.get(field)
        if value is None:
            return None
        if value not in choices:
            raise SceneError(f"{self.name(field)} is {value!r}; it must be one of {', '.join(choices)}")
        return str(value)

    def number(self, field: str, other: float, low: float, high: float) -> float:
        value = self.data.get(field)
        return float(other) if value is None else _number(value, self.name(field), low, high)

    def integer(self, field: str, other: int) -> int:
        return int(self.number(field, other, 0, 2**31))

    def pair(self, field: str, other: tuple[float, float] | None = None) -> tuple[float, float]:
        value = self.data.get(field)
        if value is None and other is not None:
            return other
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise SceneError(f"{self.name(field)} is {value!r}; it must be two numbers")
        return _number(value[0], self.name(field), -_FAR, _FAR), _number(value[1], self.name(field), -_FAR, _FAR)


def _number(value: Any, where: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise SceneError(f"{where} is {value!r}; it must be a number from {low:g} to {high:g}")
    return float(value)
