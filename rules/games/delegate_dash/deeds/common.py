"""Base of the deeds: changes of the state with their effects, readers of names, stakes of a round, scores and outcome
(DASH-4, DASH-5, DASH-8.9)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Code, EffectKind, Outcome, Refusal
from rules.engine.action import WORD, ParamType
from rules.engine.argument_value import one_of
from rules.engine.deed import Narration, TellingDeed
from rules.engine.outcome import leaders
from rules.engine.values import with_item
from rules.games.delegate_dash import chart
from rules.games.delegate_dash.layout import spot_of
from rules.games.delegate_dash.opening import ROUNDS, Phase, State
from rules.pieces import parse_rank, parse_suit
from rules.sentence import Fact, say

EffectFact = str | int | list[str]
"""A fact of an effect: a name, a number, or several names."""


class DashNarration(Narration[State]):
    def phase(self, phase: Phase, clause: str, **facts: EffectFact) -> None:
        self.set(phase=phase)
        self.tell(EffectKind.PHASE, clause=clause, facts={"phase": phase.value, **facts})

    def put(
        self, kind: EffectKind, marker: int, where: int, clause: str, candidate: int | None = None, **facts: EffectFact
    ) -> None:
        """Move a marker to a spot."""
        state = self.state
        rank = None if marker >= chart.COINS else state.ranks[marker]
        spots = with_item(state.spots, marker, where)
        who = {} if candidate is None else {"candidate": chart.TITLES[candidate].text}
        self.tell(
            kind,
            chart.marker_piece(marker, rank),
            chart.marker_key(marker),
            spot_of(state, state.spots[marker]),
            spot_of(state, where),
            None if candidate is None else state.players[candidate],
            clause=clause,
            facts={**who, **facts},
        )
        self.set(spots=spots)

    def throw(self, phase: Phase, rollers: tuple[int, ...], clause: str) -> None:
        """Ask for a throw of the dice of these candidates."""
        names = [chart.TITLES[candidate].text for candidate in rollers]
        self.set(dice=(None, None, None, None), rollers=rollers)
        self.phase(phase, clause, dice=names)


class DashDeed(TellingDeed[State, DashNarration]):
    narration = DashNarration


def candidate_of(text: str) -> int | None:
    """The number of a candidate, from north or N."""
    word = text.strip().lower()
    for candidate, name in enumerate(chart.CANDIDATES):
        if word in (name, name[0]):
            return candidate
    return None


def region_of(text: str) -> int | None:
    """The number of a region, from suns or S."""
    try:
        return chart.REGION_SUITS.index(parse_suit(text))
    except ValueError:
        return None


def place_of(state: State, text: str) -> int | None:
    """A state by its place (d5) or by its tile (An, S4)."""
    if text in chart.BY_NAME:
        return chart.BY_NAME[text]
    if len(text) != 2 or text[0] not in chart.LETTERS or text[1] not in "na012345":
        return None
    value, region = int(parse_rank(text[1])), chart.LETTERS.index(text[0])
    cells = (cell for cell, own in enumerate(chart.REGION_OF) if own == region and state.tiles[cell] == value)
    return next(cells, None)


def marker_of(state: State, text: str) -> int | None:
    """A coin with a seen value by that value (cA5) or its delegates (A50), or a pawn (pA)."""
    if len(text) == 2 and text[0] == "p" and text[1] in chart.LETTERS:
        return chart.COINS + chart.LETTERS.index(text[1])
    found = coin_of(text)
    if found is None:
        return None
    region, value = found
    coins = (
        coin for coin in range(chart.COINS) if chart.region_of_marker(coin) == region and state.ranks[coin] == value
    )
    return next(coins, None)


def coin_of(text: str) -> tuple[int, int] | None:
    """Region and value: cS1 is the ace of suns, and so is S10; S1 is worth one delegate, the null."""
    if len(text) == 3 and text[0] == "c" and text[1] in chart.LETTERS and text[2] in "012345":
        return chart.LETTERS.index(text[1]), int(text[2])
    if text[:1] in tuple(chart.LETTERS) and text[1:] in chart.WORTHS:
        return chart.LETTERS.index(text[0]), chart.WORTHS[text[1:]]
    return None


def states_of_round(state: State) -> list[int]:
    values = ROUNDS[state.round] if state.campaigning else ()
    return [cell for cell, value in enumerate(state.tiles) if value in values]


def hidden_states(state: State) -> list[int]:
    return [cell for cell in states_of_round(state) if state.hidden_at(cell)]


def can_reach(state: State, candidate: int, cell: int) -> bool:
    """Whether the state is within the die's range, or in the home region (DASH-4.4)."""
    if chart.REGION_OF[cell] == candidate:
        return True
    return chart.DISTANCES[state.pawn_at(candidate)][cell] <= (state.roll[candidate] or 0)


def automatic_goals(state: State, candidate: int) -> list[int]:
    """The reachable caucuses with the most at stake, or the home null state (DASH-4.10)."""
    stakes = {cell: sum(map(state.worth_of, state.stake_at(cell))) for cell in states_of_round(state)}
    reachable = {cell: stake for cell, stake in stakes.items() if stake and can_reach(state, candidate, cell)}
    return list(leaders(reachable)) if reachable else [chart.NULLS[candidate]]


def outcome_of(state: State) -> Outcome:
    seats = [candidate for candidate in range(4) if state.players[candidate] is not None]
    seats.sort(key=lambda candidate: state.players[candidate] or 0)
    scores = tuple(state.total(candidate) for candidate in seats)
    alone = [candidate for candidate in range(4) if state.is_automatic(candidate)]
    others = tuple((chart.REGION_SUITS[candidate].value, state.total(candidate)) for candidate in alone)
    if state.winner is None:
        return Outcome(scores=scores, others=others)
    player = state.players[state.winner]
    title, total = chart.TITLES[state.winner], state.total(state.winner)
    if player is None:
        lost = say(
            "{candidate} has {total} of 608 delegates and no player: all players lose", candidate=title, total=total
        )
        return Outcome(True, (), scores, lost, state.ending, others=others)
    reason = say("{candidate} has {total} of 608 delegates", candidate=title, total=total)
    even = [other for other in range(4) if other != state.winner and state.total(other) == total]
    if even:
        reason = say(
            "{candidate} and {other} have {total} delegates each; the dice decided for {candidate}",
            candidate=title,
            other=chart.TITLES[even[0]],
            total=total,
        )
    return Outcome(True, (player,), scores, reason, state.ending, others=others)


def holdings(state: State) -> Iterator[str]:
    """Holdings of every candidate, by name and in delegates."""
    for candidate, title in enumerate(chart.TITLES):
        names = [state.name_of(marker) for marker in state.markers_of(candidate)]
        yield f"{title}: {state.total(candidate)} {' '.join(names)}".rstrip()


CANDIDATE = ParamType(WORD, one_of("side"))


def candidate_name(who: str) -> Fact:
    """A candidate as players say it; other words unchanged."""
    return chart.TITLES[chart.CANDIDATES.index(who)] if who in chart.CANDIDATES else f"“{who[:20]}”"


def wrong_candidate(state: State, who: str) -> Refusal | None:
    candidate = candidate_of(who)
    if candidate == state.order[0]:
        return None
    text = say("{candidate} is to move, not {other}", candidate=chart.TITLES[state.order[0]], other=candidate_name(who))
    return Refusal(Code.NOT_YOUR_TURN, "DASH-4.3", text, {"to_move": chart.CANDIDATES[state.order[0]]})


def required(value: int | None) -> int:
    """The value of an argument of a legal action, never None."""
    assert value is not None
    return value
