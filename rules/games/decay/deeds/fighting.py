"""Consequences of a moved tile: the board may split, tiles are attacked, coins change hands (DECAY-5.2 to 5.17)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.engine import Action, Code, EffectKind, Refusal, Spot, Verb
from rules.engine.action import SUIT, TILE, PieceIcon
from rules.engine.values import with_item
from rules.games.decay.deeds.narration import DecayDeed, DecayNarration, next_seat, no_tile, start_turn
from rules.games.decay.geometry import Contacts, contacts, sections
from rules.games.decay.layout import spot_of
from rules.games.decay.money import minus, one_coin, suits_in
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Phase, State, suit_of, value_of
from rules.pieces import SUITS, Kind, coin, die
from rules.sentence import Joint, say, several
from rules.table.layout import Zone


@dataclass(frozen=True, slots=True)
class Attack:
    """`attackers` and `defenders` are the tiles whose values make the two sums; the target defends itself."""

    target: int
    victim: int
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]

    @property
    def strength(self) -> int:
        return sum(map(value_of, self.attackers))

    @property
    def defence(self) -> int:
        return sum(map(value_of, self.defenders))

    @property
    def succeeds(self) -> bool:
        return self.strength > self.defence


def attacks(state: State, tile: int) -> Iterator[Attack]:
    """Attacks of a tile at its present place, moved by the seat to act."""
    if suit_of(tile) != state.active_suit or value_of(tile) == 0 or state.tiles[tile] is None:
        return
    near = contacts(state.tiles, state.touch)
    for target in sorted(near[tile]):
        victim = _victim(state, target)
        if victim is not None:
            attackers, helpers = (_near_of(near, target, suit_of(side)) for side in (tile, target))
            yield Attack(target, victim, attackers, (target, *helpers))


def _victim(state: State, target: int) -> int | None:
    owner = state.seat_of(suit_of(target))
    if owner is None or value_of(target) < 2 or not state.living[owner]:
        return None
    friendly = state.person(owner) == state.person(state.to_act)
    own = owner == state.to_act or (friendly and not state.options.friendly_attack)
    return None if own else owner


def _near_of(near: Contacts, tile: int, suit: int) -> tuple[int, ...]:
    return tuple(sorted(other for other in near[tile] if suit_of(other) == suit))


@dataclass(frozen=True, slots=True)
class Split:
    """The sections of a board that has split. `kept` is None where the active seat must choose among `tied`."""

    parts: tuple[frozenset[int], ...]
    kept: frozenset[int] | None
    tied: tuple[frozenset[int], ...]
    clause: str


def split_of(state: State, moved: int) -> Split | None:
    """The sections of the board after a tile was moved; None if the board is connected."""
    parts = sections(state.tiles, contacts(state.tiles, state.touch))
    if len(parts) < 2:
        return None
    parts.sort(key=lambda part: (-len(part), min(part)))
    tied = [part for part in parts if len(part) == len(parts[0])]
    clause = "DECAY-5.7" if len(parts) > 2 else "DECAY-5.5" if len(tied) == 1 else "DECAY-5.6"
    return Split(tuple(parts), _kept_section(state, tied, moved), tuple(tied), clause)


def _kept_section(state: State, tied: list[frozenset[int]], moved: int) -> frozenset[int] | None:
    if len(tied) == 1:
        return tied[0]
    for anchor in (state.pawns[state.to_act], moved):
        for part in tied:
            if anchor in part:
                return part
    return None


class KeepSection(DecayDeed):
    verb = Verb.of(
        "keep_section", "the part with {tile} stays", "DECAY-5.7", drawn=PieceIcon(Kind.TILE, piece="tile"), tile=TILE
    )
    phases = (Phase.KEEP,)

    def legal(self, state: State) -> Iterator[Action]:
        split = split_of(state, state.moved) if state.moved is not None else None
        for part in split.tied if split else ():
            for tile in sorted(part):
                yield Action("keep_section", (NAMES[tile],))

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_tile(state, action[0]) or _not_largest(state, INDEX[action[0]])

    def play(self, narration: DecayNarration, action: Action) -> None:
        name = action[0]
        assert narration.state.moved is not None
        split = split_of(narration.state, narration.state.moved)
        assert split is not None
        kept = next(part for part in split.tied if INDEX[name] in part)
        narration.tell_choice("DECAY-5.7", name)
        narration.set(phase=Phase.TILE)
        keep_section(narration, split, kept)


class MakeAttack(DecayDeed):
    verb = Verb.of("attack", "attack", "DECAY-8.13")
    phases = (Phase.ATTACK,)

    def play(self, narration: DecayNarration, action: Action) -> None:
        assert narration.state.moved is not None
        _resolve_attacks(narration, list(attacks(narration.state, narration.state.moved)))


class WaiveAttack(DecayDeed):
    verb = Verb.of("waive_attack", "do not attack", "DECAY-8.13")
    phases = (Phase.ATTACK,)

    def play(self, narration: DecayNarration, action: Action) -> None:
        narration.tell_choice("DECAY-8.13", "no attack")
        begin_slides(narration)


class TakeCoin(DecayDeed):
    verb = Verb.of(
        "take_coin",
        "take a {suit} coin from {victim}",
        "DECAY-5.16",
        drawn=PieceIcon(Kind.COIN, suit="suit"),
        victim=SUIT,
        suit=SUIT,
    )
    phases = (Phase.TAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        for victim in victims(state):
            for suit, count in enumerate(state.hand(victim)[: len(LETTERS)]):
                if count:
                    yield Action("take_coin", (LETTERS[state.suits[victim]], LETTERS[suit]))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _no_victim(state, action[0]):
            return refusal
        hand = state.hand(state.suits.index(LETTERS.index(action[0])))
        held = suits_in(hand)
        if action[1] in held:
            return None
        text = say("there is no coin “{coin}” in that hand; it has {hand}", coin=action[1][:20], hand=several(held))
        return Refusal(Code.NO_SUCH_PIECE, "DECAY-5.16", text, {"hand": held})

    def play(self, narration: DecayNarration, action: Action) -> None:
        victim, suit_letter = action.args
        state = narration.state
        seat, other, suit = state.to_act, state.suits.index(LETTERS.index(victim)), LETTERS.index(suit_letter)
        narration.give(other, minus(NO_COINS, one_coin(suit)))
        zone = Zone.HAND
        if state.options.stolen_coin_usable == "same_turn":
            narration.give(seat, one_coin(suit))
        else:
            zone = Zone.SPENT
            narration.set(spent=with_item(state.spent, suit, state.spent[suit] + 1))
        source, target = Spot(zone=Zone.HAND, seat=state.purse(other)), Spot(zone=zone, seat=state.purse(seat))
        piece = coin(SUITS[suit])
        narration.tell(
            EffectKind.TAKE, piece, source=source, target=target, seat=seat, other=other, amount=1, clause="DECAY-5.16"
        )
        _settle_gain(narration, victim)


class DeclineCoin(DecayDeed):
    verb = Verb.of("decline_coin", "take no coin from {victim}", "DECAY-8.13", victim=SUIT)
    phases = (Phase.TAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("decline_coin", (LETTERS[state.suits[victim]],)) for victim in victims(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        return _no_victim(state, action[0])

    def play(self, narration: DecayNarration, action: Action) -> None:
        victim = action[0]
        facts = {"choice": "no coin", "from": victim}
        narration.tell(EffectKind.CHOOSE, seat=narration.state.to_act, clause="DECAY-8.13", facts=facts)
        _settle_gain(narration, victim)


def victims(state: State) -> list[int]:
    """Seats from which coins may be taken now."""
    return sorted({_victim_of(state, tile) for tile in state.gains})


def _no_victim(state: State, who: str) -> Refusal | None:
    names = sorted(LETTERS[state.suits[victim]] for victim in victims(state))
    if who in names:
        return None
    text = say("no attack on “{who}” is open; a coin may be taken from {victims}", who=who[:20], victims=several(names))
    return Refusal(Code.NOT_ALLOWED, "DECAY-5.16", text, {"victims": names})


def _not_largest(state: State, tile: int) -> Refusal | None:
    split = split_of(state, state.moved) if state.moved is not None else None
    tied = split.tied if split else ()
    if any(tile in part for part in tied):
        return None
    parts = ["+".join(NAMES[other] for other in sorted(part)) for part in tied]
    text = say(
        "{place} is in none of the largest parts; choose a tile of {parts}",
        place=NAMES[tile],
        parts=several(parts, Joint.OR),
    )
    return Refusal(Code.NOT_ALLOWED, "DECAY-5.7", text, {"parts": parts})


def keep_section(narration: DecayNarration, split: Split, kept: frozenset[int]) -> None:
    """Remove the other sections; their pawns die together (DECAY-5.8)."""
    pawns = narration.state.pawns
    for part in split.parts:
        if part is not kept:
            narration.remove_tiles(part, split.clause)
    dead = tuple(seat for seat, tile in enumerate(pawns) if tile is not None and tile not in kept)
    if dead and narration.kill(dead, "DECAY-5.8", say("its pawn stood on a part that fell off")):
        return
    if narration.state.to_act in dead:
        start_turn(narration, next_seat(narration.state))
    else:
        after_split(narration)


def after_split(narration: DecayNarration) -> None:
    _mark_with_die(narration)
    assert narration.state.moved is not None
    found = list(attacks(narration.state, narration.state.moved))
    if found and narration.state.options.attack_optional:
        narration.set(phase=Phase.ATTACK)
        return narration.tell_phase("DECAY-8.13", "attack")
    return _resolve_attacks(narration, found)


def _mark_with_die(narration: DecayNarration) -> None:
    """Put the die onto the moved tile unless the tile has fallen off (DECAY-4.19, 5.9)."""
    state = narration.state
    tile, seat = state.moved, state.to_act
    if tile is None or state.tiles[tile] is None:
        return narration.take_die_off(seat, "DECAY-4.19")
    suit = SUITS[state.active_suit]
    target = spot_of(state.tiles, tile)
    narration.tell(EffectKind.PLACE, die(suit), f"die-{suit}", target=target, seat=seat, clause="DECAY-4.19")
    return narration.set(dice=with_item(state.dice, seat, tile))


def _resolve_attacks(narration: DecayNarration, found: list[Attack]) -> None:
    for attack in found:
        facts = {
            "target": NAMES[attack.target],
            "strength": attack.strength,
            "defence": attack.defence,
            "success": attack.succeeds,
            "attackers": [NAMES[tile] for tile in attack.attackers],
            "defenders": [NAMES[tile] for tile in attack.defenders],
            "victim_coins": sum(narration.state.hand(attack.victim)),
        }
        target, seats = spot_of(narration.state.tiles, attack.target), (narration.state.to_act, attack.victim)
        narration.tell(EffectKind.ATTACK, None, "", None, target, *seats, clause="DECAY-5.15", facts=facts)
    narration.set(gains=tuple(attack.target for attack in found if attack.succeeds))
    _collect(narration)


def _collect(narration: DecayNarration) -> None:
    """Proceed to the next coin to be taken; a success against an empty hand yields nothing (DECAY-5.17)."""
    state = narration.state
    open_gains = tuple(tile for tile in state.gains if sum(state.hand(_victim_of(state, tile))))
    if not open_gains:
        return begin_slides(narration)
    narration.set(gains=open_gains, phase=Phase.TAKE)
    victims = [SUITS[suit_of(tile)] for tile in open_gains]
    facts = {"phase": "take", "from": victims}
    return narration.tell(EffectKind.PHASE, seat=state.to_act, clause="DECAY-5.16", facts=facts)


def _victim_of(state: State, tile: int) -> int:
    return state.suits.index(suit_of(tile))


def _settle_gain(narration: DecayNarration, victim: str) -> None:
    """Strike the first gain from this victim and proceed."""
    gains = list(narration.state.gains)
    gains.remove(next(tile for tile in gains if NAMES[tile][0] == victim))
    narration.set(gains=tuple(gains))
    _collect(narration)


def begin_slides(narration: DecayNarration) -> None:
    narration.set(phase=Phase.SLIDE, gains=())
    narration.tell_phase("DECAY-4.24", "slide")
