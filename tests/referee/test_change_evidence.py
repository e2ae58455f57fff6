"""The referee asks the picture: what the eyes miss or make up today does no harm where nothing changed."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Face, Kind, Piece, Pose, Suit, coin
from rules.referee.change_evidence import ChangeFit, change_evidence
from rules.referee.explanation import Comparison
from rules.referee.exposure import exposed
from rules.referee.fit import Tally
from rules.referee.referee import Referee
from rules.referee.step import UNEXPLAINED
from rules.referee.tuning import TUNING
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import ChangedRegion, Ground, PictureEvidence, ReferencePicture, TableEvidence
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors, ToldDiff
from tests.referee.sightings import resighted

DODGEM = game("dodgem")
START = DODGEM.start()
DEAL = "MSMAAACSCACMMSCCSASMCMAS"
"""The coins of a Penguin Game as they lie."""


class Table:
    """A game before eyes that err and a picture that tells."""

    def __init__(self, picture: PictureErrors | None = None, name: str = "dodgem", **options: object) -> None:
        self.onlooker = Onlooker(8, Noise(), zones=name == "dodgem", picture=picture or PictureErrors())
        self.game = game(name)
        self.judge = Referee(self.game, History.begin(self.game, options))
        self.state = self.judge.history.state

    def shown(self, move: str | None = None) -> TableEvidence:
        if move:
            self.state = self.game.advance(self.state, self.game.read(self.state, move))
        return self.onlooker.see(self.game.layout(self.state))

    def look(self, seen: TableEvidence) -> Verdict:
        return self.judge.look(seen)


def without(seen: TableEvidence, *dropped: Sighting) -> TableEvidence:
    return resighted(seen, (s for s in seen.table.sightings if s not in dropped))


class ModifiedEvidence:
    """Evidence with changed regions resized or moved, and with more of them."""

    def __init__(
        self,
        picture: PictureEvidence | None,
        *more: ChangedRegion,
        size: float | None = None,
        moved_to: tuple[float, float] | None = None,
    ) -> None:
        assert picture is not None
        self._picture, self._more, self._size, self._moved_to = picture, more, size, moved_to

    def remember(
        self, layout: Layout, ground: Ground, table: ObservedTable, before: ReferencePicture | None
    ) -> ReferencePicture | None:
        return self._picture.remember(layout, ground, table, before)

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> ToldDiff | None:
        diff = self._picture.compared(with_, table)
        assert isinstance(diff, ToldDiff)
        sized = [replace(region, size=self._size or region.size) for region in diff.regions]
        if self._moved_to is not None:
            sized = [replace(region, x=self._moved_to[0], y=self._moved_to[1]) for region in sized]
        diff.regions = [*sized, *self._more]
        return diff


def without_coins(seen: TableEvidence) -> TableEvidence:
    return without(seen, *(s for s in seen.table.sightings if s.kind is Kind.COIN))


def unexplained_nats(account: ChangeFit) -> float:
    tally = Tally()
    account.add_unexplained(tally)
    return tally.nats


def tiles(seen: TableEvidence) -> list[Sighting]:
    return [s for s in seen.table.sightings if s.kind is Kind.TILE]


def test_half_of_the_tiles_missed_and_a_move_is_understood() -> None:
    table = Table()
    assert table.look(table.shown()).kind is VerdictKind.SETTLED
    seen = table.shown("a1-b1")
    verdict = table.look(without(seen, *random.Random(2).sample(tiles(seen), 5)))
    assert verdict.action_id == "move(a1,b1)"


def test_a_piece_that_is_made_up_where_nothing_changed_blocks_nothing() -> None:
    table = Table()
    table.look(table.shown())
    seen = table.shown("a1-b1")
    coin = next(s for s in seen.table.sightings if s.kind is Kind.COIN)
    x, y = table.onlooker.board.to_table(4.0, 4.0)
    verdict = table.look(resighted(seen, (*seen.table.sightings, replace(coin, x=x, y=y))))
    assert verdict.action_id == "move(a1,b1)"


def test_a_coin_that_the_eyes_never_see_is_followed_by_its_traces() -> None:
    table = Table()
    table.look(without_coins(table.shown()))
    assert table.look(without_coins(table.shown("a1-b1"))).action_id == "move(a1,b1)"
    assert table.look(without_coins(table.shown("f2-e2"))).action_id == "move(f2,e2)"


def test_without_a_picture_the_same_eyes_are_told_to_look() -> None:
    table = Table()
    table.look(TableEvidence(table.shown().table))
    seen = table.shown("a1-b1")
    assert table.look(TableEvidence(without_coins(seen).table)).kind in UNEXPLAINED


def test_a_table_that_looks_as_it_did_has_not_changed_whatever_the_eyes_miss() -> None:
    table = Table()
    table.look(table.shown())
    table.look(table.shown("a1-b1"))
    seen = table.shown()
    coins = [s for s in seen.table.sightings if s.kind is Kind.COIN]
    assert table.look(without(seen, *coins[:4])).kind is VerdictKind.SETTLED


def test_nobody_is_accused_of_what_the_picture_does_not_show() -> None:
    """The eyes see a coin go diagonally; its places look as they did."""
    table = Table(PictureErrors(overlooked=1.0))
    table.look(table.shown())
    seen = table.shown()
    coin = next(s for s in seen.table.sightings if s.kind is Kind.COIN)
    turned = table.onlooker.board.turn
    gone = replace(coin, x=coin.x + 1.4, y=coin.y + 0.1 * (turned > 0))
    verdict = table.look(resighted(seen, (*(s for s in seen.table.sightings if s is not coin), gone)))
    assert verdict.kind is not VerdictKind.REFUSED


def test_a_wrong_acceptance_that_people_correct_leaves_nothing_behind() -> None:
    """a1-b1 was taken for what really was a2-b2. People correct it; from then on everything is followed as if it had
    never been believed."""
    table = Table()
    table.look(table.shown())
    wrong = DODGEM.read(table.state, "a2-b2")
    seen = table.shown("a1-b1")
    history, judge = table.judge.history.play(wrong), table.judge
    known = judge.memory.keyframe
    assert known is not None
    assert seen.picture is not None
    # What a misled referee would have kept: the picture of the true table, and the wrong layout for it.
    kept = seen.picture.remember(DODGEM.layout(history.state), table.onlooker.board, seen.table, None)
    assert kept is not None
    judge.set_history(history)
    misled = replace(known, actions=history.actions, reference=kept, older=known)
    judge.memory = replace(judge.memory, keyframe=misled)
    right = History.begin(DODGEM).play(DODGEM.read(START, "a1-b1"))
    table.judge.set_history(right)
    assert table.look(table.shown()).kind is VerdictKind.SETTLED
    assert judge.memory.keyframe is not None
    assert judge.memory.keyframe.actions == right.actions
    for move in ("f2-e2", "a2-b2", "f3-e3"):
        assert table.look(table.shown(move)).action_id == f"move({move.replace('-', ',')})"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_picture_that_errs_now_and_then_takes_nothing_wrongly(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(PictureErrors(overlooked=0.05, imagined=0.005, mute=0.05))
    table.look(table.shown())
    state = START
    for _ in range(8):
        action = rng.choice(list(DODGEM.legal(state)))
        state = DODGEM.advance(state, action)
        table.state = state
        verdict = table.look(table.shown())
        assert verdict.kind is not VerdictKind.REFUSED
        if verdict.kind is VerdictKind.ACCEPTED:
            assert table.judge.history.state == state
        else:
            table.judge.set_history(table.judge.history.play(action))
        if DODGEM.turn(state).is_over:
            break


def test_what_only_looks_otherwise_and_is_seen_as_it_was_costs_no_turn() -> None:
    """Glare on a coin that nobody touched is no news, as long as the eyes see the coin."""
    table = Table(PictureErrors(imagined=0.08))
    assert table.look(table.shown()).kind is VerdictKind.SETTLED
    for move in ("a1-b1", "f2-e2", "b1-c1", "e2-d2"):
        assert table.look(table.shown(move)).kind is VerdictKind.ACCEPTED, move


def surprise_beside_a_pawn(region: ChangedRegion) -> float:
    """What is left unexplained of a table on which a pawn was put, and the picture changed elsewhere as well."""
    table = Table(name="penguin", deal=DEAL)
    table.look(table.shown())
    seen = table.shown("place_penguin(a4)")
    assert table.look(replace(seen, picture=ModifiedEvidence(seen.picture, region))).kind is VerdictKind.ACCEPTED
    return next(step.found[0].fit.cost for step in table.judge.explanation.steps if isinstance(step, Comparison))


def test_a_shadow_that_comes_with_a_pawn_is_no_news() -> None:
    """The same trace told as a thing is."""
    assert surprise_beside_a_pawn(ChangedRegion(1.9, 3.2, 1.2, darker=0.95)) < TUNING.decision.explained_nats
    assert surprise_beside_a_pawn(ChangedRegion(1.9, 3.2, 1.2, darker=0.0)) > TUNING.decision.explained_nats


def test_bare_ground_as_large_as_a_tile_is_nobodys_shadow() -> None:
    """Somebody lifted a tile beside a pawn that came: what is dark there is the table."""
    assert surprise_beside_a_pawn(ChangedRegion(1.9, 3.2, 2.0, darker=0.95)) < TUNING.decision.explained_nats
    assert surprise_beside_a_pawn(ChangedRegion(1.9, 3.2, 12.0, darker=0.95)) > TUNING.decision.explained_nats


def test_only_what_is_surely_seen_as_it_was_explains_a_trace_away() -> None:
    """A coin that the eyes still see denies that something came there; under a pawn that they miss they see it too, but
    not well."""
    table = Table(name="penguin", deal=DEAL)
    table.look(table.shown())
    seen = table.shown("place_penguin(a4)")
    since = change_evidence(
        replace(seen, picture=ModifiedEvidence(seen.picture, size=1.2)), table.judge.memory.keyframe
    )
    assert since is not None
    coin = next(p for p, _ in since.exposed_before if (p.piece.kind, p.x, p.y) == (Kind.COIN, 1.0, 4.0))
    rests = []
    for certainty in (0.55, 0.99):
        account = ChangeFit(since, since.exposed_before)
        account.surprise(coin, 1.0, 0.1, certainty)
        rests.append(unexplained_nats(account))
    assert rests[0] > rests[1] + 4.0


def test_coins_that_are_seen_as_they_were_excuse_no_trace_as_large_as_a_tile() -> None:
    """A tile was drawn away from beneath them."""
    table = Table(name="penguin", deal=DEAL)
    table.look(table.shown())
    seen = table.shown("place_penguin(a4)")
    rests = []
    for size in (1.2, 8.5):
        since = change_evidence(
            replace(seen, picture=ModifiedEvidence(seen.picture, size=size)), table.judge.memory.keyframe
        )
        assert since is not None
        account = ChangeFit(since, since.exposed_before)
        for coin_there in (p for p, _ in since.exposed_before if p.piece.kind is Kind.COIN):
            account.surprise(coin_there, 1.0, 0.1, 0.99)
        rests.append(unexplained_nats(account))
    assert rests[0] < 1.0 < rests[1]


@pytest.mark.parametrize(("aside", "made_up"), [(1.1, True), (1.9, False)])
def test_a_tile_seen_between_two_where_nothing_changed_is_made_of_their_lines(aside: float, made_up: bool) -> None:
    """One that shows what they show; what hardly touches one of them may lie there."""
    table = Table()
    table.look(table.shown())
    since = change_evidence(table.shown("a1-b1"), table.judge.memory.keyframe)
    assert since is not None
    assert isinstance(since.diff, ToldDiff)
    west = min((p for p, _ in since.exposed_before if p.piece.kind is Kind.TILE), key=lambda p: (p.x, p.y))
    seen = replace(west, key="made up", place="", x=west.x - aside)
    since.diff.noticed = [replace(seen, piece=coin(Suit.SUNS), x=seen.x - 0.5, y=seen.y - 0.5)]
    assert since.is_known(seen, Sighting(Kind.TILE, seen.x, seen.y)) is made_up


class TopPieceDiff(ToldDiff):
    """One changed region, covered only by pieces at the place and level of `top`."""

    top: Placed

    def region_shares(self, placed: Placed) -> Mapping[int, float]:
        same = (placed.x, placed.y, placed.level) == (self.top.x, self.top.y, self.top.level)
        return {0: 0.9} if same else {}


class PileEvidence(ModifiedEvidence):
    def __init__(self, picture: PictureEvidence | None, top: Placed) -> None:
        super().__init__(picture)
        self._top = top

    def compared(self, with_: ReferencePicture, table: ObservedTable) -> ToldDiff | None:
        diff = super().compared(with_, table)
        assert diff is not None
        edge = TopPieceDiff([self._top], diff.table, diff.truth, diff.picture, diff.rng)
        edge.top = self._top
        return edge


def test_a_pile_of_which_one_was_taken_leaves_a_trace_where_its_edge_was() -> None:
    """Its top looks the same and lies lower; what is to be seen at the edge of the one that went is no news."""
    table = Table(name="zombie")
    table.look(table.shown())
    layout = table.game.layout(table.state)
    top = max((p for p in layout if p.place == "indoor"), key=lambda placed: placed.level)
    seen = table.shown()
    since = change_evidence(replace(seen, picture=PileEvidence(seen.picture, top)), table.judge.memory.keyframe)
    assert since is not None
    lower = replace(layout, pieces=tuple(p for p in layout if p is not top))
    as_it_was, one_taken = (ChangeFit(since, exposed(each)).unexplained_regions for each in (layout, lower))
    assert (as_it_was, one_taken) == (1, 0)


def test_what_lay_beside_a_piece_that_went_and_is_not_seen_may_have_gone_with_it() -> None:
    """Two coins lay side by side and left one trace; that one was taken says nothing of the other, unless something
    stands in its way now."""
    table = Table()
    table.look(table.shown())
    layout = table.game.layout(table.state)
    seen = table.shown("a1-b1")
    since = change_evidence(seen, table.judge.memory.keyframe)
    assert since is not None
    (went,) = (p for p in layout.board if p not in table.game.layout(table.state).board and p.piece.kind is Kind.COIN)
    beside = replace(went, piece=coin(Suit.MOONS), key="beside", x=went.x + 0.3)  # it would leave the same trace
    with_both = [*since.exposed_before, (beside, 1.0)]
    since.appearances = type(since.appearances)((p for p, _ in with_both), since.tuning)
    shown = [(p, share) for p, share in with_both if p != went]
    account = ChangeFit(since, shown)
    assert account.surprise(beside, 1.0, 6.0, 0.0) == 6.0
    assert account.surprise(beside, 1.0, 6.0, 0.9) < 1.0, "seen, if not well"
    pawn = Placed(Piece(Kind.PAWN, Suit.SUNS), "pawn", went.x, went.y, pose=Pose.UPRIGHT)
    account = ChangeFit(since, [*shown, (pawn, 1.0)])
    assert account.surprise(beside, 1.0, 6.0, 0.0) < 1.0, "it may be hidden"


def test_what_stood_under_a_piece_that_went_is_as_easily_overlooked_as_what_came() -> None:
    """A pawn left the coin on which it stood. The coin was never in plain view, so that the eyes miss it now says
    little; that they miss one which lay open says that it went."""
    surprises = []
    for share in (TUNING.heights.partly / 2, 1.0):
        table = Table()
        table.look(table.shown())
        layout = table.game.layout(table.state)
        since = change_evidence(table.shown("a1-b1"), table.judge.memory.keyframe)
        assert since is not None
        (under,) = (p for p in layout.board if p.place == "a1" and p.piece.kind is Kind.COIN)
        pawn = Placed(Piece(Kind.PAWN, Suit.SUNS), "pawn", under.x, under.y, pose=Pose.UPRIGHT, level=1)
        since.exposed_before = [*((p, s) for p, s in since.exposed_before if p != under), (under, share), (pawn, 1.0)]
        since.appearances = type(since.appearances)((p for p, _ in since.exposed_before), since.tuning)
        account = ChangeFit(since, [(p, 1.0) for p, _ in since.exposed_before if p != pawn])
        surprises.append(account.surprise(under, 1.0, 6.0, 0.0))
    assert surprises == [pytest.approx(2.0), pytest.approx(6.0)]


def test_a_trace_across_the_table_is_no_news_of_a_piece() -> None:
    """A lamp that was switched changes the look of places where nothing came; what the eyes do not see there is not
    there."""
    surprises = []
    for share in (1.0, 0.02):
        table = Table()
        table.look(table.shown())
        since = change_evidence(table.shown("a1-b1"), table.judge.memory.keyframe)
        assert since is not None
        assert isinstance(since.diff, ToldDiff)
        after = table.game.layout(table.state)
        (came,) = (p for p in after.board if p.place == "b1" and p.piece.kind is Kind.COIN)
        since.diff.shares = share
        account = ChangeFit(since, [(came, 1.0)])
        surprises.append(account.surprise(came, 1.0, 6.0, 0.0))
    assert surprises == [pytest.approx(2.0), pytest.approx(6.0)]


def test_a_piece_that_is_only_drawn_aside_is_not_overlooked() -> None:
    """Coins that share a place are drawn elsewhere when one of them is taken: the other is no new piece."""
    table = Table()
    table.look(table.shown())
    since = change_evidence(table.shown("a1-b1"), table.judge.memory.keyframe)
    assert since is not None
    (went,) = (p for p, _ in since.exposed_before if p.place == "a1" and p.piece.kind is Kind.COIN)
    assert not since.may_be_undetected(replace(went, x=went.x + 0.3))
    assert since.may_be_undetected(replace(went, x=went.x + 0.3, key="another"))


def test_what_is_not_seen_any_more_was_not_taken_back_where_the_place_does_not_look_as_before() -> None:
    """Something that the eyes miss lies where the coin was: so it may as well lie there still."""
    verdicts = []
    for left_behind in (False, True):
        table = Table()
        table.look(table.shown())
        assert table.look(table.shown("a1-b1")).kind is VerdictKind.ACCEPTED
        before = DODGEM.layout(START)
        moved = next(p for p in DODGEM.layout(table.state).board if p.place == "b1" and p.piece.kind is Kind.COIN)
        there = replace(moved, piece=coin(Suit.MOONS, None), key="left behind")
        seen = table.onlooker.see(
            Layout((*before.pieces, there), before.places, before.borders) if left_behind else before
        )
        verdicts.append(table.look(without(seen, *(s for s in seen.table.sightings if s.best[0] is Suit.MOONS))))
    assert [verdict.undone for verdict in verdicts] == [1, 0]
    assert verdicts[1].kind in UNEXPLAINED


@pytest.mark.parametrize(
    ("region", "taken_back"),
    [
        (None, True),
        (ChangedRegion(1.9, 1.6, 1.1), False),
        (ChangedRegion(5.0, 5.0, 1.1), True),
        (ChangedRegion(1.9, 1.6, 1.1, darker=0.9), True),
    ],
)
def test_what_was_only_pushed_aside_was_not_taken_back(region: ChangedRegion | None, taken_back: bool) -> None:
    """Its place is bare again, but beside it lies something that was not there before it came."""
    table = Table()
    table.look(table.shown())
    assert table.look(table.shown("a1-b1")).kind is VerdictKind.ACCEPTED
    laid = [p for p in table.game.layout(table.state).board if p.place == "b1" and p.piece.kind is Kind.COIN]
    seen = table.onlooker.see(DODGEM.layout(START))
    known = table.judge.memory.keyframe
    assert known is not None
    assert known.older is not None
    since = change_evidence(replace(seen, picture=ModifiedEvidence(seen.picture, *[region] if region else [])), known)
    assert since is not None
    assert since.matches_earlier(known.older, laid) is taken_back


@pytest.mark.parametrize("ahead", [False, True])
def test_what_people_say_is_kept_with_the_picture_that_bears_it_out(ahead: bool) -> None:
    """Who enters a move before making it has shown no picture of it yet."""
    table = Table()
    table.look(table.shown())
    opening = table.judge.history
    seen = table.shown(None if ahead else "a1-b1")
    table.judge.set_history(opening.play(DODGEM.read(START, "a1-b1")))
    table.judge.apply_correction(opening, seen)
    known = table.judge.memory.keyframe
    assert known is not None
    assert len(known.actions) == (0 if ahead else 1)


def test_what_came_beyond_the_edge_counts_where_the_picture_shows_it_and_the_eyes_see_something() -> None:
    """A pyramid that is entered beside the cards, where no card lies: it is seen askew, and not surely."""
    table = Table(name="dectana")
    table.onlooker = Onlooker(8, Noise(), zones=True, picture=PictureErrors())
    deal = "deal(5YK+XL+3LY+XM+XY+XS+9MS+2MK+9MS)"
    lies = table.shown(deal)
    table.judge.set_history(table.judge.history.play(parse_action(deal)))
    table.look(lies)
    seen = table.shown("place_start(x0y-1,U)")
    spot = table.onlooker.board.to_table(0.0, -3.0)
    entered = min(
        (s for s in seen.table.sightings if s.kind is Kind.PYRAMID), key=lambda s: math.dist((s.x, s.y), spot)
    )
    askew = replace(entered, x=entered.x + 0.3, certainty=0.6, zone=Zone.BOARD)
    verdict = table.look(resighted(seen, (*without(seen, entered).table.sightings, askew)))
    assert verdict.kind is not VerdictKind.SETTLED
    assert "x0y-1" in verdict.text


def test_what_a_told_deal_lays_is_new_to_the_eyes_as_at_the_first_look() -> None:
    """Dark coins that were turned over on dark tiles, read as their other sides, of which the picture shows half."""
    table = Table(PictureErrors(overlooked=0.5), name="fuji_san")
    opening = table.shown()
    assert table.look(opening).kind is VerdictKind.SETTLED
    before = table.judge.history
    dealt = next(action for _, action in walk(table.game, 711))
    table.judge.set_history(before.play(dealt))
    table.judge.apply_correction(before, opening)
    verdicts: list[VerdictKind] = []
    for _ in range(2):
        seen = table.shown(dealt.id) if not verdicts else table.shown()
        coins = [s for s in seen.table.sightings if s.kind is Kind.COIN]
        misread = [
            replace(s, face=Face.BACK, identities={(Suit.ARMS, None): 0.6, (Suit.SUNS, None): 0.4}) for s in coins
        ]
        verdict = table.look(resighted(seen, (*without(seen, *coins).table.sightings, *misread)))
        assert not verdict.undone
        verdicts.append(verdict.kind)
    assert verdicts[-1] is VerdictKind.SETTLED
    assert table.judge.history.actions == (dealt,)


def test_what_stands_at_the_far_edge_leaves_its_trace_behind_the_board() -> None:
    """A camera that looks from the side sees a pawn above what lies behind it: the trace of one that the eyes miss is
    the board's all the same."""
    table = Table(name="penguin", deal=DEAL)
    table.look(table.shown())
    seen = table.shown("place_penguin(a4)")
    pawn = next(p for p in table.game.layout(table.state).board if p.piece.kind is Kind.PAWN)
    behind = ModifiedEvidence(seen.picture, moved_to=(pawn.x, pawn.y + 2.0))
    since = change_evidence(replace(seen, picture=behind), table.judge.memory.keyframe)
    assert since is not None
    assert isinstance(since.diff, ToldDiff)
    zones = [spot.zone for spot in since.diff.noticed if spot.piece.kind is Kind.PAWN]
    assert sorted(zones) == [Zone.BOARD, Zone.HAND]
    of_pawns = [
        on for spot, on in zip(since.diff.noticed, since.region_on_board, strict=True) if spot.piece.kind is Kind.PAWN
    ]
    assert of_pawns == [zone is Zone.BOARD for zone in zones]
