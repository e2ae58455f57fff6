"""What every deed of Dectana has: it is told while it is done."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Spot, Step
from rules.engine.action import Drawn, Reads
from rules.engine.argument_value import COLON, Value, each, in_a_row, one_of, word
from rules.engine.refusal import Facts
from rules.games.dectana.ground import UNKNOWN, places_of
from rules.games.dectana.opening import Pyramid, State, deck
from rules.games.dectana.pieces import card_piece, pyramid_piece
from rules.pieces import Kind, Size
from rules.pieces.piece import LOONEY_SIZES
from rules.sentence import Joint, Sentence, say, several

Story = list[Effect]
_SIZES = dict(zip("123", LOONEY_SIZES, strict=True))


def _size(digit: str) -> Size:
    if digit not in _SIZES:
        raise ValueError(digit)
    return _SIZES[digit]


def standing(code: str) -> Value:
    """1W@x0y1: a small pyramid that points west, by its space."""
    stands, _, cell = code.partition("@")
    return Value(Kind.PYRAMID, size=_size(stands[:-1]), place=cell, way=stands[-1:])


def share(code: str) -> Value:
    """s1-1S:2: two points or spaces for a small pyramid of the second seat that points south."""
    group, _, amount = code.partition(":")
    seat, _, stands = group.partition("-")
    pyramid = Value(Kind.PYRAMID, size=_size(stands[:-1]), way=stands[-1:])
    return in_a_row((in_a_row((Value(seat=int(seat[1:])), pyramid), COLON), word(amount)), " × ")


PYRAMID = Reads(ParamKind.PIECE, standing)
PLAN = Reads(ParamKind.LIST, each(share))
"""What each pyramid is given."""
SMALL_PYRAMID = Drawn(Kind.PYRAMID, size=Size.SMALL)
POWER = Reads(ParamKind.WORD, one_of("power"))
NOTHING: Facts = {}


class DectanaDeed(Deed[State]):
    def do(self, state: State, action: Action) -> Step[State]:
        story: Story = []
        after = self.play(state, action, story)
        return Step(after, tuple(story))

    @abstractmethod
    def play(self, state: State, action: Action, story: Story) -> State:
        """The state afterwards; what happens is added to the story."""

    @property
    def points(self) -> bool:
        return self.verb.points

    def touches(self, action: Action) -> tuple[str, ...]:
        """A pyramid is named by its space; a flat one also touches the space it points at."""
        named = (place for word in super().touches(action) for place in places_of(word))
        return tuple(dict.fromkeys(named))


def tell_card(
    kind: EffectKind, mark: str, source: Spot, target: Spot, seat: int, clause: str, facts: Facts = NOTHING
) -> Effect:
    return Effect(kind, card_piece(mark), "", source, target, seat=seat, clause=clause, facts=facts)


def tell_pyramid(
    state: State, kind: EffectKind, pyramid: Pyramid, way: tuple[Spot, Spot], clause: str, facts: Facts = NOTHING
) -> Effect:
    piece = pyramid_piece(state, pyramid.seat, pyramid.size)
    facts = {"stands": pyramid.orient, **facts}
    return Effect(kind, piece, pyramid.key, *way, seat=pyramid.seat, clause=clause, facts=facts)


def bad(clause: str, text: Sentence, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:30]})


def no_such_card(state: State, cards: tuple[str, ...], clause: str) -> Refusal | None:
    for card in cards:
        if card not in deck(state.options):
            return bad(
                clause,
                say("there is no card “{card}” in this deck; write for example 2MK, AM or XL", card=card[:12]),
                card,
            )
    return None


def not_in_hand(state: State, seat: int, cards: tuple[str, ...], clause: str) -> Refusal | None:
    """Whether the cards can be there, as far as anybody knows (DEC-6.1)."""
    if state.can_show(seat, cards):
        return None
    hand = Counter(held.mark for held in state.hands[seat])
    missing = sorted((Counter(cards) - hand).elements())
    if len(missing) > hand[UNKNOWN]:
        text = say("{missing} cannot be in this hand: all its cards are known", missing=several(missing))
        if hand[UNKNOWN]:
            text = say(
                "{missing} cannot all be in this hand: it has one unknown card",
                "{missing} cannot all be in this hand: it has {count} unknown cards",
                missing=several(missing),
                count=hand[UNKNOWN],
            )
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {"missing": missing})
    text = say(
        "both copies of {missing} are elsewhere in plain view or in known hands", missing=several(missing, Joint.OR)
    )
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"missing": missing})
