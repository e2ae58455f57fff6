"""A tap is never lost. In the moment after an event the page has heard of it and has not yet got the board that goes
with it: what is tapped then is asked of the table there is, as soon as it is here."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from companion_api.access import Role
from companion_api.session import Session
from rules.engine.turn import TurnKind
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import HEARD, SHOWN, until
from tests.companion_api.page.test_page import show, tap

pytestmark = pytest.mark.page

ASK = "id => import('/js/actions.js').then((m) => void m.ask(id))"


STREAM = """const add = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, take) {
  const late = (message) => window.late.push(() => take(message));
  add.call(this, kind, (message) => (kind === "board" && window.late ? late : take)(message));
};"""


def opened(table: Table, session: Session, **more: Any) -> Page:
    """A page whose stream may keep boards back."""
    return table.open(session, script=STREAM, fresh=True, **more)


class Late:
    """A line on which some answers stay away until they are let through; of boards also those of the stream."""

    def __init__(self, page: Page, answers: str = "**/api/board") -> None:
        self._kept, self._open, self._page = list[Route](), False, page
        if answers == "**/api/board":
            page.evaluate("window.late = []")
        page.route(answers, self._take)

    def _take(self, route: Route) -> None:
        if self._open:
            route.continue_()
        else:
            self._kept.append(route)

    def let_through(self) -> None:
        self._open = True
        for route in self._kept:
            route.continue_()
        self._page.evaluate("for (const go of [window.late ?? [], window.late = null][0]) go()")


def act(session: Session, rng: random.Random, action: str | None = None) -> None:
    session.act("table", action or session.game.sample(session.state, rng).id, expected=None, key=None)


def behind(table: Table) -> tuple[Page, Late]:
    """A page that has heard of a move and waits for the board that goes with it."""
    session = table.begin()
    page = opened(table, session)
    until(page, SHOWN, session.seq)
    late = Late(page)
    act(session, random.Random(4), "move(a2,b2)")
    until(page, HEARD, session.seq)
    return page, late


def of_few_that_are_told(session: Session) -> str:
    """Something legal that the page has not been told of: of thousands it gets a few."""
    told = {action.id for action, _ in zip(session.game.legal(session.state), range(400), strict=False)}
    return next(action.id for action in session.game.legal(session.state) if action.id not in told)


def test_a_preview_asked_before_the_board_is_here_is_shown_when_it_is(table: Table) -> None:
    session, rng = table.begin("decay", plies=26), random.Random(4)
    page = opened(table, session)
    until(page, SHOWN, session.seq)
    late = Late(page)
    while True:
        act(session, rng)
        if session.game.turn(session.state).kind is TurnKind.SEAT and not session.game.exhaustive(session.state):
            break
    until(page, HEARD, session.seq)
    page.evaluate(ASK, of_few_that_are_told(session))
    page.wait_for_timeout(400)  # the server has answered long ago
    late.let_through()
    expect(page.locator(".bar.asked .go")).to_be_visible()
    page.wait_for_timeout(600)
    expect(page.locator(".bar.asked .go")).to_be_visible()


def test_what_changes_while_a_preview_is_asked_is_answered_for_the_table_there_is(table: Table) -> None:
    session, rng = table.begin(), random.Random(4)
    page = table.open(session)
    until(page, SHOWN, session.seq)
    late = Late(page, "**/api/why?*")
    page.evaluate(ASK, "move(a1,b1)")
    act(session, rng, "move(a2,b2)")
    until(page, SHOWN, session.seq)
    late.let_through()
    expect(page.locator(".bar.refused")).to_be_visible()


@pytest.mark.full
def test_two_taps_before_the_board_is_here_ask_what_they_ask(table: Table) -> None:
    page, late = behind(table)
    tap(page, "f6")
    tap(page, "e6")
    late.let_through()
    expect(page.locator(".bar.asked .go")).to_be_visible()
    expect(page.locator(".bar.asked")).to_contain_text("f6 → e6")


@pytest.mark.full
def test_a_piece_taken_up_before_the_board_is_here_stays_taken_up(table: Table) -> None:
    page, late = behind(table)
    tap(page, "f6")
    late.let_through()
    expect(page.locator('[data-name="f6"]')).to_have_class(re.compile("picked"))
    page.wait_for_timeout(600)
    expect(page.locator('[data-name="f6"]')).to_have_class(re.compile("picked"))


@pytest.mark.full
def test_a_free_spot_tapped_before_the_board_is_here_is_asked_of_it(table: Table) -> None:
    session, rng = table.begin("decay"), random.Random(1)
    while len(session.game.layout(session.state).board) < 4:
        act(session, rng)
    seat = session.game.turn(session.state).seats[0]
    page = opened(table, session, role=Role.PLAYER, seat=seat)
    until(page, SHOWN, session.seq)
    action = next(iter(session.game.legal(session.state)))
    assert action.verb == "create_tile"
    late = Late(page)
    act(session, rng, action.id)
    session.undo("table", 1, expected=None, key=None)
    until(page, HEARD, session.seq)
    (source,), (x, y) = session.game.touches(action), (int(text) / 8 for text in action.args[1:3])
    page.evaluate("([s, x, y]) => import('/js/actions.js').then((m) => void m.carry(s, x, y))", [source, x, y])
    page.wait_for_timeout(400)
    late.let_through()
    expect(page.locator(".bar.asked .go")).to_be_visible()
    page.wait_for_timeout(600)
    expect(page.locator(".bar.asked .go")).to_be_visible()


def test_what_was_given_up_while_it_was_asked_stays_away(table: Table) -> None:
    page = table.open(table.begin())
    late = Late(page, "**/api/why?*")
    page.evaluate(ASK, "move(a1,b1)")
    page.wait_for_timeout(100)
    page.keyboard.press("Escape")
    late.let_through()
    page.wait_for_timeout(600)
    expect(page.locator(".bar.asked")).to_have_count(0)


def breaks_once(page: Page, answers: str) -> list[Route]:
    """The line breaks when this is asked for the first time; what has been asked for."""
    asked = list[Route]()

    def take(route: Route) -> None:
        asked.append(route)
        (route.abort if len(asked) == 1 else route.continue_)()

    page.route(answers, take)
    return asked


def test_a_board_that_could_not_be_fetched_is_fetched_again(table: Table) -> None:
    """The stream brought no board, and the line broke when it was asked for: no other event may follow for long."""
    session = table.begin()
    page = opened(table, session)
    until(page, SHOWN, session.seq)
    page.evaluate("window.late = []")
    asked = breaks_once(page, "**/api/board")
    session.act("table", "move(a1,b1)", expected=None, key=None)
    expect(page.locator('[data-name="b1"]')).to_have_attribute("aria-label", re.compile("suns coin"))
    assert len(asked) > 1
    table.problems[:] = [p for p in table.problems if "ERR_FAILED" not in p]


@pytest.mark.full
def test_a_phone_whose_line_breaks_while_the_table_moves_on_follows_all_the_same(table: Table) -> None:
    session = table.begin()
    other, host = table.open(session, role=Role.PLAYER, seat=1), table.open(session)
    asked = breaks_once(other, "**/api/follow")
    show(host, "settings")
    host.click("text=New game")
    host.click('[data-game="quatri"]')
    host.click("button.go")
    expect(other.locator("h1")).to_have_text("Quatri")
    assert len(asked) > 1
    table.problems[:] = [p for p in table.problems if "ERR_FAILED" not in p]
