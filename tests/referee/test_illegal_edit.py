"""Which pieces were moved by hand where nothing legal explains the table (`illegal_edit`), and the rule against it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion_api.simulated.incidents import with_piece
from companion_api.simulated.synthetic import Noise
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Face, Kind, Piece, Size, Suit
from rules.referee.exposure import exposed
from rules.referee.illegal_edit import edit_nats, has_duplicate, likeliest_edit
from rules.referee.likelihood import TableLikelihood
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.table.change import Change
from rules.table.layout import Layout, Place, Placed
from rules.table.observed import ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import seen, verdict_of

PENGUIN, FLOE = game("penguin"), game("ice_floe")
ICE = FLOE.layout(FLOE.start())
EXACT = Noise(jitter=0.0, doubt=0.0)


def carried(layout: Layout, piece: Placed, place: str) -> Layout:
    goal = next(one for one in layout.places if one.name == place)
    return with_piece(layout, piece, replace(piece, x=goal.x, y=goal.y, level=0, place=place))


def upper_of_like_coins(layout: Layout) -> Placed:
    """The uppermost coin of a pile in which the one beneath shows the same."""
    piles = [layout.at(place.name) for place in layout.places]
    return next(
        pile[-1]
        for pile in piles
        if len(pile) > 1 and pile[-1].piece.kind is Kind.COIN and pile[-1].shown == pile[-2].shown
    )


def pile_and_water() -> tuple[Any, Layout, Placed, str]:
    """A table of Penguin with such a pile and a place without coins, and both."""
    for state, _ in walk(PENGUIN, 4):
        layout = PENGUIN.layout(state)
        empty = [p.name for p in layout.places if all(q.piece.kind is not Kind.COIN for q in layout.at(p.name))]
        if PENGUIN.turn(state).phase == "move" and empty:
            return state, layout, upper_of_like_coins(layout), empty[0]
    raise AssertionError("no such table")


def test_what_was_taken_from_a_pile_of_like_coins_was_moved() -> None:
    state, layout, top, water = pile_and_water()
    verdict = verdict_of(PENGUIN, state, carried(layout, top, water), EXACT, PictureErrors())
    assert [one.text for one in verdict.differences] == [f"a coin of {top.shown.suit} goes from {top.place} to {water}"]
    assert verdict.refusal is not None
    assert verdict.refusal.clause == "PENG-4.7"


def test_without_a_picture_nobody_knows_from_which_pile_it_came() -> None:
    state, layout, top, water = pile_and_water()
    verdict = verdict_of(PENGUIN, state, carried(layout, top, water), EXACT)
    assert [one.text for one in verdict.differences] == [f"a coin of {top.shown.suit} is new on {water}"]


def view_of(layout: Layout, sightings: Iterable[Sighting]) -> TableLikelihood:
    return TableLikelihood(ObservedTable(tuple(sightings)), Registration(), layout)


def exposed_sightings(layout: Layout) -> list[Sighting]:
    return [seen(placed) for placed, share in exposed(layout) if share >= 0.3]


def edit_of(layout: Layout, sightings: Iterable[Sighting]) -> Change:
    view = view_of(layout, sightings)
    return likeliest_edit(view, layout, view.fit(layout))


def state_in(rules: AnyGame, phase: str) -> Any:
    return next(state for state, _ in walk(rules, 1) if rules.turn(state).phase == phase)


def test_a_pyramid_whose_size_is_misread_where_it_lies_now_is_the_one_that_is_gone() -> None:
    layout = FLOE.layout(state_in(FLOE, "move"))
    pyramid = next(p for p in layout.board if p.piece.size is Size.B)
    goal = next(place for place in layout.places if all(_is_apart(place, p) for p in layout.at(place.name)[1:]))
    after = carried(layout, pyramid, goal.name)
    misread = {Size.MEDIUM: 0.8, Size.SMALL: 0.2}
    table = [
        replace(s, size=Size.MEDIUM, sizes=misread) if (s.x, s.y) == (goal.x, goal.y) and s.size else s
        for s in exposed_sightings(after)
    ]
    edit = edit_of(layout, table)
    assert not edit.added
    assert not edit.removed
    assert [(move.before.key, move.after.place) for move in edit.moved] == [(pyramid.key, goal.name)]
    assert edit.moved[0].after.piece == pyramid.piece


def _is_apart(place: Place, placed: Placed) -> bool:
    return math.hypot(place.x - placed.x, place.y - placed.y) > 0.6


def test_a_tile_that_a_pushed_one_covers_is_not_gone() -> None:
    layout = ICE
    pushed, beneath = (layout.at(name)[0] for name in ("b3", "b2"))
    covering = replace(pushed, x=pushed.x - 0.5, y=pushed.y - 1.2)
    bare = replace(layout, pieces=tuple(p for p in layout if p.piece.kind is Kind.TILE))
    table = [s for s in exposed_sightings(with_piece(bare, pushed, covering)) if (s.x, s.y) != (beneath.x, beneath.y)]
    view = view_of(bare, table)
    assert beneath.key in view.change(bare, view.fit(bare)).keys
    assert likeliest_edit(view, bare, view.fit(bare)).keys == {pushed.key}


def test_a_tile_of_which_there_is_but_one_did_not_come_from_nowhere() -> None:
    layout = replace(ICE, pieces=tuple(p for p in ICE if p.piece.kind is Kind.TILE))
    pushed, other = layout.at("b3")[0], layout.at("d4")[0]
    away = replace(pushed, y=pushed.y - 1.2)
    likely = {(other.shown.suit, other.shown.rank): 0.95, (pushed.shown.suit, pushed.shown.rank): 0.05}
    table = [s for s in exposed_sightings(layout) if (s.x, s.y) != (pushed.x, pushed.y)]
    edit = edit_of(layout, [*table, seen(away, identities=likely)])
    assert [move.before.key for move in edit.moved] == [pushed.key]
    assert not has_duplicate(layout, edit)
    as_read = Change(added=(replace(away, piece=other.piece, key="new"),), removed=(pushed,))
    assert has_duplicate(layout, as_read)
    assert edit_nats(view_of(layout, table), layout, as_read) > TUNING.accusation.twice_nats


def test_of_two_like_tiles_that_one_was_pushed_which_the_other_does_not_hide() -> None:
    """A back that is half covered is not seen any more, and looks as if it had been moved."""
    layout = replace(ICE, pieces=tuple(replace(p, face=Face.BACK) for p in ICE if p.piece.kind is Kind.TILE))
    pushed, beneath = layout.at("b3")[0], layout.at("b2")[0]
    covering = replace(pushed, x=pushed.x - 0.5, y=pushed.y - 1.5)
    table = [s for s in exposed_sightings(with_piece(layout, pushed, covering)) if (s.x, s.y) != (beneath.x, beneath.y)]
    assert [move.before.key for move in edit_of(layout, table).moved] == [pushed.key]
    assert edit_of(layout, table).keys == {pushed.key}


def test_what_is_misread_beneath_a_piece_that_came_there_is_no_piece_of_its_own() -> None:
    layout = replace(ICE, pieces=tuple(p for p in ICE if p.piece.kind is Kind.TILE))
    tile, other = layout.at("b3")[0], layout.at("d4")[0]
    pawn = Placed(Piece(Kind.PAWN, Suit.SUNS), "pawn", tile.x - 3.0, tile.y, level=1, place="a3")
    before = replace(layout, pieces=(*layout.pieces, pawn))
    there = replace(pawn, x=tile.x, y=tile.y)
    misread = seen(tile, identities={(other.shown.suit, other.shown.rank): 0.99})
    table = [misread if (s.x, s.y) == (tile.x, tile.y) else s for s in exposed_sightings(layout)]
    assert edit_of(before, [*table, seen(there)]).keys == {pawn.key}
