"""What a move did, told as effects."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action, Effect, EffectKind, Spot
from rules.engine.refusal import Fact
from rules.games.jul_gonu.opening import BOARD, State
from rules.games.jul_gonu.traps import traps
from rules.pieces import coin
from rules.table.layout import Zone

END_CLAUSES = {
    "captures": "JULG-5.1",
    "shuttle": "JULG-5.2",
    "stalemate": "JULG-8.5",
    "blocked": "JULG-5.3",
    "repetition": "JULG-5.3",
}


def reason(state: State) -> str:
    if state.end == "captures" and state.winner is not None:
        return f"{state.suits[state.winner]} has captured {state.captured[state.winner]} coins"
    if state.end == "shuttle":
        return f"{state.suits[state.to_act]} moved a coin over, back and over again"
    if state.end == "stalemate":
        return f"{state.suits[state.to_act]} cannot move"
    return "both sides are blocked" if state.end == "blocked" else "the same position came for the third time"


def story(state: State, action: Action, after: State) -> Iterator[Effect]:
    player = state.to_act
    if action.verb == "pass":
        yield Effect(EffectKind.CHOOSE, seat=player, clause="JULG-4.3", facts={"choice": "pass"})
    else:
        yield from _move(state, action, after)
    if after.end:
        facts: dict[str, Fact] = {"reason": reason(after)}
        yield Effect(EffectKind.END, seat=after.winner, clause=END_CLAUSES[after.end], facts=facts)
    else:
        yield Effect(EffectKind.TURN, seat=after.to_act)


def _spot(name: str) -> Spot:
    return Spot(name, *BOARD.xy(name))


def _move(state: State, action: Action, after: State) -> Iterator[Effect]:
    player = state.to_act
    source, target = action.args
    suit, victim = state.suits[player], state.suits[1 - player]
    facts = _warning(after, player)
    key = f"{suit}@{source}"
    ends = (_spot(source), _spot(target))
    yield Effect(EffectKind.MOVE, coin(suit), key, *ends, player, clause="JULG-4.1", facts=facts)
    fallen: list[str] = []
    for places, partner in traps(after.coins[player], state.coins[1 - player], BOARD.bit[target]):
        for place in places:
            if place not in fallen:
                fallen.append(place)
                yield _capture(victim.value, place, player, {"between": [target, partner]}, state)
    if fallen:
        total = after.captured[player]
        facts = {"captured": fallen, "total": total}
        yield Effect(EffectKind.SCORE, seat=player, amount=len(fallen), clause="JULG-4.6", facts=facts)


def _warning(after: State, player: int) -> dict[str, Fact]:
    """JULG-8.3: over and back is said aloud, because over again loses."""
    trail = after.trails[player]
    if len(trail) < 2 or after.end or after.options.ko:
        return {}
    return {"shuttle": f"{'-'.join(trail[0])} again loses the game"}


def _capture(suit: str, place: str, player: int, facts: dict[str, Fact], state: State) -> Effect:
    piece = coin(state.suits[1 - player])
    away = Spot(zone=Zone.SPENT, seat=player)
    return Effect(
        EffectKind.REMOVE,
        piece,
        f"{suit}@{place}",
        _spot(place),
        away,
        player,
        1 - player,
        clause="JULG-4.2",
        facts=facts,
    )
