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
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.render import clutter, hands
from models.render.camera import Viewpoint, camera_at
from models.render.edition import SUITS, VALUES, Sizes
from models.render.layout_scene import fitting_view
from models.render.renderer import Rendered, render
from models.render.rest_height import resting_height
from models.render.scene import PIECES, Body, Scene, clutter_body
from models.render.styles import style

_FACES, _SIZES, _POSES = ("front", "back"), ("small", "medium", "large", *"ABCDEF"), ("upright", "flat")


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
    chosen_seed = seed if seed is not None else _whole(data.get("seed", 0), "seed")
    try:
        look = style(style_name or str(data.get("style", "classic")), chosen_seed)
    except ValueError as error:
        raise SceneError(str(error)) from None
    sizes = look.edition.sizes
    bodies = _pieces(data, sizes, chosen_seed)
    view = _view(data, bodies, sizes)
    bodies += [_hand(entry, i) for i, entry in enumerate(_list(data, "hands"))]
    bodies += [_clutter(entry, i) for i, entry in enumerate(_list(data, "clutter"))]
    eye, tilt = camera_at(view), view.tilt_deg
    return Scene(look.edition, bodies, look.table, look.light, eye, look.film, chosen_seed, "file", "file", tilt)


def _list(data: Mapping[str, Any], name: str) -> Sequence[Any]:
    entries = data.get(name, [])
    if not isinstance(entries, list):
        raise SceneError(f"{name} must be a list")
    return entries


def _object(entry: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(entry, Mapping):
        raise SceneError(f"{where} must be an object")
    return entry


def _pieces(data: Mapping[str, Any], sizes: Sizes, seed: int) -> list[Body]:
    jitter = _number(data.get("jitter", 0.0), "jitter", 0, 1)
    bodies: list[Body] = []
    for index, entry in enumerate(_list(data, "pieces")):
        bodies.append(_piece(entry, f"pieces[{index}]", index + seed * 1000, jitter, bodies, sizes))
    return bodies


def _piece(entry: Any, where: str, number: int, jitter: float, below: list[Body], sizes: Sizes) -> Body:
    entry = _object(entry, where)
    kind = _one_of(entry.get("kind"), PIECES, f"{where}.kind") or "tile"
    x, y = _pair(entry.get("position"), f"{where}.position")
    shake = np.random.default_rng([abs(number), 4]).normal(0, 1, 3) * jitter
    standing, angle, lean = kind in ("pawn", "pyramid"), entry.get("angle_deg"), entry.get("lean")
    body = Body(
        kind,
        x + shake[0],
        y + shake[1],
        0.0,
        _number(0.0 if angle is None else angle, f"{where}.angle_deg", -1e4, 1e4) + shake[2] * 70,
        _one_of(entry.get("suit"), SUITS, f"{where}.suit") or SUITS[abs(number) % 4],
        None if standing else _value(entry, kind, where, number),
        _one_of(entry.get("face"), _FACES, f"{where}.face") or ("front" if kind in ("tile", "coin", "card") else None),
        _one_of(entry.get("size"), _SIZES, f"{where}.size") or ("small" if kind == "pyramid" else None),
        _one_of(entry.get("pose"), _POSES, f"{where}.pose") or ("upright" if standing else None),
        (0.0, 0.0) if lean is None else _pair(lean, f"{where}.lean"),
        seed=abs(number),
        name=str(entry.get("id", "")),
    )
    level = entry.get("level")
    z = resting_height(body, below, sizes) if level is None else _number(level, f"{where}.level", 0, 30)
    return replace(body, z=z)


def _value(entry: Mapping[str, Any], kind: str, where: str, number: int) -> str:
    if kind == "card":
        return str(entry.get("value") or "")
    return _one_of(entry.get("value"), VALUES, f"{where}.value") or VALUES[abs(number) % 6]


def _hand(entry: Any, index: int) -> Body:
    where = f"hands[{index}]"
    entry = _object(entry, where)
    x, y = _pair(entry.get("position"), f"{where}.position")
    pose = _one_of(entry.get("pose", "flat"), tuple(hands.POSES), f"{where}.pose") or "flat"
    height = _number(entry.get("height", 0.5), f"{where}.height", 0, 12)
    angle = _number(entry.get("angle_deg", 0.0), f"{where}.angle_deg", -1e4, 1e4)
    return hands.reaching(x, y, height, angle, pose, seed=index, left=bool(entry.get("left", False)))


def _clutter(entry: Any, index: int) -> Body:
    where = f"clutter[{index}]"
    entry = _object(entry, where)
    x, y = _pair(entry.get("position"), f"{where}.position")
    shape = _one_of(entry.get("shape"), clutter.KINDS, f"{where}.shape")
    if shape is None:
        raise SceneError(f"{where}.shape must be one of {', '.join(clutter.KINDS)}")
    angle = _number(entry.get("angle_deg", 0.0), f"{where}.angle_deg", -1e4, 1e4)
    return clutter_body(x, y, shape, _whole(entry.get("seed", index), f"{where}.seed"), angle=angle)


def _view(data: Mapping[str, Any], bodies: list[Body], sizes: Sizes) -> Viewpoint:
    eye = _object(data.get("camera", {}), "camera")
    wide, high = _pair(data.get("size", [1280, 720]), "size")
    if not (64 <= wide <= 4096 and 64 <= high <= 4096):
        raise SceneError("size must be from 64 to 4096 pixels each way")
    lens = eye.get("distortion", [0, 0, 0, 0, 0])
    if not isinstance(lens, list) or len(lens) != 5:
        raise SceneError("camera.distortion must be five numbers")
    k = [_number(v, "camera.distortion", -1, 1) for v in lens]
    view = Viewpoint(
        int(wide),
        int(high),
        _number(eye.get("fov_deg", 62), "camera.fov_deg", 20, 110),
        _number(eye.get("tilt_deg", 15), "camera.tilt_deg", 0, 75),
        _number(eye.get("turn_deg", 0), "camera.turn_deg", -1e4, 1e4),
        _number(eye.get("roll_deg", 0), "camera.roll_deg", -1e4, 1e4),
        distortion=(k[0], k[1], k[2], k[3], k[4]),
    )
    return _framed_view(view, eye, bodies, sizes)


def _framed_view(view: Viewpoint, eye: Mapping[str, Any], bodies: list[Body], sizes: Sizes) -> Viewpoint:
    """The view with distance and aim as given, or so that everything is in sight."""
    fitted = fitting_view(bodies, sizes, view)
    distance = eye.get("distance")
    aim = fitted.aim if eye.get("aim") is None else _pair(eye["aim"], "camera.aim")
    far = fitted.distance if distance is None else _number(distance, "camera.distance", 4, 200)
    return replace(view, distance=far, aim=aim)


def _one_of(value: Any, choices: Sequence[str], where: str) -> str | None:
    if value is None:
        return None
    if value not in choices:
        raise SceneError(f"{where} is {value!r}; it must be one of {', '.join(choices)}")
    return str(value)


def _number(value: Any, where: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise SceneError(f"{where} is {value!r}; it must be a number from {low:g} to {high:g}")
    return float(value)


def _whole(value: Any, where: str) -> int:
    return int(_number(value, where, 0, 2**31))


def _pair(value: Any, where: str) -> tuple[float, float]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SceneError(f"{where} is {value!r}; it must be two numbers")
    return _number(value[0], where, -1e4, 1e4), _number(value[1], where, -1e4, 1e4)
