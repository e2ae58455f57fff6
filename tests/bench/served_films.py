"""Real films through a table server: `python -m tests.bench.served_films FOLDER`.

Each folder below FOLDER that holds stills and a script.json (game, options, seats, and for every still the actions done
since the one before; `told`: what only people can tell) becomes a film in which every still is shown for some seconds.
The film is the camera of `companion serve`; from the log of the table it is counted how many of the true actions stand
there in the end, in order. With --watch the same film goes through `companion watch` too, to be compared. With --posts
a phone sets the clock all the while, and how long it waits for an answer is told.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from companion_api.__main__ import run_command
from companion_api.access import Role, Token
from companion_api.commands.console import UsageError, print_json
from companion_api.commands.games import Json
from companion_api.log.databases import SqliteLog
from companion_api.log.event import Event, EventKind
from companion_api.seat_view import Status
from companion_api.session import Session
from rules.engine.action import Action, parse_action
from rules.engine.history import History
from rules.games import game
from rules.referee.decision import with_actions
from tests.bench.soak.phones import Line
from tests.bench.soak.served import Served
from tests.bench.trials.alike import quarters_alike

ASKED_EVERY_S = 0.3
POSTED_EVERY_S = 0.05
LASTS_S = 1800.0
"""A film that is not over after so long is given up."""


@dataclass(frozen=True, slots=True)
class FilmedGame:
    """What a folder of stills tells of its game."""

    folder: Path
    script: dict[str, Any]

    @staticmethod
    def read(folder: Path) -> FilmedGame:
        try:
            return FilmedGame(folder, json.loads((folder / "script.json").read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise UsageError(f"{folder}: not a folder of stills with a script.json ({error})") from None

    @property
    def arguments(self) -> list[str]:
        """How `companion serve` and `companion watch` are told the game."""
        told = [text for still in self.script["stills"][:1] for text in still.get("told", ())]
        given = [f"--game={self.script['game']}", *(f"--told={text}" for text in told)]
        for name in ("options", "seats"):
            given += [f"--{name}={json.dumps(self.script[name])}"] if self.script.get(name) else []
        return given

    @property
    def begun(self) -> History:
        """The game after what was told beforehand."""
        history = History.begin(game(self.script["game"]), self.script.get("options"), self.script.get("seats"))
        return with_actions(history, map(parse_action, self.script["stills"][0].get("told", ())))

    @property
    def done(self) -> list[Action]:
        return [parse_action(text) for still in self.script["stills"] for text in still["actions"]]

    def film(self, path: Path, seconds: float, fps: float) -> None:
        writer: cv2.VideoWriter | None = None
        for still in self.script["stills"]:
            image = cv2.imread(str(self.folder / still["image"]))
            if image is None:
                raise UsageError(f"{self.folder / still['image']}: not a picture that can be read")
            size = image.shape[1], image.shape[0]
            writer = writer or cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
            for _ in range(round(seconds * fps)):
                writer.write(image)
        if writer is not None:
            writer.release()


@dataclass(frozen=True, slots=True)
class FilmResult:
    """What stands in the end, how much of it is true, and what people were told meanwhile."""

    way: str
    name: str
    true: int
    standing: int
    stood: tuple[str, ...]
    told: Counter[str]
    lasted_s: float
    posts_ms: tuple[float, ...] = ()
    """How long each post of a phone took."""

    def to_json(self) -> dict[str, object]:
        return {
            "way": self.way,
            "film": self.name,
            "true": self.true,
            "standing": self.standing,
            "accepted": len(self.stood),
            **{kind: self.told[kind] for kind in ("undo", "ambiguous", "refused", "impossible")},
            "stood": list(self.stood),
            "lasted_s": round(self.lasted_s, 1),
            **({"posts_ms": _quantiles(self.posts_ms)} if self.posts_ms else {}),
        }


class PostingPhone(threading.Thread):
    """A host who sets the clock again and again: an event of the log that changes nothing on the table."""

    def __init__(self, line: Line) -> None:
        super().__init__(daemon=True)
        self._line = line
        self._over = threading.Event()
        self.took_ms: list[float] = []

    def run(self) -> None:
        count = 0
        while not self._over.wait(POSTED_EVERY_S):
            begun, count = time.perf_counter(), count + 1
            try:
                status, answer = self._line.ask("clock", {"minutes": 30 + count % 2})
            except OSError:
                continue  # it is not open yet
            if status >= 400:
                raise RuntimeError(f"the clock was not set: {status} {answer}")
            self.took_ms.append(1000 * (time.perf_counter() - begun))

    def stop(self) -> tuple[float, ...]:
        self._over.set()
        self.join()
        return tuple(self.took_ms)


def _quantiles(took_ms: Sequence[float]) -> dict[str, float]:
    shares = {f"p{share}": round(float(np.percentile(took_ms, share)), 1) for share in (50, 95, 99)}
    return {"count": len(took_ms), **shares, "most": round(max(took_ms), 1)}


def standing(begun: History, true: Sequence[Action], stood: Sequence[Action]) -> int:
    """How many of the true actions stand, in order. One stands by its name, or where the table after it looks like the
    true one; a board that is the same from two sides may be taken for turned."""
    rules, truth, belief = begun.game, _states(begun, true), _states(begun, stood)

    def in_order(turn: int) -> int:
        """The longest common subsequence."""
        best = [0] * (len(stood) + 1)
        for action, state in zip(true, truth, strict=True):
            row = [0]
            for at, (other, believed) in enumerate(zip(stood, belief, strict=True)):
                named = turn == 0 and action == other
                same = named or bool(quarters_alike(rules.layout(believed), rules.layout(state), [turn]))
                row.append(max(row[at], best[at + 1], best[at] + same))
            best = row
        return best[-1]

    return max(in_order(turn) for turn in range(4))


def _states(history: History, actions: Sequence[Action]) -> list[Any]:
    return [entry.state for entry in with_actions(history, actions).entries[len(history.entries) :]]


def served(filmed: FilmedGame, film: Path, posts: bool = False) -> FilmResult:
    """The film as the camera of a server of its own."""
    begun, took_ms = time.monotonic(), tuple[float, ...]()
    with tempfile.TemporaryDirectory(prefix="served-film-") as folder:
        data = Path(folder)
        server = Served(data, ["--camera", str(film), *filmed.arguments])
        server.start()
        try:
            table = server.first_table()
            phone = PostingPhone(Line(server.port, data, Token(table, Role.HOST)))
            if posts:
                phone.start()
            _wait_for_the_end(server, Line(server.port, data, Token(table, Role.SPECTATOR)))
            took_ms = phone.stop() if posts else ()
        finally:
            server.kill()
        log = SqliteLog(data / "companion.db")
        session = Session(log, table)
        log.close()
    told = Counter(_word(event) for event in session.events)
    return replace(_result("served", filmed, session.history.actions, told, time.monotonic() - begun), posts_ms=took_ms)


def _word(event: Event) -> str:
    return str(event.data["verdict"]) if event.kind is EventKind.VERDICT else event.kind.value


def _wait_for_the_end(server: Served, line: Line) -> None:
    """Until the camera was there and is there no more."""
    was_there, until = False, time.monotonic() + LASTS_S
    while time.monotonic() < until and not server.has_fallen:
        try:
            status = line.ask("board")[1]["status"]
        except OSError:
            status = None  # it is not open yet
        was_there = was_there or status not in (None, Status.NO_CAMERA.value)
        if was_there and status == Status.NO_CAMERA.value:
            return
        time.sleep(ASKED_EVERY_S)


def watched(filmed: FilmedGame, film: Path) -> FilmResult:
    """The film through `companion watch`."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "companion_api", "watch", str(film), "--json", *filmed.arguments]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=LASTS_S).stdout.splitlines()
    told, history = Counter[str](), filmed.begun
    for line in map(json.loads, lines):
        if line["verdict"] == "accepted" and line["undone"]:
            told["undo"] += 1
            history = history.undo(line["undone"])
        elif line["verdict"] == "accepted":
            history = with_actions(history, map(parse_action, line["actions"]))
        else:
            told[line["verdict"]] += 1
    return _result("watched", filmed, history.actions, told, time.monotonic() - begun)


def _result(way: str, filmed: FilmedGame, actions: Sequence[Action], told: Counter[str], lasted_s: float) -> FilmResult:
    first = filmed.begun
    stood = list(actions[len(first.actions) :])
    count = standing(first, filmed.done, stood)
    return FilmResult(
        way, filmed.folder.name, len(filmed.done), count, tuple(action.id for action in stood), told, lasted_s
    )


def served_films(
    folder: Annotated[Path, typer.Argument(help="folders of stills with a script.json lie in it")],
    films: Annotated[str, typer.Option("--films", help="only these folders, with commas between")] = "",
    seconds: Annotated[float, typer.Option("--seconds", min=0.4, help="how long each still is shown")] = 3.0,
    fps: Annotated[float, typer.Option("--fps", min=1.0, max=60.0, help="frames a second of the films")] = 5.0,
    watch: Annotated[bool, typer.Option("--watch", help="the same films through `companion watch` too")] = False,
    posts: Annotated[bool, typer.Option("--posts", help="how long a phone waits that posts all the while")] = False,
    as_json: Json = False,
) -> None:
    """Serve films of real games and count the true actions that stand in the log."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; give one that holds folders of stills with a script.json")
    names = films.split(",") if films else sorted(path.parent.name for path in folder.glob("*/script.json"))
    if not names:
        raise UsageError(f"{folder}: no folder of stills with a script.json in it")
    found: list[FilmResult] = []
    with tempfile.TemporaryDirectory(prefix="films-") as made:
        for filmed in [FilmedGame.read(folder / name) for name in names]:
            film = Path(made) / f"{filmed.folder.name}.mp4"
            filmed.film(film, seconds, fps)
            for way in (partial(served, posts=posts), *((watched,) if watch else ())):
                found.append(way(filmed, film))
                if as_json:
                    print_json(found[-1].to_json())
                else:
                    print(_line(found[-1]), flush=True)
    for name in dict.fromkeys(one.way for one in found):
        print(_sum([one for one in found if one.way == name]), file=sys.stderr if as_json else sys.stdout)


def _sum(found: Sequence[FilmResult]) -> str:
    told = sum((one.told for one in found), Counter[str]())
    true, stand = sum(one.true for one in found), sum(one.standing for one in found)
    took_ms = [took for one in found for took in one.posts_ms]
    return (
        f"{found[0].way}: {stand} of {true} true actions stand in {len(found)} films; "
        f"refused {told['refused']}, asked {told['ambiguous']}, please look {told['impossible']}"
        + (f"; posts in ms: {_quantiles(took_ms)}" if took_ms else "")
    )


def _line(one: FilmResult) -> str:
    told = ", ".join(f"{kind} {one.told[kind]}" for kind in ("undo", "ambiguous", "refused", "impossible"))
    return (
        f"{one.way:8} {one.name:18} {one.standing:3} of {one.true:3} stand, {len(one.stood):3} taken; {told}; "
        f"{one.lasted_s:.0f} s"
    )


def main(argv: list[str] | None = None) -> int:
    app = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False)
    app.command()(served_films)
    return run_command(app, argv, "python -m tests.bench.served_films")


if __name__ == "__main__":
    sys.exit(main())
