"""A random game as acts on a table, with requested incidents in between.

What only phones know (sealed choices, a dealt set-up) is entered as by a phone. An act the referee has not understood
is entered by hand, as people would.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion_api.log.store import LogError
from companion_api.session import Session
from companion_api.simulated.incidents import (
    DISTURBANCES,
    MAX_RECENT,
    QUICK,
    TAKE_BACK,
    WRONG_MOVE,
    ActKind,
    Meaning,
    Requests,
    caption,
    staged_at,
)
from companion_api.simulated.off_board import RoomBeside
from companion_api.simulated.rolled_dice import RolledDice
from models.render.simulated import Act, FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game as find_game
from rules.games import solver_of
from rules.referee.referee import Referee
from rules.table.change import change_between
from rules.table.layout import Layout

# Players: the game's solver in one seat, otherwise a few candidate actions rated by random playouts. Budgets count
# actions, not time.

Choose = Callable[[AnyGame, Any, random.Random], Action]
CANDIDATES = 6
"""Candidate actions per turn."""
PLAYOUT_ACTIONS = 30
"""Length of a playout in actions."""
WIN_POINTS = 50
"""Points of a win, compared with the lead in points."""
SOLVED_SEAT = 0
"""The seat played by the solver; two perfect players would only draw."""


def choose_randomly(game: AnyGame, state: Any, rng: random.Random) -> Action:
    return game.sample(state, rng)


def choose_to_win(game: AnyGame, state: Any, rng: random.Random) -> Action:
    """An action chosen to win; dice, shuffles and sealed choices stay random."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT:
        return game.sample(state, rng)
    seat = turn.seats[0]
    solver = solver_of(game.card.id) if seat == SOLVED_SEAT else None
    if solver and (hint := solver.hint(state)):
        return hint
    samples = (game.sample(state, rng) for _ in range(2 * CANDIDATES))
    candidates = list(dict.fromkeys(samples))[:CANDIDATES]
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda action: _evaluate_by_playout(game, game.advance(state, action), seat, rng))


def _evaluate_by_playout(game: AnyGame, state: Any, seat: int, rng: random.Random) -> int:
    """The lead of a seat in points after a random playout, with what a win is worth."""
    for _ in range(PLAYOUT_ACTIONS):
        if game.turn(state).is_over:
            break
        state = game.advance(state, game.sample(state, rng))
    outcome = game.outcome(state)
    others = [points for number, points in enumerate(outcome.scores) if number != seat]
    lead = outcome.scores[seat] - max(others, default=0) if outcome.scores else 0
    if not outcome.over or outcome.drawn or not outcome.winners:
        return lead
    return lead + (WIN_POINTS if seat in outcome.winners else -WIN_POINTS)


CitableClauses = Callable[[AnyGame, Any, Layout], frozenset[str]]
MAX_TURNS = 400
LINGER_S = 8.0  # seconds an illegal act stays on the table, so that it can be disputed


@dataclass(frozen=True, slots=True)
class PeopleAtTable:
    """The people's side of a script: `enter_action` enters an action on a phone, `is_recognised` says whether the acts
    up to a state were recognised, `take_back_to` undoes what was accepted after an incident, and `on_incident` gets
    each meaning just before the act is seen."""

    enter_action: Callable[[Action], None] = lambda _: None
    is_recognised: Callable[[Any, tuple[Action, ...]], bool] = lambda *_: True
    take_back_to: Callable[[Any], None] = lambda _: None
    on_incident: Callable[[Meaning], None] = lambda _: None


class Script:
    def __init__(
        self,
        game: AnyGame,
        first: Any,
        seed: int,
        people: PeopleAtTable,
        pause: float | None = None,
        requests: Requests | None = None,
        linger: float = LINGER_S,
        cited: CitableClauses = lambda *_: frozenset(),
        choose: Choose = choose_randomly,
    ) -> None:
        """`cited`: citable clauses of an illegal act, used by measurements only; `choose`: how the players choose."""
        self._game, self._state, self._people, self._choose = game, first, people, choose
        self._pause, self._linger, self._cited = pause, linger, cited
        self._requests = requests or Requests()
        self._recent = deque[Any](maxlen=MAX_RECENT)
        self._pending: list[str] = []  # requested, but not possible yet
        self._rng, self._dice = random.Random(seed), RolledDice(random.Random(seed))
        self._incident_rng = random.Random(seed + 1)  # separate, so that incidents do not change the game around them

    def acts(self, most: int = MAX_TURNS) -> Iterator[Act]:
        """At most `most` legal turns visible to a camera; the referee is asked after each act, once the table is
        still."""
        yield Act(self._table(self._state), Meaning(ActKind.NOTHING), kind="wait", pause=2.0)
        shown = 0
        while shown < most and not self._game.turn(self._state).is_over:
            while (request := self._requests.take()) is not None:
                self._pending.append(request)
            self._recent.append(self._state)
            action = self._choose(self._game, self._state, self._rng)
            after = self._game.advance(self._state, action)
            if _is_invisible(self._game, self._state, after) and not self._reveals(after):
                yield from self._enter_by_phone(action)
                continue
            yield from self._play_two(action) if QUICK in self._pending else self._play(action)
            yield from self._incident()
            shown += 1
        last = 5.0 if self._pause is None else self._pause
        yield Act(self._table(self._state), Meaning(ActKind.NOTHING), kind="wait", pause=last)

    def _table(self, state: Any) -> Layout:
        return self._dice.with_dice(self._game.layout(state))

    def _seat(self) -> int:
        return self._game.turn(self._state).seat or 0

    def _advance(self, state: Any, action: Action) -> Any:
        """The state after an action, with its dice thrown."""
        step = self._game.apply(state, action)
        self._dice.throw_all(step.effects)
        return step.state

    def _enter_by_phone(self, action: Action) -> Iterator[Act]:
        before, self._state = self._state, self._advance(self._state, action)
        self._people.enter_action(action)
        if self._game.layout(before) != self._game.layout(self._state):
            yield Act(self._table(self._state), Meaning(ActKind.LEGAL, (action.id,)), pause=self._pause)

    def _reveals(self, after: Any) -> bool:
        """Whether an action reveals the outcome of chance (tile, coin, die) before anything else can happen."""
        is_turn_of_seat = self._game.turn(self._state).kind is TurnKind.SEAT
        return is_turn_of_seat and self._game.turn(after).kind is TurnKind.CHANCE and self._game.exhaustive(after)

    def _play(self, action: Action) -> Iterator[Act]:
        """One act; a tile turned over reveals its face in the same reach."""
        seat, before, actions = self._seat(), self._state, [action]
        after = self._advance(self._state, action)
        while _is_invisible(self._game, before, after) and self._reveals(after):
            actions.append(self._game.sample(after, self._rng))
            after = self._advance(after, actions[-1])
        self._state = after
        yield from self._show(tuple(actions), seat)

    def _show(self, actions: tuple[Action, ...], seat: int) -> Iterator[Act]:
        meaning = Meaning(ActKind.LEGAL, tuple(action.id for action in actions))
        yield Act(self._table(self._state), meaning, seat, pause=self._pause)
        if not self._people.is_recognised(self._state, actions):
            for action in actions:
                self._people.enter_action(action)

    def _play_two(self, action: Action) -> Iterator[Act]:
        """Two turns in one act, if the second is visible too."""
        seat, middle = self._seat(), self._advance(self._state, action)
        through = self._table(middle)
        following = None
        if self._game.turn(middle).kind is TurnKind.SEAT:
            following = self._choose(self._game, middle, self._rng)
        self._state = middle
        if following is None or _is_invisible(self._game, middle, self._game.advance(middle, following)):
            yield from self._show((action,), seat)
            return
        self._pending.remove(QUICK)
        self._state = self._advance(self._state, following)
        meaning = Meaning(ActKind.LEGAL, (action.id, following.id), QUICK)
        self._people.on_incident(meaning)
        yield Act(self._table(self._state), meaning, seat, pause=self._pause, through=(through,))
        if not self._people.is_recognised(self._state, (action, following)):
            if not self._people.is_recognised(middle, (action,)):
                self._people.enter_action(action)
            self._people.enter_action(following)

    def _incident(self) -> Iterator[Act]:
        for request in self._pending:
            if acts := self._staged(request):
                self._pending.remove(request)
                for act in acts:
                    if isinstance(act.meaning, Meaning):
                        self._people.on_incident(act.meaning)
                    yield act
                self._people.take_back_to(self._state)
                return

    def _staged(self, request: str) -> list[Act]:
        """The acts of an incident, empty where impossible now; they leave the game's state unchanged."""
        if request in DISTURBANCES:
            nothing = Meaning(ActKind.NOTHING, (), request)
            return [Act(self._table(self._state), nothing, kind=request, pause=self._pause)]
        if request == QUICK or self._game.turn(self._state).kind is not TurnKind.SEAT:
            return []
        return self._taken_back() if request == TAKE_BACK else self._illegal(request)

    def _taken_back(self) -> list[Act]:
        """A turn and its take-back; not for dice or revealed pieces."""
        action = self._game.sample(self._state, self._incident_rng)
        step = self._game.apply(self._state, action)
        rolled = any(effect.kind is EffectKind.ROLL for effect in step.effects)
        unclear = self._game.turn(step.state).kind is TurnKind.CHANCE
        if rolled or unclear or _is_invisible(self._game, self._state, step.state):
            return []
        return [
            Act(self._table(state), Meaning(deed, (action.id,), TAKE_BACK), self._seat(), pause=self._pause)
            for state, deed in ((step.state, ActKind.LEGAL), (self._state, ActKind.TAKEN_BACK))
        ]

    def _illegal(self, request: str) -> list[Act]:
        staged = staged_at(self._game, self._state, request, self._incident_rng, self._recent)
        if staged is None:
            return []
        clauses = self._cited(self._game, self._state, staged.layout)
        wrong, right = self._dice.with_dice(staged.layout), self._table(self._state)
        return [
            Act(wrong, Meaning(ActKind.ILLEGAL, (), staged.kind, clauses), self._seat(), pause=self._linger),
            Act(right, Meaning(ActKind.PUT_RIGHT, (), staged.kind), self._seat(), pause=self._pause),
        ]


def _is_invisible(game: AnyGame, state: Any, after: Any) -> bool:
    """Whether an action is invisible to a camera: a sealed choice, a shuffle, or no change of the layout."""
    turn = game.turn(state)
    if turn.kind is TurnKind.ALL or (turn.kind is TurnKind.CHANCE and not game.exhaustive(state)):
        return True
    return change_between(game.layout(state), game.layout(after)).is_empty


SERVED_FPS = 5.0
"""Drawing a frame takes some 90 ms of processor time, and the reader needs the rest of a small machine."""
_MAX_UNDONE = 4  # actions, more than one incident can bring


def simulated_for(session: Session, seed: int, requests: Requests | None = None) -> SimulatedCamera:
    """A simulated camera for a served session, continuing from its state. Its players play to win, and one of them
    breaks a rule early."""
    requests = requests or Requests()
    if not session.history.entries:
        requests.ask(WRONG_MOVE)

    def enter_action(action: Action) -> None:
        session.act("host", action.id, expected=None, key=None)

    def take_back_to(state: Any) -> None:
        with session.lock:
            if count := _actions_since(session.history, state):
                session.undo("host", count, expected=None, key=None)

    def on_incident(meaning: Meaning) -> None:
        with suppress(LogError):  # a full disk is reported to whoever posts
            if note := caption(meaning):
                session.note("table", note)

    people = PeopleAtTable(enter_action, lambda after, _: bool(session.state == after), take_back_to, on_incident)
    script = Script(session.game, session.state, seed, people, requests=requests, choose=choose_to_win)
    beside = beside_board(session.game, session.state, seed, choose=choose_to_win)
    film_settings = FilmSettings(seed=seed, fps=SERVED_FPS, seats=len(session.seats), ground=beside.ground)
    return SimulatedCamera(SimulatedTable(map(beside.arrange_act, script.acts()), film_settings), realtime=True)


def simulated_camera(
    name: str, options: Any, seats: Any, seed: int, referee: Referee, requests: Requests | None = None
) -> SimulatedCamera:
    """The same for a referee alone (`companion watch simulated`)."""
    game = find_game(name)
    first = History.begin(game, options, seats).state
    script = Script(game, first, seed, people_of(referee), requests=requests)
    beside = beside_board(game, first, seed)
    film_settings = FilmSettings(seed=seed, ground=beside.ground)
    return SimulatedCamera(SimulatedTable(map(beside.arrange_act, script.acts()), film_settings), realtime=False)


def beside_board(
    game: AnyGame, first: Any, seed: int, turns: int = MAX_TURNS, choose: Choose = choose_randomly
) -> RoomBeside:
    """Slots for a simulated game, found by playing it through with the same seed."""
    script = Script(game, first, seed, PeopleAtTable(), choose=choose)
    return RoomBeside([act.layout for act in script.acts(turns)])


def people_of(referee: Referee) -> PeopleAtTable:
    """People who correct a referee without a session."""

    def enter_action(action: Action) -> None:
        if referee.game.refusal(referee.history.state, action) is None:
            referee.set_history(referee.history.play(action))

    def take_back_to(state: Any) -> None:
        referee.set_history(referee.history.undo(_actions_since(referee.history, state)))

    return PeopleAtTable(enter_action, lambda after, _: bool(referee.history.state == after), take_back_to)


def _actions_since(history: History, state: Any) -> int:
    """Actions since a state; 0 where it did not occur."""
    counts = range(min(len(history.entries), _MAX_UNDONE) + 1)
    return next((count for count in counts if history.undo(count).state == state), 0)
