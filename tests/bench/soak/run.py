"""One soak from beginning to end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from companion_api.log.databases import SqliteLog
from tests.bench.soak import invariants
from tests.bench.soak.chaos import Chaos, give_back, small_disk
from tests.bench.soak.phones import FlappingPhone, PlayingHost, SoakWorld
from tests.bench.soak.report import Report
from tests.bench.soak.served import Served

CALM_SHARE = 0.4
"""The last part of a soak in which nobody is killed."""
SETTLE_S = 8.0
TOLD = 600
"""So many letters of a traceback are told: its last frames and the error."""


@dataclass(frozen=True)
class SoakPlan:
    minutes: float
    game: str = "ice_floe"
    source: str = "drawn"
    phones: int = 20
    chaos_every_s: float = 12.0
    play_every_s: float = 0.4


def soak(plan: SoakPlan, tell: Callable[[str], None] = lambda _: None) -> Report:
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as folder:
        data = Path(folder) / "data"
        small = small_disk(data, plan.minutes)
        try:
            return _Soak(plan, data, small, tell).run()
        finally:
            if small:
                give_back(data)


class _Soak:
    def __init__(self, plan: SoakPlan, data: Path, small: bool, tell: Callable[[str], None]) -> None:
        self._plan, self._data, self._small, self._tell = plan, data, small, tell
        self._served = Served(data, ["--camera", plan.source, "--game", plan.game])

    def run(self) -> Report:
        self._served.start()
        try:
            world = SoakWorld(self._served.first_table())
            chaos = Chaos(self._served, world, self._plan.source, self._small)
            host = PlayingHost(self._served.port, self._data, world, self._plan.game, self._plan.play_every_s)
            phones = [FlappingPhone(n, self._served.port, self._data, world) for n in range(self._plan.phones)]
            self._let_them_play([host, *phones], chaos, world)
        finally:
            self._served.kill()
        return self._judged(world, chaos, host, phones)

    def _let_them_play(self, people: list[PlayingHost | FlappingPhone], chaos: Chaos, world: SoakWorld) -> None:
        for one in people:
            one.start()
        begun = time.monotonic()
        seconds = self._plan.minutes * 60
        next_chaos, next_sample, next_word = 3.0, 0.0, 60.0
        while (now := time.monotonic() - begun) < seconds:
            if now >= next_sample:
                self._served.measure(now)
                next_sample = now + max(0.5, seconds / 2000)
            if now >= next_chaos:
                chaos.one(calm=now > seconds * (1 - CALM_SHARE))
                next_chaos = time.monotonic() - begun + self._plan.chaos_every_s
            if now >= next_word:
                self._tell(f"{now / 60:.0f} of {self._plan.minutes:g} minutes, event {world.seq}, {dict(chaos.done)}")
                next_word += 60.0
            if self._served.has_fallen:
                world.problems.append("the server ended by itself")
                self._served.start()
            time.sleep(0.1)
        chaos.end()
        time.sleep(SETTLE_S)  # whoever waits for an answer gets one
        world.over.set()
        for one in people:
            one.join(timeout=15)

    def _judged(self, world: SoakWorld, chaos: Chaos, host: PlayingHost, phones: list[FlappingPhone]) -> Report:
        log = SqliteLog(self._data / "companion.db")
        tables = log.tables()
        heard = [one for phone in phones for one in phone.heard.values()]
        staged = chaos.done["illegal act"]
        found: Iterator[str] = chain(
            *(invariants.log_is_whole(log, table) for table in tables),
            invariants.nothing_is_lost(log, host.acknowledged),
            invariants.phones_heard_all(log, heard),
            invariants.no_secret_was_told(log, heard),
            invariants.only_green(log, tables, staged),
            invariants.flat(self._served.samples),
            self._words_of_the_server(),
        )
        report = Report(self._plan.minutes, self._plan.game, self._plan.source, self._plan.phones)
        report.problems = [*world.problems, *found]
        report.chaos = dict(chaos.done)
        report.left_out = [] if self._small else ["a full disk: no small file system could be mounted here"]
        report.samples = self._served.samples
        delays = sorted(1e3 * d for phone in phones for d in phone.delays_s)
        report.delays_ms = [1e3 * d for phone in phones for d in phone.delays_s][-4000:]
        report.figures = {
            "tables": len(tables),
            "events": sum(len(log.read(table)) for table in tables),
            "acknowledged posts": len(host.acknowledged),
            "lives of the server": self._served.life,
            "connections of phones": sum(phone.connections for phone in phones),
            "events heard by phones": sum(len(one.events) for one in heard),
            "posts repeated because the server was away": host.repeated,
            "posts answered 503 and repeated": host.unavailable,
            "event to phone, ms (p50)": round(_share(delays, 0.5), 1),
            "event to phone, ms (p99)": round(_share(delays, 0.99), 1),
            "memory at most, MB": round(max((s.memory_mb for s in report.samples), default=0.0), 1),
            "memory at the end, MB": round(report.samples[-1].memory_mb, 1) if report.samples else 0.0,
        }
        log.close()
        return report

    def _words_of_the_server(self) -> Iterator[str]:
        """It says where phones find it; a traceback it never says."""
        said = traceback_in(self._served.out.read_text(errors="replace"))
        if said:
            yield f"the server wrote a traceback: {said}"


def traceback_in(words: str) -> str:
    """The end of the first traceback that a server wrote, without what it said after it."""
    out: list[str] = []
    for line in words[words.find("Traceback") :].splitlines()[1:] if "Traceback" in words else ():
        out += line.split()
        if line and not line[0].isspace():
            break
    return " ".join(out)[-TOLD:]


def _share(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
