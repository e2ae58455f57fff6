"""What the steps of this game change and tell, in turn."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from rules.engine import Action, Deed, EffectKind, Spot, Step
from rules.engine.narration import Narration
from rules.games.decay.ending import outcome_of
from rules.games.decay.geometry import contacts, sections
from rules.games.decay.money import one, plus, spell
from rules.games.decay.opening import NAMES, NO_COINS, PER_SUIT, Coins, Phase, State, piece_of, suit_name, suit_of
from rules.games.decay.places import OUT, spot_of
from rules.pieces import SUITS, coin, die, pawn
from rules.sentence import Sentence
from rules.table.layout import Zone


def with_item(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*items[:index], value, *items[index + 1 :])


class DecayDeed(Deed[State]):
    """A deed that is told while it is done."""

    def do(self, state: State, action: Action) -> Step[State]:
        narration = DecayNarration(state)
        self.play(narration, action)
        return narration.step()

    @abstractmethod
    def play(self, narration: DecayNarration, action: Action) -> None: ...


class DecayNarration(Narration[State]):
    # Coins --------------------------------------------------------------------------------------------------

    def give(self, seat: int, coins: Coins) -> None:
        purse = self.state.purse(seat)
        self.set(hands=with_item(self.state.hands, purse, plus(self.state.hands[purse], coins)))

    def spend(self, coins: Coins, clause: str, what: str) -> None:
        """From the hand to the spent coins."""
        seat = self.state.to_act
        self.give(seat, tuple(-count for count in coins))
        self.set(spent=plus(self.state.spent, coins))
        if sum(coins):
            facts = {"coins": spell(coins), "for": what}
            self.tell(EffectKind.PAY, seat=seat, amount=sum(coins), clause=clause, facts=facts)

    def pay_toll(self, suit: int, owner: int) -> None:
        seat = self.state.to_act
        self.give(seat, tuple(-count for count in one(suit)))
        self.give(owner, one(suit))
        hand = Spot(zone=Zone.HAND, seat=self.state.purse(owner))
        facts = {"coins": spell(one(suit)), "for": "toll"}
        self.tell(
            EffectKind.PAY,
            piece=coin(SUITS[suit]),
            target=hand,
            seat=seat,
            other=owner,
            amount=1,
            clause="DECAY-4.7",
            facts=facts,
        )

    # Tiles, pawns, dice -------------------------------------------------------------------------------------

    def lay(self, tile: int, place: tuple[int, int] | None) -> None:
        self.set(tiles=with_item(self.state.tiles, tile, place))

    def take_die_off(self, seat: int, clause: str) -> None:
        tile = self.state.dice[seat]
        if tile is None:
            return
        target = Spot(zone=Zone.HAND, seat=seat)
        suit = SUITS[self.state.suits[seat]]
        self.tell(
            EffectKind.REMOVE,
            piece=die(suit),
            key=f"die-{suit}",
            source=Spot(NAMES[tile]),
            target=target,
            seat=seat,
            clause=clause,
        )
        self.set(dice=with_item(self.state.dice, seat, None))

    def remove_tiles(self, tiles: frozenset[int], clause: str) -> None:
        places = sorted(NAMES[tile] for tile in tiles)
        self.tell(
            EffectKind.COLLAPSE, seat=self.state.to_act, amount=len(tiles), clause=clause, facts={"places": places}
        )
        for seat, tile in enumerate(self.state.dice):
            if tile in tiles:
                self.take_die_off(seat, "DECAY-5.9")
        self.set(tiles=tuple(None if index in tiles else spot for index, spot in enumerate(self.state.tiles)))

    # Deaths and the end -------------------------------------------------------------------------------------

    def kill(self, seats: tuple[int, ...], clause: str, why: Sentence) -> bool:
        """These seats are out together; True if that ends the game (DECAY-5.1, 5.18, 5.19)."""
        for seat in seats:
            self._bury(seat, clause, why)
        if self.state.options.dead_tiles == "remove":
            for seat in seats:
                self._clear_tiles_of(seat)
        return self._end_if_decided(seats)

    def _bury(self, seat: int, clause: str, why: Sentence) -> None:
        state = self.state
        suit = state.suits[seat]
        shares = any(
            alive and other != seat and state.purse(other) == state.purse(seat)
            for other, alive in enumerate(state.living)
        )
        lost = 0 if shares else sum(state.hand(seat)) + (sum(state.spent) if seat == state.to_act else 0)
        facts = {"suit": suit_name(suit), "why": why.text, "coins_lost": lost}
        self.tell(EffectKind.ELIMINATE, seat=seat, clause=clause, facts=facts, said=why)
        where = state.pawns[seat]
        if where is not None:
            piece = pawn(SUITS[suit])
            key = f"pawn-{SUITS[suit]}"
            self.tell(
                EffectKind.REMOVE,
                piece=piece,
                key=key,
                source=spot_of(state.tiles, where),
                target=OUT,
                seat=seat,
                clause="DECAY-5.1",
            )
        self.take_die_off(seat, "DECAY-5.1")
        self.set(living=with_item(state.living, seat, False), pawns=with_item(state.pawns, seat, None))
        if not shares:
            self.set(hands=with_item(state.hands, state.purse(seat), NO_COINS))
            if seat == state.to_act:
                self.set(spent=NO_COINS)

    def _clear_tiles_of(self, seat: int) -> None:
        """Option dead_tiles: what nobody stands on and what does not hold the board together goes, lowest first."""
        suit = self.state.suits[seat]
        gone: set[int] = set()
        while (tile := self._loose_tile(suit)) is not None:
            self.lay(tile, None)
            gone.add(tile)
        if gone:
            places = sorted(NAMES[tile] for tile in gone)
            self.tell(EffectKind.COLLAPSE, amount=len(gone), clause="DECAY-8.9", facts={"places": places})
            for other, tile_under in enumerate(self.state.dice):
                if tile_under in gone:
                    self.take_die_off(other, "DECAY-5.9")

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
            person = next(iter(left))
            seats = range(len(self.state.suits))
            self.end(tuple(seat for seat in seats if self.state.person(seat) == person), "DECAY-5.18")
        elif not left:
            self._end_together(dead)
        return self.state.phase is Phase.OVER

    def _end_together(self, dead: tuple[int, ...]) -> None:
        persons = {self.state.person(seat) for seat in dead}
        if self.state.options.all_dead == "active_loses":
            rest = tuple(seat for seat in dead if self.state.person(seat) != self.state.person(self.state.to_act))
            if rest:
                return self.end(rest, "DECAY-8.11")
        seats = range(len(self.state.suits))
        return self.end(tuple(seat for seat in seats if self.state.person(seat) in persons), "DECAY-5.19")

    def end(self, winners: tuple[int, ...], clause: str) -> None:
        self.set(phase=Phase.OVER, winners=winners, ending=clause)
        found = outcome_of(self.state)
        self.tell(EffectKind.END, clause=clause, facts={"reason": found.reason}, said=found.said)


def place_effect(state: State, tile: int, clause: str) -> dict[str, Any]:
    """The fields that every effect about a tile has."""
    return {
        "piece": piece_of(tile),
        "key": f"tile-{NAMES[tile]}",
        "target": spot_of(state.tiles, tile),
        "clause": clause,
        "facts": {"owner": suit_name(suit_of(tile)), "position_u": "{}, {}".format(*state.tiles[tile] or ())},
    }
