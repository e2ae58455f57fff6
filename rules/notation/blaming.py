"""Why a change of the table cannot be: what it may have been meant as, and the rule against that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rules.engine.action import Action, ParamKind
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.table.change import Change

_FORMAL = (Code.UNKNOWN_ACTION, Code.BAD_ARGUMENT, Code.NO_SUCH_PLACE, Code.NO_SUCH_PIECE, Code.WRONG_PHASE)


def why_not(game: AnyGame, state: Any, change: Change) -> tuple[Action, Refusal] | None:
    """What this change could have meant, and the rule against it; the most telling refusal."""
    tried = ((action, game.refusal(state, action)) for action in _attempts(game, change))
    refused = [(action, refusal) for action, refusal in tried if refusal is not None]
    return min(refused, key=lambda pair: pair[1].code in _FORMAL, default=None)


def _attempts(game: AnyGame, change: Change) -> Iterator[Action]:
    """Every verb that only names places, filled with where something came from and went to."""
    for ways in islice(_ways(change), 20):
        for verb in game.card.verbs:
            wanted = [param for param in verb.params if not param.optional]
            if wanted and all(param.kind is ParamKind.PLACE for param in wanted) and len(ways) >= len(wanted):
                yield Action(verb.name, ways[-len(wanted) :])


def _ways(change: Change) -> Iterator[tuple[str, ...]]:
    """From and to, as far as they have names; what came and what went may be the same piece."""
    pairs = [(move.before.place, move.after.place) for move in change.moved]
    pairs += [(gone.place, new.place) for gone in change.removed for new in change.added]
    pairs += [(placed.place, "") for placed in (*change.removed, *change.added)]
    return (tuple(filter(None, pair)) for pair in pairs)
