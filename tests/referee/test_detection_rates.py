"""Eyes with standing errors: what was never seen as it should be is told once and cannot be missed later."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker, anywhere, observe
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import Kind, Piece, Suit
from rules.referee.detection_rates import DetectionRates, sort
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.step import UNEXPLAINED
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.layout import Placed
from rules.table.observed import ObservedTable, Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import resighted
from tests.tiers import first, full

DODGEM = game("dodgem")
START = DODGEM.start()


class FaultyDetector:
    """They overlook the coins on some spaces, and take something beside the board for a coin."""

    def __init__(self, overlooked: set[str] | None = None, strange: tuple[float, float] | None = None) -> None:
        self.rng = random.Random(8)
        self.board = anywhere(self.rng)
        self.overlooked, self.strange = overlooked or set(), strange

    def see(self, state: object) -> ObservedTable:
        layout = DODGEM.layout(state)
        hidden = {(p.x, p.y) for p in layout if p.piece.kind is Kind.COIN and p.place in self.overlooked}
        seen = [s for s in observe(layout, self.board, self.rng, Noise()).sightings if not self._is_at(s, hidden)]
        if self.strange:
            x, y = self.board.to_table(*self.strange)
            coin = next(s for s in seen if s.kind is Kind.COIN)
            seen.append(replace(coin, x=x, y=y))
        return ObservedTable(tuple(seen))

    def _is_at(self, sighting: Sighting, spaces: set[tuple[float, float]]) -> bool:
        x, y = self.board.to_board(sighting.x, sighting.y)
        return sighting.kind is Kind.COIN and any(abs(x - a) + abs(y - b) < 0.4 for a, b in spaces)


def after(state: object, *moves: str) -> object:
    for text in moves:
        state = DODGEM.advance(state, DODGEM.read(state, text))
    return state


def watch(detector: FaultyDetector, *states: object) -> tuple[Referee, list[Verdict]]:
    judge = Referee(DODGEM, History.begin(DODGEM))
    return judge, [judge.look(TableEvidence(detector.see(state))) for state in states]


@pytest.mark.parametrize(
    "detector", first([FaultyDetector({"a5"}), FaultyDetector(strange=(3.0, 3.0)), FaultyDetector({"a5", "c1"})])
)
def test_a_standing_error_is_told_and_the_game_goes_on(detector: FaultyDetector) -> None:
    judge, verdicts = watch(detector, START, START, after(START, "a1-b1"), after(START, "a1-b1", "f2-e2"))
    assert all(verdict.kind in UNEXPLAINED for verdict in verdicts[:2])
    assert verdicts[0].differences
    assert [verdict.kind for verdict in verdicts[2:]] == [VerdictKind.ACCEPTED, VerdictKind.ACCEPTED]
    assert judge.history.state == after(START, "a1-b1", "f2-e2")


def test_a_quiet_table_is_quiet_once_the_game_has_gone_on() -> None:
    _, verdicts = watch(FaultyDetector({"a5"}), START, after(START, "a1-b1"), after(START, "a1-b1"))
    assert verdicts[-1].kind is VerdictKind.SETTLED


def test_what_has_been_seen_once_is_missed() -> None:
    detector = FaultyDetector({"a5"})
    judge, _ = watch(detector, START)
    detector.overlooked = set()
    assert judge.look(TableEvidence(detector.see(START))).kind is VerdictKind.SETTLED
    detector.overlooked = {"a5"}
    verdict = judge.look(TableEvidence(detector.see(START)))
    assert (verdict.kind, verdict.only_missing) == (VerdictKind.IMPOSSIBLE, True)


@pytest.mark.parametrize(("certainty", "missed"), [(0.4, False), full((0.99, True))])
def test_what_is_seen_dimly_is_missed_less(certainty: float, missed: bool) -> None:
    detector = FaultyDetector()
    judge, _ = watch(detector)
    for _ in range(3):
        looks = detector.see(START).sightings
        judge.look(TableEvidence(ObservedTable(tuple(replace(s, certainty=certainty) for s in looks))))
    detector.overlooked = {"a5"}
    assert (judge.look(TableEvidence(detector.see(START))).kind is VerdictKind.IMPOSSIBLE) is missed


def test_a_piece_of_a_sort_that_is_hardly_detected_here_is_overlooked_sooner() -> None:
    came = Placed(Piece(Kind.PAWN, Suit.SUNS), "pawn", 1.0, 1.0)
    nats = [
        DetectionRates(on_board={sort(came.shown): rate}).overlooked_nats(came, 2.0) for rate in (1.0, 0.75, 0.5, 0.05)
    ]
    assert nats == pytest.approx([2.0, math.log(4), math.log(2), math.log(2)])
    assert DetectionRates().overlooked_nats(came, 2.0) == pytest.approx(2.0)


def test_a_tile_that_is_not_seen_just_now_does_not_hide_a_legal_move() -> None:
    """The move is accepted; that the tile is gone is told at the next look."""
    detector = FaultyDetector()
    judge, _ = watch(detector, START)
    moved = detector.see(after(START, "a1-b1"))
    tile = next(s for s in moved.sightings if s.kind is Kind.TILE)
    without = ObservedTable(tuple(s for s in moved.sightings if s is not tile))
    assert judge.look(TableEvidence(without)).kind is VerdictKind.ACCEPTED
    assert judge.history.state == after(START, "a1-b1")
    verdict = judge.look(TableEvidence(without))
    assert (verdict.kind, verdict.only_missing) == (VerdictKind.IMPOSSIBLE, True)


def test_an_illegal_act_elsewhere_is_still_refused() -> None:
    wrong = DODGEM.position({"suns": ["c1", "a2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ())
    judge, verdicts = watch(FaultyDetector({"a5"}), START, wrong)
    assert verdicts[-1].kind is VerdictKind.REFUSED
    assert judge.history.state == START


def test_a_piece_that_lies_elsewhere_is_no_fault_of_the_eyes() -> None:
    """A coin is set up wrongly: nothing that follows is believed before it lies where it should."""
    shifted = DODGEM.position({"suns": ["c3", "a2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ())
    moved = DODGEM.position({"suns": ["c3", "b2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ())
    judge, verdicts = watch(FaultyDetector(), shifted, moved)
    assert all(verdict.kind not in (VerdictKind.ACCEPTED, VerdictKind.SETTLED) for verdict in verdicts)
    assert judge.history.state == START


def test_the_place_of_the_board_does_not_matter() -> None:
    detector = FaultyDetector({"a5"})
    judge, _ = watch(detector, START)
    detector.board = Registration(detector.board.turn + 20, detector.board.dx + 1.5, detector.board.dy)
    assert judge.look(TableEvidence(detector.see(after(START, "a1-b1")))).kind is VerdictKind.ACCEPTED


def test_a_pawn_that_the_eyes_never_saw_is_put_where_something_else_vanished() -> None:
    """Of a coin a penguin covers the most; eyes that miss that penguin anywhere miss it there as well."""
    rules, rng = game("penguin"), random.Random(3)
    first, board = rules.start(), anywhere(rng)
    while rules.turn(first).kind is TurnKind.CHANCE:
        first = rules.advance(first, rules.sample(first, rng))
    action = next(a for a in rules.legal(first) if a.verb == "place_penguin")
    placed = rules.advance(first, action)

    def seen_without_pawns(state: object) -> ObservedTable:
        seen = observe(rules.layout(state), board, rng, Noise()).sightings
        return ObservedTable(tuple(s for s in seen if s.kind is not Kind.PAWN))

    judge = Referee(rules, History(rules, first))
    judge.look(TableEvidence(seen_without_pawns(first)))
    verdict = judge.look(TableEvidence(seen_without_pawns(placed)))
    assert verdict.actions == (action,)


def test_many_pieces_of_one_place_out_of_view_are_one_sentence() -> None:
    detector = FaultyDetector()
    judge, _ = watch(detector, START)
    detector.overlooked = {"a1", "a2", "a3", "a4", "a5", "b1"}
    verdict = judge.look(TableEvidence(detector.see(START)))
    assert verdict.kind is VerdictKind.IMPOSSIBLE
    assert verdict.text == "please look: 5 pieces of the board are not in view"


def referee_after_correction(detector: FaultyDetector, trouble: ObservedTable) -> Referee:
    """The opening is seen whole, then something is done that nothing explains, and people say that it was a1-b1."""
    judge = Referee(DODGEM, History.begin(DODGEM))
    judge.look(TableEvidence(observed_fully(detector, START)))
    assert judge.look(TableEvidence(trouble)).kind in UNEXPLAINED
    before = judge.history
    judge.set_history(before.play(DODGEM.read(START, "a1-b1")))
    judge.apply_correction(before, TableEvidence(trouble))
    return judge


def observed_fully(detector: FaultyDetector, state: object) -> ObservedTable:
    """As eyes without any error see it from where these are."""
    whole = FaultyDetector()
    whole.board = detector.board
    return whole.see(state)


def test_what_people_say_of_a_table_that_nothing_explained_settles_the_rest() -> None:
    """Four coins are not seen any more, and a shadow looks like one: people say what was done, and the game goes on."""
    detector = FaultyDetector({"a2", "a3", "a4", "a5"}, strange=(9.0, 9.0))
    judge = referee_after_correction(detector, detector.see(after(START, "a1-b1")))
    verdict = judge.look(TableEvidence(detector.see(after(START, "a1-b1", "f2-e2"))))
    assert verdict.kind is VerdictKind.ACCEPTED
    assert judge.history.state == after(START, "a1-b1", "f2-e2")


def test_what_people_say_does_not_settle_what_lies_elsewhere() -> None:
    """Somebody moved another coin as well: that is told as long as it lies there."""
    detector = FaultyDetector()
    seen = detector.see(after(START, "a1-b1"))
    x, y = detector.board.to_table(*next((p.x, p.y) for p in DODGEM.layout(START).board if p.place == "a4"))
    astray = detector.board.to_table(3.0, 3.0)
    coins = [s for s in seen.sightings if s.kind is Kind.COIN and math.dist((s.x, s.y), (x, y)) < 0.4]
    moved = (replace(s, x=astray[0], y=astray[1]) if s in coins else s for s in seen.sightings)
    trouble = replace(seen, sightings=tuple(moved))
    judge = referee_after_correction(detector, trouble)
    assert judge.look(TableEvidence(trouble)).kind in UNEXPLAINED


@pytest.mark.full
def test_what_people_say_lies_there_is_not_sought_where_the_eyes_see_it() -> None:
    """The coin that was moved is seen a space farther on, as on a tile drawn askew: people say where it lies, and what
    is done next is understood."""
    detector = FaultyDetector()
    seen = detector.see(after(START, "a1-b1"))
    x, y = detector.board.to_table(
        *next((p.x, p.y) for p in DODGEM.layout(after(START, "a1-b1")).board if p.place == "b1")
    )
    astray = detector.board.to_table(3.0, 3.0)

    def shown(table: ObservedTable) -> ObservedTable:
        coins = [s for s in table.sightings if s.kind is Kind.COIN and math.dist((s.x, s.y), (x, y)) < 0.4]
        moved = (replace(s, x=astray[0], y=astray[1]) if s in coins else s for s in table.sightings)
        return replace(table, sightings=tuple(moved))

    judge = referee_after_correction(detector, shown(seen))
    verdict = judge.look(TableEvidence(shown(detector.see(after(START, "a1-b1", "f2-e2")))))
    assert verdict.kind is VerdictKind.ACCEPTED
    assert judge.history.state == after(START, "a1-b1", "f2-e2")


def test_a_tile_that_the_eyes_missed_is_read_when_it_is_turned() -> None:
    tula, onlooker = game("tula"), Onlooker(8, Noise(), picture=PictureErrors())
    judge = Referee(tula, History.begin(tula))
    first = onlooker.see(tula.layout(judge.history.state))
    shown = judge.history.play(parse_action("reveal(4:4-4)")).play(parse_action("show(4:4-4,tM3)"))
    x, y = next((p.x, p.y) for p in tula.layout(shown.state).board if p.place == "4:4-4")
    at = onlooker.board.to_table(x, y)
    judge.look(resighted(first, (s for s in first.table.sightings if math.dist((s.x, s.y), at) > 0.5)))
    assert judge.look(onlooker.see(tula.layout(shown.state))).actions == shown.actions


@pytest.mark.parametrize("missed", [full(3), 8])
def test_waiting_pieces_that_were_missed_are_not_put_on_a_board_that_may_grow(missed: int) -> None:
    """But for those that wait in the very middle of a place."""
    dectana, rng = game("dectana"), random.Random(4)
    history = History.begin(dectana)
    history = history.play(next(iter(dectana.legal(history.state))))
    layout, board = dectana.layout(history.state), anywhere(rng)
    table = observe(layout, board, rng, Noise(), zones=False)
    pyramids = [s for s in table.sightings if s.kind is Kind.PYRAMID]
    middles = [board.to_table(place.x, place.y) for place in layout.places]
    beside = [s for s in pyramids if all(math.dist((s.x, s.y), middle) > 0.6 for middle in middles)]
    assert (len(pyramids), len(beside)) == (18, 12)
    judge = Referee(dectana, history)
    hidden = rng.sample(beside, missed)
    judge.look(TableEvidence(ObservedTable(tuple(s for s in table.sightings if s not in hidden))))
    assert judge.look(TableEvidence(table)).kind is VerdictKind.SETTLED
