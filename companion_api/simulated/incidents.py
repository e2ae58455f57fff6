"""What happens at a simulated table besides plain play, on request: illegal acts, moves taken back, two moves in one
reach of the hand, and things that mean nothing (a jostle, a bump of the camera, a lamp, a cup, an arm)."""

from __future__ import annotations

import queue
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion_api.simulated.illegal_acts import KINDS, Staged
from companion_api.simulated.synthetic import Noise, Onlooker
from companion_api.trials.alike import BY_HAND, looks_alike
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.referee.referee import Referee
from rules.table.layout import Layout

ILLEGAL = "illegal"  # whichever kind the table allows
WRONG_MOVE = "wrong_move"  # whichever of those that people would call a wrong move
TAKE_BACK, QUICK = "take_back", "quick"
DISTURBANCES = ("jostle", "bump", "lamp", "cup", "arm")
INCIDENTS = (ILLEGAL, WRONG_MOVE, *KINDS, TAKE_BACK, QUICK, *DISTURBANCES)
WRONG_MOVES = ("knights_leap", "too_far", "diagonal", "one_step", "anywhere_else")
STAGED = "staged"
"""The code of the note that tells of an incident."""
LATELY = 6
"""So many states before are remembered: what leads back to one of them is a move taken back."""
_TRIES = 8


class ActKind(StrEnum):
    """What was done to the game, whatever it looked like."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    PUT_RIGHT = "put right"  # what was illegal lies as it lay before
    TAKEN_BACK = "taken back"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Meaning:
    """The truth of an act: its actions in order where it was legal; for an incident which one; and for an illegal act
    the clauses of which each may rightly be cited, where somebody asked for them and the game has words for what was
    tried."""

    deed: ActKind
    actions: tuple[str, ...] = ()
    incident: str = ""
    clauses: frozenset[str] = frozenset()


def caption(meaning: Meaning) -> dict[str, Any] | None:
    """A note for the log, so that people know what they are shown; None for play that needs no words."""
    if not meaning.incident or meaning.deed is ActKind.TAKEN_BACK:
        return None
    facts = {"incident": meaning.incident}
    if meaning.deed is ActKind.PUT_RIGHT:
        return {"code": "put_right", "text": "it is put back as it lay", "facts": facts}
    return {"code": STAGED, "text": "at the simulated table this happens now", "facts": facts}


class Requests:
    """Incidents that somebody wants to see. Asked for by any thread, taken by the one that films."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._wanted: queue.SimpleQueue[str] = queue.SimpleQueue()
        for incident in first:
            self.ask(incident)

    def ask(self, incident: str) -> None:
        if incident not in INCIDENTS:
            raise ValueError(f"nothing is staged under the name {incident!r}; there are {', '.join(INCIDENTS)}")
        self._wanted.put(incident)

    def take(self) -> str | None:
        """The next one, or None where nobody wants anything."""
        try:
            return self._wanted.get_nowait()
        except queue.Empty:
            return None


def staged_at(
    game: AnyGame, state: Any, incident: str, rng: random.Random, lately: Sequence[Any] = ()
) -> Staged | None:
    """An illegal act of that kind (or of any), if this table allows one. What leads back to the table of one of the
    states before (`lately`) is a move taken back."""
    layout = game.layout(state)
    several = {ILLEGAL: tuple(KINDS), WRONG_MOVE: WRONG_MOVES}.get(incident, (incident,))
    kinds = rng.sample(several, len(several)) if len(several) > 1 else several
    for kind in kinds:
        for _ in range(_TRIES):
            done = KINDS[kind](layout, rng)
            if done is not None and not _legal_after_all(game, state, done, lately):
                return Staged(kind, state, done)
    return None


def _legal_after_all(game: AnyGame, state: Any, layout: Layout, lately: Sequence[Any]) -> bool:
    """Whether legal actions, or none, or taking some back lead to a table that looks like this one."""
    onlooker = Onlooker(0, Noise(jitter=0.0, doubt=0.0))
    referee = Referee(game, History(game, state))
    before = onlooker.see(game.layout(state))
    referee.begin(before.table)
    referee.look(before)
    verdict = referee.look(onlooker.see(layout))
    meant = (played(game, state, choice.actions) for choice in verdict.choices)
    ends = [state, referee.history.state, *meant, *lately]
    return any(looks_alike(game.layout(end), layout, BY_HAND) for end in ends)


def played(game: AnyGame, state: Any, actions: Iterable[Action]) -> Any:
    """The state after these actions."""
    for action in actions:
        state = game.advance(state, action)
    return state
