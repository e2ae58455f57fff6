"""When nothing legal explains a table (`accusation`, `attempt`, `wording`): directly, on exact tables of Dodg'em."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker, observe
from rules.engine.action import Action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Face, Kind, Rank, Suit, coin
from rules.referee.accusation import Case, differences_in_words, restoring_steps
from rules.referee.attempt import likeliest
from rules.referee.hypothesis import HypothesisSearch
from rules.referee.likelihood import TableLikelihood
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.verdict import VerdictKind
from rules.referee.wording import attempts, subjects, why_not
from rules.table.change import Change, MovedPiece, change_between
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import resighted, seen

DODGEM = game("dodgem")
START = DODGEM.start()
LAYOUT = DODGEM.layout(START)


def observed(layout: Layout, **certainties: float) -> ObservedTable:
    """The table seen exactly; what is named by its key is there only so certainly."""
    return ObservedTable(tuple(seen(placed, certainty=certainties.get(placed.place, 1.0)) for placed in layout.board))


def layout_after_move(source: str, target: str) -> Layout:
    """A coin of the start put elsewhere by hand."""
    place = next(place for place in LAYOUT.places if place.name == target)
    pieces = (replace(p, x=place.x, y=place.y, place=target) if p.place == source else p for p in LAYOUT)
    return replace(LAYOUT, pieces=tuple(pieces))


def case(table: ObservedTable) -> Case:
    view = TableLikelihood(table, Registration(), LAYOUT)
    return Case(DODGEM, view, HypothesisSearch(DODGEM, view).search(START))


def change_of_move(source: str, target: str) -> Change:
    by_place = {p.place: p for p in LAYOUT.board if p.place}
    other = {p.place: p for p in layout_after_move(source, target).board if p.place}
    return Change(moved=(MovedPiece(by_place[source], other[target]),))


def test_an_illegal_move_is_refused_with_its_rule_and_the_way_back() -> None:
    verdict = case(observed(layout_after_move("a1", "c1"))).verdict()
    assert verdict.kind is VerdictKind.REFUSED
    assert verdict.attempt is not None
    assert verdict.attempt.without_seat.id == "move(a1,c1)"
    assert verdict.refusal is not None
    assert verdict.refusal.clause.startswith("DODG-")
    assert [one.text for one in verdict.back] == ["put a coin of suns back to a1"]


def test_nobody_is_accused_of_what_is_not_surely_seen() -> None:
    dim = TUNING.accusation.min_certainty - 0.05
    verdict = case(observed(layout_after_move("a1", "c1"), c1=dim)).verdict()
    assert verdict.kind is VerdictKind.IMPOSSIBLE
    assert verdict.refusal is None
    assert verdict.differences


@pytest.mark.parametrize(
    ("certainty", "picture", "kind"),
    [
        (TUNING.accusation.min_witnessed_certainty + 0.05, PictureErrors(), VerdictKind.REFUSED),
        (TUNING.accusation.min_witnessed_certainty - 0.05, PictureErrors(), VerdictKind.IMPOSSIBLE),
        (TUNING.accusation.min_witnessed_certainty + 0.05, PictureErrors(mute=1.0), VerdictKind.IMPOSSIBLE),
        (TUNING.accusation.min_witnessed_certainty + 0.05, None, VerdictKind.IMPOSSIBLE),
    ],
)
def test_what_is_seen_with_doubt_accuses_only_where_the_picture_shows_that_it_went_there(
    certainty: float, picture: PictureErrors | None, kind: VerdictKind
) -> None:
    onlooker = Onlooker(8, Noise(misread=0.0, flicker=0.0), picture=picture)
    judge = Referee(DODGEM, History.begin(DODGEM))
    judge.look(onlooker.see(LAYOUT))
    seen = onlooker.see(layout_after_move("a1", "c1"))
    place = next(place for place in LAYOUT.places if place.name == "c1")
    x, y = onlooker.board.to_table(place.x, place.y)
    near = [math.hypot(s.x - x, s.y - y) < 0.5 and s.kind is Kind.COIN for s in seen.table.sightings]
    assert sum(near) == 1
    doubtful = (replace(s, certainty=certainty) if at else s for s, at in zip(seen.table.sightings, near, strict=True))
    assert judge.look(resighted(seen, doubtful)).kind is kind


@pytest.mark.parametrize(("picture", "kind"), [(PictureErrors(), VerdictKind.REFUSED), (None, VerdictKind.IMPOSSIBLE)])
def test_a_tile_too_many_excuses_nobody_whom_the_picture_shows(
    picture: PictureErrors | None, kind: VerdictKind
) -> None:
    """One of them is none; without a picture the piece that moved may be none either."""
    onlooker = Onlooker(8, Noise(misread=0.0, flicker=0.0), picture=picture)
    judge = Referee(DODGEM, History.begin(DODGEM))

    def with_one_more(layout: Layout) -> TableEvidence:
        seen = onlooker.see(layout)
        tile = next(s for s in seen.table.sightings if s.kind is Kind.TILE)
        return resighted(seen, (*seen.table.sightings, replace(tile, x=tile.x + 0.3, certainty=0.3)))

    assert judge.look(with_one_more(LAYOUT)).kind is VerdictKind.SETTLED
    assert judge.look(with_one_more(layout_after_move("a1", "c1"))).kind is kind


def test_nobody_is_accused_of_what_is_only_not_seen() -> None:
    fewer = replace(LAYOUT, pieces=tuple(p for p in LAYOUT if p.place != "a1"))
    verdict = case(observed(fewer)).verdict()
    assert verdict.kind is VerdictKind.IMPOSSIBLE
    assert verdict.only_missing


def test_many_pieces_that_are_not_in_view_are_one_trouble() -> None:
    gone = [p for p in LAYOUT.board if p.place.startswith("f")]
    assert len(gone) >= TUNING.accusation.grouped_pieces
    (sentence,) = differences_in_words(Change(removed=tuple(gone)))
    assert sentence.text == f"{len(gone)} pieces of the board are not in view"
    assert len(restoring_steps(Change(removed=tuple(gone)))) == len(gone)


def in_hands(*seats: int, zone: Zone = Zone.HAND) -> tuple[Placed, ...]:
    return tuple(Placed(coin(Suit.SUNS), f"{seat}-{n}", zone=zone, seat=seat) for seat in seats for n in range(3))


def test_hands_that_are_not_in_the_picture_are_one_trouble() -> None:
    (sentence,) = differences_in_words(Change(removed=in_hands(0, 1, 2)))
    assert sentence.text == "the hands are not in the picture, or not whole: 9 pieces are not seen"
    (sentence,) = differences_in_words(Change(removed=(*in_hands(0, 1), *in_hands(0, zone=Zone.SPENT))))
    assert sentence.text == ("what lies beside the board is not in the picture, or not whole: 9 pieces are not seen")


def test_one_hand_that_is_not_in_the_picture_is_called_by_its_owner() -> None:
    (sentence,) = differences_in_words(Change(removed=(*in_hands(1), *in_hands(1))))
    assert sentence.text == "6 pieces of the hand of seat 1 are not in view"


def test_few_pieces_of_hands_are_told_one_by_one() -> None:
    assert len(differences_in_words(Change(removed=in_hands(0)))) == 3


def test_a_board_that_lies_quite_otherwise_is_told_in_one_sentence_and_the_rest_after_it() -> None:
    shifted = [MovedPiece(p, replace(p, x=p.x + 2.0)) for p in LAYOUT.board][: TUNING.accusation.upset_pieces]
    whole, hand = differences_in_words(Change(removed=in_hands(0)[:1], moved=tuple(shifted)))
    assert whole.text == f"much of the board differs from the game: {len(shifted)} pieces"
    assert hand.text == "a coin of suns is gone from the hand of seat 0"
    fewer = differences_in_words(Change(moved=tuple(shifted[:-1])))
    assert len(fewer) == len(shifted) - 1


@pytest.mark.parametrize("seed", range(3))
def test_all_coins_moved_are_one_trouble(seed: int) -> None:
    rng = random.Random(seed)
    spots = iter(rng.sample(LAYOUT.places, len(LAYOUT.places)))
    shuffled = tuple(
        replace(p, x=spot.x, y=spot.y, place=spot.name)
        if p.piece.kind is Kind.COIN and (spot := next(spots, None))
        else p
        for p in LAYOUT.pieces
    )
    judge = Referee(DODGEM, History.begin(DODGEM), pose=Registration())
    judge.look(TableEvidence(observe(LAYOUT, Registration(), rng, Noise())))
    verdict = judge.look(TableEvidence(observe(replace(LAYOUT, pieces=shuffled), Registration(), rng, Noise())))
    (sentence,) = verdict.differences
    assert sentence.text.startswith("much of the board differs from the game")


# What somebody may have tried -------------------------------------------------------------------------------------


def test_the_verbs_of_the_game_are_filled_with_what_changed() -> None:
    tried = list(attempts(DODGEM, START, change_of_move("a1", "c1")))
    assert Action("move", ("a1", "c1")) in [action.without_seat for action in tried]
    (subject,) = subjects(change_of_move("a1", "c1"))
    assert (subject.source, subject.target) == ("a1", "c1")


def test_a_piece_that_came_from_nowhere_has_no_source() -> None:
    new = Placed(coin(Suit.SUNS), "new", 3, 3, Face.BACK, place="c3")
    (subject,) = subjects(Change(added=(new,)))
    assert (subject.source, subject.target) == ("", "c3")


@pytest.mark.parametrize("target", ["c1", "b2", "f2"])
def test_the_reason_speaks_of_what_was_done(target: str) -> None:
    reason = why_not(DODGEM, START, change_of_move("a1", target), 200)
    assert reason is not None
    action, refusal = reason
    assert action.args == ("a1", target)
    assert DODGEM.refusal(START, action) == refusal


def test_the_likeliest_attempt_leaves_the_table_that_is_seen() -> None:
    table = observed(layout_after_move("a1", "c1"))
    view = TableLikelihood(table, Registration(), LAYOUT)
    search = HypothesisSearch(DODGEM, view).search(START)
    still = next(h for h in search.found if not h.actions)
    attempt = likeliest(DODGEM, view, [(still, change_of_move("a1", "c1"))])
    assert attempt is not None
    assert attempt.action is not None
    assert attempt.action.args == ("a1", "c1")
    assert attempt.cost <= TUNING.decision.explained_nats


@pytest.mark.parametrize(("held", "kind"), [(0, VerdictKind.REFUSED), (1, VerdictKind.IMPOSSIBLE)])
def test_what_is_not_seen_any_more_in_a_hand_accuses_nobody(held: int, kind: VerdictKind) -> None:
    """A medium pyramid is placed where a small one should be; where a card is not seen either, more may have been
    done."""
    rules = game("dectana")
    state = rules.advance(rules.start(), rules.read(rules.start(), "deal(5YK+XL+3LY+XM+XY+XS+9MS+2MK+9MS)"))
    layout = rules.layout(state)
    pyramid = next(p for p in layout.zone(Zone.SUPPLY) if p.piece.code == "yS-medium")
    cards = [p for p in layout.zone(Zone.HAND) if p.seat == 0][:held]
    visible = [p for p in layout if p not in (pyramid, *cards) and p.level == 0]
    placed = replace(pyramid, zone=Zone.BOARD, seat=None, x=0.0, y=3.0)
    table = ObservedTable(tuple(seen(p, zone=p.zone, seat=p.seat, size=p.piece.size) for p in (*visible, placed)))
    view = TableLikelihood(table, Registration(), layout)
    assert Case(rules, view, HypothesisSearch(rules, view).search(state)).verdict().kind is kind


def test_dice_of_which_a_game_knows_nothing_speak_for_nobody() -> None:
    """Fuji-San's dice lie about beside the mountain; a pawn has climbed farther than it may."""
    rules = game("fuji_san")
    state = rules.start()
    layout = rules.layout(state)
    pawn = next(p for p in layout.board if p.piece.kind is Kind.PAWN)
    top = max((p for p in layout.board if p.piece.kind is Kind.COIN), key=lambda p: p.level)
    visible = [p for p in layout if p is not pawn and p.piece.kind is not Kind.DIE and p.level >= 0]
    dice = [replace(p, piece=replace(p.piece, rank=Rank.FOUR)) for p in layout if p.piece.kind is Kind.DIE]
    climbed = replace(pawn, x=top.x, y=top.y)
    view = TableLikelihood(ObservedTable(tuple(seen(p) for p in (*visible, *dice, climbed))), Registration(), layout)
    verdict = Case(rules, view, HypothesisSearch(rules, view).search(state)).verdict()
    assert [p for p in dice if p.piece.rank is Rank.FOUR]
    assert verdict.differences
    assert not [sentence for sentence in verdict.differences if "die" in str(sentence).split()]


def test_what_lies_as_it_may_and_only_seems_to_show_its_other_side_accuses_nobody() -> None:
    """A set whose ones look like swords: a cheese with a one is read as the back of a coin of arms, every time."""
    rules = game("four_blind_mice")
    state, action = next((s, a) for s, a in walk(rules, 3) if a.verb == "place_cheese")
    before, after = rules.layout(state), rules.layout(rules.advance(state, action))
    laid = change_between(before, after).moved[0].after
    assert laid.face is Face.FRONT
    as_arms = seen(laid, face=Face.BACK, identities={(Suit.ARMS, None): 1.0})
    visible = [as_arms if p.key == laid.key else seen(p) for p in after]
    view = TableLikelihood(ObservedTable(tuple(visible)), Registration(), before)
    verdict = Case(rules, view, HypothesisSearch(rules, view).search(state)).verdict()
    assert verdict.kind is VerdictKind.IMPOSSIBLE
    assert any(laid.place in str(sentence) for sentence in verdict.differences)


def test_a_tile_that_would_lie_there_twice_accuses_nobody() -> None:
    """It was taken off, and the eyes see a tile face down where it lay: nobody turned it over, for it lies beside."""
    rules = game("decay")
    state = next(s for s, _ in walk(rules, 1) if len([p for p in rules.layout(s).board if p.piece.rank]) > 1)
    layout = rules.layout(state)
    tile = next(p for p in layout.board if p.face is Face.FRONT and p.piece.rank)
    visible = [seen(p, face=Face.BACK, identities={}) if p is tile else seen(p) for p in layout.board]
    view = TableLikelihood(ObservedTable((*visible, seen(replace(tile, x=tile.x + 3)))), Registration(), layout)
    accused = Case(rules, view, HypothesisSearch(rules, view).search(state))
    assert accused.verdict().kind is VerdictKind.IMPOSSIBLE
    assert "twice" in accused.reason
