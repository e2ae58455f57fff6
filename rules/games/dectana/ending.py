"""How it stands, who may end it, and who has won (DEC-5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from rules.engine import Action, Outcome
from rules.games.dectana.ground import ACES
from rules.games.dectana.opening import Phase, State
from rules.sentence import Person, Sentence, say

CLAIM_STAGES = (Phase.TURN, Phase.USE, Phase.DISCARD)


def claims(state: State, seat: int) -> Iterator[Action]:
    """Any three aces that may be in that hand."""
    if state.stage not in CLAIM_STAGES or not state.fits_ending or len(state.hands[seat]) < 3:
        return
    showable = state.showable(seat)
    aces = [card for card in ACES if card in showable]
    for three in combinations_with_replacement(aces, 3):
        if state.can_show(seat, three):
            yield Action("end_game", ("+".join(three),))


def outcome_of(state: State) -> Outcome:
    scores = state.scores()
    if state.stage is not Phase.OVER:
        return Outcome(scores=scores)
    ranks = [(points, len(state.own(seat))) for seat, points in enumerate(scores)]
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    tied = scores.count(max(scores)) > 1
    return Outcome(True, winners, scores, _reason(state, max(ranks), tied), "DEC-5.3")


def _reason(state: State, best: tuple[int, int], tied: bool) -> Sentence:
    if state.ended == "max_turns":
        end = say("the last turn was played")
    else:
        end = say("{player} showed three aces", player=Person(int(state.ended.removeprefix("seat "))))
    points, pyramids = best
    scored = say("{end}; one point", "{end}; {count} points", end=end, count=points)
    if not tied:
        return scored
    return say(
        "{end} and one pyramid on the board", "{end} and {count} pyramids on the board", end=scored, count=pyramids
    )
