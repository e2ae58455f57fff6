"""Incidents at a simulated table on request: illegal acts, take-backs, two moves at once, and meaningless disturbances
(jostle, camera bump, lamp, cup, arm)."""

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
"""Code of the note about an incident."""
MAX_RECENT = 6
"""Earlier states remembered: an act leading back to one of them is a take-back."""
_TRIES = 8


class ActKind(StrEnum):
    """What an act means for the game, whatever it looks like."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    PUT_RIGHT = "put right"  # an illegal act was undone
    TAKEN_BACK = "taken back"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Meaning:
    """Ground truth of an act: the actions of a legal one, the kind of an incident, and for an illegal act the citable
    clauses, where requested and where the game has words for it."""

    deed: ActKind
    actions: tuple[str, ...] = ()
    incident: str = ""
    clauses: frozenset[str] = frozenset()


def caption(meaning: Meaning) -> dict[str, Any] | None:
    """A log note that tells people what is staged; None for plain play."""
    if not meaning.incident or meaning.deed is ActKind.TAKEN_BACK:
        return None
    facts = {"incident": meaning.incident}
    if meaning.deed is ActKind.PUT_RIGHT:
        return {"code": "put_right", "text": "it is put back as it lay", "facts": facts}
    return {"code": STAGED, "text": "at the simulated table this happens now", "facts": facts}


class Requests:
    """Queue of requested incidents, filled from any thread and read by the filming one."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._wanted: queue.SimpleQueue[str] = queue.SimpleQueue()
        for incident in first:
            self.ask(incident)

    def ask(self, incident: str) -> None:
        if incident not in INCIDENTS:
            raise ValueError(f"nothing is staged under the name {incident!r}; there are {', '.join(INCIDENTS)}")
        self._wanted.put(incident)

    def take(self) -> str | None:
        """The next request, or None."""
        try:
            return self._wanted.get_nowait()
        except queue.Empty:
            return None


def staged_at(
    game: AnyGame, state: Any, incident: str, rng: random.Random, recent: Sequence[Any] = ()
) -> Staged | None:
    """An illegal act of that kind (or any), if this table allows one; `recent`: states whose layout would make it a
    take-back."""
    layout = game.layout(state)
    candidates = {ILLEGAL: tuple(KINDS), WRONG_MOVE: WRONG_MOVES}.get(incident, (incident,))
    kinds = rng.sample(candidates, len(candidates)) if len(candidates) > 1 else candidates
    for kind in kinds:
        for _ in range(_TRIES):
            done = KINDS[kind](layout, rng)
            if done is not None and not _is_legal(game, state, done, recent):
                return Staged(kind, state, done)
    return None


def _is_legal(game: AnyGame, state: Any, layout: Layout, recent: Sequence[Any]) -> bool:
    """Whether legal actions, none, or a take-back explain this layout."""
    onlooker = Onlooker(0, Noise(jitter=0.0, doubt=0.0))
    referee = Referee(game, History(game, state))
    before = onlooker.see(game.layout(state))
    referee.begin(before.table)
    referee.look(before)
    verdict = referee.look(onlooker.see(layout))
    explained = (state_after(game, state, choice.actions) for choice in verdict.choices)
    ends = [state, referee.history.state, *explained, *recent]
    return any(looks_alike(game.layout(end), layout, BY_HAND) for end in ends)


def state_after(game: AnyGame, state: Any, actions: Iterable[Action]) -> Any:
    """The state after these actions."""
    for action in actions:
        state = game.advance(state, action)
    return state
