"""Prices of tiles, payments, and whether a pawn can move with them (DECAY-4.3 to 4.14)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules.games.decay.geometry import contacts
from rules.games.decay.opening import LETTERS, NO_COINS, Coins, State, suit_of, value_of

NOTHING = "-"
FREE: tuple[Coins, ...] = (NO_COINS,)


def plus(coins: Coins, more: Coins) -> Coins:
    try:
        return tuple(a + b for a, b in zip(coins, more, strict=True))
    except ValueError:
        return _unseen_change(coins, more)


def _unseen_change(coins: Coins, more: Coins) -> Coins:
    """With a closed hand, unseen coins are counted last: what the hand gives beyond its known coins was one of them."""
    known = [a + b for a, b in zip(coins, more, strict=False)]
    deficit = -sum(min(count, 0) for count in known)
    return (*(max(count, 0) for count in known), coins[-1] - deficit)


def minus(coins: Coins, less: Coins) -> Coins:
    try:
        return tuple(a - b for a, b in zip(coins, less, strict=True))
    except ValueError:
        return _unseen_change(coins, tuple(-count for count in less))


def one_coin(suit: int) -> Coins:
    return tuple(int(index == suit) for index in range(len(LETTERS)))


@lru_cache(maxsize=65536)
def spell(coins: Coins) -> str:
    """Coins as text, M+M+C; empty for none."""
    return "+".join(letter for letter, count in zip(LETTERS, coins, strict=False) for _ in range(count))


def suits_in(coins: Coins) -> list[str]:
    """The letters of the suits among known coins."""
    return [letter for letter, count in zip(LETTERS, coins, strict=False) if count]


def read_coins(text: str) -> Coins | None:
    """The inverse of `spell`, in any order; "-" also means nothing."""
    if text in ("", NOTHING):
        return NO_COINS
    letters = text.split("+")
    if not all(letter and letter in LETTERS for letter in letters):
        return None
    return tuple(letters.count(letter) for letter in LETTERS)


@lru_cache(maxsize=65536)
def payments(hand: Coins, suit: int, value: int) -> tuple[Coins, ...]:
    """All ways to pay for a tile (DECAY-4.4): one coin of its suit, or its value in coins of other suits."""
    if value == 0:
        return FREE
    found = [one_coin(suit)] if hand[suit] else []
    others = [0 if index == suit else count for index, count in enumerate(hand)]
    return (*found, *_combinations(tuple(others), value))


def _combinations(left: Coins, count: int) -> Iterator[Coins]:
    if not left:
        if count == 0:
            yield ()
        return
    for used in range(min(left[0], count), -1, -1):
        for rest in _combinations(left[1:], count - used):
            yield (used, *rest)


def entry_payments(state: State, tile: int, hand: Coins) -> tuple[Coins, ...]:
    """All ways to pay for a pawn's step onto a tile; a die makes it free (DECAY-4.5)."""
    return FREE if tile in state.dice else payments(hand, suit_of(tile), value_of(tile))


def occupant(state: State, tile: int) -> int | None:
    """The other seat with its pawn on the tile."""
    for seat, spot in enumerate(state.pawns):
        if spot == tile and seat != state.to_act:
            return seat
    return None


def may_end_on(state: State, tile: int) -> bool:
    return tile != state.start and occupant(state, tile) is None


def may_pass(state: State, tile: int) -> bool:
    return tile != state.start or state.options.revisit_start


def can_go_on(state: State, tile: int, hand: Coins, been: frozenset[int] = frozenset()) -> bool:
    """Whether a pawn with this hand can reach a tile where it may end (DECAY-4.10). No tile is visited twice, which
    would not help."""
    been |= {tile}
    for target in contacts(state.tiles, state.touch)[tile]:
        if may_end_on(state, target):
            if entry_payments(state, target, hand):
                return True
        elif target not in been and may_pass(state, target) and _can_pass(state, target, hand, been):
            return True
    return False


def _can_pass(state: State, tile: int, hand: Coins, been: frozenset[int]) -> bool:
    """Whether the pawn can continue after a step onto a tile where it may not stay."""
    after_price = (minus(hand, price) for price in entry_payments(state, tile, hand))
    return any(can_go_on(state, tile, rest, been) for left in after_price for _, rest in tolls(state, tile, left))


def can_move_pawn(state: State) -> bool:
    """Whether the seat to act has any complete pawn move (DECAY-4.12)."""
    here = state.pawns[state.to_act]
    return here is not None and can_go_on(state, here, state.hand(state.to_act))


def step_is_complete(state: State, tile: int, rest: Coins) -> bool:
    """Whether the pawn may stay on the tile, or continue with the coins left after payment and toll."""
    return may_end_on(state, tile) or can_go_on(state, tile, rest)


def tolls(state: State, tile: int, rest: Coins) -> Iterator[tuple[int | None, Coins]]:
    """Possible tolls for a tile, each with the hand that remains; (None, rest) where no toll is due."""
    owner = occupant(state, tile)
    if owner is None:
        yield None, rest
        return
    kept = state.purse(owner) == state.purse(state.to_act)
    for suit, count in enumerate(rest[: len(LETTERS)]):
        if count:
            yield suit, rest if kept else minus(rest, one_coin(suit))
