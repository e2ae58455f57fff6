"""What the referee knows from earlier looks."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.action import Action
from rules.referee.change_evidence import Keyframe
from rules.referee.detection_rates import DetectionRates
from rules.referee.dice import DiceState
from rules.referee.off_board_change import OffBoardState
from rules.referee.register import Registration
from rules.referee.suit_confusion import SuitConfusion
from rules.referee.verdict import Choice
from rules.table.evidence import ReferencePicture
from rules.table.layout import Placed
from rules.table.observed import ObservedTable


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked and nobody has answered: what may have been done since the game stood so. The next tables are
    explained from each of the answers on."""

    actions: tuple[Action, ...]
    answers: tuple[Choice, ...]
    """The likeliest. What is left of their chances others have, which nobody follows up."""
    pose: Registration | None = None
    """Where the board lay when it was asked."""
    dice: DiceState | None = None
    """How the dice lay when it was asked, while none of them has been thrown since: the answers have read them."""

    @property
    def other_chance(self) -> float:
        """How likely it was none of these."""
        return 1.0 - sum(answer.chance for answer in self.answers)

    def leads_to(self, actions: tuple[Action, ...]) -> bool:
        """Whether these actions, since it was asked, begin with one of the answers."""
        return any(actions[: len(answer.actions)] == answer.actions for answer in self.answers)

    def is_answered_by(self, actions: tuple[Action, ...]) -> bool:
        """Whether one of the answers has been given when these are all the actions."""
        count = len(self.actions)
        return actions[:count] == self.actions and self.leads_to(actions[count:])


@dataclass(frozen=True, slots=True)
class LastAccepted:
    """What a look took for done: these are all actions since, and so many of them are what it told."""

    actions: tuple[Action, ...]
    count: int


@dataclass(frozen=True, slots=True)
class AnnouncedDeal:
    """What people said lies where after these actions, more than one play lays."""

    actions: tuple[Action, ...]
    places: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known from earlier looks: where the board lies, how the dice lay, what the eyes do not see, and how the
    table looked when it was known."""

    registration: Registration | None = None
    pose_error_mm: float | None = None
    """By how much the board may lie elsewhere than it was found when the table was last understood."""
    dice: DiceState = field(default_factory=DiceState)
    detection: DetectionRates | None = None
    """None: nothing has been looked at yet."""
    keyframe: Keyframe | None = None
    """The last moment at which the table was known, with its picture."""
    off_board: OffBoardState | None = None
    """How it lay beside the board when the table was last understood."""
    bare_picture: ReferencePicture | None = None
    """While no board lies there yet: the picture of the table when it was last understood..."""
    waiting_tiles: ObservedTable | None = None
    """... and what was seen then: a tile that lay there already is not the first one that is laid."""
    question: Question | None = None
    last_accepted: LastAccepted | None = None
    """What was taken for done last; what comes next may show that it was otherwise."""
    ever_explained: bool = False
    """Whether the table ever lay as some legal game has it. Before that nobody is said to have taken anything back."""
    unexplained: bool = False
    """Whether nothing explained the last table."""
    suits: SuitConfusion = field(default_factory=SuitConfusion)
    """What the suits of this set are taken for."""
    turned: tuple[Memory, ...] = ()
    """What else may be known: the board may as well lie turned, until something is done that tells."""
    deal: AnnouncedDeal | None = None
    """A whole deal that people told and no look has understood yet."""

    @property
    def restarted(self) -> Memory:
        """What is still known when the table has been laid out anew: where it is, and how its suits are read."""
        return Memory(self.registration, self.pose_error_mm, self.dice, suits=self.suits)
