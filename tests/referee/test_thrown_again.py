"""Dice that are thrown one after another: one that lies as it lay was hardly thrown again."""

from __future__ import annotations

from companion_api.simulated.synthetic import Noise, Onlooker
from rules.engine.action import Action, parse_action
from rules.engine.history import History
from rules.games import game
from rules.referee.memory import Memory
from rules.referee.step import history_after, initial_memory, look
from rules.referee.verdict import Verdict, VerdictKind

DECAY = game("decay")


class Rolling:
    """Four people roll for who begins, and the referee has followed what they rolled before."""

    def __init__(self, *rolled: str) -> None:
        self.onlooker = Onlooker(5, Noise(jitter=0.0, doubt=0.005))
        self.history = self.true = History.begin(DECAY)
        self.memory = initial_memory(self.history, Memory(), self.onlooker.see(DECAY.layout(self.true.state)).table)
        for action in rolled:
            assert self.look(action).actions == (parse_action(action),)

    def look(self, *rolled: str) -> Verdict:
        for each in map(parse_action, rolled):
            step = DECAY.apply(self.true.state, each)
            self.onlooker.throw(step.effects)
            self.true = self.true.play(each)
        verdict, self.memory = look(self.history, self.memory, self.onlooker.see(DECAY.layout(self.true.state)))
        self.history = history_after(self.history, verdict)
        return verdict


def actions(*written: str) -> tuple[Action, ...]:
    return tuple(map(parse_action, written))


NULLS = ("roll(M,0)", "roll(A,0)", "roll(S,0)")
UNSEEN = "roll(C,0)"


def test_dice_that_lie_as_they_lay_were_not_thrown_again() -> None:
    """After a draw all roll again. The fourth null fell as its die lay, two more dice still show the nulls of before,
    and only the one that shows a five was thrown in the second round."""
    table = Rolling(*NULLS)
    table.true = table.true.play(parse_action(UNSEEN))
    (choice,) = table.look("roll(A,5)").choices
    assert choice.actions == actions(UNSEEN, "roll(A,5)")


def test_what_was_unlikely_when_it_was_asked_about_stays_so() -> None:
    """A throw that fell as the die lay before is asked about together with the next one. Nobody answers: that others
    were thrown as little seen is no likelier than it was, and what was assumed costs nothing again."""
    table = Rolling(*NULLS)
    table.true = table.true.play(parse_action(UNSEEN))
    assert table.look("roll(A,5)").kind is VerdictKind.AMBIGUOUS
    assert table.look("roll(C,2)").actions == actions(UNSEEN, "roll(A,5)", "roll(C,2)")
