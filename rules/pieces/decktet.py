"""The Decktet: 36 basic and 9 extended cards (P.D. Magnus). Facts of the deck after DEC-1.2 and DEC-1.3."""

from __future__ import annotations

from dataclasses import dataclass

SUIT_NAMES = {"M": "moons", "S": "suns", "W": "waves", "L": "leaves", "Y": "wyrms", "K": "knots"}


@dataclass(frozen=True, slots=True)
class DecktetCard:
    """`rank` is A, 2 to 9, X (crown), P (pawn), T (court) or E (the Excuse); `suits` are letters of SUIT_NAMES."""

    rank: str
    suits: str
    name: str

    @property
    def mark(self) -> str:
        return self.rank + self.suits


_NUMBERED = """
2 MK Author,2 SY Desert,2 WL Origin,3 MW Journey,3 SK Painter,3 LY Savage,4 MS Mountain,4 WL Sailor,4 YK Battle,
5 ML Forest,5 SW Discovery,5 YK Soldier,6 MW Lunatic,6 SY Penitent,6 LK Market,7 ML Chance Meeting,7 SK Castle,
7 WY Cave,8 MS Diplomat,8 WL Mill,8 YK Betrayal,9 MS Pact,9 WY Darkness,9 LK Merchant"""
_CROWNS = "X M Huntress,X S Bard,X W Sea,X L End,X Y Calamity,X K Windfall"
_ACES = "A M Ace of Moons,A S Ace of Suns,A W Ace of Waves,A L Ace of Leaves,A Y Ace of Wyrms,A K Ace of Knots"
_PAWNS = "P MSL Harvest,P MYK Watchman,P SWK Light Keeper,P WLY Borderland"
_COURTS = "T MWK Consul,T MLY Rite,T SWY Island,T SLK Window"


def _cards(text: str) -> tuple[DecktetCard, ...]:
    entries = (entry.split(" ", 2) for entry in text.replace("\n", "").split(","))
    return tuple(DecktetCard(rank, suits, name) for rank, suits, name in entries)


BASIC: tuple[DecktetCard, ...] = _cards(_ACES) + _cards(_NUMBERED) + _cards(_CROWNS)
PAWN_CARDS: tuple[DecktetCard, ...] = _cards(_PAWNS)
COURT_CARDS: tuple[DecktetCard, ...] = _cards(_COURTS)
EXCUSE = DecktetCard("E", "", "Excuse")
DECKTET: dict[str, DecktetCard] = {card.mark: card for card in (*BASIC, *PAWN_CARDS, *COURT_CARDS, EXCUSE)}
