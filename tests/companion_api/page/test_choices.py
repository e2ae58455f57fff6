"""Laws over the choices of all games: no two shown together read alike, and no key of the word files is read."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion_api.access import Role, Token
from companion_api.phrasebook import languages
from companion_api.projections.board import board_for
from companion_api.projections.choices import events_for
from companion_api.session import Session
from tests.companion_api.page.conftest import Table
from tests.tiers import ON_PAGE

pytestmark = pytest.mark.page

PLIES, LISTED = 60, 60
READ = """async ([language, boards, events]) => {
  const [acts, choices, state, words, announce, effects] = await Promise.all(
    ["action_text", "parts/choices", "state", "words", "announce", "effects"].map((name) => import(`/js/${name}.js`)));
  await words.setLanguage(language);
  state.board.value = boards[0];
  for (const event of events) {
    announce.withActor(event);
    effects.effectLines(state.actionsOfEvent(event).flatMap((action) => action.effects));
  }
  return boards.map((board) => {
    state.board.value = board;
    const listed = acts.actionLabels(board.legal).map((text) => text.trim());
    const drawn = board.legal.filter((item) => !item.touches.length || board.turn.kind !== "seat");
    const pictured = choices.choiceFaces(drawn).filter((one) => one.piece);
    return [listed, pictured.map((one) => `${JSON.stringify(one.piece)} ${one.caption}`)];
  }); }"""
UNKNOWN = "import('/js/words.js').then((m) => [...m.unknown])"


def boards(session: Session) -> Iterator[dict[str, Any]]:
    """A board of every phase that a random game comes through, as the seat to move sees it."""
    rng, phases = random.Random(7), set[str]()
    for _ in range(PLIES):
        turn = session.game.turn(session.state)
        if turn.is_over:
            return
        if turn.phase not in phases:
            phases.add(turn.phase)
            seat = turn.seats[0] if turn.seats else None
            board = board_for(session.known(seat), Token(session.table, Role.HOST, seat))
            yield board | {"legal": board["legal"][:LISTED]}
        session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)


@pytest.mark.parametrize("name", ON_PAGE)
def test_choices_shown_together_read_differently_and_no_key_is_read(name: str, table: Table) -> None:
    page = table.open(table.begin())
    alike: list[str] = []
    session = table.begin(name)
    told = list(boards(session)), list(events_for(session.known(None)))
    for language in languages():
        for texts in (texts for both in page.evaluate(READ, [language, *told]) for texts in both):
            alike += [f"{language}: {text}" for text, count in Counter(texts).items() if count > 1 or not text]
    assert not alike, "\n".join(alike[:40])
    assert page.evaluate(UNKNOWN) == []
