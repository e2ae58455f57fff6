"""Deeds of the set-up: rolls for the start, tiles laid in turn (DECAY-3); the checks of a placement (DECAY-2.9 to 2.12,
2.23)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import NUMBER, RANK, SUIT, TILE, Luck, PieceIcon
from rules.engine.outcome import leaders
from rules.engine.refusal import Fact
from rules.engine.values import with_item
from rules.games.decay import geometry
from rules.games.decay.deeds.narration import (
    WHOLE,
    DecayDeed,
    DecayNarration,
    no_tile,
    place_effect,
    say_shift,
    start_turn,
)
from rules.games.decay.layout import spot_of
from rules.games.decay.opening import (
    INDEX,
    LETTERS,
    NAMES,
    PER_SUIT,
    Phase,
    State,
    ace_of,
    piece_of,
    suit_of,
)
from rules.pieces import SUITS, Kind, die, parse_rank, pawn
from rules.sentence import Joint, Person, Sentence, enumerated, say


def wrong_place(state: State, tile: int, x: str, y: str, forbidden: geometry.Forbidden) -> Refusal | None:
    if not (WHOLE.match(x) and WHOLE.match(y)):
        text = say("a position is two whole numbers of u (16 to a tile side), not ({x}, {y})", x=x[:12], y=y[:12])
        return Refusal(Code.BAD_ARGUMENT, "DECAY-2.23", text)
    place = int(x), int(y)
    fault = geometry.placement_fault(state.tiles, tile, *place, state.touch, forbidden)
    return _refused_place(state, tile, place, fault, forbidden) if fault else None


def _refused_place(
    state: State, tile: int, place: tuple[int, int], fault: geometry.Fault, forbidden: geometry.Forbidden
) -> Refusal:
    close = geometry.nearest(state.tiles, tile, *place, state.touch, forbidden)
    facts: dict[str, Fact] = {
        "tile": NAMES[tile],
        "position": f"{place[0]},{place[1]}",
        "tiles": [NAMES[other] for other in fault.tiles],
        "amount_u": fault.amount,
    }
    text = say("{tile} at ({x}, {y}) {fault}", tile=NAMES[tile], x=place[0], y=place[1], fault=_place_words(fault))
    if close is not None:
        (low, high), base, side = close.span, NAMES[close.base], geometry.SIDE_WORDS[close.side]
        least, most = sorted((abs(low), abs(high)))
        facts |= {
            "nearest": f"{close.spot[0]},{close.spot[1]}",
            "nearest_base": base,
            "nearest_side": side.text,
            "low": low,
            "high": high,
        }
        text = say(
            "{tile} at ({x}, {y}) {fault}; the nearest legal place is ({x_near}, {y_near}), "
            "on the {side} side of {base}, shifted {way} by {shift} u (16 u are a tile side)",
            tile=NAMES[tile],
            x=place[0],
            y=place[1],
            fault=_place_words(fault),
            x_near=close.spot[0],
            y_near=close.spot[1],
            side=geometry.SIDE_WORDS[close.side],
            base=base,
            way=say_shift(close.side, low + high),
            shift=least if least == most else say("{low} to {high}", low=least, high=most),
        )
    return Refusal(fault.code, fault.clause, text, facts)


def _place_words(fault: geometry.Fault) -> Sentence:
    names = [NAMES[other] for other in fault.tiles]
    if fault.clause == "DECAY-2.11":
        return say("would overlap {name} by {amount} u", name=names[0], amount=fault.amount)
    if fault.clause == "DECAY-2.12":
        return say(
            "would touch the {side} side of {name} again, as before it was lifted",
            side=geometry.SIDE_WORDS[fault.side],
            name=names[0],
        )
    if fault.clause == "DECAY-2.10":
        return say(
            "is offset from {name} by only {amount} u; a quarter of a side (4 u) is the least",
            name=names[0],
            amount=fault.amount,
        )
    if fault.clause == "DECAY-2.9":
        return say("would touch both {name} and {other}, which touch each other", name=names[0], other=names[1])
    return say("would touch no tile (a corner is not enough)")


_TRIES = 40


def random_spot(state: State, tile: int, forbidden: geometry.Forbidden, rng: random.Random) -> geometry.Position | None:
    """A random free place flush at a random side of a random tile."""
    bases = [(index, (x, y)) for index, x, y in geometry.on_table(state.tiles) if index != tile]
    for _ in range(_TRIES):
        base, spot = rng.choice(bases)
        side = rng.randrange(4)
        if mask := geometry.free_offsets(state.tiles, tile, base, side, state.touch, forbidden):
            return geometry.beside(spot, side, rng.choice(list(geometry.offsets_in(mask))))
    edges = geometry.placements(state.tiles, tile, state.touch, forbidden)
    return next(iter(geometry.spots_of(state.tiles, edges)), None)


class Roll(DecayDeed):
    verb = Verb.of(
        "roll",
        "{seat} rolls a {face}",
        "DECAY-3.2",
        drawn=PieceIcon(Kind.DIE, suit="seat", value="face"),
        luck=Luck.ROLL,
        seat=SUIT,
        face=RANK,
    )
    phases = (Phase.ROLL,)

    def legal(self, state: State) -> Iterator[Action]:
        for seat in state.contenders:
            if state.rolls[seat] is None:
                for value in range(6):
                    yield Action("roll", (LETTERS[state.suits[seat]], str(value)))

    def check(self, state: State, action: Action) -> Refusal | None:
        who, face = action.args
        rolling = [seat for seat in state.contenders if state.rolls[seat] is None]
        suits = [LETTERS[state.suits[seat]] for seat in rolling]
        if who not in suits:
            text = say(
                "{who} does not roll now; {to_roll} rolls",
                "{who} does not roll now; {to_roll} roll",
                count=len(suits),
                who=_roller(state, who),
                to_roll=enumerated(map(Person, rolling), Joint.AND),
            )
            return Refusal(Code.NOT_YOUR_TURN, "DECAY-3.2", text, {"to_roll": suits})
        if face not in tuple("012345"):
            text = say("“{face}” is not a face of a die; write 0 (null), 1 (ace), 2, 3, 4 or 5", face=face[:20])
            return Refusal(Code.BAD_ARGUMENT, "DECAY-1.5", text)
        return None

    def play(self, narration: DecayNarration, action: Action) -> None:
        who, face = action.args
        state = narration.state
        seat = state.suits.index(LETTERS.index(who))
        value = int(parse_rank(face))
        narration.set(rolls=with_item(state.rolls, seat, value))
        suit = SUITS[state.suits[seat]]
        narration.tell(
            EffectKind.ROLL, die(suit, parse_rank(face)), f"die-{suit}", seat=seat, amount=value, clause="DECAY-3.2"
        )
        if any(narration.state.rolls[other] is None for other in state.contenders):
            return narration.tell(EffectKind.TURN, clause="DECAY-3.2")
        state = narration.state
        tied = leaders({seat: state.rolls[seat] for seat in state.contenders})
        if len(tied) > 1:
            again = tuple(None if seat in tied else value for seat, value in enumerate(state.rolls))
            narration.set(contenders=tied, rolls=again)
            names = [SUITS[state.suits[seat]] for seat in tied]
            return narration.tell(EffectKind.PHASE, clause="DECAY-3.2", facts={"phase": "roll", "again": names})
        narration.set(phase=Phase.CREATE, to_act=tied[0], contenders=())
        narration.tell(EffectKind.PHASE, clause="DECAY-3.3", facts={"phase": "create"})
        return narration.tell(EffectKind.TURN, seat=tied[0], clause="DECAY-3.3")


class CreateTile(DecayDeed):
    verb = Verb.of("create_tile", "lay {tile} at ({x}, {y})", "DECAY-3.3", tile=TILE, x=NUMBER, y=NUMBER)
    phases = (Phase.CREATE,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        return _layings(state, _unplaced(state))

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        return _layings(state, [tile for tile in _unplaced(state) if piece_of(tile).code in names])

    def sample(self, state: State, rng: random.Random) -> Action:
        tile = rng.choice(_unplaced(state))
        spot = random_spot(state, -1, geometry.NOWHERE, rng) if any(state.tiles) else (0, 0)
        assert spot is not None
        return Action("create_tile", (NAMES[tile], str(spot[0]), str(spot[1])))

    def check(self, state: State, action: Action) -> Refusal | None:
        return no_tile(state, action[0], laid=False) or _wrong_creation(state, INDEX[action[0]], action[1], action[2])

    def play(self, narration: DecayNarration, action: Action) -> None:
        name, x, y = action.args
        tile, seat = INDEX[name], narration.state.to_act
        narration.lay(tile, (int(x), int(y)))
        narration.tell(EffectKind.PLACE, seat=seat, **place_effect(narration.state, tile, "DECAY-3.3"))
        after = (seat + 1) % len(narration.state.suits)
        narration.set(to_act=after)
        if sum(spot is not None for spot in narration.state.tiles) == 6 * len(narration.state.suits):
            # Every seat has laid six: the seat of the first tile is to act again.
            narration.set(pawns=tuple(ace_of(suit) for suit in narration.state.suits))
            for seat, suit in enumerate(narration.state.suits):
                piece, target = pawn(SUITS[suit]), spot_of(narration.state.tiles, ace_of(suit))
                narration.tell(
                    EffectKind.PLACE, piece, f"pawn-{SUITS[suit]}", target=target, seat=seat, clause="DECAY-3.4"
                )
            return start_turn(narration, narration.state.to_act)
        return narration.tell(EffectKind.TURN, seat=after, clause="DECAY-3.3")

    def touches(self, action: Action) -> tuple[str, ...]:
        """A tile still in a hand is addressed by its piece code, since it has no place."""
        return (piece_of(INDEX[action[0]]).code,) if action[0] in INDEX else super().touches(action)


def _unplaced(state: State) -> list[int]:
    own = range(state.active_suit * PER_SUIT, (state.active_suit + 1) * PER_SUIT)
    return [tile for tile in own if state.tiles[tile] is None]


def _layings(state: State, tiles: list[int]) -> Iterator[Action]:
    """Placements flush at every side; small gaps are legal too."""
    return (Action("create_tile", (NAMES[tile], str(x), str(y))) for tile in tiles for x, y in _create_spots(state))


def _create_spots(state: State) -> Iterable[geometry.Position]:
    if not any(state.tiles):
        return [(0, 0)]
    return geometry.spots_of(state.tiles, geometry.placements(state.tiles, -1, state.touch))


def _roller(state: State, letter: str) -> Person | str:
    """The owner of the die, or the letter itself."""
    own = [seat for seat, suit in enumerate(state.suits) if LETTERS[suit] == letter]
    return Person(own[0]) if own else f"“{letter[:20]}”"


def _wrong_creation(state: State, tile: int, x: str, y: str) -> Refusal | None:
    name = NAMES[tile]
    if suit_of(tile) != state.active_suit:
        text = say(
            "{tile} belongs to {suit}; {active} lays one of its own tiles",
            tile=name,
            suit=SUITS[suit_of(tile)],
            active=Person(state.to_act),
        )
        return Refusal(Code.NOT_YOURS, "DECAY-3.3", text, {"tile": name, "to_act": SUITS[state.active_suit]})
    if state.tiles[tile] is not None:
        text = say("{tile} is already on the table; lay one that is still in front of you", tile=name)
        return Refusal(Code.NOT_ALLOWED, "DECAY-3.3", text)
    if not any(state.tiles):
        if (x, y) == ("0", "0"):
            return None
        text = say(
            "the first tile lies at (0, 0): all positions are measured from it, not ({x}, {y})", x=x[:12], y=y[:12]
        )
        return Refusal(Code.NOT_ALLOWED, "DECAY-8.14", text, {"nearest": "0,0"})
    return wrong_place(state, tile, x, y, geometry.NOWHERE)
