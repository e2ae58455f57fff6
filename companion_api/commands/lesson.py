"""Lessons from picture files: teaching, tuning and listing of custom sets."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from calibration.custom_set import TaughtSet
from calibration.double import double_of, sample_tables
from calibration.kept_lesson import folder_of, is_stored, store_lesson, stored_lesson
from calibration.lesson import TABLES, Lesson, lesson_reader
from calibration.lesson_task import STEPS, Box, name_text, parse_name
from calibration.profile import Profile
from calibration.teaching_session import with_swapped_suits
from calibration.tuning import NICE, PHASES, why_not
from calibration.tuning_process import tuned_set
from companion_api.commands.console import UsageError, print_json, started
from companion_api.commands.profile import numbers
from companion_api.setting_up.learnt import pages_of
from rules.pieces import SUITS
from rules.table.observed import Identity
from vision.frame import Picture, read_frame

OPENING_SUFFIX = "-opening"
"""Suffix of the step of a picture that shows a game laid out."""
DOUBLE_TABLES = 6
"""Number of tables drawn with the double of a set."""


def lesson_named(path: Path, name: str) -> Lesson:
    folder = folder_of(path, name)
    if not is_stored(folder):
        raise UsageError(f"no pictures of a lesson called {name!r} are kept: give a picture for each step")
    return stored_lesson(folder, lesson_reader())


def finish_lesson(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """Finishes the lesson: returns the profile with its set and keeps the pictures."""
    with progress_until_stopped(as_json, "these will do") as report:  # Ctrl-C continues with the tables drawn
        taught = lesson.finish(go_on=lambda done: report("drawing tables with your set", done, TABLES))
    store_lesson(lesson, folder_of(path, lesson.name))
    known = known.with_set(taught)
    known.save(path)
    if not as_json:
        _print_lesson(lesson, taught)
    return known


def lesson_of(
    pictures: list[str], name: str, correct: list[str], overlay: Path | None, incomplete: bool, options: list[str]
) -> Lesson:
    if not pictures:
        steps = " ".join(f"{step.id}=PICTURE ({step.words})" for step in STEPS.values())
        raise UsageError(f"give a picture for each step: {steps}")
    lesson = Lesson(name, lesson_reader())
    for number, each in enumerate(pictures):
        step, given, file = each.partition("=")
        if not given:
            raise UsageError(f"{each!r} names no step; write STEP=PICTURE with one of {', '.join(STEPS)}")
        if step.endswith(OPENING_SUFFIX):
            _add_opening(lesson, step.removesuffix(OPENING_SUFFIX), options, file)
            continue
        said = corrections_of(step, correct)
        page = lesson.show(step, read_frame(file), said.names, incomplete, said.boxes)
        for first, second in said.swaps:
            page = with_swapped_suits(page, first, second)
        lesson.replace_last(page)
        if overlay is not None:
            _draw(lesson, overlay / f"{number + 1}-{step}.jpg")
    return lesson


def _add_opening(lesson: Lesson, name: str, options: list[str], file: str) -> None:
    own = [text.partition("=")[2] for text in options if text.partition("=")[0] == name]
    game, chosen, _ = started(name, own[-1] if own else None, None)
    frame = read_frame(file)
    lesson.add_pages(frame, pages_of(game, game.start(chosen), lesson.eyes.look(frame)))


def _draw(lesson: Lesson, path: Path) -> None:
    """Draws the last page with numbers and names, doubtful ones in red."""
    frame, page = lesson.pages[-1]
    image = frame.image.copy()
    for number, each in enumerate(page.named, 1):
        colour = (40, 40, 230) if each.doubtful else (60, 200, 60)
        cv2.polylines(image, [each.piece.outline.round().astype("int32")], True, colour, 2, cv2.LINE_AA)
        words = f"{number}: " + name_text(each.name)
        at = (int(each.piece.outline[:, 0].min()), int(each.piece.outline[:, 1].min()) - 5)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    _write_picture(path, image)


def _write_picture(path: Path, image: Picture) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), image):
        raise UsageError(f"{path}: cannot be written")


def draw_double(lesson: Lesson, folder: Path, as_json: bool) -> None:
    for number, table in enumerate(sample_tables(double_of(lesson.name, lesson.pages), DOUBLE_TABLES), 1):
        _write_picture(folder / f"double-{number}.jpg", table.image)
    if not as_json:
        print(f"{folder}: tables drawn with the double of {lesson.name}: is it your set?")


@contextmanager
def progress_until_stopped(quiet: bool, on_stop: str) -> Iterator[Callable[[str, int, int], bool]]:
    """A function that shows progress in a terminal and returns whether to continue: False after Ctrl-C. `on_stop`: what
    Ctrl-C means."""
    stopped, visible = threading.Event(), not quiet and sys.stderr.isatty()

    def report(what: str, done: int, of: int) -> bool:
        if visible:
            print(f"\r\033[K{what}: {done} of {of} (Ctrl-C: {on_stop})", end="", file=sys.stderr)
        return not stopped.is_set()

    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield report
    finally:
        signal.signal(signal.SIGINT, before)
        if visible:
            print(file=sys.stderr)


def check_tuning(known: Profile, name: str) -> None:
    """UsageError before the lesson where its set could not be tuned."""
    if (refusal := why_not(known, name)) is not None:
        raise UsageError(str(refusal))


def tune_lesson(known: Profile, lesson: Lesson, path: Path, as_json: bool) -> Profile:
    """The profile with the tuned set where tuning helps; saved."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    with progress_until_stopped(as_json, "go on another time") as report:
        folder, taught = folder_of(path, lesson.name), known.sets.get(lesson.name)
        tuned = tuned_set(lesson, taught, folder, lambda phase, done, of: report(PHASES[phase], done, of))
    if tuned is not None:
        known = known.with_set(tuned)
        known.save(path)
    if not as_json:
        _print_tuning(tuned, lesson.name)
    return known


def _print_tuning(tuned: TaughtSet | None, name: str) -> None:
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
        _print_trials(tuned)


def _print_lesson(lesson: Lesson, taught: TaughtSet) -> None:
    for _, page in lesson.pages:
        doubts = ", ".join(f"{number} ({name_text(page.named[number - 1].name)})" for number in page.doubts)
        print(f"{page.step.id}: {len(page.named)} pieces" + (f"; please check {doubts}" if doubts else ", all sure"))
    _print_trials(taught)


def _print_trials(taught: TaughtSet) -> None:
    print(f"faces told rightly on looks that were kept aside (the lesson's pieces, and {taught.tables} drawn tables):")
    for kind, trial in taught.trials.items():
        looks, read, right = trial.total
        brings = "" if taught.kinds[kind].trusted else "; the lesson brings nothing: they are read as before"
        print(f"  {kind}s: {read} of {looks} -> {right} of {looks}".replace("dies", "dice") + brings)


def print_sets(known: Profile, path: Path, as_json: bool) -> None:
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


EXAMPLES = (
    "tiles:7=S3 (the name of number 7), tiles:S3=100,80,190,170 (where it lies), tiles:suns=arms (suits exchanged)"
)


@dataclass(frozen=True, slots=True)
class Corrections:
    """Corrections of one step: names by number, boxes of undetected pieces, pairs of suits to exchange."""

    names: dict[int, Identity] = field(default_factory=dict)
    boxes: list[tuple[Identity, Box]] = field(default_factory=list)
    swaps: list[tuple[str, str]] = field(default_factory=list)


def corrections_of(step: str, texts: Sequence[str]) -> Corrections:
    found = Corrections()
    for text in texts:
        where, _, rest = text.partition(":")
        what, _, value = rest.partition("=")
        if where not in STEPS or not value:
            raise UsageError(f"--correct {text!r}: write STEP:WHAT=VALUE, for example {EXAMPLES}")
        if where != step:
            continue
        if what.isdecimal():
            found.names[int(what)] = parse_name(value, STEPS[step])
        elif "," in value:
            found.boxes.append((parse_name(what, STEPS[step]), _box(text, value)))
        elif {what, value} <= set(SUITS):
            found.swaps.append((what, value))
        else:
            raise UsageError(f"--correct {text!r}: write it like one of {EXAMPLES}")
    return found


def _box(text: str, value: str) -> Box:
    left, top, right, bottom = numbers(value.replace(",", " "), 4, "--correct", "tiles:S3=100,80,190,170")
    if left >= right or top >= bottom:
        raise UsageError(f"--correct {text!r}: left must be less than right, and top less than bottom")
    return left, top, right, bottom
