"""`companion teach`: my set of pieces, from pictures of a lay-out; my deck of cards, from a folder."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion_api.commands.console import UsageError, game_named, print_json, started
from companion_api.commands.games import Json
from companion_api.commands.profile_file import ProfileFile, loaded, numbers, plain_words, profile_path
from rules.table.observed import Identity

if TYPE_CHECKING:
    from calibration.custom_set import TaughtSet
    from calibration.lesson_task import NamedPage
    from calibration.profile import Profile
    from calibration.teaching import GoOn, Lesson
    from vision.identify.deck import Deck

OPENING = "-opening"
"""How the step of a picture ends that shows a game laid out."""
DOUBLES = 6
"""So many tables are drawn with the double of a set."""


def add_to(app: typer.Typer) -> None:
    app.command("teach")(teach)


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
    with plain_words():
        path = profile_path(profile)
        known = loaded(path)
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
    from calibration.lesson_task import STEPS
    from calibration.teaching import Lesson, keen_eyes
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
    from calibration.lesson_task import STEPS, name_from

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
    from calibration.lesson_task import STEPS, name_from

    out = []
    for text in at:
        where, _, rest = text.partition(":")
        name, _, box = rest.partition("=")
        example = "tiles:S3=100,80,190,170"
        if where not in STEPS:
            raise UsageError(f"--at {text!r}: write STEP:NAME=LEFT,TOP,RIGHT,BOTTOM, for example {example}")
        if where == step:
            left, top, right, bottom = numbers(box.replace(",", " "), 4, "--at", example)
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

    from calibration.lesson_task import spelt

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
    from calibration.lesson_task import spelt

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
