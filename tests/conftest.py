"""What all tests of a process share: a real Chromium and eyes with their nets. Where there is no Chromium the tests
that need it are left out with one line saying how to get it; in CI that is a failure."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest
from anyio.from_thread import start_blocking_portal
from playwright.sync_api import Browser, expect, sync_playwright
from starlette.testclient import TestClient

from tests.needed import missing
from vision.table_reader import TableReader

PATIENCE_MS = 90_000
"""What a page shows in the end it may show late: a busy machine is no fault of it."""
ON_LESS = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_TRIM_THRESHOLD_": str(2**28), "MALLOC_MMAP_THRESHOLD_": str(2**30)}
"""Workers start in this environment, which saves a sixth of their processor time: threads for small sums wait for each
other by spinning, and memory of pictures that is given back is cleared by the system each time."""
HOW = "no Chromium found: apt-get install chromium, or set COMPANION_CHROMIUM to one; the page is not tested"


def chromium() -> str | None:
    """Without a window of its own where there is such a one: it takes a third less of the processor."""
    given = os.environ.get("COMPANION_CHROMIUM")
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    return given or next((found for name in names if (found := shutil.which(name))), None)


def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: a quarter of the time goes by in waiting for servers, pages and other processes."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    """Workers inherit ON_LESS; the processes that tests start have what a user's have."""
    if hasattr(config, "workerinput"):
        for name in ON_LESS:
            os.environ.pop(name, None)
    elif config.getoption("numprocesses", None):
        os.environ.update(ON_LESS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What drives the page takes longest and begins first. Of the cases of one such test, and of the options under
    which the laws of a game are tried, the first belongs to the default tier, unless the test itself marks others."""
    pages = [item for item in items if item.get_closest_marker("page")]
    thinned = [*pages, *(item for item in items if _name(item).endswith("::test_laws"))]
    marked = {_name(item) for item in thinned if item.get_closest_marker("full")}
    known: set[str] = set()
    for item in thinned:
        if _name(item) in known - marked:
            item.add_marker("full")
        known.add(_name(item))
    items.sort(key=lambda item: item not in pages)


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was left out and how it can be had, one line for each reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(str(report.longrepr[2]) for report in skipped).items():
        terminalreporter.write_line(f"{count} not run. {reason}")


@pytest.fixture(scope="session")
def eyes() -> TableReader:
    """The nets are loaded once for all tests that only look."""
    return TableReader()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        missing(HOW)
    expect.set_options(timeout=PATIENCE_MS)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--use-fake-ui-for-media-stream"]
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=[*flags, "--use-fake-device-for-media-stream"])
        yield found
        found.close()


@pytest.fixture(scope="session", autouse=True)
def one_loop() -> Iterator[None]:
    """All requests to apps in this process go through one event loop. A loop and a thread for each take a quarter of
    their time, and most of it where the machine is busy."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture(autouse=True)
def no_loop_of_the_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """An open browser keeps a running loop in this thread; who does not use it may run one of their own."""
    kept = asyncio._get_running_loop()
    if kept is None or "browser" in request.fixturenames:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(kept)
