"""The first load of the page on a mid-range phone: Chromium with the processor four times slower and a line of
1.6 Mbit/s with 20 ms to and fro (a phone beside the table is on the table's own network).

    python -m tests.companion_api.page.loading [RUNS [SLOWER]]

Prints bytes over the line, files, milliseconds until the board is drawn (middle and best of the runs), and how much of
that is processor time of the page's main thread: on a busy machine the rest is mostly waiting for a processor.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.routes import join
from companion_api.settings import Settings
from tests.companion_api.page.conftest import PHONE
from tests.companion_api.served import in_thread
from tests.conftest import HOW, chromium

SLOWER = 4
LINE = {"offline": False, "latency": 20, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
DRAWN = """new Promise((done) => {
    const drawn = () => document.querySelector(".pan .piece") && requestAnimationFrame(() => done(performance.now()));
    if (!drawn()) new MutationObserver((_, watch) => drawn() && watch.disconnect())
        .observe(document, {childList: true, subtree: true}); })"""


@dataclass(frozen=True, slots=True)
class Load:
    """`ms` from the navigation to the drawn board, `cpu_ms` of it on the main thread."""

    ms: float
    cpu_ms: float
    bytes: int
    files: int


def first_load(browser: Browser, address: str, slower: int = SLOWER) -> Load:
    """With nothing kept from before."""
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", LINE)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})
    received: list[float] = []
    tools.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    took = float(page.evaluate(DRAWN))
    metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
    context.close()
    return Load(took, metrics["TaskDuration"] * 1e3, round(sum(received)), len(received))


def main() -> None:
    runs, slower = [int(given) for given in (*sys.argv[1:], *("5", str(SLOWER))[len(sys.argv) - 1 :])]
    app = make_app(Settings(data=Path(tempfile.mkdtemp())))
    session = app.state.tables.begin("dodgem", {}, None)
    code = app.state.tables.keys.code(session.table, Role.PLAYER)
    path = chromium()
    if path is None:
        raise SystemExit(HOW)
    with in_thread(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        loads = []
        for _ in range(runs):
            join._brake._seen.clear()
            loads.append(first_load(browser, f"{address}/#join={code}", slower))
        browser.close()
    told = {"bytes": loads[-1].bytes, "files": loads[-1].files, "runs": runs}
    times = {"ms_middle": statistics.median(load.ms for load in loads), "ms_best": min(load.ms for load in loads)}
    times["cpu_ms_middle"] = statistics.median(load.cpu_ms for load in loads)
    print(json.dumps({**told, **{name: round(value) for name, value in times.items()}}))


if __name__ == "__main__":
    main()
