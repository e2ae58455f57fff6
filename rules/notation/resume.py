"""A record in PPN as a game that can be gone on with: it is refereed, and what was understood is played again."""

from __future__ import annotations

from rules.engine.history import History
from rules.notation.errors import RecordError, RulesVersionError, shortened
from rules.notation.game_match import game_of, other_rules
from rules.notation.reader import PpnGame, read_game
from rules.notation.record_referee import Judged, RecordReferee
from rules.sentence import say


def resume(text: str, *, forgiving: bool = False) -> History:
    """The first game of a PPN file; NotationError with one line if it cannot be read, judged or understood."""
    return history_of(read_game(text, forgiving=forgiving))


def history_of(record: PpnGame) -> History:
    """Of several readings that the tables allow to the end, the first."""
    found = game_of(record)
    if found is None:
        raise RecordError(
            say(
                "{game} is not one of our games",
                game=shortened(record.name) if record.name else say("a game without GameType"),
            )
        )
    if why_not := other_rules(record, found):
        raise RulesVersionError(why_not)
    trial = RecordReferee(found, record)
    for played in record.play():
        _refuse_what_was_refused(trial, trial.look(played))
    _refuse_what_was_refused(trial, trial.flush())
    if not trial.hypotheses:
        raise RecordError(say("no table of the record is an opening of {game} as we know it", game=found.card.name))
    best = trial.hypotheses[0]
    history = History(found, best.first, (), dict(best.cast.options), best.cast.seats)
    for action in best.trail:
        history = history.play(action)
    return history


def _refuse_what_was_refused(trial: RecordReferee, judged: Judged) -> None:
    for played, result in judged:
        if result["verdict"] == "refused":
            label, text = played.move.label, shortened(played.move.text)
            raise RecordError(say("move {label} {raw}: {reason}", label=label, raw=text, reason=trial.wrong))
