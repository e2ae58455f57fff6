"""Records of games as JSON (complete, can be restored) and as a score sheet in CSV.

A record names the version of the rules under which it was played. Under another version it is refused, since other
actions may be legal.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from rules.engine.action import parse_action
from rules.engine.card import by_name, read_seats
from rules.engine.contract import AnyGame
from rules.engine.history import LAID, SEALED, Entry, History
from rules.games import UnknownGameError, game
from rules.notation.errors import RecordError, shortened
from rules.sentence import InputError, SeatNames, Sentence, say, sentence_of, with_seat_names

FORMAT = "piecepack-companion/record"
VERSION = 1
_MAX_TEXT = 64_000_000


def write_record(history: History, tags: Mapping[str, object] | None = None) -> str:
    return json.dumps(record_of(history, tags), ensure_ascii=False, indent=1) + "\n"


def record_of(history: History, tags: Mapping[str, object] | None = None) -> dict[str, Any]:
    card = history.game.card
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": {"id": card.id, "name": card.name, "rules": card.version},
        "options": dict(history.options),
        "seats": [seat.to_json() for seat in read_seats(card, history.seats)],
        "tags": dict(tags or {}),
        "first": history.game.encode(history.first),
        "actions": [_action(history, number) for number in range(len(history.entries))],
        "outcome": history.game.outcome(history.state).to_json(),
    }


def _before(history: History, number: int) -> Any:
    return history.entries[number - 1].state if number else history.first


def _action(history: History, number: int) -> dict[str, Any]:
    entry = history.entries[number]
    position = {"state": history.game.encode(entry.state)} if entry.is_laid else {}
    return {
        **position,
        "number": number + 1,
        "id": entry.action.id,
        "seat": history.game.actor(_before(history, number), entry.action),
        "text": history.game.describe(entry.action),
        "effects": [effect.to_json() for effect in entry.effects],
    }


def read_record(text: str) -> History:
    """The history of a record, replayed action by action under the current rules."""
    if len(text) > _MAX_TEXT:
        raise RecordError(say("the record is too long"))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(say("the record is not valid JSON")) from None
    return history_of(data)


def history_of(data: object) -> History:
    record = _mapping(data, "a record")
    if record.get("format") != FORMAT:
        raise RecordError(say('this is not one of our records: "format" should be {format}', format=repr(FORMAT)))
    if record.get("version") != VERSION:
        why = say(
            "the record has version {version}; version {known} is known",
            version=shortened(str(record.get("version"))),
            known=VERSION,
        )
        raise RecordError(why)
    found = _game(_mapping(record.get("game"), "game"))
    history = _replayed(_begin(found, record), record.get("actions"))
    claimed = record.get("outcome")
    if claimed is not None and not _agrees(claimed, found.outcome(history.state).to_json()):
        raise RecordError(say("the record does not end as its actions do: it has been changed or is damaged"))
    return history


def _agrees(claimed: object, found: Mapping[str, object]) -> bool:
    """Whether all fields of the recorded outcome are right; older records have fewer fields."""
    return isinstance(claimed, dict) and bool(claimed) and all(found.get(name) == claimed[name] for name in claimed)


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(say("{name} must be an object", name=name))
    return value


def _game(entry: Mapping[str, Any]) -> AnyGame:
    try:
        found = game(str(entry.get("id")))
    except UnknownGameError as error:
        raise RecordError(sentence_of(error)) from None
    if entry.get("rules") != found.card.version:
        why = say(
            "this game of {game} was played under version {version} of the rules; this program has "
            "version {known} and cannot replay it",
            game=found.card.name,
            version=shortened(str(entry.get("rules"))),
            known=found.card.version,
        )
        raise RecordError(why)
    return found


def _begin(found: AnyGame, record: Mapping[str, Any]) -> History:
    options = dict(_mapping(record.get("options", {}), "options"))
    seats = record.get("seats")
    try:
        read_seats(found.card, seats)
        first = found.decode(_mapping(record.get("first"), "first"))
        found.turn(first)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise RecordError(say("the record begins with an impossible position: {why}", why=_line(error))) from None
    return History(found, first, (), options, seats)


def _replayed(history: History, actions: object) -> History:
    if not isinstance(actions, list):
        raise RecordError(say("actions must be a list"))
    for number, item in enumerate(actions, 1):
        id = item.get("id") if isinstance(item, dict) else item
        if str(id).endswith(SEALED):
            why = say(
                "action {number} is sealed: the record was written while the game was played, for "
                "somebody who might not know all of it; take the record again when the game is over",
                number=number,
            )
            raise RecordError(why)
        try:
            history = _with_position(history, item) or history.play(parse_action(str(id)))
        except (ValueError, TypeError, KeyError, IndexError) as error:
            text = say("action {number}, {id}: {why}", number=number, id=shortened(str(id)), why=_line(error))
            raise RecordError(text) from None
    return history


def _with_position(history: History, item: object) -> History | None:
    """The history after an entry with a position accepted from the table; None for other entries."""
    if not isinstance(item, dict) or item.get("id") != LAID.id:
        return None
    state = history.game.decode(_mapping(item.get("state"), "state"))
    history.game.turn(state)
    return history.lay(state)


def _line(error: Exception) -> Sentence | str:
    """The sentence of an error of ours; of other errors their text on one line, shortened."""
    return sentence_of(error) if isinstance(error, InputError) else shortened(" ".join(str(error).split()), 200)


def score_sheet(history: History) -> str:
    """CSV with one line per action: number, player, action, text, and the scores after it."""
    game = history.game
    seats = read_seats(game.card, history.seats)
    names, seat_names = [seat.name for seat in seats], by_name(seats)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["number", "player", "action", "text", *map(_cell, names)])
    for number, entry in enumerate(history.entries):
        table.writerow(_row(game, number + 1, _before(history, number), entry, names, seat_names))
    outcome = game.outcome(history.state)
    if outcome.over:
        winners = "" if outcome.drawn else " and ".join(names[seat] for seat in outcome.winners)
        reason = with_seat_names(outcome.reason, seat_names)
        table.writerow(["end", _cell(winners), "", _cell(reason), *_scores(outcome.scores, names)])
    return out.getvalue()


def _row(
    game: AnyGame, number: int, before: Any, entry: Entry, names: list[str], seat_names: SeatNames
) -> list[object]:
    seat = game.actor(before, entry.action)
    who = names[seat] if seat is not None and seat < len(names) else ""
    scores = game.outcome(entry.state).scores
    text = with_seat_names(game.describe(entry.action), seat_names)
    return [number, _cell(who), entry.action.id, _cell(text), *_scores(scores, names)]


def _scores(scores: tuple[int, ...], names: list[str]) -> list[object]:
    return [scores[seat] if seat < len(scores) else "" for seat in range(len(names))]


def _cell(text: str) -> str:
    """The text, quoted where a spreadsheet would take it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
