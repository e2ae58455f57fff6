"""A post that is sent again is answered as it was, whatever has become of the game, the seats and the server since."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.settings import Settings
from tests.companion_api.phones import Phone, Server


def restarted(server: Server, data: Path, role: Role = Role.PLAYER, seat: int | None = 0) -> Phone:
    """A phone at a second server that knows only the log."""
    app = make_app(Settings(data=data))
    return Phone(app, app.state.tables.keys.sign(Token(server.session.table, role, seat)))


POSTS = {
    "actions": {"action": "move(a1,b1)", "expected": 1, "key": "k"},
    "undo": {"count": 1, "expected": 2, "key": "k"},
    "corrections": {"seq": 2, "actions": ["move(a2,b2)"], "expected": 2, "key": "k"},
    "claims": {"text": "no", "seq": 2, "key": "k"},
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("later", [False, True], ids=["same server", "after a restart"])
def test_what_was_done_is_answered_again_though_it_could_not_be_done_now(
    path: str, later: bool, tmp_path: Path
) -> None:
    with Server(tmp_path) as server:
        phone, other = server.phone(seat=0), server.phone(seat=1)
        if path != "actions":
            phone.post("actions", action="move(a1,b1)")
        first = phone.post(path, **POSTS[path])
        other.send("actions", action="move(f6,e6)")  # where it is another seat's turn now
        again = restarted(server, tmp_path) if later else phone
        seq = server.session.seq
        assert again.post(path, **POSTS[path]) == first
        assert server.session.seq == seq


def test_a_ruling_is_given_and_corrects_once(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = server.host()
        host.post("actions", action="move(a1,b1)")
        claim = host.post("claims", text="no", seq=2)["seq"]
        post = {"claim": claim, "text": "it was another", "upheld": False, "actions": ["move(a2,b2)"], "key": "k"}
        first = host.post("rulings", **post)
        seq = server.session.seq
        assert host.post("rulings", **post) == first
        assert restarted(server, tmp_path, Role.HOST, None).post("rulings", **post) == first
        assert server.session.seq == seq


def test_a_ruling_that_was_cut_short_is_finished_when_it_is_sent_again(tmp_path: Path) -> None:
    """The server fell between the ruling and the correction that follows from it."""
    with Server(tmp_path) as server:
        host = server.host()
        host.post("actions", action="move(a1,b1)")
        claim = host.post("claims", text="no", seq=2)["seq"]
        server.session.add_ruling("host", claim, {"text": "other", "upheld": False}, overruled=True, key="k")
        host.post("rulings", claim=claim, text="other", upheld=False, actions=["move(a2,b2)"], key="k")
        assert [action.id for action in server.session.history.actions] == ["move(a2,b2)"]


def test_a_claim_whose_ruling_was_lost_is_ruled_when_it_is_sent_again(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.host().post("actions", action="move(a1,b1)")
        claim = server.session.add_claim("host", {"text": "no", "about": 2, "pictures": {}}, key="k")
        server.host().post("claims", text="no", seq=2, key="k")
        assert len(server.session.disputes[claim.seq].rulings) == 1


def test_a_key_gives_no_rights(tmp_path: Path) -> None:
    """Whoever may not act is told so, with a key that nobody has used."""
    with Server(tmp_path) as server:
        answer = server.phone(Role.SPECTATOR).send("actions", action="move(a1,b1)", key="new")
        assert answer.status_code == 403
        assert server.host().send("rulings", claim=99, text="x", upheld=True, key="new").status_code == 422


def test_an_empty_key_says_nothing_and_one_of_control_characters_is_refused(tmp_path: Path) -> None:
    """The first was once kept as a key, so that the second claim without one was answered 503; PostgreSQL keeps no
    text with a zero in it."""
    with Server(tmp_path) as server:
        host = server.host()
        assert [host.send("claims", text="no", key="").status_code for _ in range(2)] == [200, 200]
        for key in ("\x00", "a\x00", "\x1f", "\x7f", "a b"):
            assert host.send("claims", text="no", key=key).status_code == 422, key
