"""Why a look was judged as it was, as the host is told it."""

from __future__ import annotations

from companion_api.log.event import EventKind
from companion_api.reasons import term_json
from companion_api.session import MAX_REASONS, Session
from companion_api.simulated.self_play import SelfPlay
from companion_api.simulated.synthetic import Noise, Onlooker
from rules.games import game
from rules.pieces import Kind, Piece, Suit
from rules.referee.debounce import Debounce
from rules.referee.fit import BoardSighting, Term, TermKind
from rules.table.layout import Placed, Zone
from rules.table.observed import Sighting
from tests.companion_api.phones import Server


def judged(session: Session) -> int:
    """A wrong move is shown to the referee; the event that says so."""
    player = SelfPlay(session, seed=3)
    assert player.stage("knights_leap")
    return session.events[-1].seq


def test_the_host_alone_is_told_what_was_compared_and_what_decided(server: Server) -> None:
    seq = judged(server.session)
    told = server.host().get(f"reasons/{seq}")
    assert told["verdict"] == "refused"
    assert not told["hidden"]
    (compared,) = told["comparisons"]
    nats = [one["nats"] for one in compared["explanations"]]
    assert nats == sorted(nats)
    assert [] in [one["actions"] for one in compared["explanations"]]
    assert compared["decided"]
    for one in compared["explanations"]:
        assert abs(sum(term["nats"] for term in one["terms"]) - one["nats"]) < 0.1
    assert server.phone(seat=0).client.get(f"/api/reasons/{seq}").status_code == 403
    assert server.host().client.get("/api/reasons/1").status_code == 404


def test_only_the_last_looks_are_kept(server: Server) -> None:
    session, onlooker = server.session, Onlooker(3, Noise(jitter=0.0, doubt=0.0))
    patience, state = Debounce(session.referee, final=True), session.state
    session.observe(onlooker.see(session.game.layout(state)), patience, True, lambda: None)
    for _ in range(MAX_REASONS + 2):
        state = session.game.advance(state, next(iter(session.game.legal(state))))
        session.observe(onlooker.see(session.game.layout(state)), patience, True, lambda: None)
    seqs = [event.seq for event in session.events if event.kind is EventKind.ACTION]
    assert len(seqs) == MAX_REASONS + 2
    assert [session.reasons.get(seq) is not None for seq in seqs] == [False] * 2 + [True] * MAX_REASONS


def test_of_what_lies_beside_the_board_only_kind_and_owner_are_told() -> None:
    coin = Piece(Kind.COIN, Suit.SUNS)
    placed = Placed(coin, "key", 1, 2, zone=Zone.HAND, seat=1, place="")
    told = term_json(game("dodgem"), Term(TermKind.BESIDE, 2.5, placed))
    assert (told["kind"], told["owner"], told["piece"], told["at"]) == ("coin", 1, None, None)
    seen = Sighting(Kind.COIN, 1, 2, identities={(Suit.SUNS, None): 1.0}, zone=Zone.HAND, seat=0)
    told = term_json(game("dodgem"), Term(TermKind.SIGHTING, 1.5, seen=BoardSighting(0, seen, 1, 2, None)))
    assert (told["kind"], told["owner"], told["seen"]) == ("coin", 0, None)
    board = term_json(game("dodgem"), Term(TermKind.PIECE, 1.0, Placed(coin, "key", 1, 2, place="a1")))
    assert (board["piece"], board["place"], board["kind"]) == (coin.code, "a1", None)
