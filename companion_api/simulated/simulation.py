"""Simulated tables behind the camera contract: players move rendered pieces before the real reader."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from companion_api.log.store import LogError
from companion_api.session import Session
from companion_api.simulated.incidents import WRONG_MOVE, Meaning, Requests, caption
from companion_api.simulated.off_board import RoomBeside
from companion_api.simulated.players import Choose, choose_randomly, choose_to_win
from companion_api.simulated.script import MAX_TURNS, PeopleAtTable, Script
from models.render.simulated import FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.games import game as find_game
from rules.referee.referee import Referee

SERVED_FPS = 5.0
"""Drawing a frame takes some 90 ms of processor time, and the reader needs the rest of a small machine."""
_MAX_UNDONE = 4  # actions, more than one incident can bring


def simulated_for(session: Session, seed: int, requests: Requests | None = None) -> SimulatedCamera:
    """A simulated camera for a served session, continuing from its state. Its players play to win, and one of them
    breaks a rule early."""
    requests = requests or Requests()
    if not session.history.entries:
        requests.ask(WRONG_MOVE)

    def tell(action: Action) -> None:
        session.act("host", action.id, expected=None, key=None)

    def take_back_to(state: Any) -> None:
        with session.lock:
            if count := _actions_since(session.history, state):
                session.undo("host", count, expected=None, key=None)

    def hear(meaning: Meaning) -> None:
        with suppress(LogError):  # a full disk is reported to whoever posts
            if note := caption(meaning):
                session.note("table", note)

    people = PeopleAtTable(tell, lambda after, _: bool(session.state == after), take_back_to, hear)
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
    nobody = PeopleAtTable(lambda _: None, lambda *_: True, lambda _: None)
    return RoomBeside([act.layout for act in Script(game, first, seed, nobody, choose=choose).acts(turns)])


def people_of(referee: Referee) -> PeopleAtTable:
    """People who correct a referee without a session."""

    def tell(action: Action) -> None:
        if referee.game.refusal(referee.history.state, action) is None:
            referee.set_history(referee.history.play(action))

    def take_back_to(state: Any) -> None:
        referee.set_history(referee.history.undo(_actions_since(referee.history, state)))

    return PeopleAtTable(tell, lambda after, _: bool(referee.history.state == after), take_back_to)


def _actions_since(history: History, state: Any) -> int:
    """Actions since a state; 0 where it did not occur."""
    counts = range(min(len(history.entries), _MAX_UNDONE) + 1)
    return next((count for count in counts if history.undo(count).state == state), 0)
