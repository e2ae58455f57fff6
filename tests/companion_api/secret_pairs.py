"""Pairs of games that differ only in what one seat keeps secret: written down game by game, apart from what the rules
themselves say is secret (`view` and `redact`), so that a rule that forgets to hide something is found out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.playout import walk
from rules.games import game

OPEN = (
    "alquerque", "breakthrough", "delegate_dash", "dodgem", "fuji_san", "jul_gonu",
    "konane", "penguin", "quatri", "zombie",
)  # fmt: skip
"""Games in which everybody knows everything that anybody knows."""


@dataclass(frozen=True)
class Pair:
    """`both` is done at either table, then each of `secrets` at its own. `knows` are the seats that know the secret;
    without them nobody does. `options` may be one for both tables or one for each."""

    name: str
    game: str
    knows: frozenset[int]
    both: tuple[str, ...] = ()
    secrets: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    options: tuple[dict[str, Any], dict[str, Any]] = field(default_factory=lambda: ({}, {}))

    @property
    def rules(self) -> AnyGame:
        return game(self.game)

    def strangers(self) -> list[int]:
        seats = len(self.rules.card.seats) and min(self.rules.card.seats)
        return [seat for seat in range(seats) if seat not in self.knows][:1]

    def __str__(self) -> str:
        return self.name


def pairs() -> list[Pair]:
    return [
        _chosen("global_warming", "commit", 3),
        _chosen("ice_floe", "commit_number", 5),
        _chosen("ice_floe", "commit_suit", 5),
        _taken(),
        _told_cards(),
        _told_city(),
        _cheese(),
        _temple(),
    ]


def _until(name: str, options: dict[str, Any], seed: int, there: Callable[[AnyGame, Any], bool]) -> Iterator[str]:
    """A random game up to a state where something may be done."""
    rules, state = game(name), game(name).start(options)
    rng = random.Random(seed)
    for _ in range(3000):
        if there(rules, state):
            return
        assert not rules.turn(state).is_over, "the game ended before it came to that"
        action = rules.sample(state, rng)
        yield action.id
        state = rules.advance(state, action)
    raise AssertionError("it never came to that")


def _after(name: str, options: dict[str, Any], done: tuple[str, ...]) -> Any:
    rules, state = game(name), game(name).start(options)
    for text in done:
        state = rules.advance(state, rules.read(state, text))
    return state


def _chosen(name: str, verb: str, seed: int) -> Pair:
    """Two different secret choices of seat 0."""

    def mine(rules: AnyGame, state: Any) -> list[Action]:
        return [a for a in islice(rules.legal(state), 500) if a.verb == verb and a.seat == 0]

    both = tuple(_until(name, {}, seed, lambda rules, state: len(mine(rules, state)) > 1))
    one, other, *_ = mine(game(name), _after(name, {}, both))
    return Pair(f"{name} {verb}", name, frozenset({0}), both, ((one.id,), (other.id,)))


FOUND = 28
"""A seed with which somebody takes a coin of two; where the rules change, the next that does is looked for."""


def _taken() -> Pair:
    """Decay with closed hands: which coin was taken is known to who took it and who lost it."""
    options = {"hands_open": False}

    def takes(rules: AnyGame, state: Any) -> list[Action]:
        found = [a for a in islice(rules.legal(state), 50) if a.verb == "take_coin"]
        return [a for a in found if a[0] == found[0][0]]

    for seed in (FOUND, *range(40)):
        try:
            both = tuple(_until("decay", options, seed, lambda rules, state: len(takes(rules, state)) > 1))
        except AssertionError:
            continue
        state = _after("decay", options, both)
        rules = game("decay")
        one, other, *_ = takes(rules, state)
        victim = next(seat for seat, suit in enumerate(state.suits) if "SMCA"[suit] == one[0])
        knows = frozenset({state.to_act, victim})
        return Pair("decay take_coin", "decay", knows, both, ((one.id,), (other.id,)), (options, options))
    raise AssertionError("nobody ever took a coin of two")


def _told_cards() -> Pair:
    both = tuple(_until("dectana", {}, 2, lambda rules, state: state.stage.value != "deal"))
    rules, state = game("dectana"), _after("dectana", {}, both)
    free = [card for card, count in state.unseen().items() if count > 1][:6]
    told = [f"0:tell({'+'.join(cards)})" for cards in (free[:3], free[3:])]
    assert not any(rules.refusal(state, rules.read(state, text)) for text in told)
    return Pair("dectana tell", "dectana", frozenset({0}), both, ((told[0],), (told[1],)))


def _told_city() -> Pair:
    both = tuple(_until("san_andreas", {}, 4, lambda rules, state: len(state.cities) > 1))
    state = _after("san_andreas", {}, both)
    city = state.cities[0]
    owner, (x, y) = state.owner(city.coin.suit), state.cell(city)
    told = [f"{owner}:tell(x{x}y{y},{value})" for value in ("4", "2")]
    return Pair("san_andreas tell", "san_andreas", frozenset({owner}), both, ((told[0],), (told[1],)))


def _cheese() -> Pair:
    """A laid board of which nobody has seen the lower sides."""
    board = "c3:S0+f6:S1+d4:M0+b6:M1+g3:C0+e7:C1+b4:A0+f4:A1+b2:S+e2:M+g5:C+d6:A"
    other = board.translate(str.maketrans("SMCA", "MSAC")).replace("b2:M+e2:S+g5:A+d6:C", "b2:S+e2:M+g5:C+d6:A")
    return Pair("four_blind_mice board", "four_blind_mice", frozenset(), options=({"board": board}, {"board": other}))


def _temple() -> Pair:
    """A prepared deal of the temple; nobody knows it before it is turned up."""
    tiles = [f"{suit}{value}" for suit in "SMCA" for value in "na2345"]
    deals = ("".join(tiles), "".join(reversed(tiles)))
    return Pair("tula deal", "tula", frozenset(), options=({"tiles": deals[0]}, {"tiles": deals[1]}))


def states_of(name: str, plies: int = 300) -> Iterator[tuple[Any, Action]]:
    """States of a random game, each with what was done in it."""
    yield from islice(walk(game(name), 6), plies)
