"""Caucuses: which comes next, who votes, who takes what (DASH-4.7, DASH-4.8)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Code, EffectKind, ParamKind, Refusal, Verb
from rules.games.delegate_dash.chart import CANDIDATES, GAP, NAMES, REGION_OF, TITLES
from rules.games.delegate_dash.deeds.common import CANDIDATE, called, known
from rules.games.delegate_dash.deeds.convention import next_share, uncommitted
from rules.games.delegate_dash.deeds.narration import DashNarration, TellingDeed
from rules.games.delegate_dash.deeds.rounds import begin_round, pass_dice
from rules.games.delegate_dash.names import candidate_of, marker_of, place_of
from rules.games.delegate_dash.opening import AREA, NOBODY, POOL, Phase, State, clockwise
from rules.games.delegate_dash.stakes import states_of_round
from rules.sentence import Joint, say, several


class OpenCaucus(TellingDeed):
    verb = Verb.of("caucus", "the caucus of {state}", "DASH-4.7", state=ParamKind.PLACE)
    phases = (Phase.CAUCUS,)

    def legal(self, state: State) -> Iterator[Action]:
        for cell in state.caucuses:
            yield Action("caucus", (NAMES[cell],))

    def check(self, state: State, action: Action) -> Refusal | None:
        where = action[0]
        if place_of(state, where) in state.caucuses:
            return None
        names = [NAMES[cell] for cell in state.caucuses]
        text = say("there is no caucus on “{place}”; open are {open}", place=where[:20], open=several(names))
        return Refusal(Code.NO_SUCH_PLACE, "DASH-4.7", text, {"open": names})

    def play(self, narration: DashNarration, action: Action) -> None:
        _open_caucus(narration, known(place_of(narration.state, action[0])))


class Take(TellingDeed):
    verb = Verb.of("take", "{candidate} takes {coin}", "DASH-4.8", candidate=CANDIDATE, coin=ParamKind.PIECE)
    phases = (Phase.TAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        for marker in _takeable(state):
            yield Action("take", (CANDIDATES[state.takers[0]], state.name_of(marker)))

    def check(self, state: State, action: Action) -> Refusal | None:
        who, marker = action.args
        clause = "DASH-4.8" if state.campaigning else "DASH-5.4"
        taker = state.takers[0]
        if candidate_of(who) != taker:
            text = say("{candidate} takes next, not {other}", candidate=TITLES[taker], other=called(who))
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
        candidate, marker = known(candidate_of(action[0])), known(marker_of(state, action[1]))
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
    """What the next taker may take."""
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
    """The dice holder says which comes next, where there is a choice (DASH-8.4)."""
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


def voted(narration: DashNarration) -> None:
    """Higher die first; ties the candidate at home first, then clockwise from there (DASH-4.8)."""
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
