"""The first load of the page on a mid-range phone: Chromium with the processor four times slower and a line of
1.6 Mbit/s with 20 ms to and fro (a phone beside the table is on the table's own network).

    python -m tests.companion_api.page.loading [RUNS]

Prints bytes over the line, files, and milliseconds until the board is drawn (middle and worst of the runs).
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from companion_api.access import Role
from companion_api.app import make_app
from companion_api.routes import joining
from companion_api.settings import Settings
from tests.companion_api.page.conftest import HOW, PHONE, chromium
from tests.companion_api.served import in_thread

SLOWER = 4
LINE = {"offline": False, "latency": 20, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
DRAWN = """new Promise((done) => { const look = () => document.querySelector(".pan .piece")
    ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look); look(); })"""


def first_load(browser: Browser, address: str) -> tuple[float, int, int]:
    """Milliseconds from the navigation to the drawn board, bytes over the line, and files, with nothing kept from
    before."""
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", LINE)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    received: list[float] = []
    tools.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    took = float(page.evaluate(DRAWN))
    context.close()
    return took, round(sum(received)), len(received)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
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
            joining._brake._seen.clear()
            loads.append(first_load(browser, f"{address}/#join={code}"))
        browser.close()
    times = [took for took, _, _ in loads]
    told = {"bytes": loads[-1][1], "files": loads[-1][2], "ms_middle": round(statistics.median(times))}
    print(json.dumps({**told, "ms_worst": round(max(times)), "runs": runs}))


if __name__ == "__main__":
    main()
