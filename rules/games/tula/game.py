"""Tula: take a temple of tiles down, each tile matching the one before; a solitaire (rulebook.md)."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Action, Game, GameCard, Turn, TurnKind
from rules.engine.card import FIRST, OLD_HANDS
from rules.engine.turn import OVER, chance, of_seat
from rules.games.tula.deeds import DEEDS, PHASES, chances, outcome_of, plain_actions, random_result
from rules.games.tula.layout import layout_of, sketch
from rules.games.tula.opening import Options, State, opening_state
from rules.games.tula.position import read_position, read_shorthand
from rules.games.tula.temple import bits
from rules.sentence import Fact, Joint, several

_LEVEL = re.compile(r"\d:(\d+)-(\d+)")


def turn_of(state: State) -> Turn:
    if state.end:
        return OVER
    return chance("reveal", 0) if chances(state) else of_seat(0, "take")


def called(place: str) -> str | None:
    """Name of a place: only the top of a stack can be reached, so 3:3-5 is said 3/5."""
    found = _LEVEL.fullmatch(place)
    return f"{found[1]}/{found[2]}" if found else None


def sample(state: State, rng: random.Random) -> Action:
    """Samples like the deeds, but computes the tiles being turned only once."""
    if chances(state):
        return random_result(state, rng)
    found = list(plain_actions(state)) or list(GAME.legal(state))
    return found[int(rng.random() * len(found))]


def phase_facts(state: State) -> Mapping[str, Fact]:
    return {"places": several((state.temple.names[place] for place in bits(chances(state))), Joint.OR)}


def view(state: State, _seat: int | None) -> State:
    """Hides the prepared deal."""
    return replace(state, deal=(), options=replace(state.options, tiles="")) if state.deal else state


GAME = Game(
    card=GameCard(
        id="tula",
        name="Tula",
        seats=(1,),
        options_type=Options,
        turn_clause="TULA-4.5",
        action_clause="TULA-4.5",
        default_seats=1,
        seat_suits=(),
        turns=(TurnKind.SEAT, TurnKind.CHANCE),
        needs="24 tiles; 48 (two piecepacks) for the variants 2 to 4",
        designer="James Kyle, further temples by Tim Schutz",
        presets={FIRST: {"mercy": True, "auto_reveal": True}, OLD_HANDS: {"setup": "variant4"}},
        minutes="10",
        summary="Take the temple down: every tile must match the one before in suit or value.",
    ),
    state_type=State,
    opening=opening_state,
    turn=turn_of,
    layout=layout_of,
    outcome=outcome_of,
    position=read_position,
    deeds=DEEDS,
    phases=PHASES,
    phase_facts=phase_facts,
    sample=sample,
    view=view,
    shorthand=read_shorthand,
    called=called,
    diagram=sketch,
)
