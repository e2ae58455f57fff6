"""`companion calibrate` and `companion teach`: this camera, this lamp, this table, my set."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import UsageError, game_named, print_json, started
from companion_api.commands.doctoring import doctor
from companion_api.commands.games import Json
from rules.pieces.sizes import SPACE_MM, TILE
from rules.sentence import say
from rules.table.observed import Identity

if TYPE_CHECKING:
    import numpy as np

    from calibration.custom_set import TaughtSet
    from calibration.lens import Lens
    from calibration.plane import TablePlane
    from calibration.profile import Profile
    from calibration.teaching import GoOn, Lesson
    from calibration.teaching_session import NamedPage
    from vision.eyes import Look
    from vision.frame import Frame
    from vision.identify.deck import Deck

OPENING = "-opening"
"""How the step of a picture ends that shows a game laid out."""
DOUBLES = 6
"""So many tables are drawn with the double of a set."""
ProfileFile = Annotated[Path | None, typer.Option("--profile", help="the profile; default: in the data folder")]


def add_to(app: typer.Typer) -> None:
    app.command("calibrate")(calibrate)
    app.command("teach")(teach)
    app.command("doctor")(doctor)


def calibrate(
    pictures: Annotated[
        list[str] | None, typer.Argument(metavar="[PICTURE...]", help="pictures of the table as it lies")
    ] = None,
    print_to: Annotated[Path | None, typer.Option("--print", help="write the sheet as PDF and stop")] = None,
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter")] = "a4",
    camera: Annotated[str | None, typer.Option("--camera", help="take the picture: index or address")] = None,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="the pictures show the sheet; the first lies on the table")
    ] = False,
    measured: Annotated[float, typer.Option("--measured", help="length of the sheet's 100 mm line as printed")] = 100.0,
    corners: Annotated[str | None, typer.Option("--corners", help="x,y x,y x,y x,y: dragged, clockwise")] = None,
    rectangle: Annotated[str, typer.Option("--rectangle", help="its size in mm")] = "210x297",
    tile: Annotated[float, typer.Option("--tile", min=20, max=120, help="side of a tile in mm")] = TILE * SPACE_MM,
    model: Annotated[
        str | None, typer.Option("--model", help="camera model, to keep its lens for other tables")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="only say whether the profile still holds")] = False,
    profile: ProfileFile = None,
    as_json: Json = False,
) -> int:
    """Find out where the table is: from tiles, from the printed sheet, or from four corners."""
    if print_to is not None:
        return _print_sheet(print_to, paper)
    with _plain_words():
        path = _profile_path(profile)
        frames = _frames(pictures or [], camera)
        known = _loaded(path)
        if check:
            return _check(known, frames[0], path, as_json)
        lens = _known_lens(known, model, frames[0].size, path)
        plane, quality, quads = _plane(frames, lens, sheet, measured, corners, rectangle, tile)
        made = _with_plane(known, plane, quads, frames[0], sheet, measured)
        made.save(path)
        if model:
            _keep_lens(path, model, plane.lens)
    _tell_plane(plane, quality, path, as_json)
    return 0


def _print_sheet(path: Path, paper: str) -> int:
    from calibration.sheet import SheetError, as_pdf

    try:
        path.write_bytes(as_pdf(paper))
    except SheetError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None
    print(f"{path}: print it at 100 %, measure its 100 mm line, lay it flat on the table")
    return 0


@contextmanager
def _plain_words() -> Iterator[None]:
    """What the rooms below complain about becomes one line and exit 2."""
    from calibration.deck import DeckError
    from calibration.plane import PlaneError
    from calibration.profile_store import ProfileError
    from calibration.sheet import SheetError
    from calibration.teaching_session import LessonError
    from vision.camera import CameraError
    from vision.frame import PictureError
    from vision.nets import ModelError

    try:
        yield
    except (
        ProfileError,
        LessonError,
        DeckError,
        PlaneError,
        SheetError,
        CameraError,
        PictureError,
        ModelError,
    ) as error:
        raise UsageError(str(error)) from None


def _profile_path(given: Path | None) -> Path:
    from companion_api.settings import Settings

    return given or Settings().data / "profile.json"


def _loaded(path: Path) -> Profile:
    from calibration.profile import load_or_new

    return load_or_new(path, path.stem)


def _frames(pictures: list[str], camera: str | None) -> list[Frame]:
    from vision.frame import read_frame

    if camera is not None:
        return [_snapshot(camera)]
    if not pictures:
        raise UsageError("give a picture of the table, or --camera 0, or --print sheet.pdf")
    frames = [read_frame(picture) for picture in pictures]
    if len({frame.size for frame in frames}) > 1:
        raise UsageError("the pictures differ in size: take all of them with the same camera and resolution")
    return frames


def _snapshot(source: str) -> Frame:
    from vision.camera import CameraError, open_camera

    camera = open_camera(source)
    try:
        frames = [frame for frame in (camera.read() for _ in range(12)) if frame is not None]
    finally:
        camera.close()
    if not frames:
        raise CameraError(say("{source}: gives no picture; is another program using it?", source=source))
    return frames[-1]  # the first ones are often dark: exposure has to settle


def _known_lens(known: Profile, model: str | None, size: tuple[int, int], path: Path) -> Lens:
    from calibration.lens import assumed
    from calibration.profile import stored_lens

    if known.lens is not None and known.lens.at_size(size).source != "assumed":
        return known.lens.at_size(size)
    return stored_lens(path.parent, model, size) if model else assumed(size)


def _keep_lens(path: Path, model: str, lens: Lens) -> None:
    from calibration.profile import save_lens

    save_lens(path.parent, model, lens)


def _plane(
    frames: list[Frame], lens: Lens, sheet: bool, measured: float, corners: str | None, rectangle: str, tile: float
) -> tuple[TablePlane, dict[str, Any] | None, list[np.ndarray]]:
    """The plane, what the guide says of the picture, and the tiles in it."""
    from calibration import plane as planes
    from calibration.guide import LEAST_TILES, quality

    if sheet:
        return _from_sheet(frames, lens, measured), None, []
    if corners is not None:
        width, height = _numbers(rectangle.replace("x", " "), 2, "--rectangle", "210x297")
        return planes.from_corners(_four(corners), width, height, lens), None, []
    look, quads = _tiles(frames[0])
    if 0 < len(quads) < LEAST_TILES:
        seen = "1 tile is" if len(quads) == 1 else f"{len(quads)} tiles are"
        raise UsageError(f"only {seen} seen: lay at least {LEAST_TILES}, all over the table; no profile was written")
    return planes.from_tiles(quads, lens, tile), quality(look, lens).to_json(), quads


def _tiles(frame: Frame) -> tuple[Look, list[np.ndarray]]:
    from calibration.runtime import good_quads
    from vision.look import eyes

    look = eyes().look(frame)
    return look, good_quads(look.pieces)


def _from_sheet(frames: list[Frame], lens: Lens, measured: float) -> TablePlane:
    """The lens from all pictures, the plane from the first."""
    from calibration import plane as planes
    from calibration import sheet as sheets

    seen = [sheets.find(frame.image, measured) for frame in frames]
    if len(seen) > 1:
        lens = sheets.lens_from(seen, lens)
    return planes.from_grid(seen[0].points, seen[0].seen, lens)


def _four(text: str) -> np.ndarray:
    import numpy as np

    return np.array(_numbers(text.replace(",", " "), 8, "--corners", '"100,80 900,90 950,600 60,590"')).reshape(4, 2)


def _numbers(text: str, count: int, option: str, example: str) -> list[float]:
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        values = []
    if len(values) != count:
        raise UsageError(f"{option} must be written like {example}")
    return values


def _with_plane(
    known: Profile, plane: TablePlane, quads: list[np.ndarray], frame: Frame, sheet: bool, measured: float
) -> Profile:
    from dataclasses import replace

    import numpy as np

    from calibration.check import places
    from calibration.light import white_from_sheet
    from calibration.sheet import find

    return replace(
        known,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        lens=plane.lens,
        plane=plane,
        resting=places(plane, quads) if quads else np.zeros((0, 2)),
        white=white_from_sheet(frame.image, find(frame.image, measured)) if sheet else known.white,
    )


def _tell_plane(plane: TablePlane, quality: dict[str, Any] | None, path: Path, as_json: bool) -> None:
    told = plane.accuracy
    if as_json:
        lens = {
            "focal_px": round(plane.lens.focal, 1),
            "known_to": round(plane.lens.known, 4),
            "source": plane.lens.source,
        }
        plain = {"tilt_deg": round(plane.tilt_deg, 2), "distance_mm": round(plane.distance_mm), "lens": lens}
        print_json({"profile": str(path), "source": plane.source, **told.to_json(), **plain, "quality": quality})
        return
    print(
        f"{path}: the table, from {plane.source}: places are known to {told.typical:.1f} mm (worst {told.worst:.1f} mm)"
    )
    print(f"  camera {plane.distance_mm / 10:.0f} cm above the table, tilted {plane.tilt_deg:.0f} degrees")
    if told.wild:
        many = f"{told.wild} outlines did not fit and were left out"
        print("  1 outline did not fit and was left out" if told.wild == 1 else f"  {many}")
    for each in (quality or {}).get("advice", []):
        print(f"  {each['words']}")


def _check(known: Profile, frame: Frame, path: Path, as_json: bool) -> int:
    from dataclasses import replace

    from calibration.check import Standing, check

    if known.plane is None:
        raise UsageError(f"{path}: has no table yet: run `companion calibrate` first")
    plane = replace(known.plane, lens=known.plane.lens.at_size(frame.size))
    found = check(plane, _tiles(frame)[1], known.resting)
    words = found.words.replace("calibrated again", "calibrate again")
    plain = {"standing": found.standing.value, "moved_mm": round(found.moved_mm, 1), "words": words}
    print_json(plain | {"turned_deg": round(found.turned_deg, 2)}) if as_json else print(words)
    return 0 if found.standing is Standing.TRUE else 1


def teach(
    pictures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STEP=PICTURE...]", help="tiles=a.jpg ..., or ice_floe-opening=b.jpg where a game is laid out"
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="what the set is called")] = "my set",
    correct: Annotated[list[str] | None, typer.Option("--correct", help="STEP:NUMBER=NAME, as tiles:7=S3")] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", help="STEP:NAME=LEFT,TOP,RIGHT,BOTTOM, where a piece lies that is not found"),
    ] = None,
    swap: Annotated[
        list[str] | None, typer.Option("--swap", help="STEP:SUIT=SUIT, all pieces of the one suit are of the other")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="folder for pictures with the names drawn in")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--options", help='GAME=JSON of a game laid out, as fuji_san={"layout": "easy"}'),
    ] = None,
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="pieces are lost or not found, or a hand is seen that is not there")
    ] = False,
    double: Annotated[
        Path | None, typer.Option("--double", help="folder for drawn tables with the set's double: is it your set?")
    ] = None,
    tune: Annotated[
        bool,
        typer.Option(
            "--tune",
            help="then train the reader on your set, for some minutes; needs the extra `tuning`; can be stopped",
        ),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="the sets that were taught")] = False,
    use: Annotated[str | None, typer.Option("--use", help="play with this set")] = None,
    shipped: Annotated[
        bool, typer.Option("--shipped", help="play with no taught set: pieces are read as the program was shipped")
    ] = False,
    forget: Annotated[str | None, typer.Option("--forget", help="forget this set")] = None,
    cards: Annotated[
        Path | None, typer.Option("--cards", help="folder with a picture of every card, named like 2MK.jpg")
    ] = None,
    profile: ProfileFile = None,
    as_json: Json = False,
) -> None:
    """Teach the eyes your own set from a picture for each step, or your deck of cards from a folder."""
    with _plain_words():
        path = _profile_path(profile)
        known = _loaded(path)
        if forget is not None or use is not None or shipped:
            known = _without(known, forget, path) if forget is not None else known
            known = known.choosing_none() if shipped else known if use is None else known.choosing(use)
            known.save(path)
        elif cards is not None:
            deck = _deck(cards)
            known = replace(known, deck=deck)
            known.save(path)
            if not as_json:
                print(f"{len(deck.marks)} cards are known now")
        elif not list_:
            if tune:
                _refuse_tuning(known, name)
            if tune and not pictures:
                lesson = _kept_lesson(path, name)
            else:
                lesson = _lesson(
                    pictures or [], name, correct or [], at or [], swap or [], overlay, incomplete, options or []
                )
                known = _taught(known, lesson, path, as_json)
            if double is not None:
                _draw_double(lesson, double, as_json)
            if tune:
                known = _tuned(known, lesson, path, as_json)
        _tell_sets(known, path, as_json)


def _without(known: Profile, name: str, path: Path) -> Profile:
    from calibration import kept_lesson

    known = known.without_set(name)
    kept_lesson.forget(kept_lesson.folder_of(path, name))
    return known


def _kept_lesson(path: Path, name: str) -> Lesson:
    from calibration.kept_lesson import folder_of, is_kept, kept
    from calibration.teaching import keen_eyes

    folder = folder_of(path, name)
    if not is_kept(folder):
        raise UsageError(f"no pictures of a lesson called {name!r} are kept: give a picture for each step")
    return kept(folder, keen_eyes())


def _taught(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """The profile with what was learnt; the pictures are kept for later."""
    from calibration.kept_lesson import folder_of, keep

    with _practice(as_json) as go_on:
        taught = lesson.finish(go_on=go_on)
    keep(lesson, folder_of(path, lesson.name))
    known = known.with_set(taught)
    known.save(path)
    if not as_json:
        _tell_lesson(lesson, taught)
    return known


def _deck(folder: Path) -> Deck:
    from calibration.deck import from_folder
    from vision.eyes import Eyes

    return from_folder(folder, Eyes())


def _lesson(
    pictures: list[str],
    name: str,
    correct: list[str],
    at: list[str],
    swap: list[str],
    overlay: Path | None,
    incomplete: bool,
    options: list[str],
) -> Lesson:
    from calibration.teaching import Lesson, keen_eyes
    from calibration.teaching_session import STEPS
    from vision.frame import read_frame

    if not pictures:
        steps = " ".join(f"{step.id}=PICTURE ({step.words})" for step in STEPS.values())
        raise UsageError(f"give a picture for each step: {steps}")
    lesson = Lesson(name, keen_eyes())
    for number, each in enumerate(pictures):
        step, given, file = each.partition("=")
        if not given:
            raise UsageError(f"{each!r} names no step; write STEP=PICTURE with one of {', '.join(STEPS)}")
        if step.endswith(OPENING):
            _know_opening(lesson, step.removesuffix(OPENING), options, file)
            continue
        page = lesson.show(step, read_frame(file), _corrections(step, correct), incomplete, _boxes(step, at))
        lesson.replace_last(_swapped(page, step, swap))
        if overlay is not None:
            _draw(lesson, overlay / f"{number + 1}-{step}.jpg")
    return lesson


def _know_opening(lesson: Lesson, name: str, options: list[str], file: str) -> None:
    """The board of a game lies in the picture as it begins."""
    from companion_api.setting_up.opening import pages_of
    from vision.frame import read_frame

    game = game_named(name)
    own = [text.partition("=")[2] for text in options if text.partition("=")[0] == name]
    chosen, _ = started(game, own[-1] if own else None, None)
    frame = read_frame(file)
    lesson.know(frame, pages_of(game, game.start(chosen), lesson.eyes.look(frame)))


def _corrections(step: str, correct: list[str]) -> dict[int, Identity]:
    from calibration.teaching_session import STEPS, name_from

    out = {}
    for text in correct:
        at, _, rest = text.partition(":")
        number, _, name = rest.partition("=")
        if at not in STEPS or not number.isdecimal():
            raise UsageError(f"--correct {text!r}: write STEP:NUMBER=NAME, for example tiles:7=S3")
        if at == step:
            out[int(number)] = name_from(name, STEPS[at])
    return out


def _boxes(step: str, at: list[str]) -> list[tuple[Identity, tuple[float, float, float, float]]]:
    from calibration.teaching_session import STEPS, name_from

    out = []
    for text in at:
        where, _, rest = text.partition(":")
        name, _, box = rest.partition("=")
        example = "tiles:S3=100,80,190,170"
        if where not in STEPS:
            raise UsageError(f"--at {text!r}: write STEP:NAME=LEFT,TOP,RIGHT,BOTTOM, for example {example}")
        if where == step:
            left, top, right, bottom = _numbers(box.replace(",", " "), 4, "--at", example)
            if left >= right or top >= bottom:
                raise UsageError(f"--at {text!r}: left must be less than right, and top less than bottom")
            out.append((name_from(name, STEPS[where]), (left, top, right, bottom)))
    return out


def _swapped(page: NamedPage, step: str, swap: list[str]) -> NamedPage:
    from calibration.teaching_session import swapped

    for text in swap:
        at, _, rest = text.partition(":")
        first, _, second = rest.partition("=")
        if at == step:
            page = swapped(page, first, second)
    return page


def _draw(lesson: Lesson, path: Path) -> None:
    """The last page with numbers and names, doubtful ones in red."""
    import cv2

    from calibration.teaching_session import spelt

    frame, page = lesson.pages[-1]
    image = frame.image.copy()
    for number, each in enumerate(page.named, 1):
        colour = (40, 40, 230) if each.doubtful else (60, 200, 60)
        cv2.polylines(image, [each.piece.outline.round().astype("int32")], True, colour, 2, cv2.LINE_AA)
        words = f"{number}: " + spelt(each.name)
        at = (int(each.piece.outline[:, 0].min()), int(each.piece.outline[:, 1].min()) - 5)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), image):
        raise UsageError(f"{path}: cannot be written")


def _draw_double(lesson: Lesson, folder: Path, as_json: bool) -> None:
    """Tables with the set as the lesson shows it."""
    import cv2

    from calibration.double import double_of, sample_tables

    folder.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(sample_tables(double_of(lesson.name, lesson.pages), DOUBLES), 1):
        path = folder / f"{number}.jpg"
        if not cv2.imwrite(str(path), table.image):
            raise UsageError(f"{path}: cannot be written")
        if not as_json:
            print(f"{path}: drawn with the double of {lesson.name}")


@contextmanager
def _practice(quiet: bool) -> Iterator[GoOn]:
    """Says how far the drawing of tables is, where somebody watches; with Ctrl-C those that were drawn will do."""
    from calibration.teaching import TABLES

    with _stoppable(quiet, "these will do") as told:
        yield lambda done: told("drawing tables with your set", done, TABLES)


@contextmanager
def _stoppable(quiet: bool, on_stop: str) -> Iterator[Callable[[str, int, int], bool]]:
    """What is told how much is done of how much shows it, where somebody watches, and says whether to go on: after
    Ctrl-C no more. `on_stop`: what that means."""
    stopped, shows = threading.Event(), not quiet and sys.stderr.isatty()

    def told(what: str, done: int, of: int) -> bool:
        if shows:
            print(f"\r\033[K{what}: {done} of {of} (Ctrl-C: {on_stop})", end="", file=sys.stderr)
        return not stopped.is_set()

    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield told
    finally:
        signal.signal(signal.SIGINT, before)
        if shows:
            print(file=sys.stderr)


def _refuse_tuning(known: Profile, name: str) -> None:
    """Before the lesson, where it could not be tuned after it."""
    from calibration.tuning import why_not

    refused = why_not(known, name)
    if refused is not None:
        raise UsageError(str(refused))


def _tuned(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """The profile with the lesson's set tuned, where that is better; kept in the file."""
    from calibration.kept_lesson import folder_of
    from calibration.tuning import NICE, PHASES
    from calibration.tuning_process import found

    if hasattr(os, "nice"):
        os.nice(NICE)
    with _stoppable(as_json, "go on another time") as told:
        tuned = found(
            lesson,
            known.sets.get(lesson.name),
            folder_of(path, lesson.name),
            lambda phase, done, there: told(PHASES[phase], done, there),
        )
    if tuned is not None:
        known = known.with_set(tuned)
        known.save(path)
    if not as_json:
        _tell_tuning(tuned, lesson.name)
    return known


def _tell_tuning(tuned: TaughtSet | None, name: str) -> None:
    if tuned is None:
        print(f"tuning was stopped; `companion teach --tune --name {shlex.quote(name)}` goes on where it was")
        return
    assert tuned.tuning is not None
    looks, before, after = tuned.tuning
    print(f"faces told rightly on looks kept aside, untuned and tuned: {before} of {looks} -> {after} of {looks}")
    if tuned.net is None:
        print("tuning brings nothing for this set: pieces are read as before")
    else:
        print("the reader is tuned on this set now:")
        _tell_trials(tuned)


def _tell_lesson(lesson: Lesson, taught: TaughtSet) -> None:
    from calibration.teaching_session import spelt

    for _, page in lesson.pages:
        doubts = ", ".join(f"{number} ({spelt(page.named[number - 1].name)})" for number in page.doubts)
        print(f"{page.step.id}: {len(page.named)} pieces" + (f"; please check {doubts}" if doubts else ", all sure"))
    _tell_trials(taught)


def _tell_trials(taught: TaughtSet) -> None:
    print(f"faces told rightly on looks that were kept aside (the lesson's pieces, and {taught.tables} drawn tables):")
    for kind, trial in taught.trials.items():
        looks, read, right = trial.together
        brings = "" if taught.kinds[kind].trusted else "; the lesson brings nothing: they are read as before"
        print(f"  {kind}s: {read} of {looks} -> {right} of {looks}".replace("dies", "dice") + brings)


def _tell_sets(known: Profile, path: Path, as_json: bool) -> None:
    if as_json:
        sets = [
            {
                "name": each.name,
                "pieces": each.pieces,
                "faces": each.faces,
                "kinds": sorted(each.kinds),
                "leaks": list(each.leaks),
                "tables": each.tables,
                "tuned": each.net is not None,
                "trials": {
                    kind: {"trust": list(each.kinds[kind].trust), **trial.to_json()}
                    for kind, trial in each.trials.items()
                },
            }
            for each in known.sets.values()
        ]
        print_json({"profile": str(path), "using": known.using, "sets": sets})
        return
    for each in known.sets.values():
        mark = "*" if each.name == known.using else " "
        shown = f"{each.faces} faces shown in games" if each.faces else ""
        taught = f"taught with {each.pieces} pieces" if each.pieces else ""
        tuned = "tuned" if each.net is not None else ""
        print(f"{mark} {each.name}: {', '.join(filter(None, (taught, tuned, shown)))}")
        for words in each.leaks:
            print(f"    beware: {words}")
    if known.sets and known.using is None:
        print("none of them is used: pieces are read as the program was shipped")
    if not known.sets:
        print(f"{path}: no set has been taught yet")
