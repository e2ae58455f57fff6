"""A record in PPN as a game that can be gone on with: it is refereed, and what was understood is played again."""

from __future__ import annotations

from typing import Any

from rules.engine.history import History
from rules.notation.casting import game_of, other_rules
from rules.notation.errors import RecordError, RulesVersionError, shortened
from rules.notation.reader import PpnGame, read_game
from rules.notation.trial import Judged, Trial


def resume(text: str, *, forgiving: bool = False) -> History:
    """The first game of a PPN file; NotationError with one line if it cannot be read, judged or understood."""
    return history_of(read_game(text, forgiving=forgiving))


def history_of(record: PpnGame) -> History:
    """Of several readings that the tables allow to the end, the first."""
    found = game_of(record)
    if found is None:
        raise RecordError(f"{shortened(record.name or 'a game without GameType')} is no game of ours")
    if why_not := other_rules(record, found):
        raise RulesVersionError(why_not)
    trial = Trial(found, record)
    for played in record.play():
        _refuse_what_was_refused(trial.look(played))
    _refuse_what_was_refused(trial.flush())
    if not trial.hypotheses:
        raise RecordError(str(trial.end()["error"]))
    best = trial.hypotheses[0]
    history = History(found, best.first, (), dict(best.cast.options), best.cast.seats)
    for action in best.trail:
        history = history.play(action)
    return history


def _refuse_what_was_refused(judged: Judged) -> None:
    for _, result in judged:
        if result["verdict"] == "refused":
            raise RecordError(_words(result))


def _words(result: dict[str, Any]) -> str:
    where = f"move {result['label']} {shortened(result['text'])}".strip()
    refusal = result["refusal"]
    why = f"{refusal['text']} ({refusal['clause']})" if refusal else "no legal action leads to this table"
    return f"{where}: {'; '.join(result['differs'][:3])}: {why}"
