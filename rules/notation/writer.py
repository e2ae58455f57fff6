"""Writes games as PPN: metadata, one turn per line, openings piece by piece, comments with actions and effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rules.engine.action import Action
from rules.engine.card import Seat, by_name, read_seats
from rules.engine.effects import Effect, EffectKind
from rules.engine.history import Entry, History
from rules.engine.turn import Turn, TurnKind
from rules.notation.metadata import write_metadata
from rules.notation.submove import Submove, submove_text
from rules.notation.submove_writer import SubmoveWriter
from rules.sentence import Person, SeatNames, english, with_seat_names

# Names of the openings in other programs of the format; elsewhere the name of the game is used.
GAME_TYPES = {"fuji_san": "Fujisan", "penguin": "The Penguin Game", "jul_gonu": "Julgonu", "dodgem": "Dodgem"}
GAME_TYPES |= {"ice_floe": "Ice Floe"}
# Steps of one turn under one label before it gets another.
MAX_STEPS = 50
_BRACES = str.maketrans({"{": "(", "}": ")", "\n": " ", "\r": " "})


def write_game(history: History, tags: Mapping[str, object] | None = None) -> str:
    """A whole record. All pieces are placed by moves, so any reader of PPN can play it."""
    game = history.game
    setup = f"setup. {_submoves_text(SubmoveWriter().write(game.layout(history.first)))}"
    return _head(history, tags or {}) + "\n".join([setup, *_turns(history)]) + "\n"


def _head(history: History, tags: Mapping[str, object]) -> str:
    game = history.game
    seats = read_seats(game.card, history.seats)
    own: dict[str, object] = {
        "game": game.card.id,
        "rules": f"{game.card.id}@{game.card.version}",
        "seats": [{key: value for key, value in seat.to_json().items() if value} for seat in seats],
        "options": dict(history.options),
    }
    outcome = game.outcome(history.state)
    if outcome.over:
        own["outcome"] = outcome.to_json()
    values = {
        "Result": _result(history),
        **tags,
        "GameType": GAME_TYPES.get(game.card.id, game.card.name),
        "SetUp": "None",
        "Companion": own,
    }
    return f"---\n{write_metadata(values)}...\n\n"


def _result(history: History) -> str:
    outcome = history.game.outcome(history.state)
    if not outcome.over:
        return "*"
    seat_names = by_name(read_seats(history.game.card, history.seats))
    winners = () if outcome.drawn else outcome.winners
    return " and ".join(map(seat_names, winners)) or with_seat_names(outcome.reason, seat_names).translate(_BRACES)


def _turns(history: History) -> Iterable[str]:
    """One line per turn, its steps separated by semicolons."""
    game, seats = history.game, read_seats(history.game.card, history.seats)
    labels, seat_names = _Labels(seats), by_name(seats)
    writer = SubmoveWriter()
    writer.write(game.layout(history.first))
    before, line = history.first, ""
    for entry in history.entries:
        step = f"{_submoves_text(writer.write(game.layout(entry.state)))} {_words(entry, seat_names)}".strip()
        label = labels.next(game.turn(before), entry.action)
        if label is None:
            line += f"; {step}"
        else:
            if line:
                yield line
            line = f"{label} {step}".rstrip()
        before = entry.state
    if line:
        yield line


class _Labels:
    """1S. 1M. for seats with a suit, 1. and 1... for two without; Roll3. and Vote2. for turns of no seat."""

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self._seats = seats
        self._round = 1
        self._steps = 0
        self._last: tuple[TurnKind, int | None] | None = None
        self._last_seat = -1
        self._counts: Counter[str] = Counter()

    def next(self, turn: Turn, action: Action) -> str | None:
        """The label of a new line for this action; None if it continues the turn."""
        seat = action.seat if action.seat is not None else turn.seat
        now = (turn.kind, seat if turn.kind is TurnKind.SEAT else None)
        self._steps += 1
        is_solitaire = len(self._seats) == 1 and turn.kind is TurnKind.SEAT  # a new move with every action
        if now == self._last and self._steps < MAX_STEPS and not is_solitaire:
            return None
        self._last, self._steps = now, 0
        if turn.kind is not TurnKind.SEAT or seat is None:
            word = "Roll" if turn.kind is TurnKind.CHANCE else "Vote"
            self._counts[word] += 1
            return f"{word}{self._counts[word]}."
        if seat <= self._last_seat:
            self._round += 1
        self._last_seat = seat
        suit = self._seats[seat].suit if seat < len(self._seats) else None
        return f"{self._round}{suit.letter}." if suit is not None else f"{self._round}.{'..' * seat}"


def _submoves_text(submoves: Iterable[Submove]) -> str:
    return " ".join(map(submove_text, submoves))


def _words(entry: Entry, seat_names: SeatNames) -> str:
    """A comment with the action, so that actions which no table shows can be judged again, and its announcements."""
    announcements = filter(None, (_announcement(effect, seat_names) for effect in entry.effects))
    return "{ " + "; ".join([entry.action.id, *announcements]).translate(_BRACES) + " }"


def _announcement(effect: Effect, seat_names: SeatNames) -> str:
    """What is said of an effect; empty: nothing."""
    who = english(Person(effect.seat), seat_names)
    if effect.kind is EffectKind.SCORE:
        return f"{who} scores {effect.amount}" if effect.amount else ""
    if effect.kind is EffectKind.ATTACK:
        return f"{who} attacks" + ("" if effect.other is None else f" {seat_names(effect.other)}")
    return f"{who} is out" if effect.kind is EffectKind.ELIMINATE else ""
