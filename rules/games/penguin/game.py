"""The Penguin Game: stay on the melting ice longer than the others (rulebook.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from rules.engine import Action, Game, GameCard, PhaseText, Seat, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.positions import nothing_to_do, playable
from rules.engine.turn import OVER, chance, of_seat
from rules.games.penguin.deeds.common import outcome_of
from rules.games.penguin.deeds.drifting import Drift, Pass
from rules.games.penguin.deeds.moving import DropOut, Melt, Move, Reveal
from rules.games.penguin.deeds.setting_up import Deal, PlaceCoin, PlacePenguin, Roll
from rules.games.penguin.ice import dealt_letters
from rules.games.penguin.layout import buried, layout_of
from rules.games.penguin.opening import UNKNOWN, Options, Phase, State, deal_order, opening_state
from rules.games.penguin.position import read_position, read_shorthand
from rules.pieces import Kind
from rules.table.change import Change

DEEDS = (Move(), Melt(), DropOut(), PlacePenguin(), PlaceCoin(), Drift(), Pass(), Deal(), Reveal(), Roll())
PHASES: dict[str, PhaseText] = {
    Phase.ROLL: PhaseText("PENG-3.5", "first the dice decide who begins"),
    Phase.DEAL: PhaseText("PENG-3.2", "first the coins are drawn from the bag and laid"),
    Phase.PLACE_COINS: PhaseText("PENG-9.2", "first all coins are laid on the ice"),
    Phase.PLACE_PENGUINS: PhaseText("PENG-3.5", "first every player places a penguin"),
    Phase.MOVE: PhaseText("PENG-4.7", "now the penguin has to move"),
    Phase.MELT: PhaseText("PENG-4.7", "the penguin has moved; now a coin has to melt"),
    Phase.REVEAL: PhaseText("PENG-6.2", "first say which suit has come to light"),
    Phase.DRIFT: PhaseText("PENG-9.8", "the coin has melted; now a tile may drift, or pass"),
}


def deals_seen(state: State, change: Change) -> Iterator[Action]:
    """Deals that the new coins show. Where the first level is complete, the second may be too: its lower coins are not
    visible from above."""
    seen = {p.place: p.piece.suit.letter for p in change.placed if p.piece.kind is Kind.COIN and p.piece.suit}
    order = deal_order(state.options)
    dealt = len(dealt_letters(state))
    cells = len(state.stacks)
    tops = [seen.get(state.board.names[cell], "") for cell in order[dealt:]]
    if dealt < cells:
        first = "".join(takewhile(bool, tops[: cells - dealt]))
        if first:
            yield Action("deal", (first,))
        if not dealt and len(first) == cells:
            yield Action("deal", (_complete_deal(first, order),))
        return
    last = max((index for index, letter in enumerate(tops) if letter), default=-1)
    under = [state.suits[state.stacks[cell][-1]] for cell in order[dealt:]]
    if last >= 0:
        yield Action("deal", ("".join(letter or same for letter, same in zip(tops[: last + 1], under, strict=False)),))


def _complete_deal(first: str, order: tuple[int, ...]) -> str:
    """A complete deal, if the coins visible on the spaces of the second level are its coins."""
    upper = order[len(first) :]
    lower = "".join(UNKNOWN if cell in upper else letter for cell, letter in zip(order, first, strict=False))
    return lower + "".join(first[order.index(cell)] for cell in upper)


_CHANCE = (Phase.ROLL, Phase.DEAL, Phase.REVEAL)


def turn_of(state: State) -> Turn:
    phase = state.phase
    if phase is Phase.OVER:
        return OVER
    return chance(phase.value) if phase in _CHANCE else of_seat(state.to_act, phase.value)


def suggest(state: State, change: Change) -> Iterable[Action]:
    if state.phase is not Phase.DEAL:
        return Game.suggest(GAME, state, change)
    return [action for action in deals_seen(state, change) if GAME.check(state, action) is None]


def position(data: Mapping[str, object], options: Options, seats: tuple[Seat, ...]) -> State:
    state = read_position(data, options, seats)
    if state.phase is Phase.PLACE_PENGUINS and state.penguins[state.to_act] is not None:
        raise nothing_to_do(state.phase.value)
    return playable(GAME, state)


def diagram(state: State) -> str:
    drawing = Game.diagram(GAME, state)
    covered = ", ".join(buried(state)) if state.options.show_buried else ""
    return f"{drawing}\nbelow the top coins: {covered}" if covered else drawing


GAME = Game(
    card=GameCard(
        id="penguin",
        name="The Penguin Game",
        seats=(1, 2, 3, 4),
        options_type=Options,
        turn_clause="PENG-4.10",
        action_clause="PENG-4.7",
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="four tiles (or three), all coins, a pawn for each player, a bag",
        designer="Jonathan Dietrich",
        presets={
            FIRST: {"show_buried": True},
            OLD_HANDS: {"start": "strategic", "drifting": True, "flame_throwers": True},
        },
        minutes="10-20",
        summary="Step to a neighbour of the same height or hop to the same suit; the coin you leave melts. "
        "Be the last on the ice.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=position,
    deeds=DEEDS,
    phases=PHASES,
    seats_of=lambda state: len(state.pawns),
    suggest=suggest,
    shorthand=read_shorthand,
    diagram=diagram,
)
