"""One run: a broker, a database, hubs, tables and a wall; the load, the accidents, and the reckoning at the end."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from typing import Any

from companion_api.hall.people import HallPerson, HallRole, People
from tests.bench.hall.accidents import ACCIDENTS, DRAIN_S, accident, measure_until, without_hub
from tests.bench.hall.building import BenchHall, BenchPlan, built
from tests.bench.hall.reckoning import costs, latency, logged, reckoned, since, stored
from tests.bench.hall.servers import wait_for
from tests.bench.hall.wall_watch import WallWatch


def measured(plan: BenchPlan, say: Callable[[str], None]) -> dict[str, Any]:
    with built(plan) as hall:
        say(f"{plan.tables} tables, {plan.hubs} hub(s); playing for {plan.minutes:g} minutes")
        token = People(hall.store).sign(HallPerson(HallRole.GUEST))
        wall = WallWatch(hall.ports, token)
        hall.walls.append(wall)
        for part in hall.tables:
            part.start()
        wait_for(lambda: stored(hall) >= plan.tables, "the tables", 120)
        before, begun_at = logged(hall), costs(hall)
        begun = time.monotonic()
        away = _play(hall, wall, say)
        played = time.monotonic() - begun
        for part in hall.tables:
            part.signal(signal.SIGTERM)
        hall.link.mend()
        time.sleep(0.5)
        drained = wait_for(lambda: stored(hall) >= logged(hall), "the last event", DRAIN_S)
        for part in hall.parts:
            part.measure()
        found = reckoned(hall)
        events = found["events_in_logs"] - before
        return {
            **found,
            "seconds": round(played, 1),
            "events_per_s": round(events / played, 1),
            "wall_ms": latency(wall.late),
            "drained_s": round(drained, 2),
            **away,
            "accidents": hall.accidents,
            "cost": since(begun_at, costs(hall), events),
            "load": [round(load, 1) for load in os.getloadavg()],
        }


def _play(hall: BenchHall, wall: WallWatch, say: Callable[[str], None]) -> dict[str, float]:
    plan, rng = hall.plan, random.Random(hall.plan.seed)
    length = plan.minutes * 60
    begun = time.monotonic()
    moments = sorted(rng.uniform(0.1, 0.9) * length for _ in range(plan.chaos))
    kinds = [kind for _ in range(0, plan.chaos, len(ACCIDENTS)) for kind in rng.sample(ACCIDENTS, len(ACCIDENTS))]
    away: dict[str, float] = {}
    for moment, kind in zip(moments, kinds, strict=False):
        measure_until(hall, begun + moment)
        hall.accidents[kind] = hall.accidents.get(kind, 0) + 1
        say(f"{time.monotonic() - begun:6.1f} s: {kind}")
        accident(hall, kind, rng)
    if plan.away:
        measure_until(hall, begun + 0.3 * length)
        away = without_hub(hall, wall, say)
    measure_until(hall, begun + length)
    return away
