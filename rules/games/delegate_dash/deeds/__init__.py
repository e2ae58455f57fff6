"""The deeds of Delegate Dash, one file a step of the game."""

from rules.engine import PhaseText
from rules.games.delegate_dash.deeds.convention import Shed
from rules.games.delegate_dash.deeds.dice import Deal, Roll, Throw
from rules.games.delegate_dash.deeds.moving import Done, Move, Stay, Surrender
from rules.games.delegate_dash.deeds.rounds import OpenCaucus, Reveal, Take
from rules.games.delegate_dash.opening import Phase

DEEDS = (
    Deal(), Roll(), Reveal(), Throw(), Stay(), Move(), Surrender(), Done(), OpenCaucus(), Take(), Shed(),
)  # fmt: skip
PHASES = {
    Phase.DEAL.value: PhaseText("", "that is not possible now: the states are laid out"),
    Phase.SCATTER.value: PhaseText(
        "", "that is not possible now: all four dice are rolled and a coin of each suit is placed"
    ),
    Phase.REVEAL.value: PhaseText("", "that is not possible now: the coins on this round's states are turned over"),
    Phase.ROLL.value: PhaseText("", "that is not possible now: all four dice are rolled for the order of moves"),
    Phase.MOVE.value: PhaseText("", "that is not possible now: a candidate moves"),
    Phase.AFTER.value: PhaseText(
        "", "that is not possible now: a candidate who has moved may surrender a marker or is done"
    ),
    Phase.REROLL.value: PhaseText("", "that is not possible now: the candidate who surrendered a marker rolls again"),
    Phase.CAUCUS.value: PhaseText("", "that is not possible now: the holder of the dice says which caucus comes next"),
    Phase.VOTE.value: PhaseText("", "that is not possible now: the candidates at a caucus roll their dice"),
    Phase.TAKE.value: PhaseText("", "that is not possible now: markers are taken"),
    Phase.SHED.value: PhaseText("", "that is not possible now: a candidate who is tied for last gives up a region"),
    Phase.DROP.value: PhaseText(
        "", "that is not possible now: those who are last without a marker roll for who is out"
    ),
    Phase.SHARE.value: PhaseText(
        "", "that is not possible now: dice are rolled for the uncommitted markers of a region"
    ),
    Phase.LEGISLATURE.value: PhaseText("", "that is not possible now: the dice decide between 304 and 304"),
}
