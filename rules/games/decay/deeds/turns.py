"""From turn to turn: who is next, who dies because it cannot move, when play only repeats (DECAY-4.1, 4.13)."""

from __future__ import annotations

from hashlib import blake2b

from rules.engine import EffectKind
from rules.games.decay.deeds.narration import DecayNarration
from rules.games.decay.money import can_move_pawn
from rules.games.decay.opening import Phase
from rules.games.decay.seats import next_seat
from rules.sentence import say


def start_turn(narration: DecayNarration, seat: int) -> None:
    """The turn of a seat, or of the next one that is not killed because its pawn cannot move (DECAY-4.13)."""
    while True:
        narration.set(
            phase=Phase.PAWN,
            to_act=seat,
            start=narration.state.pawns[seat],
            moved=None,
            gains=(),
            slid=(),
            offered=False,
        )
        if can_move_pawn(narration.state):
            break
        if narration.kill((seat,), "DECAY-4.13", say("its pawn cannot move to another free tile")):
            return
        seat = next_seat(narration.state)
    if not _drawn_by_repetition(narration):
        narration.tell(EffectKind.TURN, seat=seat, clause="DECAY-4.1")


def _drawn_by_repetition(narration: DecayNarration) -> bool:
    state = narration.state
    if state.options.draw != "after_3_repeats" or len(state.persons_left) > 2:
        return False
    here = repr((state.to_act, state.tiles, state.pawns, state.dice, state.hands)).encode()
    digest = blake2b(here, digest_size=8).hexdigest()
    narration.set(seen=(*state.seen, digest))
    if narration.state.seen.count(digest) < 3:
        return False
    narration.end(tuple(seat for seat, alive in enumerate(state.living) if alive), "DECAY-8.12")
    return True
