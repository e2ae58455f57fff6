"""What was done between two tables: the shortest legal sequence whose table is the one that lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from rules.engine.action import Action, ParamKind, parse_action
from rules.engine.contract import AnyGame
from rules.engine.refusal import Code, Refusal
from rules.notation.agreement import Agreement, Care, Seen, compare
from rules.pieces import Face, Kind, Piece
from rules.table.change import Change, Move
from rules.table.layout import Layout, Placed, Zone

MAX_DEPTH = 3
BEAM = 8
# Tables that are compared before a change is given up: first actions, and all of them together.
MAX_FIRST = 1_000
MAX_TABLES = 1_200


@dataclass(frozen=True, slots=True)
class Target:
    """The table to be explained, and how closely to look at it. `settled` lay there before and needs no reason."""

    seen: list[Seen]
    care: Care = Care.STRICT
    settled: frozenset[str] = frozenset()

    def line(self, game: AnyGame, actions: tuple[Action, ...], state: Any) -> Line:
        return Line(actions, state, compare(game.layout(state), self.seen, self.care, self.settled))


@dataclass(frozen=True, slots=True)
class Line:
    """Actions and the state they lead to; `agreement` compares its table with the one to be explained."""

    actions: tuple[Action, ...]
    state: Any
    agreement: Agreement

    @property
    def faults(self) -> int:
        return len(self.agreement.missing) + len(self.agreement.extra)


def explain(
    game: AnyGame,
    state: Any,
    target: Target,
    hints: Iterable[Action] = (),
    depth: int = MAX_DEPTH,
    tables: int = MAX_TABLES,
) -> list[Line]:
    """The shortest explanations, one for each state they lead to; none if nothing legal explains the table."""
    still = target.line(game, (), state)
    hinted = _hinted(game, still, target, hints)
    if hinted is not None:
        return [hinted]
    if still.agreement.is_full:
        return _learned(game, still, target) or [still]
    frontier = [still]
    left = tables
    for _ in range(depth):
        share = min(MAX_FIRST, left // max(len(frontier), 1))
        grown = [line for base in frontier for line in _grow(game, base, target, share)]
        left -= len(grown)
        full = [line for line in grown if line.agreement.is_full]
        if full:
            return _distinct(full)
        frontier = _kept(grown, still)
    return []


def _learned(game: AnyGame, still: Line, target: Target) -> list[Line]:
    """Dice that show what the game does not know yet may be the roll it waits for."""
    if not still.agreement.news or game.turn(still.state).is_over:
        return []
    change = change_of(game.layout(still.state), replace(still.agreement, extra=still.agreement.news))
    rolls = [action for action in game.suggest(still.state, change) if game.refusal(still.state, action) is None]
    lines = [target.line(game, (action,), game.advance(still.state, action)) for action in rolls[:20]]
    return _distinct([line for line in lines if line.agreement.is_full and not line.agreement.news])


def _hinted(game: AnyGame, still: Line, target: Target, hints: Iterable[Action]) -> Line | None:
    """The written action, if it is legal and leads to this very table."""
    told, line = Target(target.seen, Care.TOLD), None
    for action in hints:
        state = still.state if line is None else line.state
        if game.refusal(state, action) is not None:
            return None
        line = told.line(game, (*(line.actions if line else ()), action), game.advance(state, action))
    return line if line is not None and line.agreement.is_full else None


def hints_in(comment: str) -> list[Action]:
    """The action that our own records name at the beginning of a comment."""
    try:
        return [parse_action(comment.split(";", 1)[0].strip())]
    except ValueError:
        return []


def _grow(game: AnyGame, line: Line, target: Target, limit: int) -> Iterator[Line]:
    if game.turn(line.state).is_over:
        return
    for action in islice(_proposals(game, line), limit):
        yield target.line(game, (*line.actions, action), game.advance(line.state, action))


def _proposals(game: AnyGame, line: Line) -> Iterator[Action]:
    """What the game suggests for this change, then whatever else is legal."""
    tried = set()
    for action in game.suggest(line.state, change_of(game.layout(line.state), line.agreement)):
        if action not in tried and game.refusal(line.state, action) is None:
            tried.add(action)
            yield action
    for action in game.legal(line.state):
        if action not in tried:
            yield action


def _kept(grown: list[Line], still: Line) -> list[Line]:
    """The best few, and a few that changed nothing one sees: a vote may stand between two moves."""
    best = sorted(grown, key=lambda line: line.faults)[:BEAM]
    quiet = [line for line in grown if line.faults == still.faults and line not in best]
    return best + quiet[:BEAM]


def _distinct(lines: list[Line]) -> list[Line]:
    found: list[Line] = []
    for line in lines:
        if all(line.state != other.state for other in found):
            found.append(line)
    return found


# The difference as a change of the layout -----------------------------------------------------------------------


def change_of(layout: Layout, agreement: Agreement) -> Change:
    """Pieces that are not where they should be, matched with like ones that lie where none should."""
    moved: list[Move] = []
    gone = list(agreement.missing)
    extra = [*agreement.extra, *_other_dice(agreement)]
    for placed in agreement.missing:
        twin = _twin(placed, extra)
        if twin is not None:
            extra.remove(twin)
            gone.remove(placed)
            moved.append(Move(placed, _placed(twin, placed.key, layout, placed.piece)))
    added = tuple(_placed(seen, f"seen{index}", layout, None) for index, seen in enumerate(extra))
    return Change(added, tuple(gone), tuple(moved))


def _other_dice(agreement: Agreement) -> list[Seen]:
    """Dice are thrown together: where one shows something new, the others have been thrown too."""
    if all(seen.look.piece.kind is not Kind.DIE for seen in agreement.extra):
        return []
    return [seen for seen in agreement.dice if seen not in agreement.extra]


def _twin(placed: Placed, extra: list[Seen]) -> Seen | None:
    """The same piece elsewhere; or in the same place, turned over."""
    same_kind = [seen for seen in extra if seen.look.piece.kind is placed.piece.kind]
    here = [s for s in same_kind if abs(s.x - placed.x) < 0.3 and abs(s.y - placed.y) < 0.3]
    alike = [s for s in same_kind if _merged(placed.piece, s.look.piece) is not None and s.look.face is placed.face]
    return next(iter([*here, *alike]), None)


def _merged(known: Piece, shown: Piece) -> Piece | None:
    """What is known together; None if it contradicts itself."""
    for one, other in ((known.suit, shown.suit), (known.rank, shown.rank), (known.mark, shown.mark)):
        if one is not None and other is not None and one != other and known.kind is not Kind.DIE:
            return None
    return replace(known, suit=shown.suit or known.suit, rank=known.rank if shown.rank is None else shown.rank)


def _placed(seen: Seen, key: str, layout: Layout, known: Piece | None) -> Placed:
    piece = (known and _merged(known, seen.look.piece)) or seen.look.piece
    if piece.kind is Kind.COIN and piece.rank is None:
        piece = replace(piece, rank=seen.under)
    face: Face | None = seen.look.face
    return Placed(piece, key, seen.x, seen.y, face, pose=seen.look.pose, zone=Zone.BOARD, place=_place(layout, seen))


def _place(layout: Layout, seen: Seen) -> str:
    for place in layout.places:
        if abs(place.x - seen.x) <= place.width / 2 and abs(place.y - seen.y) <= place.height / 2:
            return place.name
    return ""


# Why not --------------------------------------------------------------------------------------------------------

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
