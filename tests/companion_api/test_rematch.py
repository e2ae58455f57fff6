"""Games one after the other: the clock stays, somebody else begins, and nobody loses a seat for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.companion_api.phones import Phone, Server
from tests.companion_api.test_takeback import sits


def follow(server: Server, phone: Phone) -> tuple[Phone, int | None]:
    welcome = phone.post("follow")
    return Phone(server.app, welcome["token"]), welcome["seat"]


def test_a_rematch_keeps_the_clock_and_lets_the_other_begin(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        ann, ben = sits(server, 0, "Ann"), sits(server, 1, "Ben")
        host = server.host()
        host.post("clock", minutes=10, increment=5)
        ann.post("actions", action="move(a1,b1)")
        welcome = host.post("rematch")
        assert host.post("rematch")["table"] == welcome["table"], "asked twice: the same table"
        (_, first), (_, second) = follow(server, ann), follow(server, ben)
        assert (first, second) == (1, 0)
        board = Phone(server.app, welcome["token"]).get("board")
        assert (board["clock"]["minutes"], board["clock"]["increment"]) == (10, 5)
        assert [seat["name"] for seat in board["seats"]] == ["Ben", "Ann"]
        assert board["turn"]["seats"] == [0]


def test_where_an_option_says_who_begins_people_keep_their_seats(tmp_path: Path) -> None:
    with Server(tmp_path, "jul_gonu", {"start_player": 1}) as server:
        ann, _ = sits(server, 0, "Ann"), sits(server, 1, "Ben")
        host = server.host()
        host.post("actions", action=host.get("board")["legal"][0]["id"])
        board = Phone(server.app, host.post("rematch")["token"]).get("board")
        assert board["turn"]["seats"] == [0]
        assert follow(server, ann)[1] == 0


@pytest.mark.parametrize("again", [False, True], ids=["at-once", "after-a-rematch"])
def test_players_three_and_four_sit_again_after_a_game_for_two(again: bool, tmp_path: Path) -> None:
    with Server(tmp_path, "decay", {}, 4) as server:
        people = [sits(server, seat, f"P{seat}") for seat in range(4)]
        host = server.host()
        host = Phone(server.app, host.post("tables", game="dodgem")["token"])
        at_two = [follow(server, phone) for phone in people]
        assert [seat for _, seat in at_two] == [0, 1, None, None]
        if again:
            at_two[0][0].post("actions", action="move(a1,b1)")
            host = Phone(server.app, host.post("rematch")["token"])
            at_two = [follow(server, phone) for phone, _ in at_two]
            assert [seat for _, seat in at_two] == [1, 0, None, None]
        host.post("tables", game="decay", seats=[None] * 4)
        assert [follow(server, phone)[1] for phone, _ in at_two] == [*([1, 0] if again else [0, 1]), 2, 3]
