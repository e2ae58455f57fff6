"""The referee follows random games of every game from synthetic sightings, wherever the board lies."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from companion_api.simulated.synthetic import Noise, anywhere, nudge, observe
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import available, game
from rules.pieces import Kind, Pose
from rules.referee.likelihood import TableLikelihood
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.verdict import VerdictKind
from rules.table.change import Change, MovedPiece, changed_layout
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable
from tests.bench.trials.bench import tried
from tests.bench.trials.legal import follow
from tests.bench.trials.quick import hurry
from tests.bench.trials.score import JudgedTurn
from tests.bench.trials.setting import Part, Setting
from tests.tiers import full

LEGAL = [("dodgem", 6), ("decay", 10), ("dectana", 6), *(full((name, 40)) for name in available())]


@pytest.mark.parametrize(("name", "limit"), LEGAL)
def test_legal_turns_are_understood(name: str, limit: int) -> None:
    """One piece in a hundred is misread; then a question is in order, but never an accusation."""
    score = follow(game(name), 1, Setting(Noise(misread=0.01)), limit=limit)
    assert score.legal
    assert score.fine >= 0.9 * score.legal - 1, score.notes
    assert score.turns[JudgedTurn.ACCUSED] == 0, score.notes
    assert score.turns[JudgedTurn.WRONG] <= 1, score.notes
    assert score.kept >= score.hidden - score.turns[JudgedTurn.ASKED], "what is asked is not known yet"


@pytest.mark.full
def test_nothing_is_believed_that_the_rules_refuse() -> None:
    """After an action that is only supposed, a game may suggest what cannot be: coins that were seen elsewhere."""
    score = follow(game("delegate_dash"), 41, Setting(Noise(misread=0.01, flicker=0.02)), limit=60)
    assert score.fine >= score.legal - 1, score.notes
    assert score.turns[JudgedTurn.ACCUSED] == 0


def test_one_throw_is_read_once() -> None:
    """Two dice that fell alike are to be thrown again: what they show is the throw that was, not the next one too."""
    score = follow(game("decay"), 12, Setting(), limit=6)
    assert score.turns[JudgedTurn.WRONG] == 0, score.notes
    assert score.fine == score.legal == 6


@pytest.mark.parametrize(
    ("name", "acts"),
    [("dodgem", 4), *(full((name, 16)) for name in ("dodgem", "decay", "quatri", "jul_gonu", "penguin"))],
)
def test_illegal_acts_are_flagged_with_their_clause(name: str, acts: int) -> None:
    score = tried(game(name), 5, 0, acts, Setting(Noise(misread=0.01)))
    assert score.illegal >= acts
    assert score.flagged >= 0.95 * score.illegal, score.notes
    assert score.nameable >= acts / 4
    assert score.right_clause >= 0.85 * score.nameable, score.notes


@pytest.mark.full
@pytest.mark.parametrize("part", [Part.LEGAL, full(Part.FUSION)])
def test_a_part_left_out_is_missed(part: Part) -> None:
    noise = Noise(misread=0.01, flicker=0.1)
    whole, maimed = (
        follow(game("decay"), 3, Setting(noise, without=frozenset(left_out)), limit=24) for left_out in ([], [part])
    )
    assert maimed.fine < whole.fine


DODGEM = game("dodgem")


def referee(seed: int = 3) -> tuple[Referee, random.Random]:
    return Referee(DODGEM, History.begin(DODGEM)), random.Random(seed)


def test_a_pushed_board_and_a_passing_hand_change_nothing() -> None:
    judge, rng = referee()
    board = anywhere(rng)
    layout = DODGEM.layout(DODGEM.start())
    for _ in range(5):
        board = nudge(nudge(board, rng), rng)
        assert judge.look(TableEvidence(observe(layout, board, rng, Noise()))).kind is VerdictKind.SETTLED
    hidden = ObservedTable(observe(layout, board, rng, Noise()).sightings[:12])
    assert judge.look(TableEvidence(hidden)).kind is not VerdictKind.ACCEPTED


def test_two_quick_moves_come_out_in_order() -> None:
    judge, rng = referee()
    board = anywhere(rng)
    judge.look(TableEvidence(observe(DODGEM.layout(DODGEM.start()), board, rng, Noise())))
    state = DODGEM.start()
    for text in ("a1-b1", "f2-e2"):
        state = DODGEM.advance(state, DODGEM.read(state, text))
    verdict = judge.look(TableEvidence(observe(DODGEM.layout(state), board, rng, Noise())))
    assert [action.id for action in verdict.actions] == ["move(a1,b1)", "move(f2,e2)"]


@pytest.mark.full
@pytest.mark.parametrize("name", ["dodgem", "ice_floe", "jul_gonu", "quatri", "decay", "four_blind_mice"])
def test_three_quick_moves_come_out_in_order(name: str) -> None:
    score = hurry(game(name), 4, Setting(), limit=31)
    quick_with_news = score.quick - score.quick_untold
    assert quick_with_news >= 2
    assert score.quick_right >= quick_with_news - 1, score.notes
    assert score.quick_accused == 0


def test_who_follows_into_a_trap_is_not_accused() -> None:
    """A coin goes away, another is caught where it went: what is captured between two looks is never seen there."""
    jul_gonu = game("jul_gonu")
    states = [state for state, _ in islice(walk(jul_gonu, 11), 55)][51:]
    rng = random.Random(5)
    board = anywhere(rng)
    judge = Referee(jul_gonu, History(jul_gonu, states[0]), pose=board)
    judge.look(TableEvidence(observe(jul_gonu.layout(states[0]), board, rng, Noise())))
    verdict = judge.look(TableEvidence(observe(jul_gonu.layout(states[3]), board, rng, Noise())))
    assert [action.id for action in verdict.actions] == ["move(b3,b2)", "move(a3,b3)", "move(d3,d2)"]


def test_a_move_put_back_is_an_undo() -> None:
    judge, rng = referee()
    board = anywhere(rng)
    first = DODGEM.start()
    after = DODGEM.advance(first, DODGEM.read(first, "a1-b1"))
    judge.look(TableEvidence(observe(DODGEM.layout(first), board, rng, Noise())))
    assert judge.look(TableEvidence(observe(DODGEM.layout(after), board, rng, Noise()))).kind is VerdictKind.ACCEPTED
    verdict = judge.look(TableEvidence(observe(DODGEM.layout(first), board, rng, Noise())))
    assert (verdict.kind, verdict.undone) == (VerdictKind.ACCEPTED, 1)
    assert judge.history.state == first


@pytest.mark.parametrize(
    ("suns", "clause"),
    [
        (["c1", "a2", "a3", "a4", "a5"], "DODG-4.4"),
        (["b2", "a2", "a3", "a4", "a5"], "DODG-4.4"),
        (["d3", "a2", "a3", "a4", "a5"], "DODG-4.4"),
    ],
)
def test_an_illegal_move_is_refused_with_its_rule(suns: list[str], clause: str) -> None:
    judge, rng = referee()
    board = anywhere(rng)
    judge.look(TableEvidence(observe(DODGEM.layout(DODGEM.start()), board, rng, Noise())))
    wrong = DODGEM.position({"suns": suns}, DODGEM.card.options_type(), ())
    verdict = judge.look(TableEvidence(observe(DODGEM.layout(wrong), board, rng, Noise())))
    assert verdict.kind is VerdictKind.REFUSED
    assert verdict.refusal is not None
    assert verdict.refusal.clause == clause
    assert judge.history.state == DODGEM.start()


def test_a_tile_that_is_seen_twice_is_told_by_where_the_second_lies() -> None:
    """The layout knows which of the two lies where it should; the other is a misread or does not belong there."""
    floe = game("ice_floe")
    layout, rng = floe.layout(floe.start()), random.Random(1)
    judge, board = Referee(floe, History.begin(floe)), anywhere(rng)
    seen = observe(layout, board, rng, Noise())
    tile = next(s for s in seen.sightings if s.kind is Kind.TILE)
    x, y = board.to_table(5.0, 5.0)  # the bare middle
    verdict = judge.look(TableEvidence(ObservedTable((*seen.sightings, replace(tile, x=x, y=y)))))
    assert verdict.kind is VerdictKind.IMPOSSIBLE
    assert len(verdict.differences) == 1
    assert "is new on" in verdict.differences[0].text


def test_a_piece_pushed_about_on_its_place_is_told_by_where_it_lies() -> None:
    layout = DODGEM.layout(DODGEM.start())
    coin = layout.at("a1")[-1]
    pushed = MovedPiece(coin, replace(coin, x=coin.x + 0.44))
    assert pushed.words.text == f"{coin.shown.words} goes from a1 to ({coin.x + 0.4:g}, {coin.y:g})"


def test_a_pyramid_that_lies_on_a_turned_board_points_as_the_board_says() -> None:
    """A board may lie any way on the table: what is laid as it was seen explains what was seen."""
    dectana = game("dectana")
    state = next(s for s, _ in walk(dectana, 11) if any(p.pose is Pose.FLAT for p in dectana.layout(s).board))
    before = dectana.layout(state)
    pyramid = next(p for p in before.board if p.pose is Pose.FLAT)
    moved = replace(
        before, pieces=(*(p for p in before.pieces if p.key != pyramid.key), replace(pyramid, x=pyramid.x + 9))
    )
    pose = Registration(turn=100.0, dx=3.0)
    view = TableLikelihood(observe(moved, pose, random.Random(2), Noise()), pose, before)
    change = view.change(before, view.fit(before))
    assert view.fit(changed_layout(before, change)).cost < 1.0


def test_a_turned_tile_may_show_any_value_whatever_is_seen_beside_it() -> None:
    """A tile taken for another where none lies must not hide what the turned one shows."""
    tula = game("tula")
    history = History.begin(tula)
    while not any(action.verb == "reveal" for action in tula.legal(history.state)):
        history = history.play(next(iter(tula.legal(history.state))))
    reveal = next(action for action in tula.legal(history.state) if action.verb == "reveal")
    waiting = history.play(reveal)
    actions = list(tula.legal(waiting.state))
    assert len(actions) > 10
    (piece,) = (p for p in tula.layout(waiting.play(actions[3]).state).board if p.piece.code == actions[3].id[-4:-1])
    beside = Change(added=(replace(piece, key="seen7", x=piece.x + 0.4, y=piece.y - 3.4, place=""),))
    suggested = list(tula.suggest(waiting.state, beside))
    assert suggested[0] == actions[3]
    assert set(suggested) == set(actions)
