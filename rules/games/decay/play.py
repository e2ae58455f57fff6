"""What every action does (DECAY-3 to DECAY-5)."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine import Action, EffectKind
from rules.games.decay import tile_step
from rules.games.decay.geometry import contacts
from rules.games.decay.money import occupant, one, read_coins
from rules.games.decay.opening import INDEX, LETTERS, NO_COINS, Phase, State, ace_of, suit_name
from rules.games.decay.sliding import free_side, slid_to
from rules.games.decay.telling import Telling, place_effect, spot_of, tiles_laid, with_item
from rules.games.decay.turns import next_seat, start_turn, who_answers
from rules.pieces import SUITS, die, parse_rank, pawn


def act(state: State, action: Action) -> Telling:
    """Do a legal action."""
    telling = Telling(state)
    _ACTS[action.verb](telling, *action.args)
    return telling


# Setting up -------------------------------------------------------------------------------------------------


def _roll(telling: Telling, who: str, face: str) -> None:
    state = telling.state
    seat = state.suits.index(LETTERS.index(who))
    value = int(parse_rank(face))
    telling.set(rolls=with_item(state.rolls, seat, value))
    suit = SUITS[state.suits[seat]]
    telling.tell(
        EffectKind.ROLL,
        piece=die(suit, parse_rank(face)),
        key=f"die-{suit}",
        seat=seat,
        amount=value,
        clause="DECAY-3.2",
    )
    if any(telling.state.rolls[other] is None for other in state.contenders):
        return telling.tell(EffectKind.TURN, clause="DECAY-3.2")
    return _compare_rolls(telling)


def _compare_rolls(telling: Telling) -> None:
    state = telling.state
    best = max(state.rolls[seat] or 0 for seat in state.contenders)
    tied = tuple(seat for seat in state.contenders if state.rolls[seat] == best)
    if len(tied) > 1:
        again = tuple(None if seat in tied else value for seat, value in enumerate(state.rolls))
        telling.set(contenders=tied, rolls=again)
        names = [suit_name(state.suits[seat]) for seat in tied]
        return telling.tell(EffectKind.PHASE, clause="DECAY-3.2", facts={"phase": "roll", "again": names})
    telling.set(phase=Phase.CREATE, to_act=tied[0], contenders=())
    telling.tell(EffectKind.PHASE, clause="DECAY-3.3", facts={"phase": "create"})
    return telling.tell(EffectKind.TURN, seat=tied[0], clause="DECAY-3.3")


def _create_tile(telling: Telling, name: str, x: str, y: str) -> None:
    tile, seat = INDEX[name], telling.state.to_act
    telling.lay(tile, (int(x), int(y)))
    telling.tell(EffectKind.PLACE, seat=seat, **place_effect(telling.state, tile, "DECAY-3.3"))
    after = (seat + 1) % len(telling.state.suits)
    telling.set(to_act=after)
    if tiles_laid(telling.state.tiles) == 6 * len(telling.state.suits):
        return _place_pawns(telling)
    return telling.tell(EffectKind.TURN, seat=after, clause="DECAY-3.3")


def _place_pawns(telling: Telling) -> None:
    """The seat that laid the first tile is to act again: every seat has laid six."""
    telling.set(pawns=tuple(ace_of(suit) for suit in telling.state.suits))
    for seat, suit in enumerate(telling.state.suits):
        piece, target = pawn(SUITS[suit]), spot_of(telling.state.tiles, ace_of(suit))
        telling.tell(
            EffectKind.PLACE,
            piece=piece,
            key=f"pawn-{SUITS[suit]}",
            target=target,
            seat=seat,
            clause="DECAY-3.4",
        )
    start_turn(telling, telling.state.to_act)


# Steps 1 and 3: the pawn, slides ---------------------------------------------------------------------------


def _end_turn(telling: Telling) -> None:
    state = telling.state
    telling.give(state.to_act, state.spent)
    telling.set(spent=NO_COINS)
    start_turn(telling, next_seat(state))


def _pawn_step(telling: Telling, name: str, pay: str = "", toll: str = "") -> None:
    state = telling.state
    tile, seat = INDEX[name], state.to_act
    telling.spend(read_coins(pay) or NO_COINS, "DECAY-4.4", name)
    owner = occupant(state, tile)
    if owner is not None:
        telling.pay_toll(LETTERS.index(toll), owner)
    here = state.pawns[seat]
    suit = SUITS[state.active_suit]
    source = spot_of(state.tiles, here) if here is not None else None
    target = spot_of(state.tiles, tile)
    telling.tell(
        EffectKind.MOVE,
        piece=pawn(suit),
        key=f"pawn-{suit}",
        source=source,
        target=target,
        seat=seat,
        clause="DECAY-4.3",
    )
    telling.set(pawns=with_item(state.pawns, seat, tile))


def _end_pawn_move(telling: Telling) -> None:
    telling.set(phase=Phase.TILE)
    telling.tell(EffectKind.PHASE, seat=telling.state.to_act, clause="DECAY-4.11", facts={"phase": "tile"})


def _slide(telling: Telling, name: str, distance: str, pay: str) -> None:
    state = telling.state
    tile = INDEX[name]
    spot, side = state.tiles[tile], free_side(contacts(state.tiles, state.touch), tile)
    assert spot is not None
    assert side is not None
    telling.spend(one(LETTERS.index(pay)), "DECAY-4.22", name)
    telling.lay(tile, slid_to(spot, side, int(distance)))
    telling.set(slid=(*state.slid, tile))
    fields = place_effect(telling.state, tile, "DECAY-2.17")
    telling.tell(EffectKind.MOVE, source=spot_of(state.tiles, tile), seat=state.to_act, amount=int(distance), **fields)


# Draws and resignation --------------------------------------------------------------------------------------


def _offer_draw(telling: Telling) -> None:
    state = telling.state
    telling.set(phase=Phase.DRAW, resume=state.phase, offered=True)
    telling.tell(EffectKind.CHOOSE, seat=state.to_act, clause="DECAY-5.20", facts={"choice": "draw?"})
    telling.tell(EffectKind.TURN, seat=who_answers(state), clause="DECAY-5.20")


def _accept_draw(telling: Telling) -> None:
    telling.end(tuple(seat for seat, alive in enumerate(telling.state.living) if alive), "DECAY-5.20")


def _decline_draw(telling: Telling) -> None:
    state = telling.state
    telling.set(phase=state.resume, resume=None)
    telling.tell(EffectKind.CHOOSE, seat=who_answers(state), clause="DECAY-5.20", facts={"choice": "no draw"})
    telling.tell(EffectKind.TURN, seat=state.to_act, clause="DECAY-5.20")


def _resign(telling: Telling) -> None:
    if not telling.kill((telling.state.to_act,), "DECAY-8.17", "it gave up"):
        start_turn(telling, next_seat(telling.state))


_ACTS: dict[str, Callable[..., None]] = {
    "roll": _roll,
    "create_tile": _create_tile,
    "pawn_step": _pawn_step,
    "end_pawn_move": _end_pawn_move,
    "move_tile": tile_step.move_tile,
    "skip_tile": tile_step.skip_tile,
    "keep_section": tile_step.keep_section,
    "attack": tile_step.attack,
    "waive_attack": tile_step.waive_attack,
    "take_coin": tile_step.take_coin,
    "decline_coin": tile_step.decline_coin,
    "slide": _slide,
    "end_turn": _end_turn,
    "offer_draw": _offer_draw,
    "accept_draw": _accept_draw,
    "decline_draw": _decline_draw,
    "resign": _resign,
}
