"""What one table, laid over the board, is taken for: which tile belongs to the board, what the picture shows to be new,
and what cannot belong to the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import game
from rules.pieces import Face, Kind, Piece, Rank, Suit, coin, tile
from rules.referee.change_evidence import ChangeEvidence, Keyframe, change_evidence
from rules.referee.detection_rates import DetectionRates, FalsePositive
from rules.referee.fit import BoardSighting, level_of
from rules.referee.likelihood import TableLikelihood
from rules.referee.off_board_change import OffBoardState
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors, ToldDiff

HERE = Registration()
DODGEM = game("dodgem")
START = DODGEM.start()
FUJI = game("fuji_san")
DODGEM_TILES = tuple(p for p in DODGEM.layout(START).board if p.piece.kind is Kind.TILE)
NEW = ((Rank.TWO, 2.0), (Rank.FIVE, 4.0))


def a_tile(x: float, y: float, rank: Rank = Rank.TWO, certainty: float = 0.99) -> Sighting:
    return Sighting(
        Kind.TILE, x, y, Face.FRONT, identities={(Suit.SUNS, rank): 1.0}, certainty=certainty, outline_px=()
    )


@pytest.fixture
def island() -> Layout:
    """Two tiles at the corners of a wide board, and two more that somebody is to lay."""
    build = LayoutBuilder()
    for number, (x, rank) in enumerate(((0.0, Rank.ACE), (8.0, Rank.THREE))):
        build.put(tile(Suit.SUNS, rank), x, x, key=f"t{number}", face=Face.FRONT, place=f"p{number}")
    for rank in (Rank.TWO, Rank.FOUR):
        build.aside(Zone.HAND, tile(Suit.SUNS, rank), key=f"hand{rank}", seat=0, face=Face.FRONT)
    return build.layout()


def on_board(layout: Layout, *more: Sighting) -> list[tuple[float, float]]:
    """Where something is seen on the board that should not lie there."""
    lying = [a_tile(p.x, p.y, p.piece.rank or Rank.ACE) for p in layout.board]
    view = TableLikelihood(ObservedTable((*lying, *more)), HERE, layout)
    return [(seen.x, seen.y) for seen in view.fit(layout).extra]


@pytest.mark.parametrize(("x", "y"), [(2.0, 0.0), (0.0, 2.1), (8.0, 6.0), (6.0, 8.0), (2.2, 2.2)])
def test_a_tile_that_touches_another_is_laid(island: Layout, x: float, y: float) -> None:
    assert on_board(island, a_tile(x, y)) == [(x, y)]


@pytest.mark.parametrize(("x", "y"), [(4.0, 4.0), (0.0, 8.0), (8.0, 0.0), (4.5, 1.0)])
def test_a_tile_that_touches_none_waits_beside_the_board_however_far_that_reaches(
    island: Layout, x: float, y: float
) -> None:
    assert on_board(island, a_tile(x, y)) == []


def test_where_zones_are_marked_they_tell_and_not_what_touches(island: Layout) -> None:
    assert on_board(island, replace(a_tile(4.0, 4.0), zone=Zone.BOARD)) == [(4.0, 4.0)]
    assert on_board(island, replace(a_tile(2.0, 0.0), zone=Zone.HAND, seat=0)) == []


@pytest.mark.parametrize(
    ("misread", "at", "is_news"),
    [(Suit.SUNS, 2.0, False), (Suit.MOONS, 2.0, True), (Suit.SUNS, 1.6, True), (None, 2.0, False)],
)
def test_a_false_positive_is_known_only_where_it_is_read_as_before(
    island: Layout, misread: Suit | None, at: float, is_news: bool
) -> None:
    """A drawing is taken for the same piece again; another piece seen upon it lies there."""
    lying = [a_tile(p.x, p.y, p.piece.rank or Rank.ACE) for p in island.board]
    known = DetectionRates(false_positives=(FalsePositive(Kind.TILE, at, 0.0, misread, Rank.TWO),))
    view = TableLikelihood(ObservedTable((*lying, a_tile(2.1, 0.0))), HERE, island, known)
    assert bool(view.fit(island).extra) is is_news


def test_where_no_tile_is_to_be_laid_one_apart_from_the_others_is_too_many(island: Layout) -> None:
    laid = Layout(island.board, island.places)
    assert on_board(laid, a_tile(4.0, 4.0)) == [(4.0, 4.0)]


def test_what_the_game_does_not_play_with_is_believed_only_if_it_is_sure(island: Layout) -> None:
    drawn = Sighting(Kind.COIN, 0.1, 0.1, Face.FRONT, certainty=0.95)
    assert on_board(island, drawn) == []
    assert on_board(island, replace(drawn, certainty=0.99)) == [(0.1, 0.1)]
    with_coins = Layout((*island.pieces, Placed(coin(Suit.SUNS), "c", -9.0, zone=Zone.HAND, seat=1)), island.places)
    assert on_board(with_coins, drawn) == [(0.1, 0.1)]


@pytest.mark.parametrize(("x", "y", "is_news"), [(1.0, 1.5, False), (3.5, 3.5, True), (1.0, 6.0, True)])
def test_a_tile_that_would_hide_what_is_seen_to_lie_there_is_none(x: float, y: float, is_news: bool) -> None:
    """Lines and seams of a board look like tiles; one across two coins that lie as they lay is not beneath them."""
    layout = DODGEM.layout(START)
    coins = [Sighting(Kind.COIN, p.x, p.y, p.face, identities={(p.shown.suit, None): 1.0}) for p in layout.board]
    tiles = [Sighting(Kind.TILE, p.x, p.y, p.face) for p in layout.board if p.piece.kind is Kind.TILE]
    seen = [s for s, p in zip(coins, layout.board, strict=True) if p.piece.kind is Kind.COIN]
    made_up = Sighting(Kind.TILE, x, y, Face.BACK, certainty=0.96)
    extra = TableLikelihood(ObservedTable((*seen, *tiles, made_up)), HERE, layout).fit(layout).extra
    assert [(one.x, one.y) for one in extra] == ([(x, y)] if is_news else [])


class Compared:
    """A Dodg'em opening that was believed, and the table after a move."""

    def __init__(self, picture: PictureErrors, move: str = "a1-b1") -> None:
        onlooker = Onlooker(8, Noise(), picture=picture)
        judge = Referee(DODGEM, History.begin(DODGEM))
        judge.look(onlooker.see(DODGEM.layout(START)))
        after = DODGEM.layout(DODGEM.advance(START, DODGEM.read(START, move)))
        since = change_evidence(onlooker.see(after), judge.memory.keyframe)
        assert since is not None
        layout = DODGEM.layout(START)
        self.view = TableLikelihood(since.diff.table, HERE, layout, evidence=since)
        (self.before,) = (p for p in layout.board if p not in after.board and p.piece.kind is Kind.COIN)
        (self.after,) = (p for p in after.board if p not in layout.board and p.piece.kind is Kind.COIN)
        self.stays = next(p for p in layout.board if p in after.board and p.piece.kind is Kind.COIN)


def test_a_place_that_changed_shows_news_of_what_did_not_lie_there() -> None:
    seen = Compared(PictureErrors())
    assert seen.view.shows_addition(seen.after)
    assert not seen.view.shows_addition(seen.stays), "nothing changed there"
    assert not seen.view.shows_addition(seen.before), "it lay there before: its going is no news of it"
    elsewhere = replace(seen.after, x=seen.after.x + 2, y=seen.after.y + 2)
    assert not seen.view.shows_addition(elsewhere)


def test_another_piece_where_one_lay_is_news() -> None:
    """The same place, the other side up."""
    seen = Compared(PictureErrors())
    other = Piece(Kind.COIN, None, Rank.FIVE)
    assert seen.view.shows_addition(replace(seen.before, piece=other, face=Face.FRONT))


@pytest.mark.parametrize("picture", [PictureErrors(overlooked=1.0), PictureErrors(mute=1.0)])
def test_a_picture_that_shows_or_tells_nothing_has_no_news(picture: PictureErrors) -> None:
    seen = Compared(picture)
    assert not seen.view.shows_addition(seen.after)


def test_without_a_picture_there_is_no_news() -> None:
    view = TableLikelihood(ObservedTable(()), HERE, DODGEM.layout(START))
    assert not any(view.shows_addition(placed) for placed in DODGEM.layout(START))


def tile_compared(gone: str = "", *coins: Placed) -> tuple[TableLikelihood, Placed]:
    """A board of bare backs that was believed, and the table after a coin was laid or a tile went: a view of it, and a
    tile of the board."""
    board = Layout(tuple(p for p in DODGEM.layout(START).board if p.piece.kind is Kind.TILE))
    onlooker = Onlooker(8, Noise(), picture=PictureErrors())
    eyes = onlooker.see(board)
    assert eyes.picture is not None
    remembered = eyes.picture.remember(board, HERE, eyes.table, None)
    assert remembered is not None
    after = Layout((*(p for p in board if p.key != gone), *coins))
    since = change_evidence(onlooker.see(after), Keyframe(remembered, HERE, ()))
    assert since is not None
    missed = replace(since.diff.table, sightings=())
    return TableLikelihood(missed, HERE, board, evidence=since), board.pieces[0]


def test_a_tile_of_which_half_looks_as_it_did_did_not_go() -> None:
    _, tile_ = tile_compared()
    a_coin = Placed(coin(Suit.SUNS), "laid", tile_.x + 0.5, tile_.y + 0.5, Face.BACK)
    view, _ = tile_compared("", a_coin)
    assert tile_ not in view.fit(Layout((*DODGEM_TILES, a_coin))).missing
    gone, _ = tile_compared(tile_.key)
    assert tile_ in gone.fit(Layout(DODGEM_TILES)).missing


class TopViewDiff(ToldDiff):
    """A picture that shows a change at the height at which it is, and not on the table beneath."""

    def changed(self, placed: Placed) -> float | None:
        return super().changed(placed) if placed.level else 0.02


def test_the_picture_is_asked_about_a_piece_at_the_height_at_which_it_lies() -> None:
    onlooker = Onlooker(8, Noise(), picture=PictureErrors())
    judge = Referee(DODGEM, History.begin(DODGEM))
    judge.look(onlooker.see(DODGEM.layout(START)))
    known = judge.memory.keyframe
    after = onlooker.see(DODGEM.layout(DODGEM.advance(START, DODGEM.read(START, "a1-b1"))))
    since = change_evidence(after, known)
    assert known is not None
    assert after.picture is not None
    assert since is not None
    assert isinstance(since.diff, ToldDiff)
    diff = since.diff
    above = TopViewDiff(diff.noticed, diff.table, diff.truth, diff.picture, diff.rng)
    layout = DODGEM.layout(START)
    view = TableLikelihood(
        diff.table, HERE, layout, evidence=ChangeEvidence(above, known, after.table, after.picture, judge.tuning)
    )
    assert [seen.sighting.kind for seen in view.fit(layout).extra] == [Kind.COIN]


def board_sighting(kind: Kind, x: float, y: float) -> BoardSighting:
    return BoardSighting(0, Sighting(kind, x, y), x, y, None)


def test_a_piece_lies_where_one_of_its_kind_lies_or_on_whatever_lies_there() -> None:
    board = FUJI.layout(FUJI.start()).board
    summit = max((p for p in board if p.piece.kind is Kind.COIN), key=lambda p: p.level)
    assert summit.level > 2
    assert level_of(board_sighting(Kind.COIN, summit.x, summit.y), board) == summit.level
    assert level_of(board_sighting(Kind.PAWN, summit.x, summit.y), board) == summit.level + 1
    assert level_of(board_sighting(Kind.PAWN, summit.x, summit.y + 9), board) == 0


def fit_of(
    layout: Layout, compared_layout: Layout, seen: tuple[Sighting, ...], faint: tuple[Sighting, ...]
) -> tuple[int, int]:
    """Numbers of missing pieces of `compared_layout` and of extra sightings, with `layout` as the known board."""
    fit = TableLikelihood(ObservedTable(seen, faint=faint), HERE, layout).fit(compared_layout)
    return len(fit.missing), len(fit.extra)


def test_what_is_faint_confirms_what_lay_there(island: Layout) -> None:
    sure, hardly = a_tile(0.0, 0.0, Rank.ACE), a_tile(8.0, 8.0, Rank.THREE, certainty=0.15)
    assert fit_of(island, island, (sure,), ()) == (1, 0)
    assert fit_of(island, island, (sure,), (hardly,)) == (0, 0)


def test_what_is_faint_is_nothing_where_nothing_lay(island: Layout) -> None:
    lying = (a_tile(0.0, 0.0, Rank.ACE), a_tile(8.0, 8.0, Rank.THREE))
    assert fit_of(island, island, lying, (a_tile(2.0, 0.0, certainty=0.15),)) == (0, 0)


def test_what_is_faint_does_not_show_that_something_came(island: Layout) -> None:
    lying = (a_tile(0.0, 0.0, Rank.ACE), a_tile(8.0, 8.0, Rank.THREE))
    laid = next(p for p in island if p.zone is Zone.HAND)
    after = replace(
        island,
        pieces=tuple(replace(p, x=2.0, y=0.0, zone=Zone.BOARD, seat=None) if p is laid else p for p in island.pieces),
    )
    assert fit_of(island, after, lying, (a_tile(2.0, 0.0, certainty=0.15),)) == (1, 0)


def test_what_is_faint_contradicts_nothing(island: Layout) -> None:
    """It looks like another tile: then it is as if nothing were seen."""
    sure, other = a_tile(0.0, 0.0, Rank.ACE), a_tile(8.0, 8.0, Rank.FIVE, certainty=0.15)
    fit = TableLikelihood(ObservedTable((sure,), faint=(other,)), HERE, island).fit(island)
    assert len(fit.missing) == 1
    assert not fit.mismatched


def test_a_tile_seen_twice_at_its_place_is_one_and_another_one_is_news(island: Layout) -> None:
    laid = Layout(island.board, island.places)
    assert on_board(laid, a_tile(0.5, 0.2, Rank.ACE)) == []
    assert on_board(laid, a_tile(0.5, 0.2, Rank.FIVE)) == [(0.5, 0.2)]


def test_a_tile_that_is_taken_away_may_lie_anywhere_beside_the_board(island: Layout) -> None:
    first, *rest = island.board
    drowned = replace(first, zone=Zone.SPENT, x=20.0, y=20.0)
    before = Layout((first, *rest), island.places)
    view = TableLikelihood(ObservedTable((a_tile(8.0, 8.0, Rank.THREE), a_tile(4.0, 3.0, Rank.ACE))), HERE, before)
    assert [seen.x for seen in view.fit(before).extra] == [4.0]
    assert view.fit(Layout((drowned, *rest), island.places)).extra == ()


@pytest.mark.parametrize(("off", "is_new"), [(0.5, False), (0.9, True)])
def test_what_lay_beside_the_board_lies_there_still_though_it_is_seen_a_little_off(off: float, is_new: bool) -> None:
    """A camera that was fitted to the board errs farther away from it."""
    layout = DODGEM.layout(START)
    before = Sighting(Kind.COIN, 3.5, 0.2, certainty=0.95)
    aside = OffBoardState.of(layout, (BoardSighting(0, before, before.x, before.y, None),))
    coin_there = Sighting(Kind.COIN, 3.5 + off, 0.2, Face.BACK, identities={(Suit.MOONS, None): 1.0}, certainty=0.95)
    view = TableLikelihood(ObservedTable((coin_there,)), HERE, layout, previous=aside)
    assert bool(view.fit(layout).extra) is is_new


@pytest.mark.parametrize(("other_side", "least", "most"), [(0.45, 0.1, 0.3), (0.05, 2.5, 3.5), (0.0, 4.5, 5.5)])
def test_the_wrong_side_up_is_as_surprising_as_the_eyes_are_sure(other_side: float, least: float, most: float) -> None:
    """That there is another value on the other side is a surprise of its own."""
    build = LayoutBuilder()
    build.put(coin(Suit.SUNS, Rank.THREE), 0.0, 0.0, key="coin", face=Face.FRONT, place="a1")
    layout = build.layout()
    suit: Beliefs = {(Suit.SUNS, None): 1.0}
    value: Beliefs = {(None, Rank.THREE): 1.0}
    seen = Sighting(Kind.COIN, 0.0, 0.0, Face.BACK, identities=suit, certainty=0.98)
    seen = replace(seen, other_side=other_side, other_identities=value if other_side else {})
    assert least < TableLikelihood(ObservedTable((seen,)), HERE, layout).fit(layout).cost < most
    other = replace(seen, other_identities={(None, Rank.FOUR): 1.0})
    assert TableLikelihood(ObservedTable((other,)), HERE, layout).fit(layout).cost > 4.0
