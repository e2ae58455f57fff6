"""Deeds of chance: the deal of the states, throws of all four dice, throws for votes and ties (DASH-3, DASH-4.3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from rules.engine import Action, Code, EffectKind, Refusal, Verb
from rules.engine.action import DICE, WORD, Luck
from rules.engine.throws import ThrowDeed, example_of
from rules.games.delegate_dash.chart import GAP, NULLS, REGION_OF, REGION_SUITS, SHUFFLED, TITLES
from rules.games.delegate_dash.deeds.common import DashDeed, DashNarration
from rules.games.delegate_dash.deeds.convention import resolve_drop, resolve_legislature, resolve_share
from rules.games.delegate_dash.deeds.moving import begin_moves, resolve_reroll
from rules.games.delegate_dash.deeds.rounds import begin_round, resolve_vote
from rules.games.delegate_dash.layout import spot_of
from rules.games.delegate_dash.opening import DEALS, DICE_PHASES, NOBODY, Phase, State
from rules.pieces import RANKS, Suit, die, tile
from rules.sentence import say


class Deal(DashDeed):
    verb = Verb.of(
        "deal",
        "the states are arms {arms}, suns {suns}, crowns {crowns}, moons {moons}",
        "DASH-3.1",
        luck=Luck.DEAL,
        arms=WORD,
        suns=WORD,
        crowns=WORD,
        moons=WORD,
    )
    phases = (Phase.DEAL,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        """One map represents all 200 million."""
        yield Action("deal", ("12345",) * 4)

    def sample(self, state: State, rng: random.Random) -> Action:
        return Action("deal", tuple("".join(rng.sample("12345", 5)) for _ in range(4)))

    def check(self, state: State, action: Action) -> Refusal | None:
        regions = action.args
        for region, values in enumerate(regions):
            if sorted(values) != list("12345"):
                suit = REGION_SUITS[region]
                text = say(
                    "the {region} states are the values 1 to 5, each once, row by row; not “{given}”",
                    region=suit,
                    given=values[:20],
                )
                return Refusal(Code.BAD_ARGUMENT, "DASH-3.1", text, {"region": suit.value, "given": values[:20]})
        return None

    def play(self, narration: DashNarration, action: Action) -> None:
        deal(narration, *action.args)


class _Throw(ThrowDeed[State], DashDeed):
    def unreadable(self, state: State, action: Action) -> Refusal:
        suits = self.dice(state)
        text = say(
            "{count} die is rolled and shows 0 to 5; write for example {example}",
            "{count} dice are rolled, each shows 0 to 5; write for example {example}",
            count=len(suits),
            example=example_of(suits),
        )
        return Refusal(Code.BAD_ARGUMENT, self.verb.clause, text, {"given": action[0][:20], "to_roll": [*suits]})


class Roll(_Throw):
    verb = Verb.of("roll", "the dice show {dice}", "DASH-4.3", luck=Luck.ROLL, dice=DICE)
    phases = (Phase.SCATTER, Phase.ROLL)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return REGION_SUITS

    def play(self, narration: DashNarration, action: Action) -> None:
        """A throw of all four dice places coins in the set-up and gives the order of moves in the campaign."""
        values = tuple(int(rank) for _, rank in self.thrown(narration.state, action))
        scatters = narration.state.phase is Phase.SCATTER
        for candidate, value in enumerate(values):
            _tell_die(narration, candidate, value, "DASH-3.3" if scatters else "DASH-4.3")
        narration.set(roll=values, dice=NOBODY)
        if scatters:
            _scatter(narration, values)
        else:
            begin_moves(narration, values)


class Throw(_Throw):
    verb = Verb.of("dice", "the dice show {dice}", "DASH-4.8", luck=Luck.ROLL, dice=DICE)
    phases = tuple(DICE_PHASES)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return tuple(REGION_SUITS[candidate] for candidate in state.rollers)

    def play(self, narration: DashNarration, action: Action) -> None:
        """A throw of all candidates who roll now, clockwise from north."""
        state = narration.state
        clause, thrown = _THROWN[state.phase]
        dice = list(state.dice)
        for candidate, (_, rank) in zip(state.rollers, self.thrown(state, action), strict=True):
            _tell_die(narration, candidate, int(rank), clause)
            dice[candidate] = int(rank)
        narration.set(dice=tuple(dice), rollers=())
        thrown(narration)


_THROWN: dict[Phase, tuple[str, Callable[[DashNarration], None]]] = {
    Phase.REROLL: ("DASH-4.6", resolve_reroll),
    Phase.VOTE: ("DASH-4.8", resolve_vote),
    Phase.DROP: ("DASH-8.9", resolve_drop),
    Phase.SHARE: ("DASH-5.4", resolve_share),
    Phase.LEGISLATURE: ("DASH-5.5", resolve_legislature),
}
"""Clause and handler of a throw, by phase."""


def deal(narration: DashNarration, *regions: str) -> None:
    tiles: list[int | None] = [0 if cell in NULLS else None for cell in range(GAP)]
    for region, values in enumerate(regions):
        for cell, value in zip(SHUFFLED[region], values, strict=True):
            tiles[cell] = int(value)
    narration.set(tiles=tuple(tiles))
    for cell, rank in enumerate(tiles):
        piece = tile(REGION_SUITS[REGION_OF[cell]], RANKS[rank or 0])
        narration.tell(
            EffectKind.PLACE, piece, f"tile-{piece.code[1:]}", target=spot_of(narration.state, cell), clause="DASH-3.1"
        )
    narration.phase(Phase.SCATTER, "DASH-3.3")


def _tell_die(narration: DashNarration, candidate: int, value: int, clause: str) -> None:
    suit = REGION_SUITS[candidate]
    facts = {"candidate": TITLES[candidate].text}
    narration.tell(EffectKind.ROLL, die(suit, RANKS[value]), f"die-{suit}", amount=value, clause=clause, facts=facts)


def _scatter(narration: DashNarration, values: tuple[int, ...]) -> None:
    state = narration.state
    for region, value in enumerate(values):
        cell = next(c for c, own in enumerate(REGION_OF) if own == region and state.tiles[c] == value)
        narration.put(EffectKind.PLACE, 6 * region + state.deals, cell, "DASH-3.3")
    narration.set(deals=state.deals + 1)
    if narration.state.deals < DEALS:
        return narration.phase(Phase.SCATTER, "DASH-3.3", coins_left=DEALS - narration.state.deals)
    narration.set(roll=NOBODY)
    return begin_round(narration)
