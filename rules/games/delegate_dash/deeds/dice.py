"""What is dealt and thrown: the states, all four dice, the dice of those who roll for something (DASH-3, DASH-4.3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

from rules.engine import Action, Code, EffectKind, ParamKind, Refusal, Verb
from rules.engine.action import Luck
from rules.engine.arguments import FACE, optional
from rules.games.delegate_dash.chart import GAP, NULLS, REGION_OF, REGION_SUITS, SHUFFLED, TITLES
from rules.games.delegate_dash.deeds.caucus import voted
from rules.games.delegate_dash.deeds.convention import dropped, legislated, shared
from rules.games.delegate_dash.deeds.moving import begin_moves, rerolled
from rules.games.delegate_dash.deeds.narrating import DashNarration, TellingDeed, spot_of
from rules.games.delegate_dash.deeds.rounds import begin_round
from rules.games.delegate_dash.opening import DEALS, DICE_PHASES, NOBODY, Phase, State
from rules.pieces import RANKS, Suit, die, tile
from rules.sentence import Joint, say, several

_FACES = "012345"


class Deal(TellingDeed):
    verb = Verb.of(
        "deal",
        "the states are arms {arms}, suns {suns}, crowns {crowns}, moons {moons}",
        "DASH-3.1",
        luck=Luck.DEAL,
        arms=ParamKind.WORD,
        suns=ParamKind.WORD,
        crowns=ParamKind.WORD,
        moons=ParamKind.WORD,
    )
    phases = (Phase.DEAL,)
    exhaustive = False

    def legal(self, state: State) -> Iterator[Action]:
        """One of 200 million maps stands for all."""
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

    def play(self, telling: DashNarration, action: Action) -> None:
        deal(telling, *action.args)


class Roll(TellingDeed):
    verb = Verb.of(
        "roll",
        "the dice show arms {arms}, suns {suns}, crowns {crowns}, moons {moons}",
        "DASH-4.3",
        luck=Luck.ROLL,
        arms=FACE,
        suns=FACE,
        crowns=FACE,
        moons=FACE,
    )
    phases = (Phase.SCATTER, Phase.ROLL)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return REGION_SUITS

    def legal(self, state: State) -> Iterator[Action]:
        for faces in product(_FACES, repeat=4):
            yield Action("roll", faces)

    def sample(self, state: State, rng: random.Random) -> Action:
        return Action("roll", tuple(rng.choice(_FACES) for _ in range(4)))

    def check(self, state: State, action: Action) -> Refusal | None:
        return _no_face(action)

    def play(self, telling: DashNarration, action: Action) -> None:
        """All four dice: in the set-up they place coins, in the campaign they give the order of moves."""
        faces = action.args
        values = tuple(int(face) for face in faces)
        scatters = telling.state.phase is Phase.SCATTER
        for candidate, value in enumerate(values):
            _tell_die(telling, candidate, value, "DASH-3.3" if scatters else "DASH-4.3")
        telling.set(roll=values, dice=NOBODY)
        if scatters:
            _scatter(telling, values)
        else:
            begin_moves(telling, values)


class Throw(TellingDeed):
    verb = Verb.of(
        "dice",
        "the dice show {first} {second} {third} {fourth}",
        "DASH-4.8",
        luck=Luck.ROLL,
        first=FACE,
        second=optional(FACE),
        third=optional(FACE),
        fourth=optional(FACE),
    )
    phases = tuple(DICE_PHASES)

    def describe(self, action: Action) -> str:
        shown = ", ".join(face.value or face.word or "" for face in self.values(action))
        return f"the dice show {shown}"

    def dice(self, state: State) -> tuple[Suit, ...]:
        return tuple(REGION_SUITS[candidate] for candidate in state.rollers)

    def legal(self, state: State) -> Iterator[Action]:
        for faces in product(_FACES, repeat=len(state.rollers)):
            yield Action("dice", faces)

    def sample(self, state: State, rng: random.Random) -> Action:
        return Action("dice", tuple(rng.choice(_FACES) for _ in state.rollers))

    def check(self, state: State, action: Action) -> Refusal | None:
        faces = action.args
        if len(faces) == len(state.rollers):
            return _no_face(action)
        who = [TITLES[candidate] for candidate in state.rollers]
        text = say(
            "{candidates} rolls: write one die, not {given}",
            "{candidates} roll: write {count} dice in this order, not {given}",
            candidates=several(who, Joint.AND),
            count=len(who),
            given=len(faces),
        )
        return Refusal(Code.BAD_ARGUMENT, "DASH-4.8", text, {"to_roll": [title.text for title in who]})

    def play(self, telling: DashNarration, action: Action) -> None:
        """One throw of all that roll now, clockwise from north."""
        state = telling.state
        clause, thrown = _THROWN[state.phase]
        dice = list(state.dice)
        for candidate, face in zip(state.rollers, action.args, strict=True):
            _tell_die(telling, candidate, int(face), clause)
            dice[candidate] = int(face)
        telling.set(dice=tuple(dice), rollers=())
        thrown(telling)


_THROWN: dict[Phase, tuple[str, Callable[[DashNarration], None]]] = {
    Phase.REROLL: ("DASH-4.6", rerolled),
    Phase.VOTE: ("DASH-4.8", voted),
    Phase.DROP: ("DASH-8.9", dropped),
    Phase.SHARE: ("DASH-5.4", shared),
    Phase.LEGISLATURE: ("DASH-5.5", legislated),
}
"""By which clause, and what the dice decide."""


def _no_face(action: Action) -> Refusal | None:
    for face in action.args:
        if len(face) != 1 or face not in _FACES:
            text = say("“{face}” is not a face of a die; write 0 (null), 1 (ace), 2, 3, 4 or 5", face=face[:20])
            return Refusal(Code.BAD_ARGUMENT, "DASH-4.3", text, {"face": face[:20]})
    return None


def deal(telling: DashNarration, *regions: str) -> None:
    tiles: list[int | None] = [0 if cell in NULLS else None for cell in range(GAP)]
    for region, values in enumerate(regions):
        for cell, value in zip(SHUFFLED[region], values, strict=True):
            tiles[cell] = int(value)
    telling.set(tiles=tuple(tiles))
    for cell, rank in enumerate(tiles):
        piece = tile(REGION_SUITS[REGION_OF[cell]], RANKS[rank or 0])
        telling.tell(
            EffectKind.PLACE,
            piece=piece,
            key=f"tile-{piece.code[1:]}",
            target=spot_of(telling.state, cell),
            clause="DASH-3.1",
        )
    telling.phase(Phase.SCATTER, "DASH-3.3")


def _tell_die(telling: DashNarration, candidate: int, value: int, clause: str) -> None:
    suit = REGION_SUITS[candidate]
    facts = {"candidate": TITLES[candidate].text}
    telling.tell(
        EffectKind.ROLL,
        piece=die(suit, RANKS[value]),
        key=f"die-{suit}",
        amount=value,
        clause=clause,
        facts=facts,
    )


def _scatter(telling: DashNarration, values: tuple[int, ...]) -> None:
    state = telling.state
    for region, value in enumerate(values):
        cell = next(c for c, own in enumerate(REGION_OF) if own == region and state.tiles[c] == value)
        telling.put(EffectKind.PLACE, 6 * region + state.deals, cell, "DASH-3.3")
    telling.set(deals=state.deals + 1)
    if telling.state.deals < DEALS:
        return telling.phase(Phase.SCATTER, "DASH-3.3", coins_left=DEALS - telling.state.deals)
    telling.set(roll=NOBODY)
    return begin_round(telling)
