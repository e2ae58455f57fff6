"""Waits for what only a promise tells."""

from __future__ import annotations

import time

from playwright.sync_api import Page

from tests.conftest import PATIENCE_MS

SHOWN = "async (seq) => (await import('/js/state.js')).board.value?.seq === seq"
"""The board after this event is shown."""
HEARD = "async (seq) => (await import('/js/state.js')).events.value.at(-1)?.seq === seq"
"""The log is there, up to this event."""
UP_TO_DATE = "async (seq) => (await import('/js/state.js')).board.value.state === seq"
"""The board shows the state after this event."""
_PAUSE_MS = 25


def until(page: Page, told: str, value: object = None) -> None:
    """Asks the page until `told`, a function of `value` that may be asynchronous, gives something true. (Playwright's
    `wait_for_function` takes a promise for true at once.)"""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(told, value):
        assert time.monotonic() < end, f"{told} of {value} did not come true"
        page.wait_for_timeout(_PAUSE_MS)
