"""The wall in a real Chromium: letters for ten metres, a phone, names that are only text, an umpire's answer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion_api.hall.app import make_hub
from companion_api.hall.hall import Hall
from companion_api.hall.people import HallRole
from companion_api.hall.store import Store, open_database
from companion_api.log.event import EventKind
from companion_api.session import Pictures, Session
from rules.referee.verdict import Choice, Verdict, VerdictKind, mention, question_sentence
from tests.companion_api.served import in_thread
from tests.conftest import PATIENCE_MS
from tests.hall.brokers import RealBroker
from tests.hall.halls import PlayingTable
from tests.waiting import until

pytestmark = [pytest.mark.page, pytest.mark.parametrize("hall_url", ["sqlite"], indirect=True)]


class ServedHall:
    def __init__(self, address: str, hall: Hall, browser: Browser) -> None:
        self.address, self.hall = address, hall
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.problems: list[str] = []

    def window(self, width: int, height: int, locale: str = "en") -> Page:
        """Somebody's browser, for this test."""
        context = self._browser.new_context(viewport={"width": width, "height": height}, locale=locale)
        self._contexts.append(context)
        return context.new_page()

    def page(self, role: HallRole, view: str, width: int, height: int, locale: str = "en") -> Page:
        """Somebody comes in by the code, as from a QR."""
        page = self.window(width, height, locale)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(f"{self.address}/#join={self.hall.people.code(role)}")
        page.locator("form input").last.fill("Uma")
        page.locator("form button").click()
        page.locator(".card").first.wait_for()
        page.evaluate(f"location.hash = '#{view}'")
        return page

    def close(self) -> None:
        """A page whose hall is gone asks for it again and again."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def served(broker: RealBroker, hall_url: str, tmp_path: Path, browser: Browser) -> Iterator[ServedHall]:
    hall = Hall(Store(open_database(hall_url, tmp_path)), broker.url, broker.url.split("//")[1])
    with in_thread(make_hub(hall)) as address:
        until(lambda: hall.store_writer.is_connected)
        made = ServedHall(address, hall, browser)
        yield made
        made.close()


@pytest.fixture
def tables(served: ServedHall, broker: RealBroker, tmp_path: Path) -> Iterator[list[PlayingTable]]:
    store = served.hall.store
    made = []
    for number in range(8):
        station = f"window-{number + 1}"
        store.admit(station, f"Window {number + 1}")
        table = PlayingTable(store, tmp_path / station, broker.url, station, "ice_floe" if number % 2 else "dodgem")
        table.play(4)
        table.publish()
        made.append(table)
    until(lambda: len(store.tables()) == len(made))
    yield made
    for table in made:
        table.stop()


def test_the_wall_is_read_from_ten_metres_and_from_a_phone(served: ServedHall, tables: list[PlayingTable]) -> None:
    """A name on the big screen is at least a twenty-fourth of its height; on a phone nothing is wider than it is."""
    tables[2].log.append(tables[2].tables[0].table, EventKind.JOINED, "seat:0", {"name": "<b>Ada</b>"})
    big = served.page(HallRole.GUEST, "screen", 1920, 1080)
    expect(big.locator(".card")).to_have_count(6)
    size = big.locator(".card .who").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    assert size >= 1080 / 24
    for card in big.locator(".card").all():
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 1080
        assert card.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    first = big.locator(".card .look img").first
    expect(first).to_have_attribute("src", re.compile("board.png"))
    assert first.evaluate("e => e.decode().then(() => e.naturalWidth)") > 100
    screened(big, "hall-screen")
    phone = served.page(HallRole.GUEST, "wall", 390, 844)
    expect(phone.locator(".card")).to_have_count(8)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    expect(phone.get_by_text("<b>Ada</b>")).to_be_visible()
    before = phone.locator("[data-key^='window-1/']").inner_text()
    tables[0].play(1)
    expect(phone.locator("[data-key^='window-1/']")).not_to_have_text(before)
    phone.get_by_placeholder("Find a name or a table").fill("window 5")
    expect(phone.locator(".card")).to_have_count(1)
    _comes_in_without_typing(served, phone)
    assert served.problems == []


def _comes_in_without_typing(served: ServedHall, phone: Page) -> None:
    """A television shows a code, and a phone that is inside opens it."""
    television = served.window(1920, 1080)
    television.goto(served.address)
    shown = television.locator(".knock img")
    expect(shown).to_be_visible()
    scanned = (shown.get_attribute("src") or "").split("/")[2]
    scanning = phone.context.new_page()
    scanning.goto(f"{served.address}/#let={scanned}")
    scanning.get_by_role("button", name="Let it in").click()
    expect(scanning.locator(".knocking")).to_contain_text("The screen is in")
    expect(television.locator(".wall .card")).to_have_count(6, timeout=20_000)


def test_an_umpire_answers_on_the_page(served: ServedHall, tables: list[PlayingTable]) -> None:
    session: Session = tables[0].tables[0]
    page = served.page(HallRole.UMPIRE, "umpire", 1000, 800)
    session.add_claim("seat:1", {"text": "that was my coin", "about": session.seq, "pictures": {}}, key=None)
    asked = page.locator(".asked")
    expect(asked).to_contain_text("that was my coin")
    answers = served.hall.store.answers
    asked.get_by_role("button", name="It stands").click()
    until(answers)
    ((place, given),) = answers().items()
    assert place == ("window-1", session.table, session.seq)
    assert (given["by"], given["text"]) == ("umpire:Uma", ""), "no words are needed"
    assert served.problems == []


@pytest.mark.full
def test_a_hall_speaks_the_language_of_its_guest(served: ServedHall, tables: list[PlayingTable]) -> None:
    """The page itself, what the referee asks, the actions it takes for possible, and what cannot be done."""
    session: Session = tables[0].tables[0]
    legal = list(session.game.legal(session.state))[:2]
    which = question_sentence(mention(session.game, one) for one in legal)
    session._record(
        Verdict(VerdictKind.AMBIGUOUS, which, choices=tuple(Choice((one,), 0.5) for one in legal)), Pictures(True)
    )
    page = served.page(HallRole.UMPIRE, "umpire", 1000, 800, locale="es")
    question = page.locator(".asked")
    expect(question).to_contain_text("La cámara pregunta")
    expect(question.locator("blockquote")).to_contain_text("Di cuál fue")
    expect(question.get_by_role("button").first).to_contain_text(" a ")
    screened(page, "hall-umpire-es")
    page.evaluate("location.hash = '#table=window-1/" + session.table + "'")
    expect(page.locator(".alone ol")).to_contain_text("Empieza la partida")
    screened(page, "hall-es")
    page.get_by_label("Idioma").select_option("fr")
    expect(page.get_by_role("link", name="Arbitre")).to_be_visible()
    assert served.problems == []


def test_a_director_runs_a_tournament_at_tables_of_three(served: ServedHall, tables: list[PlayingTable]) -> None:
    page = served.page(HallRole.DIRECTOR, "tournament", 1000, 900)
    page.get_by_text("New tournament").click()
    page.get_by_label("Name", exact=True).fill("Club evening")
    page.get_by_label("Game").select_option("decay")
    page.get_by_label("Players per table").select_option("3")
    page.get_by_label("Players, one per line").fill("\n".join(["Ada", "Bea", "Cem", "Dora", "Emil", "Fee", "Gus"]))
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".pairing.many")).to_have_count(2)
    expect(page.get_by_text("bye", exact=True)).to_have_count(1)
    for number in range(2):
        page.get_by_label("Result:").nth(number).select_option("0-1-0")
        expect(page.get_by_label("Result:").nth(number)).to_have_value("0-1-0")
    page.get_by_role("button", name="Pair the next round").click()
    expect(page.locator(".pairing.many")).to_have_count(4)
    screened(page, "hall-tournament")
    assert served.problems == []


@pytest.mark.full
def test_an_answer_that_comes_late_takes_away_nothing_that_is_written(
    served: ServedHall, tables: list[PlayingTable]
) -> None:
    page = served.page(HallRole.DIRECTOR, "results", 1000, 900)
    page.clock.install()
    page.evaluate("location.hash = '#tournament'")
    page.get_by_text("New tournament").wait_for()
    late: list[Route] = []
    page.route("**/api/tournaments", lambda route: late.append(route))
    page.clock.run_for(11_000)
    while not late:
        page.wait_for_timeout(10)
    page.get_by_text("New tournament").click()
    page.get_by_label("Name", exact=True).fill("Club evening")
    with page.expect_response("**/api/tournaments") as answer:
        late[0].continue_()
    answer.value.finished()
    page.wait_for_timeout(200)  # the clock of the page stands: nothing in it can be waited for
    expect(page.get_by_label("Name", exact=True)).to_have_value("Club evening")
    assert served.problems == []


@pytest.mark.full
def test_an_answer_for_a_view_that_was_left_changes_nothing(served: ServedHall, tables: list[PlayingTable]) -> None:
    page = served.page(HallRole.DIRECTOR, "wall", 1000, 900)
    late: list[Route] = []
    page.route("**/api/results", lambda route: late.append(route))
    page.evaluate("location.hash = '#results'")
    while not late:
        page.wait_for_timeout(10)
    page.evaluate("location.hash = '#tournament'")
    page.get_by_text("New tournament").wait_for()
    with page.expect_response("**/api/results") as answer:
        late[0].continue_()
    answer.value.finished()
    page.wait_for_timeout(200)
    assert page.get_by_text("New tournament").is_visible()  # not waited for: the page would draw it again by itself
    assert served.problems == []


@pytest.mark.full
def test_the_director_shuts_a_table_out_on_the_page(served: ServedHall, tables: list[PlayingTable]) -> None:
    page = served.page(HallRole.DIRECTOR, "desk", 1000, 900)
    page.on("dialog", lambda dialog: dialog.accept())
    row = page.locator(".stations li").filter(has_text="Window 3")
    row.get_by_role("button", name="Shut out").click()
    expect(row).to_contain_text("shut out")
    until(lambda: tables[2].publisher is not None and not tables[2].publisher.connected)
    assert tables[1].publisher is not None
    assert tables[1].publisher.connected
    screened(page, "hall-desk")
    assert served.problems == []


def screened(page: Page, name: str) -> None:
    """For whoever wants to look: COMPANION_SCREENS names a folder."""
    if folder := os.environ.get("COMPANION_SCREENS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
