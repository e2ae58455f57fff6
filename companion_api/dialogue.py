"""A dialogue about one game: questions and answers as JSON objects (`companion judge`).

Every question gets exactly one answer, also one that cannot be read, and the dialogue goes on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from rules.engine.action import Action, action_from_json
from rules.engine.card import Seat, read_options, read_seats
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect
from rules.engine.history import History
from rules.engine.positions import set_up
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.referee.memory import Memory
from rules.referee.step import history_after, look
from rules.sentence import with_seat_names
from rules.table.evidence import TableEvidence
from rules.table.observed import ObservedTable

MAX_LINE = 1_000_000
MAX_LISTED = 5_000
MAX_DIGITS = 18
Answer = dict[str, Any]

_CALLED_TWICE = re.compile(r"\b(\w+) \(\1\)")
"""A suit followed by a seat of the same name in brackets."""


class QuestionError(ValueError):
    """A question that cannot be read."""


class Conversation:
    def __init__(self, game: AnyGame, options: Mapping[str, object] | None = None, seats: object = None) -> None:
        self.game = game
        self._options = dict(options or {})
        self._seats = seats
        self._people = read_seats(game.card, seats)
        self.history = History.begin(game, self._options, seats)
        self._memory = Memory()
        self._answers: dict[str, Callable[[Any], Answer]] = {
            "opening": self._opening,
            "position": self._position,
            "legal": self._legal,
            "action": self._action,
            "preview": self._preview,
            "layout": self._layout,
            "diagram": self._diagram,
            "table": self._table,
            "undo": self._undo,
            "state": self._state,
            "outcome": self._outcome,
        }

    def answer_line(self, line: str) -> Answer:
        """The answer to one line of text, whatever it contains."""
        try:
            return self.answer(_read(line))
        except (ValueError, TypeError, KeyError, IndexError, ArithmeticError) as error:
            return {"ok": False, "error": " ".join(str(error).split())[:300] or type(error).__name__}
        except RecursionError:
            return {"ok": False, "error": "the line is nested too deeply"}

    def answer(self, question: Mapping[str, Any]) -> Answer:
        asked = [name for name in question if name in self._answers]
        if len(asked) != 1:
            raise QuestionError(f"ask exactly one of: {', '.join(self._answers)}")
        return self._answers[asked[0]](question[asked[0]])

    def _opening(self, _: Any) -> Answer:
        self._restart(History.begin(self.game, self._options, self._seats))
        return self._standing()

    def _position(self, data: Any) -> Answer:
        if not isinstance(data, Mapping):
            raise QuestionError("a position is an object; its fields stand in the game's rulebook")
        options: object = read_options(self.game.card.options_type, self._options)
        state = set_up(self.game, data, options, self._people)
        self._restart(History(self.game, state, (), self._options, self._seats))
        return self._standing()

    def _legal(self, how: Any) -> Answer:
        actions = self.game.legal(self.history.state)
        complete = self.game.exhaustive(self.history.state)
        if how == "count":
            return {"ok": True, "count": sum(1 for _ in actions), "complete": complete}
        if how is not True:
            raise QuestionError('"legal" is true or "count"')
        listed = list(islice(actions, MAX_LISTED + 1))
        legal = [self._listed(action) for action in listed[:MAX_LISTED]]
        return {"ok": True, "legal": legal, "complete": complete and len(listed) <= MAX_LISTED}

    def _action(self, data: Any) -> Answer:
        action = self._read_action(data)
        if refusal := self.game.refusal(self.history.state, action):
            return self._refused(refusal)
        self._restart(self.history.play(action))
        return self._standing(self.history.entries[-1].effects)

    def _preview(self, data: Any) -> Answer:
        action = self._read_action(data)
        if refusal := self.game.refusal(self.history.state, action):
            return self._refused(refusal)
        return {"ok": True, "effects": self._story(self.game.apply(self.history.state, action).effects)}

    def _layout(self, _: Any) -> Answer:
        return {"ok": True, "layout": self.game.layout(self.history.state).to_json()}

    def _diagram(self, _: Any) -> Answer:
        drawn = with_seat_names(self.game.diagram(self.history.state), self.seat_name)
        return {"ok": True, "diagram": _CALLED_TWICE.sub(r"\1", drawn)}

    def _table(self, pieces: Any) -> Answer:
        verdict, self._memory = look(self.history, self._memory, TableEvidence(ObservedTable.from_look(pieces)))
        self.history = history_after(self.history, verdict)
        return {"ok": True, **verdict.to_json(self.game, self.seat_name), **self._numbers()}

    def _undo(self, count: Any) -> Answer:
        if isinstance(count, bool) or not isinstance(count, int):
            raise QuestionError('"undo" is a number of actions, for example 1')
        self._restart(self.history.undo(count))
        return self._standing()

    def _state(self, _: Any) -> Answer:
        return {"ok": True, "state": self.game.encode(self.history.state)}

    def _outcome(self, _: Any) -> Answer:
        return {"ok": True, "outcome": self.game.outcome(self.history.state).to_json(self.seat_name)}

    # What the answers are made of -----------------------------------------------------------------------------

    def _restart(self, history: History) -> None:
        self.history = history
        self._memory = Memory()

    def _read_action(self, data: Any) -> Action:
        if isinstance(data, str):
            return self.game.read(self.history.state, data)
        return action_from_json(data, self.game.verbs)

    def _standing(self, effects: tuple[Effect, ...] = ()) -> Answer:
        turn = self.game.turn(self.history.state)
        told = {**turn.to_json(), "seat": turn.seat, "names": [self.seat_name(seat) for seat in turn.seats]}
        return {"ok": True, "turn": told, "effects": self._story(effects), **self._numbers()}

    def _numbers(self) -> Answer:
        outcome = self.game.outcome(self.history.state)
        ended = outcome.to_json(self.seat_name)
        return {"scores": outcome.points(self.seat_name), "outcome": ended if outcome.over else None}

    def _listed(self, action: Action) -> Answer:
        game, turn = self.game, self.game.turn(self.history.state)
        arguments = game.verbs[action.verb].arguments_by_name(action)
        offered = game.offer(self.history.state, action)
        mover = turn.seat if turn.kind is TurnKind.SEAT else None
        return {
            "id": action.id,
            "verb": action.verb,
            "args": {name.rstrip("_"): value for name, value in arguments.items()},
            "seat": action.seat if action.seat is not None else mover,
            "text": with_seat_names(offered.text if offered else game.describe(action), self.seat_name),
            "touches": list(game.touches(action)),
        }

    def _refused(self, refusal: Refusal) -> Answer:
        return {"ok": False, "refusal": refusal.to_json(self.seat_name)}

    def _story(self, effects: tuple[Effect, ...]) -> list[dict[str, object]]:
        return [effect.to_json(self.seat_name) for effect in effects]

    def seat_name(self, seat: int) -> str:
        return seat_name(self._people, seat)


def seat_name(people: Sequence[Seat], seat: int) -> str:
    """The name of a seat in JSON: its suit, else its name."""
    if seat >= len(people):
        return f"seat {seat}"
    suit = people[seat].suit
    return suit.value if suit else people[seat].name


def _read(line: str) -> Mapping[str, Any]:
    if len(line) > MAX_LINE:
        raise QuestionError(f"the line is longer than {MAX_LINE} characters")
    try:
        question = json.loads(line, parse_constant=_no_constant, parse_int=_short_number)
    except json.JSONDecodeError as error:
        raise QuestionError(f"this line is not JSON: {error}") from None
    if not isinstance(question, dict):
        raise QuestionError('a question is an object, for example {"legal": true}')
    return question


def _short_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise QuestionError(f"the number {digits[:12]}... has {len(digits)} digits; nothing here is counted so far")
    return int(digits)


def _no_constant(name: str) -> float:
    raise QuestionError(f"{name} is not a number that JSON knows")
