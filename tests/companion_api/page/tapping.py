"""How long it takes from a tap on a piece to the drawn preview of what it would do, with eight phones in Decay.

python -m tests.companion_api.page.tapping [TAPS]

Four players and four lookers-on look on in one Chromium, the server is a process of its own; whoever is to act taps a
target and then another one, as people do who are still thinking. The time runs on the phone, from the tap to the
picture after the preview stands in the page.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
from itertools import islice
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion_api.access import Keys, Role, Token
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game
from tests.companion_api.page.promise_waits import UP_TO_DATE, until
from tests.companion_api.served import Process
from tests.conftest import chromium
from tests.ports import free_port

SEATS, LOOKERS_ON = 4, 4
PLIES, EACH, MOST = 26, 4, 400
GOAL_MS = 150
TAP = """async (id) => {
  const { ask, forget } = { ...(await import('/js/actions.js')), ...(await import('/js/state.js')) };
  forget();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const since = performance.now();
  ask(id);
  while (!document.querySelector('.bar.asked .go')) {
    await new Promise((next) => setTimeout(next));
    if (performance.now() - since > 5000) return null;
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const asked = performance.getEntriesByType("resource").findLast((entry) => entry.name.includes("/api/why"));
  const answered = asked.responseEnd - since;
  performance.clearResourceTimings();
  return [performance.now() - since, answered];
}"""
"""What a tap on the only target of a piece does, up to the picture after it; nothing where none comes."""


def phone(browser: Browser, address: str, token: str) -> Page:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en")
    context.add_cookies([{"name": "companion", "value": token, "url": address}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("nav")
    return page


def measure(taps: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        log = SqliteLog(Path(folder) / "companion.db")
        table = Session.begin(log, "tapped", game("decay"), {}, None).table
        log.close()
        server = Process(Path(folder), free_port())
        try:
            server.ready(120)
            late, answered, lost = tapped(server, table, taps)
        finally:
            server.kill()
    cut = statistics.quantiles(late, n=20)
    figures = {
        "taps": len(late),
        "lost": lost,
        "p50_ms": round(statistics.median(late)),
        "p95_ms": round(cut[-1]),
        "answered_p50_ms": round(statistics.median(answered)),
    }
    return {**figures, "goal_ms": GOAL_MS, "load": round(os.getloadavg()[0], 1)}


def tapped(server: Process, table: str, taps: int) -> tuple[list[float], list[float], int]:
    """Milliseconds of every tap, and of those until the server had answered; how many taps showed nothing."""
    address, keys, rng = f"http://127.0.0.1:{server.port}", Keys.of(server.data), random.Random(4)
    history, found = History.begin(game("decay")), list[tuple[float, float] | None]()
    with sync_playwright() as playwright, server.host(table) as host:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        seated = [keys.sign(Token(table, Role.PLAYER, seat)) for seat in range(SEATS)]
        lookers = [keys.sign(Token(table, Role.SPECTATOR)) for _ in range(LOOKERS_ON)]
        phones = [phone(browser, address, token) for token in (*seated, *lookers)]
        while len(found) < taps and not history.game.turn(history.state).is_over:
            turn = history.game.turn(history.state)
            if len(history.actions) >= PLIES and turn.kind is TurnKind.SEAT:
                legal = [action.id for action in islice(history.game.legal(history.state), MOST)]
                found += [phones[turn.seats[0]].evaluate(TAP, one) for one in rng.sample(legal, min(EACH, len(legal)))]
            done = history.game.sample(history.state, rng)
            seq = host.post("actions", json={"action": done.id}).raise_for_status().json()["seq"]
            history = history.play(done)
            for one in phones:
                until(one, UP_TO_DATE, seq)
        browser.close()
    shown = [one for one in found if one]
    return [whole for whole, _ in shown], [answered for _, answered in shown], len(found) - len(shown)


if __name__ == "__main__":
    print(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
