"""What was accepted and a later table refutes: another reading of the throw explains everything since."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from companion_api.simulated.incidents import with_piece
from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import Action, parse_action
from rules.engine.history import History
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Kind, Rank, Suit
from rules.referee.memory import AcceptedVerdict, Memory
from rules.referee.step import FrameUpdate, history_after, initial_memory, look
from rules.referee.tuning import TUNING
from rules.referee.verdict import Choice, Verdict, VerdictKind
from rules.sentence import say
from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs
from tests.referee.sightings import resighted

SAN_ANDREAS = game("san_andreas")
THROW, TAKEN = parse_action("roll(S0+M5+C0+A5)"), parse_action("roll(S0+M5+C0+A1)")
MOONS, ARMS = parse_action("resolve(moons)"), parse_action("resolve(arms)")


@pytest.fixture(scope="module")
def before_the_quake() -> History:
    """A game whose first quake is about to be thrown."""
    history = History.begin(SAN_ANDREAS)
    for _, action in walk(SAN_ANDREAS, 0):
        if action.verb == "roll":
            return history
        history = history.play(action)
    raise AssertionError("nobody throws")


class Table:
    """A table at which the arms die shows a 5, and a referee that took it for an ace."""

    def __init__(self, history: History, rivals: tuple[Choice, ...]) -> None:
        self.onlooker, self.state = Onlooker(3, Noise(jitter=0.02, doubt=0.005)), history.state
        opening = self.see()
        memory = initial_memory(history, Memory(), opening.table)
        _, self.memory = look(history, memory, opening)
        entry = AcceptedVerdict((*history.actions, TAKEN), 1, rivals, self.memory.dice)
        self.history = history.play(TAKEN)
        self.memory = replace(self.memory, accepted=(entry,))
        thrown = self.see(THROW)
        self.memory = replace(self.memory, dice=initial_memory(self.history, self.memory, thrown.table).dice)

    def see(self, *actions: Action) -> TableEvidence:
        for action in actions:
            step = SAN_ANDREAS.apply(self.state, action)
            self.onlooker.throw(step.effects)
            self.state = step.state
        return self.onlooker.see(SAN_ANDREAS.layout(self.state))

    def look(self, *actions: Action) -> Verdict:
        verdict, self.memory = look(self.history, self.memory, self.see(*actions))
        self.history = history_after(self.history, verdict)
        return verdict


def rivals(*throws: Action) -> tuple[Choice, ...]:
    return tuple(Choice((throw,), 0.05) for throw in throws)


@pytest.mark.full
def test_a_throw_that_was_misread_is_read_anew_when_a_later_table_refutes_it(before_the_quake: History) -> None:
    table = Table(before_the_quake, rivals(THROW, parse_action("roll(S0+M5+C0+A3)")))
    assert table.look(ARMS).undone == 1
    assert table.look().actions == (THROW, ARMS)
    assert table.history.state == table.state


@pytest.mark.full
def test_also_after_something_else_that_was_accepted_since(before_the_quake: History) -> None:
    table = Table(before_the_quake, rivals(THROW))
    assert table.look(MOONS).actions == (MOONS,)
    assert table.look(ARMS).undone == 2
    assert table.look().actions == (THROW, MOONS, ARMS)


@pytest.mark.full
def test_what_nothing_else_explained_is_not_doubted(before_the_quake: History) -> None:
    table = Table(before_the_quake, ())
    assert not table.look(ARMS).undone
    assert table.history.actions[-1] == TAKEN


@pytest.mark.full
def test_a_way_that_does_not_explain_the_table_is_not_taken(before_the_quake: History) -> None:
    table = Table(before_the_quake, rivals(parse_action("roll(S0+M5+C0+A3)")))
    assert not table.look(ARMS).undone


def test_what_people_were_not_asked_about_is_followed_while_they_do_not_answer(before_the_quake: History) -> None:
    """Two throws are within the margin, and a third one that was not is what the next table shows."""
    choices = tuple(Choice((parse_action(f"roll(S0+M5+C0+A{rank})"),), chance) for rank, chance in ((1, 0.9), (3, 0.1)))
    asked = Verdict(VerdictKind.AMBIGUOUS, say("which?"), choices=choices, rivals=rivals(THROW))
    update = FrameUpdate(before_the_quake, Memory(), None, TUNING)
    followed = {choice.actions: choice.chance for choice in update._answers(asked)}
    assert followed[THROW,] == pytest.approx(0.045 / 1.045)
    assert sum(followed.values()) == pytest.approx(1.0)


def test_a_throw_that_is_hard_to_read_besides_refutes_what_was_accepted_as_well(before_the_quake: History) -> None:
    """Two throws explain the table, one of them by more than the margin; both say that what was accepted is wrong."""
    other = parse_action("roll(S3+M5+C0+A5)")
    table = Table(before_the_quake, rivals(THROW, other))
    doubt: Beliefs = {(Suit.SUNS, Rank.NULL): 0.945, (Suit.SUNS, Rank.THREE): 0.055}
    seen = table.see(ARMS)
    suns = next(s for s in seen.table.sightings if s.kind is Kind.DIE and s.best[0] is Suit.SUNS)
    read = [replace(s, identities=doubt) if s is suns else s for s in seen.table.sightings]
    verdict, table.memory = look(table.history, table.memory, resighted(seen, read))
    assert verdict.undone == 1


def test_what_may_have_been_meant_after_another_way_is_no_excuse() -> None:
    """The pawn that was put down first is carried off. Had the last one gone elsewhere that would be illegal too; what
    its player may have meant then, people are only offered."""
    history = History.begin(SAN_ANDREAS)
    for _, action in islice(walk(SAN_ANDREAS, 3), 3):
        history = history.play(action)
    onlooker, last = Onlooker(3, Noise(jitter=0.02, doubt=0.0)), history.actions[-1]
    layout, before = SAN_ANDREAS.layout(history.state), history.undo(1)
    others = [action for action in SAN_ANDREAS.legal(before.state) if action != last]
    seen = onlooker.see(layout)
    _, memory = look(history, initial_memory(history, Memory(), seen.table), seen)
    memory = replace(memory, accepted=(AcceptedVerdict(history.actions, 1, rivals(others[-1]), memory.dice),))
    pawn = next(p for p in layout.board if p.piece.kind is Kind.PAWN and p.place != last.args[-1])
    place = next(p for p in layout.places if p.name == "x2y15")
    carried = with_piece(layout, pawn, replace(pawn, x=place.x, y=place.y, place=place.name))
    verdict, _ = look(history, memory, onlooker.see(carried))
    assert verdict.kind is VerdictKind.REFUSED
