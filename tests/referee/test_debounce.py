"""What people said stands until the table changes; a question that they answered is not asked again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.history import History
from rules.games import game
from rules.pieces import Kind, Suit
from rules.referee.debounce import Debounce, tables_equal
from rules.referee.memory import Memory
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.sentence import say
from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs, Sighting
from tests.bench.trials.witness import PictureErrors
from tests.referee.sightings import resighted
from tests.tiers import full

DODGEM = game("dodgem")
START = DODGEM.start()
MOVED = DODGEM.advance(START, DODGEM.read(START, "a1-b1"))


def kinds_of_looks(*states: object) -> tuple[Debounce, Onlooker, list[VerdictKind]]:
    """Patience that has seen these tables, all of them steady, and what it said."""
    onlooker = Onlooker(4, Noise(), looks=3)
    debounce = Debounce(Referee(DODGEM, History.begin(DODGEM)))
    verdicts = [debounce.look(onlooker.see(DODGEM.layout(state)), steady=True) for state in states]
    return debounce, onlooker, [verdict.kind for verdict in verdicts if verdict is not None]


def test_a_correction_is_not_reversed_by_the_next_look() -> None:
    debounce, onlooker, verdicts = kinds_of_looks(START, MOVED)
    assert verdicts == [VerdictKind.SETTLED, VerdictKind.ACCEPTED]
    debounce.referee.set_history(debounce.referee.history.undo())
    for _ in range(3):
        verdict = debounce.look(onlooker.see(DODGEM.layout(MOVED)), steady=True)
        assert verdict is not None
        assert verdict.kind is VerdictKind.SETTLED
    assert debounce.referee.history.state == START


def test_after_a_correction_the_next_move_counts_again() -> None:
    debounce, onlooker, _ = kinds_of_looks(START, MOVED)
    debounce.referee.set_history(debounce.referee.history.undo().play(DODGEM.read(START, "a2-b2")))
    state = DODGEM.advance(debounce.referee.history.state, DODGEM.read(MOVED, "f2-e2"))
    verdict = debounce.look(onlooker.see(DODGEM.layout(state)), steady=True)
    assert verdict is not None
    assert [action.id for action in verdict.actions] == ["move(f2,e2)"]


@pytest.mark.parametrize("misread", [full(False), True])
def test_what_lies_there_by_word_alone_and_was_never_seen_cannot_be_missed(misread: bool) -> None:
    """As after a deal that only people tell: five coins that the eyes do not see, or take for others, say nothing
    against the next move."""
    debounce, onlooker, _ = kinds_of_looks(START)
    history = debounce.referee.history
    for text in ("a1-b1", "f2-e2", "a2-b2", "f3-e3", "a3-b3"):
        history = history.play(DODGEM.read(history.state, text))
    debounce.referee.set_history(history)
    table = onlooker.see(DODGEM.layout(history.play(DODGEM.read(history.state, "f4-e4")).state))
    coin_squares = {(p.x, p.y) for p in DODGEM.layout(history.state).board if p.place in ("b1", "e2", "b2", "e3", "b3")}
    seen = [s for s in table.table.sightings if s.kind is not Kind.COIN or _square(onlooker, s) not in coin_squares]
    other: Beliefs = {(Suit.ARMS, None): 1.0}
    wrong = [replace(s, x=s.x + 0.2, identities=other) for s in table.table.sightings if s not in seen]
    assert len(wrong) == 5
    table = resighted(table, (*seen, *wrong) if misread else seen)
    verdict = debounce.look(table, steady=True)
    assert verdict is not None
    assert [action.id for action in verdict.actions] == ["move(f4,e4)"]


def _square(onlooker: Onlooker, seen: Sighting) -> tuple[int, int]:
    x, y = onlooker.board.to_board(seen.x, seen.y)
    return round(x), round(y)


@pytest.mark.parametrize("name", ["decay", "zombie", "four_blind_mice"])
def test_a_table_that_nobody_touched_is_unchanged_however_it_is_read(name: str) -> None:
    rules = game(name)
    onlooker = Onlooker(2, Noise(jitter=0.03, misread=0.05))
    state, rng = rules.start(), random.Random(3)
    for _ in range(8):
        state = rules.advance(state, rules.sample(state, rng))
    first, second = (onlooker.see(rules.layout(state)) for _ in range(2))
    assert tables_equal(first.table, second.table)


def test_a_moved_piece_is_a_change() -> None:
    onlooker = Onlooker(2, Noise(jitter=0.03))
    assert not tables_equal(onlooker.see(DODGEM.layout(START)).table, onlooker.see(DODGEM.layout(MOVED)).table)


def test_a_throw_that_was_seen_too_early_is_seen_again() -> None:
    decay = game("decay")
    start = decay.start()
    step = decay.apply(start, decay.sample(start, random.Random(4)))
    onlooker, debounce = Onlooker(4, Noise(), looks=3), Debounce(Referee(decay, History.begin(decay)))
    debounce.look(onlooker.see(decay.layout(start)), steady=True)
    onlooker.throw(step.effects)
    seen = onlooker.see(decay.layout(step.state))
    assert debounce.look(seen, steady=False) is None
    verdict = debounce.look(seen, steady=True)
    assert verdict is not None
    assert verdict.kind is VerdictKind.ACCEPTED
    assert debounce.referee.history.state == step.state


def at_time(seen: TableEvidence, time: float) -> TableEvidence:
    return replace(seen, table=replace(seen.table, time=time))


def test_a_table_that_never_lay_as_it_should_accuses_nobody() -> None:
    shifted = DODGEM.position({"suns": ["c1", "a2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ())
    _, onlooker, _ = kinds_of_looks()
    debounce = Debounce(Referee(DODGEM, History.begin(DODGEM)))
    tables = [at_time(onlooker.see(DODGEM.layout(shifted)), float(at)) for at in range(2)]
    verdicts = [verdict for verdict in (debounce.look(table, steady=True) for table in tables) if verdict is not None]
    assert {verdict.kind for verdict in verdicts} == {VerdictKind.IMPOSSIBLE}
    assert verdicts[0].differences


@pytest.mark.parametrize(
    ("between", "kind"), [full(((), VerdictKind.REFUSED)), (("c2", "d3", "d4", "c5", "e3"), VerdictKind.IMPOSSIBLE)]
)
def test_a_still_after_one_that_nobody_understood_accuses_nobody(between: tuple[str, ...], kind: VerdictKind) -> None:
    onlooker, debounce = Onlooker(4, Noise()), Debounce(Referee(DODGEM, History.begin(DODGEM)))
    debounce.look(onlooker.see(DODGEM.layout(START)), steady=True, alone=True)
    if between:
        odd = DODGEM.position({"suns": list(between)}, DODGEM.card.options_type(), ())
        verdict = debounce.look(onlooker.see(DODGEM.layout(odd)), steady=True, alone=True)
        assert verdict is not None
        assert verdict.kind is VerdictKind.IMPOSSIBLE
    wrong = DODGEM.position({"suns": ["b2", "a2", "a3", "a4", "a5"]}, DODGEM.card.options_type(), ())
    verdict = debounce.look(onlooker.see(DODGEM.layout(wrong)), steady=True, alone=True)
    assert verdict is not None
    assert verdict.kind is kind


def test_what_takes_back_what_was_told_needs_more_than_one_look() -> None:
    debounce, onlooker, _ = kinds_of_looks(START, MOVED)
    back = onlooker.see(DODGEM.layout(START))
    assert debounce.look(back, steady=False) is None
    verdict = debounce.look(back, steady=True)
    assert verdict is not None
    assert verdict.undone == 1


def test_a_first_look_that_sees_no_change_is_not_what_the_next_ones_compare_with() -> None:
    """It may only see badly: then the next one would find nothing either."""
    onlooker = Onlooker(4, Noise(), looks=3, picture=PictureErrors())
    debounce = Debounce(Referee(DODGEM, History.begin(DODGEM)))
    debounce.look(onlooker.see(DODGEM.layout(START)), steady=True)
    known = debounce.referee.memory.keyframe
    assert known is not None
    debounce.look(onlooker.see(DODGEM.layout(START)), steady=False)
    assert debounce.referee.memory.keyframe is known
    debounce.look(onlooker.see(DODGEM.layout(START)), steady=True)
    assert debounce.referee.memory.keyframe is not known


@pytest.mark.parametrize("wavering", [True, False])
def test_people_are_asked_even_if_no_two_looks_ask_the_same(wavering: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks that agree ask after a second; those that do not, after four."""
    debounce, onlooker, _ = kinds_of_looks(START)
    numbers = iter(range(99))

    def judged(_: TableEvidence) -> tuple[Verdict, Memory]:
        question = say("which of {count} is it?", count=next(numbers) if wavering else 2)
        return Verdict(VerdictKind.AMBIGUOUS, question), debounce.referee.memory

    monkeypatch.setattr(debounce.referee, "judged", judged)
    table = onlooker.see(DODGEM.layout(MOVED))
    looks = [(at / 2, debounce.look(at_time(table, at / 2), steady=at > 1)) for at in range(12)]
    first = next(at for at, verdict in looks if verdict is not None)
    assert first == (4.5 if wavering else 2.0)
