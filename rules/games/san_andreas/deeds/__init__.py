"""The deeds of San Andreas, one file a step of the game."""

from rules.engine import PhaseText
from rules.games.san_andreas.deeds.founding import Begin, Found, Pass, PlaceEpicenter
from rules.games.san_andreas.deeds.scoring import Keep, Resolve, Reveal, Roll, Swap, Tell
from rules.games.san_andreas.opening import Phase

DEEDS = (Begin(), Found(), PlaceEpicenter(), Pass(), Roll(), Resolve(), Reveal(), Swap(), Keep(), Tell())
PHASES: dict[str, PhaseText] = {
    Phase.BEGIN: PhaseText("SAND-3.3", "say first who rolled highest and begins"),
    Phase.TURN: PhaseText("SAND-4.4", "a turn is one action: found a city, place an epicenter, or pass"),
    Phase.ROLL: PhaseText("SAND-5.1", "the fourth epicenter stands: the four dice are rolled now"),
    Phase.QUAKE: PhaseText("SAND-5.2", "the quake goes on: a die is resolved next"),
    Phase.SCORE: PhaseText("SAND-5.21", "the cities are scored: a coin is turned next"),
    Phase.SWAP: PhaseText("SAND-5.23", "the owner of the null chooses first: swap it or keep it"),
}
