"""Possible uses of the six suits, each for pyramids and for cards (DEC-4.20 to 4.36)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from rules.engine import Action
from rules.engine.open_grid import Cell, cell_of
from rules.engine.values import replace
from rules.games.dectana.opening import Phase, Pyramid, State, Use, ahead, uses_of, value_of
from rules.sentence import Sentence, say

ABILITIES: dict[str, tuple[str, str]] = {
    # suit: what it does to pyramids, what it does to cards
    "suns": ("create", "create_card"),
    "leaves": ("grow", "grow_card"),
    "waves": ("move", "move_card"),
    "moons": ("push", "steal"),
    "wyrms": ("shrink", "destroy"),
    "knots": ("draw", "draw_card"),
}
POWERS = {
    "suns": say("the suns"),
    "leaves": say("the leaves"),
    "waves": say("the waves"),
    "moons": say("the moons"),
    "wyrms": say("the wyrms"),
    "knots": say("the knots"),
}
"""Names of the suits in sentences."""
SUIT_OF: dict[str, str] = {verb: suit for suit, verbs in ABILITIES.items() for verb in verbs}
UPRIGHT = frozenset({"create", "grow", "draw"})
ON_CARD = frozenset({"grow_card", "move_card", "steal", "destroy", "draw_card"})  # on an empty territory
Plan = tuple[tuple[Pyramid, int], ...]


def actors(state: State, verb: str) -> Iterator[Pyramid]:
    """Own pyramids that may act, equal ones once (DEC-4.4, DEC-4.39)."""
    seen = set()
    for pyramid in state.pyramids:
        if pyramid.seat == state.to_act and pyramid.is_flat is (verb not in UPRIGHT) and pyramid.ref not in seen:
            seen.add(pyramid.ref)
            if is_allowed_actor(state, pyramid):
                yield pyramid


def is_allowed_actor(state: State, pyramid: Pyramid) -> bool:
    """With `board_actor` occupant only pyramids on an activated card of the board may use it (DEC-R1)."""
    if state.options.board_actor == "any" or state.use is None or state.use.cell is None:
        return True
    return pyramid.cell == state.use.cell


def uses(state: State) -> Iterator[Action]:
    """Every possible use of the present suit."""
    assert state.use is not None, "a suit is being used"
    for verb in ABILITIES[state.use.suit]:
        yield from ways(state, verb)


def ways(state: State, verb: str) -> Iterator[Action]:
    """Every way to make one use."""
    for actor in actors(state, verb):
        yield from _USES[verb](state, actor)


def _only_choice(verb: str, possible: Callable[[State, Pyramid], bool]) -> Callable[[State, Pyramid], Iterator[Action]]:
    """The use of a power whose only choice is the pyramid."""

    def use(state: State, actor: Pyramid) -> Iterator[Action]:
        if possible(state, actor):
            yield Action(verb, (actor.ref,))

    return use


def can_create(state: State, actor: Pyramid) -> bool:
    if state.options.suns_needs_territory and actor.cell not in state.ground.cards:
        return False
    return state.free_number(actor.seat, 1) is not None


def can_create_card(state: State, actor: Pyramid) -> bool:
    there = actor.target
    if there not in state.ground.wasteland or state.is_occupied(there):
        return False
    return bool(state.pile or state.discard)


def can_grow(state: State, actor: Pyramid) -> bool:
    return actor.size < 3 and state.free_number(actor.seat, actor.size + 1) is not None


def faces_free_card(state: State, actor: Pyramid) -> bool:
    """Whether it points at an empty territory (DEC-4.11)."""
    return actor.target in state.ground.cards and not state.is_occupied(actor.target)


def covers(state: State, card: str, cell: Cell) -> bool:
    """Whether the card may cover the territory (DEC-4.24)."""
    return value_of(card) > value_of(state.ground.cards[cell][-1])


def _grow_card(state: State, actor: Pyramid) -> Iterator[Action]:
    if faces_free_card(state, actor) and state.hand:
        for card in state.showable(state.to_act):
            if covers(state, card, actor.target):
                yield Action("grow_card", (actor.ref, card))


def _move(state: State, actor: Pyramid) -> Iterator[Action]:
    for steps in range(0 if state.options.waves_zero else 1, reach(state, actor) + 1):
        yield Action("move", (actor.ref, str(steps)))


def reach(state: State, actor: Pyramid) -> int:
    """Largest distance of a move by waves: its pips, over territory and wasteland (DEC-4.26)."""
    for steps in range(1, actor.size + 1):
        if state.ground.is_void(ahead(actor.cell, actor.orient, steps)):
            return steps if state.options.waves_into_void == "destroy" else steps - 1
    return actor.size


def _by_plan(
    verb: str, plans_of: Callable[[State, Pyramid], Iterator[Plan]]
) -> Callable[[State, Pyramid], Iterator[Action]]:
    """The use of a power whose points are shared among pyramids."""

    def use(state: State, actor: Pyramid) -> Iterator[Action]:
        plans = list(plans_of(state, actor))
        most = max((cost_of(verb, plan) for plan in plans), default=0)
        for plan in plans:
            if not state.options.spend_all_points or cost_of(verb, plan) == most:
                yield Action(verb, (actor.ref, text_of(plan)))

    return use


def text_of(plan: Plan) -> str:
    return "+".join(f"{pyramid.group}:{amount}" for pyramid, amount in plan)


def cost_of(verb: str, plan: Plan) -> int:
    """Cost in points: moving a pyramid one space costs its pips (DEC-4.30), shrinking it by one costs 1 (DEC-4.33)."""
    return sum(amount * (pyramid.size if verb == "push" else 1) for pyramid, amount in plan)


def push_plans(state: State, actor: Pyramid) -> Iterator[Plan]:
    """Plans for everything that can be pushed with the pips of the actor."""
    targets = sorted(state.at(actor.target), key=lambda p: p.group)
    limits = [push_limit(state, pyramid, actor) for pyramid in targets]
    yield from _spread(targets, [p.size for p in targets], limits, actor.size)


def push_limit(state: State, pyramid: Pyramid, actor: Pyramid) -> int:
    """Farthest distance of a push: into the void and no farther."""
    for steps in range(1, actor.size // pyramid.size + 1):
        if state.ground.is_void(ahead(pyramid.cell, actor.orient, steps)):
            return steps
    return actor.size // pyramid.size


def _spread(targets: list[Pyramid], prices: list[int], limits: list[int], budget: int) -> Iterator[Plan]:
    """Every distribution of points among some of the targets; of equal targets each gets at least as much as the
    next."""

    def spread(index: int, left: int) -> Iterator[Plan]:
        if index == len(targets):
            yield ()
            return
        most = min(limits[index], left // prices[index])
        for amount in range(most + 1):
            for rest in spread(index + 1, left - amount * prices[index]):
                plan = ((targets[index], amount), *rest) if amount else rest
                if _is_canonical(targets, index, amount, rest):
                    yield plan

    yield from (plan for plan in spread(0, budget) if plan)


def _is_canonical(targets: list[Pyramid], index: int, amount: int, rest: Plan) -> bool:
    following = targets[index + 1] if index + 1 < len(targets) else None
    if following is None or following.group != targets[index].group:
        return True
    return amount >= next((given for pyramid, given in rest if pyramid == following), 0)


def shrink_plans(state: State, actor: Pyramid) -> Iterator[Plan]:
    """Plans of points for opposing pyramids; another order is listed only where the stashes make its result differ
    (DEC-4.37)."""
    targets = sorted((p for p in state.at(actor.target) if p.seat != actor.seat), key=lambda p: p.group)
    for plan in _spread(targets, [1] * len(targets), [p.size for p in targets], actor.size):
        seen = set()
        for order in permutations(plan):
            result = shrunk(state, order)
            if result is not None and (groups := tuple(sorted(p.group for p in result))) not in seen:
                seen.add(groups)
                yield order


def shrunk(state: State, plan: Plan) -> tuple[Pyramid, ...] | None:
    """The pyramids in the target space afterwards; None if a named one would not change (DEC-R7)."""
    left = state
    for pyramid, points in plan:
        small = shrunk_size(left, pyramid, points)
        if small == pyramid.size:
            return None
        others = tuple(p for p in left.pyramids if p != pyramid)
        if small:
            number = left.free_number(pyramid.seat, small)
            assert number is not None, "shrunk_size looked into the stash"
            others = tuple(sorted((*others, replace(pyramid, size=small, number=number))))
        left = replace(left, pyramids=others)
    return left.pyramids


def shrunk_size(state: State, pyramid: Pyramid, points: int) -> int:
    """Size after a loss of this many points; 0: destroyed."""
    wanted = pyramid.size - points
    if wanted <= 0:
        return 0
    sizes = [size for size in range(1, pyramid.size) if state.free_number(pyramid.seat, size) is not None]
    if state.options.missing_size == "next_smaller_or_destroy":
        return max((size for size in sizes if size <= wanted), default=0)
    return min([*sizes, pyramid.size], key=lambda size: (abs(size - wanted), size))


def read_plan(state: State, actor: Pyramid, text: str) -> Plan | Sentence:
    """The plan that a text means, or the refusal of the text."""
    free = state.at(actor.target)
    plan = []
    for word in text.split("+"):
        group, _, amount = word.partition(":")
        found = next((p for p in free if p.group == group), None)
        if found is None:
            return say("there is no (other) pyramid “{pyramid}” in the space it points at", pyramid=group[:20])
        if amount not in tuple("123456789"):
            return say("“{word}” names no amount; write for example {pyramid}:1", word=word[:20], pyramid=found.group)
        free.remove(found)
        plan.append((found, int(amount)))
    return tuple(plan)


_USES: dict[str, Callable[[State, Pyramid], Iterator[Action]]] = {
    "create": _only_choice("create", can_create),
    "create_card": _only_choice("create_card", can_create_card),
    "grow": _only_choice("grow", can_grow),
    "grow_card": _grow_card,
    "move": _move,
    "move_card": _only_choice("move_card", faces_free_card),
    "push": _by_plan("push", push_plans),
    "steal": _only_choice("steal", faces_free_card),
    "shrink": _by_plan("shrink", shrink_plans),
    "destroy": _only_choice("destroy", faces_free_card),
    "draw": _only_choice("draw", lambda _state, _actor: True),
    "draw_card": _only_choice("draw_card", faces_free_card),
}


def with_use(state: State, action: Action) -> State:
    """The state with a card activated on the board or shown from the hand, before its uses."""
    suit = action[1]
    if action.verb == "activate":
        cell = cell_of(action[0])
        card = state.ground.top(cell) if cell else None
        assert card is not None, "only cards that lie there are activated"
        return replace(state, stage=Phase.USE, use=Use(suit, cell=cell, left=uses_of(card)))
    card = action[0]
    shown = state.without(state.to_act, card)
    return replace(shown, stage=Phase.USE, use=Use(suit, card=card, left=uses_of(card)))


def is_useful(state: State, action: Action) -> bool:
    """Whether at least one use could be made (DEC-4.5)."""
    return any(True for _ in uses(with_use(state, action)))
