"""What happens to a hall: processes killed, links cut and slow, no hub for a while."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tests.bench.hall.building import BenchHall
from tests.bench.hall.reckoning import logged, stored
from tests.bench.hall.servers import wait_for
from tests.bench.hall.wall_watch import WallWatch

ACCIDENTS = ("hub", "broker", "database", "tables", "cut link", "slow link")
SLOW_S = 0.15
DRAIN_S = 300.0


def accident(hall: BenchHall, kind: str, rng: random.Random) -> None:
    """Something breaks and is put right after a moment."""
    pause = rng.uniform(0.3, 3.0)
    if kind in ("cut link", "slow link"):
        if kind == "cut link":
            hall.link.cut()
        else:
            hall.link.delay_s = SLOW_S
        time.sleep(pause)
        hall.link.mend()
        return
    parts = {"hub": hall.hubs, "broker": [hall.broker], "database": [hall.database.part], "tables": hall.tables}
    part = rng.choice(parts[kind])
    part.kill()
    time.sleep(pause)
    if kind == "database":
        hall.database.start()
    else:
        part.start()


def without_hub(hall: BenchHall, wall: WallWatch, say: Callable[[str], None]) -> dict[str, float]:
    """Nobody stores for a while; how long it takes until all of it is there."""
    wall.steady = False
    for hub in hall.hubs:
        hub.kill()
    say(f"no hub for {hall.plan.away:g} s")
    measure_until(hall, time.monotonic() + hall.plan.away)
    behind = logged(hall) - stored(hall)
    for hub in hall.hubs:
        hub.start()
    goal = logged(hall)
    up = wait_for(lambda: any(hall.is_ready(port) for port in hall.ports), "the hub", 120)
    took = up + wait_for(lambda: stored(hall) >= goal, "what was missed", DRAIN_S)
    wall.steady = True
    return {
        "away_s": hall.plan.away,
        "behind_events": behind,
        "caught_up_s": round(took, 2),
        "of_it_starting_s": round(up, 2),
    }


def measure_until(hall: BenchHall, moment: float) -> None:
    while time.monotonic() < moment:
        time.sleep(min(1.0, max(0.0, moment - time.monotonic())))
        for part in hall.parts:
            part.measure()
