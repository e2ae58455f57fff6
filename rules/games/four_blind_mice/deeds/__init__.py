"""The deeds of Four Blind Mice, one file a step of the game."""

from rules.engine import PhaseText
from rules.games.four_blind_mice.deeds.bidding import CloseBids, Discard, MakeBid, Reveal, TimeUp, Uncover
from rules.games.four_blind_mice.deeds.running import SLIDE, Fail, Replace
from rules.games.four_blind_mice.deeds.setting_up import PlaceCheese, PlaceMouse, Restart, Roll
from rules.games.four_blind_mice.opening import Phase

DEEDS = (
    Uncover(), Reveal(), MakeBid(), CloseBids(), SLIDE, Fail(), Discard(), PlaceCheese(), PlaceMouse(), Replace(),
    Restart(), TimeUp(), Roll(),
)  # fmt: skip
_THINKING = PhaseText("MICE-4.2", "now everybody thinks and bids; the mice stand still")
PHASES: dict[str, PhaseText] = {
    Phase.ROLL: PhaseText("MICE-3.3", "first the dice decide who begins"),
    Phase.PLACE_CHEESE: PhaseText("MICE-3.3", "first all eight cheeses are placed"),
    Phase.PLACE_MICE: PhaseText("MICE-3.4", "first the four mice are placed"),
    Phase.CHOOSE: PhaseText("MICE-4.1", "now a cheese is chosen and uncovered"),
    Phase.REVEAL: PhaseText("MICE-4.1", "first say which suit the coin shows"),
    "think": _THINKING,
    "bid": _THINKING,
    Phase.ATTEMPT: PhaseText("MICE-4.4", "now the mice are moved"),
    Phase.REPLACE: PhaseText("MICE-9.1", "first the cheese that was won goes back onto the board"),
}
