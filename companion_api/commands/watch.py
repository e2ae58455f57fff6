"""`companion watch`: follow a camera, a video or a folder of stills and print one verdict per line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion_api.commands.console import CommandError, UsageError, as_usage, print_json, started
from companion_api.commands.games import Json, Options, Seats
from companion_api.commands.look import known_table
from companion_api.commands.profile import load_profile, profile_path
from companion_api.dialogue import seat_name
from rules.engine.card import by_name, read_seats
from rules.engine.history import History
from rules.referee.explanation import Explanation
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict
from rules.table.evidence import TableEvidence

if TYPE_CHECKING:
    from companion_api.simulated.incidents import Requests

Beforehand = Annotated[
    list[str] | None,
    typer.Option("--told", help="what only people can tell, such as a deal, before the first look; repeatable"),
]


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
    from companion_api.simulated.script import simulated_camera
    from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
    from vision.adaptive_reader import AdaptiveReader
    from vision.camera import CameraError, open_camera
    from vision.pipeline import Pipeline
    from vision.table_reader import TableReader

    rules, chosen, people = started(game, options, seats)
    known = known_table(profile if keep_set is None or (profile and profile.exists()) else None)
    requests = requested(stage)
    if stage and source != "simulated":
        raise UsageError("--stage needs the simulated table: companion watch simulated")
    referee = Referee(rules, history_after(History.begin(rules, chosen, people), told or []))
    with as_usage(CameraError):
        camera = (
            simulated_camera(game, chosen, people, seed, referee, requests)
            if source == "simulated"
            else open_camera(source, realtime)
        )
    pipeline, seq = Pipeline(camera, AdaptiveReader(TableReader(priors=known))), 0
    try:
        for news in TableWatcher(RefereeJudge(referee)).watch(pipeline):
            if isinstance(news, TimedVerdict):
                seq += 1
                _print_verdict(seq, news, referee, as_json, explain)
    except OSError as error:
        raise CommandError(str(error)) from None
    finally:
        camera.close()
    if keep_set is not None:
        print(save_learned_set(referee, keep_set, profile), file=sys.stderr)


def save_learned_set(referee: Referee, name: str, profile: Path | None) -> str:
    """Saves the appearances learned in the game in the profile; returns what was saved."""
    from calibration.lesson_task import LessonError
    from calibration.profile_store import ProfileError
    from companion_api.setting_up.learnt import learned_appearances, with_learned

    path = profile_path(profile)
    try:
        made = with_learned(load_profile(path), learned_appearances(referee.history, referee.memory), name)
        made.save(path)
    except (LessonError, ProfileError) as error:
        raise CommandError(str(error)) from None
    return f"{path}: {made.set_named(name).faces} faces of {name!r} are known by their looks"


def history_after(history: History, told: list[str]) -> History:
    """The history after the actions of --told; UsageError for an illegal one."""
    for text in told:
        try:
            action = history.game.read(history.state, text)
        except ValueError as error:
            raise UsageError(f"--told {text}: {error}") from None
        if refusal := history.game.refusal(history.state, action):
            raise UsageError(f"--told {text}: {refusal.text} ({refusal.clause})")
        history = history.play(action)
    return history


def _print_verdict(seq: int, told: Any, referee: Any, as_json: bool, explain: bool) -> None:
    verdict, game = told.verdict, referee.game
    outcome, people = game.outcome(referee.history.state), read_seats(game.card, referee.history.seats)
    if not as_json:
        print(f"{told.moment.at:8.1f} s  {verdict.kind.value:10} {verdict.sentence.english(by_name(people))}")
        for line in referee.explanation.lines(game) if explain else ():
            print(line)
        return
    plain = verdict.to_json(game)
    before = referee.history.undo(1).state if referee.history.entries else referee.history.first
    seat = game.actor(before, verdict.actions[0]) if verdict.actions else None
    print_json(
        {
            "seq": seq,
            "t": round(told.moment.at, 3),
            "seat": seat,
            **plain,
            "scores": outcome.points(lambda seat: seat_name(people, seat)),  # by suit, as in `companion judge`
            "outcome": outcome.to_json() if outcome.over else None,
            "latency_ms": round(told.latency_ms, 1),
            **({"explanation": referee.explanation.to_json(game)} if explain else {}),
        }
    )


Stage = Annotated[
    list[str] | None,
    typer.Option("--stage", help="at the simulated table: illegal (or a kind of it), take_back, quick, jostle, bump, "
                 "lamp, cup, arm; may be given several times"),
]  # fmt: skip


def requested(incidents: list[str] | None) -> Requests:
    """Incidents from the command line, staged in order."""
    from companion_api.simulated.incidents import Requests

    with as_usage(ValueError):
        return Requests(incidents or ())


class ExplainedReferee(Referee):
    """Keeps the time in seconds, the verdict and the explanation of every look."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.looks: list[tuple[float, Verdict, Explanation]] = []

    def judged(self, seen: TableEvidence) -> tuple[Verdict, Memory]:
        verdict, memory = super().judged(seen)
        self.looks.append((seen.table.time, verdict, self.explanation))
        return verdict, memory


def why(
    pictures: Annotated[
        list[Path], typer.Argument(metavar="PICTURES...", help="stills: one folder, or files in order")
    ],
    game: Annotated[str, typer.Option("--game", help="one of `companion games`")],
    options: Options = None,
    seats: Seats = None,
    profile: Annotated[Path | None, typer.Option("--profile", help="a calibrated table")] = None,
    told: Beforehand = None,
    look: Annotated[
        int | None, typer.Option("--look", min=1, help="which picture is explained; the last, if none")
    ] = None,
    count: Annotated[
        int | None, typer.Option("--count", min=1, help="outcomes told of each comparison, if not five")
    ] = None,
    as_json: Json = False,
) -> None:
    """Follow stills and tell what the referee compared at one of them, what each explanation costs (in nats, the
    cheapest first) and what decided.

    Try:  companion why stills --game dodgem --look 3
    """
    from companion_api.watching.table_watcher import RefereeJudge, TableWatcher
    from vision.adaptive_reader import AdaptiveReader
    from vision.camera.recorded import Stills
    from vision.pipeline import Pipeline
    from vision.table_reader import TableReader

    rules, chosen, people = started(game, options, seats)
    referee = ExplainedReferee(rules, history_after(History.begin(rules, chosen, people), told or []))
    paths = _stills(pictures)
    number = len(paths) if look is None else look
    if number > len(paths):
        raise UsageError(f"--look {number}: there are only {len(paths)} pictures")
    camera = Stills(paths[:number], paths[0].parent.name)
    pipeline = Pipeline(camera, AdaptiveReader(TableReader(priors=known_table(profile))))
    for _ in TableWatcher(RefereeJudge(referee)).watch(pipeline):
        pass
    picture = paths[number - 1].name
    for at, verdict, explanation in referee.looks:
        if round(at) != number - 1:
            continue
        if as_json:
            judged = {"verdict": verdict.kind.value, "actions": [a.id for a in verdict.actions], "text": verdict.text}
            print_json({"look": number, "picture": picture, **judged, **explanation.to_json(rules, count)})
            continue
        print(f"look {number}, {picture}: {verdict.kind.value}: {verdict.text}")
        for line in explanation.lines(rules, count):
            print(line)


def _stills(given: list[Path]) -> list[Path]:
    """The picture files, checked to be readable."""
    from vision.camera import CameraError
    from vision.camera.recorded import pictures_in
    from vision.frame import PictureError, read_frame

    with as_usage(CameraError, PictureError):
        paths = pictures_in(given[0]) if len(given) == 1 and given[0].is_dir() else given
        for path in paths:
            read_frame(path)
    return paths
