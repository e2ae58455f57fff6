"""Which rule was broken: acts that a game refuses, done all the same, on tables that are seen without fault."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from companion_api.simulated.incidents import with_piece
from rules.engine.action import Action, parse_action
from rules.engine.card import read_options, read_seats
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import SUITS, Face, Kind, Piece, Rank
from rules.referee.accusation import Case
from rules.referee.exposure import exposed
from rules.referee.hypothesis import HypothesisSearch
from rules.referee.likelihood import TableLikelihood
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import Verdict, VerdictKind
from rules.referee.wording import attempts
from rules.table.change import Change, MovedPiece, change_between
from rules.table.layout import Layout, Placed
from rules.table.observed import ObservedTable
from tests.bench.trials.quick import hurry
from tests.bench.trials.setting import Setting
from tests.referee.sightings import seen, verdict_of

DASH, WARMING, MICE = game("delegate_dash"), game("global_warming"), game("four_blind_mice")
DODGEM = game("dodgem")


def position(rules: AnyGame, **fields: object) -> Any:
    card = rules.card
    return rules.position(fields, read_options(card.options_type, None), read_seats(card, None))


def cited_clause(verdict: Verdict) -> tuple[str, str]:
    """The action that was refused, and the clause."""
    attempt = verdict.attempt.without_seat.id if verdict.attempt is not None else ""
    return attempt, verdict.refusal.clause if verdict.refusal is not None else verdict.text


def layout_after(rules: AnyGame, state: Any, action: str) -> Layout:
    """The table that a game would leave which let this pass."""
    assert rules.refusal(state, parse_action(action)) is not None
    return rules.layout(rules.advance(state, parse_action(action)))


def with_moves(layout: Layout, *ways: tuple[str, str]) -> Layout:
    """The topmost piece of a place carried to another, to its very middle."""
    at = {place.name: place for place in layout.places}
    for source, target in ways:
        piece, goal = layout.at(source)[-1], at[target]
        layout = with_piece(layout, piece, replace(piece, x=goal.x, y=goal.y, place=target))
    return layout


# One deed that moves several pieces --------------------------------------------------------------------------------

ON_ONE_STATE = {"pawns": {"N": "e4", "E": "e4"}, "roll": {"N": 1}, "order": "N E S W"}


def test_who_leaves_another_pawn_on_its_state_has_done_one_thing() -> None:
    """The pawn that stays makes room for itself; the throws that may follow are too many to be tried."""
    state = position(DASH, **ON_ONE_STATE)
    after = layout_after(DASH, state, "move(north,c2)")
    assert len(change_between(DASH.layout(state), after).moved) == 2
    assert cited_clause(verdict_of(DASH, state, after)) == ("move(north,c2)", "DASH-4.4")


def test_one_deed_is_told_before_all_is_tried_but_not_where_something_legal_explains_a_part() -> None:
    state = position(DASH, **ON_ONE_STATE)
    table = ObservedTable(tuple(map(seen, layout_after(DASH, state, "move(north,c2)").board)))
    view = TableLikelihood(table, Registration(), DASH.layout(state))
    search = replace(HypothesisSearch(DASH, view).search(state), truncated=True, pairs_exhausted=False)
    assert Case(DASH, view, search).verdict().kind is VerdictKind.REFUSED
    still = next(h for h in search.found if not h.actions)
    first = next(h for h in search.found if len(h.actions) == 1)
    partly = replace(first, fit=replace(first.fit, cost=still.fit.cost - TUNING.search.part_nats - 0.1))
    doubtful = replace(search, found=[*search.found, partly])
    assert Case(DASH, view, doubtful).verdict().kind is VerdictKind.IMPOSSIBLE


def test_what_was_done_first_is_not_what_was_tried_then() -> None:
    """A pawn went where it may, but not as the game lays it; and a coin went where none goes."""
    state = position(DASH, **{**ON_ONE_STATE, "order": "E S N W", "roll": {"E": 3}}, stake={"d7": "10"}, round=1)
    after = with_moves(DASH.layout(state), ("e4", "e5"), ("d7", "c6"))
    attempt, clause = cited_clause(verdict_of(DASH, state, after))
    assert attempt != "move(east,e5)"
    assert clause == "DASH-4.1"


# What was turned ---------------------------------------------------------------------------------------------------


def test_coins_turned_up_when_it_is_not_time() -> None:
    state = position(DASH, round=1, hidden={"d6": 2}, roll={"N": 1})
    after = layout_after(DASH, state, "reveal(d6,5+0)")
    assert cited_clause(verdict_of(DASH, state, after)) == ("reveal(d6,5+0)", "DASH-4.2")


def test_what_is_only_turned_was_not_carried_to_where_it_lies() -> None:
    layout = DODGEM.layout(DODGEM.start())
    coin = next(p for p in layout.board if p.place == "a1")
    turned = Change(moved=(MovedPiece(coin, replace(coin, face=Face.FRONT)),))
    tried = [action for action in attempts(DODGEM, DODGEM.start(), turned) if action.verb == "move"]
    assert all(action.args[0] != action.args[1] for action in tried)


def test_coins_of_the_line_turned_over_are_no_tile_that_is_moved() -> None:
    state = position(WARMING, pawns={"S": [0, 2], "M": [2, 4], "C": [4, 0], "A": [1, 1]}, line=["S", "3", "M"],
                     faces={"S": "3"})  # fmt: skip
    layout = WARMING.layout(state)
    line = [p for p in layout.board if p.place.startswith("line")][:2]
    faces = {Face.BACK: Face.FRONT, Face.FRONT: Face.BACK, None: None}
    over = {p.key: replace(p, face=faces[p.face]) for p in line}
    known = {key: replace(p, piece=_full(p.piece)) for key, p in over.items()}
    after = replace(layout, pieces=tuple(known.get(p.key, p) for p in layout))
    assert cited_clause(verdict_of(WARMING, state, after))[1] == "GW-4.4"


def _full(piece: Piece) -> Piece:
    """A coin of which both sides are known."""
    return replace(piece, suit=piece.suit or SUITS[0], rank=Rank.FIVE if piece.rank is None else piece.rank)


# One action that leaves this very table ----------------------------------------------------------------------------


def test_a_tile_that_sinks_out_of_its_time_is_not_two_other_things() -> None:
    state = position(WARMING, pawns={"S": [0, 2], "M": [2, 4], "C": [4, 0], "A": [1, 1]}, line=["S", "3", "M"],
                     faces={"S": "3"})  # fmt: skip
    after = layout_after(WARMING, state, "sink(c?3,c?3)")
    attempt, clause = cited_clause(verdict_of(WARMING, state, after))
    assert (attempt, clause) == ("sink(c?3,c?3)", "GW-4.4")


def test_a_mouse_that_runs_when_the_moves_are_used_up() -> None:
    cheese = {"c3": "S0", "f6": "S1", "d4": "M0", "b6": "M1", "g3": "C0", "e7": "C1", "b4": "A0", "f4": "A1"}
    mice = {"S": "b2", "M": "e2", "C": "g5", "A": "d6"}
    state = position(MICE, phase="attempt", target="c3", cheese=cheese, mice=mice, attempt={"seat": 0, "bid": 3})
    for slide in ("slide(pS,N)", "slide(pS,E)", "slide(pC,N)"):
        state = MICE.advance(state, parse_action(slide))
    after = layout_after(MICE, state, "slide(pM,N)")
    assert cited_clause(verdict_of(MICE, state, after)) == ("slide(pM,N)", "MICE-4.10")


def test_a_mouse_that_ran_where_no_run_ends_tried_none() -> None:
    cheese, mice = {"c3": "S0"}, {"S": "b2", "M": "e2", "C": "g5", "A": "d6"}
    state = position(MICE, phase="attempt", target="c3", cheese=cheese, mice=mice, attempt={"seat": 0, "bid": 3})
    layout = MICE.layout(state)
    far, near = (change_between(layout, with_moves(layout, ("e2", goal))) for goal in ("e5", "e8"))
    assert list(MICE.attempts(state, far)) == []
    assert [action.id for action in MICE.attempts(state, near)] == ["slide(pM,N)"]


# Which of two was wrong --------------------------------------------------------------------------------------------


def test_of_two_moves_the_one_that_is_wrong_is_named_and_not_the_other_turned_round() -> None:
    state = DODGEM.start()
    layout = DODGEM.layout(state)
    coins = [p.place for p in layout.board if p.place and p.shown == layout.at("a1")[-1].shown]
    first, other = coins[0], coins[-1]
    legal = next(a for a in DODGEM.legal(state) if a.args[:1] == (first,) and not layout.at(a.args[1]))
    goal = next(
        place.name
        for place in layout.places
        if not layout.at(place.name)
        and (refusal := DODGEM.refusal(state, Action("move", (other, place.name))))
        and refusal.code == "wrong_direction"
        and place.name not in legal.args
    )
    attempt, _ = cited_clause(verdict_of(DODGEM, state, with_moves(layout, (first, legal.args[1]), (other, goal))))
    assert attempt not in (f"move({legal.args[1]},{first})", f"move({goal},{other})")
    assert attempt.startswith("move(")


# What comes to view ------------------------------------------------------------------------------------------------


def test_what_lay_beneath_a_tile_that_was_taken_is_not_new() -> None:
    def tile(key: str, x: float, level: int) -> Placed:
        return Placed(Piece(Kind.TILE), key, x, 4.0, Face.BACK, level=level)

    top = tile("east", 5.0, 1)
    layout = Layout((tile("beneath", 4.0, 0), tile("far", 10.0, 0), tile("west", 3.0, 1), top))
    taken = with_piece(layout, top, replace(top, x=8.0, level=0))
    view = TableLikelihood(ObservedTable(tuple(map(seen, _open(taken)))), Registration(), layout)
    change = view.change(layout, view.fit(layout))
    assert not change.added
    assert [move.before.key for move in change.moved] == ["east"]


def _open(layout: Layout) -> list[Placed]:
    return [placed for placed, _ in exposed(layout)]


def test_where_no_pair_of_actions_explains_a_part_a_third_is_not_waited_for() -> None:
    state, table = DODGEM.start(), observed_after(("a1", "d4"), ("a2", "e3"))
    view = TableLikelihood(table, Registration(), DODGEM.layout(state))
    search = HypothesisSearch(DODGEM, view, tables=math.inf).search(state)
    assert search.pairs_exhausted
    verdicts = [
        Case(DODGEM, view, replace(search, truncated=True, pairs_exhausted=pairs)).verdict() for pairs in (True, False)
    ]
    assert [verdict.kind for verdict in verdicts] == [VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE]


def test_where_something_legal_explains_a_part_three_actions_may_explain_all() -> None:
    state, table = DODGEM.start(), observed_after(("a1", "b1"), ("a2", "e3"))
    view = TableLikelihood(table, Registration(), DODGEM.layout(state))
    assert not HypothesisSearch(DODGEM, view, tables=math.inf).search(state).pairs_exhausted


def observed_after(*ways: tuple[str, str]) -> ObservedTable:
    return ObservedTable(tuple(map(seen, with_moves(DODGEM.layout(DODGEM.start()), *ways).board)))


def test_a_longer_search_compares_no_table_twice() -> None:
    class Counting(TableLikelihood):
        count = 0

        def fit(self, layout: Layout, terms: Any = None) -> Any:
            Counting.count += 1
            return super().fit(layout, terms)

    state = DODGEM.start()
    layout = DODGEM.layout(state)
    view = Counting(
        ObservedTable(tuple(seen(p) for p in with_moves(layout, ("a1", "d4")).board)), Registration(), layout
    )
    seeker = HypothesisSearch(DODGEM, view, tables=math.inf)
    seeker.search(state)
    compared = Counting.count
    seeker.with_budget(math.inf).search(state)
    assert Counting.count == compared


@pytest.mark.full
def test_four_things_that_one_person_may_have_done_in_one_reach_accuse_nobody() -> None:
    """A pyramid drawn with a card, two cards laid away: all legal, and more than was tried."""
    score = hurry(game("dectana"), 14, Setting(), limit=50)
    assert score.quick > 8
    assert score.quick_accused == 0


def test_a_coin_laid_on_the_water_is_no_step_of_a_penguin_that_stands_still() -> None:
    """An action that would have moved pieces of another kind is not what was tried."""
    penguin = game("penguin")
    for state, _ in walk(penguin, 4):
        layout = penguin.layout(state)
        empty = [p for p in layout.places if all(q.piece.kind is not Kind.COIN for q in layout.at(p.name))]
        if penguin.turn(state).phase == "move" and empty:
            break
    coin = next(p for p in layout.board if p.piece.kind is Kind.COIN)
    extra = replace(coin, key="extra", x=empty[0].x, y=empty[0].y, level=0, place=empty[0].name)
    verdict = verdict_of(penguin, state, replace(layout, pieces=(*layout.pieces, extra)))
    assert cited_clause(verdict) == (f"melt({empty[0].name})", "PENG-4.7")
