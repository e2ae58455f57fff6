"""Deeds and outcome of Jul-Gonu (JULG-4, JULG-5): steps with captures, passes of a blocked side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Outcome, Refusal, Spot, Verb
from rules.engine.action import PLACE
from rules.engine.coin_steps import check_pass, number
from rules.engine.effects import next_turn_effect
from rules.engine.refusal import Fact
from rules.games.jul_gonu.opening import BOARD, GOAL, STEPS, State, Trail
from rules.pieces import coin
from rules.sentence import Person, Sentence, say
from rules.table.layout import Zone


def _patterns(arrival: str) -> Iterator[tuple[int, int]]:
    """(run, partner) for every trap that a coin arriving here can close."""
    x, y = BOARD.xy(arrival)
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        line = [(x + dx * step, y + dy * step) for step in (1, 2, 3)]
        bits = [1 << ((b - 1) * BOARD.size + a - 1) for a, b in line if 1 <= a <= 4 and 1 <= b <= 4]
        if len(bits) > 1:
            yield bits[0], bits[1]
        if len(bits) > 2:
            yield bits[0] | bits[1], bits[2]


_PATTERNS = {BOARD.bit[name]: tuple(_patterns(name)) for name in BOARD.names}


def captured_by(own: int, enemy: int, arrival: int) -> int:
    """Enemy coins captured when an own coin moves to the space `arrival`."""
    taken = 0
    for run, partner in _PATTERNS[arrival]:
        if enemy & run == run and own & partner:
            taken |= run
    return taken


def traps(own: int, enemy: int, arrival: int) -> list[tuple[list[str], str]]:
    """The names of the captured spaces and of the partner, by trap."""
    closed = [(run, at) for run, at in _PATTERNS[arrival] if enemy & run == run and own & at]
    return [(BOARD.places(run), BOARD.places(partner)[0]) for run, partner in closed]


def moves(state: State) -> list[Action]:
    found = STEPS.moves(state)
    return [action for action in found if not restores(state, action)] if state.options.ko else found


def restores(state: State, action: Action) -> bool:
    """Whether the move restores a position of the last four plies (JULG-8.6)."""
    coins, _ = after_step(state, action)
    return number(coins, 1 - state.to_act) in state.seen[-4:]


def after_step(state: State, action: Action) -> tuple[tuple[int, int], int]:
    """Coins after the move, and the captured ones."""
    player = state.to_act
    own = state.coins[player] ^ BOARD.shift[action.args]
    enemy = state.coins[1 - player]
    taken = captured_by(own, enemy, BOARD.bit[action.args[1]])
    enemy &= ~taken
    return ((own, enemy) if player == 0 else (enemy, own)), taken


END_CLAUSES = {
    "captures": "JULG-5.1",
    "shuttle": "JULG-5.2",
    "stalemate": "JULG-8.5",
    "blocked": "JULG-5.3",
    "repetition": "JULG-5.3",
}


def outcome_of(state: State) -> Outcome:
    if not state.end:
        return Outcome(scores=state.captured)
    winners = () if state.winner is None else (state.winner,)
    return Outcome(True, winners, state.captured, reason(state), END_CLAUSES[state.end], drawn=not winners)


def reason(state: State) -> Sentence:
    if state.end == "captures" and state.winner is not None:
        return say(
            "{who} has captured {captured} coins", who=Person(state.winner), captured=state.captured[state.winner]
        )
    if state.end == "shuttle":
        return say("{who} moved a coin over, back and over again", who=Person(state.to_act))
    if state.end == "stalemate":
        return say("{who} cannot move", who=Person(state.to_act))
    return (
        say("both sides are blocked") if state.end == "blocked" else say("the same position has occurred three times")
    )


def with_stalemate(state: State) -> State:
    """The state; with `stalemate` "loses" the game is lost for a side to move without a move."""
    if state.options.stalemate == "pass" or moves(state):
        return state
    lost = state.to_act
    return State(
        state.options, state.suits, state.coins, state.captured, lost, end="stalemate", winner=1 - lost
    )  # fmt: skip


class GonuDeed(NarratedDeed[State]):
    def next_effects(self, before: State, action: Action, after: State) -> tuple[Effect, ...]:
        return (next_turn_effect(outcome_of(after), after.to_act),)


class Move(GonuDeed):
    verb = Verb.of("move", "{from_} to {to}", "JULG-4.1", from_=PLACE, to=PLACE)

    def legal(self, state: State) -> Iterable[Action]:
        return moves(state)

    def check(self, state: State, action: Action) -> Refusal | None:
        source, target = action.args
        if refusal := STEPS.check_move(state, source, target):
            return refusal
        if not (state.options.ko and restores(state, action)):
            return None
        text = say("{source} to {target} would restore a position from a moment ago", source=source, target=target)
        return Refusal(Code.REPEATS, "JULG-8.6", text, {"from": source, "to": target})

    def advance(self, state: State, action: Action) -> State:
        coins, taken = after_step(state, action)
        player, captured = state.to_act, state.captured
        if taken:
            count = captured[player] + taken.bit_count()
            captured = (count, captured[1]) if player == 0 else (captured[0], count)
            if count >= GOAL:
                return State(state.options, state.suits, coins, captured, player, end="captures", winner=player)
        options, fresh = state.options, taken > 0
        reset = fresh and not options.strict_shuttle
        trail, shuttled = _extended_trail(() if reset else state.trails[player], action.args)
        other: Trail = () if reset else state.trails[1 - player]
        trails = (trail, other) if player == 0 else (other, trail)
        if shuttled and not options.ko:
            return State(options, state.suits, coins, captured, player, trails, end="shuttle", winner=1 - player)
        here = number(coins, 1 - player)
        seen = (here,) if fresh else (*state.seen, here)
        limit = options.repetition_draw
        end = "repetition" if limit and seen.count(here) >= limit else ""
        after = State(options, state.suits, coins, captured, 1 - player, trails, 0, seen, end)
        return after if end or options.stalemate == "pass" else with_stalemate(after)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        player, target = before.to_act, action[1]
        yield replace(BOARD.moved(before, action[0], target, "JULG-4.1"), facts=_shuttle_fact(after, player))
        fallen: list[str] = []
        for places, partner in traps(after.coins[player], before.coins[1 - player], BOARD.bit[target]):
            for place in places:
                if place not in fallen:
                    fallen.append(place)
                    yield _capture_effect(before, place, {"between": [target, partner]})
        if fallen:
            total: dict[str, Fact] = {"captured": fallen, "total": after.captured[player]}
            yield Effect(EffectKind.SCORE, seat=player, amount=len(fallen), clause="JULG-4.6", facts=total)


class Pass(GonuDeed):
    verb = Verb.of("pass", "pass, because nothing can move", "JULG-4.3")
    is_last_resort = True

    def check(self, state: State, action: Action) -> Refusal | None:
        return check_pass(moves(state), "JULG-4.3")

    def advance(self, state: State, action: Action) -> State:
        """A pass ends the shuttle of its player."""
        passes = state.passes + 1
        trails: tuple[Trail, Trail] = ((), state.trails[1]) if state.to_act == 0 else (state.trails[0], ())
        to_act = 1 - state.to_act
        here = number(state.coins, to_act)
        seen = (*state.seen, here)
        limit = state.options.repetition_draw
        end = "blocked" if passes > 1 else "repetition" if limit and seen.count(here) >= limit else ""
        return State(state.options, state.suits, state.coins, state.captured, to_act, trails, passes, seen, end)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.CHOOSE, seat=before.to_act, clause="JULG-4.3", facts={"choice": "pass"})


DEEDS = (Move(), Pass())


def _extended_trail(trail: Trail, move: tuple[str, ...]) -> tuple[Trail, bool]:
    """The trail with this move, and whether the move completes a shuttle (JULG-5.2)."""
    if trail and trail[-1] == move[::-1]:
        return (trail[-1], move), len(trail) > 1 and trail[0] == move
    return (move,), False


def _capture_effect(state: State, place: str, facts: dict[str, Fact]) -> Effect:
    player = state.to_act
    victim = state.suits[1 - player]
    ends = BOARD.spot(place), Spot(zone=Zone.SPENT, seat=player)
    taken = (coin(victim), f"{victim}@{place}")
    return Effect(EffectKind.REMOVE, *taken, *ends, player, 1 - player, clause="JULG-4.2", facts=facts)


def _shuttle_fact(after: State, player: int) -> dict[str, Fact]:
    """The fact that announces a shuttle (JULG-8.3), where repeating it would lose."""
    trail = after.trails[player]
    if len(trail) < 2 or after.end or after.options.ko:
        return {}
    return {"shuttle": f"{'-'.join(trail[0])} again loses the game"}
