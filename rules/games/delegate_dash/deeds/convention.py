"""Deeds of the convention: count, elimination or shedding, division of uncommitted markers, next count (DASH-5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import SUIT
from rules.engine.outcome import leaders
from rules.engine.values import with_item
from rules.games.delegate_dash.chart import CANDIDATES, COINS, LETTERS, TITLES, region_of_marker
from rules.games.delegate_dash.deeds.common import (
    CANDIDATE,
    DashDeed,
    DashNarration,
    candidate_name,
    candidate_of,
    region_of,
    required,
)
from rules.games.delegate_dash.opening import AREA, MAJORITY, POOL, Phase, State
from rules.sentence import Joint, say, several


class Shed(DashDeed):
    verb = Verb.of("shed", "{candidate} gives up the {region} markers", "DASH-5.3", candidate=CANDIDATE, region=SUIT)
    phases = (Phase.SHED,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("shed", (CANDIDATES[state.shedders[0]], LETTERS[region])) for region in _shed_regions(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        who, suit = action.args
        candidate = state.shedders[0]
        if candidate_of(who) != candidate:
            text = say(
                "{candidate} gives up a region next, not {other}",
                candidate=TITLES[candidate],
                other=candidate_name(who),
            )
            return Refusal(Code.NOT_YOUR_TURN, "DASH-5.3", text, {"next": CANDIDATES[candidate]})
        regions = _shed_regions(state)
        if region_of(suit) in regions:
            return None
        names = [LETTERS[region] for region in regions]
        text = say(
            "{candidate} gives up the markers of {regions}, not “{suit}”",
            candidate=TITLES[candidate],
            regions=several(names, Joint.OR),
            suit=suit[:20],
        )
        return Refusal(Code.NOT_ALLOWED, "DASH-5.3", text, {"regions": names})

    def play(self, narration: DashNarration, action: Action) -> None:
        candidate = narration.state.shedders[0]
        for marker in narration.state.in_region(candidate, required(region_of(action[1]))):
            narration.put(EffectKind.REMOVE, marker, POOL, "DASH-5.3", candidate)
        narration.set(shedders=narration.state.shedders[1:])
        if narration.state.shedders:
            return narration.phase(Phase.SHED, "DASH-5.3", candidate=TITLES[narration.state.shedders[0]].text)
        return _begin_sharing(narration)


def _shed_regions(state: State) -> list[int]:
    candidate = state.shedders[0]
    if state.is_automatic(candidate) and state.options.automatic_shed == "cheapest":
        return [_cheapest_region(state, candidate)]
    return [region for region in range(4) if state.in_region(candidate, region)]


@dataclass(frozen=True, slots=True)
class CountVerdict:
    """Result of a count: a winner, or those in last place; `even` is 304 to 304."""

    winner: int | None = None
    last: tuple[int, ...] = ()
    even: bool = False


def verdict_of(totals: dict[int, int]) -> CountVerdict:
    """Verdict of a count, from the delegates of every remaining candidate (DASH-5.1 to 5.3, 5.5)."""
    best = max(totals, key=lambda candidate: totals[candidate])
    if totals[best] >= MAJORITY or len(totals) == 1:
        return CountVerdict(winner=best)
    fewest = min(totals.values())
    last = tuple(candidate for candidate, total in totals.items() if total == fewest)
    return CountVerdict(last=last, even=len(totals) == 2 and len(last) == 2 and fewest == MAJORITY - 1)


def begin_convention(narration: DashNarration) -> None:
    """Every pawn becomes a marker of its own candidate (DASH-8.12)."""
    narration.tell(EffectKind.PHASE, clause="DASH-5.1", facts={"phase": "convention"})
    for candidate in range(4):
        narration.put(EffectKind.TAKE, COINS + candidate, AREA + candidate, "DASH-1.2", candidate, worth=1)
    count(narration)


def count(narration: DashNarration) -> None:
    state = narration.state
    totals = {candidate: state.total(candidate) for candidate in state.survivors}
    for candidate, total in totals.items():
        facts = {"candidate": TITLES[candidate].text}
        narration.tell(EffectKind.SCORE, seat=state.players[candidate], amount=total, clause="DASH-5.1", facts=facts)
    verdict = verdict_of(totals)
    if verdict.winner is not None:
        _win(narration, verdict.winner, "DASH-5.1")
    elif verdict.even:
        narration.throw(Phase.LEGISLATURE, verdict.last, "DASH-5.5")
    elif len(verdict.last) == 1:
        _eliminate(narration, verdict.last[0], "DASH-5.2")
    elif not state.markers_of(verdict.last[0]):
        narration.throw(Phase.DROP, verdict.last, "DASH-8.9")
    else:
        narration.set(shedders=verdict.last)
        narration.phase(Phase.SHED, "DASH-5.3", last=[TITLES[candidate].text for candidate in verdict.last])


def _win(narration: DashNarration, candidate: int, clause: str) -> None:
    narration.set(winner=candidate, ending=clause, phase=Phase.OVER)
    total = narration.state.total(candidate)
    facts = {"candidate": TITLES[candidate].text, "delegates": total}
    narration.tell(EffectKind.END, seat=narration.state.players[candidate], clause=clause, facts=facts)


def _eliminate(narration: DashNarration, candidate: int, clause: str) -> None:
    state = narration.state
    facts = {"candidate": TITLES[candidate].text, "delegates": state.total(candidate)}
    narration.tell(EffectKind.ELIMINATE, seat=state.players[candidate], clause=clause, facts=facts)
    for marker in state.markers_of(candidate):
        narration.put(EffectKind.REMOVE, marker, POOL, "DASH-5.2", candidate)
    narration.set(running=with_item(state.running, candidate, False))
    _begin_sharing(narration)


def _cheapest_region(state: State, candidate: int) -> int:
    """The cheapest region; of equal ones that of the lowest suit (DASH-8.6)."""
    held = [region for region in (0, 2, 3, 1) if state.in_region(candidate, region)]
    return min(held, key=lambda region: sum(state.worth_of(m) for m in state.in_region(candidate, region)))


def _begin_sharing(narration: DashNarration) -> None:
    narration.set(regions=narration.state.options.regions)
    _next_region(narration)


def uncommitted(state: State, region: int) -> list[int]:
    """The region's markers in the pool, the most valuable first."""
    found = [marker for marker in state.markers_at(POOL) if region_of_marker(marker) == region]
    return sorted(found, key=lambda marker: (-state.worth_of(marker), marker))


def _next_region(narration: DashNarration) -> None:
    state = narration.state
    left = [region for region in state.regions if uncommitted(state, region)]
    if not left:
        narration.set(regions=(), ranking=())
        return count(narration)
    narration.set(regions=tuple(left), ranking=(), takers=())
    return narration.throw(Phase.SHARE, state.survivors, "DASH-5.4")


def resolve_share(narration: DashNarration) -> None:
    """Evaluate a complete throw for a region: the first gives the numbers, later ones decide ties."""
    state = narration.state
    if not state.ranking:
        region = state.regions[0]
        numbers = {c: (state.dice[c] or 0) + len(state.in_region(c, region)) for c in state.survivors}
        facts = {TITLES[candidate].text: number for candidate, number in numbers.items()}
        narration.tell(EffectKind.CHOOSE, clause="DASH-5.4", facts={"choice": f"order for {LETTERS[region]}", **facts})
        narration.set(ranking=_groups(numbers))
    else:
        tied = _open_tie(state)
        assert tied is not None
        parts = _groups({candidate: state.dice[candidate] or 0 for candidate in state.ranking[tied]})
        narration.set(ranking=(*state.ranking[:tied], *parts, *state.ranking[tied + 1 :]))
    tie = _open_tie(narration.state)
    if tie is not None:
        return narration.throw(Phase.SHARE, narration.state.ranking[tie], "DASH-5.4")
    return next_share(narration)


def _groups(numbers: dict[int, int]) -> tuple[tuple[int, ...], ...]:
    best_first = sorted(numbers, key=lambda candidate: (-numbers[candidate], candidate))
    return tuple(tuple(group) for _, group in groupby(best_first, key=lambda candidate: numbers[candidate]))


def _open_tie(state: State) -> int | None:
    """The first tie that affects who takes a marker; candidates who are too late for any marker need not roll."""
    left = len(uncommitted(state, state.regions[0]))
    return next((index for index, group in enumerate(state.ranking[:left]) if len(group) > 1), None)


def next_share(narration: DashNarration) -> None:
    """Proceed to the next round of takers for the region, or to the next region once no marker is left."""
    state = narration.state
    if not uncommitted(state, state.regions[0]):
        return _next_region(narration)
    takers = state.takers or tuple(candidate for group in state.ranking for candidate in group)
    narration.set(takers=takers)
    return narration.phase(Phase.TAKE, "DASH-5.4", candidate=TITLES[takers[0]].text, region=LETTERS[state.regions[0]])


def resolve_drop(narration: DashNarration) -> None:
    """Eliminate the lowest of those without any marker; equal lowest ones roll again (DASH-8.9)."""
    worst = leaders({candidate: -value for candidate, value in _rolled(narration.state).items()})
    if len(worst) > 1:
        narration.throw(Phase.DROP, worst, "DASH-8.9")
    else:
        _eliminate(narration, worst[0], "DASH-8.9")


def resolve_legislature(narration: DashNarration) -> None:
    best = leaders(_rolled(narration.state))
    if len(best) > 1:
        narration.throw(Phase.LEGISLATURE, best, "DASH-5.5")
    else:
        _win(narration, best[0], "DASH-5.5")


def _rolled(state: State) -> dict[int, int]:
    return {candidate: value for candidate, value in enumerate(state.dice) if value is not None}
