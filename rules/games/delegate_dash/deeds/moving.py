"""Deeds of movement: candidates move, stay, or surrender a marker for another move (DASH-4.4 to DASH-4.6)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import PIECE, PLACE
from rules.engine.refusal import Fact
from rules.engine.values import with_item
from rules.games.delegate_dash.chart import CANDIDATES, COINS, DISTANCES, GAP, NAMES, NULLS, TITLES
from rules.games.delegate_dash.deeds.common import (
    CANDIDATE,
    DashDeed,
    DashNarration,
    automatic_goals,
    can_reach,
    marker_of,
    place_of,
    required,
    wrong_candidate,
)
from rules.games.delegate_dash.deeds.rounds import begin_caucuses
from rules.games.delegate_dash.opening import POOL, Phase, State, clockwise
from rules.sentence import Joint, enumerated, say, several


class Stay(DashDeed):
    verb = Verb.of("stay", "{candidate} stays", "DASH-4.5", candidate=CANDIDATE)
    phases = (Phase.MOVE,)

    def legal(self, state: State) -> Iterator[Action]:
        candidate = state.order[0]
        if not state.is_automatic(candidate) or state.pawn_at(candidate) in automatic_goals(state, candidate):
            yield Action("stay", (CANDIDATES[candidate],))

    def check(self, state: State, action: Action) -> Refusal | None:
        candidate = state.order[0]
        if refusal := wrong_candidate(state, action[0]):
            return refusal
        return _check_automatic(state, candidate, state.pawn_at(candidate)) if state.is_automatic(candidate) else None

    def play(self, narration: DashNarration, action: Action) -> None:
        candidate = narration.state.order[0]
        facts = {"choice": "stays", "candidate": TITLES[candidate].text}
        narration.tell(EffectKind.CHOOSE, seat=narration.state.players[candidate], clause="DASH-4.5", facts=facts)
        _after_move(narration)


class Move(DashDeed):
    verb = Verb.of("move", "{candidate} goes to {state}", "DASH-4.4", candidate=CANDIDATE, state=PLACE)
    phases = (Phase.MOVE,)

    def legal(self, state: State) -> Iterator[Action]:
        goals, _ = _destinations(state)
        return (Action("move", (CANDIDATES[state.order[0]], NAMES[cell])) for cell in goals)

    def sample(self, state: State, rng: random.Random) -> Action:
        """Samples the whole phase, so that the goals of an automatic candidate are computed once."""
        name = CANDIDATES[state.order[0]]
        goals, may_stay = _destinations(state)
        found = [Action("move", (name, NAMES[cell])) for cell in goals]
        return rng.choice([Action("stay", (name,)), *found] if may_stay else found)

    def check(self, state: State, action: Action) -> Refusal | None:
        who, where = action.args
        if refusal := wrong_candidate(state, who):
            return refusal
        cell, candidate = place_of(state, where), state.order[0]
        if cell is None and where.strip().lower() == "d4":
            cell = GAP
        if cell is None:
            text = say(
                "there is no state “{place}”; states are called a4 to g4, or by their tile like S4", place=where[:20]
            )
            return Refusal(Code.NO_SUCH_PLACE, "DASH-2.1", text)
        if cell == GAP:
            return Refusal(Code.NOT_ALLOWED, "DASH-2.3", say("the gap in the middle can be left but not entered"))
        if cell == state.pawn_at(candidate):
            text = say(
                "{candidate} is on {place} already; to remain there, choose “stay”",
                candidate=TITLES[candidate],
                place=NAMES[cell],
            )
            return Refusal(Code.MUST_MOVE, "DASH-4.5", text, {"place": NAMES[cell]})
        if state.is_automatic(candidate):
            return _check_automatic(state, candidate, cell)
        return None if can_reach(state, candidate, cell) else _too_far(state, candidate, cell)

    def play(self, narration: DashNarration, action: Action) -> None:
        candidate, cell = narration.state.order[0], required(place_of(narration.state, action[1]))
        narration.put(EffectKind.MOVE, COINS + candidate, cell, "DASH-4.4", candidate)
        _after_move(narration)


class Surrender(DashDeed):
    verb = Verb.of(
        "surrender", "{candidate} surrenders {coin} to move again", "DASH-4.6", candidate=CANDIDATE, coin=PIECE
    )
    phases = (Phase.AFTER,)

    def legal(self, state: State) -> Iterator[Action]:
        candidate = state.order[0]
        for marker in state.markers_of(candidate):
            yield Action("surrender", (CANDIDATES[candidate], state.name_of(marker)))

    def check(self, state: State, action: Action) -> Refusal | None:
        who, marker = action.args
        if refusal := wrong_candidate(state, who):
            return refusal
        candidate = state.order[0]
        held = state.markers_of(candidate)
        found = marker_of(state, marker)
        if found is not None and found in held and _may_surrender(state, candidate):
            return None
        words = several(map(state.delegates_of, held)) if held else say("no marker")
        text = say(
            "{candidate} holds {markers}, not “{marker}”",
            candidate=TITLES[candidate],
            markers=words,
            marker=marker[:20],
        )
        return Refusal(Code.NO_SUCH_PIECE, "DASH-4.6", text, {"holds": [state.name_of(own) for own in held]})

    def play(self, narration: DashNarration, action: Action) -> None:
        candidate, marker = narration.state.order[0], required(marker_of(narration.state, action[1]))
        narration.put(EffectKind.PAY, marker, POOL, "DASH-4.6", candidate)
        narration.set(surrendered=narration.state.surrendered + 1)
        narration.throw(Phase.REROLL, (candidate,), "DASH-4.6")


class Done(DashDeed):
    verb = Verb.of("done", "{candidate} is done", "DASH-4.6", candidate=CANDIDATE)
    phases = (Phase.AFTER,)

    def legal(self, state: State) -> Iterator[Action]:
        yield Action("done", (CANDIDATES[state.order[0]],))

    def sample(self, state: State, rng: random.Random) -> Action:
        """Random players rarely surrender a marker."""
        if rng.random() < 0.8:
            return next(self.legal(state))
        return rng.choice([*_SURRENDER.legal(state), *self.legal(state)])

    def check(self, state: State, action: Action) -> Refusal | None:
        return wrong_candidate(state, action[0])

    def play(self, narration: DashNarration, action: Action) -> None:
        _end_move(narration)


_SURRENDER = Surrender()


def _destinations(state: State) -> tuple[list[int], bool]:
    """The states to which the next candidate can go, and whether it may stay (DASH-4.4, 4.10)."""
    candidate = state.order[0]
    here = state.pawn_at(candidate)
    if state.is_automatic(candidate):
        goals = automatic_goals(state, candidate)
        return [cell for cell in goals if cell != here], here in goals
    return [cell for cell in range(GAP) if cell != here and can_reach(state, candidate, cell)], True


def _too_far(state: State, candidate: int, cell: int) -> Refusal:
    here = state.pawn_at(candidate)
    distance, die = DISTANCES[here][cell], state.roll[candidate] or 0
    text = say(
        "{place} is {distance} states from {here}, and the die of {candidate} shows {die}; "
        "only a state of the home region can be reached from anywhere",
        place=NAMES[cell],
        distance=distance,
        here=NAMES[here],
        candidate=TITLES[candidate],
        die=die,
    )
    facts: dict[str, Fact] = {"distance": distance, "die": die, "place": NAMES[cell]}
    return Refusal(Code.WRONG_DISTANCE, "DASH-4.4", text, facts)


def _check_automatic(state: State, candidate: int, cell: int) -> Refusal | None:
    goals = automatic_goals(state, candidate)
    if cell in goals:
        return None
    names = [NAMES[goal] for goal in goals]
    who = TITLES[candidate]
    text = say("{candidate} can reach no coins at stake and goes home to {home}", candidate=who, home=names[0])
    if goals != [NULLS[candidate]]:
        text = say(
            "{candidate} has no player and goes to {goals}: most coins are at stake there",
            candidate=who,
            goals=enumerated(names, Joint.OR),
        )
    return Refusal(Code.NOT_ALLOWED, "DASH-4.10", text, {"goals": names})


def begin_moves(narration: DashNarration, values: tuple[int, ...]) -> None:
    """Begin the moves: the higher die first; of equal ones the holder, then clockwise from the holder (DASH-4.3)."""
    order = sorted(clockwise(narration.state.holder), key=lambda candidate: -values[candidate])
    narration.set(order=tuple(order), taken=False, phase=Phase.MOVE, surrendered=0)
    _tell_turn(narration)


def _tell_turn(narration: DashNarration) -> None:
    state = narration.state
    candidate = state.order[0]
    facts = {
        "candidate": TITLES[candidate].text,
        "die": state.roll[candidate],
        "automatic": state.is_automatic(candidate),
    }
    narration.tell(EffectKind.TURN, seat=state.seat_for(candidate), clause="DASH-4.4", facts=facts)


def _may_surrender(state: State, candidate: int) -> bool:
    again = state.options.surrender_limit == "any" or not state.surrendered
    return again and not state.is_automatic(candidate) and bool(state.markers_of(candidate))


def _after_move(narration: DashNarration) -> None:
    candidate = narration.state.order[0]
    if _may_surrender(narration.state, candidate):
        return narration.phase(Phase.AFTER, "DASH-4.6", candidate=TITLES[candidate].text)
    return _end_move(narration)


def _end_move(narration: DashNarration) -> None:
    narration.set(order=narration.state.order[1:], phase=Phase.MOVE, surrendered=0)
    if narration.state.order:
        return _tell_turn(narration)
    return begin_caucuses(narration)


def resolve_reroll(narration: DashNarration) -> None:
    state = narration.state
    candidate = state.order[0]
    narration.set(roll=with_item(state.roll, candidate, state.dice[candidate]), phase=Phase.MOVE)
    _tell_turn(narration)
