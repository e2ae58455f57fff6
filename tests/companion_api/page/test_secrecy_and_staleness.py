"""What makes people trust the page: nothing secret is said aloud, nothing that is out of date is done, everybody knows
who they are, one address is always the table that is played."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, Route, expect

from companion_api.access import Role
from companion_api.session import Session
from rules.engine.turn import TurnKind
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import HEARD
from tests.companion_api.page.promise_waits import until as page_until
from tests.companion_api.page.test_page import show, tap
from tests.waiting import until

pytestmark = pytest.mark.page

SPOKEN = """window.heard = [];
Object.defineProperty(window, 'speechSynthesis', {value: {speak: (u) => heard.push(u.text)}});"""


def secret_choice(table: Table, name: str = "global_warming") -> Session:
    """A game where everybody is to choose in secret."""
    session, rng = table.begin(name), random.Random(5)
    while session.game.turn(session.state).kind is not TurnKind.ALL:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    return session


def test_a_secret_choice_is_never_said_aloud_nor_kept_in_sight(table: Table) -> None:
    session = secret_choice(table)
    seat = session.game.turn(session.state).seats[0]
    page = table.open(session, role=Role.PLAYER, seat=seat)
    page.evaluate(SPOKEN)
    page.evaluate("import('/js/state.js').then((m) => (m.voice.value = true))")
    page_until(page, HEARD, session.seq)
    page.click("text=Show my choices")
    chosen = page.locator(".bar [data-action]").first
    words = chosen.inner_text()
    chosen.click()
    expect(page.locator("[aria-live=polite]")).to_contain_text("has chosen")
    assert page.evaluate("heard").pop().endswith("has chosen")
    show(page, "log")
    expect(page.locator("li.action").first).to_contain_text("has chosen")
    page.click("li.action >> nth=0 >> button.line")
    assert words not in page.inner_text("body")
    show(page, "hand")
    assert page.locator(".hand [data-action]").count() == 0, "what is secret is not listed openly"


@pytest.mark.full
def test_what_was_asked_of_a_state_that_is_gone_is_dropped(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    tap(page, "a1")
    tap(page, "b1")
    expect(page.locator(".bar.asked")).to_be_visible()
    session.act("table", "move(a2,b2)", expected=None, key=None)
    expect(page.locator(".bar.asked")).to_have_count(0)
    expect(page.locator(".cell.picked")).to_have_count(0)


def test_a_preview_that_is_out_of_date_is_never_done(table: Table) -> None:
    """Even where the phone has not heard of it yet: the server knows what the preview was made for."""
    session = table.begin()
    page = table.open(session)
    tap(page, "a1")
    tap(page, "b1")
    expect(page.locator(".bar.asked")).to_be_visible()
    page.evaluate("import('/js/state.js').then((m) => (window.kept = {...m.shownPreview.value}))")
    for action in ("move(a2,b2)", "move(f6,e6)"):
        session.act("table", action, expected=None, key=None)
    page.evaluate("import('/js/actions.js').then((m) => m.act(kept.id, kept.state))")
    expect(page.locator(".notice")).to_contain_text("has changed since you asked")
    assert len(session.history.actions) == 2


@pytest.mark.full
def test_a_selection_of_the_last_game_is_not_offered_in_the_next(table: Table) -> None:
    session = table.begin()
    host = table.open(session)
    tap(host, "a1")
    tap(host, "b1")
    expect(host.locator(".bar.asked")).to_be_visible()
    host.evaluate(
        "fetch('/api/tables', {method: 'POST', headers: {'content-type': 'application/json'},"
        " body: JSON.stringify({game: 'quatri'})})"
    )
    expect(host.locator("h1")).to_have_text("Quatri")
    expect(host.locator(".bar.asked")).to_have_count(0)


def test_joining_asks_for_a_name_and_a_seat_and_says_who_one_is(table: Table) -> None:
    session = table.begin()
    first = table.open(session, role=Role.PLAYER, asked=True)
    first.fill(".seating input", "Anna")
    first.click('.seating [data-seat="0"]')
    expect(first.locator(".you")).to_have_text("You are Anna · Suns")
    expect(first.locator(".seating")).to_have_count(0)
    other = table.open(session, role=Role.PLAYER, asked=True)
    expect(other.locator('.seating [data-seat="0"]')).to_contain_text("taken by Anna")
    expect(other.locator(".turn")).to_contain_text("Anna to play")
    assert session.roster.name_of(0) == "Anna"


@pytest.mark.parametrize("agreed", [True, False])
def test_two_phones_share_a_seat_only_if_both_agree(agreed: bool, table: Table) -> None:
    session = table.begin()
    anna = table.open(session, role=Role.PLAYER, seat=0)
    other = table.open(session, role=Role.PLAYER, asked=True)
    page_until(other, HEARD, session.seq)
    other.fill(".seating input", "Ben")
    other.click('.seating [data-seat="0"]')
    expect(other.locator(".notice")).to_contain_text("You will hear")
    expect(other.locator(".you")).to_contain_text("watching")
    expect(anna.locator(".wanted")).to_contain_text("Ben would like to share the seat Suns")
    anna.click(".wanted >> text=Agree" if agreed else ".wanted >> text=No")
    expect(anna.locator(".wanted")).to_have_count(0)
    if agreed:
        expect(other.locator(".you")).to_have_text("You are Ben · Suns")
    else:
        expect(other.locator(".notice.bad")).to_contain_text("not shared")
        expect(other.locator(".you")).to_contain_text("watching")


@pytest.mark.full
def test_an_answer_that_comes_while_the_stream_is_opened_anew_is_heard(table: Table) -> None:
    session = table.begin()
    anna = table.open(session, role=Role.PLAYER, seat=0)
    other = table.open(session, role=Role.PLAYER, asked=True)
    page_until(other, HEARD, session.seq)
    held: list[Route] = []
    other.route("**/api/events*", lambda route: held.append(route))
    other.fill(".seating input", "Ben")
    with other.expect_request("**/api/events*"):
        other.click('.seating [data-seat="0"]')
    expect(other.locator(".notice")).to_contain_text("You will hear")
    anna.click(".wanted >> text=No")
    expect(anna.locator(".wanted")).to_have_count(0)
    assert held, "the stream is opened anew"
    for route in held:
        route.continue_()
    expect(other.locator(".notice.bad")).to_contain_text("not shared")


def test_a_looker_on_is_told_what_whoever_is_to_move_may_do(table: Table) -> None:
    session = table.begin()
    page = table.open(session, role=Role.PLAYER)
    tap(page, "a1")
    tap(page, "b1")
    expect(page.locator(".bar.asked")).to_contain_text("That is for Suns to do")
    assert page.locator(".bar.asked .go").count() == 0
    page.keyboard.press("Escape")
    tap(page, "a1")
    tap(page, "c3")
    expect(page.locator(".bar.refused .clause")).to_contain_text("DODG")


@pytest.mark.full
def test_somebody_called_a_is_called_a_in_the_next_game_too(table: Table) -> None:
    session = table.begin()
    host = table.open(session, asked=True)
    host.fill(".seating input", "A")
    host.click('.seating [data-seat="1"]')
    expect(host.locator(".you")).to_contain_text("A · Crowns")
    show(host, "settings")
    host.click("text=New game")
    host.click('[data-game="quatri"]')
    expect(host.locator("label:has-text('Seat 2') input")).to_have_value("A")
    host.click("button.go")
    expect(host.locator("h1")).to_have_text("Quatri")
    expect(host.locator(".you")).to_contain_text("A ·")
    seats = host.evaluate(
        "fetch('/api/tables', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify("
        "{game: 'dodgem', seats: ['A', 'Anna']})}).then(() => fetch('/api/follow', {method: 'POST'}))"
        ".then(() => fetch('/api/board')).then((r) => r.json()).then((b) => b.seats.map((s) => [s.name, s.suit]))"
    )
    assert [name for name, _ in seats] == ["A", "Anna"]
    assert [suit for _, suit in seats] == ["suns", "crowns"]


def test_an_unseated_host_chooses_nothing_in_secret_and_punishes_nobody_with_one_tap(table: Table) -> None:
    session = secret_choice(table, "ice_floe")
    host = table.open(session)
    expect(host.locator(".bar")).to_contain_text("Waiting for")
    assert host.locator("text=Show my choices").count() == 0
    sanction = host.locator('.bar [data-action^="sanction"]').first
    expect(sanction).to_be_hidden()
    host.click(".apart summary")
    before = session.seq
    sanction.click()
    expect(host.locator(".bar.asked")).to_be_visible()
    assert session.seq == before, "nothing is done before it is confirmed"


def test_the_old_qr_leads_to_the_table_that_is_played(table: Table) -> None:
    old = table.begin()
    host = table.open(old)
    show(host, "settings")
    host.click("text=New game")
    host.click('[data-game="quatri"]')
    host.click("button.go")
    expect(host.locator("h1")).to_have_text("Quatri")
    late = table.open(old, role=Role.PLAYER)
    expect(late.locator("h1")).to_have_text("Quatri")


def test_a_host_address_makes_one_host(table: Table) -> None:
    session = table.begin()
    code = table.app.state.tables.host_code(session)
    host = table.open(session)
    expect(host.locator(".you")).to_contain_text("host")
    host.goto(f"{table.address}/?again#join={code}")
    expect(host.locator(".you")).to_contain_text("host")
    thief = table.browser.new_page()
    thief.goto(f"{table.address}/#join={code}")
    expect(thief.locator("[role=alert]")).to_contain_text("already been used")
    thief.close()


def test_the_page_waits_for_a_server_that_is_away(table: Table) -> None:
    page = table.open(table.begin())
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    expect(page.locator("main.wait")).to_contain_text("is waiting for it")
    assert page.locator("input").count() == 0, "no form to join"
    page.unroute("**/api/**")
    expect(page.locator("svg .piece").first).to_be_visible()
    table.problems[:] = [p for p in table.problems if "ERR_FAILED" not in p]


def test_the_camera_goes_on_while_other_tabs_are_looked_at(table: Table) -> None:
    """Chromium's own test picture stands for the phone's camera."""
    page = table.open(table.begin())
    show(page, "camera")
    page.click("text=Use this phone as the camera")
    expect(page.locator(".camera [role=status]")).to_contain_text("Sent")
    assert table.app.state.camera_manager.source == "phone"
    show(page, "board")
    expect(page.locator(".chip.sending")).to_be_visible()
    camera, sent = table.app.state.camera_manager._watcher.camera, list[int]()
    push = camera.push

    def counted(jpeg: bytes) -> tuple[int, int]:
        sent.append(len(jpeg))
        size: tuple[int, int] = push(jpeg)
        return size

    camera.push = counted
    until(lambda: sent)
    page.click(".chip.sending")
    expect(page.locator(".camera [role=status]")).to_contain_text("Sent")
    assert not camera.ended
    stop = page.locator("text=Stop the camera")
    lay = stop.bounding_box()
    expect(page.locator(".camera img")).to_be_visible()
    sent.clear()
    until(lambda: sent)
    assert stop.bounding_box() == lay, "a button that runs away under the finger is not pressed"
    stop.click()
    expect(page.locator(".chip.sending")).to_have_count(0)


LYING = (844, 390)
WHOLE = """() => { const pan = document.querySelector('.pan');
    return pan.scrollWidth <= pan.clientWidth + 2 && pan.scrollHeight <= pan.clientHeight + 2; }"""
SMALL = """() => [...document.querySelectorAll('.cell:not(.aside)')].map((e) => e.getBoundingClientRect())
    .filter((r) => Math.min(r.width, r.height) < 43.5).length"""
FOR_FINGERS = f"() => !({SMALL})()"


@pytest.mark.parametrize("name", ["san_andreas", "zombie", "fuji_san", "quatri", "delegate_dash", "tula", "ice_floe"])
def test_the_whole_board_is_shown_first_and_fingers_hit_every_place(name: str, table: Table) -> None:
    """Where places are too small for fingers a tap comes closer first, and edges beyond which there is more are
    shaded."""
    page = table.open(table.begin(name, plies=12))
    expect(page.locator(".cell").first).to_be_attached()
    page_until(page, WHOLE)
    expect(page.locator(".pan .beyond")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if page.evaluate(SMALL):
        page.click(".pan svg", position={"x": 60, "y": 60})
        expect(page.locator(".pan .beyond")).not_to_have_count(0)
        assert page.locator(".cell.picked").count() == 0
    page_until(page, FOR_FINGERS)
    page.click("text=Fit")
    page_until(page, WHOLE if name in ("san_andreas", "zombie") else FOR_FINGERS)


@pytest.mark.full
@pytest.mark.parametrize("name", ["dodgem", "decay", "tula"])
def test_a_phone_that_lies_shows_all_of_the_board_at_once(name: str, table: Table) -> None:
    page = table.open(table.begin(name, plies=12), LYING)
    expect(page.locator(".pan .piece").first).to_be_visible()
    box = page.locator(".pan").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= LYING[1]
    assert box["width"] > LYING[0] / 2
    zoom = page.locator(".zoom").bounding_box()
    assert zoom is not None
    assert zoom["x"] >= box["x"] + box["width"], "what belongs to it stands beside it"


def test_the_board_is_one_stop_of_the_tab_key(table: Table) -> None:
    page = table.open(table.begin())
    assert page.locator('.cell[tabindex="0"]').count() == 1
    page.focus('[data-name="a1"]')
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".bar.asked")).to_be_visible()
    expect(page.locator(".bar.asked .go")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".bar.asked")).to_have_count(0)
    expect(page.locator(".cell.picked")).to_have_count(0)


def test_another_piece_of_ones_own_is_picked_not_scolded(table: Table) -> None:
    page = table.open(table.begin())
    tap(page, "a1")
    tap(page, "a2")
    expect(page.locator('[data-name="a2"]')).to_have_class(re.compile("picked"))
    assert page.locator(".bar.refused").count() == 0


@pytest.mark.full
@pytest.mark.parametrize("name", ["ice_floe", "global_warming", "dectana"])
def test_no_button_is_wider_than_its_card(name: str, table: Table) -> None:
    page = table.open(secret_choice(table, name) if name != "dectana" else table.begin(name, plies=9))
    open_all(page)
    wide = page.evaluate(
        "[...document.querySelectorAll('.bar')].flatMap((bar) => [...bar.querySelectorAll('button')]"
        ".filter((b) => b.offsetParent && b.getBoundingClientRect().right > bar.getBoundingClientRect().right))"
        ".map((b) => b.textContent)"
    )
    assert wide == []


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")


def choose_all(session: Session) -> None:
    """Everybody has chosen; the last choice uncovers them all."""
    while (turn := session.game.turn(session.state)).kind is TurnKind.ALL:
        action = next(a for a in session.game.legal(session.state) if a.seat == turn.seats[-1] and "commit" in a.verb)
        session.act(f"seat:{action.seat}", action.id, expected=None, key=None)


@pytest.mark.parametrize("name", ["global_warming", "ice_floe"])
def test_what_all_have_chosen_is_uncovered_before_everybody_in_one_picture(name: str, table: Table) -> None:
    """Whoever chose last, whoever looks: the same picture, not only for the one whose choice it was."""
    session = secret_choice(table, name)
    last = session.game.turn(session.state).seats[0]
    pages = [table.open(session, role=Role.PLAYER, seat=last), table.open(session)]
    choose_all(session)
    assert session.game.turn(session.state).kind is not TurnKind.ALL
    for page in pages:
        expect(page.locator(".uncovered li")).to_have_count(len(session.seats))
        expect(page.locator(".uncovered .picture-of")).to_have_count(len(session.seats))
