"""The deeds of Global Warming, one file a step of the turn."""

from rules.engine import PhaseText
from rules.games.global_warming.deeds.choosing import Commit, Resign, Reveal
from rules.games.global_warming.deeds.setting_up import DealIsland, DrawStart, OpenLine, SetHandler
from rules.games.global_warming.deeds.sinking import Decline, MoveTile, Sink
from rules.games.global_warming.deeds.stepping import Arrange, MovePawns
from rules.games.global_warming.opening import ACTIONS, DEAL, LINE, SELECT, SINK, START

DEEDS = (
    DealIsland(), DrawStart(), OpenLine(), SetHandler(), Commit(), Reveal(), MovePawns(), Arrange(), MoveTile(),
    Decline(), Sink(), Resign(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    DEAL: PhaseText("GW-3.1", "that is not possible now: the tiles are being laid"),
    START: PhaseText("GW-3.3", "that is not possible now: the starting coins are being drawn"),
    LINE: PhaseText("GW-3.6", "that is not possible now: the line of coins is being laid"),
    SELECT: PhaseText("GW-4.1", "that is not possible now: the dice are being set in secret"),
    ACTIONS: PhaseText("GW-4.4", "that is not possible now: the uncovered dice are acting one after the other"),
    SINK: PhaseText("GW-4.12", "that is not possible now: a tile is sinking"),
}
