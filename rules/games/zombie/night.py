"""Course of a turn: clock, dice, attacks and their consequences (ZOMB-4)."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.dice import read_dice
from rules.engine.values import replace
from rules.games.zombie.opening import (
    GRAVEYARD,
    HOUR,
    KITCHENS,
    LARDER,
    OUT,
    STACKS,
    STORAGES,
    TEMPLE,
    Cell,
    Phase,
    State,
    Totem,
    first_phase,
)
from rules.pieces import Suit

DICE = {
    Phase.EVENT: (Suit.SUNS, Suit.MOONS, Suit.ARMS),
    Phase.MOON: (Suit.MOONS,),
    Phase.SEARCH: (Suit.ARMS,),
    Phase.COWER: (Suit.SUNS,),
}


def code_of(text: str) -> str:
    """tA3 is room A3."""
    return text[1:]


def cell_from(text: str) -> Cell:
    x, _, y = text.partition(":")
    return int(x), int(y)


def faces(text: str) -> dict[str, int]:
    """S2+M4+A4 as numbers."""
    return {suit.letter: int(rank) for suit, rank in read_dice(text)}


def choice_of(action: Action) -> str:
    """Choice for a door: draw, unless the Patio is named."""
    return (action.args[1] if len(action.args) > 1 else "") or "draw"


def next_key(state: State, zone: str) -> str:
    """The tile on top of a stack: the first is 0."""
    drawn = sum(room.code in STACKS[zone] for room in state.rooms)
    return f"{'outdoor' if zone == OUT else 'indoor'}{drawn}"


def special_action(state: State) -> str | None:
    """Special action of the present place (ZOMB-4.8 to 4.10)."""
    if state.done or state.retreated:
        return None
    if state.place in STORAGES:
        return "search"
    if not (state.stayed or state.options.temple == "on_arrival"):
        return None
    if state.place == TEMPLE and state.totem is Totem.TEMPLE:
        return "take_totem"
    return "bury" if state.place == GRAVEYARD and state.totem is Totem.CARRIED else None


def tick(state: State) -> State:
    """One step of the clock; each full hour the outbreak grows, and after the last coin the game is lost (ZOMB-4.1)."""
    hand = (state.hand + 1) % HOUR
    if hand:
        return replace(state, hand=hand)
    intensity = state.intensity[1:]
    return replace(state, hand=hand, intensity=intensity, phase=state.phase if intensity else Phase.OVER)


def after_move(state: State) -> State:
    """The state after a move: the dice follow, or the clock where every action takes time."""
    return replace(state, phase=Phase.EVENT if state.options.time == "turn" else Phase.CLOCK)


def after_entering(state: State, code: str) -> State:
    visited = state.visited if code in state.visited else (*state.visited, code)
    return replace(state, place=code, previous=state.place, visited=visited)


def event_of(rolled: dict[str, int]) -> str:
    """Event of the three dice (ZOMB-4.6): attack, nothing, health or weapon."""
    best = max(rolled.values())
    if rolled["M"] == best:
        return "attack"
    if rolled["S"] == rolled["A"]:
        return "nothing"
    return "health" if rolled["S"] == best else "weapon"


def with_event(state: State, rolled: dict[str, int]) -> State:
    event = event_of(rolled)
    if event == "attack" and state.options.attack_roll == "reroll":
        return replace(state, phase=Phase.MOON)
    if event == "attack":
        return replace(state, phase=Phase.ATTACK, moon=rolled["M"])
    health = min(LARDER, state.health + (event == "health"))
    weapon = min(LARDER, state.weapon + (event == "weapon"))
    return replace(state, phase=Phase.SPECIAL, health=health, weapon=weapon)


def zombies(state: State) -> int:
    return state.moon + state.intensity[0]


def damage(state: State) -> int:
    return max(0, zombies(state) - state.weapon)


def after_attack(state: State) -> State:
    """The state after an attack; one through a wall belongs to the move, before the dice of the turn (ZOMB-8.8)."""
    if not state.health:
        return replace(state, phase=Phase.OVER)
    if not state.breaking:
        return replace(state, phase=Phase.SPECIAL)
    after = replace(state, breaking=False)
    if state.options.event_after_break:
        return after_move(after)
    late = tick(after) if state.options.time == "action" else after
    return late if late.phase is Phase.OVER else replace(late, phase=Phase.SPECIAL)


def bonus_of(state: State) -> int:
    """Bonus of the place at the end of a turn (ZOMB-4.12)."""
    helps = state.place in KITCHENS and (state.options.bonus_after_retreat or not state.retreated)
    return int(helps and state.health < LARDER)


def turn_over(state: State) -> State:
    """The state at the beginning of the next turn."""
    health = state.health + bonus_of(state)
    return replace(state, phase=first_phase(state.options), health=health, stayed=False, retreated=False, done=False)
