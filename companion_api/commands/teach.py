"""`companion teach`: my set of pieces, from pictures of a lay-out; my deck of cards, from a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from companion_api.commands.games import Json
from companion_api.commands.profile_file import ProfileFile, loaded, plain_words, profile_path

SHIPPED = "shipped"
"""The name by which no taught set is chosen."""


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
        list[str] | None,
        typer.Option("--options", help='GAME=JSON of a game laid out, as fuji_san={"layout": "easy"}'),
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
        str | None,
        typer.Option("--use", help="play with this set; `shipped`: with none, as the program was shipped"),
    ] = None,
    forget: Annotated[str | None, typer.Option("--forget", help="forget this set")] = None,
    cards: Annotated[
        Path | None, typer.Option("--cards", help="folder with a picture of every card, named like 2MK.jpg")
    ] = None,
    profile: ProfileFile = None,
    as_json: Json = False,
) -> None:
    """Teach the eyes your own set from a picture for each step, or your deck of cards from a folder."""
    from companion_api.commands.lesson import (
        deck_in,
        draw_double,
        lesson_kept,
        lesson_of,
        refuse_tuning,
        taught_profile,
        tell_sets,
        tuned_profile,
        without,
    )

    with plain_words():
        path = profile_path(profile)
        known = loaded(path)
        if forget is not None or use is not None:
            known = without(known, forget, path) if forget is not None else known
            if use is not None:
                known = (
                    known.without_selected() if use == SHIPPED and use not in known.sets else known.with_selected(use)
                )
            known.save(path)
        elif cards is not None:
            deck = deck_in(cards)
            known = replace(known, deck=deck)
            known.save(path)
            if not as_json:
                print(f"{len(deck.marks)} cards are known now")
        elif not list_:
            if tune:
                refuse_tuning(known, name)
            if tune and not pictures:
                lesson = lesson_kept(path, name)
            else:
                lesson = lesson_of(pictures or [], name, correct or [], overlay, incomplete, options or [])
                known = taught_profile(known, lesson, path, as_json)
            if double is not None:
                draw_double(lesson, double, as_json)
            if tune:
                known = tuned_profile(known, lesson, path, as_json)
        tell_sets(known, path, as_json)
