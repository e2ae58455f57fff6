"""A real Chromium, one for all tests of a process. Where there is none the tests are left out with one line saying
how to get it; in CI that is a failure."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.needed import missing

PATIENCE_MS = 20_000
"""What a page shows in the end it may show late: a busy machine is no fault of it."""
HOW = "no Chromium found: apt-get install chromium, or set COMPANION_CHROMIUM to one; the page is not tested"


def chromium() -> str | None:
    given = os.environ.get("COMPANION_CHROMIUM")
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return given or next((found for name in names if (found := shutil.which(name))), None)


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
