"""The room's figures: `python -m tests.calibration.figures WHAT [--count N] [--keep FOLDER]` (WHAT: see --help).

`teach` draws pictures (about ten a set) and keeps them in FOLDER, so that new weights can be measured on the same ones.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import lens, plane, sheet
from calibration.check import CalibrationState, check, positions_of, refit
from calibration.custom_set import TaughtSet
from calibration.learned_appearance import identity_of
from calibration.lesson import Lesson, lesson_reader
from calibration.lesson_task import LessonError, NamedPage
from calibration.profile import Profile
from calibration.runtime import CalibrationKeeper
from models.render import Scene, render
from models.render.camera import PinholeCamera
from tests.calibration import pictures
from tests.calibration.knocked import play
from tests.calibration.scenes import INCH, THICK, apart, grid, random_camera, seen_at, sheet_picture, tiles
from tests.calibration.test_check import bumped, table
from vision.detect import shape
from vision.frame import read_frame
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult, TableReader

TILTS = ((0, 15), (15, 45), (45, 60))
STEPS = ("tiles", "coin-values", "coin-suits")
SMALL = ("dice", "dice", "dice", "pawns", "pawns", "pawns", "pyramids")
"""Shown after the others, as often as the lesson asks for them."""
ASKED = {
    "tile front": ("suit", "value"),
    "coin front": ("value",),
    "coin back": ("suit",),
    "die": ("suit",),
    "pawn": ("suit",),
    "pyramid": ("suit",),
}


def tell(what: str, errors: list[float], reported: list[float]) -> None:
    ratios = np.array(errors) / np.array(reported)
    within = float(((ratios > 0.5) & (ratios < 2)).mean())
    print(
        f"{what:48} median {np.median(errors):5.2f} mm, p95 {np.percentile(errors, 95):5.2f} mm;"
        f" true/reported {np.median(ratios):4.2f}, within a factor 2 {within:4.0%}, below 2 {(ratios < 2).mean():4.0%}"
    )


def plane_figures(count: int) -> None:
    for noise, number, wild, bent, raised in (
        (0.7, 16, 0, True, 0),
        (0.7, 16, 0, False, 0),
        (1.0, 16, 0, True, 0),
        (0.7, 16, 2, True, 0),
        (0.7, 16, 0, True, 4),
        (0.7, 6, 0, True, 0),
    ):
        for low, high in TILTS:
            errors, reported = [], []
            for seed in range(count):
                tilt = float(np.random.default_rng([seed, 1]).uniform(low, high))
                seen = tiles(seed, tilt, number, noise, wild, bent, raised=raised)
                fitted = plane.from_tiles(seen.quads, lens.assumed(seen.size))
                usual = slice(wild + raised, None)
                read = np.array([shape.crossing(quad) for quad in seen.quads])[usual]
                errors.append(float(np.median(apart(fitted.to_table(read), seen.places[usual]))))
                reported.append(fitted.accuracy.typical)
            lens_words = "bent" if bent else "straight"
            words = f"{number} tiles, {noise} px, {wild} wild, {raised} raised, {lens_words} lens, {low}-{high} deg"
            tell(words, errors, reported)


def sheet_figures(count: int) -> None:
    """Twice: pieces as usual eyes read them, and the plane alone."""
    for low, high in TILTS:
        errors, told = [], []
        for seed in range(count):
            camera = random_camera(seed, float(np.random.default_rng([seed, 2]).uniform(low, high)))
            try:
                seen = sheet.find(sheet_picture(camera, seed))
            except sheet.SheetError:
                continue
            fitted = plane.from_grid(seen.points, seen.seen, lens.assumed((camera.width, camera.height)))
            errors.append(over_the_table(fitted, camera, seed, 0.5, plane.PAPER_STRETCH))
            told.append((fitted.accuracy.typical, fitted.accuracy.plane))
        tell_both(f"sheet, {len(errors)} of {count} found, {low}-{high} deg", errors, told)


def corner_figures(count: int) -> None:
    """A rectangle measured to half a millimetre, its corners dragged with an error of two pixels."""
    rectangle = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
    for low, high in TILTS:
        errors, told = [], []
        for seed in range(count):
            rng = np.random.default_rng([seed, 4])
            camera = random_camera(seed, float(rng.uniform(low, high)))
            sides = (210, 297) + rng.normal(0, plane.RULER_ERROR_MM, 2)
            seen = seen_at(camera, rectangle * sides / INCH, 0.0) + rng.normal(0, plane.DRAGGED_SIGMA_PX, (4, 2))
            fitted = plane.from_corners(seen, 210, 297, lens.assumed((camera.width, camera.height)))
            errors.append(over_the_table(fitted, camera, seed))
            told.append((fitted.accuracy.typical, fitted.accuracy.plane))
        tell_both(f"corners, {low}-{high} deg", errors, told)


def over_the_table(
    fitted: plane.TablePlane, camera: PinholeCamera, seed: int, half: float = 0.0, stretch: float = 0.0
) -> tuple[float, float]:
    """Middle error all over the table: with pieces read as usual eyes do (0.7 pixels a corner), and read exactly."""
    rng = np.random.default_rng([seed, 9])
    where, pixels = grid(camera)
    where = where * (1 + rng.normal(0, stretch))
    read = pixels + rng.normal(0, 0.35, pixels.shape)
    of_read, exact = (float(np.median(apart(fitted.to_table(each - half, 0.0), where))) for each in (read, pixels))
    return of_read, exact


def tell_both(what: str, errors: list[tuple[float, float]], told: list[tuple[float, float]]) -> None:
    for part, words in enumerate(("pieces", "plane alone")):
        tell(f"{what}: {words}", [each[part] for each in errors], [each[part] for each in told])


def bump_figures(count: int) -> None:
    """Two centimetres and three degrees; tiles' corners off by 0.7 pixels."""
    found, missed, false, left = 0, 0, 0, []
    for seed in range(count):
        camera = random_camera(seed, float(np.random.default_rng([seed, 3]).uniform(0, 50)))
        before = table(seed, camera, 0, 0.7)
        fitted = plane.from_tiles(before.quads, lens.assumed(before.size), height=THICK * INCH)
        resting = positions_of(fitted, before.quads)
        false += check(fitted, table(seed, camera, 1, 0.7).quads, resting).state is CalibrationState.BUMPED
        after = table(seed, bumped(camera, seed), 2, 0.7)
        if len(after.quads) < 3 or check(fitted, after.quads, resting).state is not CalibrationState.BUMPED:
            missed += 1
            continue
        found += 1
        now = positions_of(refit(fitted, after.quads, resting), after.quads)
        left.append(float(np.median(np.linalg.norm(now[:, None] - resting[None], axis=2).min(axis=1))))
    good = float(np.mean(np.array(left) < 2))
    print(
        f"bumps noticed {found} of {count}, false alarms {false}, afterwards off by {np.median(left):.2f} mm (median),"
    )
    print(f"  within 2 mm: {good:.0%}, missed {missed}")


def drawn(scene: Scene, folder: Path, name: str) -> tuple[Path, dict[str, Any]]:
    """The picture and its truth, drawn once."""
    picture, truth = folder / f"{name}.png", folder / f"{name}.json"
    if not truth.exists():
        folder.mkdir(parents=True, exist_ok=True)
        done = render(scene)
        cv2.imwrite(str(picture), done.image)
        truth.write_text(json.dumps(done.truth))
    return picture, json.loads(truth.read_text())


def same(piece: DetectedPiece, true: dict[str, Any]) -> bool:
    away = float(np.linalg.norm(np.array(true["center_px"]) - piece.center))
    return bool(piece.kind == true["kind"] and away < true["size_px"] / 3)


def taught(eyes: TableReader, folder: Path, number: int, counts: Counter[str]) -> TaughtSet | None:
    """The set, with as many taps as a careful person would need (every wrong name put right)."""
    lesson = Lesson(f"set {number}", eyes)
    for place, step in enumerate((*STEPS, *SMALL)):
        scene = pictures.teaching_scene(pictures.unseen_set(number), step.replace("-", " "), number * 10 + place)
        picture, truth = drawn(scene, folder, f"{number}_t_{step}" + (f"_{place}" if step in SMALL else ""))
        try:
            page = shown(lesson, step, picture, counts)
        except LessonError as error:
            counts[f"refused {step}"] += 1
            print(f"  set {number}: {step}: {error}")
            if step in STEPS:
                return None
            continue
        lesson.replace_last(put_right(page, truth, counts))
    return lesson.finish()


def shown(lesson: Lesson, step: str, picture: Path, counts: Counter[str]) -> NamedPage:
    """Refused where pieces are missing; then a person says that it is all right so."""
    try:
        return lesson.show(step, read_frame(picture))
    except LessonError:
        counts[f"incomplete lesson {step}"] += 1
        return lesson.show(step, read_frame(picture), incomplete=True)


def put_right(page: NamedPage, truth: dict[str, Any], counts: Counter[str]) -> NamedPage:
    from dataclasses import replace

    named = []
    for each in page.named:
        true = next((t for t in truth["pieces"] if same(each.piece, t)), None)
        asked = page.step.names[0]
        right = each.name
        if true is not None:
            told = identity_of(true["suit"], true["value"])
            right = (told[0] if asked[0] else None, None if asked[1] is None else told[1])
        counts["lesson pieces"] += 1
        counts["lesson wrong"] += right != each.name
        counts["lesson wrong and doubtful"] += right != each.name and each.doubtful
        named.append(replace(each, name=right))
    return replace(page, named=named)


def pairs(look: FrameResult, truth: dict[str, Any]) -> Iterator[tuple[dict[str, Any], DetectedPiece]]:
    for true in truth["pieces"]:
        if true["visible"] < 0.85 or true["in_frame"] < 0.98:
            continue
        seen = next((p for p in look.pieces if same(p, true) and p.face == true.get("face")), None)
        if seen is not None and side_of(true) in ASKED:
            yield true, seen


def side_of(true: dict[str, Any]) -> str:
    return f"{true['kind']} {true['face']}" if true.get("face") else str(true["kind"])


def teach_figures(count: int, folder: Path) -> None:
    keen, eyes, counts = lesson_reader(), TableReader(), Counter[str]()
    for number in range(count):
        known = taught(keen, folder, number, counts)
        if known is None:
            continue
        counts["sets"] += 1
        table_ = CalibrationKeeper(Profile().with_set(known))
        edition = pictures.unseen_set(number)
        scenes = [(f"e_{place}", pictures.everyday_scene(edition, number * 100 + place)) for place in range(4)]
        scenes += [(f"s_{place}", pictures.small_scene(edition, number * 100 + place)) for place in range(4)]
        for name, scene in scenes:
            picture, truth = drawn(scene, folder, f"{number}_{name}")
            frame = read_frame(picture)
            for when, look in (("before", eyes.look(frame)), ("after", eyes.look(frame, table_))):
                for true, seen in pairs(look, truth):
                    side = side_of(true)
                    counts[f"{when} {side} n"] += 1
                    counts[f"{when} {side} right"] += all(getattr(seen, part) == true[part] for part in ASKED[side])
    report(counts)


def report(counts: Counter[str]) -> None:
    print({name: counts[name] for name in counts if "lesson" in name or "refused" in name or name == "sets"})
    for kind in ASKED:
        shares = [counts[f"{when} {kind} right"] / max(1, counts[f"{when} {kind} n"]) for when in ("before", "after")]
        print(f"{kind:12} {counts[f'after {kind} n']:5} pieces: untaught {shares[0]:.1%}, taught {shares[1]:.1%}")


def game_figures(count: int) -> None:
    """Filmed games of four turns with two knocks and a lamp switched off and on; true eyes with 0.7 pixels of error."""
    games = [play(("dodgem", "jul_gonu")[seed % 2], seed, turns=4) for seed in range(count)]
    knocks = [knock for game in games for knock in game.knocks]
    print(f"{count} games: turns {sum((game.turns for game in games), Counter())},")
    print(f"  other verdicts {[words for game in games for words in game.false]},")
    print(f"  {len(knocks)} knocks threw the tiles {np.median([k.thrown_mm for k in knocks]):.0f} mm (median),")
    print(f"  right again after {sorted(k.back_s for k in knocks)} s of the game;")
    print(f"  told {sum(len(game.notes) for game in games)} times")


ROWS = {
    "plane": plane_figures,
    "sheet": sheet_figures,
    "corners": corner_figures,
    "bump": bump_figures,
    "game": game_figures,
}


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("what", choices=(*ROWS, "teach"))
    wanted.add_argument("--count", type=int, default=40)
    wanted.add_argument("--keep", type=Path, default=Path("runs/teaching"))
    chosen = wanted.parse_args()
    if chosen.what == "teach":
        teach_figures(chosen.count, chosen.keep)
    else:
        ROWS[chosen.what](chosen.count)


if __name__ == "__main__":
    main()
