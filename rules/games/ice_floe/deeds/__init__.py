"""The deeds of IceFloe, one file a step of the round."""

from rules.engine import Deed, PhaseText
from rules.games.ice_floe.deeds.balloting import CommitNumber, CommitSuit, RevealNumber, RevealSuit
from rules.games.ice_floe.deeds.exploding import Bonus, ChooseWinner, Decline, Explode, Score, Share
from rules.games.ice_floe.deeds.moving import Move, Pass, Slide
from rules.games.ice_floe.deeds.setting_up import Place, Roll, TakeSet
from rules.games.ice_floe.deeds.swaying import AddCoin, BreakTie, CloseCoins, KeepCoins, Sanction
from rules.games.ice_floe.opening import (
    BONUS,
    EXPLODE,
    MOVE,
    NUMBER,
    NUMBER_COINS,
    NUMBER_TIE,
    PLACE,
    ROLL,
    SCORE,
    SETS,
    SUIT,
    SUIT_COINS,
    SUIT_TIE,
    WINNER,
    State,
)
from rules.sentence import say

_ROLL, _PLACE, _MOVE, _NUMBER, _SUIT = Roll(), Place(), Move(), CommitNumber(), CommitSuit()
DEEDS = (
    TakeSet(), _ROLL, _PLACE, _MOVE, Slide(), Pass(), _NUMBER, RevealNumber(), _SUIT, RevealSuit(),
    AddCoin(), KeepCoins(), CloseCoins(), BreakTie(), Sanction(), Explode(), Bonus(), Decline(), Score(),
    ChooseWinner(), Share(),
)  # fmt: skip
BY_LUCK: dict[str, Deed[State]] = {ROLL: _ROLL, PLACE: _PLACE, MOVE: _MOVE, NUMBER: _NUMBER, SUIT: _SUIT}
"""Where there is much to choose from, these choose quickly for their whole phase."""

PHASE_WORDS = {
    SETS: say("the choice of the sets"),
    ROLL: say("the start roll"),
    PLACE: say("the placing of the pyramids"),
    MOVE: say("the movement part"),
    NUMBER: say("the vote on the number"),
    NUMBER_COINS: say("the time for coins in the vote on the number"),
    NUMBER_TIE: say("the torch bearer's decision on the number"),
    SUIT: say("the vote on the suit"),
    SUIT_COINS: say("the time for coins in the vote on the suit"),
    SUIT_TIE: say("the torch bearer's decision on the suit"),
    EXPLODE: say("the explosion"),
    BONUS: say("the second explosion"),
    SCORE: say("the scoring"),
    WINNER: say("the choice of the winner"),
}
PHASES = {phase: PhaseText("", "now comes {now}") for phase in PHASE_WORDS}
