"""Step 3: tiles slide; checks of a slide; the end of the turn (DECAY-2.17 to 2.21, 4.22 to 4.26)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import NUMBER, SUIT, TILE, ParamType
from rules.engine.argument_value import price_of
from rules.engine.refusal import Fact
from rules.games.decay.deeds.narration import (
    ANOTHER_STEP,
    WHOLE,
    DecayDeed,
    DecayNarration,
    next_seat,
    no_tile,
    place_effect,
    start_turn,
    tiles_named,
)
from rules.games.decay.geometry import (
    SIDE,
    SIDE_WORDS,
    STEPS,
    Contacts,
    Fault,
    Position,
    Tiles,
    Touch,
    contact_side,
    contacts,
    on_table,
    placement_fault,
    sections,
    touched_sides,
)
from rules.games.decay.layout import spot_of
from rules.games.decay.money import one_coin, suits_in
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Phase, State, suit_of, value_of
from rules.pieces import SUITS
from rules.sentence import Joint, Sentence, Several, enumerated, say, several


@dataclass(frozen=True, slots=True)
class SlideRule:
    touch: Touch
    shortest: int = 3
    slack: int = 2
    as_placement: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """Path of a sliding tile: `touching[k]` are the tiles in contact after k u; `wall` is the tile that stops it after
    the last of them. `parts` are the sections of the board without it, which it must keep connected."""

    side: int
    touching: tuple[frozenset[int], ...]
    wall: int | None
    parts: tuple[frozenset[int], ...]


def free_side(near: Contacts, tile: int) -> int | None:
    """The only free side of a tile that is touched on exactly three sides (DECAY-2.17)."""
    free = {0, 1, 2, 3} - touched_sides(near, tile)
    return free.pop() if len(free) == 1 else None


def slid_to(spot: Position, side: int, distance: int) -> Position:
    dx, dy = STEPS[side]
    return spot[0] + distance * dx, spot[1] + distance * dy


@lru_cache(maxsize=4096)
def track_of(tiles: Tiles, tile: int, touch: Touch) -> Track | None:
    """The path of a tile until it is stopped or has lost all but one of its contacts."""
    side = free_side(contacts(tiles, touch), tile)
    spot = tiles[tile]
    if side is None or spot is None:
        return None
    near = contacts(tiles, touch)
    parts = tuple(sections(tiles, near, leave_out=tile))
    touching = [frozenset(near[tile])]
    others = [(i, x, y) for i, x, y in on_table(tiles) if i != tile and abs(x - spot[0]) + abs(y - spot[1]) < 8 * SIDE]
    while len(touching[-1] & touching[0]) >= 2:
        x, y = slid_to(spot, side, len(touching))
        now = set()
        for index, other_x, other_y in others:
            dx, dy = other_x - x, other_y - y
            if abs(dx) < SIDE and abs(dy) < SIDE:
                return Track(side, tuple(touching), index, parts)
            if contact_side(dx, dy, touch) is not None:
                now.add(index)
        touching.append(frozenset(now))
    return Track(side, tuple(touching), None, parts)


@lru_cache(maxsize=4096)
def slides(tiles: Tiles, tile: int, rule: SlideRule) -> tuple[int, ...]:
    """Legal distances of a tile in u, without regard to payment and to the pieces on it."""
    track = track_of(tiles, tile, rule.touch)
    if track is None:
        return ()
    return tuple(k for k in range(rule.shortest, len(track.touching)) if slide_fault(tiles, tile, k, rule) is None)


def slide_fault(tiles: Tiles, tile: int, distance: int, rule: SlideRule) -> Fault | None:
    """Why a tile that is touched on exactly three sides may not slide that far (DECAY-2.19)."""
    track = track_of(tiles, tile, rule.touch)
    assert track is not None
    if distance < rule.shortest:
        return Fault(Code.TOO_LOW, "DECAY-2.19", amount=rule.shortest)
    last = len(track.touching) - 1
    if distance > last and track.wall is not None:
        return Fault(Code.BLOCKED, "DECAY-2.19", (track.wall,), last)
    if distance > last:
        return Fault(Code.NO_CONTACT, "DECAY-2.19", amount=last - 1)
    if len(track.touching[distance] & track.touching[0]) < 2:
        return Fault(Code.NO_CONTACT, "DECAY-2.19", amount=distance - 1)
    if fault := _stop_fault(track, distance, rule):
        return fault
    for part in track.parts:
        if not part & track.touching[distance]:
            return Fault(Code.SPLITS, "DECAY-2.19", tuple(sorted(part)))
    spot = tiles[tile]
    if rule.as_placement and spot is not None:
        return placement_fault(tiles, tile, *slid_to(spot, track.side, distance), rule.touch)
    return None


def _stop_fault(track: Track, distance: int, rule: SlideRule) -> Fault | None:
    """A slide stops at the first new contact; up to `slack` u more are accepted for inexact hands."""
    old = track.touching[0]
    first = next((k for k in range(1, distance + 1) if track.touching[k] - old), None)
    if first is None:
        return None
    fresh = track.touching[first] - old
    later = track.touching[distance] - old - fresh
    if distance > first + rule.slack or later:
        return Fault(Code.LIMIT, "DECAY-2.19", tuple(sorted(fresh)), first)
    return None


class Slide(DecayDeed):
    verb = Verb.of(
        "slide", "slide {tile} by {k} u, paying {pay}", "DECAY-2.17", tile=TILE, k=NUMBER, pay=ParamType(SUIT, price_of)
    )
    phases = (Phase.SLIDE,)
    wrong_phase = ANOTHER_STEP

    def legal(self, state: State) -> Iterator[Action]:
        return self.near(state, INDEX)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        pays = suits_in(state.hand(state.to_act))
        near = contacts(state.tiles, state.touch)
        for tile in tiles_named(state, names) if pays else ():
            if len(near[tile]) >= 3:
                for distance in slides_of(state, tile):
                    for pay in pays:
                        yield Action("slide", (NAMES[tile], str(distance), pay))

    def sample(self, state: State, rng: random.Random) -> Action:
        if rng.random() < 0.5:
            return END_TURN
        return rng.choice([*self.legal(state), END_TURN])

    def check(self, state: State, action: Action) -> Refusal | None:
        name, distance, pay = action.args
        if refusal := no_tile(state, name):
            return refusal
        if not WHOLE.match(distance):
            text = say("a slide is a whole number of u, not “{distance}”", distance=distance[:20])
            return Refusal(Code.BAD_ARGUMENT, "DECAY-2.19", text)
        tile = INDEX[name]
        return _check_protected(state, tile) or _check_way(state, tile, int(distance)) or _check_coin(state, pay)

    def play(self, narration: DecayNarration, action: Action) -> None:
        name, distance, pay = action.args
        state = narration.state
        tile = INDEX[name]
        spot, side = state.tiles[tile], free_side(contacts(state.tiles, state.touch), tile)
        assert spot is not None
        assert side is not None
        narration.spend(one_coin(LETTERS.index(pay)), "DECAY-4.22", name)
        narration.lay(tile, slid_to(spot, side, int(distance)))
        narration.set(slid=(*state.slid, tile))
        fields = {"amount": int(distance), **place_effect(narration.state, tile, "DECAY-2.17")}
        narration.tell(EffectKind.MOVE, source=spot_of(state.tiles, tile), seat=state.to_act, **fields)


class EndTurn(DecayDeed):
    verb = Verb.of("end_turn", "end the turn", "DECAY-4.26")
    phases = (Phase.SLIDE,)

    def play(self, narration: DecayNarration, action: Action) -> None:
        state = narration.state
        narration.give(state.to_act, state.spent)
        narration.set(spent=NO_COINS)
        start_turn(narration, next_seat(state))


END_TURN = Action("end_turn")


def _slide_rule(state: State) -> SlideRule:
    options = state.options
    return SlideRule(state.touch, options.min_slide, options.stop_slack, options.slide_obeys_placement)


def slides_of(state: State, tile: int) -> tuple[int, ...]:
    near = contacts(state.tiles, state.touch)
    if free_side(near, tile) is None or _check_protected(state, tile):
        return ()
    return slides(state.tiles, tile, _slide_rule(state))


def _check_protected(state: State, tile: int) -> Refusal | None:
    name = NAMES[tile]
    what: Sentence | None = None
    if tile in state.pawns:
        what = say("a pawn stands on {tile}", tile=name)
    elif tile in state.dice:
        what = say("a die lies on {tile}", tile=name)
    elif value_of(tile) == 1 and suit_of(tile) != state.active_suit:
        what = say("{tile} is the ace of {suit}", tile=name, suit=SUITS[suit_of(tile)])
    if what:
        return Refusal(Code.PROTECTED, "DECAY-2.18", say("{what}; it cannot slide", what=what), {"tile": name})
    if tile in state.slid and not state.options.slide_same_tile_again:
        return Refusal(Code.REPEATS, "DECAY-8.8", say("{tile} has already slid in this turn", tile=name))
    return None


def _check_way(state: State, tile: int, distance: int) -> Refusal | None:
    near = contacts(state.tiles, state.touch)
    name, side = NAMES[tile], free_side(near, tile)
    if side is None:
        touched = touched_sides(near, tile)
        sides = sorted(SIDE_WORDS[one].text for one in touched)
        text = say(
            "{tile} is touched on one side ({where}); only a tile touched on exactly three can slide",
            "{tile} is touched on {count} sides ({where}); only a tile touched on exactly three can slide",
            tile=name,
            count=len(sides),
            where=several(SIDE_WORDS[one] for one in touched),
        )
        return Refusal(Code.STUCK, "DECAY-2.17", text, {"tile": name, "sides": sides})
    fault = slide_fault(state.tiles, tile, distance, _slide_rule(state))
    if fault is None:
        return None
    legal = [str(k) for k in slides_of(state, tile)]
    possible = say("it cannot slide at all")
    if legal:
        possible = say("it may slide {span} u to the {direction}", span=span(legal), direction=SIDE_WORDS[side])
    text = say(
        "{tile} by {distance} u: {fault}; {possible}",
        tile=name,
        distance=distance,
        fault=_fault_words(fault),
        possible=possible,
    )
    facts: dict[str, Fact] = {"tile": name, "distance": distance, "legal": legal, "direction": SIDE_WORDS[side].text}
    return Refusal(fault.code, fault.clause, text, facts)


def span(legal: list[str]) -> Sentence | Several:
    whole = int(legal[-1]) - int(legal[0]) == len(legal) - 1 > 0
    return say("{low} to {high}", low=legal[0], high=legal[-1]) if whole else several(legal)


def _fault_words(fault: Fault) -> Sentence:
    names = enumerated((NAMES[tile] for tile in fault.tiles), Joint.AND)
    if fault.code is Code.TOO_LOW:
        return say("a slide is at least {amount} u, or it could not be told from jostling", amount=fault.amount)
    if fault.code is Code.BLOCKED:
        return say(
            "{tiles} is in the way after {amount} u",
            "{tiles} are in the way after {amount} u",
            count=len(fault.tiles),
            tiles=names,
            amount=fault.amount,
        )
    if fault.code is Code.NO_CONTACT and fault.clause == "DECAY-2.19":
        return say("it would keep contact with fewer than two of the tiles it touched")
    if fault.code is Code.LIMIT:
        return say("it meets {tiles} after {amount} u and must stop there", tiles=names, amount=fault.amount)
    if fault.code is Code.SPLITS:
        return say(
            "{tiles} would be cut off from the board",
            "{tiles} would all be cut off from the board",
            count=len(fault.tiles),
            tiles=names,
        )
    return say("its end would break the rules for placing tiles ({clause})", clause=fault.clause)


def _check_coin(state: State, pay: str) -> Refusal | None:
    held = suits_in(state.hand(state.to_act))
    if pay in held:
        return None
    if not held:
        return Refusal(Code.CANNOT_PAY, "DECAY-4.22", say("a slide costs one coin, and the hand is empty"))
    text = say("a slide costs one coin of the hand ({hand}), not “{pay}”", hand=several(held, Joint.OR), pay=pay[:20])
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.22", text, {"hand": held})
