"""Short games in stills, measured: every moment of a random game is drawn as a camera would see it, without hands, in a
set, a light and from a side of its own, and the referee follows the pictures with the real eyes.

Nobody answers questions or puts anything right unless people are `helping`; then every moment is judged by itself.
Illegal acts may be shown too, one of each kind, at the last table before somebody's turn; each is put right again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from companion_api.simulated.incidents import LATELY, Meaning, WhatWasDone, played, staged_at
from companion_api.simulated.rolled_dice import RolledDice
from companion_api.simulated.staging import KINDS
from companion_api.simulated.true_eyes import Errors, TrueEyes
from companion_api.watching.table_watcher import RefereeJudge, TableWatcher, TimedVerdict
from models.render.camera import Viewpoint
from models.render.simulated import Act, Filming, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.history import History
from rules.engine.playout import walk
from rules.engine.turn import TurnKind
from rules.referee.referee import Referee
from rules.referee.verdict import Verdict, VerdictKind
from rules.table.change import change_between
from rules.table.layout import Layout, bounds
from tests.bench.trials.alike import quarters_alike
from tests.bench.trials.hand_laid import HandLaid
from tests.bench.trials.illegal import clauses_for
from tests.bench.trials.without import ALL_SENSES, Senses
from vision.eyes import Look
from vision.frame import Frame
from vision.pipeline import Looking, Pipeline

MOST_TILT = 45.0
MOST_TURN = 20.0
OUTCOMES = 8
"""So many outcomes of chance are compared."""
SKIPPED = (0, 4, 12)
"""A sequence begins after one of so many moments of its game."""
ROLLS = 0.3
"""So far (in spaces) a thrown die comes to rest from where it lay: not on a board that has no room for it."""
EXACT = Errors(misread=0.0, miss=0.0, doubt=0.001)
ACTS = ("illegal", "flagged", "nameable", "right_clause")
_FLAGS = (VerdictKind.REFUSED, VerdictKind.IMPOSSIBLE)
RESULTS = ("right", "asked", "look", "silent", "wrong", "refused")


@dataclass(frozen=True, slots=True)
class Still:
    """A table to be shown, what was done since the one before, and what came of it; `meant`: where it was no play."""

    layout: Layout
    actions: tuple[Action, ...]
    state: Any
    meant: Meaning | None = None


@dataclass
class Stills:
    """What came of one sequence: `right` unasked; `asked`, the truth among the choices; `look`: please look, or a
    question without the truth; `silent`; `wrong`: another table was taken for true; `refused`: falsely accused. Of
    `illegal` acts those `flagged` were not let pass; where it can be told which clause is right, `nameable` counts them
    and `right_clause` those that were refused with it."""

    game: str
    moments: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    acts: Counter[str] = field(default_factory=Counter)

    @property
    def whole(self) -> bool:
        return set(self.moments) <= {"right"}

    def to_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "moments": sum(self.moments.values()),
            **{name: self.moments[name] for name in RESULTS},
            "whole": self.whole,
            **{name: self.acts[name] for name in ACTS},
            "notes": self.notes,
        }

    @staticmethod
    def from_json(told: Mapping[str, Any]) -> Stills:
        counted = Counter({name: told[name] for name in RESULTS if told[name]})
        acts = Counter({name: told[name] for name in ACTS if told[name]})
        return Stills(told["game"], counted, list(told["notes"]), acts)


def followed_stills(
    game: AnyGame,
    seed: int,
    moments: int,
    style: str,
    eyes: Looking | None,
    senses: Sequence[Senses] = (ALL_SENSES,),
    helping: bool = False,
    illegal: int = 0,
) -> list[Stills]:
    """Draw one sequence and follow it, once with each of the senses: the same pictures, looked at once. No `eyes`: the
    referee is told what lies there, so whatever fails is its own fault. `helping`: people put right what was not
    understood. `illegal`: so many acts are shown, each of another kind."""
    begin, first, stills = sequence(game, seed, moments)
    stills = with_acts(game, begin, stills, illegal, random.Random(seed))
    film, truths = [], {}
    needed = bounds(placed for table in (first, *(still.layout for still in stills)) for placed in table)
    for shot in SimulatedTable(acts(first, stills), replace(filming(style, seed), ground=needed)).shots():
        film.append(Frame(shot.image, source="film", at=shot.at))
        truths[shot.at] = {} if eyes else shot.truth()
    seen = _Once(eyes or TrueEyes(lambda shown: truths[shown.at], seed, EXACT))
    return [
        StillsTrial(begin, stills, each, helping).of(Pipeline(FrameCamera(film), each.seeing(seen))) for each in senses
    ]


class FrameCamera:
    """Stills that were drawn before."""

    name, live, stills = "film", False, True

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._left = list(frames)

    @property
    def ended(self) -> bool:
        return not self._left

    def read(self) -> Frame | None:
        return self._left.pop(0) if self._left else None

    def close(self) -> None:
        self._left.clear()


class _Once:
    """Eyes that look at each frame of a film once, and at each part of it from nearer, however often it is shown."""

    def __init__(self, eyes: Looking) -> None:
        self._eyes = eyes
        self._looks: dict[float, Look] = {}

    def look(self, frame: Frame) -> Look:
        if frame.at not in self._looks:
            look = self._eyes.look(frame)
            self._looks[frame.at] = replace(look, closer=cache(look.closer) if look.closer is not None else None)
        return self._looks[frame.at]


def sequence(game: AnyGame, seed: int, moments: int) -> tuple[History, Layout, list[Still]]:
    """The game after what only people can tell (a deal), how its table lies then, and stills from somewhere in it. It
    ends where people would have to tell something again. Of throws one after the other each is shown: the dice lie."""
    skipped = random.Random(seed).choice(SKIPPED)
    hands = HandLaid(RolledDice(random.Random(seed), ROLLS))
    history, stills, since = History.begin(game), list[Still](), list[Action]()
    first = hands.laid(game.layout(history.state))
    for state, action in walk(game, seed):
        if len(stills) == moments:
            break
        if _is_told(game, state):
            if stills or since:
                break
            history = history.play(action)
            hands.anew()
            first = hands.laid(game.layout(history.state))
            continue
        step = game.apply(state, action)
        hands.throw_all(step.effects)
        since.append(action)
        last = stills[-1].state if stills else history.state
        thrown = _rolls(step.effects)
        is_seen = thrown or not change_between(game.layout(last), game.layout(step.state)).is_nothing
        if is_seen and (thrown or not _goes_on(game, step.state)):
            if skipped > 0:
                hands.anew()  # the table that is shown first is laid out tidily
            table = hands.laid(game.layout(step.state))
            if skipped > 0:
                skipped, history, first = skipped - 1, _after(history, since), table
            else:
                stills.append(Still(table, tuple(since), step.state))
            since = []
    return history, first, stills


def with_acts(game: AnyGame, begin: History, stills: Sequence[Still], most: int, rng: random.Random) -> list[Still]:
    """After the last of these tables at which somebody is to act, so many illegal acts, each put right again."""
    turns = [number for number, still in enumerate(stills) if game.turn(still.state).kind is TurnKind.SEAT]
    if not turns or not most:
        return list(stills)
    now = stills[turns[-1]]
    history = _after(begin, (action for still in stills[: turns[-1] + 1] for action in still.actions))
    lately = [history.undo(count).state for count in range(1, min(LATELY, len(history.entries)) + 1)]
    staged = (staged_at(game, now.state, kind, rng, lately) for kind in rng.sample(list(KINDS), len(KINDS)))
    shown = list(stills[: turns[-1] + 1])
    for act in islice((one for one in staged if one is not None), most):
        clauses = clauses_for(game, now.state, act.layout)
        table = _laid_as(now.layout, game.layout(now.state), act.layout)
        shown.append(Still(table, (), now.state, Meaning(WhatWasDone.ILLEGAL, (), act.kind, clauses)))
        shown.append(replace(now, actions=(), meant=Meaning(WhatWasDone.PUT_RIGHT, (), act.kind)))
    return [*shown, *stills[turns[-1] + 1 :]]


def _laid_as(table: Layout, tidy: Layout, done: Layout) -> Layout:
    """What an act did not touch lies where it lay on the table."""
    lies, untouched = {placed.key: placed for placed in table}, set(tidy.pieces)
    return replace(done, pieces=tuple(lies[placed.key] if placed in untouched else placed for placed in done))


def _after(history: History, actions: Iterable[Action]) -> History:
    for action in actions:
        history = history.play(action)
    return history


def _is_told(game: AnyGame, state: Any) -> bool:
    """Whether only people can tell what comes next: a deal, or who begins, which leaves no trace on the table."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.CHANCE or not game.exhaustive(state):
        return turn.kind in (TurnKind.ALL, TurnKind.CHANCE)
    layout = game.layout(state)
    ends = (game.apply(state, action) for action in islice(game.legal(state), OUTCOMES))
    return all(game.layout(end.state) == layout and not _rolls(end.effects) for end in ends)


def _rolls(effects: Iterable[Effect]) -> bool:
    return any(effect.kind is EffectKind.ROLL for effect in effects)


def _goes_on(game: AnyGame, state: Any) -> bool:
    """Whether dice or coins will show something before anybody looks."""
    return game.turn(state).kind is TurnKind.CHANCE and not _is_told(game, state)


def filming(style: str, seed: int) -> Filming:
    return Filming(style, seed, fps=1.0, view=view_of(seed), pause=0.0)


def view_of(seed: int) -> Viewpoint:
    """Where the camera stands."""
    rng = np.random.default_rng([seed, 41])
    return Viewpoint(
        tilt_deg=float(rng.uniform(0, MOST_TILT)),
        fov_deg=float(rng.uniform(50, 78)),
        turn_deg=float(rng.uniform(-MOST_TURN, MOST_TURN)),
    )


def acts(first: Layout, stills: Iterable[Still]) -> Iterator[Act]:
    yield Act(first, kind="wait")
    for still in stills:
        yield Act(still.layout, kind="cut")


class StillsTrial:
    """Follows the pictures of one sequence and compares what is said with what was done."""

    def __init__(self, begin: History, stills: Sequence[Still], senses: Senses, helping: bool) -> None:
        self._game, self._begin, self._stills, self._helping = begin.game, begin, stills, helping
        self._referee = Referee(begin.game, begin)
        self._watcher = TableWatcher(RefereeJudge(self._referee), lambda seen, _: senses.told(seen))
        self._turns = quarters_alike(begin.game.layout(begin.state), begin.game.layout(begin.state), range(4))
        self._last: Verdict | None = None
        self.out = Stills(begin.game.card.id)

    def of(self, pipeline: Pipeline) -> Stills:
        """The first picture shows the opening; each after it is a moment."""
        said: list[TimedVerdict] = []
        number = -1
        for news in self._watcher.watch(pipeline):
            if isinstance(news, TimedVerdict):
                said.append(news)
                continue
            self._judge(number, [one.verdict for one in said])
            said, number = [], number + 1
        self._judge(number, [one.verdict for one in said])
        return self.out

    def _judge(self, number: int, said: list[Verdict]) -> None:
        self._last = said[-1] if said else self._last
        if number < 0:
            return
        still = self._stills[number - 1] if number else None
        if still is not None and still.meant is not None:
            self._judge_act(still.meant, said)
            self._put_right(number)
            return
        result = self._result(still.state if still else self._begin.state, said)
        if still is not None or result in ("wrong", "refused"):
            self.out.moments[result] += 1
        if result != "right":
            done = " + ".join(action.id for action in still.actions) if still else "opening"
            self.out.notes.append(f"{number} {done}: {result}: {_words(said)}")
        if (self._helping and result != "right" and still is not None) or self._is_before_an_act(number):
            self._put_right(number)

    def _judge_act(self, meant: Meaning, said: Sequence[Verdict]) -> None:
        """Flagged is what was refused or looked at by people, and not taken for something legal."""
        self._last = None
        if meant.deed is not WhatWasDone.ILLEGAL:
            return
        kinds = {verdict.kind for verdict in said}
        cited = {verdict.refusal.clause for verdict in said if verdict.refusal is not None}
        flagged = VerdictKind.ACCEPTED not in kinds and not kinds.isdisjoint(_FLAGS)
        named = not cited.isdisjoint(meant.clauses)
        for name, counts in zip(ACTS, (True, flagged, bool(meant.clauses), named), strict=True):
            self.out.acts[name] += counts
        if not flagged or (meant.clauses and not named):
            wanted = "/".join(sorted(meant.clauses)) or "any"
            self.out.notes.append(f"{meant.incident} ({wanted}): {_words(said)}")

    def _is_before_an_act(self, number: int) -> bool:
        return number < len(self._stills) and self._stills[number].meant is not None

    def _put_right(self, number: int) -> None:
        """Everybody knows what has been done so far."""
        done = _after(self._begin, [action for one in self._stills[:number] for action in one.actions])
        if done.state != self._referee.history.state:
            self._referee.goes_on(done)

    def _result(self, true: Any, said: Sequence[Verdict]) -> str:
        kinds = [verdict.kind for verdict in said]
        now, believed = self._game.layout(true), self._game.layout(self._referee.history.state)
        turns = quarters_alike(believed, now, self._turns)
        last = said[-1] if said else self._last
        if VerdictKind.REFUSED in kinds or (not said and last is not None and last.kind is VerdictKind.REFUSED):
            return "refused"
        if VerdictKind.ACCEPTED in kinds:
            self._turns = turns or self._turns
            return "right" if turns else "wrong"
        if last is not None and last.kind is VerdictKind.AMBIGUOUS:
            ends = [played(self._game, self._referee.history.state, choice.actions) for choice in last.choices]
            return "asked" if any(quarters_alike(self._game.layout(end), now, self._turns) for end in ends) else "look"
        if last is not None and last.kind is VerdictKind.IMPOSSIBLE:
            return "look"
        return "right" if turns else "silent"


def _words(said: Sequence[Verdict]) -> str:
    return "; ".join(f"{v.kind.value} {v.action_id or ''} {v.text[:120]}" for v in said) or "nothing"


def summary(found: Sequence[Stills]) -> dict[str, object]:
    """All sequences together."""
    total, acts = Counter[str](), Counter[str]()
    for one in found:
        total.update(one.moments)
        acts.update(one.acts)
    whole = sum(one.whole for one in found)
    return {
        "moments": sum(total.values()),
        **{name: total[name] for name in RESULTS},
        "sequences": len(found),
        "whole": whole,
        **{name: acts[name] for name in ACTS},
        "share_right": round(total["right"] / max(1, sum(total.values())), 4),
    }
