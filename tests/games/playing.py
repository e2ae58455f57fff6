"""Short ways in which the tests of a game set up a position, play on and ask for refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.engine.card import read_options, read_seats
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect


@dataclass(frozen=True)
class Player:
    """Plays one game; `seats`: those of a position for which the test names none."""

    game: AnyGame
    seats: object = None

    def position(self, options: Any = None, seats: Any = None, **fields: Any) -> Any:
        card = self.game.card
        chosen: Any = read_options(card.options_type, options)
        return self.game.position(fields, chosen, read_seats(card, self.seats if seats is None else seats))

    def refused(self, state: Any, text: str) -> str | None:
        """The clause that forbids the action; None if it is legal."""
        refusal = self.game.refusal(state, self.game.read(state, text))
        return refusal.clause if refusal else None

    def done(self, state: Any, *texts: str) -> tuple[Any, tuple[Effect, ...]]:
        """The state after these legal actions, and all their effects."""
        effects: tuple[Effect, ...] = ()
        for text in texts:
            action = self.game.read(state, text)
            refusal = self.game.refusal(state, action)
            assert refusal is None, f"{text}: {refusal}"
            step = self.game.apply(state, action)
            state, effects = step.state, effects + step.effects
        return state, effects

    def play(self, state: Any, *texts: str) -> Any:
        return self.done(state, *texts)[0]

    def play_line(self, state: Any, line: str) -> Any:
        """The state after the actions of a line, apart by blanks."""
        return self.play(state, *line.split())

    def ids(self, state: Any) -> set[str]:
        return {action.id for action in self.game.legal(state)}
