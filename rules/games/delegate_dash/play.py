"""What every action does: reads its arguments and hands it to the campaign or the convention."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, EffectKind
from rules.games.delegate_dash import campaign, convention
from rules.games.delegate_dash.opening import Phase, State
from rules.games.delegate_dash.reading import candidate_of, marker_of, place_of, region_of
from rules.games.delegate_dash.telling import Telling


def act(state: State, action: Action) -> Telling:
    """Do a legal action."""
    telling = Telling(state)
    _ACTS[action.verb](telling, *action.args)
    if not telling.effects:
        telling.tell(EffectKind.PHASE, clause="DASH-4.6", facts={"phase": telling.state.phase.value})
    return telling


def _dice(telling: Telling, *faces: str) -> None:
    """One throw of all that roll now, clockwise from north."""
    state = telling.state
    clause = _DICE_CLAUSES[state.phase]
    dice = list(state.dice)
    for candidate, face in zip(state.rollers, faces, strict=True):
        campaign.tell_die(telling, candidate, int(face), clause)
        dice[candidate] = int(face)
    telling.set(dice=tuple(dice), rollers=())
    _THROWN[state.phase](telling)


_DICE_CLAUSES = {
    Phase.REROLL: "DASH-4.6",
    Phase.VOTE: "DASH-4.8",
    Phase.DROP: "DASH-8.9",
    Phase.SHARE: "DASH-5.4",
    Phase.LEGISLATURE: "DASH-5.5",
}
_THROWN: dict[Phase, Callable[[Telling], None]] = {
    Phase.REROLL: campaign.rerolled,
    Phase.VOTE: campaign.voted,
    Phase.DROP: convention.dropped,
    Phase.SHARE: convention.shared,
    Phase.LEGISLATURE: convention.legislated,
}


def _move(telling: Telling, who: str, where: str) -> None:
    campaign.move(telling, _known(candidate_of(who)), _known(place_of(telling.state, where)))


def _stay(telling: Telling, who: str) -> None:
    campaign.stay(telling, _known(candidate_of(who)))


def _surrender(telling: Telling, who: str, marker: str) -> None:
    campaign.surrender(telling, _known(candidate_of(who)), _known(marker_of(telling.state, marker)))


def _done(telling: Telling, _who: str) -> None:
    campaign.done(telling)


def _caucus(telling: Telling, where: str) -> None:
    campaign.open_caucus(telling, _known(place_of(telling.state, where)))


def _take(telling: Telling, who: str, marker: str) -> None:
    campaign.take(telling, _known(candidate_of(who)), _known(marker_of(telling.state, marker)))


def _shed(telling: Telling, who: str, suit: str) -> None:
    convention.shed(telling, _known(candidate_of(who)), _known(region_of(suit)))


def _reveal(telling: Telling, where: str, values: str) -> None:
    cell = _known(place_of(telling.state, where))
    campaign.reveal(telling, cell, values)


def _known(value: int | None) -> int:
    """A legal action names what there is."""
    assert value is not None
    return value


_ACTS: dict[str, Callable[..., None]] = {
    "deal": campaign.deal,
    "roll": campaign.throw_four,
    "reveal": _reveal,
    "dice": _dice,
    "move": _move,
    "stay": _stay,
    "surrender": _surrender,
    "done": _done,
    "caucus": _caucus,
    "take": _take,
    "shed": _shed,
}
