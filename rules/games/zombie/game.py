"""Zombie in my Piecepack: find the totem, bury it in the Graveyard, before time runs out (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from functools import cache

from rules.engine import Action, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import parse_action, verb
from rules.engine.turn import OVER, chance, of_seat
from rules.games.zombie import actions, checks, choices, house
from rules.games.zombie.opening import ROOMS, STACKS, Options, Phase, State, cell_name, opening_state
from rules.games.zombie.position import read_position
from rules.games.zombie.story import YOU, outcome_of, story
from rules.games.zombie.table import layout_of
from rules.pieces import Suit
from rules.table.change import Change
from rules.table.layout import Layout

CARD = GameCard(
    id="zombie",
    name="Zombie in my Piecepack",
    version=1,
    seats=(1,),
    options_type=Options,
    verbs=(
        verb("clock", "the hand of the clock moves on", "ZOMB-4.1"),
        verb("stay", "stay put", "ZOMB-4.3a"),
        verb("walk", "walk to {room}", "ZOMB-4.3b", room=ParamKind.PIECE),
        verb("open", "open a door to {cell}: {choice}", "ZOMB-4.4", cell=ParamKind.PLACE, choice="word?"),
        verb("break_wall", "zombies break the wall to {cell}", "ZOMB-4.5", cell=ParamKind.PLACE, room="piece?"),
        verb("draw", "{room} is drawn", "ZOMB-4.4a", room=ParamKind.PIECE),
        verb("roll", "the dice show {dice}", "ZOMB-4.6", dice=ParamKind.LIST),
        verb("fight", "fight", "ZOMB-4.7"),
        verb("retreat", "retreat to {room}", "ZOMB-4.7", room=ParamKind.PIECE),
        verb("take_totem", "take the totem", "ZOMB-4.9"),
        verb("bury", "bury the totem", "ZOMB-4.9"),
        verb("search", "search the storage", "ZOMB-4.10"),
        verb("cower", "cower", "ZOMB-4.11"),
        verb("end_turn", "end the turn", "ZOMB-4.12"),
    ),
    turn_clause="ZOMB-4.2",
    action_clause="ZOMB-4.2",
    default_seats=1,
    seat_suits=(Suit.ARMS,),
    turns=(TurnKind.SEAT, TurnKind.CHANCE),
    needs="18 tiles, 15 coins, three pawns and three dice of one piecepack",
    designer="Dan Beauchamp after Jeremiah Lee, edited by Ron Hale-Evans",
    minutes="5-20",
    summary="Alone against the clock and the undead: bring the totem from the temple to the graveyard.",
)

_CHANCE = (Phase.DRAW, Phase.MOON, Phase.EVENT, Phase.SEARCH, Phase.COWER)
_SHORT_CELLS = tuple(house.DIRECTIONS)


@cache
def _turn(phase: Phase) -> Turn:
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(YOU, phase.value)


class Zombie(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options)

    def turn(self, state: State) -> Turn:
        return _turn(state.phase)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        if seat not in (None, YOU):
            return ()
        return choices.legal_actions(state)

    def sample(self, state: State, rng: random.Random) -> Action:
        letters = choices.DICE.get(state.phase)
        if letters:
            return Action("roll", ("+".join(f"{letter}{int(rng.random() * 6)}" for letter in letters),))
        found = list(choices.legal_actions(state))
        return found[int(rng.random() * len(found))]

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        """A roll is read from the dice: there are too many to try. Of the few other choices what touches the change
        comes first, and the others after: a door leads to where nothing lies yet."""
        if state.phase in choices.DICE:
            return choices.roll_seen(state, change)
        return dict.fromkeys((*super().suggest(state, change), *self.legal(state)))

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        return choices.attempts(state, change)

    def check(self, state: State, action: Action) -> Refusal | None:
        return checks.check(state, action)

    def advance(self, state: State, action: Action) -> State:
        return actions.advance(state, action)

    def apply(self, state: State, action: Action) -> Step[State]:
        after = actions.advance(state, action)
        return Step(after, tuple(story(state, action, after)))

    def layout(self, state: State) -> Layout:
        return layout_of(state)

    def outcome(self, state: State) -> Outcome:
        return outcome_of(state)

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        state = read_position(data, options)
        if state.phase is not Phase.OVER and not next(iter(choices.legal_actions(state)), None):
            raise ValueError(f"nothing can be done in this position in the phase {state.phase.value}")
        return state

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "S2 M4 A4" are dice, "open N" or "open N patio" is a door to the north, "walk A3" goes to a room."""
        words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
        if not words:
            return None
        if state.phase in choices.DICE and all(len(w) == 2 and w[0] in "SMA" and w[1].isdecimal() for w in words):
            return Action("roll", ("+".join(words),))
        if words[0] in ("open", "break_wall") and len(words) > 1 and words[1] in _SHORT_CELLS:
            dx, dy = house.DIRECTIONS[words[1]]
            x, y = house.cell_of(state, state.place)
            return Action(words[0], (cell_name((x + dx, y + dy)), *words[2:]))
        if words[0] in ("walk", "retreat", "draw") and len(words) == 2 and words[1] in ROOMS:
            return Action(words[0], (choices.tile_code(words[1]),))
        return _with_choice(state, text)

    def describe(self, action: Action) -> str:
        room = next((arg[1:] for arg in action.args if arg[:1] == "t" and arg[1:] in ROOMS), None)
        named = super().describe(action)
        return f"{named} ({ROOMS[room].name})" if room else named

    def diagram(self, state: State) -> str:
        """The map, how the rooms are joined, and the meters."""
        lines = [super().diagram(state)]
        for name, pairs in (("doors", state.doors), ("holes", state.holes)):
            if pairs:
                lines.append(f"{name}: {', '.join(f'{one}-{other}' for one, other in pairs)}")
        intensity = state.intensity[0] if state.intensity else "none"
        piles = [f"{len(house.stack(state, zone))} {zone}doors" for zone in STACKS]
        lines.append(f"still to be drawn: {', '.join(piles)}")
        lines.append(
            f"in the {ROOMS[state.place].name}, health {state.health}, weapon {state.weapon}, "
            f"clock {state.hand}, intensity {intensity}, totem {state.totem.value}"
        )
        return "\n".join(lines)


def _with_choice(state: State, text: str) -> Action | None:
    """A door without a choice leads to what is drawn, or to the Patio where it must."""
    if not text.startswith("open(") or "," in text:
        return None
    try:
        action = parse_action(text)
    except ValueError:
        return None
    found = house.open_choices(state, state.place)
    return Action("open", (*action.args, found[0] if len(found) == 1 else "draw"))


GAME = Zombie()
