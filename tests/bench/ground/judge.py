"""What a referee makes of recordings: each step by what was said of it, and by what was truly done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from companion_api.simulated.incidents import state_after
from companion_api.trials.alike import looks_alike
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from rules.engine import Action, EffectKind
from rules.engine.action import parse_action
from rules.engine.contract import AnyGame
from rules.engine.dice import write_dice
from rules.engine.history import Entry, History
from rules.games import game as find_game
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from tests.bench.ground.recording import Deed, RecordedStep, Recording, load
from tests.bench.ground.replay import Replayed
from tests.bench.trials.alike import quarters_alike
from vision.pipeline import Moment

LONGEST = 160
"""Of a note, in characters."""


class Result(StrEnum):
    """What came of a legal step: accepted unasked and rightly; asked where no picture can tell (`open`); asked with the
    truth among the choices; asked otherwise, or people were told to look; nothing was said; another table was taken
    for true, upon a right belief or upon an earlier wrong one (`drift`); somebody was accused."""

    RIGHT = "right"
    OPEN = "open"
    ASKED = "asked"
    LOOK = "look"
    SILENT = "silent"
    WRONG = "wrong"
    DRIFT = "drift"
    ACCUSED = "accused"


class Act(StrEnum):
    """What came of an illegal act: refused with a right clause; refused otherwise, or people told to look; let pass."""

    CLAUSE = "clause"
    FLAGGED = "flagged"
    PASSED = "passed"


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """`result` of `Result`, or of `Act` where the act was illegal; `said`: kinds and actions, equal for equal verdicts;
    `nameable`: whether it can be told which clause is right."""

    number: int
    result: str
    said: tuple[str, ...]
    nameable: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """What a report needs of one recording that was judged once. `seconds`: processor time of each look's verdict."""

    id: str
    name: str
    source: str
    game: str
    style: str
    width: int
    twin: int
    helping: bool
    held_out: bool
    steps: tuple[JudgedStep, ...] = ()
    seconds: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(told: dict[str, Any]) -> JudgedRecording:
        steps = tuple(JudgedStep(**{**step, "said": tuple(step["said"])}) for step in told["steps"])
        return JudgedRecording(**{**told, "steps": steps, "seconds": tuple(told["seconds"])})


def judged(recording: Recording, helping: bool, explain: bool = False) -> JudgedRecording:
    """One recording before a fresh referee. `helping`: people put right what was not understood, so that every step
    counts for itself. `explain`: the notes of steps that are not right say what was compared."""
    trial = _Trial(recording, helping, explain)
    trial.run()
    return JudgedRecording(
        recording.id,
        recording.name,
        recording.source.value,
        recording.game,
        recording.style,
        recording.size[0],
        recording.twin,
        helping,
        recording.is_held_out,
        tuple(trial.out),
        tuple(trial.seconds),
    )


def judged_file(path: Path, modes: Sequence[bool], explain: bool = False) -> list[JudgedRecording]:
    recording = load(path)
    return [judged(recording, helping, explain) for helping in modes]


def judge_all(
    paths: Sequence[Path], modes: Sequence[bool], cores: int, explain: bool = False
) -> Iterator[JudgedRecording]:
    """All of them, one process a core."""
    if cores <= 1:
        for path in paths:
            yield from judged_file(path, modes, explain)
        return
    with ProcessPoolExecutor(cores) as pool:
        for found in pool.map(partial(judged_file, modes=modes, explain=explain), paths, chunksize=1):
            yield from found


def as_written_today(game: AnyGame, entry: Entry) -> str:
    """Where the dice of a throw have no suits in it, what it did tells them."""
    action = entry.action
    if game.verbs[action.verb].with_joined_list(action) is action:
        return action.id
    dice = [each.piece for each in entry.effects if each.kind is EffectKind.ROLL and each.piece is not None]
    shown = write_dice((die.suit, die.rank) for die in dice if die.suit is not None and die.rank is not None)
    return Action(action.verb, (shown,), action.seat).id


@dataclass
class _Trial:
    recording: Recording
    helping: bool
    explain: bool = False
    out: list[JudgedStep] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    _at: int = -1
    """The step that has begun."""

    def run(self) -> None:
        recording = self.recording
        self._game = find_game(recording.game)
        self._true = History.begin(self._game, recording.options, recording.seats)
        self._referee = Referee(self._game, self._true)
        judge = _Clocked(self._referee, self.seconds)
        opening = self._game.layout(self._true.state)
        self._turns = quarters_alike(opening, opening, range(4))
        self._last: Verdict | None = None
        self._astray = False
        said, replayed = list[Verdict](), Replayed(recording)
        for news in TableWatcher(judge).watch(replayed):
            if isinstance(news, TimedVerdict):
                said.append(news.verdict)
            else:
                self._go_on_to(replayed.number, said)
        self._go_on_to(len(recording.steps), said)

    def _go_on_to(self, number: int, said: list[Verdict]) -> None:
        """Ends the steps before this one, the first of them with what was `said`."""
        while self._at < number:
            self._end(self._at, said)
            said.clear()
            self._at += 1
            if self._at < len(self.recording.steps):
                self._begin(self._at)

    def _begin(self, number: int) -> None:
        """What people tell their phones before the step; and before an illegal act everybody knows how things stand.
        A phone that does not take what it is told, because the game stands elsewhere, is told that first."""
        step = self.recording.steps[number]
        for each in step.told:
            action = parse_action(each)
            if self._game.refusal(self._referee.history.state, action) is not None:
                self._put_right()
            self._true = self._true.play(action)
            if self._game.refusal(self._referee.history.state, action) is None:
                self._referee.set_history(self._referee.history.play(action))
        if step.deed in (Deed.ILLEGAL, Deed.PUT_RIGHT):
            self._put_right()

    def _end(self, number: int, said: list[Verdict]) -> None:
        if number < 0:
            return
        step = self.recording.steps[number]
        for each in step.actions:
            self._true = self._true.play(parse_action(each))
        if not step.looks:
            return
        self._last = said[-1] if said else self._last
        if step.deed is Deed.ILLEGAL:
            self._tell(number, step, _act_result(said, step), said)
            self._last = None
        elif step.deed is Deed.PUT_RIGHT:
            self._last = None
        else:
            result = self._result(step, said)
            if step.deed is Deed.LEGAL or result in (Result.WRONG, Result.ACCUSED):
                self._tell(number, step, result, said)
            if self.helping and result is not Result.RIGHT:
                self._put_right()

    def _tell(self, number: int, step: RecordedStep, result: StrEnum, said: Sequence[Verdict]) -> None:
        told = tuple(f"{v.kind.value}:{'+'.join(a.id for a in v.actions) or v.action_id or ''}" for v in said)
        fine = result in (Result.RIGHT, Act.CLAUSE)
        done = " + ".join(step.actions) or step.incident or "nothing"
        words = (
            "" if fine else f"{done} -> " + ("; ".join(f"{v.kind.value} {v.text}"[:LONGEST] for v in said) or "nothing")
        )
        if words and self.explain:
            words = "\n".join([words, *self._referee.explanation.lines(self._game)])
        self.out.append(JudgedStep(number, result.value, told, bool(step.clauses), words))

    def _put_right(self) -> None:
        """Everybody knows what has been done so far."""
        self._astray = False
        if self._true.state != self._referee.history.state:
            self._referee.set_history(self._true)

    def _done(self, step: RecordedStep) -> tuple[str, ...]:
        """Its actions, also those of earlier recordings, as they are written today."""
        entries = self._true.entries[len(self._true.entries) - len(step.actions) :]
        return tuple(as_written_today(self._game, entry) for entry in entries)

    def _result(self, step: RecordedStep, said: Sequence[Verdict]) -> Result:
        standing = said or [verdict for verdict in (self._last,) if verdict is not None]
        kinds = {verdict.kind for verdict in standing}
        now, believed = self._game.layout(self._true.state), self._game.layout(self._referee.history.state)
        alike = quarters_alike(believed, now, self._turns)
        if VerdictKind.REFUSED in kinds:
            return Result.ACCUSED
        if said and VerdictKind.ACCEPTED in kinds:
            self._turns = alike or self._turns
            if not alike:
                accepted = tuple(action.id for verdict in said for action in verdict.actions)
                drifts = self._astray and accepted == self._done(step)
                self._astray = True
                return Result.DRIFT if drifts else Result.WRONG
        asked = next((v for v in reversed(standing) if v.kind is VerdictKind.AMBIGUOUS), None)
        if asked is not None:
            return self._asked(asked)
        if VerdictKind.IMPOSSIBLE in kinds:
            return Result.LOOK
        return Result.RIGHT if alike else Result.SILENT

    def _asked(self, question: Verdict) -> Result:
        now = self._game.layout(self._true.state)
        ends = [self._game.layout(end) for end in self._ends(question)]
        if not any(quarters_alike(end, now, self._turns) for end in ends):
            return Result.LOOK
        return Result.OPEN if all(looks_alike(end, now) for end in ends) else Result.ASKED

    def _ends(self, question: Verdict) -> Iterator[Any]:
        """Of a question that was followed by an acceptance the answers no longer fit."""
        for choice in question.choices:
            for start in (self._referee.history, *self._before()):
                try:
                    yield state_after(self._game, start.state, choice.actions)
                    break
                except (ValueError, KeyError, LookupError, AssertionError):
                    continue

    def _before(self) -> Iterable[History]:
        history = self._referee.history
        return [history.undo(count) for count in range(1, min(3, len(history.entries)) + 1)]


def _act_result(said: Sequence[Verdict], step: RecordedStep) -> Act:
    """Flagged is what was refused or looked at by people, and not taken for something legal."""
    kinds = {verdict.kind for verdict in said}
    cited = {verdict.refusal.clause for verdict in said if verdict.refusal is not None}
    if VerdictKind.ACCEPTED in kinds or kinds.isdisjoint((VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE)):
        return Act.PASSED
    return Act.CLAUSE if not cited.isdisjoint(step.clauses) else Act.FLAGGED


class _Clocked(RefereeJudge):
    """Notes the processor time of every verdict."""

    def __init__(self, referee: Referee, seconds: list[float]) -> None:
        super().__init__(referee)
        self._seconds = seconds

    def judge(self, moment: Moment) -> Verdict | None:
        verdict = super().judge(moment)
        self._seconds.append(round(self.judged_s, 3))
        return verdict
