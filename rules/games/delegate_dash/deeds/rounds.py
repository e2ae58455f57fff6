"""Deeds of the five rounds: coins turned over, caucuses, votes, markers taken (DASH-4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import LIST, PIECE, PLACE, ParamType, with_articles
from rules.engine.argument_value import each, mark_of
from rules.games.delegate_dash.chart import CANDIDATES, GAP, NAMES, REGION_OF, TITLES, marker_key, marker_piece
from rules.games.delegate_dash.deeds.common import (
    CANDIDATE,
    DashDeed,
    DashNarration,
    candidate_name,
    candidate_of,
    hidden_states,
    marker_of,
    place_of,
    required,
    states_of_round,
)
from rules.games.delegate_dash.deeds.convention import begin_convention, next_share, uncommitted
from rules.games.delegate_dash.layout import spot_of
from rules.games.delegate_dash.opening import AREA, NOBODY, POOL, Phase, State, clockwise, next_holder
from rules.pieces import parse_rank
from rules.sentence import Joint, say, several


class Reveal(DashDeed):
    verb = Verb.of("reveal", "on {state} lie {values}", "DASH-4.2", state=PLACE, values=ParamType(LIST, each(mark_of)))
    phases = (Phase.REVEAL,)

    def describe(self, action: Action) -> str:
        where, values = action.args
        words = [_rank_word(value) for value in values.split("+")]
        if len(words) == 1:
            return with_articles(f"the coin on {where} is a {words[0]}")
        return f"the coins on {where} are {', '.join(words[:-1])} and {words[-1]}"

    def legal(self, state: State) -> Iterator[Action]:
        for cell in hidden_states(state):
            for ranks in combinations(_unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell))):
                yield Action("reveal", (NAMES[cell], "+".join(map(str, ranks))))

    def sample(self, state: State, rng: random.Random) -> Action:
        cell = rng.choice(hidden_states(state))
        ranks = rng.sample(_unseen_ranks(state, REGION_OF[cell]), len(state.hidden_at(cell)))
        return Action("reveal", (NAMES[cell], "+".join(str(rank) for rank in sorted(ranks, reverse=True))))

    def check(self, state: State, action: Action) -> Refusal | None:
        where, values = action.args
        cells = hidden_states(state)
        cell = place_of(state, where)
        if cell is None or cell not in cells:
            names = [NAMES[other] for other in cells]
            text = say(
                "no coin is turned over on “{place}”; in round {round} it is {places}",
                place=where[:20],
                round=state.round + 1,
                places=several(names),
            )
            return Refusal(Code.NO_SUCH_PLACE, "DASH-4.2", text, {"places": names})
        given = values.split("+")
        unseen = [str(rank) for rank in _unseen_ranks(state, REGION_OF[cell])]
        count = len(state.hidden_at(cell))
        if len(given) != count:
            text = say(
                "one coin lies on {place}, not {given}",
                "{count} coins lie on {place}, not {given}",
                count=count,
                place=NAMES[cell],
                given=len(given),
            )
            return Refusal(Code.BAD_ARGUMENT, "DASH-4.2", text, {"coins": count})
        if len(set(given)) != count or not set(given) <= set(unseen):
            left = several(unseen)
            text = say(
                "the coins on {place} cannot be “{values}”: of that suit only {left} are unseen",
                place=NAMES[cell],
                values=values[:20],
                left=left,
            )
            return Refusal(Code.CONTRADICTS, "DASH-1.1", text, {"unseen": unseen})
        return None

    def play(self, narration: DashNarration, action: Action) -> None:
        state = narration.state
        cell, values = required(place_of(state, action[0])), action[1]
        ranks = list(state.ranks)
        for coin, value in zip(state.hidden_at(cell), values.split("+"), strict=True):
            ranks[coin] = int(value)
            piece = marker_piece(coin, int(value))
            facts = {"worth": 10 * int(value) or 1}
            narration.tell(
                EffectKind.REVEAL, piece, marker_key(coin), target=spot_of(state, cell), clause="DASH-4.2", facts=facts
            )
        narration.set(ranks=tuple(ranks))
        left = [other for other in states_of_round(state) if narration.state.hidden_at(other)]
        if left:
            narration.phase(Phase.REVEAL, "DASH-4.2", states_left=len(left))
        else:
            narration.phase(Phase.ROLL, "DASH-4.3")


def _unseen_ranks(state: State, region: int) -> list[int]:
    """Values of the unseen coins of a region."""
    seen = state.ranks[6 * region : 6 * region + 6]
    return [rank for rank in range(5, -1, -1) if rank not in seen]


def begin_round(narration: DashNarration) -> None:
    """Begin the next round with coins on its states; after the fifth, the convention."""
    narration.set(idle=0)
    while narration.state.campaigning:
        if any(narration.state.hidden_at(cell) for cell in states_of_round(narration.state)):
            holder = TITLES[narration.state.holder].text
            return narration.phase(Phase.REVEAL, "DASH-4.2", round=narration.state.round + 1, dice_with=holder)
        if any(narration.state.stake_at(cell) for cell in states_of_round(narration.state)):
            return narration.phase(Phase.ROLL, "DASH-4.3")
        pass_dice(narration)
    return begin_convention(narration)


def pass_dice(narration: DashNarration) -> None:
    state = narration.state
    holder = next_holder(state.players, (state.holder + 1) % 4)
    narration.set(round=state.round + 1, holder=holder)


def _rank_word(text: str) -> str:
    try:
        return parse_rank(text).word
    except ValueError:
        return text


class OpenCaucus(DashDeed):
    verb = Verb.of("caucus", "the caucus of {state}", "DASH-4.7", state=PLACE)
    phases = (Phase.CAUCUS,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("caucus", (NAMES[cell],)) for cell in state.caucuses)

    def check(self, state: State, action: Action) -> Refusal | None:
        where = action[0]
        if place_of(state, where) in state.caucuses:
            return None
        names = [NAMES[cell] for cell in state.caucuses]
        text = say("there is no caucus on “{place}”; open are {open}", place=where[:20], open=several(names))
        return Refusal(Code.NO_SUCH_PLACE, "DASH-4.7", text, {"open": names})

    def play(self, narration: DashNarration, action: Action) -> None:
        _open_caucus(narration, required(place_of(narration.state, action[0])))


class Take(DashDeed):
    verb = Verb.of("take", "{candidate} takes {coin}", "DASH-4.8", candidate=CANDIDATE, coin=PIECE)
    phases = (Phase.TAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("take", (CANDIDATES[state.takers[0]], state.name_of(marker))) for marker in _takeable(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        who, marker = action.args
        clause = "DASH-4.8" if state.campaigning else "DASH-5.4"
        taker = state.takers[0]
        if candidate_of(who) != taker:
            text = say("{candidate} takes next, not {other}", candidate=TITLES[taker], other=candidate_name(who))
            return Refusal(Code.NOT_YOUR_TURN, clause, text, {"next": CANDIDATES[taker]})
        allowed = _takeable(state)
        found = marker_of(state, marker)
        if found is not None and found in allowed:
            return None
        names = [state.delegates_of(other) for other in allowed]
        text = say(
            "{candidate} may take {markers}, not “{marker}”",
            candidate=TITLES[taker],
            markers=several(names, Joint.OR),
            marker=marker[:20],
        )
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {"may_take": [state.name_of(other) for other in allowed]})

    def play(self, narration: DashNarration, action: Action) -> None:
        state = narration.state
        candidate, marker = state.takers[0], required(marker_of(state, action[1]))
        clause = "DASH-4.8" if state.campaigning else "DASH-5.4"
        narration.put(EffectKind.TAKE, marker, AREA + candidate, clause, candidate, worth=state.worth_of(marker))
        narration.set(taken=True, takers=state.takers[1:])
        if not state.campaigning:
            return next_share(narration)
        if narration.state.takers:
            return narration.phase(Phase.TAKE, "DASH-4.8", candidate=TITLES[narration.state.takers[0]].text)
        narration.set(place=None)
        return _next_caucus(narration)


def _takeable(state: State) -> list[int]:
    """Markers that the next taker may take."""
    if not state.campaigning:
        left = uncommitted(state, state.regions[0])
        free = state.options.free_pick and not state.is_automatic(state.takers[0])
    else:
        assert state.place is not None
        left, free = state.stake_at(state.place), not state.is_automatic(state.takers[0])
    best = max(map(state.worth_of, left))
    return [marker for marker in left if free or state.worth_of(marker) == best]


def begin_caucuses(narration: DashNarration) -> None:
    state = narration.state
    present = {state.pawn_at(candidate) for candidate in range(4)}
    narration.set(caucuses=tuple(cell for cell in sorted(present) if cell != GAP and state.stake_at(cell)))
    _next_caucus(narration)


def _next_caucus(narration: DashNarration) -> None:
    """Proceed to the next caucus; the dice holder chooses it where there is a choice (DASH-8.4)."""
    left = narration.state.caucuses
    if len(left) > 1:
        narration.phase(Phase.CAUCUS, "DASH-4.7", states=[NAMES[cell] for cell in left])
    elif left:
        _open_caucus(narration, left[0])
    else:
        _end_sub_round(narration)


def _open_caucus(narration: DashNarration, cell: int) -> None:
    state = narration.state
    present = tuple(candidate for candidate in range(4) if state.pawn_at(candidate) == cell)
    narration.set(caucuses=tuple(other for other in state.caucuses if other != cell), place=cell)
    if len(present) > 1:
        return narration.throw(Phase.VOTE, present, "DASH-4.8")
    narration.set(takers=present)
    return narration.phase(Phase.TAKE, "DASH-4.8", candidate=TITLES[present[0]].text, state=NAMES[cell])


def resolve_vote(narration: DashNarration) -> None:
    """Takers by their dice: the higher die first; of equal ones the candidate at home, then clockwise from there
    (DASH-4.8)."""
    state = narration.state
    assert state.place is not None
    around = [candidate for candidate in clockwise(REGION_OF[state.place]) if state.dice[candidate] is not None]
    takers = sorted(around, key=lambda candidate: -(state.dice[candidate] or 0))
    narration.set(takers=tuple(takers[: len(state.stake_at(state.place))]))
    narration.phase(Phase.TAKE, "DASH-4.8", order=[TITLES[candidate].text for candidate in takers])


def _end_sub_round(narration: DashNarration) -> None:
    state = narration.state
    left = [coin for cell in states_of_round(state) for coin in state.stake_at(cell)]
    idle = 0 if state.taken else state.idle + 1
    narration.set(idle=idle, roll=NOBODY)
    if left and idle < state.options.stall_limit:
        return narration.phase(Phase.ROLL, "DASH-4.11", coins_at_stake=len(left))
    for coin in left:
        narration.put(EffectKind.REMOVE, coin, POOL, "DASH-5.7")
    pass_dice(narration)
    return begin_round(narration)
