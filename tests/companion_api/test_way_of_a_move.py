"""The way of a move from a tap to everybody's phone, and back through the log when it is disputed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion_api.access import Role
from companion_api.log.event import Event
from companion_api.session import Session
from companion_api.watching.second_look import disputed_action, judge
from rules.engine.action import Action, parse_action
from tests.companion_api.phones import Server
from tests.tiers import GAMES

WAYS = ("read", "check", "apply")


def counting(monkeypatch: pytest.MonkeyPatch, rules: Any) -> Counter[str]:
    """Counts what the rules are asked; they answer as ever."""
    counted: Counter[str] = Counter()

    def counted_way(way: str) -> Callable[..., object]:
        original = getattr(rules, way)

        def counted_call(self: object, *args: object) -> object:
            counted[way] += 1
            return original(self, *args)

        return counted_call

    for way in WAYS:
        monkeypatch.setattr(rules, way, counted_way(way))
    return counted


@pytest.mark.parametrize("name", GAMES)
def test_a_tap_is_read_checked_and_applied_once_before_everybody_sees_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(tmp_path, name) as server:
        host, guest = server.host(), server.phone(Role.SPECTATOR)
        action = server.session.game.sample(server.session.state, random.Random(3))
        if action.seat is not None:
            host = server.phone(Role.PLAYER, action.seat)
        with monkeypatch.context() as watched:
            counted = counting(watched, type(server.session.game))
            seq = host.post("actions", action=action.id)["seq"]
            for phone in (host, guest):
                assert phone.get("history", params={"after": seq - 1})[-1]["seq"] == seq
        assert counted == dict.fromkeys(WAYS, 1)


def test_a_restart_folds_every_event_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is parsed or applied a second time, whatever stands in the log."""
    with Server(tmp_path) as server:
        session = server.session
        for _ in range(6):
            session.act("host", session.game.sample(session.state, random.Random(1)), expected=None, key=None)
        session.undo("host", 2, expected=None, key=None)
        with monkeypatch.context() as watched:
            counted = counting(watched, type(session.game))
            folded: list[str] = []

            def parsed(text: str) -> Action:
                folded.append(text)
                return parse_action(text)

            watched.setattr("companion_api.folded_table.parse_action", parsed)
            again = Session(session.log, session.table)
        assert len(folded) == counted["apply"] == counted["check"] == 6
        assert again.history.entries == session.history.entries


def done(session: Session, by: str, action: object) -> Event:
    event = session.act(by, action, expected=None, key=None)
    assert isinstance(event, Event)
    return event


def ruled(session: Session, server: Server, about: Event) -> dict[str, Any]:
    claim = session.add_claim("seat:1", {"text": "no", "about": about.seq, "pictures": {}}, key=None)
    return judge(session, claim, server.tables.evidence, None)


def test_a_disputed_move_is_judged_in_the_game_as_it_stood(tmp_path: Path) -> None:
    """Whatever was taken back since."""
    with Server(tmp_path) as server:
        session = server.session
        first = done(session, "seat:0", "move(a1,b1)")
        later = done(session, "seat:1", session.game.sample(session.state, random.Random(2)))
        case = disputed_action(session, later.seq)
        assert case is not None
        assert [action.id for action in case.before.actions] == ["move(a1,b1)"]
        session.undo("host", 2, expected=None, key=None)
        ruling = ruled(session, server, first)
        assert (ruling["action"], ruling["legal"]) == ("move(a1,b1)", True)


def test_a_correction_is_judged_in_the_game_before_what_it_corrects(tmp_path: Path) -> None:
    """After the move that it corrects it would be the other's turn."""
    with Server(tmp_path) as server:
        session = server.session
        first, second = list(session.game.legal(session.state))[:2]
        wrong = done(session, "seat:0", first)
        corrected = session.correct("host", wrong.seq, [second], expected=None, key=None)
        ruling = ruled(session, server, corrected)
        assert (ruling["action"], ruling["legal"]) == (second.id, True)
