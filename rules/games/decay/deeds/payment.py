"""Why a payment or a toll is wrong (DECAY-4.4 to 4.10, 4.22)."""

from __future__ import annotations

from rules.engine import Code, Refusal
from rules.engine.refusal import Fact
from rules.games.decay.money import covers, entry_payments, minus, occupant, read_coins, spell, step_is_complete, tolls
from rules.games.decay.opening import LETTERS, NAMES, Coins, State, suit_name, suit_of, value_of
from rules.sentence import Joint, Person, Sentence, Several, say, several


def wrong_price(state: State, tile: int, pay: str, prices: tuple[Coins, ...], clause: str) -> Refusal | None:
    """`prices` are all payments that this hand could make."""
    paid = read_coins(pay)
    if paid is None:
        text = say("“{pay}” is not a payment; write the suits of the coins, for example M or C+C+S", pay=pay[:30])
        return Refusal(Code.BAD_ARGUMENT, "DECAY-4.4", text, {"pay": pay[:30]})
    if paid in prices:
        return None
    hand = state.hand(state.to_act)
    ways = [spell(price) or "nothing" for price in prices]
    facts: dict[str, Fact] = {"tile": NAMES[tile], "hand": spell(hand), "pay": pay, "prices": ways}
    if not prices:
        text = say(
            "{tile} costs {price}; you have {hand}",
            tile=NAMES[tile],
            price=_price_words(tile),
            hand=spell(hand) or say("no coin"),
        )
        return Refusal(Code.CANNOT_PAY, clause, text, facts)
    if not covers(hand, paid):
        text = say(
            "you have only {hand} left and cannot pay {pay}; for {tile} you can pay: {ways}",
            hand=spell(hand) or say("no coin"),
            pay=pay,
            tile=NAMES[tile],
            ways=_ways(ways),
        )
        return Refusal(Code.CANNOT_PAY, "DECAY-4.2", text, facts)
    what = pay if sum(paid) else say("nothing")
    text = say(
        "{paid} does not pay for {tile}; it costs {price}. With your hand you can pay: {ways}",
        paid=what,
        tile=NAMES[tile],
        price=_price_words(tile),
        ways=_ways(ways),
    )
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.5" if ways == ["nothing"] else "DECAY-4.4", text, facts)


def _price_words(tile: int) -> Sentence:
    if value_of(tile) == 0:
        return say("nothing")
    return say(
        "one {suit} coin, or exactly {value} of other suits", suit=suit_name(suit_of(tile)), value=value_of(tile)
    )


def _ways(ways: list[str]) -> Several:
    told = [say("nothing") if way == "nothing" else way for way in ways[:4]]
    return several([*told, "..."] if len(ways) > 4 else told, Joint.OR)


def wrong_step_payment(state: State, tile: int, pay: str, toll: str) -> Refusal | None:
    hand = state.hand(state.to_act)
    prices = entry_payments(state, tile, hand)
    if refusal := wrong_price(state, tile, pay, prices, "DECAY-4.4"):
        return refusal
    paid = read_coins(pay)
    assert paid is not None
    return _check_toll(state, tile, minus(hand, paid), "" if toll == "-" else toll)


def _check_toll(state: State, tile: int, rest: Coins, toll: str) -> Refusal | None:
    owner = occupant(state, tile)
    if owner is None and toll:
        text = say("nobody stands on {tile}; no toll is due", tile=NAMES[tile])
        return Refusal(Code.WRONG_PAYMENT, "DECAY-4.7", text, {"toll": toll[:20]})
    choices = {"" if suit is None else LETTERS[suit]: after for suit, after in tolls(state, tile, rest)}
    if toll not in choices:
        return _wrong_toll(state, tile, owner, toll, sorted(choices))
    if not step_is_complete(state, tile, choices[toll]):
        left = spell(choices[toll])
        text = say(
            "the pawn cannot stay on {tile} and could not go on from there with {left}",
            tile=NAMES[tile],
            left=left or say("no coin"),
        )
        return Refusal(Code.STUCK, "DECAY-4.10", text, {"tile": NAMES[tile], "left": left})
    return None


def _wrong_toll(state: State, tile: int, owner: int | None, toll: str, choices: list[str]) -> Refusal:
    whose = "nobody" if owner is None else suit_name(state.suits[owner])
    if not choices:
        text = say(
            "the pawn of {owner} on {tile} is due one coin, and none is left after paying for the tile",
            owner=Person(owner),
            tile=NAMES[tile],
        )
        return Refusal(Code.CANNOT_PAY, "DECAY-4.7", text, {"tile": NAMES[tile], "owner": whose})
    due = several(choices, Joint.OR)
    text = say(
        "the pawn of {owner} on {tile} is due one unspent coin ({due}), not {toll}",
        owner=Person(owner),
        tile=NAMES[tile],
        due=due,
        toll=toll[:20] or say("nothing"),
    )
    return Refusal(Code.WRONG_PAYMENT, "DECAY-4.7", text, {"tile": NAMES[tile], "owner": whose, "choices": choices})
