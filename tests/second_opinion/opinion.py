"""What a second implementation answers, and how two of them are compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rules.engine.contract import AnyGame


@dataclass(frozen=True)
class End:
    winners: tuple[int, ...]
    drawn: bool = False


class Opinion(Protocol):
    """A game under way; `play` changes it."""

    def legal(self) -> set[str]: ...

    def play(self, action: str) -> None: ...

    def to_act(self) -> int | None:
        """The seat, None where chance decides."""

    def table(self) -> Any:
        """What lies on the table, in the terms of `seen`."""

    def end(self) -> End | None: ...

    def scores(self) -> tuple[int, ...] | None:
        """None while the order in which things score is nobody's business."""

    def seen(self, game: AnyGame, state: Any) -> Any:
        """The same of the other implementation, from its layout."""


def spelt(action: str) -> tuple[int | None, str, list[str]]:
    """Seat (where one is named), verb and arguments of "0:commit(S2)" or "begin(1)"."""
    before, _, rest = action.rpartition(":") if action[:1].isdigit() else ("", "", action)
    verb, _, inside = rest.removesuffix(")").partition("(")
    return int(before) if before else None, verb, inside.split(",") if inside else []


def coins_by_place(game: AnyGame, state: Any) -> dict[str, list[str]]:
    """The suits of the coins on every place, from the bottom up."""
    found: dict[str, list[tuple[int, str]]] = {}
    for placed in game.layout(state).board:
        if placed.piece.kind.value == "coin":
            found.setdefault(placed.place, []).append((placed.level, placed.piece.code[1]))
    return {place: [letter for _, letter in sorted(stack)] for place, stack in found.items()}


def compare(
    game: AnyGame,
    opinion: Opinion,
    seed: int,
    options: Mapping[str, object],
    seats: Any = None,
    limit: int = 400,
    begun: Sequence[str] = (),
    *,
    wish: Callable[[], str | None] = lambda: None,
    stop: Callable[[], bool] = lambda: False,
    ask: Callable[[random.Random], Mapping[str, bool]] = lambda _: {},
) -> int:
    """Play one random game, after the moves that it begins with, and ask both after every action; returns how many
    actions there were. `wish`: an action that is done instead of one by luck; `stop`: whether the second opinion ends
    here; `ask`: actions where too many are legal to list them, and whether the second opinion has them for legal."""
    rng = random.Random(seed)
    state = game.start(options, seats)
    for plies in range(limit):
        if stop():
            return plies
        where = f"{game.card.id} seed {seed} {dict(options)} ply {plies}"
        assert opinion.table() == opinion.seen(game, state), where
        outcome, end = game.outcome(state), opinion.end()
        assert outcome.over == (end is not None), f"{where}: {outcome}"
        assert opinion.scores() in (None, outcome.scores), where
        if end is not None:
            assert (set(outcome.winners), outcome.drawn) == (set(end.winners), end.drawn), f"{where}: {outcome}"
            return plies
        assert game.turn(state).seat == opinion.to_act(), where
        if game.exhaustive(state):
            assert {action.id for action in game.legal(state)} == opinion.legal(), where
        for text, legal in ask(rng).items():
            assert (game.refusal(state, game.read(state, text)) is None) == legal, f"{where}: {text}"
        wanted = begun[plies] if plies < len(begun) else wish()
        action = game.read(state, wanted) if wanted else game.sample(state, rng)
        state = game.apply(state, action).state
        opinion.play(action.id)
    return limit
