"""The profile file of a command, and its errors as usage errors."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion_api.commands.console import UsageError, as_usage
from companion_api.commands.games import Json
from rules.pieces.sizes import SPACE_MM, TILE
from rules.sentence import SentenceError

if TYPE_CHECKING:
    from calibration.profile import Profile

ProfileFile = Annotated[Path | None, typer.Option("--profile", help="the profile; default: in the data folder")]


def errors_as_usage() -> AbstractContextManager[None]:
    """Turns errors of vision and calibration into one line and exit 2."""
    from calibration.deck import DeckError
    from vision.nets import ModelError

    return as_usage(SentenceError, DeckError, ModelError)


def profile_path(given: Path | None) -> Path:
    from companion_api.settings import Settings

    return given or Settings().data / "profile.json"


def load_profile(path: Path) -> Profile:
    from calibration.profile import load_or_new

    return load_or_new(path, path.stem)


def numbers(text: str, count: int, option: str, example: str) -> list[float]:
    try:
        values = [float(part) for part in text.split()]
    except ValueError:
        values = []
    if len(values) != count:
        raise UsageError(f"{option} must be written like {example}")
    return values


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
    from calibration.profile import save_lens
    from companion_api.commands import table_plane

    if print_to is not None:
        return table_plane.print_sheet(print_to, paper)
    with errors_as_usage():
        path = profile_path(profile)
        frames = table_plane.frames_of(pictures or [], camera)
        known = load_profile(path)
        if check:
            return table_plane.check_profile(known, frames[0], path, as_json)
        lens = table_plane.known_lens(known, model, frames[0].size, path)
        plane, quality, quads = table_plane.plane_of(frames, lens, sheet, measured, corners, rectangle, tile)
        made = table_plane.with_plane(known, plane, quads, frames[0], sheet, measured)
        made.save(path)
        if model:
            save_lens(path.parent, model, plane.lens)
    table_plane.print_plane(plane, quality, path, as_json)
    return 0


SHIPPED = "shipped"
"""The name that chooses no taught set."""


def teach(
    pictures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STEP=PICTURE...]", help="tiles=a.jpg ..., or ice_floe-opening=b.jpg where a game is laid out"
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="what the set is called")] = "my set",
    correct: Annotated[
        list[str] | None,
        typer.Option(
            "--correct",
            "--at",
            "--swap",
            help="STEP:NUMBER=NAME, as tiles:7=S3; of a piece that is not found STEP:NAME=LEFT,TOP,RIGHT,BOTTOM; "
            "STEP:SUIT=SUIT where two suits are exchanged; repeatable",
        ),
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="folder for the pictures with the names drawn in")
    ] = None,
    double: Annotated[
        Path | None, typer.Option("--double", help="folder for tables drawn with your set: is it yours?")
    ] = None,
    options: Annotated[
        list[str] | None, typer.Option("--options", help='GAME=JSON of a game laid out, as fuji_san={"layout": "easy"}')
    ] = None,
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="pieces are lost or not found, or a hand is seen that is not there")
    ] = False,
    tune: Annotated[
        bool,
        typer.Option(
            "--tune",
            help="then train the reader on your set, for some minutes; needs the extra `tuning`; can be stopped",
        ),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="the sets that were taught")] = False,
    use: Annotated[
        str | None, typer.Option("--use", help="play with this set; `shipped`: with none, as the program was shipped")
    ] = None,
    forget: Annotated[str | None, typer.Option("--forget", help="forget this set")] = None,
    cards: Annotated[
        Path | None, typer.Option("--cards", help="folder with a picture of every card, named like 2MK.jpg")
    ] = None,
    profile: ProfileFile = None,
    as_json: Json = False,
) -> None:
    """Teach the eyes your own set from a picture for each step, or your deck of cards from a folder."""
    from calibration.deck import from_folder
    from calibration.kept_lesson import delete_lesson, folder_of
    from companion_api.commands import lesson as lessons
    from vision.table_reader import TableReader

    with errors_as_usage():
        path = profile_path(profile)
        known = load_profile(path)
        if forget is not None or use is not None:
            if forget is not None:
                known = known.without_set(forget)
                delete_lesson(folder_of(path, forget))
            if use is not None:
                shipped = use == SHIPPED and use not in known.sets
                known = known.without_selected() if shipped else known.with_selected(use)
            known.save(path)
        elif cards is not None:
            deck = from_folder(cards, TableReader())
            known = replace(known, deck=deck)
            known.save(path)
            if not as_json:
                print(f"{len(deck.marks)} cards are known now")
        elif not list_:
            if tune:
                lessons.check_tuning(known, name)
            if tune and not pictures:
                lesson = lessons.lesson_named(path, name)
            else:
                lesson = lessons.lesson_of(pictures or [], name, correct or [], overlay, incomplete, options or [])
                known = lessons.finish_lesson(known, lesson, path, as_json)
            if double is not None:
                lessons.draw_double(lesson, double, as_json)
            if tune:
                known = lessons.tune_lesson(known, lesson, path, as_json)
        lessons.print_sets(known, path, as_json)
