"""The deeds of the Penguin Game, one file a step of the game."""

from rules.engine import Now
from rules.games.penguin.deeds.drifting import Drift, Pass
from rules.games.penguin.deeds.moving import DropOut, Melt, Move, Reveal
from rules.games.penguin.deeds.setting_up import Deal, PlaceCoin, PlacePenguin, Roll
from rules.games.penguin.opening import Phase

DEEDS = (Move(), Melt(), DropOut(), PlacePenguin(), PlaceCoin(), Drift(), Pass(), Deal(), Reveal(), Roll())
PHASES: dict[str, Now] = {
    Phase.ROLL: Now("PENG-3.5", "first the dice decide who begins"),
    Phase.DEAL: Now("PENG-3.2", "first the coins are drawn from the bag and laid"),
    Phase.PLACE_COINS: Now("PENG-9.2", "first all coins are laid on the ice"),
    Phase.PLACE_PENGUINS: Now("PENG-3.5", "first every player places a penguin"),
    Phase.MOVE: Now("PENG-4.7", "now the penguin has to move"),
    Phase.MELT: Now("PENG-4.7", "the penguin has moved; now a coin has to melt"),
    Phase.REVEAL: Now("PENG-6.2", "first say which suit has come to light"),
    Phase.DRIFT: Now("PENG-9.8", "the coin has melted; now a tile may drift, or pass"),
}
