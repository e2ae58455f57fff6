"""The Penguin Game: stay on the melting ice longer than the others (rulebook.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.penguin import actions, checks, choices
from rules.games.penguin.geometry import drift_targets
from rules.games.penguin.opening import SUIT_OF, Options, Phase, State, opening_state
from rules.games.penguin.position import read_position
from rules.games.penguin.story import coin_piece, outcome_of, story
from rules.pieces import Face, Kind, parse_suit, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.change import Change
from rules.table.layout import Layout, Zone

CARD = GameCard(
    id="penguin",
    name="The Penguin Game",
    version=1,
    seats=(1, 2, 3, 4),
    options_type=Options,
    verbs=(
        verb("move", "penguin to {to}", "PENG-4.2", to=ParamKind.PLACE, from_="place?"),
        verb("melt", "melt the top coin of {space}", "PENG-4.4", space="place?"),
        verb("drop_out", "drop out, because the penguin cannot move", "PENG-4.5"),
        verb("place_penguin", "place a penguin on {space}", "PENG-4.1", space=ParamKind.PLACE),
        verb("place_coin", "lay a coin of {coin} on {space}", "PENG-9.2", coin=ParamKind.SUIT, space=ParamKind.PLACE),
        verb(
            "drift", "the tile at {tile} drifts to ({x}, {y}), turned by {rot} degrees clockwise", "PENG-9.8",
            tile=ParamKind.PLACE, x=ParamKind.NUMBER, y=ParamKind.NUMBER, rot=ParamKind.NUMBER,
        ),
        verb("pass", "no tile drifts", "PENG-9.8"),
        verb("deal", "lay the coins {coins}", "PENG-3.2", coins=ParamKind.WORD),
        verb("reveal", "{space} shows {suit}", "PENG-6.2", space=ParamKind.PLACE, suit=ParamKind.SUIT),
        verb("roll", "roll {dice} for the first turn", "PENG-3.5", dice=ParamKind.LIST),
    ),
    turn_clause="PENG-4.10",
    action_clause="PENG-4.7",
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="four tiles (or three), all coins, a pawn for each player, a bag",
    designer="Jonathan Dietrich",
    minutes="10-20",
    summary="Move to a coin of the same suit or height; the coin you leave melts. Be the last on the ice.",
)  # fmt: skip

_CHANCE = (Phase.ROLL, Phase.DEAL, Phase.REVEAL)


@cache
def _turn(phase: Phase, seat: int) -> Turn:
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(seat, phase.value)


class Penguin(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        return _turn(state.phase, state.to_act)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if seat not in (None, state.to_act) and state.phase not in _CHANCE:
            return ()
        return choices.legal_actions(state)

    def exhaustive(self, state: State) -> bool:
        """Coins can come in any order; a turned tile that looks the same is listed only once (PENG-7.11)."""
        return state.phase not in (Phase.DEAL, Phase.DRIFT)

    def sample(self, state: State, rng: random.Random) -> Action:
        phase = state.phase
        if phase is Phase.MOVE:
            goals = choices.own_targets(state)
            return state.board.moves[goals[int(rng.random() * len(goals))]] if goals else choices.DROP_OUT
        if phase is Phase.MELT and not state.options.flame_throwers:
            return state.board.melts[state.left or 0]
        if phase in _SAMPLES:
            return _SAMPLES[phase](state, rng)
        return rng.choice(list(choices.legal_actions(state)))

    def check(self, state: State, action: Action) -> Refusal | None:
        return checks.check(state, action)

    def advance(self, state: State, action: Action) -> State:
        return actions.advance(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = actions.advance(state, action)
        return Step(after, tuple(story(state, action, after)))

    def layout(self, state: State) -> Layout:
        build = LayoutBuilder()
        _lay_ice(build, state)
        _lay_coins(build, state)
        _lay_penguins(build, state)
        return build.layout()

    def outcome(self, state: State) -> Outcome:
        return outcome_of(state)

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        if state.phase is not Phase.DEAL:
            return super().suggest(state, change)
        coins = [placed for placed in (*change.added, *(move.after for move in change.moved)) if placed.piece.suit]
        seen = {p.place: p.piece.suit.letter for p in coins if p.piece.kind is Kind.COIN and p.piece.suit}
        found = choices.suggested_deals(state, seen)
        return [action for action in found if self.check(state, action) is None]

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, seats)

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "d4" is where the penguin goes (or is placed, or what melts), "b2-d4" says from where as well."""
        if other := _COIN_SPELLED.match(text):
            return _coin_spelled(*other.groups())
        cells = state.board.cells
        source, _, goal = text.rpartition("-") if text not in cells else ("", "", text)
        if goal not in cells or (source and source not in cells):
            return None
        if source:
            return Action("move", (goal,) if cells[source] == state.penguins[state.to_act] else (goal, source))
        verbs = {Phase.MOVE: "move", Phase.MELT: "melt", Phase.PLACE_PENGUINS: "place_penguin"}
        return Action(verbs[state.phase], (goal,)) if state.phase in verbs else None

    def diagram(self, state: State) -> str:
        drawing = super().diagram(state)
        buried = ", ".join(_buried(state)) if state.options.show_buried else ""
        return f"{drawing}\nbelow the top coins: {buried}" if buried else drawing


_COIN_SPELLED = re.compile(r"place_coin\((\w+\??),([\w-]+)\)\Z")


def _coin_spelled(suit: str, space: str) -> Action | None:
    """place_coin(S,a4) and place_coin(cS?,a4) are place_coin(suns,a4)."""
    letter = suit[1:2] if len(suit) == 3 and suit.endswith("?") else suit
    try:
        return Action("place_coin", (parse_suit(letter).value, space))
    except ValueError:
        return None


def _sample_deal(state: State, rng: random.Random) -> Action:
    letters = choices.bag(state)
    rng.shuffle(letters)
    return Action("deal", ("".join(letters[: len(choices.loose_coins(state))]),))


def _sample_roll(state: State, rng: random.Random) -> Action:
    return Action("roll", ("+".join(str(rng.randrange(6)) for _ in state.rollers),))


def _sample_coin(state: State, rng: random.Random) -> Action:
    letter = rng.choice(choices.loose_suits(state))
    cell = rng.choice(choices.coin_cells(state))
    return Action("place_coin", (SUIT_OF[letter].value, state.board.names[cell]))


def _sample_penguin(state: State, rng: random.Random) -> Action:
    return Action("place_penguin", (state.board.names[rng.choice(choices.penguin_cells(state))],))


def _sample_drift(state: State, rng: random.Random) -> Action:
    """Half of the time nothing drifts."""
    tile_number = rng.randrange(len(state.tiles))
    corners = drift_targets(state.tiles, tile_number)
    if rng.random() < 0.5 or not corners or not choices.may_drift(state, tile_number):
        return choices.PASS
    corner = rng.choice(corners)
    name = state.board.names[4 * tile_number]
    return Action("drift", (name, str(corner[0]), str(corner[1]), str(90 * rng.randrange(4))))


_SAMPLES = {
    Phase.DEAL: _sample_deal,
    Phase.ROLL: _sample_roll,
    Phase.PLACE_COINS: _sample_coin,
    Phase.PLACE_PENGUINS: _sample_penguin,
    Phase.DRIFT: _sample_drift,
}


def _lay_ice(build: LayoutBuilder, state: State) -> None:
    for index, corner in enumerate(state.tiles):
        key = f"tile{index}"
        if corner is None:
            build.aside(Zone.SPENT, tile(), key=key, face=Face.BACK)
        else:
            place = state.board.names[4 * index]
            build.put(tile(), corner[0] + 1.5, corner[1] + 1.5, key=key, face=Face.BACK, place=place)
    for name, spot in zip(state.board.names, state.board.spots, strict=True):
        if spot:
            build.place(name, spot[0] + 1, spot[1] + 1)


def _lay_coins(build: LayoutBuilder, state: State) -> None:
    for name, spot, stack in zip(state.board.names, state.board.spots, state.stacks, strict=True):
        if spot is None:
            continue
        x, y = spot[0] + 1, spot[1] + 1
        for level, number in enumerate(stack, 1):
            piece = coin_piece(state, number)
            build.put(piece, x, y, key=f"coin{number}", face=Face.BACK, level=level, place=name)
    waiting = state.phase in (Phase.ROLL, Phase.DEAL, Phase.PLACE_COINS)
    for number in choices.loose_coins(state):
        zone = Zone.SUPPLY if waiting else Zone.SPENT
        build.aside(zone, coin_piece(state, number), key=f"coin{number}", face=Face.BACK)


def _lay_penguins(build: LayoutBuilder, state: State) -> None:
    placing = state.phase in (Phase.ROLL, Phase.DEAL, Phase.PLACE_COINS, Phase.PLACE_PENGUINS)
    for seat, (suit, cell) in enumerate(zip(state.pawns, state.penguins, strict=True)):
        spot = None if cell is None else state.board.spots[cell]
        if cell is None or spot is None:
            build.aside(Zone.HAND if placing else Zone.SPENT, pawn(suit), key=f"penguin{seat}", seat=seat)
            continue
        level = len(state.stacks[cell]) + 1
        place = state.board.names[cell]
        build.put(pawn(suit), spot[0] + 1, spot[1] + 1, key=f"penguin{seat}", level=level, place=place, seat=seat)


def _buried(state: State) -> Iterator[str]:
    for name, stack in sorted(zip(state.board.names, state.stacks, strict=True)):
        if len(stack) > 1:
            yield f"{name} {''.join(state.suits[number] for number in stack[:-1])}"


GAME = Penguin()
