"""Dectana: cards that are the board, pyramids that point, six suits that create, grow, move, steal, destroy and
draw (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import Action, Effect, Game, GameCard, Outcome, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import UNTOLD
from rules.engine.turn import OVER, chance, of_seat
from rules.games.dectana.actions import PASS, VERBS, is_exhaustive, legal_for, legal_in, sample_in, shorthand
from rules.games.dectana.checks import why_not
from rules.games.dectana.ground import UNKNOWN
from rules.games.dectana.hints import attempts, places_of, suggestions
from rules.games.dectana.opening import Held, Options, Stage, State, opening_state
from rules.games.dectana.picture import diagram_of, layout_of
from rules.games.dectana.position import read_position
from rules.games.dectana.turns import apply_action
from rules.table.change import Change
from rules.table.layout import Layout

CARD = GameCard(
    id="dectana",
    name="Dectana",
    version=1,
    seats=(2, 3, 4, 5),
    options_type=Options,
    verbs=VERBS,
    turn_clause="DEC-4.0",
    action_clause="DEC-4.0",
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="two Decktets, three small, medium and large pyramids of one colour per player",
    hidden=True,
    designer="Ryan Hackel",
    minutes="30-60",
    summary="Find and hold the most valuable territories of a board made of cards.",
)


class Dectana(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        if state.stage is Stage.OVER:
            return OVER
        if state.stage is Stage.DEAL:
            return chance(state.stage.value)
        if state.stage is Stage.REVEAL:
            return chance(state.stage.value, state.to_act)
        return of_seat(state.to_act, state.stage.value)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if state.stage is Stage.OVER:
            return ()
        if seat in (None, state.to_act) or state.stage is Stage.DEAL:
            return legal_in(state)
        return legal_for(state, seat) if 0 <= seat < state.seats else ()

    def exhaustive(self, state: State) -> bool:
        return is_exhaustive(state)

    def sample(self, state: State, rng: random.Random) -> Action:
        return sample_in(state, rng)

    def is_common(self, action: Action) -> bool:
        """Three aces may be shown, and own cards entered, by anybody at any time."""
        return action.verb in ("end_game", "tell")

    def check(self, state: State, action: Action) -> Refusal | None:
        return why_not(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        after = apply_action(state, action, story)
        return Step(after, tuple(story))

    def layout(self, state: State) -> Layout:
        return layout_of(state)

    def diagram(self, state: State) -> str:
        return diagram_of(state)

    def touches(self, action: Action) -> tuple[str, ...]:
        """A pyramid is named by its space; a flat one also touches the space it points at."""
        named = (place for word in super().touches(action) for place in places_of(word))
        return tuple(dict.fromkeys(named))

    def describe(self, action: Action) -> str:
        return "pass: turn nothing" if action == PASS else super().describe(action)

    def outcome(self, state: State) -> Outcome:
        scores = state.scores()
        if state.stage is not Stage.OVER:
            return Outcome(scores=scores)
        ranks = [(points, len(state.own(seat))) for seat, points in enumerate(scores)]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        tied = scores.count(max(scores)) > 1
        how = f"{max(scores)} points" + (f" and {max(ranks)[1]} pyramids on the board" if tied else "")
        end = "the last turn was played" if state.ended == "max_turns" else f"{state.ended} showed three aces"
        return Outcome(True, winners, scores, f"{end}; {how}", "DEC-5.3")

    def view(self, state: State, seat: int | None) -> State:
        """Hands are their owners'; what everybody saw go there stays visible."""
        hands = tuple(
            hand if owner == seat else tuple(sorted(held if held.public else Held(UNKNOWN) for held in hand))
            for owner, hand in enumerate(state.hands)
        )
        return replace(state, hands=hands)

    def redact(self, state: State, action: Action, seat: int | None) -> Action | None:
        """Cards that were entered are for their owner alone (DEC-6.2); the others know how many they were."""
        if action.verb != "tell" or seat == self.actor(state, action):
            return action
        return Action("tell", ("+".join(UNTOLD for _ in action[0].split("+")),), action.seat)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        return suggestions(state, change, tuple(self.legal(state)))

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        return attempts(state, change)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, seats)

    def shorthand(self, state: State, text: str) -> Action | None:
        return shorthand(state, text)


GAME = Dectana()
