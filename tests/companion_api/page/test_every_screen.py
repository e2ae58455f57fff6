"""Every screen there is, in light and dark: axe finds nothing, and nothing is wider than the screen."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from companion_api.access import Role
from companion_api.simulated.self_play import SelfPlay
from tests.companion_api.page import screens, sheet
from tests.companion_api.page.conftest import TABLET, Axe, Scheme, Table
from tests.companion_api.page.promise_waits import HEARD, until
from tests.companion_api.page.test_begin_and_end import played_out, shown_in_play
from tests.companion_api.page.test_camera_question import staged, take_as_it_lies
from tests.companion_api.page.test_page import show
from tests.tiers import few

pytestmark = pytest.mark.page

TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
INK = "getComputedStyle(document.body).color"
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SCHEMES: dict[Scheme, tuple[str, ...]] = {"light": (), "dark": ("color-contrast", "link-in-text-block")}
VIEWS = ("board", "camera", "hand", "log", "score", "settings")


def viewed(view: str) -> Callable[[Table], Page]:
    def screen(table: Table) -> Page:
        session = table.begin("decay", plies=30)
        session.set_clock("host", 10, 5, key=None)
        page = table.open(session)
        show(page, view)
        return page

    return screen


def joining(table: Table) -> Page:
    page = table.open(table.begin())
    page.context.clear_cookies()
    page.reload()
    page.wait_for_selector("input[maxlength='12']")
    return page


def past(table: Table) -> Page:
    session = table.begin("dodgem", plies=6)
    page = table.open(session)
    show(page, "log")
    until(page, HEARD, session.seq)
    page.locator("input[type=range]").fill("2")
    show(page, "board")
    page.wait_for_selector("text=Back to now")
    return page


def statistics(table: Table) -> Page:
    session, rng = table.app.state.tables.begin("dodgem", {}, [{"name": "Anna"}, {"name": "Ben"}]), random.Random(1)
    while not session.game.turn(session.state).is_over:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(table.begin())
    show(page, "score")
    page.wait_for_selector(".evenings")
    return page


def learnt(table: Table) -> Page:
    session = played_out(table, "decay", 174)
    shown_in_play(session)
    page = table.open(session)
    page.wait_for_selector(".learnt")
    return page


def set_up(table: Table) -> Page:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=Set up camera and table")
    page.wait_for_selector(".steps > li:nth-child(6)")
    return page


def guesses(table: Table) -> Page:
    session = table.begin("dodgem", plies=7, seed=6)
    player = SelfPlay(session, seed=3, keep=table.app.state.camera_manager.keep)
    player._undo_incident()
    assert player.stage("two_at_once")
    page = table.open(session, role=Role.PLAYER, seat=0)
    page.wait_for_selector(".pending .drawn svg.mini")
    return page


def as_it_lies(table: Table) -> Page:
    session, _ = staged(table)
    page = table.open(session, role=Role.PLAYER, seat=0)
    take_as_it_lies(page)
    return page


def large_photograph(table: Table) -> Page:
    page = screens.verdict(table)
    page.locator("button.look").last.click()
    page.wait_for_selector("dialog[open]")
    return page


def looker_on(table: Table) -> Page:
    page = table.open(table.begin("zombie", plies=12), TABLET, role=Role.SPECTATOR)
    page.wait_for_selector(".pan .piece")
    return page


def bad_news(table: Table) -> Page:
    page = table.open(table.begin())
    page.evaluate("import('/js/state.js').then((m) => m.tell('Something was not done.', true))")
    page.wait_for_selector(".notice.bad")
    return page


def away(table: Table) -> Page:
    page = table.open(table.begin())
    page.evaluate("import('/js/state.js').then((m) => (m.problem.value = 'offline'))")
    page.wait_for_selector("main.wait")
    return page


def interface(table: Table) -> Page:
    page = table.open(table.begin())
    page.goto(f"{table.address}/docs")
    page.wait_for_selector("details summary")
    return page


OWN: tuple[Callable[[Table], Page], ...] = (
    joining, past, statistics, learnt, set_up, guesses, as_it_lies, large_photograph, looker_on, bad_news, away,
    interface, sheet.refused, sheet.disputed, sheet.corrected, sheet.trust, sheet.free_spot,
)  # fmt: skip
EVERY: dict[str, Callable[[Table], Page]] = {
    **{view: viewed(view) for view in VIEWS},
    **screens.SCREENS,
    **{screen.__name__: screen for screen in OWN},
}
VARIED = ("joining",)
"""The views of a table are looked at in test_page, one after the other."""


@pytest.mark.parametrize("name", few(EVERY, VARIED))
def test_no_barrier_on_any_screen(name: str, table: Table, axe: Axe) -> None:
    """A screen is opened once: another scheme only paints it otherwise, and there axe looks at colours."""
    table.wait_ms = screens.WAIT_MS
    page = EVERY[name](table)
    page.wait_for_timeout(200)
    paints = []
    for scheme, rules in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        page.evaluate(PAINTED)
        paints.append(page.evaluate(INK))
        assert axe(page, rules) == [], scheme
        assert not page.evaluate(TOO_WIDE), f"{scheme}: wider than the screen"
    assert len({*paints}) == 2, paints
