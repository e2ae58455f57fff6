"""The contract of games and tools for all of them."""

from rules.engine.action import Action, Param, ParamKind, Verb
from rules.engine.card import GameCard, OptionSpec, Seat, option, read_options, read_seats
from rules.engine.contract import Game
from rules.engine.deed import Deed, NarratedDeed, PhaseText, Step
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.outcome import Outcome
from rules.engine.refusal import Code, Refusal
from rules.engine.turn import Turn, TurnKind

__all__ = [
    "Action", "Code", "Deed", "Effect", "EffectKind", "Game", "GameCard", "NarratedDeed", "OptionSpec", "Outcome",
    "Param", "ParamKind", "PhaseText", "Refusal", "Seat", "Spot", "Step", "Turn", "TurnKind", "Verb", "option",
    "read_options", "read_seats"
]  # fmt: skip
