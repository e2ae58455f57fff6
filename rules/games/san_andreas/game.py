"""San Andreas: found cities on a moving California, keep them near the coast (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from rules.engine import (
    Action,
    Effect,
    EffectKind,
    Game,
    GameCard,
    Outcome,
    Refusal,
    Seat,
    Spot,
    Step,
    Turn,
    TurnKind,
)
from rules.engine.action import UNTOLD
from rules.engine.refusal import Facts
from rules.engine.turn import OVER, chance, of_seat
from rules.games.san_andreas import scoring
from rules.games.san_andreas.actions import (
    VERBS,
    dice_of,
    legal_in,
    named_cell,
    roll_action,
    sample_in,
    shorthand,
)
from rules.games.san_andreas.checks import why_not
from rules.games.san_andreas.geometry import Cell
from rules.games.san_andreas.opening import City, Coin, Epicenter, Options, Phase, State, opening_state
from rules.games.san_andreas.picture import diagram_of, layout_of
from rules.games.san_andreas.position import read_position
from rules.games.san_andreas.quake import SUPPLY, remove_islands, resolve, roll, spot
from rules.pieces import SUITS, Kind, Piece, Suit, coin, parse_rank, pawn
from rules.table.change import Change
from rules.table.layout import Layout, Zone

CARD = GameCard(
    id="san_andreas",
    name="San Andreas",
    version=2,
    seats=(2, 3, 4),
    options_type=Options,
    verbs=VERBS,
    turn_clause="SAND-4.4",
    action_clause="SAND-4.4",
    default_seats=4,
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="23 tiles, the coins, pawns and dice of one piecepack, some pencils for the borders",
    hidden=True,
    designer="James Kyle",
    minutes="45",
    summary="Found cities near the coast of California and let the quakes bury those of the others.",
)


class SanAndreas(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        phase = state.phase
        if phase is Phase.OVER:
            return OVER
        if phase is Phase.SWAP:
            return of_seat(state.owner(state.cities[state.waiting[0]].coin.suit), phase.value)
        if phase in (Phase.BEGIN, Phase.SCORE):
            return chance(phase.value)
        return chance(phase.value, state.to_act) if phase is Phase.ROLL else of_seat(state.to_act, phase.value)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        turn = self.turn(state)
        if seat is not None and turn.seats and seat not in turn.seats:
            return ()
        return legal_in(state)

    def sample(self, state: State, rng: random.Random) -> Action:
        return sample_in(state, rng)

    def is_common(self, action: Action) -> bool:
        """A founder may enter the value of a city at any time."""
        return action.verb == "tell"

    def check(self, state: State, action: Action) -> Refusal | None:
        return why_not(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        after = _DEEDS[action.verb](state, action, story)
        return Step(after, tuple(story))

    def layout(self, state: State) -> Layout:
        return layout_of(state)

    def diagram(self, state: State) -> str:
        return diagram_of(state)

    def outcome(self, state: State) -> Outcome:
        if state.phase is not Phase.OVER:
            return Outcome(scores=state.scores)
        best = max(state.scores)
        winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
        how = "shares the highest total" if len(winners) > 1 else "has the highest total"
        return Outcome(True, winners, state.scores, f"a player has played all coins; {best} points {how}", "SAND-5.26")

    def view(self, state: State, seat: int | None) -> State:
        """A founder knows the own values; the others know what the table shows, and with `show_known_values`
        what it has shown."""
        pending = state.waiting[0] if state.phase is Phase.SWAP else None
        cities = [
            city if index == pending else replace(city, coin=_seen_by(state, city.coin, seat))
            for index, city in enumerate(state.cities)
        ]
        return replace(state, cities=tuple(cities), ruins=tuple(_seen_by(state, ruin, seat) for ruin in state.ruins))

    def redact(self, state: State, action: Action, seat: int | None) -> Action | None:
        """A value that was entered is for its founder alone (SAND-6.2)."""
        if action.verb != "tell" or seat == self.actor(state, action):
            return action
        return Action("tell", (action[0], UNTOLD), action.seat)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        if state.phase is Phase.QUAKE:
            return _shakers(state, change)
        if state.phase is not Phase.ROLL:
            return super().suggest(state, change)
        tops = dict(zip(SUITS, state.dice, strict=True))
        seen = [move.after.piece for move in change.moved] + [placed.piece for placed in change.added]
        tops |= {piece.suit: piece.rank for piece in seen if piece.kind is Kind.DIE and piece.suit}
        return () if None in tops.values() else (roll_action(tuple(tops[suit] for suit in SUITS)),)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        state = read_position(data, options, seats)
        return scoring.begin_scoring(state, []) if state.phase is Phase.SCORE else state

    def shorthand(self, state: State, text: str) -> Action | None:
        return shorthand(state, text)


def _shakers(state: State, change: Change) -> list[Action]:
    """The dice whose tile lies elsewhere now; all that are left if none does."""
    moved = {move.before.key for move in change.moved}
    stands = dict(zip(SUITS, state.pawns, strict=True))
    acting = [suit for suit in state.remaining if (pawn := stands[suit]) and pawn.tile in moved]
    return [Action("resolve", (suit.value,)) for suit in acting or state.remaining]


def _seen_by(state: State, known: Coin, seat: int | None) -> Coin:
    if seat == state.owner(known.suit) or (known.seen and state.options.show_known_values):
        return known
    return replace(known, value=None)


def _target(state: State, action: Action) -> tuple[str, int, Cell]:
    """The tile and the corner of it that a cell is, for something to be put on."""
    cell = named_cell(action)
    assert cell is not None, "only legal actions are applied"
    tile = state.terrain.top(cell)
    assert tile is not None, "only legal actions are applied"
    corner = next(corner for corner, at in state.terrain.visible(tile) if at == cell)
    return tile, corner, cell


def _place(piece: Piece, key: str, way: tuple[Spot, Spot], seat: int, clause: str, facts: Facts) -> Effect:
    return Effect(EffectKind.PLACE, piece, key, *way, seat=seat, clause=clause, facts=facts)


def _begin(state: State, action: Action, story: list[Effect]) -> State:
    seat = int(action[0])
    story.append(Effect(EffectKind.CHOOSE, seat=seat, clause="SAND-3.3", facts={"choice": "begins"}))
    story.append(Effect(EffectKind.TURN, seat=seat))
    return replace(state, phase=Phase.TURN, to_act=seat)


def _found(state: State, action: Action, story: list[Effect]) -> State:
    suit = Suit(action[0])
    tile, corner, cell = _target(state, action)
    index = state.suits.index(suit)
    played = Coin(suit, state.founded[index])
    hand, where = Spot(zone=Zone.HAND, seat=state.to_act), spot(cell)
    facts: Facts = {"tile": tile, "left_in_hand": state.in_hand(suit) - 1}
    story.append(_place(coin(suit), played.key, (hand, where), state.to_act, "SAND-4.1", facts))
    founded = tuple(n + (i == index) for i, n in enumerate(state.founded))
    cities = (*state.cities, City(played, tile, corner))
    return _next_turn(replace(state, founded=founded, cities=cities), story)


def _epicenter(state: State, action: Action, story: list[Effect]) -> State:
    suit = Suit(action[0])
    tile, corner, cell = _target(state, action)
    way = (SUPPLY, spot(cell))
    story.append(_place(pawn(suit), f"pawn-{suit}", way, state.to_act, "SAND-4.2", {"tile": tile}))
    pawns = tuple(Epicenter(tile, corner) if s is suit else p for s, p in zip(SUITS, state.pawns, strict=True))
    state = replace(state, pawns=pawns)
    if None in pawns:
        return _next_turn(state, story)
    story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="SAND-5.1", facts={"phase": Phase.ROLL.value}))
    return replace(state, phase=Phase.ROLL)


def _pass(state: State, _action: Action, story: list[Effect]) -> State:
    story.append(Effect(EffectKind.CHOOSE, seat=state.to_act, clause="SAND-4.3", facts={"choice": "pass"}))
    return _next_turn(state, story)


def _next_turn(state: State, story: list[Effect]) -> State:
    following = (state.to_act + 1) % state.seats
    story.append(Effect(EffectKind.TURN, seat=following))
    return replace(state, to_act=following)


def _roll(state: State, action: Action, story: list[Effect]) -> State:
    dice = dice_of(action[0])
    assert dice is not None, "only legal actions are applied"
    return roll(state, dice, story)


def _resolve(state: State, action: Action, story: list[Effect]) -> State:
    state = resolve(state, Suit(action[0]), story)
    if state.remaining:
        left = [suit.value for suit in state.remaining]
        facts: Facts = {"phase": Phase.QUAKE.value, "dice": left}
        story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="SAND-5.2", facts=facts))
        return state
    if state.options.islands_before_scoring:
        state = remove_islands(state, story)
    return scoring.begin_scoring(state, story)


def _reveal(state: State, action: Action, story: list[Effect]) -> State:
    index = state.city_at(named_cell(action) or (0, 0))
    assert index is not None, "only legal actions are applied"
    return scoring.reveal(state, index, parse_rank(action[1]), story)


def _swap(state: State, action: Action, story: list[Effect]) -> State:
    return scoring.swap(state, parse_rank(action[0]), story)


def _keep(state: State, _action: Action, story: list[Effect]) -> State:
    return scoring.keep_null(state, story)


def _tell(state: State, action: Action, story: list[Effect]) -> State:
    """The effect does not say the value: it is for everybody to read."""
    index = state.city_at(named_cell(action) or (0, 0))
    assert index is not None, "only legal actions are applied"
    city = state.cities[index]
    facts: Facts = {"choice": "the founder has entered the value", "place": action[0]}
    seat = state.owner(city.coin.suit)
    story.append(Effect(EffectKind.CHOOSE, seat=seat, clause="SAND-6.2", facts=facts))
    known = replace(city, coin=replace(city.coin, value=parse_rank(action[1])))
    return replace(state, cities=(*state.cities[:index], known, *state.cities[index + 1 :]))


_DEEDS: dict[str, Callable[[State, Action, list[Effect]], State]] = {
    "begin": _begin,
    "found": _found,
    "epicenter": _epicenter,
    "pass": _pass,
    "roll": _roll,
    "resolve": _resolve,
    "reveal": _reveal,
    "swap": _swap,
    "keep": _keep,
    "tell": _tell,
}

GAME = SanAndreas()
