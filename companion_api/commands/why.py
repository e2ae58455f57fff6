"""`companion why`: follow stills, and tell why one of them was judged as it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from companion_api.commands.console import UsageError, game_named, print_json, started
from companion_api.commands.games import Json, Options, Seats
from companion_api.commands.look import known_table
from companion_api.commands.watch import Beforehand, after_told
from rules.engine.history import History
from rules.referee.explanation import Explanation
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict
from rules.table.evidence import TableEvidence


def add_to(app: typer.Typer) -> None:
    app.command("why")(why)


@dataclass(frozen=True, slots=True)
class ExplainedLook:
    """One look of the referee: `at` is its moment, in seconds."""

    at: float
    verdict: Verdict
    why: Explanation


class ExplainedReferee(Referee):
    """Keeps the explanation of every look."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.looks: list[ExplainedLook] = []

    def judged(self, seen: TableEvidence) -> tuple[Verdict, Memory]:
        verdict, memory = super().judged(seen)
        self.looks.append(ExplainedLook(seen.table.time, verdict, self.explanation))
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

    rules = game_named(game)
    chosen, people = started(rules, options, seats)
    referee = ExplainedReferee(rules, after_told(History.begin(rules, chosen, people), told or []))
    paths = _stills(pictures)
    number = len(paths) if look is None else look
    if number > len(paths):
        raise UsageError(f"--look {number}: there are only {len(paths)} pictures")
    camera = Stills(paths[:number], paths[0].parent.name)
    pipeline = Pipeline(camera, AdaptiveReader(TableReader(priors=known_table(profile))))
    for _ in TableWatcher(RefereeJudge(referee)).watch(pipeline):
        pass
    for explained in referee.looks:
        if round(explained.at) == number - 1:
            _tell(explained, number, paths[number - 1].name, rules, count, as_json)


def _stills(given: list[Path]) -> list[Path]:
    """The picture files, each of which can be read."""
    from vision.camera import CameraError
    from vision.camera.recorded import pictures_in
    from vision.frame import PictureError, read_frame

    try:
        paths = pictures_in(given[0]) if len(given) == 1 and given[0].is_dir() else given
        for path in paths:
            read_frame(path)
    except (CameraError, PictureError) as error:
        raise UsageError(str(error)) from None
    return paths


def _tell(explained: ExplainedLook, number: int, picture: str, rules: Any, count: int | None, as_json: bool) -> None:
    verdict = explained.verdict
    if as_json:
        judged = {"verdict": verdict.kind.value, "actions": [a.id for a in verdict.actions], "text": verdict.text}
        print_json({"look": number, "picture": picture, **judged, **explained.why.to_json(rules, count)})
        return
    print(f"look {number}, {picture}: {verdict.kind.value}: {verdict.text}")
    for line in explained.why.lines(rules, count):
        print(line)
