"""A saved game is opened on the page: the table goes on where the file ends, or the page says why it cannot."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, Page, expect

from companion_api.access import Role
from companion_api.session import Session
from rules.engine.history import History
from rules.notation.record import write_record
from rules.notation.writer import write_game
from tests.companion_api.page.conftest import Table
from tests.companion_api.page.test_page import show
from tests.notation.playing import random_history

pytestmark = pytest.mark.page


def choose(host: Page, name: str, text: str) -> None:
    show(host, "settings")
    host.click("text=New game")
    host.set_input_files("input[accept='.ppn,.json']", FilePayload(name=name, mimeType="", buffer=text.encode()))


def brought_in(table: Table, old: Session) -> History:
    """The game of the table that was opened from the old one."""
    tables = table.app.state.tables
    (new,) = (name for name in tables.log.tables() if name != old.table)
    history: History = tables.session(new).history
    return history


@pytest.mark.full
def test_a_game_in_the_notation_goes_on_at_a_new_table_and_the_others_follow(table: Table) -> None:
    session = table.begin()
    other = table.open(session, role=Role.PLAYER, seat=1)
    host = table.open(session)
    quatri = random_history("quatri", 2, 6)
    choose(host, "game.ppn", write_game(quatri))
    expect(host.locator("h1")).to_have_text("Quatri")
    expect(other.locator("h1")).to_have_text("Quatri")
    assert brought_in(table, session).state == quatri.state


@pytest.mark.full
def test_a_record_in_json_goes_on_too(table: Table) -> None:
    session = table.begin()
    host = table.open(session)
    mice = random_history("four_blind_mice", 3, 12)
    choose(host, "game.json", write_record(mice))
    expect(host.locator("h1")).to_have_text("Four Blind Mice")
    assert brought_in(table, session).state == mice.state


@pytest.mark.full
def test_a_file_that_cannot_go_on_says_why(table: Table) -> None:
    host = table.open(table.begin())
    choose(host, "game.ppn", write_game(random_history("quatri", 2, 6)).replace("quatri@1", "quatri@99"))
    expect(host.locator("body")).to_contain_text("played under the rules quatri@99")
    host.set_input_files(
        "input[accept='.ppn,.json']",
        FilePayload(name="broken.ppn", mimeType="", buffer=b"---\nGameType: Quatri\n...\n1. S@a2 2. *z9"),
    )
    expect(host.locator("body")).to_contain_text("Move 2.")
    expect(host.locator("h1")).to_have_text("Piecepack Dodg'em")


@pytest.mark.parametrize(("locale", "words"), [("de", "kann es nicht beurteilen"), ("fr", "ne peut la juger")])
@pytest.mark.full
def test_what_is_wrong_with_a_file_is_told_in_the_language_of_the_phone(locale: str, words: str, table: Table) -> None:
    host = table.open(table.begin(), locale=locale)
    show(host, "settings")
    host.click("text=Neues Spiel" if locale == "de" else "text=Nouvelle partie")
    other_rules = write_game(random_history("quatri", 2, 6)).replace("quatri@1", "quatri@99")
    game = FilePayload(name="game.ppn", mimeType="", buffer=other_rules.encode())
    host.set_input_files("input[accept='.ppn,.json']", game)
    expect(host.locator(".notice")).to_contain_text(words)
