"""Delegate Dash: four candidates, five rounds of caucuses and a convention (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.delegate_dash.chart import CANDIDATES, REGION_SUITS, TITLES
from rules.games.delegate_dash.checks import check
from rules.games.delegate_dash.choices import actions_of, random_action
from rules.games.delegate_dash.hints import attempts, readings
from rules.games.delegate_dash.opening import CHANCE_PHASES, Options, Phase, State, opening_state
from rules.games.delegate_dash.picture import layout_of
from rules.games.delegate_dash.play import act
from rules.games.delegate_dash.positions import position_of
from rules.games.delegate_dash.reading import candidate_of
from rules.table.change import Change
from rules.table.layout import Layout

_P = ParamKind
_WHO = _P.WORD
_FOUR_DICE: dict[str, ParamKind | str] = {
    "first": _P.NUMBER,
    "second": "number?",
    "third": "number?",
    "fourth": "number?",
}
CARD = GameCard(
    id="delegate_dash",
    name="Delegate Dash",
    version=1,
    seats=(1, 2, 3, 4),
    options_type=Options,
    verbs=(
        verb(
            "deal",
            "the states are arms {arms}, suns {suns}, crowns {crowns}, moons {moons}",
            "DASH-3.1",
            arms=_P.WORD,
            suns=_P.WORD,
            crowns=_P.WORD,
            moons=_P.WORD,
        ),
        verb(
            "roll",
            "the dice show arms {arms}, suns {suns}, crowns {crowns}, moons {moons}",
            "DASH-4.3",
            arms=_P.NUMBER,
            suns=_P.NUMBER,
            crowns=_P.NUMBER,
            moons=_P.NUMBER,
        ),
        verb("reveal", "on {state} lie {values}", "DASH-4.2", state=_P.PLACE, values=_P.LIST),
        verb("dice", "the dice show {first} {second} {third} {fourth}", "DASH-4.8", **_FOUR_DICE),
        verb("move", "{candidate} goes to {state}", "DASH-4.4", candidate=_WHO, state=_P.PLACE),
        verb("stay", "{candidate} stays", "DASH-4.5", candidate=_WHO),
        verb(
            "surrender",
            "{candidate} surrenders {coin} to move again",
            "DASH-4.6",
            candidate=_WHO,
            coin=_P.PIECE,
        ),
        verb("done", "{candidate} is done", "DASH-4.6", candidate=_WHO),
        verb("caucus", "the caucus of {state}", "DASH-4.7", state=_P.PLACE),
        verb("take", "{candidate} takes {coin}", "DASH-4.8", candidate=_WHO, coin=_P.PIECE),
        verb("shed", "{candidate} gives up all of {region}", "DASH-5.3", candidate=_WHO, region=_P.SUIT),
    ),
    turn_clause="DASH-4.3",
    turn_clauses={
        Phase.AFTER: "DASH-4.6",
        Phase.CAUCUS: "DASH-8.4",
        Phase.TAKE: "DASH-4.8",
        Phase.SHED: "DASH-5.3",
    },
    action_clause="DASH-4.1",
    seat_suits=REGION_SUITS,
    turns=(TurnKind.CHANCE, TurnKind.SEAT),
    needs="one piecepack",
    designer="Chrystal and Glenn Overby",
    minutes="30",
    summary="Campaign from state to state for delegates and survive the convention.",
)


class DelegateDash(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        if state.phase is Phase.OVER:
            return OVER
        if state.phase in CHANCE_PHASES:
            return chance(state.phase.value)
        return of_seat(state.seat_for(_who_acts(state)), state.phase.value)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        turn = self.turn(state)
        if seat is not None and turn.kind is TurnKind.SEAT and seat not in turn.seats:
            return iter(())
        return actions_of(state)

    def exhaustive(self, state: State) -> bool:
        """There are 200 million maps; one stands for all."""
        return state.phase is not Phase.DEAL

    def sample(self, state: State, rng: random.Random) -> Action:
        return random_action(state, rng)

    def check(self, state: State, action: Action) -> Refusal | None:
        return check(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        telling = act(state, action)
        return Step(telling.state, tuple(telling.effects))

    def layout(self, state: State) -> Layout:
        return layout_of(state)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        return readings(state, change)

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        """What may have been tried on the table, legal or not; `refusal` says what is wrong with it."""
        return attempts(state, change)

    def outcome(self, state: State) -> Outcome:
        seats = [candidate for candidate in range(4) if state.players[candidate] is not None]
        seats.sort(key=lambda candidate: state.players[candidate] or 0)
        scores = tuple(state.total(candidate) for candidate in seats)
        alone = [candidate for candidate in range(4) if state.is_automatic(candidate)]
        others = tuple((REGION_SUITS[candidate].value, state.total(candidate)) for candidate in alone)
        if state.winner is None:
            return Outcome(scores=scores, others=others)
        player = state.players[state.winner]
        reason = f"{TITLES[state.winner]} has {state.total(state.winner)} of 608 delegates"
        if player is None:
            reason += " and no player: all players lose"
        winners = () if player is None else (player,)
        return Outcome(True, winners, scores, reason, state.ending, others=others)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return position_of(data, options, seats)

    def diagram(self, state: State) -> str:
        """The table, then what every candidate holds, by name and in delegates."""
        held = []
        for candidate, title in enumerate(TITLES):
            names = [state.name_of(marker) for marker in state.markers_of(candidate)]
            held.append(f"{title}: {state.total(candidate)} {' '.join(names)}".rstrip())
        return "\n".join([super().diagram(state), *held])

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "N d5" or "north An" is a move; "N stays", "N done"."""
        words = text.split()
        candidate = candidate_of(words[0]) if len(words) == 2 else None
        if candidate is None:
            return None
        name = CANDIDATES[candidate]
        if words[1] in ("stay", "stays", "done"):
            return Action(words[1].rstrip("s"), (name,))
        return Action("take" if state.phase is Phase.TAKE else "move", (name, words[1]))


def _who_acts(state: State) -> int:
    if state.phase is Phase.TAKE:
        return state.takers[0]
    if state.phase is Phase.SHED:
        return state.shedders[0]
    return state.holder if state.phase is Phase.CAUCUS else state.order[0]


GAME = DelegateDash()
