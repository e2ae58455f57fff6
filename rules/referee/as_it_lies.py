"""The table taken as it lies: the position that explains what is seen, whatever the rules say about how it came to be.

No game writes anything for it. A state is data, and `layout` says how it would lie: single things of the state are
changed, one after the other, as long as what should lie there then comes nearer to what is seen. Nothing that lies as
it should is touched, and what is found must be a position that the game can go on from, with all pieces of the set.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any, get_type_hints

from rules.engine.codec import decode, encode
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.referee.blindspots import NO_BLIND_SPOTS
from rules.referee.fit import Fit
from rules.referee.likelihood import View
from rules.referee.looking import Memory
from rules.referee.register import register
from rules.referee.tuning import TUNING, Taking, Tuning
from rules.sentence import SaidError, say
from rules.table.change import change_between
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable

_OF_PLAY = ("options", "seen", "phase", "to_act", "winners", "ending", "end", "trails")
"""What says nothing about how the table lies."""
_WHOSE = "to_act"


class UnclearTableError(SaidError):
    """No position of the game explains what is seen. `differences` are the pieces that keep it from doing so."""


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A state that lies as it is seen; `others` are the same with another seat to move."""

    state: Any
    effects: tuple[Effect, ...]
    others: dict[int, Any]


def as_it_lies(history: History, memory: Memory, observed: ObservedTable, tuning: Tuning = TUNING) -> TakenPosition:
    """UnclearTableError where the board is not seen, or where nothing that the game knows lies like that."""
    game, state = history.game, history.state
    layout = game.layout(state)
    found = register(layout, observed, memory.registration, tuning)
    if found is None:
        raise UnclearTableError(say("the board is not in the picture"))
    view = View(observed, found, layout, memory.blind or NO_BLIND_SPOTS, tuning=tuning)
    taken = _Search(game, view, state, time.monotonic() + tuning.taking.seconds, tuning).found()
    effects = told_as_moves(layout, game.layout(taken))
    return TakenPosition(taken, effects, dict(_others(game, taken)))


def told_as_moves(before: Layout, after: Layout) -> tuple[Effect, ...]:
    """What lies otherwise now, as effects, so that every phone shows it like a move."""
    change = change_between(before, after)
    moved = ((m.before, m.after) for m in change.moved if Zone.BOARD in (m.before.zone, m.after.zone))
    told = [Effect(EffectKind.MOVE, a.shown, a.key, _spot(b), _spot(a)) for b, a in moved]
    told += [Effect(EffectKind.PLACE, p.shown, p.key, None, _spot(p)) for p in change.added if p.zone is Zone.BOARD]
    return (
        *told,
        *(Effect(EffectKind.REMOVE, p.shown, p.key, _spot(p)) for p in change.removed if p.zone is Zone.BOARD),
    )


def _spot(placed: Placed) -> Spot:
    return Spot(placed.place, placed.x, placed.y, placed.zone, placed.seat)


def _others(game: AnyGame, state: Any) -> Iterator[tuple[int, Any]]:
    """The same position with each seat to move, where the game says that in one place."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT or not hasattr(state, _WHOSE):
        return
    for seat in range(max(game.card.seats)):
        try:
            other = replace(state, **{_WHOSE: seat})
            if game.turn(other).kind is TurnKind.SEAT and game.turn(other).seats == (seat,) and _goes_on(game, other):
                yield seat, other
        except (ValueError, TypeError, KeyError, IndexError):
            continue


def _goes_on(game: AnyGame, state: Any) -> bool:
    """Whether it is a position of the game at all: it can be written down, told and played on."""
    try:
        whole = game.decode(game.encode(state)) == state
        return whole and (game.turn(state).is_over or all(map(game.describe, islice(game.legal(state), 3))))
    except (ValueError, TypeError, KeyError, IndexError, AssertionError, ArithmeticError):
        return False


@dataclass
class _Search:
    """Goes from the state as it was towards the one that is seen."""

    game: AnyGame
    view: View
    first: Any
    until: float
    tuning: Tuning

    def __post_init__(self) -> None:
        self.set = _pieces(self.game.layout(self.first))

    def found(self) -> Any:
        state, layout = self.first, self.game.layout(self.first)
        fit = self.view.fit(layout)
        cost = self._cost(layout, fit)
        for _ in range(self.tuning.taking.steps):
            if fit.cost <= self.tuning.looking.good and self._lost(layout) == 0 and not fit.missing and not fit.extra:
                break
            best = self._step(state, layout, fit, cost)
            if best is None:
                break
            state, layout, fit, cost = best
        if fit.cost > self.tuning.looking.good or self._lost(layout) or not _goes_on(self.game, state):
            raise UnclearTableError(say("no position of this game lies like that"))
        return state

    def _step(self, state: Any, layout: Layout, fit: Fit, cost: float) -> tuple[Any, Layout, Fit, float] | None:
        """The best single change, or nothing that is better."""
        best: tuple[Any, Layout, Fit, float] | None = None
        tried: set[tuple[Placed, ...]] = {layout.pieces}
        for other, lies in self._nearby(state, layout, fit):
            if lies.pieces in tried or not self._is_to_the_point(layout, lies, fit):
                continue
            tried.add(lies.pieces)
            its = self.view.fit(lies)
            price = self._cost(lies, its)
            if price < (cost - self.tuning.taking.better if best is None else best[3] - 1e-6):
                best = other, lies, its, price
            if time.monotonic() > self.until:
                break
        return best

    def _nearby(self, state: Any, layout: Layout, fit: Fit) -> Iterator[tuple[Any, Layout]]:
        """States that differ in one thing, with how they lie; those that cannot be are passed over."""
        for other in (
            *self._measured(state, layout, fit),
            *_changed(state, [place.name for place in layout.places], self.tuning.taking),
        ):
            if time.monotonic() > self.until:
                return
            try:
                yield other, self.game.layout(other)
            except (ValueError, TypeError, KeyError, IndexError, AssertionError, ArithmeticError):
                continue

    def _measured(self, state: Any, layout: Layout, fit: Fit) -> Iterable[Any]:
        """Pieces that lie anywhere, laid where they are seen: what a coordinate does is learnt by changing it."""
        wrong = {p.key: p for p in (*fit.missing, *(placed for placed, _ in fit.odd))}
        seen = [*fit.extra, *(one for _, one in fit.odd)]
        for name, path, pair in _pairs(state):
            moved = _edited(state, name, path, [pair[0] + self.tuning.taking.shift, pair[1]])
            try:
                lies = self.game.layout(moved) if moved is not None else None
            except (ValueError, TypeError, KeyError, IndexError, AssertionError, ArithmeticError):
                continue
            for key, placed in wrong.items():
                other = lies.keyed(key) if lies is not None else None
                step = (other.x - placed.x) / self.tuning.taking.shift if other is not None else 0.0
                if abs(step) < 1e-6:
                    continue
                for one in seen:
                    spot = [pair[0] + round((one.x - placed.x) / step), pair[1] + round((one.y - placed.y) / step)]
                    if (put := _edited(state, name, path, spot)) is not None:
                        yield put

    def _is_to_the_point(self, before: Layout, after: Layout, fit: Fit) -> bool:
        """What lies as it is seen stays there, and what comes lies where something is seen."""
        wrong = {_lying(p) for p in (*fit.missing, *(placed for placed, _ in fit.odd))}
        old, new = {_lying(p): p for p in before.board}, {_lying(p): p for p in after.board}
        gone, come = old.keys() - new.keys(), [new[lying] for lying in new.keys() - old.keys()]
        if not gone and not come:
            return self._lost(after) < self._lost(before)
        seen = [*fit.extra, *(one for _, one in fit.odd)]
        return gone <= wrong and all(
            any(math.hypot(p.x - s.x, p.y - s.y) < self.tuning.taking.near for s in seen) for p in come
        )

    def _cost(self, layout: Layout, fit: Fit) -> float:
        return fit.cost + self.tuning.taking.lost * self._lost(layout)

    def _lost(self, layout: Layout) -> int:
        """How many pieces of the set would be nowhere, or twice."""
        now = _pieces(layout)
        return (now - self.set).total() + (self.set - now).total()


def _pieces(layout: Layout) -> Counter[str]:
    return Counter(placed.piece.code for placed in layout)


def _lying(placed: Placed) -> tuple[object, ...]:
    return (placed.shown.code, round(placed.x, 2), round(placed.y, 2), placed.face, placed.pose, placed.lean)


# One thing of a state otherwise -----------------------------------------------------------------------------------


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _written(state: Any) -> dict[str, Any]:
    names = (field.name for field in dataclasses.fields(state) if field.init and field.name not in _OF_PLAY)
    return {name: encode(getattr(state, name)) for name in names}


def _edited(state: Any, name: str, path: tuple[Any, ...], value: Any) -> Any | None:
    """The state with one thing of a field otherwise; None where it cannot be."""
    try:
        told = decode(_hints(state.__class__)[name], _put(encode(getattr(state, name)), path, value))
        return replace(state, **{name: told})
    except (ValueError, TypeError, KeyError, IndexError):
        return None


def _put(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    if isinstance(tree, dict):
        return {key: _put(item, path[1:], value) if key == path[0] else item for key, item in tree.items()}
    return [_put(item, path[1:], value) if i == path[0] else item for i, item in enumerate(tree)]


def _changed(state: Any, places: list[str], taking: Taking) -> Iterator[Any]:
    """Every state that differs in one thing: a place, a number, a bit of a board; two things exchanged; something taken
    from one list to another."""
    for name, tree in _written(state).items():
        for path, value in (*_single(tree, places, taking), *_exchanged(tree), *_carried(tree)):
            if (other := _edited(state, name, path, value)) is not None:
                yield other


Edit = tuple[tuple[Any, ...], Any]


def _leaves(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[Edit]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    if not isinstance(tree, (dict, list)):
        yield path, tree
    for key, item in items:
        yield from _leaves(item, (*path, key))


def _single(tree: Any, places: list[str], taking: Taking) -> Iterator[Edit]:
    leaves = list(_leaves(tree))
    words = {leaf for _, leaf in leaves if isinstance(leaf, str)}
    numbers = range(-2, max(len(places), taking.numbers) + 1)
    board = _is_board(tree, len(places), taking)
    for path, leaf in leaves:
        others: Iterable[Any] = ()
        if isinstance(leaf, bool):
            others = (not leaf,)
        elif isinstance(leaf, str):
            others = (*words, *places, "")
        elif isinstance(leaf, int):
            others = (leaf ^ (1 << bit) for bit in range(len(places))) if board else numbers
        elif leaf is None:
            others = (*words, *places, *numbers)
        yield from ((path, other) for other in others if other != leaf)


def _is_board(tree: Any, places: int, taking: Taking) -> bool:
    """Whether numbers are sets of places, bit by bit: they are larger than any count or place."""
    numbers = tree if isinstance(tree, list) else [tree]
    return all(type(number) is int for number in numbers) and max(numbers, default=0) > max(places, taking.numbers)


def _exchanged(tree: Any) -> Iterator[Edit]:
    """Two things of one list that lie for each other."""
    for path, items in _lists(tree):
        for i in range(len(items)):
            for j in range(i + 1, len(items)):
                if items[i] != items[j]:
                    swapped = [*items]
                    swapped[i], swapped[j] = items[j], items[i]
                    yield path, swapped


def _carried(tree: Any) -> Iterator[Edit]:
    """The top of one heap laid on another."""
    for path, heaps in _lists(tree):
        if not heaps or not all(isinstance(heap, list) for heap in heaps):
            continue
        for i, heap in enumerate(heaps):
            for j in range(len(heaps)):
                if heap and i != j:
                    laid = [[*other] for other in heaps]
                    laid[j].append(laid[i].pop())
                    yield path, laid


def _lists(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    if isinstance(tree, list):
        yield path, tree
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, item in items:
        yield from _lists(item, (*path, key))


def _pairs(state: Any) -> Iterator[tuple[str, tuple[Any, ...], list[int]]]:
    """Everything that looks like a spot: two numbers in a list of such."""
    for name, tree in _written(state).items():
        for path, items in _lists(tree):
            if path and len(items) == 2 and all(type(number) is int for number in items):
                yield name, path, items
