"""Deeds of a quake: the roll, and one die after the other (SAND-5.1 to 5.15). After it cities are turned and score by
their distance to the coast, nulls may be exchanged, the game may end; founders enter values that only they know
(SAND-5.16 to 5.26, SAND-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, EffectKind, Refusal, Spot, Verb
from rules.engine.action import DICE, PLACE, RANK, SUIT, Luck, PieceIcon
from rules.engine.deed import Narration
from rules.engine.open_grid import cell_of, name_of
from rules.engine.refusal import Facts
from rules.engine.throws import ThrowDeed
from rules.engine.values import with_item
from rules.games.san_andreas.deeds import quake
from rules.games.san_andreas.deeds.quake import SandDeed
from rules.games.san_andreas.opening import City, Coin, Phase, State
from rules.pieces import SUITS, Kind, Rank, Suit, coin, parse_rank
from rules.sentence import Person, say, several
from rules.table.layout import Zone


def begin_scoring(narration: Narration[State]) -> None:
    narration.tell(EffectKind.PHASE, clause="SAND-5.16", facts={"phase": Phase.SCORE.value})
    narration.set(phase=Phase.SCORE, waiting=tuple(range(len(narration.state.cities))))
    settle(narration)


def settle(narration: Narration[State]) -> None:
    """Score every city with a seen value; stop where a coin must be turned or an owner must choose."""
    for index in narration.state.waiting:
        state = narration.state
        city_coin = state.cities[index].coin
        if not city_coin.seen:
            continue
        if city_coin.value is Rank.NULL and any(ruin.suit is city_coin.suit for ruin in state.ruins):
            return narration.set(phase=Phase.SWAP, waiting=(index, *(i for i in state.waiting if i != index)))
        score(narration, index)
    if narration.state.waiting:
        return narration.set(phase=Phase.SCORE)
    if not narration.state.options.islands_before_scoring:
        quake.remove_islands(narration)
    state = narration.state
    done = [seat for seat in range(state.seats) if not any(map(state.in_hand, state.suits_of(seat)))]
    if not done:
        return quake.pass_turn(narration, "SAND-5.16")
    facts: Facts = {"all_founded": [str(seat) for seat in done], "scores": [str(score) for score in state.scores]}
    narration.tell(EffectKind.END, clause="SAND-5.26", facts=facts)
    return narration.set(phase=Phase.OVER)


def score(narration: Narration[State], index: int) -> None:
    """Score a city (SAND-5.24); its coin is turned suit side up again (SAND-5.25)."""
    state = narration.state
    city = state.cities[index]
    seat = state.owner(city.coin.suit)
    cell = state.cell(city)
    value = city.coin.value or Rank.NULL
    coast = state.terrain.distance(cell)
    points = max(0, value - coast[0]) if coast else 0
    facts: Facts = {
        "place": name_of(cell),
        "value": int(value),
        "distance": coast[0] if coast else None,
        "coast": coast[1] if coast else None,
    }
    piece, key = coin(city.coin.suit), city.coin.key
    narration.tell(EffectKind.SCORE, piece, key, seat=seat, amount=points, clause="SAND-5.24", facts=facts)
    narration.tell(EffectKind.FLIP, piece, key, quake.spot(cell), clause="SAND-5.25")
    scores = with_item(state.scores, seat, state.scores[seat] + points)
    narration.set(scores=scores, waiting=tuple(i for i in state.waiting if i != index))


def ruin_of(state: State, suit: Suit, value: Rank) -> Coin | None:
    """The destroyed coin that has this value, or else one that may have it (SAND-8.12)."""
    own = [ruin for ruin in state.ruins if ruin.suit is suit]
    known = next((ruin for ruin in own if ruin.value is value), None)
    if known or value not in state.free_values(suit):
        return known
    return next((ruin for ruin in own if ruin.value is None), None)


def _with(state: State, index: int, known: Coin) -> tuple[City, ...]:
    return with_item(state.cities, index, replace(state.cities[index], coin=known))


class Roll(ThrowDeed[State], SandDeed):
    verb = Verb.of("roll", "the dice show {dice}", "SAND-5.1", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.ROLL,)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return SUITS

    def unreadable(self, state: State, action: Action) -> Refusal:
        return quake.bad("SAND-5.1", say("say what all four dice show, as in S1+M0+C3+A5"), action[0])

    def play(self, narration: Narration[State], action: Action) -> None:
        suns, moons, crowns, arms = (rank for _, rank in self.thrown(narration.state, action))
        quake.roll(narration, (suns, moons, crowns, arms))


class Resolve(SandDeed):
    verb = Verb.of("resolve", "the {die} die shifts its tile", "SAND-5.2", die=SUIT)
    phases = (Phase.QUAKE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("resolve", (suit.value,)) for suit in state.remaining)

    def check(self, state: State, action: Action) -> Refusal | None:
        suit = quake.suit_named(action[0])
        if suit is None:
            return quake.bad("SAND-5.2", say("a die has a suit: suns, moons, crowns or arms"), action[0])
        if suit in state.remaining:
            return None
        top = state.dice[SUITS.index(suit)]
        left = [other.value for other in state.remaining]
        if top is Rank.NULL:
            text = say(
                "the {die} die shows null: no shift, its pawn stays; left to resolve: {left}",
                die=suit,
                left=several(left),
            )
            return Refusal(Code.NOT_ALLOWED, "SAND-5.3", text, {"die": suit.value, "left": left})
        text = say("the {die} die has been resolved; left: {left}", die=suit, left=several(left))
        return Refusal(Code.REPEATS, "SAND-5.2", text, {"die": suit.value, "left": left})

    def play(self, narration: Narration[State], action: Action) -> None:
        quake.resolve(narration, Suit(action[0]))
        if narration.state.remaining:
            return quake.tell_dice_left(narration)
        if narration.state.options.islands_before_scoring:
            quake.remove_islands(narration)
        return begin_scoring(narration)


class Reveal(SandDeed):
    verb = Verb.of(
        "reveal",
        "the city on {cell} is worth {value}",
        "SAND-5.21",
        drawn=PieceIcon(Kind.COIN, value="value"),
        cell=PLACE,
        value=RANK,
    )
    phases = (Phase.SCORE,)

    def legal(self, state: State) -> Iterator[Action]:
        for index in state.waiting:
            city = state.cities[index]
            known = city.coin.value
            for value in state.free_values(city.coin.suit) if known is None else (known,):
                yield Action("reveal", (name_of(state.cell(city)), value.digit))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _city_and_value(state, action):
            return refusal
        index = state.city_at(cell_of(action[0]) or (0, 0))
        if index not in state.waiting:
            return Refusal(Code.REPEATS, "SAND-5.21", say("the city on {place} has been scored", place=action[0]))
        return _contradiction(state, index, action[1], "SAND-5.21")

    def play(self, narration: Narration[State], action: Action) -> None:
        state, value = narration.state, parse_rank(action[1])
        index = quake.city_on(state, action[0])
        city = state.cities[index]
        known = replace(city.coin, value=value, seen=True)
        piece, where, seat = coin(city.coin.suit, value), quake.spot(state.cell(city)), state.owner(city.coin.suit)
        facts: Facts = {"place": where.name, "value": int(value)}
        narration.tell(EffectKind.REVEAL, piece, known.key, where, seat=seat, clause="SAND-5.21", facts=facts)
        narration.set(cities=_with(state, index, known))
        settle(narration)


class Swap(SandDeed):
    """The null on the board joins the destroyed coins, and one of those returns."""

    verb = Verb.of("swap", "exchange the null with a destroyed {value}", "SAND-5.23", value=RANK)
    phases = (Phase.SWAP,)

    def legal(self, state: State) -> Iterator[Action]:
        suit = state.cities[state.waiting[0]].coin.suit
        return (Action("swap", (rank.digit,)) for rank in Rank if rank is not Rank.NULL and ruin_of(state, suit, rank))

    def check(self, state: State, action: Action) -> Refusal | None:
        value = quake.rank_named(action[0])
        suit = state.cities[state.waiting[0]].coin.suit
        if value is None:
            return quake.bad("SAND-5.23", say("a coin is null, ace, 2, 3, 4 or 5"), action[0])
        if value is Rank.NULL:
            text = say("the null is on the board; it is exchanged for a destroyed coin")
            return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word})
        if ruin_of(state, suit, value):
            return None
        known = [ruin.value.word for ruin in state.ruins if ruin.suit is suit and ruin.value is not None]
        text = say(
            "no destroyed coin of {suit} can be the {value}; known to be destroyed: {known}",
            suit=suit,
            value=value,
            known=several(known) if known else say("none"),
        )
        return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word, "known": known})

    def play(self, narration: Narration[State], action: Action) -> None:
        state, value = narration.state, parse_rank(action[0])
        index = state.waiting[0]
        null = state.cities[index].coin
        seat = state.owner(null.suit)
        chosen = ruin_of(state, null.suit, value)
        assert chosen is not None, "only legal actions are applied"
        ruins = (*(ruin for ruin in state.ruins if ruin != chosen), null)
        back = replace(chosen, value=value, seen=True)
        here, pile = quake.spot(state.cell(state.cities[index])), Spot(zone=Zone.SPENT, seat=seat)
        gone, piece = coin(null.suit, Rank.NULL), coin(null.suit, value)
        facts: Facts = {"value": int(value)}
        narration.tell(EffectKind.REMOVE, gone, null.key, here, pile, seat=seat, clause="SAND-5.23")
        narration.tell(EffectKind.PLACE, piece, back.key, pile, here, seat=seat, clause="SAND-5.23", facts=facts)
        narration.set(cities=_with(state, index, back), ruins=ruins)
        settle(narration)


class Keep(SandDeed):
    verb = Verb.of("keep", "keep the null", "SAND-5.23")
    phases = (Phase.SWAP,)

    def play(self, narration: Narration[State], action: Action) -> None:
        state = narration.state
        index = state.waiting[0]
        seat = state.owner(state.cities[index].coin.suit)
        narration.tell(EffectKind.CHOOSE, seat=seat, clause="SAND-5.23", facts={"choice": "keep the null"})
        score(narration, index)
        settle(narration)


class Tell(SandDeed):
    """A founder enters the value of an own city in secret."""

    verb = Verb.of("tell", "note that {cell} is a {value}", "SAND-6.2", cell=PLACE, value=RANK)
    is_open_to_all = True

    def legal(self, state: State) -> Iterable[Action]:
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _city_and_value(state, action):
            return refusal
        index = state.city_at(cell_of(action[0]) or (0, 0))
        assert index is not None, "_city_and_value has looked"
        coin = state.cities[index].coin
        seat = state.to_act if action.seat is None else action.seat
        if seat != state.owner(coin.suit):
            owner = Person(state.owner(coin.suit))
            text = say("the city on {place} was founded by {owner}", place=action[0], owner=owner)
            return Refusal(Code.NOT_YOURS, "SAND-6.1", text, {"place": action[0], "owner": state.owner(coin.suit)})
        if coin.seen:
            text = say(
                "everybody has seen that {place} is a {value}",
                place=action[0],
                value=coin.value.word if coin.value is not None else "?",
            )
            return Refusal(Code.REPEATS, "SAND-6.2", text, {"place": action[0]})
        return _contradiction(state, index, action[1], "SAND-6.2")

    def play(self, narration: Narration[State], action: Action) -> None:
        """The effect is public and leaves the value out."""
        state = narration.state
        index = quake.city_on(state, action[0])
        coin = state.cities[index].coin
        facts: Facts = {"choice": "the founder has entered the value", "place": action[0]}
        narration.tell(EffectKind.CHOOSE, seat=state.owner(coin.suit), clause="SAND-6.2", facts=facts)
        narration.set(cities=_with(state, index, replace(coin, value=parse_rank(action[1]))))


def _city_and_value(state: State, action: Action) -> Refusal | None:
    cell = cell_of(action[0])
    if cell is None or state.city_at(cell) is None:
        return Refusal(Code.EMPTY, "SAND-5.21", say("there is no city on “{place}”", place=action[0][:20]))
    if quake.rank_named(action[1]) is None:
        return quake.bad("SAND-5.21", say("a coin is null, ace, 2, 3, 4 or 5"), action[1])
    return None


def _contradiction(state: State, index: int, word: str, clause: str) -> Refusal | None:
    """Each value exists once per suit, and a value that was told stays."""
    city = state.cities[index]
    known = city.coin.value
    if known is not None:
        text = say("its founder has entered {known} for this city, not {given}", known=known, given=word)
        facts: Facts = {"known": known.word, "given": word}
        return None if known is quake.rank_named(word) else Refusal(Code.CONTRADICTS, clause, text, facts)
    free = state.free_values(city.coin.suit)
    if quake.rank_named(word) in free:
        return None
    possible = [rank.word for rank in free]
    text = say(
        "the {given} of {suit} is known to be another coin; this one is {possible}",
        given=word,
        suit=city.coin.suit,
        possible=several(possible),
    )
    return Refusal(Code.CONTRADICTS, clause, text, {"given": word, "possible": possible})
