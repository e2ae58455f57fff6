"""What the referee keeps from one look to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.action import Action
from rules.referee.change_evidence import Keyframe
from rules.referee.detection_rates import DetectionRates, SuitConfusion
from rules.referee.dice import DiceState
from rules.referee.off_board_change import OffBoardState
from rules.referee.register import Registration
from rules.referee.verdict import Choice
from rules.table.evidence import ReferencePicture
from rules.table.layout import Placed
from rules.table.observed import ObservedTable


@dataclass(frozen=True, slots=True)
class Question:
    """An unanswered question: the actions when it was asked, and the answers. The next tables are explained from each
    answer on."""

    actions: tuple[Action, ...]
    answers: tuple[Choice, ...]
    """The likeliest answers; the rest of the probability belongs to others, which are not followed."""
    pose: Registration | None = None
    """The board's pose when it was asked."""
    dice: DiceState | None = None
    """The dice when it was asked, until one of them is thrown: the answers have read them."""
    reference: ReferencePicture | None = None
    """The picture of the table when it was asked."""
    null_nats: float = 0.0
    """How much less likely it was that nothing had been done."""

    @property
    def other_chance(self) -> float:
        """The probability that none of the answers is right."""
        return 1.0 - sum(answer.chance for answer in self.answers)

    def leads_to(self, actions: tuple[Action, ...]) -> bool:
        """Whether these actions, counted from the question, begin with one of the answers."""
        return any(actions[: len(answer.actions)] == answer.actions for answer in self.answers)

    def is_answered_by(self, actions: tuple[Action, ...]) -> bool:
        """Whether the history `actions` contains one of the answers."""
        count = len(self.actions)
        return actions[:count] == self.actions and self.leads_to(actions[count:])


@dataclass(frozen=True, slots=True)
class AcceptedVerdict:
    """An accepted verdict that later tables may refute: all actions after it, how many of them it added, what else the
    table was explained by, and the dice before it."""

    actions: tuple[Action, ...]
    count: int
    rivals: tuple[Choice, ...]
    dice: DiceState


@dataclass(frozen=True, slots=True)
class AnnouncedDeal:
    """The pieces that people said were laid after these actions: more than one move lays."""

    actions: tuple[Action, ...]
    places: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """State carried between looks: the board's pose, dice, detection rates, keyframe, open question."""

    registration: Registration | None = None
    pose_error_mm: float | None = None
    """Standard error of the board's pose at the last explained look."""
    dice: DiceState = field(default_factory=DiceState)
    detection: DetectionRates | None = None
    """None before the first look."""
    keyframe: Keyframe | None = None
    """The last moment at which the layout was known, with its picture."""
    off_board: OffBoardState | None = None
    """Pieces beside the board at the last explained look: as the layout had them and as they were detected."""
    bare_picture: ReferencePicture | None = None
    """While no board lies: the picture of the table at the last explained look..."""
    first_picture: ReferencePicture | None = None
    """... and at the first look: where nothing has changed since, no first tile was laid..."""
    waiting_tiles: ObservedTable | None = None
    """... and its detections: a tile that lay there already is not the first one laid."""
    question: Question | None = None
    accepted: tuple[AcceptedVerdict, ...] = ()
    """The last accepted verdicts, the latest first; the next table may show that they were wrong."""
    ever_explained: bool = False
    """Whether any table was explained yet. Before that nothing is judged to have been taken back."""
    unexplained: bool = False
    """Whether the last table was left unexplained."""
    suits: SuitConfusion = field(default_factory=SuitConfusion)
    """How the suits of this set are misread."""
    turned: tuple[Memory, ...] = ()
    """The memories of a board that may as well lie turned, until an action decides."""
    deal: AnnouncedDeal | None = None
    """A whole deal that people announced and no look has explained yet."""

    @property
    def restarted(self) -> Memory:
        """What stays valid when the table is laid out anew: the pose, the dice and the suit confusion."""
        return Memory(self.registration, self.pose_error_mm, self.dice, suits=self.suits)
