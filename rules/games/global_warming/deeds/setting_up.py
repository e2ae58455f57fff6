"""Deeds of the set-up: the island, the pawns on it, the line of coins (GW-3)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Spot, Verb
from rules.engine.action import PIECES, SEAT, Luck
from rules.engine.refusal import Fact
from rules.engine.values import replace
from rules.games.global_warming.cells import island
from rules.games.global_warming.coins import SIDES, side_of
from rules.games.global_warming.deeds.common import WarmingDeed, new_coin, wrong_line, wrong_side
from rules.games.global_warming.layout import side_word, spot
from rules.games.global_warming.opening import COIN_INDEX, COINS, LINE_LENGTH, TILE_INDEX, TILES, Phase, State
from rules.games.global_warming.turns import split
from rules.pieces import parse_piece, pawn
from rules.sentence import Person, say, several
from rules.table.layout import Zone


class DealIsland(WarmingDeed):
    verb = Verb.of("deal_island", "turn all tiles face up", "GW-3.1", luck=Luck.DEAL, tiles=PIECES)
    phases = (Phase.DEAL,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        """One order of the tiles represents all."""
        yield Action("deal_island", ("+".join(TILE_INDEX),))

    def sample(self, state: State, rng: random.Random) -> Action:
        codes = list(TILE_INDEX)
        rng.shuffle(codes)
        return Action("deal_island", ("+".join(codes),))

    def check(self, state: State, action: Action) -> Refusal | None:
        codes = split(action[0])
        unknown = next((code for code in codes if code not in TILE_INDEX), None)
        if unknown is not None:
            text = say("“{given}” is not a tile; write for example tS4", given=unknown[:20])
            return Refusal(Code.NO_SUCH_PIECE, "GW-3.1", text)
        if len(codes) != len(set(codes)):
            return Refusal(Code.REPEATS, "GW-3.1", say("a tile is named twice; each of the 24 tiles exists once"))
        cells = island(state.options.setup)
        if len(codes) != len(cells):
            text = say(
                "one tile is named; the island has {wanted}",
                "{count} tiles are named; the island has {wanted}",
                count=len(codes),
                wanted=len(cells),
            )
            return Refusal(Code.BAD_ARGUMENT, "GW-3.1", text, {"given": len(codes), "wanted": len(cells)})
        return None

    def advance(self, state: State, action: Action) -> State:
        cells = island(state.options.setup)
        placed = dict(zip(split(action[0]), cells, strict=True))
        return replace(state, tiles=tuple(placed[code] for code in TILE_INDEX), phase=Phase.START)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for tile, place in zip(TILES, after.tiles, strict=True):
            yield Effect(EffectKind.FLIP, tile, tile.code, target=spot(place), clause="GW-3.1")


class DrawStart(WarmingDeed):
    verb = Verb.of("draw_start", "draw {coin} for the first place", "GW-3.3", coin=PIECES)
    phases = (Phase.START,)
    exhaustive = False

    def describe(self, action: Action) -> str:
        coins = several(COINS[COIN_INDEX[code]] for code in split(action[0]) if code in COIN_INDEX)
        return self.verb.text.format(coin=coins.text)

    def legal(self, state: State) -> Iterator[Action]:
        for code, index in COIN_INDEX.items():
            if state.tiles[index] not in state.pawns:
                yield Action("draw_start", (code,))

    def check(self, state: State, action: Action) -> Refusal | None:
        codes = split(action[0])
        waiting = state.pawns.count("")
        if not 1 <= len(codes) <= waiting:
            text = say(
                "one pawn is waiting for a coin; coins named: {given}",
                "{count} pawns are waiting for a coin each; coins named: {given}",
                given=len(codes),
                count=waiting,
            )
            return Refusal(Code.LIMIT, "GW-3.3", text, {"given": len(codes), "waiting": waiting})
        taken = set(state.pawns)
        for code in codes:
            if code not in COIN_INDEX:
                text = say("“{given}” is not a coin; write for example cS4", given=code[:20])
                return Refusal(Code.NO_SUCH_PIECE, "GW-3.3", text)
            if state.tiles[COIN_INDEX[code]] in taken:
                text = say(
                    "{coin} has been drawn already; drawn coins stay out until all pawns stand", coin=parse_piece(code)
                )
                return Refusal(Code.REPEATS, "GW-3.3", text, {"coin": code})
            taken.add(state.tiles[COIN_INDEX[code]])
        return None

    def advance(self, state: State, action: Action) -> State:
        drawn = iter([state.tiles[COIN_INDEX[code]] for code in split(action[0])])
        pawns = tuple(place or next(drawn, "") for place in state.pawns)
        return replace(state, pawns=pawns, phase=Phase.START if "" in pawns else Phase.LINE)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        waiting = [index for index, place in enumerate(before.pawns) if not place]
        for index, code in zip(waiting, split(action[0]), strict=False):
            suit, seat, place = before.suits[index], before.owners[index], after.pawns[index]
            yield Effect(
                EffectKind.REVEAL, COINS[COIN_INDEX[code]], seat=seat, clause="GW-3.3", facts={"tile": "t" + code[1:]}
            )
            target, source = spot(place), Spot(zone=Zone.HAND, seat=seat)
            yield Effect(EffectKind.PLACE, pawn(suit), f"p{suit.letter}", source, target, seat=seat, clause="GW-3.3")
        if after.phase == Phase.LINE:
            facts: dict[str, Fact] = {"what": "the drawn coins go back into the bag", "bag": after.bag}
            yield Effect(EffectKind.PHASE, clause="GW-3.4", facts=facts)


class SetHandler(WarmingDeed):
    verb = Verb.of("set_handler", "seat {seat} draws the coins", "GW-3.5", seat=SEAT)
    phases = (Phase.START, Phase.LINE, Phase.SELECT)
    is_open_to_all = True

    def legal(self, state: State) -> tuple[Action, ...]:
        """No listing: players agree on it, and nothing asks for it."""
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        seats = [str(seat) for seat in sorted(set(state.owners))]
        if action[0] not in seats:
            text = say("there is no seat “{seat}”; seats are {seats}", seat=action[0][:20], seats=several(seats))
            return Refusal(Code.BAD_ARGUMENT, "GW-3.5", text, {"seats": seats})
        if int(action[0]) == state.handler:
            text = say("{seat} draws the coins already", seat=Person(state.handler))
            return Refusal(Code.REPEATS, "GW-3.5", text, {"seat": action[0]})
        if state.options.handler == "fixed" and state.phase == Phase.SELECT:
            text = say("who draws the coins was settled before the line was laid")
            return Refusal(Code.NOT_ALLOWED, "GW-R8", text, {"handler": state.handler})
        return None

    def advance(self, state: State, action: Action) -> State:
        return replace(state, handler=int(action[0]))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=after.handler, clause="GW-3.5", facts={"handler": after.handler})


class OpenLine(WarmingDeed):
    verb = Verb.of("open_line", "lay the line {coins}", "GW-3.6", coins=PIECES)
    phases = (Phase.LINE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("open_line", ("+".join(line),)) for line in product(SIDES, repeat=LINE_LENGTH))

    def sample(self, state: State, rng: random.Random) -> Action:
        drawn = rng.sample(range(len(COINS)), LINE_LENGTH)
        return Action("open_line", ("+".join(side_of(index, rng.random() < 0.5) for index in drawn),))

    def check(self, state: State, action: Action) -> Refusal | None:
        line = split(action[0])
        for side in line:
            if refusal := wrong_side(side):
                return refusal
        if len(line) != LINE_LENGTH:
            text = say("the line begins with {wanted} coins, not {given}", wanted=LINE_LENGTH, given=len(line))
            return Refusal(Code.BAD_ARGUMENT, "GW-3.6", text, {"given": len(line), "wanted": LINE_LENGTH})
        return wrong_line(line, state.sunk)

    def advance(self, state: State, action: Action) -> State:
        return replace(state, line=tuple(split(action[0])), phase=Phase.SELECT)

    def describe(self, action: Action) -> str:
        return "lay the line " + ", ".join(map(side_word, split(action[0])))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        return (new_coin(side, number, after.handler, after.bag, "GW-3.6") for number, side in enumerate(after.line))
