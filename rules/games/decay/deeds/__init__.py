"""The deeds of Decay, one file a step of the turn."""

from rules.games.decay.deeds.agreement import AcceptDraw, DeclineDraw, OfferDraw, Resign
from rules.games.decay.deeds.building import CreateTile, Roll
from rules.games.decay.deeds.fighting import DeclineCoin, KeepSection, MakeAttack, TakeCoin, WaiveAttack
from rules.games.decay.deeds.moving_tiles import MoveTile, SkipTile
from rules.games.decay.deeds.narration import DOING, HERE
from rules.games.decay.deeds.slides import EndTurn, Slide
from rules.games.decay.deeds.walking import PAWN_STEP, EndPawnMove

DEEDS = (
    Roll(), CreateTile(), PAWN_STEP, EndPawnMove(), SkipTile(), MoveTile(), KeepSection(), MakeAttack(), WaiveAttack(),
    TakeCoin(), DeclineCoin(), Slide(), EndTurn(), OfferDraw(), AcceptDraw(), DeclineDraw(), Resign(),
)  # fmt: skip
PHASES = {phase.value: HERE for phase in DOING}
