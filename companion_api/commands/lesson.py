"""A lesson from files: its pictures, what is learnt from them, how the set is tuned, and what is told of it."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

from calibration import kept_lesson
from calibration.custom_set import TaughtSet
from calibration.deck import from_folder
from calibration.double import double_of, sample_tables
from calibration.kept_lesson import folder_of, is_stored, store_lesson, stored_lesson
from calibration.lesson import TABLES, GoOn, Lesson, lesson_reader
from calibration.lesson_task import STEPS, name_text
from calibration.profile import Profile
from calibration.teaching_session import with_swapped_suits
from calibration.tuning import NICE, PHASES, why_not
from calibration.tuning_process import tuned_set
from companion_api.commands.console import UsageError, game_named, print_json, started
from companion_api.commands.lesson_corrections import corrections_of
from companion_api.setting_up.opening_lesson import pages_of
from vision.frame import read_frame
from vision.identify.deck import Deck
from vision.table_reader import TableReader

OPENING = "-opening"
"""How the step of a picture ends that shows a game laid out."""
DOUBLES = 6
"""So many tables are drawn with the double of a set."""


def without(known: Profile, name: str, path: Path) -> Profile:
    known = known.without_set(name)
    kept_lesson.delete_lesson(kept_lesson.folder_of(path, name))
    return known


def lesson_kept(path: Path, name: str) -> Lesson:
    folder = folder_of(path, name)
    if not is_stored(folder):
        raise UsageError(f"no pictures of a lesson called {name!r} are kept: give a picture for each step")
    return stored_lesson(folder, lesson_reader())


def taught_profile(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """The profile with what was learnt; the pictures are kept for later."""
    with _practice(as_json) as go_on:
        taught = lesson.finish(go_on=go_on)
    store_lesson(lesson, folder_of(path, lesson.name))
    known = known.with_set(taught)
    known.save(path)
    if not as_json:
        _tell_lesson(lesson, taught)
    return known


def deck_in(folder: Path) -> Deck:
    return from_folder(folder, TableReader())


def lesson_of(
    pictures: list[str],
    name: str,
    correct: list[str],
    overlay: Path | None,
    incomplete: bool,
    options: list[str],
) -> Lesson:
    if not pictures:
        steps = " ".join(f"{step.id}=PICTURE ({step.words})" for step in STEPS.values())
        raise UsageError(f"give a picture for each step: {steps}")
    lesson = Lesson(name, lesson_reader())
    for number, each in enumerate(pictures):
        step, given, file = each.partition("=")
        if not given:
            raise UsageError(f"{each!r} names no step; write STEP=PICTURE with one of {', '.join(STEPS)}")
        if step.endswith(OPENING):
            _know_opening(lesson, step.removesuffix(OPENING), options, file)
            continue
        said = corrections_of(step, correct)
        page = lesson.show(step, read_frame(file), said.names, incomplete, said.boxes)
        for first, second in said.swaps:
            page = with_swapped_suits(page, first, second)
        lesson.replace_last(page)
        if overlay is not None:
            _draw(lesson, overlay / f"{number + 1}-{step}.jpg")
    return lesson


def _know_opening(lesson: Lesson, name: str, options: list[str], file: str) -> None:
    """The board of a game lies in the picture as it begins."""
    game = game_named(name)
    own = [text.partition("=")[2] for text in options if text.partition("=")[0] == name]
    chosen, _ = started(game, own[-1] if own else None, None)
    frame = read_frame(file)
    lesson.add_pages(frame, pages_of(game, game.start(chosen), lesson.eyes.look(frame)))


def _draw(lesson: Lesson, path: Path) -> None:
    """The last page with numbers and names, doubtful ones in red."""
    frame, page = lesson.pages[-1]
    image = frame.image.copy()
    for number, each in enumerate(page.named, 1):
        colour = (40, 40, 230) if each.doubtful else (60, 200, 60)
        cv2.polylines(image, [each.piece.outline.round().astype("int32")], True, colour, 2, cv2.LINE_AA)
        words = f"{number}: " + name_text(each.name)
        at = (int(each.piece.outline[:, 0].min()), int(each.piece.outline[:, 1].min()) - 5)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), image):
        raise UsageError(f"{path}: cannot be written")


def draw_double(lesson: Lesson, folder: Path, as_json: bool) -> None:
    """Tables with the set as the lesson shows it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(sample_tables(double_of(lesson.name, lesson.pages), DOUBLES), 1):
        path = folder / f"double-{number}.jpg"
        if not cv2.imwrite(str(path), table.image):
            raise UsageError(f"{path}: cannot be written")
    if not as_json:
        print(f"{folder}: tables drawn with the double of {lesson.name}: is it your set?")


@contextmanager
def _practice(quiet: bool) -> Iterator[GoOn]:
    """Says how far the drawing of tables is, where somebody watches; with Ctrl-C those that were drawn will do."""
    with stoppable(quiet, "these will do") as told:
        yield lambda done: told("drawing tables with your set", done, TABLES)


@contextmanager
def stoppable(quiet: bool, on_stop: str) -> Iterator[Callable[[str, int, int], bool]]:
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


def refuse_tuning(known: Profile, name: str) -> None:
    """Before the lesson, where it could not be tuned after it."""
    refused = why_not(known, name)
    if refused is not None:
        raise UsageError(str(refused))


def tuned_profile(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """The profile with the lesson's set tuned, where that is better; kept in the file."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    with stoppable(as_json, "go on another time") as told:
        tuned = tuned_set(
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
    for _, page in lesson.pages:
        doubts = ", ".join(f"{number} ({name_text(page.named[number - 1].name)})" for number in page.doubts)
        print(f"{page.step.id}: {len(page.named)} pieces" + (f"; please check {doubts}" if doubts else ", all sure"))
    _tell_trials(taught)


def _tell_trials(taught: TaughtSet) -> None:
    print(f"faces told rightly on looks that were kept aside (the lesson's pieces, and {taught.tables} drawn tables):")
    for kind, trial in taught.trials.items():
        looks, read, right = trial.total
        brings = "" if taught.kinds[kind].trusted else "; the lesson brings nothing: they are read as before"
        print(f"  {kind}s: {read} of {looks} -> {right} of {looks}".replace("dies", "dice") + brings)


def tell_sets(known: Profile, path: Path, as_json: bool) -> None:
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
