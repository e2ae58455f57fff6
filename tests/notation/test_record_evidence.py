"""A table that is told leaves nothing to doubt; the same search judges it, by tables and not by the clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.engine.action import parse_action
from rules.games import game
from rules.notation.record_evidence import EXACT, RecordedPiece, RecordEvidence, Strictness
from rules.notation.record_search import alternatives, explain, search
from rules.pieces import Kind
from rules.referee.hypothesis import HypothesisSearch
from rules.table.layout import Layout, appearance_of

DODGEM = game("dodgem")
START = DODGEM.start()
MOVE = "move(a1,b1)"


def after(*ids: str) -> Any:
    state = START
    for id in ids:
        state = DODGEM.advance(state, parse_action(id))
    return state


def evidence_of(layout: Layout, care: Strictness = Strictness.STRICT) -> RecordEvidence:
    return RecordEvidence([RecordedPiece(appearance_of(p), p.x, p.y, p.key, angle=p.angle) for p in layout.board], care)


def test_a_table_as_it_should_be_leaves_nothing_over() -> None:
    assert evidence_of(DODGEM.layout(START)).fit(DODGEM.layout(START)).cost == 0.0


def test_one_piece_too_few_refutes() -> None:
    layout = DODGEM.layout(START)
    fit = evidence_of(replace(layout, pieces=layout.pieces[:-1])).fit(layout)
    assert fit.cost >= EXACT.likelihood.missing_nats > EXACT.decision.explained_nats
    assert len(fit.missing) == 1


def test_what_was_moved_is_told_as_moved() -> None:
    table, layout = evidence_of(DODGEM.layout(after(MOVE))), DODGEM.layout(START)
    (move,) = table.change(layout, table.fit(layout)).moved
    assert (move.before.place, move.after.place, move.before.piece.kind) == ("a1", "b1", Kind.COIN)


def test_the_shortest_readings_explain_it() -> None:
    table = evidence_of(DODGEM.layout(after(MOVE, "move(f6,e6)")))
    assert [[a.id for a in one.actions] for one in explain(DODGEM, START, table, 100)] == [[MOVE, "move(f6,e6)"]]
    assert alternatives(DODGEM, START, table, 100)[0].state == after(MOVE, "move(f6,e6)")


def test_what_is_written_down_is_believed_if_it_leads_there() -> None:
    table = evidence_of(DODGEM.layout(after(MOVE)))
    assert [one.actions for one in explain(DODGEM, START, table, 100, [parse_action(MOVE)])] == [(parse_action(MOVE),)]
    other = explain(DODGEM, START, table, 100, [parse_action("move(a2,b2)")])
    assert [one.actions for one in other] == [(parse_action(MOVE),)], "what is written and not there is not believed"


def test_nothing_legal_explains_a_coin_in_the_air() -> None:
    moved = [replace(p, x=p.x + 2.5) if p.place == "a1" else p for p in DODGEM.layout(START).pieces]
    table = evidence_of(Layout(tuple(moved)))
    assert explain(DODGEM, START, table, 100) == []
    assert search(DODGEM, START, table, 200) == []


def test_work_is_counted_in_tables() -> None:
    """The clock has no say: one table is compared and no more."""

    class Counting(RecordEvidence):
        count = 0

        def fit(self, layout: Layout) -> Any:
            Counting.count += 1
            return super().fit(layout)

    tuning = replace(EXACT, search=replace(EXACT.search, max_tables=3))
    pieces = evidence_of(DODGEM.layout(after(MOVE, "move(f6,e6)", "move(b1,c1)"))).pieces
    search = HypothesisSearch(DODGEM, Counting(pieces, tuning=tuning)).search(START)
    assert search.truncated
    assert Counting.count <= 8
