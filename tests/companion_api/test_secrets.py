"""No seat learns what it may not know: two games that are the same to a seat look the same on its phone.

A random game is played on one table. On a second table the same game is played, only that whatever is hidden from the
seat is done otherwise: another vote, another bid, another covered die. As long as the seat's own view of both states is
the same, everything that its token can fetch must be the same too, word for word, live and by resume.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.log.event import EventKind
from companion_api.projections.choices import events_for
from companion_api.redaction import UNSEEN
from companion_api.session import Session
from companion_api.settings import Settings
from rules.engine.action import Action, parse_action
from rules.engine.card import read_seats
from rules.games import available, game
from tests.companion_api.phones import Phone
from tests.tiers import full

HIDDEN = [name for name in available() if game(name).card.hidden]
PROBES = 3


def test_there_are_games_with_secrets() -> None:
    assert {"global_warming", "ice_floe", "dectana"} <= set(HIDDEN)


@pytest.mark.parametrize(("name", "plies"), [("global_warming", 12), *(full((name, 40)) for name in HIDDEN)])
def test_two_games_that_are_one_to_a_seat_are_one_on_its_phone(name: str, plies: int, tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path))
    for seat in (0, None):
        twins = Twins(app, name, seat, seed=3)
        compared = twins.play(plies)
        assert compared > 3, "the games parted before anything could be compared"
        if name in ("global_warming", "ice_floe"):
            assert twins.differed > 2, "nothing was ever secret: this proves nothing"
    app.state.tables.close()


@pytest.mark.parametrize("name", HIDDEN)
def test_a_prepared_position_is_not_told_by_its_options(name: str, tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path))
    rules = game(name)
    told = {option.name: option.default for option in rules.card.options}
    session = app.state.tables.begin(name, told, None)
    first, seen = session.first.first, rules.view(session.first.first, None)
    secret = {n for n in told if getattr(getattr(first, "options", None), n, 0) != getattr(seen.options, n, 0)}
    board = phone_of(app, session, None).get("board")
    assert not secret & set(board["options"])
    app.state.tables.close()


def test_probing_as_the_host_tells_no_coin_that_a_founder_entered(tmp_path: Path) -> None:
    """San Andreas: the founder has told which coin was destroyed; whoever tries to swap the null for others is refused
    without a word of it."""
    app = make_app(Settings(data=tmp_path))
    answers = []
    for value in ("ace", "5"):
        host = phone_of(app, null_on_the_board(app, value), None)
        tried = {other: host.send("actions", action=f"swap({other})") for other in ("null", "2", "3", "4")}
        assert {answer.status_code for answer in tried.values()} == {422}
        answers.append({other: plain(answer.json()) for other, answer in tried.items()})
    assert answers[0] == answers[1]
    assert UNSEEN.text in answers[0]["3"]
    app.state.tables.close()


def null_on_the_board(app: Any, destroyed: str) -> Session:
    """A null was just turned up, and its owner may exchange it for a destroyed coin."""
    rules = game("san_andreas")
    options, seats = rules.start().options, read_seats(rules.card, None)
    position = {"cities": ["S0@(1,13)"], "destroyed": {"suns": [destroyed]}, "phase": "score"}
    state = rules.position(position, options, seats)
    state = rules.advance(state, next(a for a in rules.legal(state) if a.verb == "reveal"))
    data = {"game": "san_andreas", "rules": rules.card.version, "options": {}, "first": rules.encode(state)}
    table = f"null{destroyed}"
    app.state.tables.log.append(table, EventKind.STARTED, "host", {**data, "seats": [s.to_json() for s in seats]})
    session: Session = app.state.tables.session(table)
    return session


class Twins:
    """One game played twice; `seat` cannot tell which of the two it is in."""

    def __init__(self, app: Any, name: str, seat: int | None, seed: int) -> None:
        self.rules = game(name)
        self.app = app
        self.seat = seat
        self.rng, self.guessing = random.Random(seed), random.Random(seed + 1)
        self.one, self.other = (app.state.tables.begin(name, {}, None) for _ in range(2))
        self.phones = [phone_of(app, session, seat) for session in (self.one, self.other)]
        self.differed = 0

    def play(self, plies: int) -> int:
        """How many pairs of states could be compared: all that differ in secret, and now and then some that do not."""
        compared = 0
        for number in range(plies):
            if self.rules.turn(self.one.state).is_over:
                break
            if not self._alike():
                self._meet_again()
            secret = self.one.state != self.other.state
            self.differed += secret
            if secret or number % 8 == 0:
                self._compare()
                compared += 1
            if not self._step():
                self._meet_again()
        return compared

    def _meet_again(self) -> None:
        """What was secret has come out and was not the same: the second table starts anew from the first's game."""
        self.other = self.app.state.tables.begin(self.rules.card.id, {}, None)
        self.phones[1] = phone_of(self.app, self.other, self.seat)
        for event in self.one.events[1:]:
            self.other.act("table", event.data["action"], expected=None, key=None)

    def _alike(self) -> bool:
        return bool(
            self.rules.view(self.one.state, self.seat) == self.rules.view(self.other.state, self.seat)
            and self._told(self.one) == self._told(self.other)
        )

    def _told(self, session: Session) -> list[Action | None]:
        """What the rules let the seat know of what was done."""
        history = session.history
        states = [history.first, *(entry.state for entry in history.entries)]
        pairs = zip(states, history.actions, strict=False)
        return [self.rules.redact(state, action, self.seat) for state, action in pairs]

    def _step(self) -> bool:
        action = self.rules.sample(self.one.state, self.rng)
        known = self.rules.redact(self.one.state, action, self.seat)
        twin = action
        if known != action:
            legal = self.rules.legal(self.other.state)
            like = [a for a in legal if a.seat == action.seat and a != action]
            twin = next((a for a in like if self.rules.redact(self.other.state, a, self.seat) == known), action)
        self.one.act("table", action.id, expected=None, key=None)
        if self.rules.refusal(self.other.state, twin):
            return False
        self.other.act("table", twin.id, expected=None, key=None)
        return True

    def _compare(self) -> None:
        probes = self._probes()
        texts = self._refusable()
        pair = enumerate((self.one, self.other))
        first, second = (self._everything(i, session, probes, texts) for i, session in pair)
        for path, answer in first.items():
            assert answer == second[path], path

    def _everything(self, which: int, session: Session, probes: list[str], texts: list[str]) -> dict[str, str]:
        """All that the token can fetch, as text, without what differs for an honest reason: table, clock."""
        phone = self.phones[which]
        answers = {
            path: plain(phone.get(path))
            for path in ("board", "history", f"at/{session.seq}", f"at/{min(3, session.seq)}")
        }
        for probe in probes:
            answers[f"why {probe}"] = plain(phone.ask("why", params={"action": probe}).json())
            answers[f"after {probe}"] = plain(phone.ask("after", params={"action": probe}).json())
        for path in (
            "scores",
            f"alternatives/{session.seq}",
            f"alternatives/{session.seq - 1}",
            "setup",
            "export/json",
        ):
            answers[path] = plain(phone.ask(path).json())
        answers |= self._refused(which, session, texts)
        for after in (0, session.seq - 1):
            answers[f"stream after {after}"] = plain(list(events_for(session.known(self.seat), after)))
        return answers

    def _refused(self, which: int, session: Session, texts: list[str]) -> dict[str, str]:
        """What the posts answer that both tables refuse: earlier actions, and whatever else the verbs can say."""
        phone, answers = self.phones[which], {}
        for text in texts:
            answers[f"post {text}"] = plain(phone.send("actions", action=text).json())
            body = {"seq": session.event_of_action(-1), "actions": [text]} if session.history.entries else {}
            answers[f"correct {text}"] = plain(phone.send("corrections", **body).json()) if body else ""
        return answers

    def _refusable(self) -> list[str]:
        """The same for both tables of a pair."""
        values = ("null", "ace", "2", "3", "4", "5", "suns", "moons", "crowns", "arms", "a", "n", "S", "0", "1")
        guesses = [f"{verb.name}({value})" for verb in self.rules.card.verbs for value in values]
        earlier = [action.id for action in self.one.history.actions]
        texts = self.guessing.sample([*guesses, *earlier], 6)
        return [text for text in texts if all(self._refuses(session, text) for session in (self.one, self.other))]

    def _refuses(self, session: Session, text: str) -> bool:
        action = parse_action(text)
        last = session.history.undo(1).state if session.history.entries else session.state
        return bool(self.rules.refusal(session.state, action) and self.rules.refusal(last, action))

    def _probes(self) -> list[str]:
        """Actions to ask about: legal ones of both tables, whoever's they are."""
        found = [a.id for session in (self.one, self.other) for a in self.rules.legal(session.state)]
        return sorted({*self.rng.sample(found, min(PROBES, len(found))), f"{found[-1]}"})


def phone_of(app: Any, session: Session, seat: int | None) -> Phone:
    token = Token(session.table, Role.PLAYER if seat is not None else Role.HOST, seat)
    return Phone(app, app.state.tables.keys.sign(token))


def plain(answer: Any) -> str:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: without(v) for k, v in value.items() if k not in ("table", "at")}
        return [without(v) for v in value] if isinstance(value, list) else value

    return json.dumps(without(answer), sort_keys=True)
