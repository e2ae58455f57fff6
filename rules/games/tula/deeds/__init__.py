"""The deeds of Tula: turning tiles up, and taking them."""

from rules.engine import Now
from rules.games.tula.deeds.taking import Demerit, Exchange, Remove
from rules.games.tula.deeds.turning import Reveal, Show, Start

DEEDS = (Start(), Reveal(), Show(), Remove(), Exchange(), Demerit())
PHASES: dict[str, Now] = {
    "take": Now("TULA-4.2", "no tile is being turned now"),
    "reveal": Now("TULA-4.2", "first the tile on {places} has to be turned up"),
}
