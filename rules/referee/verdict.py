"""The referee's verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect
from rules.engine.refusal import Refusal
from rules.sentence import Joint, Mention, SeatNames, Sentence, Several, Statement, by_number, say, several
from rules.table.layout import Placed


class VerdictKind(StrEnum):
    SETTLED = "settled"  # nothing has changed
    ACCEPTED = "accepted"  # a legal action was done
    AMBIGUOUS = "ambiguous"  # several legal actions may have been done: people decide
    REFUSED = "refused"  # against the rules
    IMPOSSIBLE = "impossible"  # no legal action leads to this table


@dataclass(frozen=True, slots=True)
class Choice:
    """Actions that may have been done, and their probability among the choices."""

    actions: tuple[Action, ...]
    chance: float
    prior_nats: float = 0.0
    """Prior cost of its actions above that of the likeliest."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A misplaced piece of the board: expected and observed; None where it should not be, or is not, on the board."""

    expected: Placed | None
    observed: Placed | None

    def to_json(self) -> dict[str, object]:
        """As everybody may read it: hidden sides stay hidden."""
        both = {"should": self.expected, "lies": self.observed}
        return {name: replace(p, piece=p.shown, key=name).to_json() if p else None for name, p in both.items()}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`actions` were accepted, in order. `undone`: number of actions taken back on the table. `margin`: lead, in
    nats, over the next best explanation. `differences` are sentences, `wrong` the pieces they are about, `back` the
    steps that restore the table. `only_missing`: nothing lies wrong, something is not seen."""

    kind: VerdictKind
    sentence: Statement
    actions: tuple[Action, ...] = ()
    effects: tuple[Effect, ...] = ()
    choices: tuple[Choice, ...] = ()
    refusal: Refusal | None = None
    attempt: Action | None = None
    undone: int = 0
    margin: float = 0.0
    differences: tuple[Sentence, ...] = ()
    back: tuple[Sentence, ...] = ()
    only_missing: bool = False
    wrong: tuple[Wrong, ...] = ()
    rivals: tuple[Choice, ...] = ()
    """Of accepted actions and of questions: what else explains the table, less likely."""
    residual_nats: float = 0.0
    """What the best explanation leaves unexplained."""
    null_nats: float = 0.0
    """Of a question: how much less likely it is that nothing was done."""

    @property
    def text(self) -> str:
        return self.sentence.english(by_number)

    @property
    def action_id(self) -> str | None:
        if self.undone:
            return f"undo({self.undone})"
        return self.actions[-1].id if self.actions else None

    @property
    def news(self) -> tuple[object, ...]:
        """A key by which equal verdicts are not told again; a question differs by the actions of its answers."""
        choices = self.choices if self.kind is VerdictKind.AMBIGUOUS else ()
        return (self.kind, self.action_id, self.text, frozenset(tuple(a.verb for a in one.actions) for one in choices))

    def to_json(self, game: AnyGame, naming: SeatNames = by_number) -> dict[str, object]:
        return {
            "verdict": self.kind.value,
            "action": self.action_id,
            "actions": [action.id for action in self.actions],
            "choices": [_choice_json(choice, game, naming) for choice in self.choices],
            "refusal": self.refusal.to_json(naming) if self.refusal else None,
            "attempt": self.attempt.id if self.attempt else None,
            "effects": [effect.to_json(naming) for effect in self.effects],
            "undone": self.undone,
            "text": self.sentence.english(naming),
            "said": self.sentence.to_json(),
            "differences": [one.english(naming) for one in self.differences],
            "back": [one.english(naming) for one in self.back],
            "said_differences": [one.to_json() for one in self.differences],
            "said_back": [one.to_json() for one in self.back],
            "wrong": [wrong.to_json() for wrong in self.wrong],
            "margin": round(self.margin, 3),
        }


def actions_sentence(game: AnyGame, actions: Iterable[Action]) -> Several:
    return several((mention(game, action) for action in actions), Joint.THEN)


def question_sentence(choices: Iterable[Mention]) -> Sentence:
    """The question which of these it was, of which three are named."""
    return say("please say which it was: {choices}", choices=several(islice(choices, 3), Joint.OR))


def distinguishing_mentions(game: AnyGame, choices: Sequence[Choice]) -> list[Mention]:
    """Per choice what tells it from the others, in different words where possible."""
    mentions: list[Mention] = []
    for choice in choices:
        words = [mention(game, action) for action in _own_actions(choice, choices)]
        mentions.append(next((one for one in words if one not in mentions), words[0]))
    return mentions


def _own_actions(choice: Choice, choices: Sequence[Choice]) -> list[Action]:
    """The actions that not all choices share: the last one first, if it is nobody else's."""
    last = choice.actions[-1]
    own = [action for action in choice.actions if any(action not in other.actions for other in choices)]
    if not own or all(other.actions[-1] != last for other in choices if other is not choice):
        return [last, *own]
    return own


def mention(game: AnyGame, action: Action) -> Mention:
    return Mention(action.id, game.describe(action))


def _choice_json(choice: Choice, game: AnyGame, naming: SeatNames) -> dict[str, object]:
    return {
        "action": choice.actions[-1].id,
        "actions": [action.id for action in choice.actions],
        "text": actions_sentence(game, choice.actions).english(naming),
        "p": round(choice.chance, 4),
    }
