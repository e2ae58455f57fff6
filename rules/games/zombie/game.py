"""Zombie in my Piecepack: find the totem, bury it in the Graveyard, before time runs out (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from rules.engine import Action, Game, GameCard, PhaseText, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.positions import playable
from rules.engine.throws import throw_seen
from rules.engine.turn import OVER, chance, of_seat
from rules.games.zombie.deeds.common import YOU, outcome_of
from rules.games.zombie.deeds.fighting import Fight, Retreat, Roll
from rules.games.zombie.deeds.moving import BreakWall, Clock, Draw, OpenDoor, Stay, Walk
from rules.games.zombie.deeds.special import Bury, Cower, EndTurn, Search, TakeTotem
from rules.games.zombie.layout import layout_of, meters
from rules.games.zombie.night import DICE
from rules.games.zombie.opening import ROOMS, Options, Phase, State, cell_name, opening_state
from rules.games.zombie.position import read_position, read_shorthand
from rules.pieces import Suit
from rules.table.change import Change

DEEDS = (
    Clock(), Stay(), Walk(), OpenDoor(), BreakWall(), Draw(), Roll(), Fight(), Retreat(), TakeTotem(), Bury(), Search(),
    Cower(), EndTurn(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    Phase.CLOCK: PhaseText("ZOMB-4.1", "first the hand of the clock moves one step"),
    Phase.MOVE: PhaseText("ZOMB-4.2", "now you stay, walk, open a door or a wall breaks"),
    Phase.DRAW: PhaseText("ZOMB-4.4", "first say which room was drawn"),
    Phase.MOON: PhaseText("ZOMB-4.7", "first the moons die is rolled for the attack"),
    Phase.EVENT: PhaseText("ZOMB-4.6", "now the three dice are rolled"),
    Phase.ATTACK: PhaseText("ZOMB-4.7", "zombies attack: fight or retreat"),
    Phase.SPECIAL: PhaseText("ZOMB-4.8", "now a special action, cowering or the end of the turn"),
    Phase.SEARCH: PhaseText("ZOMB-4.10", "first the arms die is rolled for the search"),
    Phase.COWER: PhaseText("ZOMB-4.11", "first the suns die is rolled for cowering"),
}


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Possible attempts, legal or not: walks and retreats to the room in which the pawn stands now."""
    rooms = {cell_name(room.cell): room.code for room in state.rooms}
    for move in change.moved:
        if move.before.key == "you" and (room := rooms.get(move.after.place)):
            yield from (Action(verb, (f"t{room}",)) for verb in ("walk", "retreat"))


_CHANCE = (Phase.DRAW, Phase.MOON, Phase.EVENT, Phase.SEARCH, Phase.COWER)


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(YOU, phase.value)


def sample(state: State, rng: random.Random) -> Action:
    if state.phase in DICE:
        return Game.sample(GAME, state, rng)
    found = list(GAME.legal(state))
    return found[int(rng.random() * len(found))]


def suggest(state: State, change: Change) -> Iterable[Action]:
    """A roll is read from the dice, whose results are too many to try. Of the few other choices, those that touch the
    change come first; the rest follow, since the places behind doors are still empty."""
    if state.phase in DICE:
        throw = throw_seen(change, DICE[state.phase])
        return [Action("roll", (throw,))] if throw else []
    return dict.fromkeys((*Game.suggest(GAME, state, change), *GAME.legal(state)))


def position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    return playable(GAME, read_position(data, options, seats))


def describe(action: Action) -> str:
    room = next((arg[1:] for arg in action.args if arg[:1] == "t" and arg[1:] in ROOMS), None)
    named = Game.describe(GAME, action)
    return f"{named} ({ROOMS[room].name})" if room else named


def diagram(state: State) -> str:
    """The map, the connections of the rooms, and the meters."""
    return "\n".join((Game.diagram(GAME, state), *meters(state)))


GAME = Game(
    card=GameCard(
        id="zombie",
        name="Zombie in my Piecepack",
        seats=(1,),
        options_type=Options,
        turn_clause="ZOMB-4.2",
        action_clause="ZOMB-4.2",
        default_seats=1,
        seat_suits=(Suit.ARMS,),
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="18 tiles, 15 coins, three pawns and three dice of one piecepack",
        designer="Dan Beauchamp after Jeremiah Lee, edited by Ron Hale-Evans",
        presets={FIRST: {"search": "free"}, OLD_HANDS: {"time": "action"}},
        minutes="5-20",
        summary="Alone against the clock and the undead: bring the totem from the temple to the graveyard.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=position,
    deeds=DEEDS,
    phases=PHASES,
    by_tiles=True,
    sample=sample,
    suggest=suggest,
    attempts=attempts,
    shorthand=read_shorthand,
    describe=describe,
    diagram=diagram,
)
