"""`companion bench`: the project's own figures, with the machine described."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import CommandError, UsageError, game_named, print_json, progress
from companion_api.commands.games import Json
from companion_api.commands.keeping import Figures, KeptFigures

if TYPE_CHECKING:
    from companion_api.journeys import JourneyPlan
    from companion_api.trials.setting import Setting
    from companion_api.trials.stills import Stills
    from companion_api.trials.without import Sense, Senses
    from models.render.simulated import Filming
    from vision.eyes import Eyes

REAL, TRUE, SYNTHETIC = "real", "true", "synthetic"
EYES = (REAL, TRUE, SYNTHETIC)
EACH = "each"
MISREAD = 0.01
FPS, PACED_FPS = 5.0, 15.0
HAND_S = 3.0
"""So long a hand takes over a turn, or nearly."""
APART = 1000
"""The seeds of two games of one run lie so far apart: each is played with a set of its own."""
TOLD_SIZE = (480, 270)
"""Eyes that are told what lies there need pixels only to notice motion."""


@dataclass(frozen=True, slots=True)
class ShownStills:
    """What each sequence shows, and whether people put right what was missed."""

    moments: int
    style: str
    helping: bool
    illegal: int

    def __str__(self) -> str:
        helped = ", people helping" if self.helping else ""
        broken = f", {self.illegal} illegal acts" if self.illegal else ""
        return f"{self.moments} stills, {self.style} set{helped}{broken}"


def add_to(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    journeys: Annotated[bool, typer.Option("--journeys", help="play simulated games before the camera")] = False,
    paced: Annotated[
        bool, typer.Option("--paced", help="films at the pace of the clock: from hand to verdict, frames a second")
    ] = False,
    stills: Annotated[
        int, typer.Option("--stills", min=0, max=400, help="sequences per game of stills without hands")
    ] = 0,
    helping: Annotated[bool, typer.Option("--helping", help="--stills: people put right what was missed")] = False,
    games: Annotated[str, typer.Option("--games", help="names with commas between; all if left out")] = "",
    turns: Annotated[int, typer.Option("--turns", min=1, max=4000, help="turns per game of --journeys, --paced")] = 5,
    eyes: Annotated[
        str, typer.Option("--eyes", help="real; true: told what lies there, with errors; synthetic: no pictures at all")
    ] = REAL,
    illegal: Annotated[
        int, typer.Option("--illegal", min=0, max=4000, help="--journeys, --stills: illegal acts per game")
    ] = 0,
    without: Annotated[
        str,
        typer.Option(
            "--without",
            help="left out: witness, change, looks, nearer, names (--stills: each, one after the other); "
            "synthetic: legal, history, inventory, fusion",
        ),
    ] = "",
    misread: Annotated[float, typer.Option("--misread", min=0, max=1, help="synthetic: pieces misread")] = MISREAD,
    miss: Annotated[float, typer.Option("--miss", min=0, max=1, help="synthetic: pieces not seen in a look")] = 0.0,
    picture: Annotated[
        float | None, typer.Option("--picture", min=0, max=1, help="synthetic: a witness that errs so often at a place")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="which games, sets and lamps")] = 7,
    style: Annotated[str, typer.Option("--style", help="a set of `companion render`, or random")] = "classic",
    fps: Annotated[
        float | None, typer.Option("--fps", min=1, max=30, help="frames a second of --journeys [5] or --paced [15]")
    ] = None,
    hall: Annotated[bool, typer.Option("--hall", help="many simulated tables in a hall; needs PostgreSQL")] = False,
    tables: Annotated[int, typer.Option("--tables", min=1, max=2000, help="--hall: number of tables")] = 100,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", min=0.1, max=1440, help="of --hall [5], or of film per game of --journeys"),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help="processor threads of the eyes")] = 2,
    chaos: Annotated[int, typer.Option("--chaos", min=0, max=10_000, help="--hall: number of kills and cuts")] = 0,
    hubs: Annotated[int, typer.Option("--hubs", min=1, max=9, help="--hall: number of hubs")] = 1,
    away: Annotated[float, typer.Option("--away", min=0, help="--hall: seconds without any hub")] = 0.0,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", help="--journeys, --stills: kept here as they come; what is done is not repeated"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure seeing, judging and playing; with --journeys whole games from picture to verdict; or a whole hall."""
    if hall:
        _hall(tables, minutes or 5.0, (chaos, hubs, away), seed, as_json)
        return
    from companion_api.benching import SIZES, machine, of_games, seeing
    from companion_api.trials.drawn_deck import drawn_deck
    from models.render.simulated import Filming
    from vision.eyes import Eyes

    if eyes not in EYES:
        raise UsageError(f"--eyes must be one of {', '.join(EYES)}, not {eyes!r}")
    names = [game_named(name).card.id for name in games.split(",") if name]
    if journeys and eyes == SYNTHETIC:
        _try_the_referee(names, seed, (turns, illegal), _setting(without, misread, miss, picture), as_json)
        return
    if (illegal or without) and not (journeys or stills):
        raise UsageError("--illegal and --without go with --journeys or --stills")
    figures: dict[str, Any] = {"machine": machine()}
    real = Eyes(threads, deck=drawn_deck()) if eyes == REAL and (stills or journeys) else None
    if stills:
        wanted = range(seed, seed + stills)
        figures |= _stills(names, wanted, ShownStills(turns, style, helping, illegal), without, real, KeptFigures(keep))
    elif paced:
        films, seen = Filming(style, seed, fps or PACED_FPS), Eyes(threads, deck=drawn_deck())
        figures["paced"] = list(progress(_paced(names, seen, films, turns), len(names) or 14, "films"))
    elif journeys:
        plan = _plan(turns, illegal, minutes, without)
        travels = _travels(names, real, Filming(style, seed, fps or FPS), plan, KeptFigures(keep))
        figures["journeys"] = list(progress(travels, len(names) or 14, "journeys"))
        figures["eyes"] = eyes
    else:
        figures["seeing"] = dict(progress(seeing(Eyes()), len(SIZES), "seeing"))
        figures["games"] = dict(progress(of_games(names), len(names) or 14, "games"))
    if as_json:
        print_json(figures)
    else:
        print(json.dumps(figures, indent=2))


def _stills(
    names: list[str], seeds: range, shown: ShownStills, without: str, eyes: Eyes | None, kept: KeptFigures
) -> dict[str, object]:
    """Every sequence is drawn and looked at once, and judged with all senses or without some of them."""
    from companion_api.trials.stills import summary
    from companion_api.trials.without import Sense, Senses
    from rules.games import available

    lacking = [frozenset[Sense](), *(frozenset({sense}) for sense in Sense)] if without == EACH else [_lacking(without)]
    tried = {", ".join(sorted(less)): Senses(less) for less in lacking}
    todo = [(name, seed) for seed in seeds for name in names or available()]
    each = (_followed(name, seed, shown, [*tried.values()], eyes, kept) for name, seed in todo)
    found = list(progress(each, len(todo), "stills"))
    told = {less: [one[number] for one in found] for number, less in enumerate(tried)}
    if len(tried) > 1:
        return {"without": {less or "nothing": summary(one) for less, one in told.items()}}
    only = next(iter(told.values()))
    return {"stills": [one.to_json() for one in only], "all": summary(only)}


def _followed(
    name: str, seed: int, shown: ShownStills, senses: Sequence[Senses], eyes: Eyes | None, kept: KeptFigures
) -> list[Stills]:
    """What was measured before is not measured again."""
    from companion_api.trials.stills import Stills, followed_stills
    from rules.games import game
    from vision.gaze import Gaze

    told = "" if eyes else ", told what lies there"
    asked = f"{name}: {shown}, seed {seed}{told}, {'; '.join(map(str, senses))}"
    if (before := kept.done(asked)) is not None:
        return [Stills.from_json(one) for one in before["stills"]]
    found = followed_stills(
        game(name), seed, shown.moments, shown.style, Gaze(eyes) if eyes else None, senses, shown.helping, shown.illegal
    )
    kept.keep(asked, {"stills": [one.to_json() for one in found]}, done=True)
    return found


def _lacking(without: str) -> frozenset[Sense]:
    from companion_api.trials.without import Sense

    names = [name for name in without.split(",") if name]
    unknown = next((name for name in names if name not in set(Sense)), None)
    if unknown is not None:
        raise UsageError(f"--without takes {', '.join(Sense)}, not {unknown!r}")
    return frozenset(Sense(name) for name in names)


def _hall(tables: int, minutes: float, broken: tuple[int, int, float], seed: int, as_json: bool) -> None:
    try:
        from companion_api.hall.bench.building import BenchPlan
        from companion_api.hall.bench.run import measured
        from companion_api.hall.bench.servers import BenchError
        from companion_api.hall.broker import BrokerError
    except ImportError:
        raise UsageError("--hall needs the extra: pip install 'piecepack-companion[hall]'") from None
    from companion_api.benching import machine

    chaos, hubs, away = broken
    try:
        figures = measured(
            BenchPlan(tables, minutes, 1.0, chaos, hubs, away, seed), lambda text: print(text, file=sys.stderr)
        )
    except (BenchError, BrokerError) as error:
        raise CommandError(str(error)) from None
    if as_json:
        print_json({"machine": machine(), "hall": figures})
    else:
        print(json.dumps({"machine": machine(), "hall": figures}, indent=2))
    if figures["games_that_differ"] or figures["events_in_logs"] != figures["events_in_database"]:
        raise CommandError("the database is not what the logs are")


def _setting(without: str, misread: float, miss: float, picture: float | None) -> Setting:
    from companion_api.trials.setting import Part, Setting
    from companion_api.trials.synthetic import Noise
    from companion_api.trials.witness import PictureErrors

    names = [name for name in without.split(",") if name]
    unknown = next((name for name in names if name not in set(Part)), None)
    if unknown is not None:
        raise UsageError(f"--without takes {', '.join(Part)}, not {unknown!r}")
    noise = Noise(misread=misread, flicker=2 * misread, miss=miss)
    told = None if picture is None else PictureErrors(overlooked=picture, imagined=picture / 10, mute=picture)
    return Setting(noise, picture=told, without=frozenset(Part(name) for name in names))


def _try_the_referee(names: list[str], seed: int, wanted: tuple[int, int], setting: Setting, as_json: bool) -> None:
    from companion_api.benching import machine
    from companion_api.trials.bench import table, tried
    from rules.games import available, game

    todo = names or available()
    scores = list(progress((tried(game(name), seed, *wanted, setting) for name in todo), len(todo), "trials"))
    if as_json:
        print_json({"machine": machine(), "eyes": SYNTHETIC, "journeys": [score.to_json() for score in scores]})
    else:
        print("\n".join(table(scores)))


def _plan(turns: int, illegal: int, minutes: float | None, without: str) -> JourneyPlan:
    """So many turns, spread over the minutes if any are given."""
    from companion_api.journeys import PAUSE_S, JourneyPlan
    from companion_api.trials.without import Senses

    spread = PAUSE_S if minutes is None else max(PAUSE_S, 60 * minutes / turns - HAND_S)
    return JourneyPlan(turns, illegal, spread, Senses(_lacking(without)))


def _paced(names: list[str], eyes: Eyes, filming: Filming, turns: int) -> Iterable[Figures]:
    """The same games, sets and cameras as the journeys have."""
    from companion_api.trials.paced import filmed, paced
    from rules.games import available, game
    from vision.gaze import Gaze

    for name in names or available():
        film = _own(filming, name)
        yield paced(filmed(game(name), turns, film), lambda: Gaze(eyes)).to_json()


def _own(filming: Filming, name: str) -> Filming:
    """A set, a light and a camera of the game's own."""
    from companion_api.trials.stills import view_of
    from rules.games import available

    seed = filming.seed + APART * available().index(name)
    return replace(filming, seed=seed, view=view_of(seed))


def _travels(
    names: list[str], eyes: Eyes | None, filming: Filming, plan: JourneyPlan, kept: KeptFigures
) -> Iterable[Figures]:
    """Eyes that are told what lies there have small pictures."""
    from rules.games import available

    for name in names or available():
        film = _own(filming, name)
        small = replace(filming.view, width=TOLD_SIZE[0], height=TOLD_SIZE[1])
        figures = _travelled(name, eyes, film if eyes else replace(film, view=small), plan, kept)
        print(f"{name}: {figures['right']} of {figures['turns']} turns right", file=sys.stderr)
        yield figures


def _travelled(name: str, eyes: Eyes | None, film: Filming, plan: JourneyPlan, kept: KeptFigures) -> Figures:
    """What was measured before is not measured again."""
    from companion_api.journeys import travel
    from companion_api.simulated.true_eyes import TrueEyes
    from rules.games import game
    from vision.gaze import Gaze

    asked = f"{name}: {film.style} set, seed {film.seed}, {film.fps} fps, {REAL if eyes else TRUE} eyes, {plan}"
    if (before := kept.done(asked)) is not None:
        return before
    figures = travel(
        game(name),
        plan,
        lambda camera, own: Gaze(eyes) if eyes else TrueEyes.at(camera, own),
        film,
        lambda journey: kept.keep(asked, journey.to_json(), done=False),
    ).to_json()
    kept.keep(asked, figures, done=True)
    return figures
