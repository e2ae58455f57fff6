"""`companion watch`: follow a camera, a video or a folder of stills, and print a verdict event a line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import CommandError, UsageError, game_named, print_json, started
from companion_api.commands.games import Json, Options, Seats
from companion_api.commands.look import known_table
from companion_api.commands.stage_option import Stage, requested
from rules.engine.card import GameCard, by_name, read_seats
from rules.engine.history import History
from rules.referee.judge import seat_name
from rules.sentence import SeatNames

if TYPE_CHECKING:
    from rules.referee.referee import Referee

Beforehand = Annotated[
    list[str] | None,
    typer.Option("--told", help="what only people can tell, such as a deal, before the first look; repeatable"),
]


def add_to(app: typer.Typer) -> None:
    app.command("watch")(watch)


def watch(
    source: Annotated[
        str, typer.Argument(help="camera index, video file, folder, http(s)/rtsp address, or `simulated`")
    ],
    game: Annotated[str, typer.Option("--game", help="one of `companion games`")],
    options: Options = None,
    seats: Seats = None,
    profile: Annotated[Path | None, typer.Option("--profile", help="a calibrated table")] = None,
    realtime: Annotated[bool, typer.Option("--realtime", help="play a file at its own speed")] = False,
    seed: Annotated[int, typer.Option("--seed", help="which simulated game")] = 1,
    stage: Stage = None,
    told: Beforehand = None,
    keep_set: Annotated[
        str | None,
        typer.Option("--keep-set", help="keep under this name, in --profile, how the set looked in this game"),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="tell with each verdict what was compared and what decided")
    ] = False,
    as_json: Json = False,
) -> None:
    """Referee what a camera sees."""
    from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
    from rules.referee.referee import Referee
    from vision.adaptive_reader import AdaptiveReader
    from vision.camera import CameraError, open_camera
    from vision.pipeline import Pipeline
    from vision.table_reader import TableReader

    rules = game_named(game)
    chosen, people = started(rules, options, seats)
    known = known_table(profile if keep_set is None or (profile and profile.exists()) else None)
    requests = requested(stage)
    if stage and source != "simulated":
        raise UsageError("--stage needs the simulated table: companion watch simulated")
    referee = Referee(rules, after_told(History.begin(rules, chosen, people), told or []))
    try:
        camera = (
            _simulated(game, chosen, people, seed, referee, requests)
            if source == "simulated"
            else open_camera(source, realtime)
        )
    except CameraError as error:
        raise UsageError(str(error)) from None
    seq = 0
    try:
        for news in TableWatcher(RefereeJudge(referee)).watch(
            Pipeline(camera, AdaptiveReader(TableReader(priors=known)))
        ):
            if isinstance(news, TimedVerdict):
                seq += 1
                _tell(seq, news, referee, as_json, explain)
    except OSError as error:
        raise CommandError(str(error)) from None
    finally:
        camera.close()
    if keep_set is not None:
        print(kept_set(referee, keep_set, profile), file=sys.stderr)


def kept_set(referee: Referee, name: str, profile: Path | None) -> str:
    """What the game showed of the set goes into the profile; what was done is told."""
    from calibration.lesson_task import LessonError
    from calibration.profile import load_or_new
    from calibration.profile_store import ProfileError
    from companion_api.setting_up.learnt import keeping, learnt
    from companion_api.settings import Settings

    path = profile or Settings().data / "profile.json"
    try:
        made = keeping(load_or_new(path, path.stem), learnt(referee.history, referee.memory), name)
        made.save(path)
    except (LessonError, ProfileError) as error:
        raise CommandError(str(error)) from None
    return f"{path}: {made.set_named(name).faces} faces of {name!r} are known by their looks"


def after_told(history: History, told: list[str]) -> History:
    """The game after what people say was done; what cannot have been done ends the command with its reason."""
    for text in told:
        try:
            action = history.game.read(history.state, text)
        except ValueError as error:
            raise UsageError(f"--told {text}: {error}") from None
        if refusal := history.game.refusal(history.state, action):
            raise UsageError(f"--told {text}: {refusal.text} ({refusal.clause})")
        history = history.play(action)
    return history


def _simulated(game: str, options: Any, seats: Any, seed: int, referee: Any, requests: Any) -> Any:
    from companion_api.simulated.simulation import simulated_camera

    return simulated_camera(game, options, seats, seed, referee, requests)


def _tell(seq: int, told: Any, referee: Any, as_json: bool, explain: bool) -> None:
    verdict, game = told.verdict, referee.game
    outcome = game.outcome(referee.history.state)
    if not as_json:
        seat_names = by_name(read_seats(game.card, referee.history.seats))
        print(f"{told.moment.at:8.1f} s  {verdict.kind.value:10} {verdict.sentence.english(seat_names)}")
        for line in referee.explanation.lines(game) if explain else ():
            print(line)
        return
    plain = verdict.to_json(game)
    seat = game.actor(_before(referee), verdict.actions[0]) if verdict.actions else None
    print_json(
        {
            "seq": seq,
            "t": round(told.moment.at, 3),
            "seat": seat,
            **plain,
            "scores": outcome.points(_seat_names(game.card, referee.history.seats)),
            "outcome": outcome.to_json() if outcome.over else None,
            "latency_ms": round(told.latency_ms, 1),
            **({"explanation": referee.explanation.to_json(game)} if explain else {}),
        }
    )


def _seat_names(card: GameCard, seats: object) -> SeatNames:
    """As the judge calls them: by suit where a seat has one."""
    people = read_seats(card, seats)
    return lambda seat: seat_name(people, seat)


def _before(referee: Any) -> Any:
    entries = referee.history.entries
    return entries[-2].state if len(entries) > 1 else referee.history.first
