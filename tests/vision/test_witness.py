"""What a picture says of a change: rendered tables, compared."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from models.render.camera import Viewpoint
from models.render.layout_scene import render_layout
from rules.games import game
from rules.pieces import Face, Kind, Piece, Rank, Suit
from rules.referee.register import Registration
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable, Sighting
from vision.frame import Frame, Picture
from vision.plane import Plane
from vision.stillness import MAX_FRAMES
from vision.witness.change import SmallPicture, change
from vision.witness.perspective import ProjectiveCamera
from vision.witness.solids import thickness
from vision.witness.tuning import WITNESS
from vision.witness.witness import ComparedFrames, FrameEvidence, ReferenceFrame, correspondences

DODGEM = game("dodgem")
START = DODGEM.start()
BEFORE = DODGEM.layout(START)
MOVED = DODGEM.layout(DODGEM.advance(START, DODGEM.read(START, "a1-b1")))
BOARD = Registration()


@cache
def shot(moved: bool) -> tuple[Picture, Plane]:
    drawn = render_layout(MOVED if moved else BEFORE, "classic", 3, Viewpoint(960, 540, tilt_deg=25.0))
    homography = np.array(drawn.truth["table_homography"])
    return drawn.image, Plane(homography / homography[2, 2], 0.0)


def witness(moved: bool, lit: float = 1.0, noise: float = 0.0) -> FrameEvidence:
    image, plane = shot(moved)
    grain = np.random.default_rng(5).normal(0, noise, image.shape) if noise else 0.0
    return FrameEvidence(Frame(np.clip(image * lit + grain, 0, 255).astype(np.uint8)), plane)


def told(after: FrameEvidence) -> ComparedFrames:
    """What it says against the opening."""
    kept = witness(moved=False).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    testimony = after.compared(kept, ObservedTable(()))
    assert testimony is not None
    return testimony


def coins(layout: Layout) -> list[Placed]:
    return [placed for placed in layout.board if placed.piece.kind is Kind.COIN]


def spots(layout: Layout) -> dict[tuple[float, float], Placed]:
    return {(placed.x, placed.y): placed for placed in coins(layout)}


def test_a_move_is_two_places_that_changed_and_all_others_that_did_not() -> None:
    said = told(witness(moved=True))
    before, after = spots(BEFORE), spots(MOVED)
    for at, placed in {**before, **after}.items():
        chance = said.changed(placed)
        assert chance is not None
        assert (chance > 0.8) == (at not in before or at not in after), (placed.place, chance)


def test_a_pile_from_which_was_drawn_is_one_place_and_not_a_moved_board() -> None:
    gone = next(placed for at, placed in spots(BEFORE).items() if at not in spots(MOVED))
    pile = tuple(replace(gone, key=f"pile{level}", level=level) for level in range(1, 40))
    piled = replace(BEFORE, pieces=(*BEFORE.pieces, *pile))
    kept = witness(moved=False).remember(piled, BOARD, ObservedTable(()), None)
    assert kept is not None
    assert witness(moved=True).compared(kept, ObservedTable(())) is not None


def test_a_picture_is_let_go_with_its_evidence() -> None:
    """At once: the garbage collector comes seldom in a large server, and a picture has megabytes."""
    kept = witness(moved=False).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    asked = FrameEvidence(Frame(shot(True)[0].copy()), shot(True)[1])
    picture = weakref.ref(asked._frame.image)
    table = ObservedTable(())
    gc.disable()
    try:
        assert asked.compared(kept, table) is not None
        assert asked.remember(MOVED, BOARD, table, kept) is not None
        del asked, table
        assert picture() is None
    finally:
        gc.enable()


def test_every_trace_is_left_by_the_piece_that_moved() -> None:
    said = told(witness(moved=True))
    before, after = spots(BEFORE), spots(MOVED)
    moved = [*(p for at, p in before.items() if at not in after), *(p for at, p in after.items() if at not in before)]
    assert said.regions
    for index, _ in enumerate(said.regions):
        assert sum(said.region_shares(placed).get(index, 0.0) for placed in moved) > 0.7
    stayed = next(placed for at, placed in before.items() if at in after)
    assert all(share < 0.1 for share in said.region_shares(stayed).values())


@pytest.mark.parametrize(("lit", "noise"), [(1.0, 3.0), (0.75, 0.0), (0.8, 2.0)])
def test_light_and_noise_move_no_piece(lit: float, noise: float) -> None:
    said = told(witness(moved=False, lit=lit, noise=noise))
    assert not said.regions
    assert all((said.changed(placed) or 0.0) < 0.3 for placed in coins(BEFORE))


def test_a_shadow_is_no_piece() -> None:
    image, plane = shot(False)
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    distance = np.abs(columns - 0.5 * image.shape[1] + 0.3 * rows) / 120
    shade = 1 - 0.45 * np.exp(-(distance**2))
    shaded = (image * shade[:, :, None]).astype(np.uint8)
    said = told(FrameEvidence(Frame(shaded), plane))
    assert all((said.changed(placed) or 0.0) < 0.5 for placed in coins(BEFORE))
    assert sum(trace.size for trace in said.regions) < 0.5


def test_the_faint_end_of_a_shadow_is_darker_ground() -> None:
    """A tenth less light is a shadow's too, and the ground is not of another colour."""
    ground = np.random.default_rng(1).integers(100, 110, (450, 800, 3)).astype(np.uint8)
    shaded = ground.copy()
    shaded[200:230, 390:430] = (shaded[200:230, 390:430] * 0.9).astype(np.uint8)
    found = change(SmallPicture(ground, 1.0), SmallPicture(shaded, 1.0))
    assert (found.shade[205:225, 395:425] == -1).mean() > 0.9


def drawn_on_brown(third: str, noise: float, seed: int) -> SmallPicture:
    """Thin green drawings on brown ground, of hardly another brightness; the third of them is told."""
    image = np.full((450, 800, 3), (46, 66, 84), np.uint8)
    for number, text in enumerate(["A", "2", third, "4", "5", "A", "2", "4"]):
        at = (80 + 80 * number, 200 + 20 * (number % 3))
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_PLAIN, 1.0, (36, 92, 50), 1, cv2.LINE_AA)
    grain = np.random.default_rng(seed).normal(0, noise, image.shape)
    return SmallPicture(np.clip(image + grain, 0, 255).astype(np.uint8), 1.0)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_a_thin_drawing_in_another_colour_is_seen_to_change(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    before, same, after = (drawn_on_brown(text, noise, seed) for seed, text in enumerate(["3", "3", "m"]))
    found = change(before, after).changed
    assert found[190:235, 230:270].mean() > 0.05
    found[180:245, 220:280] = False
    assert not found.any()
    assert not change(before, same).changed.any()
    monkeypatch.setattr("vision.witness.change.LIMITS", replace(WITNESS.change, colour_residual=np.inf))
    assert not change(before, after).changed.any(), "else this test shows nothing"


def black_on_black(laid: bool, noise: float, seed: int) -> SmallPicture:
    """Streaked dark wood, perhaps with a coin of it on it: of that only the rim towards the lamp is lighter."""
    rows, _ = np.mgrid[:450, :800]
    image = np.repeat((48 + 2 * np.sin(rows / 5))[:, :, None], 3, axis=2)
    if laid:
        rim = np.zeros(image.shape[:2], np.uint8)
        cv2.ellipse(rim, (400, 225), (11, 9), 0, 20, 110, 255, 2, cv2.LINE_AA)
        image += 22 * (rim[:, :, None] / 255)
    grain = np.random.default_rng(seed).normal(0, noise, image.shape)
    return SmallPicture(np.clip(image + grain, 0, 255).astype(np.uint8), 1.0)


def test_the_lit_rim_of_a_black_coin_on_black_is_seen_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    before, same, after = (black_on_black(laid, 1.5, seed) for seed, laid in enumerate([False, False, True]))
    found = change(before, after).changed
    assert found[210:245, 385:420].mean() > 0.05
    found[205:250, 380:425] = False
    assert not found.any()
    assert not change(before, same).changed.any()
    monkeypatch.setattr("vision.witness.change.LIMITS", replace(WITNESS.change, max_weak_size_px=0))
    assert not change(before, after).changed.any(), "else this test shows nothing"


def pale_on_pale(laid: bool, seed: int) -> SmallPicture:
    """A coin nearly as pale as the tile beneath it, under a weak lamp: a soft rim and a soft sign."""
    image = np.full((450, 800, 3), (95, 111, 122), np.float32)
    if laid:
        cv2.circle(image, (400, 225), 13, (79, 98, 106), 3, cv2.LINE_AA)
        cv2.circle(image, (400, 225), 4, (74, 94, 101), -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(image, (0, 0), 2.0) + np.random.default_rng(seed).normal(0, 0.6, image.shape)
    return SmallPicture(np.clip(soft, 0, 255).astype(np.uint8), 1.0)


def test_a_pale_coin_on_a_pale_tile_is_no_trace_and_its_place_looks_otherwise_all_the_same() -> None:
    bare, same, laid = (pale_on_pale(there, seed) for seed, there in enumerate([False, False, True]))
    found, coin = change(bare, laid), np.s_[212:239, 387:414]
    assert not found.changed.any()
    assert found.differing[coin].mean() > WITNESS.evidence.reread_share[Kind.COIN]
    assert not change(bare, same).differing.any()


def engraved(laid: bool, noise: float, seed: int) -> SmallPicture:
    """A black coin on a black tile: a faint ring and a faint sign."""
    lines = np.zeros((450, 800), np.uint8)
    if laid:
        cv2.circle(lines, (400, 225), 18, 255, 2, cv2.LINE_AA)
        cv2.circle(lines, (400, 225), 7, 255, -1, cv2.LINE_AA)
    image = np.repeat(30 + 20 * (lines[:, :, None] / 255), 3, axis=2)
    image += np.random.default_rng(seed).normal(0, noise, image.shape)
    return SmallPicture(np.clip(image, 0, 255).astype(np.uint8), 1.0)


@pytest.mark.parametrize(("noise", "seen"), [(6.0, False), (6.0 / MAX_FRAMES**0.5, True)])
def test_what_one_frame_does_not_show_many_together_do(noise: float, seen: bool) -> None:
    before, after = (engraved(laid, noise, seed) for seed, laid in enumerate([False, True]))
    assert change(before, after).changed[205:246, 380:421].any() == seen


def test_a_drawing_shaken_by_half_a_pixel_is_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.full((450, 800, 3), (120, 150, 180), np.uint8)
    cv2.circle(drawn, (400, 225), 9, (20, 20, 20), 1, cv2.LINE_AA)
    shift = np.array([[1, 0, 0.5], [0, 1, 0.5]], np.float32)
    shaken = np.asarray(cv2.warpAffine(drawn, shift, (800, 450), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert not change(SmallPicture(drawn, 1.0), SmallPicture(shaken, 1.0)).changed.any()
    monkeypatch.setattr("vision.witness.change.LIMITS", replace(WITNESS.change, shift_px=0.0))
    assert change(SmallPicture(drawn, 1.0), SmallPicture(shaken, 1.0)).changed.any(), "else this test shows nothing"


def test_an_even_cloth_beside_a_busy_one_is_compared_as_any() -> None:
    before = np.full((450, 800, 3), (120, 130, 140), np.uint8)
    before[:, :300] = np.random.default_rng(0).integers(0, 256, (450, 300, 3))
    after = before.copy()
    for middle in ((310, 100), (500, 200)):
        cv2.circle(after, middle, 14, (20, 20, 200), -1)
    found = change(SmallPicture(before, 1.0), SmallPicture(after, 1.0)).changed
    assert found[190:210, 490:510].all()
    assert not found[300:].any()


def test_a_picture_that_differs_all_over_is_compared_in_little_memory() -> None:
    """A lamp that goes off, a camera that was bumped: three colours at once took 70 MB."""
    coarse = (np.random.default_rng(seed).integers(60, 200, (30, 53, 3), np.uint8) for seed in range(2))
    before, after = (np.asarray(cv2.resize(image, (800, 450)), np.uint8) for image in coarse)
    tracemalloc.start()
    try:
        assert change(SmallPicture(before, 1.0), SmallPicture(after, 1.0)).changed_share > 0.5
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40_000_000


def test_what_cannot_be_read_is_not_told() -> None:
    image, plane = shot(True)
    burnt = image.copy()
    burnt[:, : image.shape[1] // 2] = 255
    kept = FrameEvidence(Frame(burnt), plane).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    said = FrameEvidence(Frame(burnt), plane).compared(kept, ObservedTable(()))
    assert said is not None
    left = [p for p in coins(BEFORE) if plane.to_picture(np.array([[p.x, p.y]]))[0, 0] < image.shape[1] / 2 - 40]
    assert left
    assert all(said.changed(placed) is None for placed in left)


def test_a_picture_from_elsewhere_is_not_compared() -> None:
    kept = witness(moved=False).remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    other = np.ascontiguousarray(np.roll(shot(False)[0], (70, 110), axis=(0, 1)))
    assert FrameEvidence(Frame(other), None).compared(kept, ObservedTable(())) is None
    assert FrameEvidence(Frame(other[:270, :480]), None).compared(kept, ObservedTable(())) is None


def test_what_was_seen_of_an_unchanged_place_stands() -> None:
    """Eyes that overlook a coin today are reminded of it, and one that they make up is not taken over."""
    first, second = witness(moved=False), witness(moved=True)
    seen = [sighted(placed) for placed in coins(BEFORE)]
    kept = first.remember(BEFORE, BOARD, ObservedTable(tuple(seen)), None)
    assert kept is not None
    after = spots(MOVED)
    gone = next(s for s in seen if (s.x, s.y) not in after)
    stayed = [s for s in seen if s is not gone]
    bare = sighted(replace(coins(BEFORE)[0], x=5.0, y=5.0))
    said = second.compared(kept, ObservedTable((*stayed[1:], bare)))
    assert said is not None
    found = {(round(s.x), round(s.y)) for s in said.table.sightings}
    assert found == {(round(s.x), round(s.y)) for s in stayed}
    assert len(said.detected.sightings) == len(stayed), "the eyes by themselves are still to be heard"


def test_a_tile_that_is_outlined_anew_where_half_of_it_changed_is_one_tile() -> None:
    """Before, its outline lay on ground that stayed; now, a little beside, it reaches where a coin was taken away."""
    plane = shot(False)[1]
    (came,) = (p for at, p in spots(MOVED).items() if at not in spots(BEFORE))

    def tile(beside: float) -> Sighting:
        corners = np.array([came.x + 1.42 + beside, came.y]) + np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
        pixels = plane.to_picture(corners)
        center = pixels.mean(axis=0)
        outline = tuple((float(x), float(y)) for x, y in pixels)
        return Sighting(
            Kind.TILE, 0.0, 0.0, Face.BACK, center_px=(float(center[0]), float(center[1])), outline_px=outline
        )

    kept = witness(moved=False).remember(BEFORE, BOARD, ObservedTable((tile(0.1),)), None)
    assert kept is not None
    said = witness(moved=True).compared(kept, ObservedTable((tile(-0.5),)))
    assert said is not None
    assert [one.kind for one in said.table.sightings] == [Kind.TILE]
    turned = witness(moved=True).compared(kept, ObservedTable((replace(tile(-0.5), face=Face.FRONT),)))
    assert turned is not None
    assert len(turned.table.sightings) == 2, "another side is another thing"


@cache
def from_the_side(moved: bool) -> tuple[Picture, Plane]:
    """A board of four tiles, from so low that what lies higher shows a good way beside itself."""
    rules = game("jul_gonu")
    state = rules.advance(rules.start(), rules.read(rules.start(), "b1-b2")) if moved else rules.start()
    drawn = render_layout(rules.layout(state), "classic", 3, Viewpoint(960, 540, tilt_deg=74.0))
    homography = np.array(drawn.truth["table_homography"])
    return drawn.image, Plane(homography / homography[2, 2], 0.0)


def test_a_plane_that_the_tiles_tell_of_is_that_of_their_upper_sides() -> None:
    """Taken for the table it would show every coin of a small board a good way beside itself."""
    layout = game("jul_gonu").layout(game("jul_gonu").start())
    image, table = from_the_side(False)
    truly = ProjectiveCamera.of(table, BOARD, (960, 540))
    high = thickness(next(p for p in layout.board if p.piece.kind is Kind.TILE))
    corners = np.array([(x, y) for x in (0.0, 4.0) for y in (0.0, 4.0)])
    above = truly.project(np.column_stack([corners, np.full(4, high)])).astype(np.float32)
    lifted = Plane(cv2.getPerspectiveTransform(corners.astype(np.float32), above).astype(np.float64), 0.0)
    stack = [(placed, 0.0 if placed.piece.kind is Kind.TILE else high) for placed in layout.board]
    points = np.array([[p.x, p.y, height + thickness(p)] for p, height in stack])
    spots_px = zip((placed for placed, _ in stack), truly.project(points), strict=True)
    shown = tuple(
        Sighting(p.piece.kind, p.x, p.y, p.face, center_px=(float(x), float(y)), identities={(p.shown.suit, None): 1.0})
        for p, (x, y) in spots_px
    )
    for plane in (table, lifted):
        kept = FrameEvidence(Frame(image), plane).remember(layout, BOARD, ObservedTable(shown), None)
        assert isinstance(kept, ReferenceFrame)
        off = np.linalg.norm(kept.camera.project(points) - truly.project(points), axis=1)
        assert off.max() < 3.0


def test_a_coin_is_asked_for_at_the_height_of_its_tile() -> None:
    """From the side a coin on a tile shows elsewhere than one on the table: what came to the next place is not here."""
    rules = game("jul_gonu")
    before = rules.layout(rules.start())
    image, plane = from_the_side(False)
    kept = FrameEvidence(Frame(image), plane).remember(before, BOARD, ObservedTable(()), None)
    assert kept is not None
    said = FrameEvidence(Frame(from_the_side(True)[0]), plane).compared(kept, ObservedTable(()))
    assert said is not None
    after = {
        (p.x, p.y): p for p in coins(rules.layout(rules.advance(rules.start(), rules.read(rules.start(), "b1-b2"))))
    }
    (came,) = (p for at, p in after.items() if at not in {(q.x, q.y) for q in coins(before)})
    assert (said.changed(came) or 0.0) > 0.8
    assert (said.changed(replace(came, y=came.y + 1)) or 0.0) < 0.3


def sighted(placed: Placed) -> Sighting:
    plane = shot(False)[1]
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.array([placed.x, placed.y]) + 0.37 * np.column_stack([np.cos(turn), np.sin(turn)])
    center = plane.to_picture(np.array([[placed.x, placed.y]]))[0]
    return Sighting(
        Kind.COIN,
        placed.x,
        placed.y,
        placed.face,
        center_px=(float(center[0]), float(center[1])),
        outline_px=tuple((float(x), float(y)) for x, y in plane.to_picture(ring)),
    )


def test_only_a_small_part_changed() -> None:
    one, two = SmallPicture.of(shot(False)[0]), SmallPicture.of(shot(True)[0])
    found = change(one, two)
    assert 0 < found.changed_share < 0.05


def test_a_tile_in_its_place_guides_the_camera_whatever_it_is_read_as() -> None:
    """A coin read as another one may be another one: they lie nearer together."""
    view = ProjectiveCamera.of(shot(False)[1], BOARD, (960, 540))
    sun = Piece(Kind.TILE, Suit.SUNS, Rank.FOUR)
    pieces = [
        Placed(sun, "tile", 1.0, 1.0, face=Face.FRONT),
        Placed(replace(sun, kind=Kind.COIN), "coin", 4.0, 4.0, face=Face.FRONT),
    ]
    stack = [(placed, 0.0) for placed in pieces]
    spots = view.project(np.array([[p.x, p.y, thickness(p)] for p in pieces]))
    for rank, guides in ((Rank.FOUR, 2), (Rank.TWO, 1)):
        seen = [
            Sighting(p.piece.kind, p.x, p.y, p.face, center_px=(float(x), float(y)), identities={(None, rank): 1.0})
            for p, (x, y) in zip(pieces, spots, strict=True)
        ]
        assert len(correspondences(stack, view, ObservedTable(tuple(seen)), 1.0)[0]) == guides
