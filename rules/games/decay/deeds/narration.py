"""Base of the deeds of Decay: changes of the state with their effects, common refusals, turns, deaths and the end
(DECAY-4.1, 4.13, 5.18 to 5.20)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from hashlib import blake2b
from typing import Any

from rules.engine import Code, EffectKind, Outcome, PhaseText, Refusal, Spot
from rules.engine.deed import Narration, TellingDeed
from rules.engine.values import with_item
from rules.games.decay.geometry import EAST, WEST, contacts, on_table, sections
from rules.games.decay.layout import OUT, spot_of
from rules.games.decay.money import can_move_pawn, one_coin, plus, spell
from rules.games.decay.opening import (
    INDEX,
    NAMES,
    NO_COINS,
    PER_SUIT,
    Coins,
    Phase,
    State,
    piece_of,
    suit_of,
)
from rules.pieces import SUITS, coin, die, pawn
from rules.sentence import Joint, Person, Sentence, say, several
from rules.table.layout import Zone

HERE = PhaseText("", "that is not possible now: {doing}")
ANOTHER_STEP = PhaseText("DECAY-4.1", "that is not possible now: {doing}")
"""Refusal of an action of another step of the turn."""

DOING = {
    Phase.ROLL: say("the dice are rolled to see who begins"),
    Phase.CREATE: say("the board is being built"),
    Phase.PAWN: say("the pawn is moved (step 1)"),
    Phase.TILE: say("one tile may be moved (step 2)"),
    Phase.KEEP: say("the active seat says which part of the board stays"),
    Phase.ATTACK: say("the attack is made or waived"),
    Phase.TAKE: say("coins won by the attack are taken"),
    Phase.SLIDE: say("tiles may slide (step 3)"),
    Phase.DRAW: say("a draw was offered and is to be answered"),
    Phase.OVER: say("the game is over"),
}


def say_shift(side: int, offset: int) -> Sentence:
    """The compass direction of an offset along a side."""
    if side in (EAST, WEST):
        return say("to the north") if offset > 0 else say("to the south")
    return say("to the east") if offset > 0 else say("to the west")


WHOLE = re.compile(r"-?\d{1,6}\Z")


def no_tile(state: State, name: str, *, laid: bool = True) -> Refusal | None:
    """Refusal of a name that is no tile, or of a tile that is not on the table."""
    if name not in INDEX:
        text = say("“{tile}” is not a tile; tiles are called like Sn, Ma, C2 or A5", tile=name[:20])
        return Refusal(Code.BAD_ARGUMENT, "DECAY-1.3", text)
    if laid and state.tiles[INDEX[name]] is None:
        return Refusal(Code.NO_SUCH_PIECE, "DECAY-5.9", say("{tile} is not on the table", tile=name))
    return None


def tiles_named(state: State, names: Collection[str]) -> Iterator[int]:
    """The tiles on the table that are named."""
    return (tile for tile, _, _ in on_table(state.tiles) if NAMES[tile] in names)


OWN_TURN = (Phase.PAWN, Phase.TILE, Phase.SLIDE)


def _following(state: State) -> Iterator[int]:
    """The living seats in order of turns, that of the seat to act last."""
    count = len(state.suits)
    following = ((state.to_act + step) % count for step in range(1, count + 1))
    return (seat for seat in following if state.living[seat])


def next_seat(state: State) -> int:
    return next(_following(state))


def answering_seat(state: State) -> int:
    """The next living seat of the other person."""
    return next(seat for seat in _following(state) if state.person(seat) != state.person(state.to_act))


def may_offer_draw(state: State) -> bool:
    by_word = state.options.draw == "by_agreement"
    return by_word and state.phase in OWN_TURN and not state.offered and len(state.persons_left) == 2


_DRAWS = ("DECAY-5.19", "DECAY-5.20", "DECAY-8.12")


def outcome_of(state: State) -> Outcome:
    if state.phase is not Phase.OVER:
        return Outcome()
    return Outcome(True, state.winners, (), reason(state), state.ending, drawn=state.ending in _DRAWS)


def reason(state: State) -> Sentence:
    winners = several(map(Person, state.winners), Joint.AND)
    if state.ending == "DECAY-5.18":
        return say(
            "only {winners} still has a pawn on the board",
            "only {winners} still have pawns on the board",
            count=len(state.winners),
            winners=winners,
        )
    if state.ending == "DECAY-5.19":
        return say("the last pawns died together: a draw between {winners}", winners=winners)
    if state.ending == "DECAY-8.11":
        return say(
            "the last pawns died together and {active} brought it about: {winners} wins",
            "the last pawns died together and {active} brought it about: {winners} win",
            count=len(state.winners),
            active=Person(state.to_act),
            winners=winners,
        )
    if state.ending == "DECAY-5.20":
        return say("{winners} agreed on a draw", winners=winners)
    return say("the same position has occurred three times: a draw between {winners}", winners=winners)


class DecayNarration(Narration[State]):
    def give(self, seat: int, coins: Coins) -> None:
        purse = self.state.purse(seat)
        self.set(hands=with_item(self.state.hands, purse, plus(self.state.hands[purse], coins)))

    def spend(self, coins: Coins, clause: str, what: str) -> None:
        """Move coins from the hand to the spent coins."""
        seat = self.state.to_act
        self.give(seat, tuple(-count for count in coins))
        self.set(spent=plus(self.state.spent, coins))
        if sum(coins):
            facts = {"coins": spell(coins), "for": what}
            self.tell(EffectKind.PAY, seat=seat, amount=sum(coins), clause=clause, facts=facts)

    def pay_toll(self, suit: int, owner: int) -> None:
        seat = self.state.to_act
        piece = coin(SUITS[suit])
        self.give(seat, tuple(-count for count in one_coin(suit)))
        self.give(owner, one_coin(suit))
        hand = Spot(zone=Zone.HAND, seat=self.state.purse(owner))
        facts = {"coins": spell(one_coin(suit)), "for": "toll"}
        self.tell(EffectKind.PAY, piece, "", None, hand, seat, owner, amount=1, clause="DECAY-4.7", facts=facts)

    def lay(self, tile: int, place: tuple[int, int] | None) -> None:
        self.set(tiles=with_item(self.state.tiles, tile, place))

    def take_die_off(self, seat: int, clause: str) -> None:
        tile = self.state.dice[seat]
        if tile is None:
            return
        target = Spot(zone=Zone.HAND, seat=seat)
        suit = SUITS[self.state.suits[seat]]
        self.tell(EffectKind.REMOVE, die(suit), f"die-{suit}", Spot(NAMES[tile]), target, seat, clause=clause)
        self.set(dice=with_item(self.state.dice, seat, None))

    def remove_tiles(self, tiles: frozenset[int], clause: str) -> None:
        self._tell_collapse(tiles, clause, self.state.to_act)
        self.set(tiles=tuple(None if index in tiles else spot for index, spot in enumerate(self.state.tiles)))

    def _tell_collapse(self, tiles: Collection[int], clause: str, seat: int | None) -> None:
        """Tell which tiles go; dice come off them."""
        facts = {"places": sorted(NAMES[tile] for tile in tiles)}
        self.tell(EffectKind.COLLAPSE, seat=seat, amount=len(tiles), clause=clause, facts=facts)
        for owner, tile in enumerate(self.state.dice):
            if tile in tiles:
                self.take_die_off(owner, "DECAY-5.9")

    def kill(self, seats: tuple[int, ...], clause: str, why: Sentence) -> bool:
        """Eliminate these seats together; returns whether that ends the game (DECAY-5.1, 5.18, 5.19)."""
        for seat in seats:
            self._eliminate(seat, clause, why)
        if self.state.options.dead_tiles == "remove":
            for seat in seats:
                self._clear_tiles_of(seat)
        return self._end_if_decided(seats)

    def _eliminate(self, seat: int, clause: str, why: Sentence) -> None:
        state = self.state
        suit = state.suits[seat]
        shares = any(
            alive and other != seat and state.purse(other) == state.purse(seat)
            for other, alive in enumerate(state.living)
        )
        lost = 0 if shares else sum(state.hand(seat)) + (sum(state.spent) if seat == state.to_act else 0)
        facts = {"suit": SUITS[suit], "why": why.text, "coins_lost": lost}
        self.tell(EffectKind.ELIMINATE, seat=seat, clause=clause, facts=facts, sentence=why)
        where = state.pawns[seat]
        if where is not None:
            piece = pawn(SUITS[suit])
            key = f"pawn-{SUITS[suit]}"
            self.tell(EffectKind.REMOVE, piece, key, spot_of(state.tiles, where), OUT, seat, clause="DECAY-5.1")
        self.take_die_off(seat, "DECAY-5.1")
        self.set(living=with_item(state.living, seat, False), pawns=with_item(state.pawns, seat, None))
        if not shares:
            self.set(hands=with_item(state.hands, state.purse(seat), NO_COINS))
            if seat == state.to_act:
                self.set(spent=NO_COINS)

    def _clear_tiles_of(self, seat: int) -> None:
        """Option dead_tiles: remove the seat's tiles that carry no pawn and do not connect the board, lowest first."""
        suit = self.state.suits[seat]
        gone: set[int] = set()
        while (tile := self._loose_tile(suit)) is not None:
            self.lay(tile, None)
            gone.add(tile)
        if gone:
            self._tell_collapse(gone, "DECAY-8.9", None)

    def _loose_tile(self, suit: int) -> int | None:
        tiles = self.state.tiles
        near = contacts(tiles, self.state.touch)
        for tile in range(suit * PER_SUIT, (suit + 1) * PER_SUIT):
            free = tiles[tile] is not None and tile not in self.state.pawns
            if free and len(sections(tiles, near, leave_out=tile)) == 1:
                return tile
        return None

    def _end_if_decided(self, dead: tuple[int, ...]) -> bool:
        left = self.state.persons_left
        if len(left) == 1:
            self.end(self.state.seats_of(left), "DECAY-5.18")
        elif not left:
            self._end_together(dead)
        return self.state.phase is Phase.OVER

    def _end_together(self, dead: tuple[int, ...]) -> None:
        if self.state.options.all_dead == "active_loses":
            rest = tuple(seat for seat in dead if self.state.person(seat) != self.state.person(self.state.to_act))
            if rest:
                return self.end(rest, "DECAY-8.11")
        return self.end(self.state.seats_of(set(map(self.state.person, dead))), "DECAY-5.19")

    def end(self, winners: tuple[int, ...], clause: str) -> None:
        self.set(phase=Phase.OVER, winners=winners, ending=clause)
        found = outcome_of(self.state)
        self.tell(EffectKind.END, clause=clause, facts={"reason": found.reason}, sentence=found.sentence)


class DecayDeed(TellingDeed[State, DecayNarration]):
    narration = DecayNarration


def place_effect(state: State, tile: int, clause: str) -> dict[str, Any]:
    """The fields that every effect about a tile has."""
    return {
        "piece": piece_of(tile),
        "key": f"tile-{NAMES[tile]}",
        "target": spot_of(state.tiles, tile),
        "clause": clause,
        "facts": {"owner": SUITS[suit_of(tile)], "position_u": "{}, {}".format(*state.tiles[tile] or ())},
    }


def start_turn(narration: DecayNarration, seat: int) -> None:
    """Begin the turn of a seat; a seat whose pawn cannot move is killed and the next one follows (DECAY-4.13)."""
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
    narration.end(state.seats_left, "DECAY-8.12")
    return True
