"""Ground truth of a picture.

Camera, homography, hands, clutter, sizes, set, table, seed, stratum, and pieces with the fields of `companion look` and

- `true` {suit value}: of both sides;
- `visible`: visible share of its pixels (0 outside the window); `art_visible`: the same of suit mark and value;
- `level`: the height of the underside in inches;
- `angle_img_deg` modulo `angle_period` (90 for tile backs and upright pyramids; null for pawns and blank discs);
- `outline_px`: of a tile, die or card the corners of the top face from the piece's own top left, clockwise as printed;
  of a coin 16 points of the top face from its own right, counter-clockwise; of a pawn or pyramid the silhouette's hull;
- `body`: its index in the map of owners. A piece with id `held` is in a hand.
"""

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import art, mesh
from models.render.camera import PinholeCamera
from models.render.edition import PaintedSet
from models.render.film import Window
from models.render.raster import Doubles, signed_area
from models.render.scene import PIECES, Body, Scene
from models.render.shapes import direction, half_size, thickness
from models.render.world import body_mesh, placed
from rules.pieces.piece import Size

Owners = NDArray[np.int16]
_SUBPIXELS = 3


def describe(scene: Scene, owners: Owners, window: Window) -> dict[str, Any]:
    """The truth of a picture, in the pixels of its window."""
    pixels = np.bincount((owners.ravel() + 1).astype(np.int64), minlength=len(scene.bodies) + 1)[1:]
    pieces = [
        _piece(scene, index, window, owners, int(pixels[index]))
        for index, body in enumerate(scene.bodies)
        if body.kind in PIECES
    ]
    others = [(index, body) for index, body in enumerate(scene.bodies) if body.kind not in PIECES]
    hands = [_visible_outline(owners, index) for index, body in others if body.kind == "hand" and pixels[index] > 0]
    return {
        "width": window[2],
        "height": window[3],
        "window": list(window),
        "set": scene.edition.name,
        "table": scene.table.kind,
        "scene_kind": scene.kind,
        "seed": scene.seed,
        "stratum": scene.stratum,
        "camera": _camera(scene.camera, window),
        "table_homography": _rounded(_homography(scene.camera, window), 9),
        "tilt_deg": round(scene.tilt_deg, 2),
        "hand": bool(hands),
        "hand_polygons": hands,
        "clutter": [body.shape for index, body in others if body.kind == "clutter" and pixels[index] > 0],
        "dims_in": _dims(scene),
        "pieces": pieces,
    }


def _dims(scene: Scene) -> dict[str, Any]:
    sizes = scene.edition.sizes
    return {
        "tile": [sizes.tile, round(sizes.tile_thick, 4)],
        "coin": [round(sizes.coin, 4), round(sizes.coin_thick, 4)],
        "die": round(sizes.die, 4),
        "pawn": scene.edition.pawn_shape,
    }


def _rounded(values: Doubles, digits: int) -> list[Any]:
    return list(np.round(values, digits).tolist())


def _homography(camera: PinholeCamera, window: Window) -> Doubles:
    shift = np.array([[1, 0, -window[0]], [0, 1, -window[1]], [0, 0, 1.0]])
    moved = shift @ camera.table_homography()
    return np.asarray(moved / moved[2, 2])


def _camera(camera: PinholeCamera, window: Window) -> dict[str, Any]:
    matrix = camera.matrix
    matrix[:2, 2] -= window[:2]
    return {
        "K": _rounded(matrix, 6),
        "dist": list(camera.distortion),
        "R": _rounded(camera.turn, 9),
        "t": [round(v, 6) for v in camera.shift],
    }


def silhouette(camera: PinholeCamera, body: Body, edition: PaintedSet) -> float:
    """Area of a piece in pixels without occlusion or cropping."""
    points = placed(body, edition).points.reshape(-1, 3)
    if camera.to_camera(points)[:, 2].min() < 0.4:
        return 0.0
    screen = camera.project(points)
    if body.kind != "pawn":
        return _area(np.asarray(cv2.convexHull(screen.astype(np.float32))[:, 0], np.float32))
    return _raster_area(screen.reshape(-1, 3, 2))


def _raster_area(triangles: Doubles) -> float:
    """Area in pixels of a concave silhouette, from its triangles rasterised three times as finely."""
    low = triangles.min((0, 1)) - 1
    size = np.ceil((triangles.max((0, 1)) - low + 1) * _SUBPIXELS).astype(int)
    if size.max() > 4000:
        return float(size.prod()) / _SUBPIXELS**2
    sheet = np.zeros((int(size[1]), int(size[0])), np.uint8)
    scaled = np.round((triangles - low) * (_SUBPIXELS * 16) - 8).astype(np.int32)
    for corners in scaled[signed_area(triangles) < 0]:
        cv2.fillConvexPoly(sheet, corners, 1, cv2.LINE_8, 4)
    return (cv2.countNonZero(sheet) - 0.5 * _edge_pixels(sheet)) / _SUBPIXELS**2


def _edge_pixels(sheet: NDArray[np.uint8]) -> int:
    """Pixels along the edge: OpenCV also fills pixels that are only touched, half of these in excess."""
    return cv2.countNonZero(sheet) - cv2.countNonZero(cv2.erode(sheet, np.ones((3, 3), np.uint8)))


def _piece(scene: Scene, index: int, window: Window, owners: Owners, seen: int) -> dict[str, Any]:
    body = scene.bodies[index]
    outline, centre = _geometry(scene, body)
    offset = np.array(window[:2], float)
    pixels = scene.camera.project(np.concatenate([outline, centre[None]])) - offset
    ring, middle = pixels[:-1], pixels[-1]
    if body.kind in ("pawn", "pyramid"):
        ring = cv2.convexHull(ring.astype(np.float32))[:, 0].astype(float)
    inside = _share_in_frame(ring, window)
    visible = min(1.0, seen / max(silhouette(scene.camera, body, scene.edition), 1.0)) if seen else 0.0
    angle, period = _angle(scene, body, middle, offset)
    return {
        "id": body.name or f"{body.kind}{index}",
        "kind": body.kind,
        **visible_fields(body),
        "pose": body.pose,
        "size": Size(body.size).look.value if body.size and body.kind == "pyramid" else None,
        "center_px": _rounded(middle, 2),
        "outline_px": _rounded(ring, 2),
        "angle_deg": round(float(_wrapped(body.angle)), 2),
        "angle_img_deg": angle,
        "angle_period": period,
        "position_in": [round(float(body.x), 4), round(float(body.y), 4)],
        "level": round(float(body.z), 4),
        "visible": round(visible, 3),
        "in_frame": round(inside, 3),
        "occluded": round(max(0.0, 1 - visible / max(inside, 1e-3)), 3) if inside > 0.01 else 0.0,
        "art_visible": _art_visible(scene, index, offset, owners),
        "size_px": round(math.sqrt(max(_area(ring), 0.0)), 2),
        "lean": list(body.lean),
        "body": index,
        "true": {"suit": body.suit, "value": body.value},
    }


def visible_fields(body: Body) -> dict[str, str | None]:
    """Suit, value and face as far as the visible side shows them."""
    suit, value, face = body.suit, body.value, body.face
    if body.kind in ("tile", "card") and face == "back":
        return {"suit": None, "value": None, "face": face}
    if body.kind == "coin":
        return {"suit": suit if face == "back" else None, "value": value if face == "front" else None, "face": face}
    return {"suit": suit, "value": None if body.kind == "pyramid" else value, "face": face}


def _geometry(scene: Scene, body: Body) -> tuple[Doubles, Doubles]:
    """Outline and centre in world coordinates, as the module docstring defines them for each kind."""
    sizes = (body.guest or scene.edition).sizes
    turn, foot = direction(body), np.array([body.x, body.y, body.z])
    if body.kind in ("pawn", "pyramid"):
        return body_mesh(body, scene.edition).points.reshape(-1, 3) @ turn.T + foot, foot
    if body.kind == "coin":
        rim = mesh.circle(sizes.coin, 16)
    else:
        rim = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half_size(body, sizes)
    high = thickness(body, sizes)
    top = mesh.at_height(rim, high)
    return top @ turn.T + foot, np.array([0, 0, high]) @ turn.T + foot


def _angle(scene: Scene, body: Body, middle: Doubles, offset: Doubles) -> tuple[float | None, int]:
    blank_disc = (
        body.kind == "coin"
        and scene.edition.coin_art.tick == "none"
        and (body.face == "front" and not scene.edition.coin_values[body.value or "null"].any())
    )
    if body.kind == "pawn" or blank_disc:
        return None, 0
    turn = direction(body)
    high = _geometry(scene, body)[1]
    ahead = scene.camera.project((high + turn @ np.array([0, 0.05, 0]))[None])[0] - offset
    dx, dy = ahead - middle
    turned = body.kind == "pyramid" or (body.kind == "tile" and body.face == "back")
    return round(_wrapped(math.degrees(math.atan2(-dx, -dy))), 2), 90 if turned and body.pose != "flat" else 360


def _wrapped(angle: float) -> float:
    return (angle + 180) % 360 - 180


def _area(ring: Doubles) -> float:
    return float(abs(cv2.contourArea(ring.astype(np.float32)))) if len(ring) > 2 else 0.0


def _share_in_frame(ring: Doubles, window: Window) -> float:
    total = _area(ring)
    if total < 1:
        return 0.0
    hull = cv2.convexHull(ring.astype(np.float32))
    frame = np.array([[0, 0], [window[2], 0], [window[2], window[3]], [0, window[3]]], np.float32)
    return float(cv2.intersectConvexConvex(hull, frame)[0]) / total


def _art_visible(scene: Scene, index: int, offset: Doubles, owners: Owners) -> dict[str, float] | None:
    """Visible share of the art, from sample points looked up in the map of owners."""
    body = scene.bodies[index]
    edition = body.guest or scene.edition
    sizes = edition.sizes

    def shown(place: art.Place, side: float, high: float) -> float:
        """Visible share of a square of art on the upper face of a piece."""
        return _visible_share(scene, index, _sample_grid(place, side, high), offset, owners)

    if body.kind in ("pawn", "pyramid"):
        faces = np.asarray(body_mesh(body, scene.edition).points.mean(axis=1))
        return {"suit": _visible_share(scene, index, faces, offset, owners)}
    if body.kind == "coin":
        seen = shown((0.5, 0.5, edition.coin_art.glyph_scale), sizes.coin, sizes.coin_thick)
        return {"value" if body.face == "front" else "suit": seen}
    if body.kind == "die":
        scale = edition.die_art.glyph_scale if edition.die_art else art.DIE_GLYPH
        seen = shown((0.5, 0.5, scale), sizes.die, sizes.die)
        shows_suit = edition.dice_show_suit or (body.value == "ace" and edition.die_values["ace"] is None)
        return {"suit": seen if shows_suit else 0.0, "value": seen}
    if body.kind != "tile" or body.face == "back":
        return None
    value = body.value or "null"
    middle = shown((0.5, 0.5, edition.tile_art.numeral_scale), sizes.tile, sizes.tile_thick)
    if not art.has_mark(edition, value):
        return {"suit": middle, "value": middle}
    mark = shown(art.mark_place(edition), sizes.tile, sizes.tile_thick)
    own_suit = edition.coloured_values or edition.inverted or value == "ace"
    return {"suit": max(mark, middle) if own_suit and value != "null" else mark, "value": middle}


def _sample_grid(place: art.Place, side: float, high: float) -> Doubles:
    """Grid of sample points over a square of art, in the piece's own axes."""
    (x, y, size), t = place, np.linspace(-0.4, 0.4, 5)
    grid = np.stack(np.meshgrid(t, t), -1).reshape(-1, 2) * size + (x - 0.5, y - 0.5)
    return mesh.at_height(grid * (side, -side), high)


def _visible_share(scene: Scene, index: int, points: Doubles, offset: Doubles, owners: Owners) -> float:
    body = scene.bodies[index]
    world = points @ direction(body).T + np.array([body.x, body.y, body.z])
    pixels = np.floor(scene.camera.project(world) - offset).astype(np.int64)
    inside = (pixels >= 0).all(1) & (pixels[:, 0] < owners.shape[1]) & (pixels[:, 1] < owners.shape[0])
    hits = owners[pixels[inside, 1], pixels[inside, 0]] == index
    return round(float(hits.sum()) / max(1, len(points)), 3)


def _visible_outline(owners: Owners, index: int) -> list[list[int]]:
    """Outline of a body's largest visible patch, as a polygon."""
    patches = cv2.findContours((owners == index).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    largest = max(patches, key=lambda patch: float(cv2.contourArea(patch)))
    return [[int(x), int(y)] for x, y in cv2.approxPolyDP(largest, 1.5, True)[:, 0]]
