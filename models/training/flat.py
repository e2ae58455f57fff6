"""Flat drawn faces of random editions: a thousand times cheaper than a rendered scene, so the reader learns from
thousands of editions and not only from the hundreds that can be rendered. Rendered pieces supply the rest."""

import pickle
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from models.render.art import Painted, Sheets, coin_side, die_face, tile_back, tile_front
from models.render.glyphs import polar
from models.render.random_sets import wild_edition
from models.training.reader_data import STORE, UNIT, Stored, inner_quad
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import CROP, MARGIN, SUITS, VALUES

UP = np.array([0.0, -1.0])


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One printed side with its labels."""

    painted: Painted
    kind: str
    label: str
    suit: str | None = None
    value: str | None = None


def editions(count: int, seed: int, grounds: list[Picture]) -> list[Stored]:
    """Samples of `count` new editions on patches of `grounds`; every face occurs twice, each time with other
    neighbours."""
    rng = np.random.default_rng(seed)
    out: list[Stored] = []
    for _ in range(count):
        name = int(rng.integers(1 << 40))
        sheets = Sheets(wild_edition(name), int(rng.integers(1 << 30)))
        faces = [face for _ in range(2) for face in random_faces(sheets, rng)]
        out += [composed(face, faces, grounds, rng, name) for face in faces for _ in range(2)]
    return out


def grow(folder: Path, first: int, count: int, grounds: list[Picture]) -> None:
    """Write a folder of editions in advance: to draw one takes as long as a training step."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        path = folder / f"{seed:07d}.pickle"
        if not path.exists():
            draft = path.with_suffix(".part")
            draft.write_bytes(pickle.dumps(editions(1, seed, grounds)))
            draft.rename(path)


def drawn(folder: Path, count: int, seed: int) -> list[Stored]:
    """Samples of `count` random editions of the folder."""
    paths = sorted(folder.glob("*.pickle"))
    picks = np.random.default_rng(seed).permutation(len(paths))[:count]
    return [item for index in picks for item in pickle.loads(paths[index].read_bytes())]


def random_faces(sheets: Sheets, rng: Generator) -> list[PrintedSide]:
    """Four tile fronts, a back, two coins each side up, two dice."""
    px = int(rng.integers(80, 180))
    suits, values = rng.permutation(SUITS), rng.permutation(VALUES)
    tiles = [tile(sheets, str(s), str(v), px, rng) for s, v in zip(suits, values, strict=False)]
    back = PrintedSide(tile_back(sheets, px, rng), "tile", "tile back")
    coins = [coin(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), side, px, rng)
             for side in ("front", "back", "front", "back")]  # fmt: skip
    dice = [die(sheets, str(rng.choice(SUITS)), str(rng.choice(VALUES)), px, rng) for _ in range(2)]
    return [*tiles, back, *coins, *dice]


def tile(sheets: Sheets, suit: str, value: str, px: int, rng: Generator) -> PrintedSide:
    return PrintedSide(tile_front(sheets, suit, value, px, rng), "tile", "tile front", suit, value)


def coin(sheets: Sheets, suit: str, value: str, side: str, px: int, rng: Generator) -> PrintedSide:
    painted = coin_side(sheets, suit, value, side, px, rng)
    labels = {"suit": suit} if side == "back" else {"value": value}
    return PrintedSide(painted, "coin", f"coin {side}", **labels)


def die(sheets: Sheets, suit: str, value: str, px: int, rng: Generator) -> PrintedSide:
    label = suit if sheets.edition.dice_show_suit else None
    return PrintedSide(die_face(sheets, suit, value, px, rng), "die", "die", label, value)


def with_relief(painted: Painted, rng: Generator) -> Picture:
    """The face with its relief shaded from one side."""
    image = painted.colours
    if painted.relief is None:
        return image
    turn = rng.uniform(0, 2 * np.pi)
    down, across = np.gradient(cv2.GaussianBlur(painted.relief, (0, 0), 1.0))
    slope = across * np.cos(turn) + down * np.sin(turn)
    shaded = image * (1 + rng.uniform(0.3, 1.6) * slope)[..., None]
    return np.asarray(np.clip(shaded, 0, 255), dtype=np.uint8)


def composed(
    face: PrintedSide, others: list[PrintedSide], grounds: list[Picture], rng: Generator, edition: int
) -> Stored:
    """A sample: the face on a table or among other pieces, with its side wall, its shadow and perhaps an occluder."""
    canvas = ground_patch(grounds, rng)
    quad = inner_quad(STORE, face.kind)
    if face.kind == "tile" and rng.random() < 0.6:
        add_neighbours(canvas, quad, others, rng)
    if face.kind != "tile" and rng.random() < 0.5:
        paste(canvas, with_relief(random_face(others, "tile", rng).painted, rng), quad_beneath(rng), square=True)
    lean = rng.normal(0, 1, 2) / 2
    thick = {"tile": 0.06, "coin": 0.12, "die": 0.45}[face.kind] * rng.random() * 2
    add_side(canvas, quad, face, lean * thick * CROP / MARGIN[face.kind], random_face(others, face.kind, rng), rng)
    paste(canvas, with_relief(face.painted, rng), quad, square=face.kind != "coin")
    covered = add_occluder(canvas, rng) if rng.random() < 0.3 else np.zeros((STORE, STORE), bool)
    suit, value = visible_labels(face, quad, covered)
    up = UP if face.kind == "coin" else None
    return Stored(canvas, face.kind, face.label, suit, value, None, None, up, None, edition)


def ground_patch(grounds: list[Picture], rng: Generator) -> Picture:
    image = grounds[rng.integers(len(grounds))]
    size = min(int(rng.integers(24, 200)), *image.shape[:2])
    top, left = (int(rng.integers(0, extent - size + 1)) for extent in image.shape[:2])
    patch = image[top : top + size, left : left + size]
    return np.asarray(cv2.resize(patch, (STORE, STORE), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def random_face(others: list[PrintedSide], kind: str, rng: Generator) -> PrintedSide:
    same = [face for face in others if face.kind == kind]
    return same[rng.integers(len(same))]


def quad_beneath(rng: Generator) -> Floats:
    """Quad of a tile under a small piece: much bigger, anywhere."""
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    out: Floats = STORE / 2 + STORE * (rng.normal(0, 0.26, 2) + UNIT @ spin * rng.uniform(0.57, 0.94))
    return out


def add_neighbours(canvas: Picture, quad: Floats, others: list[PrintedSide], rng: Generator) -> None:
    side_px = float(quad[1, 0] - quad[0, 0])
    gap = side_px * (1 + abs(rng.normal(0, 0.03)))
    for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if rng.random() < 0.6:
            slide = rng.choice([0.0, 0.5, -0.5]) * side_px
            shift = np.array(step) * gap + np.array(step[::-1]) * slide
            paste(canvas, with_relief(random_face(others, "tile", rng).painted, rng), quad + shift, square=True)


def paste(canvas: Picture, face: Picture, quad: Floats, square: bool) -> None:
    """Warp the face into `quad` of the canvas, with a soft edge."""
    px = face.shape[0]
    source = px / 2 + UNIT * px / 2
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), quad.astype(np.float32))
    mask = np.full((px, px), 255, np.uint8)
    if not square:
        mask[:] = 0
        cv2.circle(mask, (px // 2, px // 2), px // 2, 255, -1)
    warped = cv2.warpPerspective(face, matrix, (STORE, STORE), flags=cv2.INTER_AREA)
    soft = cv2.warpPerspective(mask, matrix, (STORE, STORE), flags=cv2.INTER_LINEAR)[..., None] / 255
    canvas[:] = (canvas * (1 - soft) + warped * soft).astype(np.uint8)


def add_side(
    canvas: Picture, quad: Floats, face: PrintedSide, shift: Floats, other: PrintedSide, rng: Generator
) -> None:
    """Draw a shadow, and the piece's wall (for dice: the neighbouring face) on the side away from the camera."""
    outline = quad if face.kind != "coin" else disc_in(quad)
    shade = rng.uniform(0.3, 1.0)
    reach = shift + rng.normal(0, STORE / 32, 2)
    dark = swept_mask(outline, reach)
    soft = cv2.GaussianBlur(dark, (0, 0), STORE * float(rng.uniform(0.005, 0.04)))[..., None] / 255
    canvas[:] = (canvas * (1 - soft * (1 - shade))).astype(np.uint8)
    wall = swept_mask(outline, shift)[..., None] / 255
    tone = np.mean(other.painted.colours, axis=(0, 1)) * rng.uniform(0.35, 1.1)
    canvas[:] = np.clip(canvas * (1 - wall) + tone * wall, 0, 255).astype(np.uint8)
    if face.kind == "die":
        add_die_wall(canvas, quad, shift, other, rng)


def disc_in(quad: Floats) -> Floats:
    radius = float(quad[1, 0] - quad[0, 0]) / 2
    return np.asarray(quad.mean(axis=0) + polar(np.arange(24) * np.pi / 12, radius))


def swept_mask(outline: Floats, shift: Floats) -> Picture:
    """Mask of the outline swept along `shift`."""
    mask = np.zeros((STORE, STORE), np.uint8)
    both = np.concatenate([outline, outline + shift]).astype(np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(both).round().astype(np.int32), 255, cv2.LINE_AA)
    return mask


def add_die_wall(canvas: Picture, quad: Floats, shift: Floats, other: PrintedSide, rng: Generator) -> None:
    for start in range(4):
        a, b = quad[start], quad[(start + 1) % 4]
        outward = np.array([(b - a)[1], -(b - a)[0]])
        if outward @ shift > 0.2 * np.linalg.norm(outward) * np.linalg.norm(shift) + 1e-6:
            face = np.clip(with_relief(other.painted, rng) * rng.uniform(0.4, 1.0), 0, 255).astype(np.uint8)
            wall = np.stack([b, a, a + shift, b + shift])
            paste(canvas, face, wall, square=True)


def add_occluder(canvas: Picture, rng: Generator) -> np.ndarray:
    """Draw an occluder of one colour (a pawn's head, a coin, a finger); returns its mask."""
    mask = np.zeros((STORE, STORE), np.uint8)
    at = tuple(int(value) for value in rng.integers(STORE // 5, STORE - STORE // 5, 2))
    axes = tuple(int(value) for value in rng.integers(STORE // 19, STORE // 6, 2))
    cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    tone = rng.uniform(0, 255, 3) * np.linspace(1.2, 0.7, STORE)[:, None, None]
    soft = mask[..., None] / 255
    canvas[:] = np.clip(canvas * (1 - soft) + tone * soft, 0, 255).astype(np.uint8)
    return np.asarray(mask > 127)


def visible_labels(face: PrintedSide, quad: Floats, covered: np.ndarray) -> tuple[str | None, str | None]:
    """Suit and value, each where most of its mark is not covered."""
    low, high = quad[0], quad[2]
    span = float(high[0] - low[0])
    middle = (quad.mean(axis=0) - 0.22 * span).astype(int)
    centre = covered[middle[1] : middle[1] + int(0.44 * span), middle[0] : middle[0] + int(0.44 * span)].mean()
    at = (low + 0.05 * span).astype(int)
    mark = covered[at[1] : at[1] + int(0.22 * span), at[0] : at[0] + int(0.22 * span)].mean()
    suit_free = (mark if face.kind == "tile" else centre) < 0.4
    return (face.suit if suit_free else None), (face.value if centre < 0.4 else None)
