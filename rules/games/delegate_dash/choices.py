"""What may be done: lazily for lists, by dice and shuffles for games of luck."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product

from rules.engine import Action
from rules.games.delegate_dash.campaign import states_of_round
from rules.games.delegate_dash.chart import (
    CANDIDATES,
    DISTANCES,
    GAP,
    LETTERS,
    NAMES,
    NULLS,
    REGION_OF,
)
from rules.games.delegate_dash.convention import cheapest_region, uncommitted
from rules.games.delegate_dash.opening import DICE_PHASES, Phase, State

_FACES = "012345"
_SORTED_DEAL = Action("deal", ("12345",) * 4)


def actions_of(state: State) -> Iterator[Action]:
    return _BY_PHASE[state.phase](state)


def _deals(_: State) -> Iterator[Action]:
    """One of 120 to the fourth."""
    yield _SORTED_DEAL


def _rolls(_: State) -> Iterator[Action]:
    for faces in product(_FACES, repeat=4):
        yield Action("roll", faces)


def _dice(state: State) -> Iterator[Action]:
    for faces in product(_FACES, repeat=len(state.rollers)):
        yield Action("dice", faces)


def unseen_ranks(state: State, region: int) -> list[int]:
    """The values of a region's coins that nobody has seen."""
    seen = state.ranks[6 * region : 6 * region + 6]
    return [rank for rank in range(5, -1, -1) if rank not in seen]


def hidden_states(state: State) -> list[int]:
    return [cell for cell in states_of_round(state) if state.hidden_at(cell)]


def _reveals(state: State) -> Iterator[Action]:
    for cell in hidden_states(state):
        for ranks in combinations(unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell))):
            yield Action("reveal", (NAMES[cell], "+".join(map(str, ranks))))


# Moves ------------------------------------------------------------------------------------------------------


def can_reach(state: State, candidate: int, cell: int) -> bool:
    """Within the die, or in the home region (DASH-4.4)."""
    if REGION_OF[cell] == candidate:
        return True
    return DISTANCES[state.pawn_at(candidate)][cell] <= (state.roll[candidate] or 0)


def automatic_goals(state: State, candidate: int) -> list[int]:
    """The reachable caucuses with the most at stake, or the home null state (DASH-4.10)."""
    stakes = {cell: sum(map(state.worth_of, state.stake_at(cell))) for cell in states_of_round(state)}
    reachable = {cell: stake for cell, stake in stakes.items() if stake and can_reach(state, candidate, cell)}
    if not reachable:
        return [NULLS[candidate]]
    best = max(reachable.values())
    return [cell for cell, stake in reachable.items() if stake == best]


def _moves(state: State) -> Iterator[Action]:
    candidate = state.order[0]
    name, here = CANDIDATES[candidate], state.pawn_at(candidate)
    automatic = state.is_automatic(candidate)
    goals = automatic_goals(state, candidate) if automatic else range(GAP)
    if not automatic or here in goals:
        yield Action("stay", (name,))
    for cell in goals:
        if cell != here and (automatic or can_reach(state, candidate, cell)):
            yield Action("move", (name, NAMES[cell]))


def _after(state: State) -> Iterator[Action]:
    candidate = state.order[0]
    for marker in state.markers_of(candidate):
        yield Action("surrender", (CANDIDATES[candidate], state.name_of(marker)))
    yield Action("done", (CANDIDATES[candidate],))


# Caucuses and the convention --------------------------------------------------------------------------------


def _caucuses(state: State) -> Iterator[Action]:
    for cell in state.caucuses:
        yield Action("caucus", (NAMES[cell],))


def takeable(state: State) -> list[int]:
    """What the next taker may take."""
    if not state.campaigning:
        left = uncommitted(state, state.regions[0])
        free = state.options.free_pick and not state.is_automatic(state.takers[0])
    else:
        assert state.place is not None
        left, free = state.stake_at(state.place), not state.is_automatic(state.takers[0])
    best = max(map(state.worth_of, left))
    return [marker for marker in left if free or state.worth_of(marker) == best]


def _takes(state: State) -> Iterator[Action]:
    for marker in takeable(state):
        yield Action("take", (CANDIDATES[state.takers[0]], state.name_of(marker)))


def shed_regions(state: State) -> list[int]:
    candidate = state.shedders[0]
    if state.is_automatic(candidate) and state.options.automatic_shed == "cheapest":
        return [cheapest_region(state, candidate)]
    return [region for region in range(4) if state.in_region(candidate, region)]


def _sheds(state: State) -> Iterator[Action]:
    for region in shed_regions(state):
        yield Action("shed", (CANDIDATES[state.shedders[0]], LETTERS[region]))


_BY_PHASE: dict[Phase, Callable[[State], Iterator[Action]]] = {
    Phase.DEAL: _deals,
    Phase.SCATTER: _rolls,
    Phase.REVEAL: _reveals,
    Phase.ROLL: _rolls,
    Phase.MOVE: _moves,
    Phase.AFTER: _after,
    Phase.REROLL: _dice,
    Phase.CAUCUS: _caucuses,
    Phase.VOTE: _dice,
    Phase.TAKE: _takes,
    Phase.SHED: _sheds,
    Phase.DROP: _dice,
    Phase.SHARE: _dice,
    Phase.LEGISLATURE: _dice,
    Phase.OVER: lambda _: iter(()),
}


# By luck ----------------------------------------------------------------------------------------------------


def random_action(state: State, rng: random.Random) -> Action:
    if state.phase is Phase.DEAL:
        return Action("deal", tuple("".join(rng.sample("12345", 5)) for _ in range(4)))
    if state.phase in (Phase.SCATTER, Phase.ROLL):
        return Action("roll", tuple(rng.choice(_FACES) for _ in range(4)))
    if state.phase in DICE_PHASES:
        return Action("dice", tuple(rng.choice(_FACES) for _ in state.rollers))
    if state.phase is Phase.REVEAL:
        return _random_reveal(state, rng)
    if state.phase is Phase.AFTER and rng.random() < 0.8:
        return Action("done", (CANDIDATES[state.order[0]],))
    return rng.choice(list(actions_of(state)))


def _random_reveal(state: State, rng: random.Random) -> Action:
    cell = rng.choice(hidden_states(state))
    ranks = rng.sample(unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell)))
    return Action("reveal", (NAMES[cell], "+".join(str(rank) for rank in sorted(ranks, reverse=True))))
