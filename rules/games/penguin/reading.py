"""What a change on the table may mean where the verbs alone do not tell: the coins that have been laid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from rules.engine import Action
from rules.games.penguin.ice import dealt_letters
from rules.games.penguin.opening import UNKNOWN, State, deal_order
from rules.pieces import Kind
from rules.table.change import Change


def deals_seen(state: State, change: Change) -> Iterator[Action]:
    """What the coins that came to lie say. Where the first level is complete, the second may be too: from above its
    lower coins are not seen."""
    coins = [placed for placed in (*change.added, *(move.after for move in change.moved)) if placed.piece.suit]
    seen = {p.place: p.piece.suit.letter for p in coins if p.piece.kind is Kind.COIN and p.piece.suit}
    order = deal_order(state.options)
    dealt = len(dealt_letters(state))
    cells = len(state.stacks)
    names = state.board.names
    if dealt < cells:
        new = [seen.get(names[cell], "") for cell in order[dealt:cells]]
        first = "".join(takewhile(bool, new))
        if first:
            yield Action("deal", (first,))
        if not dealt and len(first) == cells:
            yield Action("deal", (_seen_through(first, order),))
        return
    tops = [seen.get(names[cell], "") for cell in order[dealt:]]
    last = max((index for index, letter in enumerate(tops) if letter), default=-1)
    under = [state.suits[state.stacks[cell][-1]] for cell in order[dealt:]]
    if last >= 0:
        yield Action("deal", ("".join(letter or same for letter, same in zip(tops[: last + 1], under, strict=False)),))


def _seen_through(first: str, order: tuple[int, ...]) -> str:
    """All coins, if what is seen on the second level's spaces are its coins."""
    upper = order[len(first) :]
    lower = "".join(UNKNOWN if cell in upper else letter for cell, letter in zip(order, first, strict=False))
    return lower + "".join(first[order.index(cell)] for cell in upper)
