"""Actions that somebody may have attempted, legal or not: the game's verbs with arguments from what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from rules.engine.action import Action, Param, ParamKind, Verb
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.pieces import SUITS, Piece
from rules.referee.tuning import TUNING, AttemptLimits
from rules.table.change import Change

# Reasons about the form of an action, not about what was done.
_FORMAL = (Code.UNKNOWN_ACTION, Code.BAD_ARGUMENT, Code.NO_SUCH_PLACE, Code.NO_SUCH_PIECE, Code.WRONG_PHASE)
_POINTING = (ParamKind.PLACE, ParamKind.PIECE)


@dataclass(frozen=True, slots=True)
class Subject:
    """A piece that came, went or moved, with its places before and after; without a piece, nothing certain."""

    piece: Piece | None = None
    source: str = ""
    target: str = ""


def attempts(game: AnyGame, state: Any, change: Change, limits: AttemptLimits = TUNING.attempt) -> Iterator[Action]:
    """Attempts as the game itself reads them from the change, then every verb with arguments from what changed, then
    legal actions turned towards it."""
    yield from game.attempts(state, change)
    legal: dict[str, list[Action]] = defaultdict(list)
    for action in islice(game.legal(state), limits.most_legal):
        legal[action.verb].append(action)
    turn = game.turn(state)
    for subject in (*subjects(change), Subject()):
        for verb in sorted(game.card.verbs, key=lambda v: -_pointing(v)):
            arguments = _Arguments(verb, subject, legal[verb.name], limits)
            for args in islice(arguments.lists(), limits.most_of_a_verb):
                yield Action(verb.name, args)
                for seat in turn.seats if len(turn.seats) > 1 else ():
                    yield Action(verb.name, args, seat)


def why_not(
    game: AnyGame, state: Any, change: Change, most: int, limits: AttemptLimits = TUNING.attempt
) -> tuple[Action, Refusal] | None:
    """What a change may have been meant as, and the rule against it; reasons about its form come last."""
    tried = islice(dict.fromkeys(attempts(game, state, change, limits)), most)
    refused = [(action, refusal) for action in tried if (refusal := game.refusal(state, action))]
    return min(refused, key=lambda pair: pair[1].code in _FORMAL, default=None)


def _pointing(verb: Verb) -> int:
    """Number of places and pieces that a verb names; more say more."""
    return sum(param.kind in _POINTING for param in verb.params)


def subjects(change: Change) -> Iterator[Subject]:
    for move in change.moved:
        yield Subject(move.before.piece, move.before.place, move.after.place)
    for gone, new in product(change.removed, change.added):
        yield Subject(gone.piece, gone.place, new.place)
    for new in change.added:
        yield Subject(new.piece, "", new.place)
    for gone in change.removed:
        yield Subject(gone.piece, gone.place, "")


@dataclass(frozen=True, slots=True)
class _Arguments:
    """The arguments with which a verb may be about a subject; `legal`: its legal actions."""

    verb: Verb
    subject: Subject
    legal: Sequence[Action]
    limits: AttemptLimits

    def lists(self) -> Iterator[tuple[str, ...]]:
        """The required arguments and, where the verb may name more places, all. Other verbs are about no piece."""
        params, required = self.verb.params, self.verb.required
        if _pointing(self.verb) or self.subject.piece is None:
            yield from self._of(params[:required])
        if _pointing(self.verb) and required < len(params) and params[required].kind in _POINTING:
            yield from self._of(params)

    def _of(self, params: Sequence[Param]) -> Iterator[tuple[str, ...]]:
        wanted = sum(param.kind is ParamKind.PLACE for param in params)
        for places in self._place_orders(wanted):
            order = iter(places)
            yield from product(*[self._pool(i, param, order) for i, param in enumerate(params)])

    def _place_orders(self, wanted: int) -> list[tuple[str, ...]]:
        """The orders in which a verb may name the places: from and to for two, either for one. What was only turned has
        not gone from one place to another."""
        ends = tuple(dict.fromkeys(filter(None, (self.subject.target, self.subject.source))))
        if wanted >= 2:
            return [tuple(reversed(ends)), ends] if len(ends) == 2 else []
        return [(end,) for end in ends] if wanted else [()]

    def _pool(self, index: int, param: Param, places: Iterator[str]) -> list[str]:
        """What one argument may be; `places`: those that are not named yet."""
        if param.kind is ParamKind.PLACE:
            return [place for place in islice(places, 1) if place]
        if param.kind is ParamKind.PIECE:
            return [self.subject.piece.code] if self.subject.piece else []
        used = dict.fromkeys(action.args[index] for action in self.legal if len(action.args) > index)
        own = _names_of(param.kind, self.subject.piece)
        if own:
            return [name for name in used if name in own] or own[:1]
        suits = [suit.value for suit in SUITS] if param.kind is ParamKind.SUIT else []
        return list(used)[: self.limits.most_values] or suits


def _names_of(kind: ParamKind, piece: Piece | None) -> list[str]:
    """The game's names for the suit or value of a piece."""
    if piece is None:
        return []
    if kind is ParamKind.SUIT and piece.suit is not None:
        return [piece.suit.value, piece.suit.letter]
    if kind is ParamKind.RANK and piece.rank is not None:
        return [piece.rank.word, piece.rank.letter]
    return []
