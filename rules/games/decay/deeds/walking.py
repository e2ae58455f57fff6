"""Step 1: the pawn walks from tile to tile (DECAY-4.2 to 4.13)."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import PRICE, TILE_PLACE, optional
from rules.engine.values import with_item
from rules.games.decay import money
from rules.games.decay.deeds.moving_tiles import for_free, wrong_step_payment
from rules.games.decay.deeds.narration import ANOTHER_STEP, DecayDeed, DecayNarration, no_tile
from rules.games.decay.geometry import contacts
from rules.games.decay.layout import spot_of
from rules.games.decay.opening import INDEX, LETTERS, NAMES, NO_COINS, Coins, Phase, State
from rules.pieces import SUITS, pawn
from rules.sentence import Person, say


class PawnStep(DecayDeed):
    verb = Verb.of(
        "pawn_step", "step to {to}, paying {pay}", "DECAY-4.3", to=TILE_PLACE, pay=optional(PRICE), toll="suit?"
    )
    phases = (Phase.PAWN,)
    wrong_phase = ANOTHER_STEP

    def legal(self, state: State) -> Iterator[Action]:
        return self.near(state, INDEX)

    def near(self, state: State, names: Collection[str]) -> Iterator[Action]:
        here = state.pawns[state.to_act]
        if here is None:
            return
        for tile in contacts(state.tiles, state.touch)[here]:
            if NAMES[tile] in names:
                yield from _steps_to(state, tile)

    def sample(self, state: State, rng: random.Random) -> Action:
        here = state.pawns[state.to_act]
        assert here is not None
        if money.may_end_on(state, here) and rng.random() < 0.7:
            return END_PAWN
        near = list(contacts(state.tiles, state.touch)[here])
        rng.shuffle(near)
        for tile in near:
            if steps := list(_steps_to(state, tile)):
                return rng.choice(steps)
        return END_PAWN

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_tile(state, action[0]):
            return refusal
        name, pay, toll = _step_of(action)
        tile = INDEX[name]
        here = state.pawns[state.to_act]
        if here is None:
            return Refusal(
                Code.NO_SUCH_PIECE, "DECAY-1.6", say("{who} has no pawn on the board", who=Person(state.to_act))
            )
        if tile == here:
            text = say("the pawn stands on {target} already", target=name)
            return Refusal(Code.NOT_ADJACENT, "DECAY-4.3", text, {"from": NAMES[here], "to": name})
        if tile not in contacts(state.tiles, state.touch)[here]:
            text = say(
                "{target} does not touch {source}, where the pawn is; a pawn steps to a tile in contact",
                target=name,
                source=NAMES[here],
            )
            return Refusal(Code.NOT_ADJACENT, "DECAY-4.3", text, {"from": NAMES[here], "to": name})
        if not money.may_pass(state, tile):
            text = say("the pawn started this turn on {target} and may not come back to it", target=name)
            return Refusal(Code.REPEATS, "DECAY-4.9", text, {"start": name})
        return wrong_step_payment(state, tile, pay, toll)

    def play(self, narration: DecayNarration, action: Action) -> None:
        name, pay, toll = _step_of(action)
        state = narration.state
        tile, seat = INDEX[name], state.to_act
        narration.spend(money.read_coins(pay) or NO_COINS, "DECAY-4.4", name)
        owner = money.occupant(state, tile)
        if owner is not None:
            narration.pay_toll(LETTERS.index(toll), owner)
        here = state.pawns[seat]
        suit = SUITS[state.active_suit]
        source = spot_of(state.tiles, here) if here is not None else None
        target = spot_of(state.tiles, tile)
        narration.tell(EffectKind.MOVE, pawn(suit), f"pawn-{suit}", source, target, seat, clause="DECAY-4.3")
        narration.set(pawns=with_item(state.pawns, seat, tile))

    def describe(self, action: Action) -> str:
        text = for_free(super().describe(action))
        toll = action.args[2] if len(action.args) > 2 else ""
        return f"{text}, toll {toll}" if toll else text


class EndPawnMove(DecayDeed):
    verb = Verb.of("end_pawn_move", "the pawn stays here", "DECAY-4.11")
    phases = (Phase.PAWN,)
    wrong_phase = ANOTHER_STEP

    def check(self, state: State, action: Action) -> Refusal | None:
        here = state.pawns[state.to_act]
        if here is not None and money.may_end_on(state, here):
            return None
        if here == state.start or here is None:
            text = say("the pawn must move to another tile; it cannot stay where it was")
            return Refusal(Code.MUST_MOVE, "DECAY-4.12" if here == state.start else "DECAY-4.8", text)
        text = say("another pawn stands on {tile}; the move must end on a free tile", tile=NAMES[here])
        return Refusal(Code.OCCUPIED, "DECAY-4.8", text)

    def play(self, narration: DecayNarration, action: Action) -> None:
        narration.set(phase=Phase.TILE)
        narration.tell_phase("DECAY-4.11", "tile")


PAWN_STEP = PawnStep()
END_PAWN = Action("end_pawn_move")


def _step_of(action: Action) -> tuple[str, str, str]:
    """Tile, payment and toll of an action; empty texts for those not given."""
    name, pay, toll = (*action.args, "", "")[:3]
    return name, pay, toll


def _steps_to(state: State, tile: int) -> Iterator[Action]:
    """Steps onto a neighbouring tile with every way to pay for them."""
    if not money.may_pass(state, tile):
        return
    hand = state.hand(state.to_act)
    for price in money.entry_payments(state, tile, hand):
        for toll, rest in money.tolls(state, tile, money.minus(hand, price)):
            if money.step_is_complete(state, tile, rest):
                yield step_action(tile, price, toll)


def step_action(tile: int, price: Coins, toll: int | None) -> Action:
    toll_paid = () if toll is None else (LETTERS[toll],)
    return Action("pawn_step", (NAMES[tile], money.spell(price) or money.NOTHING, *toll_paid))
