"""What an action does to the state (ZOMB-4)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Action
from rules.games.zombie import house
from rules.games.zombie.opening import (
    HOUR,
    KITCHENS,
    LARDER,
    OUT,
    PATIO,
    ROOMS,
    STACKS,
    TEMPLE,
    Cell,
    Opening,
    Phase,
    Room,
    State,
    Totem,
    first_phase,
)


def advance(state: State, action: Action) -> State:
    return _VERBS[action.verb](state, action)


def code_of(text: str) -> str:
    """tA3 is room A3."""
    return text[1:]


def cell_from(text: str) -> Cell:
    x, _, y = text.partition(":")
    return int(x), int(y)


def faces(text: str) -> dict[str, int]:
    """S2+M4+A4 as numbers."""
    return {part[0]: int(part[1]) for part in text.split("+")}


def _tick(state: State) -> State:
    """One step of the hand; each full hour the outbreak grows, and after the last coin all is lost (ZOMB-4.1)."""
    hand = (state.hand + 1) % HOUR
    if hand:
        return replace(state, hand=hand)
    intensity = state.intensity[1:]
    return replace(state, hand=hand, intensity=intensity, phase=state.phase if intensity else Phase.OVER)


def _clock(state: State, _action: Action) -> State:
    after = _tick(state)
    if after.phase is Phase.OVER:
        return after
    return replace(after, phase=Phase.MOVE if state.options.time == "turn" else Phase.EVENT)


def _moved(state: State) -> State:
    """The move is over; the dice are next, or the hand where time passes with every action."""
    return replace(state, phase=Phase.EVENT if state.options.time == "turn" else Phase.CLOCK)


def _stay(state: State, _action: Action) -> State:
    return _moved(replace(state, stayed=True))


def entered(state: State, code: str) -> State:
    visited = state.visited if code in state.visited else (*state.visited, code)
    return replace(state, place=code, previous=state.place, visited=visited)


def _walk(state: State, action: Action) -> State:
    return _moved(entered(state, code_of(action[0])))


def _open(state: State, action: Action) -> State:
    cell = cell_from(action[0])
    if choice_of(action) == "patio":
        room = Room(PATIO, cell, "patio")
        doors = house.joined_by_laying(state, PATIO, cell, state.place, hole=False)
        return _moved(entered(replace(state, rooms=(*state.rooms, room), doors=doors), PATIO))
    return replace(state, phase=Phase.DRAW, opening=Opening(cell, state.place, False))


def choice_of(action: Action) -> str:
    """A door leads to what is drawn unless the Patio is named."""
    return (action.args[1] if len(action.args) > 1 else "") or "draw"


def _break_wall(state: State, action: Action) -> State:
    room = code_of(action.args[1]) if len(action.args) > 1 and action.args[1] else state.place
    return replace(state, phase=Phase.DRAW, opening=Opening(cell_from(action[0]), room, True))


def _draw(state: State, action: Action) -> State:
    opening, code = state.opening, code_of(action[0])
    assert opening is not None
    doors = house.joined_by_laying(state, code, opening.cell, opening.room, hole=opening.hole)
    laid = replace(
        state,
        rooms=(*state.rooms, Room(code, opening.cell, next_key(state, ROOMS[opening.room].zone))),
        doors=doors,
        holes=(*state.holes, (opening.room, code)) if opening.hole else state.holes,
        totem=Totem.TEMPLE if code == TEMPLE else state.totem,
        opening=None,
    )
    if not opening.hole:
        return _moved(entered(laid, code))
    if state.options.enter_after_break:
        laid = entered(laid, code)
    return replace(laid, phase=Phase.MOON, breaking=True)


def next_key(state: State, zone: str) -> str:
    """The tile on top of a stack: the first is 0."""
    drawn = sum(room.code in STACKS[zone] for room in state.rooms)
    return f"{'outdoor' if zone == OUT else 'indoor'}{drawn}"


def _roll(state: State, action: Action) -> State:
    rolled = faces(action[0])
    shown = zip("SMA", state.dice, strict=True)
    suns, moons, arms = (rolled.get(letter, before) for letter, before in shown)
    state = replace(state, dice=(suns, moons, arms))
    if state.phase is Phase.MOON:
        return replace(state, phase=Phase.ATTACK, moon=rolled["M"])
    if state.phase is Phase.SEARCH:
        better = rolled["A"] > state.weapon
        return replace(state, phase=Phase.SPECIAL, weapon=min(LARDER, state.weapon + better))
    if state.phase is Phase.COWER:
        better = rolled["S"] > state.health
        return _end_turn(replace(state, health=min(LARDER, state.health + better)), action)
    return _event(state, rolled)


def event_of(rolled: dict[str, int]) -> str:
    """What the three dice mean (ZOMB-4.6): attack, nothing, health or weapon."""
    best = max(rolled.values())
    if rolled["M"] == best:
        return "attack"
    if rolled["S"] == rolled["A"]:
        return "nothing"
    return "health" if rolled["S"] == best else "weapon"


def _event(state: State, rolled: dict[str, int]) -> State:
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


def _fight(state: State, _action: Action) -> State:
    return _after_attack(replace(state, health=max(0, state.health - damage(state))))


def _retreat(state: State, action: Action) -> State:
    hurt = replace(state, health=state.health - 1, retreated=True)
    return _after_attack(entered(hurt, code_of(action[0])))


def _after_attack(state: State) -> State:
    """An attack through a wall belongs to the move; the dice of the turn are still to come (ZOMB-8.8)."""
    if not state.health:
        return replace(state, phase=Phase.OVER)
    if not state.breaking:
        return replace(state, phase=Phase.SPECIAL)
    after = replace(state, breaking=False)
    if state.options.event_after_break:
        return _moved(after)
    late = _tick(after) if state.options.time == "action" else after
    return late if late.phase is Phase.OVER else replace(late, phase=Phase.SPECIAL)


def _take_totem(state: State, _action: Action) -> State:
    return replace(state, totem=Totem.CARRIED, done=True)


def _bury(state: State, _action: Action) -> State:
    return replace(state, totem=Totem.BURIED, done=True, phase=Phase.OVER)


def _search(state: State, _action: Action) -> State:
    after = state if state.options.search == "free" else _tick(state)
    return after if after.phase is Phase.OVER else replace(after, phase=Phase.SEARCH, done=True)


def _cower(state: State, _action: Action) -> State:
    after = _tick(state)
    return after if after.phase is Phase.OVER else replace(after, phase=Phase.COWER)


def bonus(state: State) -> int:
    """What the place gives at the end of a turn (ZOMB-4.12)."""
    helps = state.place in KITCHENS and (state.options.bonus_after_retreat or not state.retreated)
    return int(helps and state.health < LARDER)


def _end_turn(state: State, _action: Action) -> State:
    return replace(
        state, phase=first_phase(state.options), health=state.health + bonus(state), stayed=False, retreated=False,
        done=False,
    )  # fmt: skip


_VERBS = {
    "clock": _clock,
    "stay": _stay,
    "walk": _walk,
    "open": _open,
    "break_wall": _break_wall,
    "draw": _draw,
    "roll": _roll,
    "fight": _fight,
    "retreat": _retreat,
    "take_totem": _take_totem,
    "bury": _bury,
    "search": _search,
    "cower": _cower,
    "end_turn": _end_turn,
}
