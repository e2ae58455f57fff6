"""The deeds of Dectana, one file a step of the turn."""

from rules.engine import PhaseText
from rules.games.dectana.deeds.hands import Discard, EndGame, Tell
from rules.games.dectana.deeds.on_cards import CreateCard, Destroy, DrawCard, GrowCard, MoveCard, Reveal, Steal
from rules.games.dectana.deeds.on_pyramids import Create, Draw, Grow, Move, Push, Shrink
from rules.games.dectana.deeds.powers_used import EndUse
from rules.games.dectana.deeds.setting_up import Deal, PlaceStart
from rules.games.dectana.deeds.turning import ACTIVATE, ENTER, PLAY, REORIENT, Redraw
from rules.games.dectana.opening import Phase

DEEDS = (
    Deal(), PlaceStart(), ACTIVATE, PLAY, REORIENT, ENTER, Redraw(), Create(), CreateCard(), Grow(), GrowCard(), Move(),
    MoveCard(), Push(), Steal(), Shrink(), Destroy(), Draw(), DrawCard(), EndUse(), Reveal(), Discard(), EndGame(),
    Tell(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    Phase.DEAL: PhaseText("DEC-3.2", "the nine cards of the board are dealt first"),
    Phase.ENTER: PhaseText("DEC-3.5", "each player places one small pyramid first"),
    Phase.TURN: PhaseText("DEC-4.0", "choose one: activate, play, reorient, enter or redraw"),
    Phase.USE: PhaseText("DEC-4.3", "a card is being used: use its suit or end the use"),
    Phase.REVEAL: PhaseText("DEC-4.21", "a card is being drawn onto the board: say which it is"),
    Phase.DISCARD: PhaseText("DEC-4.10", "the hand has more than six cards: discard first"),
}
