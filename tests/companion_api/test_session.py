"""The table: what is accepted is written first and folded after; a restart folds the same."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion_api.folded_table import RequestError
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log, StaleError
from companion_api.session import Session
from rules.engine.refusal import Refusal
from rules.games import game
from tests.tiers import GAMES


def begin(log: Log, table: str, name: str = "dodgem") -> Session:
    return Session.begin(log, table, game(name), {}, None)


def play(session: Session, plies: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(plies):
        if session.game.turn(session.state).is_over:
            return
        done = session.act("host", session.game.sample(session.state, rng).id, expected=None, key=None)
        assert isinstance(done, Event), done


def again(session: Session) -> Session:
    """The same table as a restarted server opens it."""
    return Session(session.log, session.table)


@pytest.mark.parametrize("name", GAMES)
def test_a_restart_is_at_the_same_state(name: str, log: Log, table: str) -> None:
    session = begin(log, table, name)
    play(session, 25)
    opened = again(session)
    assert opened.state == session.state
    assert opened.history.actions == session.history.actions
    assert opened.seq == session.seq


def test_a_refusal_changes_nothing_and_names_its_rule(log: Log, table: str) -> None:
    session = begin(log, table)
    refusal = session.act("seat:0", "move(a1,a5)", expected=None, key=None)
    assert isinstance(refusal, Refusal)
    assert refusal.clause
    assert session.seq == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_read_checked_and_applied_once(
    name: str, log: Log, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On its way from the tap to the log. What stands there afterwards is what was done."""
    session = begin(log, table, name)
    rules, counted = type(session.game), {"read": 0, "check": 0, "apply": 0}

    def counting(way: str) -> Callable[..., object]:
        original = getattr(rules, way)

        def counted_way(self: object, *args: object) -> object:
            counted[way] += 1
            return original(self, *args)

        return counted_way

    action = session.game.sample(session.state, random.Random(3)).id
    with monkeypatch.context() as watched:
        for way in counted:
            watched.setattr(rules, way, counting(way))
        assert isinstance(session.act("host", action, expected=None, key=None), Event)
    assert counted == {"read": 1, "check": 1, "apply": 1}
    assert again(session).history.entries == session.history.entries


def test_what_another_server_wrote_in_between_is_judged_anew(log: Log, table: str) -> None:
    one, other = begin(log, table), Session(log, table)
    play(other, 1)
    action = one.game.sample(other.state, random.Random(5))
    one.add_claim("host", {"text": "", "about": None, "pictures": {}}, key=None)
    assert one.state == other.state
    assert isinstance(one.act("host", action, expected=None, key=None), Event)
    assert one.history.actions == again(one).history.actions


def test_a_repeated_post_is_one_event(log: Log, table: str) -> None:
    session = begin(log, table)
    first = session.act("seat:0", "move(a1,b1)", expected=1, key="again")
    second = session.act("seat:0", "move(a1,b1)", expected=1, key="again")
    assert first == second
    assert session.seq == 2


def test_whoever_is_late_is_told(log: Log, table: str) -> None:
    session = begin(log, table)
    session.act("seat:0", "move(a1,b1)", expected=1, key=None)
    with pytest.raises(StaleError):
        session.undo("seat:1", 1, expected=1, key=None)


def test_undo_is_an_event_and_gives_the_state_before(log: Log, table: str) -> None:
    session = begin(log, table)
    play(session, 3)
    before = session.state
    play(session, 2)
    session.undo("seat:0", 2, expected=None, key=None)
    assert session.state == before
    assert again(session).state == before
    assert session.events[-1].kind is EventKind.UNDO


def test_more_cannot_be_undone_than_was_done(log: Log, table: str) -> None:
    with pytest.raises(RequestError, match="only 0"):
        begin(log, table).undo("host", 1, expected=None, key=None)


def test_a_correction_replays_what_is_still_legal(log: Log, table: str) -> None:
    session = begin(log, table)
    for action in ("move(a1,b1)", "move(f6,e6)", "move(b1,c1)"):
        session.act("host", action, expected=None, key=None)
    session.correct("host", 2, ["move(a2,b2)"], expected=None, key=None)
    assert [action.id for action in session.history.actions] == ["move(a2,b2)", "move(f6,e6)"]
    assert session.events[-1].data["dropped"] == 1
    assert again(session).state == session.state


def test_a_corrected_event_can_be_corrected_and_undone_again(log: Log, table: str) -> None:
    session = begin(log, table)
    for action in ("move(a1,b1)", "move(f6,e6)"):
        session.act("host", action, expected=None, key=None)
    session.correct("host", 2, ["move(a2,b2)"], expected=None, key=None)
    session.correct("host", 2, ["move(a3,b3)"], expected=None, key=None)
    session.undo("host", 1, expected=None, key=None)
    assert [action.id for action in session.history.actions] == ["move(a3,b3)"]
    assert again(session).state == session.state


def test_a_correction_to_something_illegal_is_refused(log: Log, table: str) -> None:
    session = begin(log, table)
    session.act("host", "move(a1,b1)", expected=None, key=None)
    with pytest.raises(RequestError, match="not legal"):
        session.correct("host", 2, ["move(a1,a5)"], expected=None, key=None)
    assert session.seq == 2


def test_a_game_past_its_end_can_still_be_corrected(log: Log, table: str) -> None:
    session = begin(log, table)
    play(session, 2000, seed=4)
    assert session.game.turn(session.state).is_over
    last = session.events[-1].seq
    session.correct("host", last, [], expected=None, key=None)
    assert not session.game.turn(session.state).is_over
    assert again(session).state == session.state


def test_a_game_of_another_version_of_the_rules_is_not_guessed_at(log: Log, table: str) -> None:
    data = {"game": "dodgem", "rules": 999, "options": {}, "seats": [{"name": "A"}, {"name": "B"}]}
    log.append(table, EventKind.STARTED, "host", data)
    with pytest.raises(RequestError, match="version 999"):
        Session(log, table)


def test_two_servers_on_one_log_fold_the_same(log: Log, table: str) -> None:
    one = begin(log, table)
    other = again(one)
    one.act("host", "move(a1,b1)", expected=None, key=None)
    one.act("host", "move(f6,e6)", expected=None, key=None)
    other.join("seat:1", "Bo")
    assert other.seq == 4
    assert other.state == one.state


def test_random_use_survives_a_restart_at_any_moment(log: Log, table: str) -> None:
    """Actions, undos and corrections by luck; after each the log alone gives the same state."""
    session, rng = begin(log, table, "quatri"), random.Random(7)
    moves: list[Callable[[], object]] = [
        lambda: play(session, 1, rng.randrange(99)),
        lambda: play(session, 3, rng.randrange(99)),
        lambda: session.undo("host", min(2, len(session.history.entries)), expected=None, key=None),
        lambda: session.correct("host", session.event_of_action(-1), [], expected=None, key=None),
    ]
    play(session, 2)
    for _ in range(40):
        if not session.history.entries:
            play(session, 2)
        rng.choice(moves)()
        assert again(session).state == session.state
