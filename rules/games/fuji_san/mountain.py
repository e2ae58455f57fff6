"""Places, coins and names of the mountain (FUJI-2, FUJI-3)."""

from __future__ import annotations

from rules.pieces import Suit, parse_rank
from rules.sentence import InputError, say, several

WIDTH = 14
STEPS = range(1, WIDTH - 1)
FILES = "abcdefghijklmn"
# Places are numbered along the far row (a2 .. n2), then along the near row (a1 .. n1).
NAMES: tuple[str, ...] = tuple(file + row for row in "21" for file in FILES)
INDEX: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
ROW_MASK = (1 << WIDTH) - 1
GROUND = ("a2", "n2", "n1", "a1")
SUMMIT = ("g2", "g1", "h2", "h1")
SUMMIT_FILES = (6, 7)
SUMMIT_ROW = 1 << 6 | 1 << 7
GROUND_ROW = 1 | 1 << 13
# From the right: suns, moons, crowns, arms, three times over (FUJI-3.2).
STEP_SUITS: tuple[Suit, ...] = (Suit.ARMS, Suit.CROWNS, Suit.MOONS, Suit.SUNS) * 3
HEIGHTS = (1, 2, 3, 4, 6, 8, 8, 6, 4, 3, 2, 1)
# Per layer the columns (1 is b) whose west half a tile covers (FUJI-2.3).
LAYERS: tuple[tuple[int, ...], ...] = (
    (1, 3, 5, 7, 9, 11),
    (2, 4, 6, 8, 10),
    (3, 5, 7, 9),
    (4, 6, 8),
    (5, 7),
    (5, 7),
    (6,),
    (6,),
)
PRESETS: dict[str, str] = {
    "easy": "554344221335/311400512200",
    "medium": "444520240311/125335325100",
    "hard": "523043220545/301111542403",
    "expert": "551102224335/244331001054",
}


def read_layout(text: str) -> tuple[int, ...]:
    """24 values, far row then near row from left to right: digits or n and a; or the name of a preset."""
    signs = [sign for sign in PRESETS.get(text.strip().lower(), text) if sign not in " /;:|\\"]
    try:
        values = tuple(int(parse_rank(sign)) for sign in signs)
    except ValueError:
        values = ()
    if len(values) != 24:
        raise InputError(
            say(
                "“{layout}” is not a layout; write 24 values 0 to 5 (or n and a), the far row first, as in {example}, "
                "or one of {presets}",
                layout=text[:60],
                example=PRESETS["easy"],
                presets=several(PRESETS),
            )
        )
    return values


def dealt(text: str) -> tuple[int, ...]:
    """The values of a layout that can be dealt; ValueError says what is wrong."""
    values = read_layout(text)
    if wrong := wrong_suit(values):
        suit, shown = wrong
        numbers = ", ".join(map(str, shown))
        raise ValueError(f"the three steps of {suit} show {numbers}; each value 0 to 5 must come once (FUJI-3.3)")
    return values


def write_layout(values: tuple[int, ...]) -> str:
    digits = "".join(map(str, values))
    return f"{digits[:12]}/{digits[12:]}"


def wrong_suit(values: tuple[int, ...]) -> tuple[Suit, list[int]] | None:
    """A suit whose three steps do not show each value once, and their values (FUJI-3.3)."""
    for offset, suit in enumerate(STEP_SUITS[:4]):
        shown = sorted(values[row + column] for row in (0, 12) for column in range(offset, 12, 4))
        if shown != list(range(6)):
            return suit, shown
    return None


def coin_at(place: str) -> int | None:
    """Number (0 to 23) of the coin laid on this place."""
    file, row = FILES.index(place[0]), "21".index(place[1])
    return row * 12 + file - 1 if file in STEPS else None
