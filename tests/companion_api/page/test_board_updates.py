"""No board is fetched after an event, what has no further effect is done at once, a preview says nothing twice, and
past games are shown with the best line and as a film."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from companion_api.session import Session
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.promise_waits import SHOWN, until

pytestmark = pytest.mark.page

RECORD = """of => fetch(`api/export/ppn?of=${of}`)
    .then((answer) => [answer.status, answer.headers.get("content-disposition")])"""
PATIENT = """import('/js/stream.js').then(({ AGAIN_MS }) => {
    const plain = window.setTimeout;
    window.setTimeout = (go, ms, ...rest) => plain(go, ms === AGAIN_MS ? 1e9 : ms, ...rest);
})"""
"""The page asks for a board that does not come in time, as on a busy machine: now it waits."""
ASK = "id => import('/js/actions.js').then((m) => void m.ask(id))"


def act(session: Session, action: str) -> None:
    session.act("table", action, expected=None, key=None)


def play(session: Session, seed: int = 3) -> None:
    """To the end."""
    rng = random.Random(seed)
    while not session.game.turn(session.state).is_over:
        act(session, session.game.sample(session.state, rng).id)


def requests(page: Page) -> list[str]:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def test_no_board_is_fetched_after_an_event(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    until(page, SHOWN, session.seq)
    page.evaluate(PATIENT)
    asked = requests(page)
    for action in ("move(a1,b1)", "move(f6,e6)", "move(b1,c1)"):
        act(session, action)
        until(page, SHOWN, session.seq)
    expect(page.locator('[data-name="c1"]')).to_have_attribute("aria-label", "c1: suns coin")
    page.evaluate("import('/js/actions.js').then((m) => m.act('move(e6,d6)'))")
    until(page, SHOWN, session.seq)
    assert [url for url in asked if url.endswith("/api/board")] == []


def test_what_has_no_further_effect_is_done_on_one_tap_and_taken_back_on_another(table: Table) -> None:
    session, rng = table.begin("zombie"), random.Random(1)
    while session.game.turn(session.state).phase != "move":
        act(session, session.game.sample(session.state, rng).id)
    page, done = table.open(session, seat=0), len(session.history.actions)
    page.click('[data-action="stay"]')
    undo = page.locator("button", has_text="Undo").first
    expect(undo).to_be_visible()
    assert session.history.actions[-1].id == "stay"
    undo.click()
    expect(page.locator('[data-action="stay"]')).to_be_visible()
    assert len(session.history.actions) == done


def test_a_preview_says_nothing_twice(table: Table) -> None:
    session = table.begin("decay")
    page = table.open(session)
    page.evaluate(ASK, "roll(S,3)")
    expect(page.locator(".bar.asked strong")).to_have_text("the suns die shows 3")
    expect(page.locator(".bar.asked li")).to_have_count(0)


@pytest.mark.full
def test_after_a_temple_the_line_is_shown_that_leaves_fewest_tiles(table: Table) -> None:
    session = table.begin("tula")
    play(session)
    page = table.open(session)
    expect(page.locator(".end .study")).to_contain_text("had to be left; you left")
    page.click("[data-show]")
    expect(page.locator(".replay h2")).to_contain_text("the shortest solution")
    expect(page.locator(".replay figcaption")).to_contain_text("From here:")


@pytest.mark.full
def test_a_past_game_can_be_had_as_a_film(table: Table) -> None:
    past = table.begin("quatri")
    play(past)
    now = table.begin()
    page = table.open(now)
    page.evaluate("table => import('/js/state.js').then((m) => m.openReplay(table))", past.table)
    film = page.locator("a.button", has_text="MP4")
    expect(film).to_have_attribute("href", f"api/export/mp4?of={past.table}")
    assert page.evaluate(RECORD, past.table) == [200, f'attachment; filename="quatri-{past.table}.ppn"']
    running = table.begin("dodgem")
    assert page.evaluate(RECORD, running.table)[0] == 403


def test_what_shows_no_value_has_no_sign_of_one(table: Table) -> None:
    """A coin with its suit up was labelled as a null in the camera's picture."""
    page = table.open(table.begin())
    signs = "values => import('/js/piece_names.js').then((m) => values.map((value) => m.valueSign(value)))"
    assert page.evaluate(signs, [None, "null", "ace", "5"]) == ["", "n", "a", "5"]
