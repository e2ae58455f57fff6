"""A look is a function: the same history, memory and table give the same verdict and the same memory, every time."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import parse_action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.games import game
from rules.pieces import Kind, Rank, Suit, parse_piece
from rules.referee.debounce import Debounce
from rules.referee.dice import DiceState
from rules.referee.memory import Memory, Question
from rules.referee.referee import Referee
from rules.referee.register import Registration
from rules.referee.step import after_correction, history_after, initial_memory, look
from rules.referee.tuning import TUNING
from rules.referee.verdict import Choice, VerdictKind
from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import resighted
from tests.tiers import first

DODGEM = game("dodgem")
START = DODGEM.start()
MOVED = DODGEM.advance(START, DODGEM.read(START, "a1-b1"))


@pytest.fixture
def onlooker() -> Onlooker:
    return Onlooker(4, Noise())


def test_looking_twice_says_the_same_and_changes_nothing(onlooker: Onlooker) -> None:
    history, opening, moved = History.begin(DODGEM), *(onlooker.see(DODGEM.layout(s)) for s in (START, MOVED))
    settled, memory = look(history, initial_memory(history, Memory(), opening.table), opening)
    first, second = (look(history, memory, moved) for _ in range(2))
    assert first == second
    assert (settled.kind, first[0].kind) == (VerdictKind.SETTLED, VerdictKind.ACCEPTED)
    assert history.entries == ()
    assert history_after(history, first[0]).state == MOVED
    assert look(history, memory, opening)[0].kind is VerdictKind.SETTLED, "what was not followed was not done"


def test_what_is_followed_elsewhere_leaves_the_history_alone(onlooker: Onlooker) -> None:
    referee = Referee(DODGEM, History.begin(DODGEM))
    patience = Debounce(referee)
    patience.consider(onlooker.see(DODGEM.layout(START)), steady=True)
    verdict = patience.consider(onlooker.see(DODGEM.layout(MOVED)), steady=True)
    assert verdict is not None
    assert verdict.kind is VerdictKind.ACCEPTED
    assert referee.history.entries == ()
    referee.follow(verdict)
    assert referee.history.state == MOVED


def test_a_verdict_that_is_followed_backwards_is_an_undo(onlooker: Onlooker) -> None:
    history = History.begin(DODGEM).play(DODGEM.read(START, "a1-b1"))
    _, memory = look(history, Memory(), onlooker.see(DODGEM.layout(MOVED)))
    verdict, _ = look(history, memory, onlooker.see(DODGEM.layout(START)))
    assert verdict.undone == 1
    assert history_after(history, verdict).state == START


def blurred(seen: TableEvidence, one: tuple[Suit, Rank], other: tuple[Suit, Rank]) -> TableEvidence:
    """The same table, where a piece may as well be another."""
    doubt: Beliefs = {one: 0.5, other: 0.5}
    return resighted(
        seen,
        (replace(s, identities=doubt) if s.kind is Kind.TILE and s.best == one else s for s in seen.table.sightings),
    )


def first_draw() -> list[tuple[History, History]]:
    """Before and after the first tile is drawn with all that shows then, and before and after what is done next."""
    rules = game("zombie")
    history = History.begin(rules)
    pairs: list[tuple[History, History]] = []
    before, drawn = history, False
    for _, action in walk(rules, 5):
        history = history.play(action)
        drawn = drawn or action.verb == "draw"
        unclear = rules.turn(history.state).kind is TurnKind.CHANCE
        seen = rules.layout(history.state) != rules.layout(before.state)
        if seen and not unclear:
            pairs = pairs + [(before, history)] if drawn else []
            before = history
        if len(pairs) == 2:
            return pairs
    raise AssertionError


def drawn_tile(before: History, after: History) -> tuple[Suit, Rank, Rank]:
    """Suit and value of the tile that was drawn, and another value that it might have had: no tile shows it."""
    drawn = next(a for a in after.actions[len(before.actions) :] if a.verb == "draw")
    tile = parse_piece(str(drawn.args[0]))
    assert tile.suit
    assert tile.rank
    shown = {p.shown.rank for p in after.game.layout(after.state).board if p.shown.suit is tile.suit and p.face}
    return tile.suit, tile.rank, next(other for other in (Rank.TWO, Rank.THREE, Rank.FOUR) if other not in shown)


def test_who_plays_on_answers_the_question() -> None:
    (before, after), (_, later) = first_draw()
    rules = before.game
    onlooker = Onlooker(4, Noise(misread=0.0, flicker=0.0))
    suit, rank, twin = drawn_tile(before, after)
    opening = onlooker.see(rules.layout(before.state))
    _, memory = look(before, initial_memory(before, Memory(), opening.table), opening)
    for entry in after.entries[len(before.entries) :]:
        onlooker.throw(entry.effects)
    table = onlooker.see(rules.layout(after.state))
    question_verdict, memory = look(before, memory, blurred(table, (suit, rank), (suit, twin)))
    assert question_verdict.kind is VerdictKind.AMBIGUOUS
    for entry in later.entries[len(after.entries) :]:
        onlooker.throw(entry.effects)
    verdict, memory = look(before, memory, onlooker.see(rules.layout(later.state)))
    assert verdict.kind is VerdictKind.ACCEPTED, verdict.text
    assert rules.layout(history_after(before, verdict).state) == rules.layout(later.state)
    assert memory.question is None


def after_actions(onlooker: Onlooker, history: History, *actions: str) -> History:
    """With these done, and what was thrown lying as it fell."""
    for action in actions:
        history = history.play(parse_action(action))
        onlooker.throw(history.entries[-1].effects)
    return history


FEW_TABLES = replace(TUNING, search=replace(TUNING.search, max_tables=100))
"""Too few for the four actions of which a part of it consists."""
NIGHT = ("open(1:0,draw)", "draw(tA0)", "roll(S{}+M5+A0)", "fight", "search", "roll(A1)")


def test_answers_that_have_led_to_the_same_need_no_answer() -> None:
    """What a die showed matters to nobody once it was thrown again."""
    rules = game("zombie")
    onlooker = Onlooker(4, Noise(misread=0.0, flicker=0.0))

    before = after_actions(onlooker, History.begin(rules), "clock")
    opening = onlooker.see(rules.layout(before.state))
    _, memory = look(before, initial_memory(before, Memory(), opening.table), opening)
    other, done = (after_actions(onlooker, before, *(action.format(shown) for action in NIGHT)) for shown in (4, 1))
    assert other.state != done.state
    answers = tuple(Choice(one.actions[len(before.actions) :], 0.5) for one in (other, done))
    question_verdict = Question(before.actions, answers)
    later = after_actions(onlooker, done, "cower", "roll(S3)")
    table = onlooker.see(rules.layout(later.state))
    verdict, memory = look(before, replace(memory, question=question_verdict), table)
    assert verdict.kind is VerdictKind.ACCEPTED, verdict.text
    assert history_after(before, verdict).state == later.state
    assert memory.question is None


@pytest.mark.parametrize("lies_still", first([True, False]))
def test_a_throw_that_was_asked_about_is_not_read_again_while_the_dice_lie_still(lies_still: bool) -> None:
    """A null that is taken for a two by now is no second throw, which a longer way would make legal."""
    rules = game("zombie")
    onlooker = Onlooker(4, Noise(jitter=0.0, misread=0.0, flicker=0.0))
    before = after_actions(onlooker, History.begin(rules), "clock", "open(1:0,draw)", "draw(tS1)")
    opening = onlooker.see(rules.layout(before.state))
    _, memory = look(before, initial_memory(before, Memory(), opening.table), opening)
    thrown = after_actions(onlooker, before, "roll(S0+M1+A1)")
    table, pose = onlooker.see(rules.layout(thrown.state)).table, memory.registration
    assert pose is not None
    answers = tuple(Choice((parse_action(f"roll({shown}+M1+A1)"),), 0.5) for shown in ("S0", "S1"))
    dice = DiceState.of(table, pose) if lies_still else None
    later = after_actions(onlooker, thrown, "fight", "cower")
    seen = onlooker.see(rules.layout(later.state))
    two: Beliefs = {(Suit.SUNS, Rank.TWO): 1.0}
    null = next(s for s in seen.table.sightings if s.kind is Kind.DIE and s.best == (Suit.SUNS, Rank.NULL))
    misread = [replace(s, identities=two) if s is null else s for s in seen.table.sightings]
    memory = replace(memory, question=Question(before.actions, answers, pose, dice))
    verdict, memory = look(before, memory, resighted(seen, misread))
    assert verdict.kind is (VerdictKind.AMBIGUOUS if lies_still else VerdictKind.ACCEPTED), verdict.text
    assert look(before, memory, resighted(seen, misread))[0].kind is verdict.kind or not lies_still


def first_tile_laid(turn: float, *actions: str) -> tuple[History, list[TableEvidence]]:
    """Decay as it begins, and how the table looks after each of these tiles. The board lies as the first one does."""
    rules = game("decay")
    onlooker = Onlooker(4, Noise(jitter=0.0, misread=0.0, flicker=0.0), zones=False)
    onlooker.board = Registration(turn, 5.0, -3.0)
    before = History.begin(rules, {"first": 0})
    seen, history = [onlooker.see(rules.layout(before.state))], before
    for action in actions:
        history = history.play(rules.read(history.state, action))
        seen.append(onlooker.see(rules.layout(history.state)))
    return before, seen


def with_certainty(seen: TableEvidence, certainty: float) -> TableEvidence:
    """The same table, its tiles hardly to be seen."""
    return resighted(
        seen, (replace(s, certainty=certainty) if s.kind is Kind.TILE else s for s in seen.table.sightings)
    )


@pytest.mark.parametrize(("certainty", "kind"), [(0.3, VerdictKind.SETTLED), (0.7, VerdictKind.AMBIGUOUS)])
def test_what_was_likely_done_is_asked_about_and_what_hardly_was_is_not(certainty: float, kind: VerdictKind) -> None:
    before, (empty, laid) = first_tile_laid(0.0, "create_tile(S4,0,0)")
    _, memory = look(before, initial_memory(before, Memory(), empty.table), empty)
    assert look(before, memory, with_certainty(laid, certainty))[0].kind is kind


@pytest.mark.parametrize("turn", [0.0, 130.0])
def test_the_second_tile_answers_where_the_first_one_lies(turn: float) -> None:
    before, (empty, laid, second) = first_tile_laid(turn, "create_tile(S4,0,0)", "create_tile(M4,16,-5)")
    _, memory = look(before, initial_memory(before, Memory(), empty.table), empty)
    question_verdict, memory = look(before, memory, with_certainty(laid, 0.7))
    assert question_verdict.kind is VerdictKind.AMBIGUOUS
    verdict, memory = look(before, memory, second)
    assert [action.id for action in verdict.actions] == ["create_tile(S4,0,0)", "create_tile(M4,16,-5)"]
    assert memory.registration is not None
    assert memory.registration.to_table(0.0, 0.0) == pytest.approx((5.0, -3.0), abs=0.3)


def test_who_answers_bears_out_where_the_board_lay_when_it_was_asked() -> None:
    before, (empty, laid, second) = first_tile_laid(130.0, "create_tile(S4,0,0)", "create_tile(M4,16,-5)")
    _, memory = look(before, initial_memory(before, Memory(), empty.table), empty)
    question_verdict, memory = look(before, memory, with_certainty(laid, 0.7))
    assert question_verdict.kind is VerdictKind.AMBIGUOUS
    answered = before.play(before.game.read(before.state, "create_tile(S4,0,0)"))
    memory = after_correction(before, answered, memory, laid)
    misread = (replace(s, angle=None) if s.best[0] is Suit.SUNS else s for s in second.table.sightings)
    verdict, _ = look(answered, memory, resighted(second, misread))
    assert [action.id for action in verdict.actions] == ["create_tile(M4,16,-5)"]


@pytest.mark.parametrize(("others", "kind"), [(0.0, VerdictKind.ACCEPTED), (0.5, VerdictKind.AMBIGUOUS)])
def test_where_it_was_likely_none_of_the_answers_ruling_one_out_proves_nothing(
    others: float, kind: VerdictKind
) -> None:
    """Three dice that can hardly be read may have shown anything; four throws of dozens were followed up, and the only
    one of them that fitted what came next was taken for the truth."""
    rules = game("zombie")
    onlooker = Onlooker(4, Noise(misread=0.0, flicker=0.0))

    before = after_actions(onlooker, History.begin(rules), "clock")
    opening = onlooker.see(rules.layout(before.state))
    _, memory = look(before, initial_memory(before, Memory(), opening.table), opening)
    other, done = (
        after_actions(onlooker, before, "open(1:0,draw)", f"draw({tile})", "roll(S1+M5+A0)") for tile in ("tA2", "tA0")
    )
    chance = (1.0 - others) / 2
    answers = tuple(Choice(one.actions[len(before.actions) :], chance) for one in (other, done))
    later = after_actions(onlooker, done, "fight", "search", "roll(A1)")
    table = onlooker.see(rules.layout(later.state))
    memory = replace(memory, question=Question(before.actions, answers))
    verdict, memory = look(before, memory, table, tuning=FEW_TABLES)
    assert verdict.kind is kind, verdict.text
    assert (memory.question is None) == (kind is VerdictKind.ACCEPTED)


def test_what_people_are_asked_about_is_no_fault_of_the_eyes() -> None:
    (before, after), _ = first_draw()
    onlooker = Onlooker(4, Noise(misread=0.0, flicker=0.0))
    suit, rank, twin = drawn_tile(before, after)
    for entry in after.entries[len(before.entries) :]:
        onlooker.throw(entry.effects)
    table = onlooker.see(before.game.layout(after.state))
    question_verdict, memory = look(before, Memory(), blurred(table, (suit, rank), (suit, twin)))
    assert question_verdict.kind is VerdictKind.AMBIGUOUS
    assert memory.detection is not None
    assert not any(one.kind is Kind.TILE for one in memory.detection.false_positives)


def test_what_is_only_turned_at_the_first_look_is_asked_about(onlooker: Onlooker) -> None:
    """Eyes that never saw the table may have its side wrong; once it was seen, a side that changed was turned."""
    tula = game("tula")
    history = History.begin(tula)
    turned = history.play(tula.read(history.state, "reveal(4:4-4)"))
    turned = turned.play(tula.read(turned.state, "show(4:4-4,tC2)"))
    seen = onlooker.see(tula.layout(turned.state))
    first = Referee(tula, history)
    assert first.look(seen).kind is VerdictKind.AMBIGUOUS
    second = Referee(tula, history)
    second.look(onlooker.see(tula.layout(history.state)))
    assert second.look(seen).kind is VerdictKind.ACCEPTED


def test_what_changed_since_a_question_tells_its_answers_apart() -> None:
    """Whether a pyramid stands or lies was not seen; then it was turned, and it stands."""
    rules, onlooker = game("dectana"), Onlooker(4, Noise(misread=0.0, flicker=0.0), picture=PictureErrors())
    history = History.begin(rules)
    history = history.play(next(iter(rules.legal(history.state))))
    before = after_actions(onlooker, history, "place_start(x2y2,U)")
    lying = after_actions(onlooker, before, "place_start(x0y0,E)")
    standing = after_actions(onlooker, lying, "reorient(1E@x0y0>U)")
    opening, laid, turned = (onlooker.see(rules.layout(each.state)) for each in (before, lying, standing))
    _, memory = look(before, initial_memory(before, Memory(), opening.table), opening)
    x, y = onlooker.board.to_table(0.0, 0.0)
    unclear = (
        replace(s, lying=0.5) if s.kind is Kind.PYRAMID and math.hypot(s.x - x, s.y - y) < 0.5 else s
        for s in laid.table.sightings
    )
    question, memory = look(before, memory, resighted(laid, unclear))
    assert question.kind is VerdictKind.AMBIGUOUS
    assert {choice.actions[-1].id for choice in question.choices} == {"place_start(x0y0,E)", "place_start(x0y0,U)"}
    verdict, _ = look(before, memory, turned)
    assert verdict.actions == standing.actions[len(before.actions) :], verdict.text
