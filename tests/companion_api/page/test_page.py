"""The page as people use it, in a real Chromium at phone size."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

import companion_api
from companion_api.access import Role
from companion_api.phrasebook import ENGLISH, languages
from rules.games import available, game
from tests.companion_api.page.conftest import DESK, PHONE, Axe, Scheme, Table
from tests.companion_api.page.promise_waits import HEARD, until
from tests.tiers import ON_PAGE, full

pytestmark = pytest.mark.page
OTHERS = [language for language in languages() if language != ENGLISH]

VIEWS = ("board", "camera", "hand", "log", "score", "settings")
everywhere: list[Any] = [(PHONE, "light"), *map(full, [(PHONE, "dark"), (DESK, "light"), (DESK, "dark")])]


def show(page: Page, view: str) -> None:
    page.click(f'nav [data-view="{view}"]')


def tap(page: Page, name: str) -> None:
    page.click(f'svg [data-name="{name}"]')


def test_a_phone_joins_by_the_qr_and_the_code_is_gone_from_the_address(table: Table) -> None:
    page = table.open(table.begin(), role=Role.PLAYER)
    assert page.url == f"{table.address}/"
    expect(page.locator("h1")).to_have_text("Piecepack Dodg'em")


@pytest.mark.full
def test_a_phone_joins_by_typing_the_code(table: Table) -> None:
    session = table.begin()
    page = table.browser.new_page()
    page.goto(table.address)
    page.fill("input[maxlength='12']", table.app.state.tables.keys.code(session.table, Role.PLAYER).lower())
    page.click("button.go")
    expect(page.locator("nav")).to_be_visible()
    page.click('[data-seat="none"]')
    show(page, "settings")
    expect(page.locator(".code").first).to_have_text(table.app.state.tables.keys.code(session.table, Role.PLAYER))
    page.close()


@pytest.mark.parametrize("name", ON_PAGE)
def test_every_game_is_drawn_with_all_its_pieces(name: str, table: Table) -> None:
    session = table.begin(name, plies=25)
    page = table.open(session)
    layout = game(name).layout(session.state)
    expect(page.locator("svg .piece").first).to_be_visible()
    assert page.locator(".pan .piece").count() == len(layout.board)
    assert page.locator(".zones button").count() == len(layout) - len(layout.board)
    assert page.locator(".cell").count() >= len(layout.places)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_two_taps_show_what_it_does_and_a_third_does_it(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    tap(page, "a1")
    expect(page.locator(".cell.target")).not_to_have_count(0)
    tap(page, "b1")
    expect(page.locator(".bar.asked")).to_contain_text("suns coin: a1 → b1")
    expect(page.locator(".arrow.comes")).to_have_count(1)
    expect(page.locator(".piece.ghost")).to_have_count(1)
    page.click("text=Do it")
    expect(page.locator('[data-name="b1"]')).to_have_attribute("aria-label", re.compile("suns coin"))
    assert [action.id for action in session.history.actions] == ["move(a1,b1)"]


def test_a_forbidden_place_says_why_not_with_its_clause(table: Table) -> None:
    page = table.open(table.begin())
    tap(page, "a1")
    tap(page, "c3")
    expect(page.locator(".bar.refused .clause")).to_contain_text("DODG")
    expect(page.locator(".bar.refused strong")).not_to_be_empty()


def test_a_tile_is_laid_on_a_free_spot_of_a_table_without_a_grid(table: Table) -> None:
    session, rng = table.begin("decay"), random.Random(1)
    while len(session.game.layout(session.state).board) < 4:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(session, locale="de")
    page.click(".zones button:not([disabled])")
    expect(page.locator(".bar.actions")).to_contain_text("freie Stelle")
    legal = next(action for action in session.game.legal(session.state))
    spot = [int(text) / 8 for text in legal.args[1:]]
    to_screen = """([x, y]) => { const svg = document.querySelector(".pan svg");
        const at = new DOMPoint(x, -y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y]; }"""
    x, y = page.evaluate(to_screen, spot)
    page.mouse.click(x, y)
    expect(page.locator(".bar.asked .clause")).to_contain_text("DECAY-3.3")
    page.click("text=Ausführen")
    expect(page.locator(".pan .piece.tile")).to_have_count(5)


@pytest.mark.full
def test_an_event_on_one_phone_is_on_the_other(table: Table) -> None:
    session = table.begin()
    other = table.open(session, role=Role.PLAYER)
    expect(other.locator(".chip")).to_have_text("No camera")
    until(other, HEARD, session.seq)  # what comes with the first batch is history and not announced
    session.act("table", "move(a1,b1)", expected=None, key=None)
    expect(other.locator('[data-name="b1"]')).to_have_attribute("aria-label", re.compile("suns coin"))
    expect(other.locator("[aria-live=polite]")).to_contain_text("a1")


def test_undo_correct_and_look_back(table: Table) -> None:
    session = table.begin()
    for action in ("move(a1,b1)", "move(f6,e6)"):
        session.act("table", action, expected=None, key=None)
    page = table.open(session)
    show(page, "log")
    page.click("li.action >> nth=0 >> button.line")
    page.click("li.action >> nth=0 >> text=Correct")
    expect(page.locator(".drawn svg.mini").first).to_be_visible()
    page.click(".drawn >> nth=0")
    expect(page.locator("li.corrected")).to_have_count(1)
    assert session.history.actions[-1].id != "move(f6,e6)"
    page.click(".log > .row >> text=Undo")
    expect(page.locator("li.undo")).to_have_count(1)
    page.locator("input[type=range]").fill("3")
    show(page, "board")
    expect(page.locator(".bar")).to_contain_text("after event 3")
    page.click("text=Back to now")
    expect(page.locator("input[type=range]")).to_have_count(0)


def test_a_dispute_is_claimed_ruled_and_overruled(table: Table) -> None:
    session = table.begin()
    session.act("table", "move(a1,b1)", expected=None, key=None)
    page = table.open(session)
    show(page, "log")
    page.click("li.action >> button.line")
    page.click("li.action >> text=Dispute")
    expect(page.locator(".ruling .clause")).to_contain_text("DODG")
    page.fill(".dispute input", "it was a slip")
    page.click("text=It does not stand")
    expect(page.locator("section.ruling")).to_have_count(2)
    expect(page.locator("li.corrected")).to_have_count(1)
    assert session.history.actions == ()


@pytest.mark.full
def test_a_vote_is_sealed_until_it_is_asked_for(table: Table) -> None:
    session = table.begin("global_warming")
    rng = random.Random(5)
    for _ in range(200):
        if session.game.turn(session.state).kind.value == "all":
            break
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    seat = session.game.turn(session.state).seats[0]
    page = table.open(session, role=Role.PLAYER, seat=seat)
    expect(page.locator(".bar")).to_contain_text("Choose in secret")
    assert page.locator(".bar [data-action]").count() == 0
    page.click("text=Show my choices")
    page.click(".bar [data-action] >> nth=0")
    expect(page.locator(".bar")).to_contain_text("You have chosen")
    show(page, "log")
    other = table.open(session, role=Role.PLAYER)
    show(other, "log")
    expect(other.locator("li.action >> nth=0")).to_contain_text("has chosen")


def test_the_host_opens_a_new_game_and_the_others_follow(table: Table) -> None:
    session = table.begin()
    other = table.open(session, role=Role.PLAYER, seat=1)
    host = table.open(session)
    show(host, "settings")
    host.click("text=New game")
    host.click('[data-game="four_blind_mice"]')
    host.fill("label:has-text('Seat 1') input", "Ada")
    host.click("button.go")
    expect(host.locator("h1")).to_have_text("Four Blind Mice")
    expect(other.locator("h1")).to_have_text("Four Blind Mice")


def test_the_page_is_whole_again_after_the_line_was_cut(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    expect(page.locator(".chip")).to_have_text("No camera")
    page.context.set_offline(True)
    session.act("table", "move(a1,b1)", expected=None, key=None)
    page.context.set_offline(False)
    expect(page.locator('[data-name="b1"]')).to_have_attribute("aria-label", re.compile("suns coin"))
    cut = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    table.problems[:] = [p for p in table.problems if not any(word in p for word in cut)]


def test_entry_by_hand_takes_any_action_and_says_what_is_wrong(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    show(page, "hand")
    page.fill(".hand input", "a1-a5")
    page.click("text=Ask")
    expect(page.locator(".bar.refused .clause")).to_contain_text("DODG")
    page.fill(".hand input", "a1-b1")
    page.click("text=Ask")
    with page.expect_response("**/api/actions"):
        page.click("text=Do it")
    expect(page.locator(".bar.asked")).to_have_count(0)
    assert session.history.actions[-1].id == "move(a1,b1)"


def test_the_whole_game_can_be_played_by_keyboard(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    page.focus('[data-name="a1"]')
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.name") == "b1"
    page.keyboard.press("Enter")
    expect(page.locator(".bar.asked")).to_be_visible()
    expect(page.locator(".bar.asked .go")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator('[data-name="b1"]')).to_have_attribute("aria-label", re.compile("suns coin"))
    for view in VIEWS:
        page.focus(f'nav [data-view="{view}"]')
        page.keyboard.press("Space")
        expect(page.locator(f'nav [data-view="{view}"]')).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize(("size", "scheme"), everywhere)
def test_no_serious_barrier(size: tuple[int, int], scheme: Scheme, table: Table, axe: Axe) -> None:
    session = table.begin("decay", plies=30)
    session.add_claim("seat:0", {"text": "look", "about": None, "pictures": {}}, key=None)
    page = table.open(session, size, scheme=scheme)
    for view in VIEWS:
        show(page, view)
        page.wait_for_timeout(150)
        assert axe(page) == [], view
    page.click("text=Set up camera and table")
    expect(page.locator(".steps > li")).to_have_count(6)
    assert axe(page) == []
    show(page, "settings")
    page.click("text=New game")
    expect(page.locator("[data-game]")).to_have_count(len(available()))
    assert axe(page) == []


def test_what_is_tapped_is_large_enough(table: Table) -> None:
    page = table.open(table.begin("quatri"))
    for view in VIEWS:
        show(page, view)
        sizes = page.evaluate(
            "[...document.querySelectorAll('button, select, input:not([type=checkbox])')].filter((e) => e.offsetParent)"
            ".map((e) => [e.getBoundingClientRect().height, e.outerHTML.slice(0, 80)])"
        )
        assert [text for height, text in sizes if height < 43.5] == [], view


@pytest.mark.full
@pytest.mark.parametrize(("locale", "words"), [("de", "a1 nach b1"), ("fr", "a1 vers b1"), ("en", "a1 to b1")])
def test_actions_are_told_in_the_language_of_the_phone(locale: str, words: str, table: Table) -> None:
    session = table.begin()
    session.act("table", "move(a1,b1)", expected=None, key=None)
    page = table.open(session, locale=locale)
    show(page, "log")
    expect(page.locator("li.action")).to_contain_text(words)


@pytest.mark.parametrize(
    ("locale", "word"), [("de", "Brett"), ("fr", "Plateau"), ("es", "Tablero"), ("en", "Board"), ("sv", "Board")]
)
def test_the_page_speaks_the_language_of_the_phone(locale: str, word: str, table: Table) -> None:
    page = table.open(table.begin(), locale=locale)
    expect(page.locator('nav [data-view="board"]')).to_contain_text(word)
    assert page.evaluate("document.documentElement.lang") == (locale if locale != "sv" else "en")


def test_the_big_screen_shows_the_public_table_and_nothing_to_touch(table: Table) -> None:
    session = table.begin("dectana", plies=8)
    page = table.browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(table.address)
    page.fill("input[maxlength='12']", table.app.state.tables.keys.code(session.table, Role.PLAYER))
    page.select_option("select", "screen")
    page.click("button.go")
    expect(page.locator(".screen .piece").first).to_be_visible()
    expect(page.locator("nav")).to_have_count(0)
    expect(page.locator(".qr")).to_be_visible()
    page.close()


def test_the_first_load_is_small_and_asks_nobody_outside(table: Table) -> None:
    session = table.begin()
    page = table.open(session)
    asked = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
    assert asked
    assert all(name.startswith(table.address) for name in asked)
    total = 0
    for name in {*asked, f"{table.address}/"}:
        if "/api/" in name:
            continue
        answer = httpx.get(name, headers={"accept-encoding": "gzip"})
        whole = answer.content
        total += min(len(gzip.compress(whole)), len(whole))
        if len(whole) > 600:
            assert answer.headers.get("content-encoding") == "gzip", name
    assert total < 150_000


@pytest.mark.parametrize("language", OTHERS)
def test_every_option_and_choice_has_its_words(language: str) -> None:
    path = Path(companion_api.__file__).parent / "words" / "options" / f"{language}.json"
    words = json.loads(path.read_text(encoding="utf-8"))
    told = [name for name in available() if language not in game(name).card.untranslated_in]
    options = [(name, option) for name in told for option in game(name).card.options]
    choices = {choice for _, option in options for choice in option.choices if isinstance(choice, str)}
    wanted = {f"option.{name}.{option.name}" for name, option in options}
    wanted |= {f"choice.{choice}" for choice in choices if not choice.isdigit()}
    assert wanted == set(words)


def test_every_word_is_in_every_language() -> None:
    from tests.companion_api.page.words import missing_words, unknown_words, wrong_patterns

    assert missing_words() == {}
    assert unknown_words() == set()
    assert wrong_patterns() == set()


def test_one_thing_has_one_word_and_one_of_something_its_own_form() -> None:
    from tests.companion_api.page.words import other_words, uncounted

    assert other_words() == set()
    assert uncounted() == set()


def test_the_languages_are_those_that_there_are_files_for(table: Table) -> None:
    """The page knows none by name: it asks the server, which looks what catalogues there are."""
    page = table.open(table.begin(), locale="es")
    show(page, "settings")
    offered = page.locator("label:has-text('Idioma') option")
    expect(offered).to_have_count(len(languages()))
    assert set(offered.all_inner_texts()) >= {"Deutsch", "English", "Español", "Français"}
