"""Who is next, who answers a draw that was offered, and who may offer one (DECAY-4.1, 5.20)."""

from __future__ import annotations

from rules.games.decay.opening import Phase, State

OWN_TURN = (Phase.PAWN, Phase.TILE, Phase.SLIDE)


def next_seat(state: State) -> int:
    count = len(state.suits)
    following = ((state.to_act + step) % count for step in range(1, count + 1))
    return next(seat for seat in following if state.living[seat])


def who_answers(state: State) -> int:
    """The next living seat of the other person."""
    count = len(state.suits)
    following = [(state.to_act + step) % count for step in range(1, count)]
    return next(seat for seat in following if state.living[seat] and state.person(seat) != state.person(state.to_act))


def may_offer_draw(state: State) -> bool:
    by_word = state.options.draw == "by_agreement"
    return by_word and state.phase in OWN_TURN and not state.offered and len(state.persons_left) == 2
