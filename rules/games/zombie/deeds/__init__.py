"""The deeds of Zombie in my Piecepack, one file a step of the turn."""

from rules.engine import PhaseText
from rules.games.zombie.deeds.fighting import Fight, Retreat, Roll
from rules.games.zombie.deeds.moving import BreakWall, Clock, Draw, OpenDoor, Stay, Walk
from rules.games.zombie.deeds.special import Bury, Cower, EndTurn, Search, TakeTotem
from rules.games.zombie.opening import Phase

DEEDS = (
    Clock(), Stay(), Walk(), OpenDoor(), BreakWall(), Draw(), Roll(), Fight(), Retreat(), TakeTotem(), Bury(), Search(),
    Cower(), EndTurn(),
)  # fmt: skip
PHASES: dict[str, PhaseText] = {
    Phase.CLOCK: PhaseText("ZOMB-4.1", "first the hand of the clock moves one step"),
    Phase.MOVE: PhaseText("ZOMB-4.2", "now you stay, walk, open a door or a wall breaks"),
    Phase.DRAW: PhaseText("ZOMB-4.4", "first say which room was drawn"),
    Phase.MOON: PhaseText("ZOMB-4.7", "first the moons die is rolled for the attack"),
    Phase.EVENT: PhaseText("ZOMB-4.6", "now the three dice are rolled"),
    Phase.ATTACK: PhaseText("ZOMB-4.7", "zombies attack: fight or retreat"),
    Phase.SPECIAL: PhaseText("ZOMB-4.8", "now a special action, cowering or the end of the turn"),
    Phase.SEARCH: PhaseText("ZOMB-4.10", "first the arms die is rolled for the search"),
    Phase.COWER: PhaseText("ZOMB-4.11", "first the suns die is rolled for cowering"),
}
