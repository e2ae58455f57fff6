"""Simulated tables behind the contract of every camera: players move rendered pieces before the real eyes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from companion_api.log.store import LogError
from companion_api.session import Session
from companion_api.simulated.incidents import WRONG_MOVE, Meaning, Requests, caption
from companion_api.simulated.off_board import RoomBeside
from companion_api.simulated.players import Choose, by_luck, to_win
from companion_api.simulated.script import ENOUGH, PeopleAtTable, Script
from models.render.simulated import FilmSettings, SimulatedCamera, SimulatedTable
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.games import game as find_game
from rules.referee.referee import Referee

SERVED_FPS = 5.0
"""Drawing a frame costs some 90 ms of processor time, and the eyes need the rest of a small machine."""
_LATELY = 4  # actions: more than one incident can bring


def simulated_for(session: Session, seed: int, requests: Requests | None = None) -> SimulatedCamera:
    """A simulated table for a served session; it goes on from where the session is. Its players play to win a little,
    and soon after the beginning one of them breaks a rule."""
    requests = requests or Requests()
    if not session.history.entries:
        requests.ask(WRONG_MOVE)

    def tell(action: Action) -> None:
        session.act("host", action.id, expected=None, key=None)

    def take_back_to(state: Any) -> None:
        with session.lock:
            if count := _since(session.history, state):
                session.undo("host", count, expected=None, key=None)

    def hear(meaning: Meaning) -> None:
        with suppress(LogError):  # a full disk is told to whoever posts
            if note := caption(meaning):
                session.note("table", note)

    people = PeopleAtTable(tell, lambda after, _: bool(session.state == after), take_back_to, hear)
    script = Script(session.game, session.state, seed, people, requests=requests, choose=to_win)
    beside = beside_board(session.game, session.state, seed, choose=to_win)
    film_settings = FilmSettings(seed=seed, fps=SERVED_FPS, seats=len(session.seats), ground=beside.ground)
    return SimulatedCamera(SimulatedTable(map(beside.seated, script.acts()), film_settings), realtime=True)


def simulated_camera(
    name: str, options: Any, seats: Any, seed: int, referee: Referee, requests: Requests | None = None
) -> SimulatedCamera:
    """The same for a bare referee (`companion watch simulated`)."""
    game = find_game(name)
    first = History.begin(game, options, seats).state
    script = Script(game, first, seed, people_of(referee), requests=requests)
    beside = beside_board(game, first, seed)
    film_settings = FilmSettings(seed=seed, ground=beside.ground)
    return SimulatedCamera(SimulatedTable(map(beside.seated, script.acts()), film_settings), realtime=False)


def beside_board(game: AnyGame, first: Any, seed: int, turns: int = ENOUGH, choose: Choose = by_luck) -> RoomBeside:
    """What a simulated game will need of the table, found by playing it through beforehand: the same seed plays the
    same game."""
    nobody = PeopleAtTable(lambda _: None, lambda *_: True, lambda _: None)
    return RoomBeside([act.layout for act in Script(game, first, seed, nobody, choose=choose).acts(turns)])


def people_of(referee: Referee) -> PeopleAtTable:
    """People who put a bare referee right."""

    def tell(action: Action) -> None:
        if referee.game.refusal(referee.history.state, action) is None:
            referee.set_history(referee.history.play(action))

    def take_back_to(state: Any) -> None:
        referee.set_history(referee.history.undo(_since(referee.history, state)))

    return PeopleAtTable(tell, lambda after, _: bool(referee.history.state == after), take_back_to)


def _since(history: History, state: Any) -> int:
    """How many of the last actions were done after a state; none where the state never was."""
    counts = range(min(len(history.entries), _LATELY) + 1)
    return next((count for count in counts if history.undo(count).state == state), 0)
