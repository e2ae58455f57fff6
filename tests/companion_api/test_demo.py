"""A table that plays by itself: its manners, and the illegal acts that are staged at it on request."""

from __future__ import annotations

import random
import time

import pytest

from companion_api.log.event import EventKind
from companion_api.simulated.incidents import WRONG_MOVES
from companion_api.simulated.script import choose_to_win
from companion_api.simulated.self_play import BY, INCIDENTS, SelfPlay, drawn_deck
from companion_api.watching.camera_manager import DRAWN, PHONE, SIMULATED, CameraManager
from rules.engine.turn import TurnKind
from rules.games import game
from tests.companion_api.phones import Server
from tests.tiers import full
from tests.waiting import until
from vision.camera.phone import PhoneCamera
from vision.identify.deck import decktet


def test_a_table_without_eyes_plays_itself_and_has_manners(server: Server) -> None:
    session = server.session
    player = SelfPlay(session, seed=2, grace_s=60)
    player.play_one()
    assert session.events[-1].by == BY
    assert player._may_play()
    session.act("host", next(iter(session.game.legal(session.state))).id, expected=None, key=None)
    assert not player._may_play()
    player.start()
    player.stop()


def test_a_self_playing_table_comes_to_an_end(server: Server) -> None:
    player = SelfPlay(server.session, seed=2)
    for _ in range(2000):
        if not player._may_play():
            break
        player.play_one()
    assert server.session.game.turn(server.session.state).is_over


@pytest.mark.full
def test_soon_after_the_beginning_somebody_breaks_a_rule_and_puts_it_right(server: Server) -> None:
    """With a caption for each; and then play goes on to its end."""
    session = server.tables.begin("dodgem", {"size": 4}, None)
    player = SelfPlay(session, seed=2, grace_s=0.0)
    for _ in range(6):
        player._play_on()
    told = [(e.kind.value, e.data.get("code") or e.data.get("verdict")) for e in session.events[1:]]
    assert told[2:5] == [("note", "staged"), ("verdict", "refused"), ("note", "put_right")]
    assert session.events[3].data["facts"]["incident"] in WRONG_MOVES
    assert session.pending is None
    assert len(session.history.entries) == 4


def test_players_of_a_demonstration_play_choose_to_win() -> None:
    """Dodg'em is over in as many moves as a race takes; the solver climbs Fuji-San in as few as there are."""
    moves = {}
    for name in ("dodgem", "fuji_san"):
        rules, rng = game(name), random.Random(1)
        state, moves[name] = rules.start(rules.card.easiest), 0
        while not rules.turn(state).is_over:
            state = rules.advance(state, choose_to_win(rules, state, rng))
            moves[name] += rules.turn(state).kind is not TurnKind.CHANCE
    assert moves["dodgem"] < 40
    assert rules.outcome(state).winners


def test_a_demonstration_goes_from_game_to_game(server: Server) -> None:
    tour = ("dodgem", "fuji_san")
    following = server.tables.after(server.session, tour)
    assert (following.game.card.id, dict(following.first.options)) == ("fuji_san", game("fuji_san").card.easiest)
    assert server.tables.current(server.session) is following
    assert server.tables.after(following, tour).game.card.id == "dodgem"


def test_a_table_tells_whether_it_is_simulated(server: Server) -> None:
    camera_manager: CameraManager = server.app.state.camera_manager
    assert server.host().get("board")["simulated"] is False
    camera_manager.assign(server.session, None, DRAWN)
    assert server.host().get("board")["simulated"] is True
    camera_manager.assign(server.session, PhoneCamera(), PHONE)
    assert server.host().get("board")["simulated"] is False


@pytest.mark.full
def test_the_eyes_know_the_cards_that_a_simulated_table_draws(server: Server) -> None:
    camera_manager: CameraManager = server.app.state.camera_manager
    cards = server.tables.begin("dectana", {}, None)
    for session, source, deck in (
        (cards, SIMULATED, drawn_deck()),
        (cards, PHONE, decktet()),
        (server.session, SIMULATED, decktet()),
    ):
        camera_manager.assign(session, PhoneCamera(), source)
        eyes = camera_manager.reader()
        assert eyes is not None
        assert eyes.deck is deck
    camera_manager.stop()


def test_after_a_simulated_game_another_one_begins(server: Server) -> None:
    session, camera_manager = server.session, server.app.state.camera_manager
    camera_manager.pause_s = 0.05
    camera_manager.assign(session, None, DRAWN)
    player = camera_manager._watcher
    while not session.game.turn(session.state).is_over:
        player.play_one()
    until(lambda: camera_manager._watcher.session is not session)
    again = server.tables.current(session)
    assert again is not session
    assert again.game.card.id == session.game.card.id
    assert camera_manager._watcher.session is again
    camera_manager.stop()


def test_a_clock_set_back_keeps_nobody_waiting(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's clock is a day late after somebody acted: the log goes on in order, and so does the game."""
    session = server.session
    player = SelfPlay(session, seed=2, grace_s=0.05)
    session.act("host", "move(a1,b1)", expected=None, key=None)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 86_400)
    until(player._may_play)
    player.play_one()
    first, last = session.events[-2:]
    assert (last.seq, last.at < first.at) == (first.seq + 1, True)
    again = server.tables.__class__(server.tables.log, server.tables.data).session(session.table)
    assert again.state == session.state
    host = server.host()
    assert [event["seq"] for event in host.get("history")] == [1, 2, 3]
    assert host.post("undo", expected=3)["seq"] == 4


@pytest.mark.parametrize("name", ["dodgem", *map(full, ("quatri", "decay", "delegate_dash"))])
def test_an_illegal_act_is_refused_with_a_picture_and_put_right(name: str, server: Server) -> None:
    session = server.tables.begin(name, {}, None)
    keep = server.app.state.camera_manager.keep
    player = SelfPlay(session, seed=3, grace_s=0.0, keep=keep)
    for _ in range(12):
        player.play_one()
    before = session.state
    assert any(player.stage(incident) for incident in INCIDENTS)
    event = session.events[-1]
    assert event.kind is EventKind.VERDICT
    assert event.data["verdict"] in ("refused", "impossible", "ambiguous")
    assert session.state == before
    assert server.tables.evidence.find(event.data["evidence"])
    assert session.pending is not None
    player._undo_incident()
    assert session.pending is None
    assert session.state == before


def test_only_the_host_of_a_simulated_table_may_stage(server: Server) -> None:
    camera_manager: CameraManager = server.app.state.camera_manager
    assert server.host().get("demo") == {"incidents": []}
    assert server.host().send("demo/stage").status_code == 409
    camera_manager.assign(server.session, None, SIMULATED)
    assert server.phone(seat=0).get("demo")["incidents"] == list(INCIDENTS)
    assert server.phone(seat=0).send("demo/stage").status_code == 403
    assert server.host().send("demo/stage", incident="lamp").status_code == 409
    assert server.host().post("demo/stage", incident="too_far") == {"staged": "too_far"}
