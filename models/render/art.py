"""Textures of the pieces: what is printed on each of their sides."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import mesh, shapes
from models.render.edition import DieArt, PaintedSet, Side
from models.render.glyphs import Mask, Random, one_of
from models.render.materials import SURFACES, Colour, Grey, Picture, cutout, wood
from models.render.scene import Body

DIE_GLYPH = 0.7
"""Size of the marks on dice, as a share of a face."""
Place = tuple[float, float, float]


@dataclass(slots=True)
class Painted:
    """Texture of a side: colours and, where it is engraved, depth (0 flat, 1 deep)."""

    colours: Picture
    relief: Grey | None = None


Slots = dict[int, Painted]
"""Textures by slot."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Reflectance of a body: specular share, roughness and transparency (0..1)."""

    gloss: float = 0.3
    roughness: float = 0.5
    clear: float = 0.0


def solid(colour: Colour) -> Painted:
    """A texture of one colour."""
    return Painted(np.full((4, 4, 3), colour, np.float32).astype(np.uint8))


class Sheets:
    """Sheets of material of one edition, from which the sides of its pieces are cut."""

    def __init__(self, edition: PaintedSet, seed: int) -> None:
        rng = np.random.default_rng([seed, 3])
        self.edition = edition
        self.front = _sheet(rng, edition, edition.body)
        self.back = self.front if edition.back_body == edition.body else _sheet(rng, edition, edition.back_body)


def _sheet(rng: Random, edition: PaintedSet, base: Colour) -> Picture:
    if edition.material == "wood":
        return wood(rng, 420, 420, base, edition.grain * 1.6, rng.uniform(4, 16))
    return SURFACES[edition.material](rng, 420, 420, base)


def printed(surface: Picture, mask: Grey, ink: Colour, strength: float) -> Picture:
    """The surface with ink where the mask (0..1) is, at the given strength."""
    cover = mask[:, :, None] * strength
    return np.asarray(surface * (1 - cover) + np.array(ink, np.float32) * cover, np.uint8)


def stamp(px: int, mask: Mask, place: Place, turn_deg: float = 0.0) -> Grey:
    """A mask (0..1) of a drawing at (x, y, size), shares of the side, rotated counter-clockwise."""
    x, y, size = place
    scale = size * px / mask.shape[0]
    shrunk: Mask = mask
    if scale < 0.5:
        shrink = max(scale * 1.5, 0.05)
        shrunk = np.asarray(cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        scale = size * px / shrunk.shape[0]
    half = (shrunk.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((half, half), turn_deg, scale)
    matrix[:, 2] += (x * px - 0.5 - half, y * px - 0.5 - half)
    drawn = cv2.warpAffine(shrunk, matrix, (px, px), flags=cv2.INTER_LINEAR)
    return np.asarray(drawn / np.float32(255), np.float32)


def mark_place(edition: PaintedSet) -> Place:
    """Place of the corner suit mark on a tile face."""
    art = edition.tile_art
    near, far = art.mark_margin + art.mark_scale / 2, 1 - art.mark_margin - art.mark_scale / 2
    corner = art.mark_corner or 0
    return (near if corner in (0, 3) else far), (near if corner in (0, 1) else far), art.mark_scale


def has_mark(edition: PaintedSet, value: str) -> bool:
    """Whether a tile face has a corner mark (a null always: nothing else shows its suit)."""
    return edition.tile_art.mark_corner is not None or value == "null"


def frame(px: int, inset: float, width: float) -> Grey:
    """A square border line."""
    sheet = np.zeros((px, px), np.float32)
    outer, inner = round(inset * px), round((inset + width) * px)
    sheet[outer : px - outer, outer : px - outer] = 1
    sheet[inner : px - inner, inner : px - inner] = 0
    return sheet


def photo_of_side(edition: PaintedSet, side: Side, px: int, rng: Random) -> Painted | None:
    """One of the edition's photographs of this side; None if there are none."""
    photo = edition.pictures.get(side)
    if not photo:
        return None
    picture = one_of(rng, photo)
    small = cv2.resize(picture, (px, px), interpolation=cv2.INTER_AREA if px < len(picture) else cv2.INTER_LINEAR)
    return Painted(np.asarray(small, np.uint8))


def tile_front(sheets: Sheets, suit: str, value: str, px: int, rng: Random) -> Painted:
    edition = sheets.edition
    if (photo := photo_of_side(edition, ("tile", "front", suit, value), px, rng)) is not None:
        return photo
    ink = edition.ink(suit)
    surface = cutout(rng, sheets.front, px, px)
    if edition.inverted:
        surface, ink = printed(surface, np.ones((px, px), np.float32), ink, 0.88), edition.body
    slip = rng.normal(0, edition.misprint, 2)
    art = _tile_mask(edition, suit, value, px, (float(slip[0]), float(slip[1])))
    value_ink = ink if edition.coloured_values or edition.inverted or value == "ace" else edition.neutral_ink
    if value_ink is ink:
        return _inked(edition, surface, np.maximum(*art), ink, rng)
    part = _inked(edition, surface, art[0], ink, rng)
    return _inked(edition, part.colours, art[1], value_ink, rng)


def _tile_mask(edition: PaintedSet, suit: str, value: str, px: int, slip: tuple[float, float]) -> tuple[Grey, Grey]:
    """Masks of what is always printed in the suit's ink (corner mark, border) and of the value."""
    art = edition.tile_art
    mark = np.zeros((px, px), np.float32)
    if has_mark(edition, value):
        x, y, size = mark_place(edition)
        turn = 45.0 if art.mark_turned else 0.0
        mark = stamp(px, edition.suit_marks[suit], (x + slip[0], y + slip[1], size), turn)
    if art.border:
        mark = np.maximum(mark, frame(px, art.border_inset, art.border))
    drawing = edition.tile_values[value]
    centre = edition.suit_marks[suit] if drawing is None else drawing
    return mark, stamp(px, centre, (0.5 + slip[0], 0.5 + slip[1], art.numeral_scale))


def _inked(edition: PaintedSet, surface: Picture, mask: Grey, ink: Colour, rng: Random) -> Painted:
    strength = edition.ink_strength
    if edition.wear > 0.15:
        mask = mask * _wear_mask(rng, mask.shape[0], edition.wear)
    relief = mask * edition.engraved if edition.engraved else None
    return Painted(printed(surface, mask, ink, strength), relief)


def _wear_mask(rng: Random, px: int, wear: float) -> Grey:
    cells = max(3, px // 5)
    rough = rng.standard_normal((cells, cells)).astype(np.float32)
    patches = cv2.resize(rough, (px, px), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(1.25 - wear * 0.5 + patches * wear * 0.5, 0.25, 1), np.float32)


def tile_back(sheets: Sheets, px: int, rng: Random) -> Painted:
    """The back of a tile: a grid of four spaces."""
    edition = sheets.edition
    if (photo := photo_of_side(edition, ("tile", "back", None, None), px, rng)) is not None:
        return photo
    art = edition.tile_art
    surface = cutout(rng, sheets.back, px, px)
    reach = {"none": 0.0, "small": 0.12, "cross": 0.42}.get(art.back, 0.5)
    mask = _cross(px, art.back_width, reach, art.back == "dashes")
    if art.back == "double":
        mask = mask - _cross(px, art.back_width * 0.4, reach, False) * 0.9
    if art.back_border:
        mask = np.maximum(mask, frame(px, art.border_inset, art.back_width))
    if art.back_pattern:
        mask = np.maximum(mask, _pattern(edition, px) * art.back_cover)
    ink = edition.neutral_ink
    if abs(sum(edition.back_body) - sum(ink)) < 150:
        ink = (235.0, 240.0, 240.0) if sum(ink) < 380 else (25.0, 25.0, 25.0)
    return _inked(edition, surface, mask, ink, rng)


def _pattern(edition: PaintedSet, px: int) -> Grey:
    art = edition.tile_art
    y, x = np.mgrid[0:px, 0:px].astype(np.float32) / px - np.float32(0.5)
    pitch = np.float32(art.back_scale)
    if art.back_pattern == "hatch":
        return np.asarray(
            np.maximum(np.cos((x + y) * 2 * np.pi / pitch), np.cos((x - y) * 2 * np.pi / pitch)) > 0.8, np.float32
        )
    if art.back_pattern == "dots":
        return np.asarray(np.cos(x * 2 * np.pi / pitch) + np.cos(y * 2 * np.pi / pitch) > 1.1, np.float32)
    if art.back_pattern == "rings":
        return np.asarray(np.cos(np.hypot(x, y) * 2 * np.pi / pitch) > 0.4, np.float32)
    if art.back_pattern == "chequers":
        return np.asarray((np.floor(x / pitch) + np.floor(y / pitch)) % 2, np.float32)
    side = max(6, round(px * art.back_scale))
    marks = [stamp(side, mark, (0.5, 0.5, 0.8)) for mark in edition.suit_marks.values()]
    block = np.block([[marks[0], marks[1]], [marks[2], marks[3]]])
    times = -(-px // len(block))
    return np.asarray(np.tile(block, (times, times))[:px, :px], np.float32)


def _cross(px: int, width: float, reach: float, dashed: bool) -> Grey:
    y, x = np.abs(np.mgrid[0:px, 0:px].astype(np.float32) + 0.5 - px / 2)
    half = np.float32(max(width * px / 2, 0.45))
    down = np.clip(half - x + 0.5, 0, 1) * (y < reach * px)
    across = np.clip(half - y + 0.5, 0, 1) * (x < reach * px)
    if dashed:
        down, across = down * (np.sin(y * 60 / px) > -0.2), across * (np.sin(x * 60 / px) > -0.2)
    return np.asarray(np.maximum(down, across), np.float32)


def coin_side(sheets: Sheets, suit: str | None, value: str | None, shown: str, px: int, rng: Random) -> Painted:
    """A coin: its value side ("front") or its suit side ("back")."""
    edition = sheets.edition
    side = ("coin", shown, suit if shown == "back" else None, value if shown == "front" else None)
    if (photo := photo_of_side(edition, side, px, rng)) is not None:
        return photo
    art = edition.coin_art
    surface = cutout(rng, sheets.front, px, px)
    coloured = shown == "back" or art.suit_coloured_values
    ink = edition.ink(suit if coloured else None)
    drawing = edition.suit_marks[suit or "suns"] if shown == "back" else edition.coin_values[value or "null"]
    if edition.inverted and shown == "back":
        surface, ink = printed(surface, np.ones((px, px), np.float32), ink, 0.85), edition.body
    slip = rng.normal(0, edition.misprint * 1.5, 2)
    mask = stamp(px, drawing, (0.5 + float(slip[0]), 0.5 + float(slip[1]), art.glyph_scale))
    mask = np.maximum(mask, _tick(art.tick, px))
    if art.rim:
        mask = np.maximum(mask, _ring(px, 0.46, art.rim))
    return _inked(edition, surface, mask, ink, rng)


def _ring(px: int, radius: float, width: float) -> Grey:
    y, x = np.mgrid[0:px, 0:px].astype(np.float32) + 0.5 - px / 2
    away = np.abs(np.hypot(x, y) - radius * px)
    return np.asarray(np.clip(width * px / 2 - away + 0.5, 0, 1), np.float32)


def _tick(kind: str, px: int) -> Grey:
    """Mask of the short mark at the upper edge that shows a coin's direction."""
    sheet = np.zeros((px, px), np.uint8)
    middle = px // 2
    if kind == "line":
        cv2.line(sheet, (middle, 0), (middle, round(px * 0.13)), 255, max(1, round(px * 0.045)), cv2.LINE_AA)
    elif kind == "dot":
        cv2.circle(sheet, (middle, round(px * 0.1)), max(1, round(px * 0.05)), 255, -1, cv2.LINE_AA)
    elif kind == "notch":
        cv2.circle(sheet, (middle, 0), max(1, round(px * 0.09)), 255, -1, cv2.LINE_AA)
    return np.asarray(sheet / np.float32(255), np.float32)


def die_face(sheets: Sheets, suit: str, value: str, px: int, rng: Random) -> Painted:
    edition = sheets.edition
    if (photo := photo_of_side(edition, ("die", None, suit, value), px, rng)) is not None:
        return photo
    drawing = edition.die_values[value]
    if drawing is None and value == "ace":
        drawing = edition.suit_marks[suit]
    if edition.die_art is not None:
        return _custom_die_face(edition.die_art, suit, drawing, px, rng)
    ink = edition.ink(suit)
    if edition.dice_coloured:
        surface = SURFACES["plastic"](rng, px, px, edition.pawn_colours[suit])
        ink = (240.0, 245.0, 245.0) if sum(edition.pawn_colours[suit]) < 430 else (20.0, 20.0, 20.0)
    else:
        surface = cutout(rng, sheets.front, px, px)
    if drawing is None:
        return Painted(surface)
    return _inked(edition, surface, stamp(px, drawing, (0.5, 0.5, DIE_GLYPH)), ink, rng)


def _custom_die_face(look: DieArt, suit: str, drawing: Mask | None, px: int, rng: Random) -> Painted:
    ink = look.inks[suit]
    surface = SURFACES[look.material](rng, px, px, look.bodies[suit])
    if look.label is not None:
        paper = np.zeros((px, px), np.float32)
        edge = round(px * 0.1)
        paper[edge : px - edge, edge : px - edge] = 1
        surface = printed(surface, paper, look.label, 1.0)
    mask = np.zeros((px, px), np.float32) if drawing is None else stamp(px, drawing, (0.5, 0.5, look.glyph_scale))
    if look.frame:
        mask = np.maximum(mask, frame(px, 0.08, look.frame))
    if look.burnt:
        mask = np.maximum(mask, cv2.GaussianBlur(mask, (0, 0), max(px * 0.04, 0.6)) * 0.7)
    relief = mask * look.engraved if look.engraved else None
    return Painted(printed(surface, mask, ink, look.ink_strength), relief)


def pawn_side(edition: PaintedSet, suit: str, px: int, rng: Random) -> Painted:
    """The side of a pawn from its top (first row) to its foot, `px` pixels high."""
    look, colour = edition.pawn_art, edition.pawn_colours[suit]
    if not (look.bands or look.grain or look.layers or look.mark):
        return solid(colour)
    wide = max(8, round(px * edition.sizes.pawn / edition.sizes.pawn_high)) if look.grain or look.mark else 8
    height = 1 - (np.arange(px) + 0.5) / px
    coloured = np.array([any(low <= h < high for low, high in look.bands) or not look.bands for h in height])
    sheet = np.where(coloured[:, None, None], np.array(colour), np.array(look.natural)) * np.ones((px, wide, 1))
    if look.grain:
        grain = wood(rng, wide, px, (128.0, 128.0, 128.0), look.grain, rng.uniform(2, 6)).transpose(1, 0, 2) / 128.0
        sheet = np.where(coloured[:, None, None] & (not look.stained), sheet, sheet * grain)
    if look.layers:
        layers = min(look.layers, px / 2.5)
        sheet *= 1 + 0.09 * np.sin(height * layers * 2 * np.pi)[:, None, None]
    picture = np.asarray(np.clip(sheet, 0, 255), np.uint8)
    if look.mark:
        picture = _marked(picture, edition.suit_marks[suit], look.mark)
    return Painted(picture)


def _marked(picture: Picture, mark: Mask, size: float) -> Picture:
    """The side of a flat figure with the suit's mark in its middle, in a contrasting ink."""
    high, wide = picture.shape[:2]
    side = max(4, min(round(size * wide), high // 2))
    top, left = round(high * 0.45) - side // 2, (wide - side) // 2
    spot = picture[top : top + side, left : left + side]
    ink = (240.0, 244.0, 244.0) if float(spot.mean()) < 120 else (25.0, 25.0, 25.0)
    picture[top : top + side, left : left + side] = printed(spot, stamp(side, mark, (0.5, 0.5, 1.0)), ink, 0.95)
    return picture


_PYRAMID_PX = 64
_PYRAMID_PIPS = {"small": 1, "medium": 2, "large": 3}
_PYRAMID_COLOURS = {
    "white": (235.0, 238.0, 238.0), "yellow": (40.0, 205.0, 240.0), "orange": (30.0, 120.0, 235.0),
    "purple": (150.0, 50.0, 110.0), "cyan": (205.0, 190.0, 60.0), "pink": (170.0, 120.0, 235.0),
    "black": (30.0, 28.0, 28.0), "red": (45.0, 40.0, 190.0), "green": (50.0, 120.0, 35.0), "blue": (170.0, 70.0, 30.0),
}  # fmt: skip


def pyramid_sides(body: Body, edition: PaintedSet) -> dict[int, Painted]:
    """Textures of a pyramid's faces, with the triangle on the lower edge: pips on Looney pyramids, suit mark and
    ticks on those of a piecepack."""
    own = edition.pyramid_colours or edition.pawn_colours
    colour = np.array(_PYRAMID_COLOURS.get(body.value or "") or own[body.suit or "suns"])
    size = body.size or "small"
    blank = np.full((_PYRAMID_PX, _PYRAMID_PX, 3), colour, np.float32).astype(np.uint8)
    ink = np.array((235.0, 240.0, 240.0) if float(colour.sum()) < 480 else (30.0, 30.0, 30.0))
    hollow = np.full((4, 4, 3), colour * 0.45, np.float32).astype(np.uint8)
    slots = {mesh.BOTTOM: Painted(hollow)}
    if size in _PYRAMID_PIPS:
        faces = [_pipped(blank, _PYRAMID_PIPS[size] if edition.pyramid_pips else 0, ink)] * 4
    else:
        faces = [_suit_face(blank, body, edition, ink), *(_ticked(blank, turn, ink) for turn in range(1, 4))]
    for index, face in enumerate(faces):
        shown = _with_bright_edges(face) if edition.pyramid_clear else face
        slots[shapes.FIRST_FACE + index] = Painted(shown)
    return slots


def _pipped(blank: Picture, count: int, ink: NDArray[np.float64]) -> Picture:
    face = blank.copy()
    for pip in range(count):
        x = _PYRAMID_PX / 2 + (pip - (count - 1) / 2) * 15
        cv2.circle(face, (round(x), 56), 4, ink.tolist(), -1, cv2.LINE_AA)
    return face


def _suit_face(blank: Picture, body: Body, edition: PaintedSet, ink: NDArray[np.float64]) -> Picture:
    if body.suit is None:
        return blank
    cover = stamp(_PYRAMID_PX, edition.suit_marks[body.suit], (0.5, 0.72, 0.42))[:, :, None]
    return np.asarray(blank * (1 - cover) + ink * cover, np.uint8)


def _ticked(blank: Picture, turn: int, ink: NDArray[np.float64]) -> Picture:
    """A face with ticks along the base: one for each quarter turn from the face with the suit."""
    face = blank.copy()
    for tick in range(turn):
        x = round(_PYRAMID_PX / 2 + (tick - (turn - 1) / 2) * 9)
        cv2.line(face, (x, 48), (x, 58), ink.tolist(), 3, cv2.LINE_AA)
    return face


def _with_bright_edges(face: Picture) -> Picture:
    """The face as clear plastic: bright edges with a darker rim inside."""
    last = _PYRAMID_PX - 1
    corners = np.array([[0, last], [last, last], [last // 2, 0]], np.int32)
    deep = np.asarray(face * np.float32(0.72), np.uint8)
    rim = np.zeros((_PYRAMID_PX, _PYRAMID_PX), np.uint8)
    cv2.polylines(rim, [corners], True, 255, 9, cv2.LINE_AA)
    inner = cv2.GaussianBlur(rim, (0, 0), 3.0)[:, :, None] / np.float32(255)
    shaded = face * (1 - inner) + deep * inner
    glint = np.zeros((_PYRAMID_PX, _PYRAMID_PX), np.uint8)
    cv2.polylines(glint, [corners], True, 255, 2, cv2.LINE_AA)
    share = glint[:, :, None] / np.float32(255) * np.float32(0.85)
    return np.asarray(shaded * (1 - share) + 255.0 * share, np.uint8)
