"""The deeds of Fuji-San, one file a step of the game."""

from rules.engine import PhaseText
from rules.games.fuji_san.deeds.moving import Carry, Climb, Cross, Side
from rules.games.fuji_san.deeds.preparing import Deal, Rescue, Roll

DEEDS = (Deal(), Roll(), Rescue(), Climb(), Side(), Cross(), Carry())
PHASES: dict[str, PhaseText] = {
    "deal": PhaseText("FUJI-3.2", "the coins have yet to be dealt and turned"),
    "roll": PhaseText("FUJI-3.6", "no priest can move; the dice have to be rolled"),
    "rescue": PhaseText("FUJI-3.6", "one of the dice has to be chosen"),
    "carry": PhaseText("FUJI-9.4", "the summit is reached; the four summit coins have to be carried down"),
    "ascent": PhaseText("FUJI-4.7", "the priests are on their way up"),
    "descent": PhaseText("FUJI-9.4", "the priests are on their way down"),
}
