"""From begin to end: rules to begin with, easiest first; and the best moments as pictures when a game is over."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from calibration.learned_appearance import faces_of
from calibration.profile import load
from companion_api.access import Role
from companion_api.session import Session
from rules.engine.card import USUAL
from rules.games import game
from rules.pieces import RANKS, SUITS, Face, Kind
from rules.referee.memory import Memory
from tests.companion_api.page.conftest import Axe, Table
from tests.companion_api.page.test_page import show
from tests.tiers import GAMES
from tests.vision.test_appearance import known_by, row
from tests.vision.test_witness import BEFORE
from vision.witness.appearance import Appearances
from vision.witness.witness import ReferenceFrame

pytestmark = pytest.mark.page


@pytest.mark.parametrize("name", GAMES)
def test_every_preset_begins_a_game_and_changes_something(name: str) -> None:
    rules = game(name)
    usual = {option.name: option.default for option in rules.card.options}
    found = rules.card.rule_sets
    assert USUAL in [preset["name"] for preset in found]
    for preset in found:
        rules.start(preset["options"], None)
        assert preset["name"] == USUAL or any(usual[key] != value for key, value in preset["options"].items())


def test_the_rules_for_a_first_game_are_one_tap_away(table: Table, axe: Axe) -> None:
    page = table.open(table.begin())
    show(page, "settings")
    page.click("text=New game")
    page.click('[data-game="decay"]')
    assert page.locator(".options input").first.is_hidden(), "twenty fields are behind more"
    first = page.locator(".presets button").first
    expect(first).to_have_text("For a first game")
    first.click()
    expect(page.locator(".chosen")).to_contain_text("may leave out the attack")
    assert page.locator(".options input").first.is_hidden()
    assert axe(page) == []
    page.click("button.go")
    expect(page.locator("h1")).to_have_text("Decay")
    options = page.evaluate("fetch('/api/board').then((r) => r.json()).then((b) => b.options)")
    assert options["attack_optional"] is True


def played_out(table: Table, name: str, seed: int) -> Session:
    session, rng = table.begin(name), random.Random(seed)
    while not session.game.turn(session.state).is_over:
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    return session


@pytest.mark.parametrize("name", ["decay", "penguin"])
def test_the_end_shows_the_best_moments_as_pictures(name: str, table: Table, axe: Axe) -> None:
    session = played_out(table, name, 174)
    page = table.open(session)
    moments = page.locator(".end .moments button")
    expect(moments).to_have_count(3)
    expect(page.locator(".end .moments svg.mini")).to_have_count(3)
    assert all(text.strip() for text in moments.all_inner_texts())
    assert axe(page) == []
    moments.first.click()
    expect(page.locator(".bar")).to_contain_text("Back to now")


def test_statistics_tell_who_has_won_over_the_evenings(table: Table, axe: Axe) -> None:
    """Games with names count, and all are listed; what the game itself calls a seat is nobody."""
    played_out(table, "dodgem", 3)
    tables = table.app.state.tables
    for seed in (1, 2):
        session, rng = tables.begin("dodgem", {}, [{"name": "Anna"}, {"name": "Ben"}]), random.Random(seed)
        while not session.game.turn(session.state).is_over:
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
    page = table.open(table.begin())
    show(page, "score")
    rows = page.locator(".evenings tbody tr")
    expect(rows).to_have_count(2)
    assert sorted(text.split()[0] for text in rows.all_inner_texts()) == ["Anna", "Ben"]
    told = page.evaluate("fetch('/api/evenings').then((r) => r.json())")
    assert [person["games"] for person in told["people"]] == [2, 2]
    assert len(told["games"]) == 3, "those of people without a name can be seen again too"
    assert sum(person["won"] for person in told["people"]) == sum(len(one["winners"]) for one in told["games"])
    assert axe(page) == []


def shown_in_play(session: Session) -> Appearances:
    """The camera has seen six tiles of the set at work."""
    opening = known_by(BEFORE, None)
    assert opening is not None
    assert isinstance(opening.reference, ReferenceFrame)
    faces = [(SUITS[number % 4], RANKS[number]) for number in range(6)]
    looks = Appearances().taught(((Kind.TILE, Face.FRONT), face, row(number)) for number, face in enumerate(faces))
    believed = replace(opening, reference=replace(opening.reference, appearances=looks), actions=())
    session.referee.memory = Memory(keyframe=believed, ever_explained=True)
    return looks


@pytest.mark.full
def test_a_set_that_the_game_has_shown_is_offered_to_the_host_and_kept(table: Table, axe: Axe) -> None:
    session = played_out(table, "decay", 174)
    looks = shown_in_play(session)
    page = table.open(session)
    expect(page.locator(".learnt")).to_contain_text("6 faces of your set are known by now")
    assert axe(page) == []
    page.click(".learnt button.go")
    expect(page.locator(".learnt")).to_have_count(0)
    profile = load(table.app.state.tables.data / "profile.json")
    assert profile.using == "my set"
    assert faces_of(profile.set_named("my set").looks) == faces_of(looks)
    player = table.open(session, role=Role.PLAYER)
    player.wait_for_selector(".end")
    expect(player.locator(".learnt")).to_have_count(0)
