"""Run by test_kill: a writer is killed at random moments; the phone that got no answer posts again with the same key.

On a quick machine a game is over long before the last round: the next table begins then, in the same log.

    python -m tests.companion_api.killing FOLDER|POSTGRES_URL ROUNDS

Prints how many events were acknowledged over all rounds; fails if one is missing, double, or the state is another one.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from pathlib import Path

from companion_api.log.databases import open_log
from companion_api.log.store import Log
from companion_api.session import Session
from rules.engine.playout import walk
from rules.games import game

LONGEST_S = 0.06
EACH = 8  # people come and go between two actions


def script() -> list[str]:
    """One long game; the n-th key is the n-th action."""
    return [action.id for _, action in walk(game("four_blind_mice"), 2)]


def opened(where: str) -> Log:
    return open_log(where if "://" in where else None, Path(where))


def begin(where: str, table: str) -> None:
    log = opened(where)
    Session.begin(log, table, game("four_blind_mice"), {}, None)
    log.close()


def writer(where: str, table: str, pipe: int, first: int, actions: list[str]) -> None:
    """Plays on and acknowledges every action that was taken, as the server answers a phone."""
    session = Session(opened(where), table)
    for number in range(first, len(actions) * EACH):
        if number % EACH == 0:
            session.act("table", actions[number // EACH], expected=None, key=f"k{number}")
        else:
            session.join("spectator", "somebody", key=f"k{number}")
        os.write(pipe, number.to_bytes(4, "big"))
    os._exit(0)


def one_round(where: str, table: str, first: int, actions: list[str], rng: random.Random) -> int:
    """Start a writer, kill it somewhere; the first action that was not acknowledged."""
    reader, pipe = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        writer(where, table, pipe, first, actions)
    os.close(pipe)
    if rng.random() < 0.7:
        select.select([reader], [], [], 20)  # on a busy machine a short life never writes: most last beyond their first
    time.sleep(rng.uniform(0.0, LONGEST_S))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as told:
        data = told.read()
    return max([first, *(int.from_bytes(data[i : i + 4], "big") + 1 for i in range(0, len(data) - 3, 4))])


def check(where: str, table: str, acknowledged: int) -> None:
    log = opened(where)
    keys = [event.key for event in log.read(table) if event.key]
    assert len(set(keys)) == len(keys), "an event stands twice"
    assert keys == [f"k{n}" for n in range(len(keys))], "an event is missing"
    assert acknowledged <= len(keys) <= acknowledged + 1, "an acknowledged event was lost"
    Session(log, table)
    log.close()


def main() -> None:
    where, rounds = sys.argv[1], int(sys.argv[2])
    rng, actions = random.Random(1), script()
    done, before, table = 0, 0, "table1"
    begin(where, table)
    for number in range(rounds):
        done = one_round(where, table, done, actions, rng)
        over = done >= len(actions) * EACH
        if over or number % 20 == 0 or number == rounds - 1:
            check(where, table, done)
        if over:
            before, done, table = before + done, 0, f"table{number + 2}"
            begin(where, table)
    print(before + done)


if __name__ == "__main__":
    main()
