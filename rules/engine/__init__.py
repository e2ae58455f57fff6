"""The contract that every game keeps, and what can be done with any game that keeps it."""

from rules.engine.action import Action, Param, ParamKind, Verb
from rules.engine.card import GameCard, OptionSpec, Seat, option, read_options, read_seats
from rules.engine.contract import Game
from rules.engine.deed import Deed, Now, Step, ToldDeed
from rules.engine.effects import Effect, EffectKind, Spot
from rules.engine.outcome import Outcome
from rules.engine.refusal import Code, Refusal
from rules.engine.turn import Turn, TurnKind

__all__ = [
    "Action",
    "Code",
    "Deed",
    "Effect",
    "EffectKind",
    "Game",
    "GameCard",
    "Now",
    "OptionSpec",
    "Outcome",
    "Param",
    "ParamKind",
    "Refusal",
    "Seat",
    "Spot",
    "Step",
    "ToldDeed",
    "Turn",
    "TurnKind",
    "Verb",
    "option",
    "read_options",
    "read_seats",
]
