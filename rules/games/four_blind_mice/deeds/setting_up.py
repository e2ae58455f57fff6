"""Deeds of the set-up: roll for the start, placement of cheeses and mice (MICE-3)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action, Code, Deed, Effect, EffectKind, Refusal, Verb
from rules.engine.action import DICE, PIECE, PLACE, RANK, Luck, PieceIcon
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.throws import ThrowDeed, example_of
from rules.engine.values import with_item
from rules.games.four_blind_mice.deeds.common import (
    MAX_ECHO,
    SUPPLY,
    MouseDeed,
    no_room,
    no_such_mouse,
    spot,
)
from rules.games.four_blind_mice.opening import CELL_OF, FULL_BOX, NAMES, NO_MICE, Phase, State, Where, begin
from rules.games.four_blind_mice.rounds import (
    MOUSE_OF,
    cheese_value,
    visible_piece,
    waiting_values,
)
from rules.games.four_blind_mice.slides import places
from rules.pieces import SUITS, Kind, Suit, die, pawn
from rules.sentence import say


class Roll(ThrowDeed[State], MouseDeed):
    verb = Verb.of("roll", "roll {dice} for the first turn", "MICE-3.3", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.ROLL,)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return tuple(SUITS[seat % 4] for seat in state.rollers)

    def sample(self, state: State, rng: random.Random) -> Action | None:
        return Deed.sample(self, state, rng)

    def unreadable(self, state: State, action: Action) -> Refusal:
        text = say(
            "{players} players roll, each die shows 0 to 5; write for example {example}",
            players=len(state.rollers),
            example=example_of(self.dice(state)),
        )
        return Refusal(Code.BAD_ARGUMENT, "MICE-3.3", text, {"players": len(state.rollers)})

    def advance(self, state: State, action: Action) -> State:
        rolled = dict(zip(state.rollers, (rank for _, rank in self.thrown(state, action)), strict=True))
        best = leaders(rolled)
        return replace(state, rollers=best) if len(best) > 1 else begin(state, best[0])

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for seat, (suit, rank) in zip(before.rollers, self.thrown(before, action), strict=True):
            yield Effect(EffectKind.ROLL, die(suit, rank), seat=seat, amount=int(rank), clause="MICE-3.3")
        again = [str(seat) for seat in after.rollers]
        what: Facts = {"choice": "roll again", "seats": again} if again else {"choice": "begins"}
        yield Effect(EffectKind.CHOOSE, seat=None if again else after.to_act, clause="MICE-3.3", facts=what)


class PlaceCheese(MouseDeed):
    verb = Verb.of(
        "place_cheese",
        "place a {value} on {space}",
        "MICE-3.3",
        lays=PieceIcon(Kind.COIN, value="value"),
        value=RANK,
        space=PLACE,
    )
    phases = (Phase.PLACE_CHEESE,)

    def legal(self, state: State) -> Iterator[Action]:
        cells = places(state)
        for rank in waiting_values(state):
            for cell in cells:
                yield Action("place_cheese", (rank.digit, NAMES[cell]))

    def check(self, state: State, action: Action) -> Refusal | None:
        rank = cheese_value(action[0])
        if rank is None:
            text = say("“{coin}” is not a cheese; only a null or an ace is", coin=action[0][:MAX_ECHO])
            return Refusal(Code.NO_SUCH_PIECE, "MICE-1.1", text)
        if rank not in waiting_values(state):
            text = say("all four coins of value {value} lie on the board", value=rank)
            return Refusal(Code.NO_SUCH_PIECE, "MICE-3.3", text, {"value": rank.word})
        return no_room(state, action[1], places(state))

    def advance(self, state: State, action: Action) -> State:
        rank = cheese_value(action[0])
        number = next(n for n, c in enumerate(state.cheeses) if c.where is Where.SUPPLY and c.rank is rank)
        cheese = replace(state.cheeses[number], where=Where.BOARD, cell=CELL_OF[action[1]])
        cheeses = with_item(state.cheeses, number, cheese)
        complete = all(cheese.where is not Where.SUPPLY for cheese in cheeses)
        phase = Phase.PLACE_MICE if complete else state.phase
        return replace(state, cheeses=cheeses, to_act=(state.to_act + 1) % state.players, phase=phase)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        cell = CELL_OF[action[1]]
        number = next(n for n, cheese in enumerate(after.cheeses) if cheese.cell == cell)
        piece, key = visible_piece(after, number), f"cheese{number}"
        yield Effect(EffectKind.PLACE, piece, key, SUPPLY, spot(cell), seat=before.to_act, clause="MICE-3.3")


class PlaceMouse(MouseDeed):
    verb = Verb.of("place_mouse", "place {mouse} on {space}", "MICE-3.4", mouse=PIECE, space=PLACE)
    phases = (Phase.PLACE_MICE,)

    def legal(self, state: State) -> Iterator[Action]:
        cells = places(state)
        for suit in [suit for suit, cell in zip(SUITS, state.mice, strict=True) if cell is None]:
            for cell in cells:
                yield Action("place_mouse", (pawn(suit).code, NAMES[cell]))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_mouse(action[0]):
            return refusal
        mouse = MOUSE_OF[action[0]]
        standing = state.mice[mouse]
        if standing is not None:
            text = say("the {suit} mouse stands on {place} already", suit=SUITS[mouse], place=NAMES[standing])
            return Refusal(Code.NO_SUCH_PIECE, "MICE-3.4", text, {"place": NAMES[standing]})
        return no_room(state, action[1], places(state))

    def advance(self, state: State, action: Action) -> State:
        mouse = MOUSE_OF[action[0]]
        mice = with_item(state.mice, mouse, CELL_OF[action[1]])
        seat = (state.to_act + 1) % state.players
        if None in mice:
            return replace(state, mice=mice, to_act=seat)
        return replace(state, mice=mice, home=mice, to_act=seat, chooser=seat, phase=Phase.CHOOSE)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        piece = pawn(SUITS[MOUSE_OF[action[0]]])
        seat = before.to_act
        ends = SUPPLY, spot(CELL_OF[action[1]])
        yield Effect(EffectKind.PLACE, piece, f"mouse-{piece.suit}", *ends, seat=seat, clause="MICE-3.4")


class Restart(MouseDeed):
    verb = Verb.of("restart", "begin again, because nothing can be placed", "MICE-8.10")
    phases = (Phase.PLACE_CHEESE, Phase.PLACE_MICE)
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        found = places(state)
        if not found:
            return None
        text = say("there is still room, for example on {place}", place=NAMES[found[0]])
        return Refusal(Code.NOT_ALLOWED, "MICE-8.10", text)

    def advance(self, state: State, action: Action) -> State:
        placed = sum(c.where is Where.BOARD for c in state.cheeses) + len(state.mice) - state.mice.count(None)
        first = (state.to_act - placed) % state.players
        return replace(state, cheeses=FULL_BOX, mice=NO_MICE, phase=Phase.PLACE_CHEESE, to_act=first)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        facts: Facts = {"choice": "begin again", "why": "nothing more can be placed"}
        yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="MICE-8.10", facts=facts)
