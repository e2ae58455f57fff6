"""Replays a PPN file table by table, judging records of games of ours; continues records as games.

`companion replay` prints the results of `replay_file`; every result is a plain JSON object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rules.engine.contract import AnyGame
from rules.engine.history import History
from rules.notation.diagram import draw_table
from rules.notation.errors import MoveError, NotationError, RecordError, shortened
from rules.notation.game_match import game_of, other_rules
from rules.notation.play import PlayedMove
from rules.notation.reader import PpnGame, read_file, read_game
from rules.notation.record_referee import Judged, RecordReferee, Result, move_result
from rules.sentence import say


def replay_file(path: str | Path, *, forgiving: bool = False, diagrams: bool = False) -> Iterator[Result]:
    """One object for each game, each of its moves, and its end; NotationError for an unreadable file."""
    yield from replay_games(read_file(path, forgiving=forgiving), diagrams=diagrams)


def replay_games(games: Iterable[PpnGame], *, diagrams: bool = False) -> Iterator[Result]:
    for number, record in enumerate(games, 1):
        for result in replay_game(record, diagrams=diagrams):
            yield {"game": number, **result}


def replay_game(record: PpnGame, *, diagrams: bool = False) -> Iterator[Result]:
    found = game_of(record)
    unknown_rules = other_rules(record, found) if found else None
    if found is None or unknown_rules:
        referee: RecordReferee | _Viewer = _Viewer(unknown_rules.text if unknown_rules else None)
    else:
        referee = RecordReferee(found, record)
    yield _game_result(record, found, referee)
    error: NotationError | None = None
    try:
        for played in record.play():
            for picture, result in referee.look(played):
                yield _with_diagram(picture, result) if diagrams or isinstance(referee, _Viewer) else result
    except NotationError as raised:
        error = raised
        yield _error_result(error)
    for picture, result in referee.flush():
        yield _with_diagram(picture, result) if diagrams else result
    end = referee.end()
    yield {**end, "ok": False} if error else end


def _error_result(error: NotationError) -> Result:
    if isinstance(error, MoveError):
        return {"type": "error", "label": error.label, "text": error.raw, "error": error.reason.text}
    return {"type": "error", "error": str(error)}


def _with_diagram(played: PlayedMove, result: Result) -> Result:
    return {**result, "diagram": draw_table(played.table)}


def _game_result(record: PpnGame, found: AnyGame | None, referee: RecordReferee | _Viewer) -> Result:
    result: Result = {
        "type": "game",
        "name": record.name,
        "judged": isinstance(referee, RecordReferee),
        "moves": len(record.moves),
        "warnings": list(record.warnings),
    }
    return result if found is None else {**result, "id": found.card.id, "rules": found.card.version}


class _Viewer:
    """Shows the tables of an unknown game, or of one under other rules, without judging them."""

    def __init__(self, why_not: str | None) -> None:
        self._why_not = why_not
        self._count = 0

    def look(self, played: PlayedMove) -> Judged:
        self._count += 1
        return [(played, {**move_result(played, "shown"), "pieces": len(played.table)})]

    def flush(self) -> Judged:
        return []

    def end(self) -> Result:
        result: Result = {"type": "end", "judged": False, "tables": self._count}
        return {**result, "ok": False, "error": self._why_not} if self._why_not else result


def resume(text: str) -> History:
    """The history of the first game of a PPN file; NotationError if it cannot be read, judged or explained."""
    return history_of(read_game(text))


def history_of(record: PpnGame) -> History:
    """The history of a record; of several readings left at its end, of the first."""
    found = game_of(record)
    if found is None:
        why = say(
            "{game} is not one of our games",
            game=shortened(record.name) if record.name else say("a game without GameType"),
        )
        raise RecordError(why)
    if why_not := other_rules(record, found):
        raise RecordError(why_not)
    referee = RecordReferee(found, record)
    for played in record.play():
        _raise_if_refused(referee, referee.look(played))
    _raise_if_refused(referee, referee.flush())
    if not referee.hypotheses:
        raise RecordError(say("no table of the record is an opening of {game} as we know it", game=found.card.name))
    best = referee.hypotheses[0]
    history = History(found, best.first, (), dict(best.start.options), best.start.seats)
    for action in best.trail:
        history = history.play(action)
    return history


def _raise_if_refused(referee: RecordReferee, judged: Judged) -> None:
    for played, result in judged:
        if result["verdict"] == "refused":
            label, text = played.move.label, shortened(played.move.text)
            raise RecordError(say("move {label} {raw}: {reason}", label=label, raw=text, reason=referee.wrong))
