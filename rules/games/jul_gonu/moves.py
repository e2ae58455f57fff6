"""What a move does: the step, the captures, and whether the game ends by it (JULG-4, JULG-5)."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.coin_steps import number
from rules.games.jul_gonu.opening import BOARD, GOAL, STEPS, State, Trail
from rules.games.jul_gonu.traps import captured_by


def moves(state: State) -> list[Action]:
    found = STEPS.moves(state)
    return [action for action in found if not restores(state, action)] if state.options.ko else found


def restores(state: State, action: Action) -> bool:
    """JULG-8.6: whether the move brings back a position that stood there within the last four plies."""
    return result_number(state, action) in state.seen[-4:]


def result_number(state: State, action: Action) -> int:
    coins, _ = _step(state, action)
    return number(coins, 1 - state.to_act)


def _step(state: State, action: Action) -> tuple[tuple[int, int], int]:
    """The coins after the move, and those of them that were captured."""
    player = state.to_act
    own = state.coins[player] ^ BOARD.shift[action.args]
    enemy = state.coins[1 - player]
    taken = captured_by(own, enemy, BOARD.bit[action.args[1]])
    enemy &= ~taken
    return ((own, enemy) if player == 0 else (enemy, own)), taken


def play(state: State, action: Action) -> State:
    if action.verb == "pass":
        return _after_pass(state)
    coins, taken = _step(state, action)
    player = state.to_act
    if taken:
        count = state.captured[player] + taken.bit_count()
        captured = (count, state.captured[1]) if player == 0 else (state.captured[0], count)
        if count >= GOAL:
            return State(state.options, state.suits, coins, captured, player, end="captures", winner=player)
    else:
        captured = state.captured
    return _after_move(state, action, coins, captured, fresh=taken > 0)


def _after_move(
    state: State, action: Action, coins: tuple[int, int], captured: tuple[int, int], *, fresh: bool
) -> State:
    """The game goes on, or ends by shuttling or repetition. `fresh`: something was captured."""
    options, player = state.options, state.to_act
    reset = fresh and not options.strict_shuttle
    trail, shuttled = _extend(() if reset else state.trails[player], action.args)
    other: Trail = () if reset else state.trails[1 - player]
    trails = (trail, other) if player == 0 else (other, trail)
    if shuttled and not options.ko:
        return State(options, state.suits, coins, captured, player, trails, end="shuttle", winner=1 - player)
    here = number(coins, 1 - player)
    seen = (here,) if fresh else (*state.seen, here)
    limit = options.repetition_draw
    end = "repetition" if limit and seen.count(here) >= limit else ""
    after = State(options, state.suits, coins, captured, 1 - player, trails, 0, seen, end)
    return after if end or options.stalemate == "pass" else blocked(after)


def _extend(trail: Trail, move: tuple[str, ...]) -> tuple[Trail, bool]:
    """The last two moves with this one, and whether it is over, back and over (JULG-5.2)."""
    if trail and trail[-1] == move[::-1]:
        return (trail[-1], move), len(trail) > 1 and trail[0] == move
    return (move,), False


def _after_pass(state: State) -> State:
    """A pass is no move of the same coin: it ends the player's own shuttling."""
    passes = state.passes + 1
    trails: tuple[Trail, Trail] = ((), state.trails[1]) if state.to_act == 0 else (state.trails[0], ())
    to_act = 1 - state.to_act
    here = number(state.coins, to_act)
    seen = (*state.seen, here)
    limit = state.options.repetition_draw
    end = "blocked" if passes > 1 else "repetition" if limit and seen.count(here) >= limit else ""
    return State(state.options, state.suits, state.coins, state.captured, to_act, trails, passes, seen, end)


def blocked(state: State) -> State:
    """With `stalemate` "loses", who cannot move has lost."""
    if state.options.stalemate == "pass" or moves(state):
        return state
    return State(
        state.options,
        state.suits,
        state.coins,
        state.captured,
        state.to_act,
        end="stalemate",
        winner=1 - state.to_act,
    )
