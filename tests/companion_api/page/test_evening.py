"""A first evening in a real Chromium. Four phones and no camera: led from the box, dice of the server, a whole game of
Decay by hand and preview with a correction, a dispute and takebacks, the file for friends, a rematch, another game. And
with a film as camera: led to the first accepted move."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, TimeoutError, expect

from companion_api.access import Role
from companion_api.log.event import EventKind
from companion_api.session import Session
from models.render.layout_scene import render_layout
from models.render.materials import Picture
from rules.engine.turn import TurnKind
from rules.games import game
from tests import waiting
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import HEARD, UP_TO_DATE, until
from tests.companion_api.page.test_page import show
from vision.frame import Frame

pytestmark = [pytest.mark.page, pytest.mark.full, pytest.mark.timeout(900)]

WAIT = 90_000
PEOPLE = ("Anna", "Ben", "Clara", "David")
LUCK, CHOICES = "5eed" * 8, 135  # a whole game of some thirty actions
MINUTES = 30
MOST = 200
MOVED_ON = "async (table) => (await import('/js/state.js')).board.value.table === table"


def led_to_decay(table: Table) -> tuple[Session, list[Page]]:
    """The host is led from the box without a camera; the others come by the code and say who they are."""
    opened = table.begin()
    host = table.open(opened, led=True)
    host.set_default_timeout(WAIT)
    host.click("[data-camera=none]")
    host.click("[data-game=decay]")
    host.click("[data-open]")
    expect(host.locator(".led .qr")).to_be_visible(timeout=WAIT)
    session = table.app.state.tables.current(opened)
    host.fill(".led input", PEOPLE[0])
    host.click(".led [data-seat='0']")
    phones = [host]
    for seat, name in enumerate(PEOPLE[1:], 1):
        phone = table.open(session, role=Role.PLAYER, asked=True)
        phone.set_default_timeout(WAIT)
        phone.fill(".seating input", name)
        phone.click(f'.seating [data-seat="{seat}"]')
        expect(phone.locator(".you")).to_contain_text(name, timeout=WAIT)
        expect(host.locator(".led .seats")).to_contain_text(name, timeout=WAIT)
        phones.append(phone)
    host.click(".ways .go")
    host.click(".ways .go")
    expect(host.locator(".luck .go")).to_have_text("Roll for us", timeout=WAIT)
    return session, phones


def do(phone: Page, session: Session, action: str) -> None:
    """By hand: typed, previewed, confirmed."""
    before = len(session.history.actions)
    if phone.locator(".hand").count() == 0:
        show(phone, "hand")
    until(phone, UP_TO_DATE, session.state_seq)
    confirm = phone.locator(".bar.asked .go")
    for _ in range(3):  # what was asked of a table that changed meanwhile is dropped: people ask again
        phone.fill(".hand input", action)
        phone.click(".hand form button")
        with suppress(TimeoutError):
            confirm.wait_for(timeout=WAIT / 3)
            break
    expect(confirm).to_be_visible()
    with phone.expect_response("**/api/actions"):
        confirm.click()
    expect(phone.locator(".bar.asked")).to_have_count(0, timeout=WAIT)
    assert len(session.history.actions) == before + 1, action


def correct(phone: Page, session: Session) -> None:
    """It was really another one, chosen as a picture; and then it was not: entered by hand as it was."""
    done = session.history.actions[-1]
    show(phone, "log")
    until(phone, HEARD, session.seq)  # the action that is corrected is the first line from here on
    phone.locator("li.action button.line").first.click()
    phone.locator("li.action").first.get_by_text("Correct", exact=True).click()
    drawn = phone.locator("li.action .drawn").first
    expect(drawn.locator("svg.mini")).to_be_visible(timeout=WAIT)
    drawn.click()
    expect(phone.locator("li.corrected")).to_have_count(1, timeout=WAIT)
    assert session.history.actions[-1] != done
    phone.fill("li.action .correction input", done.id)
    phone.locator("li.action .correction form button").click()
    expect(phone.locator("li.corrected")).to_have_count(2, timeout=WAIT)
    assert session.history.actions[-1] == done


def dispute(phone: Page) -> None:
    show(phone, "log")
    phone.click(".log > .row >> text=Dispute")
    expect(phone.locator(".dispute .ruling")).to_be_visible(timeout=WAIT)


def takes_back(asker: Page, owner: Page, session: Session) -> None:
    """Somebody else's step: first it stays, then it goes, and then it is put back."""
    done, asker_name = session.history.actions, PEOPLE[1]
    for granted in (False, True):
        show(asker, "log")
        asker.click(".log >> text=Undo")
        expect(owner.locator(".takeback")).to_contain_text(f"{asker_name} asks", timeout=WAIT)
        with owner.expect_response("**/api/takeback"):
            owner.locator(".takeback button").nth(0 if granted else 1).click()
        expect(owner.locator(".takeback")).to_have_count(0, timeout=WAIT)
        assert len(session.history.actions) == len(done) - granted
    expect(asker.locator(".log")).to_contain_text("lets the step of", timeout=WAIT)
    asker.locator(".log > .row").get_by_text("Put back").click()
    expect(asker.locator("li.redo")).to_have_count(1, timeout=WAIT)
    assert session.history.actions == done


def sent_to_a_friend(table: Table, phone: Page, session: Session, folder: Path) -> None:
    """The whole game as one file, stepped through to its end without a server."""
    show(phone, "board")
    phone.click(".end [data-replay]")
    with phone.expect_download() as download:
        phone.click("[data-share]")
    file = folder / "game.html"
    download.value.save_as(file)
    friend = table.browser.new_page()
    friend.goto(file.as_uri())
    boards = {friend.locator("#board").inner_html()}
    for _ in session.history.actions:
        friend.click("#on")
        boards.add(friend.locator("#board").inner_html())
    assert len(boards) > len(session.history.actions) / 2
    expect(friend.locator("body")).to_contain_text("Anna")
    friend.close()


def test_an_evening_of_four(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion_api.session.new_seed", lambda: LUCK)
    session, phones = led_to_decay(table)
    host, rng = phones[0], random.Random(CHOICES)
    host.evaluate(f"import('/js/parts/clock.js').then((m) => m.setClock({MINUTES}, 0))")
    for count in range(MOST):
        turn = session.game.turn(session.state)
        if turn.is_over:
            break
        if turn.kind is TurnKind.CHANCE:
            show(host, "board")
            with host.expect_response("**/api/luck"):
                host.click(".luck .go")
            continue
        do(phones[turn.seats[0]], session, session.game.sample(session.state, rng).id)
        if count == 2:
            correct(host, session)
        if count == 4:
            (seat,) = session.actors_of_last(1)
            takes_back(phones[1], phones[seat] if seat != 1 else host, session)
        if count == 6:
            dispute(phones[1])
    assert session.game.turn(session.state).is_over
    winner = PEOPLE[session.game.outcome(session.state).winners[0]]
    for phone in phones:
        show(phone, "board")
        expect(phone.locator(".end")).to_contain_text(winner, timeout=WAIT)
    expect(host.locator(".end .seed")).to_be_visible()
    sent_to_a_friend(table, phones[2], session, tmp_path)
    host.click(".end .row .go")
    waiting.until(lambda: table.app.state.tables.current(session) is not session)
    again = table.app.state.tables.current(session)
    for name, phone in zip(PEOPLE, phones, strict=True):
        until(phone, MOVED_ON, again.table)
        expect(phone.locator(".clock")).to_be_visible(timeout=WAIT)
        expect(phone.locator(".you")).to_contain_text(name, timeout=WAIT)
    assert again.clock is not None
    assert again.clock.minutes == MINUTES
    assert sorted(again.known(None).names) == sorted(PEOPLE)
    show(host, "settings")
    host.click("text=New game")
    host.click('[data-game="ice_floe"]')
    host.click("button.go")
    for name, phone in zip(PEOPLE, phones, strict=True):
        expect(phone.locator("h1")).to_have_text(game("ice_floe").card.name, timeout=WAIT)
        expect(phone.locator(".you")).to_contain_text(name, timeout=WAIT)


class Film:
    """A camera over a table: no two frames are alike, and a hand is seen before a piece lies elsewhere."""

    name, live, stills = "film", True, False

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._next: deque[Picture] = deque()
        self._noise = np.random.default_rng(3)
        self._over = threading.Event()

    def reaches_in(self, after: Picture) -> None:
        """A hand comes from below, lies over the board, and leaves the table as it is `after`."""
        for picture, reach in [(self._picture, n) for n in range(1, 5)] + [(after, n) for n in range(5, 0, -1)]:
            self._next.append(_with_hand(picture, reach / 5))
        self._next.append(after)

    @property
    def ended(self) -> bool:
        return self._over.is_set()

    def read(self) -> Frame | None:
        self._over.wait(0.2)
        if self._next:
            self._picture = self._next.popleft()
        noise = self._noise.integers(-2, 3, self._picture.shape, np.int16)
        seen = np.clip(self._picture.astype(np.int16) + noise, 0, 255).astype(np.uint8)
        return Frame(seen, source=self.name, at=time.monotonic())

    def close(self) -> None:
        self._over.set()


def _with_hand(picture: Picture, reach: float) -> Picture:
    """An arm as long as that part of the picture's height."""
    drawn, (height, width) = picture.copy(), picture.shape[:2]
    tip = round(height * (1 - 0.7 * reach))
    cv2.line(drawn, (width // 2, height), (width // 2, tip), (120, 150, 205), width // 8)
    return drawn


Reached = Callable[[str, Page], None]


def led_with_a_film(table: Table, reached: Reached = lambda *_: None) -> tuple[Page, Session]:
    """A host with a camera over a table of Dodg'em, from the box to the first move. `reached` hears of every step."""
    rules = game("dodgem")
    first = rules.start()
    moved = rules.advance(first, rules.read(first, "a1-b1"))
    lies, lies_then = (render_layout(rules.layout(state), seed=2).image for state in (first, moved))
    camera, opened = Film(lies), table.begin("quatri")
    table.app.state.camera_manager.assign(opened, camera, "film")
    host = table.open(opened, led=True)
    host.set_default_timeout(WAIT)
    expect(host.locator("[data-camera=none]")).to_be_visible()
    host.wait_for_function("() => document.querySelector('[data-camera=film] img')?.naturalWidth > 0", timeout=WAIT)
    reached("camera", host)
    host.click(".ways button:not(.quiet)")
    expect(host.locator(".led .view.good")).to_be_visible(timeout=WAIT)
    reached("look", host)
    host.click(".ways .go")
    host.click("[data-game=dodgem]")
    host.locator(".led .switch input").uncheck()
    host.click("[data-open]")
    host.click(".ways .go")
    host.fill(".led input", PEOPLE[0])
    host.click(".led [data-seat='0']")
    expect(host.locator(".led .seats")).to_contain_text(PEOPLE[0])
    reached("people", host)
    host.click(".ways .go")
    expect(host.locator(".laying")).to_contain_text("Everything lies as it should", timeout=WAIT)
    reached("lay", host)
    host.click(".ways .go")
    host.click(".ways .go")
    camera.reaches_in(lies_then)
    expect(host.locator(".last-move")).to_contain_text("a1 to b1", timeout=WAIT)
    session: Session = table.app.state.tables.current(opened)
    return host, session


def test_a_host_with_a_camera_is_led_to_the_first_accepted_move(table: Table) -> None:
    _, session = led_with_a_film(table)
    told = next(event for event in session.events if event.kind is EventKind.ACTION)
    assert (told.by, session.history.actions[0].id) == ("camera", "move(a1,b1)")
