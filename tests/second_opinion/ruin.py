"""Decay from its rulebook: a dictionary of tile centres, and every relation measured anew for every question."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations_with_replacement, count
from typing import Any

from rules.engine.contract import AnyGame
from tests.second_opinion.opinion import End, spelt

Spot = tuple[int, int]
SUITS, RANKS = "SMCA", "na2345"
WAYS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
NEIGHBOURS = {frozenset(pair) for pair in ("NE", "ES", "SW", "WN")}
SIDE = 16


def value(tile: str) -> int:
    return RANKS.index(tile[1])


def paid(coins: str) -> str:
    return "+".join(coins) or "-"


class Decay:
    def __init__(self, players: int, told: Mapping[str, Any]) -> None:
        self.told = told
        self.suits = SUITS[:players]
        self.tiles: dict[str, Spot] = {}
        self.pawns: dict[str, str] = {}
        self.dice = dict.fromkeys(self.suits, "")
        self.hands = {suit: [suit] * 6 for suit in self.suits}
        self.spent: dict[str, list[str]] = {suit: [] for suit in self.suits}
        self.living = list(self.suits)
        self.rolls: dict[str, int] = {}
        self.rolling = list(self.suits)
        self.phase, self.mover = "roll", ""
        self.start = ""
        self.won: list[str] = []
        """The victims of attacks, each as often as it has been beaten."""
        self.moved, self.equal = "", list[set[str]]()
        """The tile that tore the board, and the parts of which one stays."""
        self.slid: set[str] = set()
        self.offered = False
        self.finished: End | None = None

    # How tiles lie ------------------------------------------------------------------------------------------

    def side(self, one: Spot, other: Spot) -> str:
        """The side of the first that the second is in contact with (DECAY-2.2, 2.4)."""
        dx, dy = other[0] - one[0], other[1] - one[1]
        reach = range(SIDE, SIDE + self.told.get("gap_tol", 2) + 1)
        if abs(dx) in reach and abs(dy) < SIDE:
            return "E" if dx > 0 else "W"
        if abs(dy) in reach and abs(dx) < SIDE:
            return "N" if dy > 0 else "S"
        return ""

    def around(self, spot: Spot, tiles: Mapping[str, Spot]) -> dict[str, str]:
        """The tiles in contact with a place, and the side of the place on which they are."""
        return {name: side for name, at in tiles.items() if (side := self.side(spot, at))}

    def others(self, tile: str) -> dict[str, Spot]:
        return {name: at for name, at in self.tiles.items() if name != tile}

    def touching(self, tile: str) -> dict[str, str]:
        return self.around(self.tiles[tile], self.others(tile))

    def covers(self, spot: Spot, tiles: Mapping[str, Spot]) -> bool:
        return any(abs(x - spot[0]) < SIDE and abs(y - spot[1]) < SIDE for x, y in tiles.values())

    def sections(self, tiles: Mapping[str, Spot]) -> list[set[str]]:
        left, found = set(tiles), []
        while left:
            section, new = set[str](), {min(left)}
            while new:
                section |= new
                new = {near for tile in new for near in self.around(tiles[tile], tiles)} - section
            found.append(section)
            left -= section
        return found

    def fits(self, spot: Spot, tiles: Mapping[str, Spot]) -> bool:
        """DECAY-2.8 to 2.11."""
        near = self.around(spot, tiles)
        if not near or self.covers(spot, tiles):
            return False
        for name, side in near.items():
            axis = 1 if side in "EW" else 0
            if abs(tiles[name][axis] - spot[axis]) < SIDE // 4 or near.keys() & self.around(tiles[name], tiles):
                return False
        return True

    # Money --------------------------------------------------------------------------------------------------

    def prices(self, tile: str, hand: list[str]) -> set[str]:
        """DECAY-4.4 to 4.6."""
        if tile[1] == "n" or tile in self.dice.values():
            return {""}
        found = {tile[0]} if tile[0] in hand else set()
        for coins in combinations_with_replacement(SUITS, value(tile)):
            if tile[0] not in coins and all(coins.count(coin) <= hand.count(coin) for coin in coins):
                found.add("".join(coins))
        return found

    def holder(self, tile: str) -> str:
        """Whose pawn stands there, besides the mover's."""
        return next((suit for suit, at in self.pawns.items() if at == tile and suit != self.mover), "")

    def steps(self, here: str, hand: list[str]) -> list[tuple[str, str, str, list[str]]]:
        """Tile, payment, toll, and the hand afterwards, of all single steps (DECAY-4.3 to 4.7, 4.9)."""
        found = []
        for tile in self.touching(here):
            if tile == self.start and not self.told.get("revisit_start"):
                continue
            for coins in self.prices(tile, hand):
                rest = without(hand, coins)
                tolls = sorted(set(rest)) if self.holder(tile) else [""]
                found += [(tile, coins, toll, without(rest, toll)) for toll in tolls]
        return found

    def may_end(self, tile: str) -> bool:
        return tile != self.start and not self.holder(tile)

    def leads_on(self, tile: str, hand: list[str], been: set[tuple[str, str]]) -> bool:
        """DECAY-4.10."""
        key = (tile, "".join(sorted(hand)))
        if self.may_end(tile):
            return True
        if key in been:
            return False
        been.add(key)
        return any(self.leads_on(to, rest, been) for to, _, _, rest in self.steps(tile, hand))

    def pawn_steps(self) -> set[str]:
        found = set()
        for to, coins, toll, rest in self.steps(self.pawns[self.mover], self.hands[self.mover]):
            if self.leads_on(to, rest, set()):
                found.add(f"pawn_step({to},{paid(coins)}{',' + toll if toll else ''})")
        return found

    # Tiles that go ------------------------------------------------------------------------------------------

    def is_free(self, tile: str) -> bool:
        """DECAY-2.13 to 2.16."""
        sides = frozenset(self.touching(tile).values())
        loose = len(sides) < 2 or sides in NEIGHBOURS
        if self.told.get("movable_sides") == "at_most_two":
            loose = len(sides) <= 2
        riders = [suit for suit, at in self.pawns.items() if at == tile]
        rule = self.told.get("move_tile_with_pawn", "allow")
        barred = bool(riders) and (rule == "forbid" or (rule == "own_only" and riders != [self.mover]))
        foreign = tile[1] == "a" and tile[0] != self.mover
        return loose and not barred and not foreign and tile not in self.dice.values()

    def may_land(self, tile: str, spot: Spot) -> bool:
        """DECAY-2.12."""
        rest = self.others(tile)
        before = self.touching(tile)
        now = self.around(spot, rest)
        return self.fits(spot, rest) and not any(now[other] == before.get(other) for other in now)

    def slides(self, tile: str) -> set[int]:
        """DECAY-2.17 to 2.19."""
        before = self.touching(tile)
        sides = set(before.values())
        foreign = tile[1] == "a" and tile[0] != self.mover
        if len(sides) != 3 or tile in self.pawns.values() or tile in self.dice.values() or foreign:
            return set()
        if tile in self.slid and not self.told.get("slide_same_tile_again", True):
            return set()
        way = WAYS[(set(WAYS) - sides).pop()]
        rest, (x, y) = self.others(tile), self.tiles[tile]
        found, first, new = set(), 0, set[str]()
        for far in count(1):
            spot = (x + far * way[0], y + far * way[1])
            if self.covers(spot, rest):
                break
            near = self.around(spot, rest)
            if not first and near.keys() - before.keys():
                first, new = far, near.keys() - before.keys()
            if first and (far > first + self.told.get("stop_slack", 2) or near.keys() - before.keys() != new):
                break
            if len(near.keys() & before.keys()) < 2:
                break
            placed = not self.told.get("slide_obeys_placement") or self.fits(spot, rest)
            whole = placed and len(self.sections({**rest, tile: spot})) == 1
            if whole and far >= self.told.get("min_slide", 3):
                found.add(far)
        return found

    # Legal --------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        found: set[str] = getattr(self, f"in_{self.phase}")()
        last_two = len({self.person(suit) for suit in self.living}) == 2
        if self.phase in ("pawn", "slide") and last_two and not self.offered:
            found.add("offer_draw")
        return found

    def in_roll(self) -> set[str]:
        return {f"roll({suit},{face})" for suit in self.rolling if suit not in self.rolls for face in range(6)}

    def in_pawn(self) -> set[str]:
        found = self.pawn_steps()
        return found | ({"end_pawn_move"} if self.may_end(self.pawns[self.mover]) else set())

    def in_take(self) -> set[str]:
        found = {f"take_coin({victim},{coin})" for victim in self.won for coin in self.hands[victim]}
        return found | {f"decline_coin({victim})" for victim in self.won}

    def in_slide(self) -> set[str]:
        coins = set(self.hands[self.mover])
        far = {(tile, k) for tile in self.tiles for k in self.slides(tile)} if coins else set()
        return {f"slide({tile},{k},{coin})" for tile, k in far for coin in coins} | {"end_turn"}

    def in_draw(self) -> set[str]:
        return {"accept_draw", "decline_draw"}

    def ask(self, rng: random.Random) -> dict[str, bool]:
        """Placements about the tiles that lie there, and whether they are legal."""
        if self.phase not in ("create", "tile"):
            return {}
        asked = {"skip_tile": self.phase == "tile"}
        for _ in range(20):
            x, y = rng.choice([*self.tiles.values()] or [(0, 0)])
            across, along = rng.choice((14, 16, 16, 16, 16, 17, 18, 19)), rng.randint(-17, 17)
            right, up = rng.choice([(across, along), (-across, along), (along, across), (along, -across)])
            spot = (x + right, y + up)
            tile = rng.choice(SUITS) + rng.choice(RANKS)
            if self.phase == "create":
                tile = rng.choice((tile, self.mover + tile[1]))
                asked[f"create_tile({tile},{spot[0]},{spot[1]})"] = self.may_create(tile, spot)
            elif tile in self.tiles:
                coins = rng.choice([*sorted(self.prices(tile, self.hands[self.mover])), tile[0]])
                asked[f"move_tile({tile},{paid(coins)},{spot[0]},{spot[1]})"] = self.may_move(tile, coins, spot)
        return asked

    def may_create(self, tile: str, spot: Spot) -> bool:
        fits = self.fits(spot, self.tiles) if self.tiles else spot == (0, 0)
        return tile[0] == self.mover and tile not in self.tiles and fits

    def may_move(self, tile: str, coins: str, spot: Spot) -> bool:
        return self.is_free(tile) and coins in self.prices(tile, self.hands[self.mover]) and self.may_land(tile, spot)

    # Play ---------------------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        _, verb, inside = spelt(action)
        getattr(self, f"do_{verb}")(*inside)

    def do_roll(self, suit: str, face: str) -> None:
        self.rolls[suit] = int(face)
        if self.rolls.keys() < set(self.rolling):
            return
        best = [suit for suit in self.rolling if self.rolls[suit] == max(self.rolls.values())]
        self.rolls, self.rolling = {}, best
        if len(best) == 1:
            self.phase, self.mover = "create", best[0]

    def do_create_tile(self, tile: str, x: str, y: str) -> None:
        assert self.may_create(tile, (int(x), int(y))), f"{tile} may not lie on {x}, {y}"
        self.tiles[tile] = (int(x), int(y))
        self.mover = self.after(self.mover)
        if len(self.tiles) == 6 * len(self.suits):
            self.pawns = {suit: f"{suit}a" for suit in self.suits}
            self.begin()

    def after(self, suit: str) -> str:
        round_from = self.suits[self.suits.index(suit) + 1 :] + self.suits
        return next((other for other in round_from if other in self.living), suit)

    def begin(self) -> None:
        """The turn of the mover; whoever cannot move the pawn dies (DECAY-4.13)."""
        self.phase, self.start, self.offered = "pawn", self.pawns[self.mover], False
        self.won, self.slid = [], set()
        if not self.pawn_steps():
            self.die([self.mover])
            self.pass_on()

    def pass_on(self) -> None:
        if self.finished is None:
            self.mover = self.after(self.mover)
            self.begin()

    def die(self, dead: list[str]) -> None:
        """DECAY-5.1, 5.2 and 5.18, 5.19."""
        for suit in dead:
            self.living.remove(suit)
            self.pawns.pop(suit)
            self.dice[suit], self.hands[suit], self.spent[suit] = "", [], []
        persons = {self.person(suit) for suit in self.living}
        if dead and len(persons) == 1:
            self.finished = End(tuple(n for n, suit in enumerate(self.suits) if self.person(suit) in persons))
        if dead and not persons:
            last = {self.person(suit) for suit in dead}
            last -= {self.person(self.mover)} if self.told.get("all_dead") == "active_loses" else set()
            drawn = self.told.get("all_dead") != "active_loses"
            self.finished = End(tuple(n for n, suit in enumerate(self.suits) if self.person(suit) in last), drawn)

    def person(self, suit: str) -> int:
        return self.suits.index(suit) % (2 if self.told.get("two_persons") else 4)

    def pay(self, coins: str) -> None:
        self.hands[self.mover] = without(self.hands[self.mover], coins)
        self.spent[self.mover] += coins

    def do_pawn_step(self, to: str, coins: str, toll: str = "") -> None:
        self.pay("" if coins == "-" else coins.replace("+", ""))
        if toll:
            self.hands[self.mover].remove(toll)
            self.hands[self.holder(to)].append(toll)
        self.pawns[self.mover] = to

    def do_end_pawn_move(self) -> None:
        self.phase = "tile"

    def do_skip_tile(self) -> None:
        self.dice[self.mover] = ""
        self.phase = "slide"

    def do_move_tile(self, tile: str, coins: str, x: str, y: str) -> None:
        coins, spot = "" if coins == "-" else coins.replace("+", ""), (int(x), int(y))
        assert self.may_move(tile, coins, spot), f"{tile} may not go to {spot} for {coins}"
        self.pay(coins)
        self.tiles[tile] = spot
        self.split(tile)

    def split(self, moved: str) -> None:
        """DECAY-5.4 to 5.7."""
        stand = self.pawns[self.mover]

        def rank(section: set[str]) -> tuple[int, bool, bool]:
            return len(section), stand in section, moved in section

        sections = self.sections(self.tiles)
        best = max(map(rank, sections))
        self.moved, self.equal = moved, [section for section in sections if rank(section) == best]
        if len(self.equal) == 1:
            self.keep(self.equal[0])
        else:
            self.phase = "keep"

    def in_keep(self) -> set[str]:
        return {f"keep_section({name})" for section in self.equal for name in section}

    def do_keep_section(self, name: str) -> None:
        self.keep(next(section for section in self.equal if name in section))

    def keep(self, stays: set[str]) -> None:
        """DECAY-5.8, 5.9, and what the moved tile does then."""
        self.tiles = {name: at for name, at in self.tiles.items() if name in stays}
        self.dice = {suit: at if at in stays else "" for suit, at in self.dice.items()}
        self.die([suit for suit, at in self.pawns.items() if at not in stays])
        if self.finished or self.mover not in self.living:
            self.pass_on()
            return
        if self.moved in self.tiles:
            self.attack(self.moved)
        self.dice[self.mover] = self.moved if self.moved in self.tiles else ""
        self.taken()

    def attack(self, tile: str) -> None:
        """DECAY-5.10 to 5.17."""
        if tile[0] != self.mover or tile[1] == "n":
            return
        for target in self.touching(tile):
            hostile = target[0] in self.living and self.person(target[0]) != self.person(self.mover)
            if hostile and target[1] not in "na":
                near = self.touching(target)
                strength = sum(value(other) for other in near if other[0] == self.mover)
                defence = value(target) + sum(value(other) for other in near if other[0] == target[0])
                self.won += [target[0]] if strength > defence else []

    def taken(self) -> None:
        self.won = [victim for victim in self.won if self.hands[victim]]
        self.phase = "take" if self.won else "slide"

    def do_take_coin(self, victim: str, coin: str) -> None:
        self.won.remove(victim)
        self.hands[victim].remove(coin)
        later = self.told.get("stolen_coin_usable") == "next_turn"
        (self.spent if later else self.hands)[self.mover].append(coin)
        self.taken()

    def do_decline_coin(self, victim: str) -> None:
        self.won.remove(victim)
        self.taken()

    def do_slide(self, tile: str, far: str, coin: str) -> None:
        way = WAYS[(set(WAYS) - set(self.touching(tile).values())).pop()]
        x, y = self.tiles[tile]
        self.tiles[tile] = (x + int(far) * way[0], y + int(far) * way[1])
        self.slid.add(tile)
        self.pay(coin)

    def do_end_turn(self) -> None:
        self.hands[self.mover] += self.spent[self.mover]
        self.spent[self.mover] = []
        self.pass_on()

    def do_offer_draw(self) -> None:
        self.back, self.phase, self.offered = self.phase, "draw", True

    def do_accept_draw(self) -> None:
        self.finished = End(tuple(map(self.suits.index, self.living)), drawn=True)

    def do_decline_draw(self) -> None:
        self.phase = self.back

    # What is compared ---------------------------------------------------------------------------------------

    def to_act(self) -> int | None:
        if self.phase == "roll":
            return None
        who = self.after(self.mover) if self.phase == "draw" else self.mover
        if self.phase == "draw" and self.person(who) == self.person(self.mover):
            who = self.after(who)
        return self.suits.index(who)

    def end(self) -> End | None:
        return self.finished

    def scores(self) -> tuple[int, ...] | None:
        return ()

    def table(self) -> Any:
        tiles = {name: (float(x), float(y)) for name, (x, y) in self.tiles.items()}
        dice = {suit: at for suit, at in self.dice.items() if at}
        purses = [{suit: sorted(coins) for suit, coins in of.items() if coins} for of in (self.hands, self.spent)]
        return tiles, self.pawns, dice, purses

    def seen(self, game: AnyGame, state: Any) -> Any:
        board = game.layout(state).board
        tiles = {p.place: (p.x * 8, p.y * 8) for p in board if p.piece.kind.value == "tile"}
        stand = [{p.piece.code[1]: p.place for p in board if p.piece.kind.value == kind} for kind in ("pawn", "die")]
        purses: list[dict[str, list[str]]] = [{}, {}]
        for placed in game.layout(state):
            if placed.piece.kind.value == "coin" and placed.seat is not None:
                purse = purses[placed.zone.value == "spent"]
                purse.setdefault(self.suits[placed.seat], []).append(placed.piece.code[1])
        return tiles, *stand, [{suit: sorted(coins) for suit, coins in of.items()} for of in purses]


def without(hand: list[str], coins: str) -> list[str]:
    rest = list(hand)
    for coin in coins:
        rest.remove(coin)
    return rest
