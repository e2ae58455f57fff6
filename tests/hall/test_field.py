"""The field on the host's page by which a table joins a hall: what is wrong is said in the reader's words, what is
right joins, is seen on the wall, and can be left again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion_api.app import make_app
from companion_api.hall.app import make_hub
from companion_api.hall.at_table import attach
from companion_api.hall.hall import Hall
from companion_api.hall.membership import stored_membership
from companion_api.hall.people import HallRole
from companion_api.hall.store import Store, open_database
from companion_api.settings import Settings
from tests.companion_api.served import in_thread
from tests.hall.brokers import RealBroker
from tests.ports import free_port
from tests.waiting import until

pytestmark = pytest.mark.page
SMALL = pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)
WAIT_MS = 90_000


@pytest.fixture
def hub(broker: RealBroker, hall_url: str, tmp_path: Path) -> Iterator[tuple[Hall, str]]:
    hall = Hall(Store(open_database(hall_url, tmp_path)), broker.url, broker.url.split("//")[1])
    with in_thread(make_hub(hall)) as address:
        until(lambda: hall.store_writer.is_connected)
        yield hall, address.rsplit(":", 1)[1]


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The host's phone, at the place with the field; German, since what is wrong is said in the reader's language."""
    app = make_app(Settings(data=tmp_path / "table"))
    session = app.state.tables.begin("dodgem", {}, None)
    in_hall = attach(app, tmp_path / "table")
    with in_thread(app) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="de")
        verified_ruling = context.new_page()
        verified_ruling.set_default_timeout(WAIT_MS)
        problems: list[str] = []
        verified_ruling.on("pageerror", lambda error: problems.append(str(error)))
        verified_ruling.add_init_script("localStorage.setItem('led', 'no')")
        verified_ruling.goto(f"{address}/#join={app.state.tables.host_code(session)}")
        verified_ruling.wait_for_selector("nav")
        verified_ruling.evaluate("import('/js/join.js').then((m) => m.lookOn())")
        verified_ruling.evaluate("import('/js/state.js').then((m) => { m.view.value = 'settings'; })")
        unfold(verified_ruling)
        yield verified_ruling
        assert problems == []
        context.close()
        in_hall.stop()


def unfold(page: Page) -> None:
    """The hall is folded until a table is in one."""
    invited = page.get_by_label("Adresse der Einladung")
    page.locator("details").filter(has=invited).locator("summary").click()
    invited.wait_for()


def join(page: Page, address: str, name: str = "Fenster 3") -> None:
    page.get_by_label("Adresse der Einladung").fill(address)
    page.get_by_label("Wie dieser Tisch heißt").fill(name)
    page.get_by_role("button", name="Der Halle beitreten").click()


@pytest.mark.full
@SMALL
def test_a_host_joins_a_hall_on_the_page(page: Page, hub: tuple[Hall, str], tmp_path: Path) -> None:
    hall, port = hub
    code, broker = hall.people.code(HallRole.TABLE), hall.public
    wrong = page.get_by_role("alert")
    for address, said in (
        ("http://hub:8480", "Das ist keine Adresse einer Halle"),
        (f"nats://{code}@127.0.0.1:4222?hub={free_port()}", "antwortet niemand"),
        (f"nats://WRONG@{broker}?hub={port}", "kennt diesen Code nicht"),
        (f"nats://{broker}", "lässt nur ein, wen die Halle eingeladen hat"),
        (f"nats://127.0.0.1:{free_port()}", "antwortet niemand"),
    ):
        join(page, address)
        expect(wrong).to_contain_text(said, timeout=WAIT_MS)
        assert stored_membership(tmp_path / "table") is None, address
    join(page, f"nats://{code}@{broker}?hub={port}")
    expect(page.locator("p[role=status]")).to_contain_text("als Fenster 3 in der Halle", timeout=WAIT_MS)
    expect(wrong).to_have_count(0)
    if folder := os.environ.get("COMPANION_SCREENS"):
        page.screenshot(path=f"{folder}/hall-field.png")
    until(lambda: hall.store.tables())
    assert hall.wall.row_json(hall.store.tables()[0])["name"] == "Fenster 3"
    page.get_by_role("button", name="Die Halle verlassen").click()
    unfold(page)
    assert stored_membership(tmp_path / "table") is None


@SMALL
@pytest.mark.full
def test_a_hub_that_goes_away_is_said_and_the_table_plays_on(
    page: Page, hub: tuple[Hall, str], broker: RealBroker
) -> None:
    hall, port = hub
    join(page, f"nats://{hall.people.code(HallRole.TABLE)}@{hall.public}?hub={port}")
    expect(page.locator("p[role=status]")).to_contain_text("in der Halle.", timeout=WAIT_MS)
    broker.kill()
    expect(page.locator("p[role=status]")).to_contain_text("antwortet gerade nicht", timeout=WAIT_MS)
    broker.start()
    expect(page.locator("p[role=status]")).to_contain_text("in der Halle.", timeout=WAIT_MS)


def test_only_the_host_may_join_a_hall(page: Page) -> None:
    """A player's phone is refused by the server too, not only by the page."""
    base = page.url.split("#")[0]
    assert page.request.post(f"{base}api/hall", data={"url": "nats://x", "name": "y"}).status == 422
    page.context.clear_cookies()
    assert page.request.post(f"{base}api/hall", data={"url": "nats://x", "name": "y"}).status == 401
