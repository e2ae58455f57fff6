"""Step 2: one tile is moved; the board may split, tiles are attacked, coins change hands (DECAY-4.15 to 5.17)."""

from __future__ import annotations

from rules.engine import EffectKind, Spot
from rules.games.decay.battle import Attack, Split, attacks, split_of
from rules.games.decay.money import minus, one, read_coins
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Phase, State, suit_name, suit_of
from rules.games.decay.telling import Telling, place_effect, spot_of, with_item
from rules.games.decay.turns import next_seat, start_turn
from rules.pieces import SUITS, coin, die
from rules.table.layout import Zone


def skip_tile(telling: Telling) -> None:
    telling.tell(
        EffectKind.CHOOSE,
        seat=telling.state.to_act,
        clause="DECAY-4.20",
        facts={"choice": "no tile is moved"},
    )
    telling.take_die_off(telling.state.to_act, "DECAY-4.20")
    _begin_slides(telling)


def _begin_slides(telling: Telling) -> None:
    telling.set(phase=Phase.SLIDE, gains=())
    telling.tell(EffectKind.PHASE, seat=telling.state.to_act, clause="DECAY-4.24", facts={"phase": "slide"})


def move_tile(telling: Telling, name: str, pay: str, x: str, y: str) -> None:
    tile = INDEX[name]
    telling.spend(read_coins(pay) or NO_COINS, "DECAY-4.16", name)
    source = spot_of(telling.state.tiles, tile)
    telling.lay(tile, (int(x), int(y)))
    telling.set(moved=tile)
    fields = place_effect(telling.state, tile, "DECAY-4.17")
    telling.tell(EffectKind.MOVE, source=source, seat=telling.state.to_act, **fields)
    split = split_of(telling.state, tile)
    if split is None:
        return _after_split(telling)
    if split.kept is not None:
        return _keep(telling, split, split.kept)
    telling.set(phase=Phase.KEEP)
    return telling.tell(EffectKind.PHASE, seat=telling.state.to_act, clause="DECAY-5.7", facts={"phase": "keep"})


def keep_section(telling: Telling, name: str) -> None:
    assert telling.state.moved is not None
    split = split_of(telling.state, telling.state.moved)
    assert split is not None
    kept = next(part for part in split.tied if INDEX[name] in part)
    telling.tell(EffectKind.CHOOSE, seat=telling.state.to_act, clause="DECAY-5.7", facts={"choice": name})
    telling.set(phase=Phase.TILE)
    _keep(telling, split, kept)


def _keep(telling: Telling, split: Split, kept: frozenset[int]) -> None:
    """The other parts go, and who stands on them dies, all together (DECAY-5.8)."""
    pawns = telling.state.pawns
    for part in split.parts:
        if part is not kept:
            telling.remove_tiles(part, split.clause)
    dead = tuple(seat for seat, tile in enumerate(pawns) if tile is not None and tile not in kept)
    if dead and telling.kill(dead, "DECAY-5.8", "its pawn stood on a part that fell off"):
        return
    if telling.state.to_act in dead:
        start_turn(telling, next_seat(telling.state))
    else:
        _after_split(telling)


def _after_split(telling: Telling) -> None:
    _mark_with_die(telling)
    assert telling.state.moved is not None
    found = list(attacks(telling.state, telling.state.moved))
    if found and telling.state.options.attack_optional:
        telling.set(phase=Phase.ATTACK)
        return telling.tell(EffectKind.PHASE, seat=telling.state.to_act, clause="DECAY-8.13", facts={"phase": "attack"})
    return _fight(telling, found)


def _mark_with_die(telling: Telling) -> None:
    """The die goes onto the moved tile, unless that has fallen off (DECAY-4.19, 5.9)."""
    state = telling.state
    tile, seat = state.moved, state.to_act
    if tile is None or state.tiles[tile] is None:
        return telling.take_die_off(seat, "DECAY-4.19")
    suit = SUITS[state.active_suit]
    target = spot_of(state.tiles, tile)
    telling.tell(EffectKind.PLACE, piece=die(suit), key=f"die-{suit}", target=target, seat=seat, clause="DECAY-4.19")
    return telling.set(dice=with_item(state.dice, seat, tile))


def attack(telling: Telling) -> None:
    assert telling.state.moved is not None
    _fight(telling, list(attacks(telling.state, telling.state.moved)))


def waive_attack(telling: Telling) -> None:
    telling.tell(EffectKind.CHOOSE, seat=telling.state.to_act, clause="DECAY-8.13", facts={"choice": "no attack"})
    _begin_slides(telling)


def _fight(telling: Telling, found: list[Attack]) -> None:
    for attack in found:
        _tell_attack(telling, attack)
    telling.set(gains=tuple(attack.target for attack in found if attack.succeeds))
    _collect(telling)


def _tell_attack(telling: Telling, attack: Attack) -> None:
    facts = {
        "target": NAMES[attack.target],
        "strength": attack.strength,
        "defence": attack.defence,
        "success": attack.succeeds,
        "attackers": [NAMES[tile] for tile in attack.attackers],
        "defenders": [NAMES[tile] for tile in attack.defenders],
        "victim_coins": sum(telling.state.hand(attack.victim)),
    }
    target = spot_of(telling.state.tiles, attack.target)
    telling.tell(
        EffectKind.ATTACK,
        target=target,
        seat=telling.state.to_act,
        other=attack.victim,
        clause="DECAY-5.15",
        facts=facts,
    )


def _collect(telling: Telling) -> None:
    """On to the next coin to be taken; a success against an empty hand yields nothing (DECAY-5.17)."""
    state = telling.state
    open_gains = tuple(tile for tile in state.gains if sum(state.hand(victim_of(state, tile))))
    if not open_gains:
        return _begin_slides(telling)
    telling.set(gains=open_gains, phase=Phase.TAKE)
    victims = [suit_name(suit_of(tile)) for tile in open_gains]
    return telling.tell(
        EffectKind.PHASE, seat=state.to_act, clause="DECAY-5.16", facts={"phase": "take", "from": victims}
    )


def victim_of(state: State, tile: int) -> int:
    return state.suits.index(suit_of(tile))


def _without_gain(telling: Telling, victim: str) -> None:
    gains = list(telling.state.gains)
    gains.remove(next(tile for tile in gains if NAMES[tile][0] == victim))
    telling.set(gains=tuple(gains))


def take_coin(telling: Telling, victim: str, suit_letter: str) -> None:
    state = telling.state
    seat, other, suit = state.to_act, state.suits.index(LETTERS.index(victim)), LETTERS.index(suit_letter)
    telling.give(other, minus(NO_COINS, one(suit)))
    zone = Zone.HAND
    if state.options.stolen_coin_usable == "same_turn":
        telling.give(seat, one(suit))
    else:
        zone = Zone.SPENT
        telling.set(spent=with_item(state.spent, suit, state.spent[suit] + 1))
    source, target = Spot(zone=Zone.HAND, seat=state.purse(other)), Spot(zone=zone, seat=state.purse(seat))
    piece = coin(SUITS[suit])
    telling.tell(
        EffectKind.TAKE,
        piece=piece,
        source=source,
        target=target,
        seat=seat,
        other=other,
        amount=1,
        clause="DECAY-5.16",
    )
    _without_gain(telling, victim)
    _collect(telling)


def decline_coin(telling: Telling, victim: str) -> None:
    telling.tell(
        EffectKind.CHOOSE,
        seat=telling.state.to_act,
        clause="DECAY-8.13",
        facts={"choice": "no coin", "from": victim},
    )
    _without_gain(telling, victim)
    _collect(telling)
