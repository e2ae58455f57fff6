"""The deeds of Delegate Dash, one file a step of the game."""

from rules.engine import Now
from rules.games.delegate_dash.deeds.caucus import OpenCaucus, Take
from rules.games.delegate_dash.deeds.convention import Shed
from rules.games.delegate_dash.deeds.dice import Deal, Roll, Throw
from rules.games.delegate_dash.deeds.moving import Done, Move, Stay, Surrender
from rules.games.delegate_dash.deeds.rounds import Reveal
from rules.games.delegate_dash.opening import Phase

DEEDS = (
    Deal(), Roll(), Reveal(), Throw(), Stay(), Move(), Surrender(), Done(), OpenCaucus(), Take(), Shed(),
)  # fmt: skip
_DOING = {
    Phase.DEAL: "the states are laid out",
    Phase.SCATTER: "all four dice are rolled and a coin of each suit is placed",
    Phase.REVEAL: "the coins on this round's states are turned over",
    Phase.ROLL: "all four dice are rolled for the order of moves",
    Phase.MOVE: "a candidate moves",
    Phase.AFTER: "a candidate who has moved may surrender a marker or is done",
    Phase.REROLL: "the candidate who surrendered a marker rolls again",
    Phase.CAUCUS: "the holder of the dice says which caucus comes next",
    Phase.VOTE: "the candidates at a caucus roll their dice",
    Phase.TAKE: "markers are taken",
    Phase.SHED: "a candidate who is tied for last gives up a region",
    Phase.DROP: "those who are last without a marker roll for who is out",
    Phase.SHARE: "dice are rolled for the uncommitted markers of a region",
    Phase.LEGISLATURE: "the dice decide between 304 and 304",
}
PHASES = {phase.value: Now("", "{verb} does not belong here: now " + doing) for phase, doing in _DOING.items()}
