"""The deeds of Fuji-San, one file a step of the game."""

from rules.engine import Now
from rules.games.fuji_san.deeds.moving import Carry, Climb, Cross, Side
from rules.games.fuji_san.deeds.preparing import Deal, Rescue, Roll

DEEDS = (Deal(), Roll(), Rescue(), Climb(), Side(), Cross(), Carry())
PHASES: dict[str, Now] = {
    "deal": Now("FUJI-3.2", "the coins have yet to be dealt and turned"),
    "roll": Now("FUJI-3.6", "no priest can move; the dice have to be rolled"),
    "rescue": Now("FUJI-3.6", "one of the dice has to be chosen"),
    "carry": Now("FUJI-9.4", "the summit is reached; the four summit coins have to be carried down"),
    "ascent": Now("FUJI-4.7", "the priests are on their way up"),
    "descent": Now("FUJI-9.4", "the priests are on their way down"),
}
