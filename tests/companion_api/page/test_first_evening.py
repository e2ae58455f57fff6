"""A first evening without a camera: led from the box, dice of the server, takebacks by leave, a file for friends."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from companion_api.access import Role
from companion_api.projections.choices import action_json as act
from companion_api.session import Session
from companion_api.simulated.incidents import WRONG_MOVE, Requests
from companion_api.simulated.self_play import SelfPlay
from companion_api.watching.camera_manager import DRAWN
from rules.engine.action import parse_action
from rules.games.fuji_san import solver as fuji_san
from rules.referee.verdict import Choice, Verdict, VerdictKind, mention, question_sentence
from tests.companion_api.page.conftest import PHONE, TELEVISION, Axe, Table
from tests.companion_api.page.promise_waits import HEARD, until
from tests.companion_api.page.test_page import show

pytestmark = pytest.mark.page

WAIT = 90_000
AWAY = """async () => {
  const { myTurn } = await import("/js/announce.js");
  Object.defineProperty(window, "isSecureContext", {value: false, configurable: true});
  Object.defineProperty(document, "hidden", {value: true, configurable: true});
  myTurn();
  delete document.hidden;
  document.dispatchEvent(new Event("visibilitychange")); }"""
SIT = "([seat, name]) => import('/js/join.js').then((m) => m.takeSeat(seat, name))"


def sits(table: Table, session: Session, seat: int, name: str) -> Page:
    page = table.open(session, role=Role.PLAYER, asked=True)
    page.evaluate(SIT, [seat, name])
    expect(page.locator("section.board")).to_be_visible(timeout=WAIT)
    return page


def test_a_first_host_is_led_to_the_first_roll_and_takebacks_are_asked_for(table: Table, axe: Axe) -> None:
    session = table.begin("decay")
    host = table.open(session, led=True)
    assert axe(host) == []
    host.click("[data-camera=none]")
    host.click("[data-game=decay]", timeout=WAIT)
    host.click("[data-open]")
    expect(host.locator(".led .qr")).to_be_visible(timeout=WAIT)
    new = table.app.state.tables.current(session)
    ben = sits(table, new, 1, "Ben")
    expect(host.locator(".led .seats")).to_contain_text("Ben", timeout=WAIT)
    host.fill(".led input", "Ann")
    host.click(".led [data-seat='0']")
    host.click(".ways .go")
    host.click(".ways .go")
    expect(host.locator(".luck .go")).to_have_text("Roll for us")

    declines = "(told) => import('/js/action_text.js').then((m) => m.actionWords({text: '', ...told}))"
    told = host.evaluate(declines, act(new.game, parse_action("decline_coin(M)")))
    assert told == "take no coin from Ben", "people are called by their names"

    # Somebody else's roll leaves what this phone is about to choose.
    ben.click(".luck summary")
    ben.click(".luck [data-action='roll(S,3)']")
    expect(ben.locator(".bar.asked .go")).to_be_visible()
    host.click(".luck summary")
    new.act("seat:0", "roll(M,2)", expected=None, key=None)
    until(
        ben,
        "(seq) => import('/js/state.js').then((m) => m.board.value.state >= seq && m.shownPreview.value?.state >= seq)",
        new.state_seq,
    )
    expect(ben.locator(".bar.asked .go")).to_be_visible()
    before = new.state_seq
    ben.click(".bar.asked .go")
    until(ben, "(seq) => import('/js/state.js').then((m) => m.board.value.state > seq)", before)
    expect(ben.locator(".bar.asked")).to_have_count(0)

    # Ann's step goes only by her leave, and comes back.
    new.act("seat:0", "roll(C,1)", expected=None, key=None)
    show(ben, "log")
    expect(ben.locator(".round .who b").first).to_have_text("Ann", timeout=WAIT)
    done = len(new.history.actions)
    ben.click(".log >> text=Undo")
    expect(host.locator(".takeback")).to_contain_text("Ben asks to take back your last step", timeout=WAIT)
    assert len(new.history.actions) == done
    host.click(".takeback .go")
    toast = host.locator(".notice")
    expect(toast).to_contain_text("Ben took back Ann’s last step", timeout=WAIT)
    assert len(new.history.actions) == done - 1
    host.evaluate("import('/js/words.js').then((m) => m.setLanguage('de'))")
    expect(toast).to_contain_text("Ben hat den letzten Zug von Ann zurückgenommen")
    heights = toast.locator("button").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)")
    assert max(heights) < 60, "no word of a button is broken"
    toast.locator("button").first.click()
    expect(ben.locator("li.redo")).to_have_count(1, timeout=WAIT)
    assert len(new.history.actions) == done
    # A turn that began unseen: what https would be good for is said, once.
    host.evaluate(AWAY)
    expect(toast).to_contain_text("Es war an dir", timeout=WAIT)
    toast.get_by_text("OK").click()
    host.evaluate(AWAY)
    expect(toast).to_have_count(0)
    show(host, "log")
    told = host.locator(".round time").all_inner_texts()
    assert told
    assert not any(text.endswith("M") or text.count(":") > 1 for text in told), told


@pytest.mark.full
def test_a_simulated_table_says_so_and_its_rules_can_be_broken(table: Table, axe: Axe) -> None:
    """The acts come as the table asks for them, and not by the clock."""
    session, camera_manager = table.begin("dodgem", size=4), table.app.state.camera_manager
    requests = Requests()
    player = SelfPlay(session, seed=3, requests=requests, keep=camera_manager.keep)
    camera_manager._requests, camera_manager._watcher, camera_manager.source = requests, player, DRAWN
    session.set_simulated(True)
    page = table.open(session)
    card = page.locator(".simulated")
    expect(card).to_contain_text("This is a simulated table.", timeout=WAIT)
    card.locator("[data-try]").click()
    expect(card.locator(".tries li")).to_have_count(2, timeout=WAIT)
    player.play_one()
    taken: list[str | None] = []

    def before_the_answer(route: Route) -> None:
        answer = route.fetch()
        taken.append(requests.take())
        assert player.stage(WRONG_MOVE)
        until(page, HEARD, session.seq)
        route.fulfill(response=answer)

    page.route("**/api/demo/stage", before_the_answer)
    with page.expect_response("**/api/demo/stage"):
        card.locator("[data-step=wrong_move] button").click()
    assert taken == [WRONG_MOVE]
    expect(card.locator(".caption")).to_contain_text("Staged: ", timeout=WAIT)
    expect(page.locator(".pending.refused .clause")).to_contain_text("DODG", timeout=WAIT)
    expect(card.locator("[data-step=wrong_move]")).to_have_class("done", timeout=WAIT)
    page.click(".pending .reasons > summary")
    reasons = page.locator(".pending .reasons")
    expect(reasons).to_contain_text("nothing was done", timeout=WAIT)
    expect(reasons.locator(".gates")).to_contain_text("refused")
    assert axe(page) == []
    player._undo_incident()
    expect(card.locator(".caption")).to_contain_text("Put right", timeout=WAIT)
    expect(page.locator(".pending")).to_have_count(0, timeout=WAIT)
    seat = session.game.turn(session.state).seats[0]
    source = next(p for p in session.game.layout(session.state).board if p.piece.suit is session.seats[seat].suit)
    page.click(f'svg [data-name="{source.place}"]')
    page.click(f'svg [data-name="{"d4" if source.place[0] in "ab" else "a4"}"]')
    expect(page.locator(".bar.refused")).to_be_visible(timeout=WAIT)
    expect(card.locator("[data-step=own]")).to_have_class("done", timeout=WAIT)
    page.click(".bar.refused button")
    card.get_by_text("Use my camera").click()
    expect(page.locator(".led [data-camera=phone]")).to_be_visible(timeout=WAIT)


def knocking(table: Table, host: Page) -> Page:
    """A television comes in without typing: the host's phone opens what it shows."""
    screen = table._page(TELEVISION, "light")
    screen.goto(table.address)
    shown = screen.locator(".knock img")
    expect(shown).to_be_visible(timeout=WAIT)
    scanned = (shown.get_attribute("src") or "").split("/")[2]
    phone = host.context.new_page()
    phone.goto(f"{table.address}/#let={scanned}")
    phone.click(".notice >> text=Let it in")
    expect(phone.locator(".notice")).to_contain_text("The big screen is in", timeout=WAIT)
    phone.close()
    expect(screen.locator(".page.screen")).to_be_visible(timeout=WAIT)
    return screen


@pytest.mark.full
def test_a_question_has_no_sheet_over_it_and_the_television_keeps_its_code(table: Table) -> None:
    session = table.begin("fuji_san")
    deals = list(session.game.legal(session.state))
    with session.lock:
        said = question_sentence(mention(session.game, deal) for deal in deals)
        choices = tuple(Choice((deal,), 0.25) for deal in deals)
        session.pending = Verdict(VerdictKind.AMBIGUOUS, said, choices=choices)
        session._publish()
    page = table.open(session, size=PHONE, seat=0)
    expect(page.locator(".pending .drawn")).to_have_count(4, timeout=WAIT)
    assert len(set(page.locator(".pending .drawn").all_inner_texts())) == 4
    expect(page.locator(".page > .bar")).to_have_count(0)
    screen = knocking(table, page)
    code = screen.locator(".screen img.qr")
    expect(code).to_be_visible(timeout=WAIT)
    box = code.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= TELEVISION[1]


@pytest.mark.full
def test_a_game_is_seen_again_and_sent_as_one_file(table: Table, tmp_path: Path) -> None:
    session, rng = table.begin("decay"), random.Random(174)
    while not session.game.turn(session.state).is_over:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, role=Role.PLAYER, seat=0)
    page.click(".end [data-replay]", timeout=WAIT)
    slider = page.locator(".replay input[type=range]")
    expect(slider).to_have_attribute("max", str(len(session.history.actions)), timeout=WAIT)
    slider.fill("3")
    slider.press("ArrowRight")
    expect(slider).to_have_value("4")
    with page.expect_download() as download:
        page.click("[data-share]")
    file = tmp_path / "game.html"
    download.value.save_as(file)
    assert file.stat().st_size < 2_000_000 * len(session.history.actions) / 100
    friend = table.browser.new_page()
    friend.goto(file.as_uri())
    friend.fill("#at", str(len(session.history.actions) // 2))
    boards = [friend.locator("#board").inner_html()]
    for _ in range(2):
        friend.click("#on")
        boards.append(friend.locator("#board").inner_html())
    assert len(set(boards)) == 3
    friend.close()


def _climb(session: Session) -> int:
    """To the summit with one detour: a move after which it is no nearer. How many moves it took."""
    game, detours = session.game, 0
    while (best := fuji_san.hint(session.state)) is not None:
        length = len(fuji_san.route(session.state) or ())
        ways = ((action, game.advance(session.state, action)) for action in game.legal(session.state))
        longer = next((action for action, state in ways if len(fuji_san.route(state) or ()) >= length), None)
        session.act("seat:0", (best if detours or longer is None else longer).id, expected=None, key=None)
        detours += longer is not None
    taken: int = game.outcome(session.state).scores[0]
    return taken


@pytest.mark.full
def test_a_puzzle_gives_a_hint_and_shows_its_solution_afterwards(table: Table) -> None:
    session = table.begin("fuji_san", layout="easy")
    while session.game.turn(session.state).seat is None:
        session.act("table", next(iter(session.game.legal(session.state))).id, expected=None, key=None)
    page = table.open(session, seat=0)
    page.click("[data-hint]", timeout=WAIT)
    expect(page.locator(".bar.asked .go")).to_be_visible(timeout=WAIT)
    taken = _climb(session)
    assert taken > 12
    expect(page.locator(".end .study")).to_contain_text(f"12 moves were needed; you took {taken}", timeout=WAIT)
    page.click(".end [data-show]")
    slider = page.locator(".replay input[type=range]")
    expect(slider).to_have_attribute("max", "12", timeout=WAIT)
    slider.press("ArrowRight")
    expect(page.locator(".replay figcaption")).not_to_contain_text("From here")
    page.click(".replay .study button")
    expect(slider).to_have_attribute("max", str(len(session.history.actions)), timeout=WAIT)
