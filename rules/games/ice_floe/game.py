"""IceFloe: teams of pyramids on floes that break, are voted on and explode (rulebook.md)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine import Action, Code, Game, GameCard, Outcome, ParamKind, Refusal, Seat, Step, Turn, TurnKind
from rules.engine.action import verb
from rules.engine.turn import OVER, chance, of_all, of_seat
from rules.games.ice_floe import board, checks, choices, play
from rules.games.ice_floe.geometry import CELL_OF, COMPASS, NAMES, neighbour, read_cell
from rules.games.ice_floe.opening import (
    BONUS,
    COIN_PHASES,
    ENDED,
    EXPLODE,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    ROLL,
    SCORE,
    SEALED,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    WINNER,
    Options,
    State,
    find_pyramid,
    opening_state,
)
from rules.games.ice_floe.position import read_position
from rules.games.ice_floe.story import story
from rules.games.ice_floe.suggest import suggest
from rules.games.ice_floe.voting import coin_seats, voters
from rules.table.change import Change
from rules.table.layout import Layout

_P = ParamKind
CARD = GameCard(
    id="ice_floe",
    name="IceFloe",
    version=1,
    seats=(3, 4),
    options_type=Options,
    verbs=(
        verb("take_set", "take the {coins} coins as suit set", "ICE-3.3", coins=_P.RANK),
        verb("roll", "the dice roll {dice}", "ICE-3.4", dice=_P.LIST),
        verb("place", "{pyramid} onto {cell}", "ICE-3.5", pyramid=_P.PIECE, cell=_P.PLACE),
        verb("move", "{pyramid} to {path}", "ICE-4.1", pyramid=_P.PIECE, path=_P.LIST),
        verb("slide", "slide the tile on {cell} to the {way}", "ICE-4.9", cell=_P.PLACE, way=_P.WORD),
        verb("pass", "pass, because nothing can move", "ICE-4.11"),
        verb("commit_number", "vote for the value {value}", "ICE-4.12", value=_P.RANK),
        verb("reveal_number", "uncover the dice: {votes}", "ICE-4.12", votes=_P.LIST),
        verb("commit_suit", "vote for the suit {suit}", "ICE-4.15", suit=_P.SUIT),
        verb("reveal_suit", "uncover the coins: {votes}", "ICE-4.15", votes=_P.LIST),
        verb("add_coin", "add the {coin} coin to {choice}", "ICE-4.18", coin=_P.RANK, choice=_P.WORD),
        verb("keep_coins", "add no coin", "ICE-4.20"),
        verb("close_coins", "nobody adds a coin any more", "ICE-4.20"),
        verb("break_tie", "the torch bearer decides for {choice}", "ICE-4.23", choice=_P.WORD),
        verb("sanction", "seat {seat} does not vote until the next round", "ICE-4.26", seat=_P.SEAT),
        verb("explode", "explode the tile on {cell}", "ICE-4.27", cell=_P.PLACE),
        verb("bonus", "explode the unoccupied tile on {cell} too", "ICE-4.28", cell=_P.PLACE),
        verb("decline", "no second explosion", "ICE-4.28"),
        verb("score", "score the tile on {cell}", "ICE-4.30", cell=_P.PLACE),
        verb("choose_winner", "the torch bearer names {suit} the winner", "ICE-5.4", suit=_P.SUIT),
        verb("share", "the torch bearer declares a shared victory", "ICE-5.4"),
    ),
    turn_clause="ICE-4.1",
    turn_clauses={
        NUMBER: "ICE-4.12",
        NUMBER_COINS: "ICE-4.20",
        NUMBER_TIE: "ICE-4.23",
        SUIT: "ICE-4.15",
        SUIT_COINS: "ICE-4.20",
        SUIT_TIE: "ICE-4.23",
        EXPLODE: "ICE-4.27",
        BONUS: "ICE-4.28",
        SCORE: "ICE-4.30",
        WINNER: "ICE-5.4",
    },
    action_clause="ICE-4.1",
    default_seats=4,
    turns=(TurnKind.CHANCE, TurnKind.SEAT, TurnKind.ALL),
    needs="one piecepack, the piecepack pyramids of the suits that play, something like a torch",
    hidden=True,
    designer="Tim Schutz",
    minutes="60",
    summary="Jump from floe to floe, vote in secret which floe explodes, and score the tiles that suit you best.",
)


class IceFloe(Game[State, Options]):
    card = CARD
    state_type = State

    def opening(self, options: Options, seats: tuple[Seat, ...]) -> State:
        return opening_state(options, seats)

    def turn(self, state: State) -> Turn:
        phase = state.phase
        if phase in (NUMBER, SUIT):
            return of_all(voters(state), phase)
        if phase in COIN_PHASES and state.options.coin_stage == "free":
            return of_all(tuple(sorted(coin_seats(state))), phase)
        if phase == ENDED:
            return OVER
        return chance(ROLL) if phase == ROLL else of_seat(state.to_act, phase)

    def choices(self, state: State, seat: int | None = None) -> Iterable[Action]:
        turn = self.turn(state)
        if seat is not None and turn.seats and seat not in turn.seats:
            return ()
        return choices.LEGAL[state.phase](state, seat)

    def exhaustive(self, state: State) -> bool:
        """Votes may also be uncovered, and dice be rolled, all at once."""
        return state.phase not in (NUMBER, SUIT, ROLL)

    def sample(self, state: State, rng: random.Random) -> Action:
        return choices.sample(state, rng)

    def is_common(self, action: Action) -> bool:
        """What is seen on the table, or what the players settle among themselves, has no actor."""
        return action.verb in ("reveal_number", "reveal_suit", "sanction", "close_coins")

    def why_not_seat(self, state: State, seat: int) -> Refusal | None:
        if state.phase not in (NUMBER, SUIT) or seat not in state.sanctioned:
            return None
        text = f"seat {seat} may not vote until the next round"
        return Refusal(Code.NOT_YOUR_TURN, "ICE-4.26", text, {"seat": seat})

    def _seat(self, state: State, action: Action) -> int:
        if action.seat is not None:
            return action.seat
        turn = self.turn(state)
        return turn.seats[0] if len(turn.seats) == 1 else state.to_act

    def check(self, state: State, action: Action) -> Refusal | None:
        return checks.check(state, action, self._seat(state, action))

    def advance(self, state: State, action: Action) -> State:
        return play.DO[action.verb](state, action, self._seat(state, action))

    def apply(self, state: State, action: Action) -> Step[State]:
        after = self.advance(state, action)
        return Step(after, tuple(story(state, action, after, self._seat(state, action))))

    def layout(self, state: State) -> Layout:
        return board.layout(state)

    def view(self, state: State, seat: int | None) -> State:
        """Covered votes are known to their voters only (ICE-6)."""
        if state.phase not in (NUMBER, SUIT):
            return state
        votes = tuple(SEALED if vote and n != seat else vote for n, vote in enumerate(state.ballot.votes))
        return replace(state, ballot=replace(state.ballot, votes=votes))

    def describe(self, action: Action) -> str:
        return super().describe(action).replace(">", " and on to ")

    def diagram(self, state: State) -> str:
        """The table, and what does not lie on it: round, torch and scores."""
        scores = ", ".join(f"{suit.letter} {n}" for suit, n in zip(state.suits, state.scores, strict=True))
        torch = state.suits[state.torch].value
        return f"{super().diagram(state)}\nround {state.round} ({state.phase}), torch: {torch}, scores: {scores}"

    def suggest(self, state: State, change: Change) -> Iterable[Action]:
        return (action for action in suggest(state, change) if self.refusal(state, action) is None)

    def attempts(self, state: State, change: Change) -> Iterable[Action]:
        """What somebody may have tried, also against the rules: for the refusal to say why it cannot be."""
        return suggest(state, change)

    def touches(self, action: Action) -> tuple[str, ...]:
        """Pyramids by their piece code; every landing of a path; the hole that a tile slides into."""
        if action.verb in ("move", "place") and len(action.args) == 2:
            return (f"y{action[0]}", *action[1].split(">"))
        if action.verb == "slide" and len(action.args) == 2 and action[0] in CELL_OF:
            target = neighbour(CELL_OF[action[0]], *COMPASS.get(action[1], (0, 0)))
            return (action[0],) if target is None else (action[0], NAMES[target])
        return super().touches(action)

    def outcome(self, state: State) -> Outcome:
        if state.phase != ENDED:
            return Outcome(scores=state.scores)
        names = " and ".join(state.suits[seat].value for seat in state.winners)
        best = max(state.scores)
        tied = state.scores.count(best) > 1
        how = ", as the torch bearer decided" if tied else ""
        return Outcome(True, state.winners, state.scores, f"{names} won with {best} points{how}", "ICE-5.4")

    def position(self, data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
        return read_position(data, options, seats)

    def shorthand(self, state: State, text: str) -> Action | None:
        """ "S-A a2 c4" or "S-A (0,1) (2,3)" moves or places, "slide c2 N" slides."""
        words = text.replace(">", " ").split()
        if not 2 <= len(words) <= 3:
            return None
        try:
            if words[0] == "slide" and len(words) == 3:
                return Action("slide", (NAMES[read_cell(words[1])], words[2].upper()[:1]))
            if find_pyramid(state, words[0]) is None:
                return None
            path = ">".join(NAMES[read_cell(word)] for word in words[1:])
        except ValueError:
            return None
        return Action("place" if state.phase == "place" else "move", (words[0], path))


GAME = IceFloe()
