"""Goes through a PPN file table by table: judges it if it is of a game of ours, draws it in any case.

`replay_file` is what `companion replay` prints; every result is a plain JSON object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rules.engine.contract import AnyGame
from rules.notation.diagram import draw_table
from rules.notation.errors import MoveError, NotationError
from rules.notation.game_match import game_of, other_rules
from rules.notation.play import PlayedMove
from rules.notation.reader import PpnGame, read_file
from rules.notation.record_referee import Judged, RecordReferee, Result, told


def replay_file(path: str | Path, *, forgiving: bool = False, diagrams: bool = False) -> Iterator[Result]:
    """One object for each game, each of its moves, and its end. A file that cannot be read raises NotationError."""
    yield from replay_games(read_file(path, forgiving=forgiving), diagrams=diagrams)


def replay_games(games: Iterable[PpnGame], *, diagrams: bool = False) -> Iterator[Result]:
    for number, record in enumerate(games, 1):
        for result in replay_game(record, diagrams=diagrams):
            yield {"game": number, **result}


def replay_game(record: PpnGame, *, diagrams: bool = False) -> Iterator[Result]:
    found = game_of(record)
    unknown_rules = other_rules(record, found) if found else None
    if found is None or unknown_rules:
        referee: RecordReferee | _Show = _Show(unknown_rules.text if unknown_rules else None)
    else:
        referee = RecordReferee(found, record)
    yield _announced(record, found, referee)
    error: NotationError | None = None
    try:
        for played in record.play():
            for picture, result in referee.look(played):
                yield _drawn(picture, result) if diagrams or isinstance(referee, _Show) else result
    except NotationError as stopped:
        error = stopped
        yield _broken(error)
    for picture, result in referee.flush():
        yield _drawn(picture, result) if diagrams else result
    end = referee.end()
    yield {**end, "ok": False} if error else end


def _broken(error: NotationError) -> Result:
    if isinstance(error, MoveError):
        return {"type": "error", "label": error.label, "text": error.raw, "error": error.reason.text}
    return {"type": "error", "error": str(error)}


def _drawn(played: PlayedMove, result: Result) -> Result:
    return {**result, "diagram": draw_table(played.table)}


def _announced(record: PpnGame, found: AnyGame | None, referee: RecordReferee | _Show) -> Result:
    result: Result = {
        "type": "game",
        "name": record.name,
        "judged": isinstance(referee, RecordReferee),
        "moves": len(record.moves),
        "warnings": list(record.warnings),
    }
    return result if found is None else {**result, "id": found.card.id, "rules": found.card.version}


class _Show:
    """A game that we do not know, or under rules that we do not have: its tables are shown, not judged."""

    def __init__(self, why_not: str | None) -> None:
        self._why_not = why_not
        self._count = 0

    def look(self, played: PlayedMove) -> Judged:
        self._count += 1
        return [(played, {**told(played, "shown"), "pieces": len(played.table)})]

    def flush(self) -> Judged:
        return []

    def end(self) -> Result:
        result: Result = {"type": "end", "judged": False, "tables": self._count}
        return {**result, "ok": False, "error": self._why_not} if self._why_not else result
