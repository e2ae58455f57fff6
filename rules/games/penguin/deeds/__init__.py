"""The deeds of the Penguin Game, one file a step of the game."""

from rules.engine import PhaseText
from rules.games.penguin.deeds.drifting import Drift, Pass
from rules.games.penguin.deeds.moving import DropOut, Melt, Move, Reveal
from rules.games.penguin.deeds.setting_up import Deal, PlaceCoin, PlacePenguin, Roll
from rules.games.penguin.opening import Phase

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
