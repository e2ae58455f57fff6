"""Two hubs at once, one killed: a wall goes on at the other by itself, and back again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion_api.hall.people import HallRole, People
from companion_api.hall.store import Store
from tests.bench.hall import servers
from tests.bench.hall.servers import BenchProcess
from tests.hall.brokers import RealBroker
from tests.hall.halls import PlayingTable
from tests.hall.test_joining import answers
from tests.ports import free_port
from tests.waiting import until

pytestmark = [pytest.mark.page, pytest.mark.full, pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)]
WAIT_MS = 90_000


@pytest.fixture
def hubs(store: Store, hall_url: str, broker: RealBroker, tmp_path: Path) -> Iterator[dict[str, BenchProcess]]:
    """Two processes by their addresses."""
    made = {}
    for number in range(2):
        port = free_port()
        made[f"http://127.0.0.1:{port}"] = servers.hub(tmp_path / f"hub{number}", port, hall_url, broker.url)
    for hub in made.values():
        hub.start()
    for address in made:
        until(partial(answers, f"{address}/ready"))
    yield made
    for hub in made.values():
        hub.kill()


def known_as_hub(store: Store, address: str) -> bool:
    return address in store.hubs(30)


def shows(page: Page, table: PlayingTable) -> None:
    """What the table has just done is on the wall."""
    card = page.locator(".card")
    before = card.inner_text()
    table.play(3)
    expect(card).not_to_have_text(before, timeout=WAIT_MS)


def test_a_wall_goes_on_when_its_hub_is_killed(
    store: Store, hubs: dict[str, BenchProcess], broker: RealBroker, browser: Browser, tmp_path: Path
) -> None:
    store.admit("window", "Window")
    table = PlayingTable(store, tmp_path / "window", broker.url, "window")
    table.play(2)
    table.publish()
    first, second = hubs
    page = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en").new_page()
    page.set_default_timeout(WAIT_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{first}/#join={People(store).code(HallRole.GUEST)}")
    page.get_by_role("button", name="Come in").click()
    page.locator(".card").wait_for()
    page.evaluate("location.hash = '#screen'")
    shows(page, table)
    for ended, other in ((first, second), (second, first)):
        until(partial(known_as_hub, store, other))
        with page.expect_response(lambda answer: answer.url.endswith("/api/hubs")) as told:
            pass
        assert other in told.value.json()["hubs"], "its body has come, so the hub may end"
        hubs[ended].kill()
        page.wait_for_url(f"{other}/#screen", timeout=WAIT_MS)
        page.locator(".card").wait_for()
        shows(page, table)
        hubs[ended].start()
        until(partial(answers, f"{ended}/ready"))
    assert problems == []
    page.context.close()
    table.stop()
