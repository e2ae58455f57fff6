"""Base of the deeds of Dectana: argument values, common refusals and effects, the course of a turn, the end (DEC-5),
draws and discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from rules.engine import Action, Code, EffectKind, Outcome, Refusal, Spot
from rules.engine.action import LIST, PIECE, WORD, ParamType, PieceIcon
from rules.engine.argument_value import COLON, Value, each, in_a_row, one_of, word
from rules.engine.deed import Narration, TellingDeed
from rules.engine.open_grid import Cell
from rules.engine.outcome import leaders
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.layout import DISCARD, PILE, card_piece, hand, pyramid_piece, spot, stash
from rules.games.dectana.opening import ACES, HAND_LIMIT, UNKNOWN, Held, Phase, Pyramid, State, Use, deck, places_of
from rules.games.dectana.powers import uses
from rules.pieces import Kind, Size
from rules.pieces.piece import LOONEY_SIZES
from rules.sentence import Joint, Person, Sentence, say, several


def actor_of(state: State, ref: str) -> Pyramid | None:
    """The own pyramid named by an action; the first of equal ones."""
    return next((p for p in state.pyramids if p.seat == state.to_act and p.ref == ref), None)


_SIZES = dict(zip("123", LOONEY_SIZES, strict=True))


def _standing(stands: str, place: str | None = None) -> Value:
    """1W: a small pyramid that points west."""
    size = _SIZES.get(stands[:-1])
    if size is None:
        raise ValueError(stands)
    return Value(Kind.PYRAMID, size=size, place=place, way=stands[-1:])


def pyramid_value(code: str) -> Value:
    """1W@x0y1: a small pyramid that points west, by its space."""
    stands, _, cell = code.partition("@")
    return _standing(stands, cell)


def share_value(code: str) -> Value:
    """s1-1S:2: two points or spaces for a small pyramid of the second seat that points south."""
    group, _, amount = code.partition(":")
    seat, _, stands = group.partition("-")
    return in_a_row((in_a_row((Value(seat=int(seat[1:])), _standing(stands)), COLON), word(amount)), " × ")


PYRAMID = ParamType(PIECE, pyramid_value)
PLAN = ParamType(LIST, each(share_value))
"""Share of each pyramid."""
SMALL_PYRAMID = PieceIcon(Kind.PYRAMID, size=Size.SMALL)
POWER = ParamType(WORD, one_of("power"))
NOTHING: Facts = {}


class DectanaNarration(Narration[State]):
    def tell_card(
        self, kind: EffectKind, mark: str, source: Spot, target: Spot, seat: int, clause: str, facts: Facts = NOTHING
    ) -> None:
        self.tell(kind, card_piece(mark), "", source, target, seat=seat, clause=clause, facts=facts)

    def tell_pyramid(
        self, kind: EffectKind, pyramid: Pyramid, way: tuple[Spot, Spot], clause: str, facts: Facts = NOTHING
    ) -> None:
        piece = pyramid_piece(self.state, pyramid.seat, pyramid.size)
        facts = {"stands": pyramid.orient, **facts}
        self.tell(kind, piece, pyramid.key, *way, seat=pyramid.seat, clause=clause, facts=facts)

    def add_pyramid(self, cell: Cell, orient: str, seat: int, clause: str) -> None:
        """Place a small pyramid from the stash."""
        number = self.state.free_number(seat, 1)
        assert number is not None, "only legal actions are applied"
        fresh = Pyramid(seat, 1, number, *cell, orient)
        self.set(pyramids=tuple(sorted((*self.state.pyramids, fresh))))
        self.tell_pyramid(EffectKind.PLACE, fresh, (stash(seat), spot(cell)), clause)

    def change_pyramid(self, before: Pyramid, after: Pyramid | None) -> None:
        others = tuple(p for p in self.state.pyramids if p != before)
        self.set(pyramids=tuple(sorted((*others, after))) if after else others)

    def remove_pyramid(self, pyramid: Pyramid, clause: str, why: str) -> None:
        way = spot(pyramid.cell), stash(pyramid.seat)
        self.tell_pyramid(EffectKind.REMOVE, pyramid, way, clause, {"why": why})
        self.change_pyramid(pyramid, None)

    def exchange_pyramid(self, before: Pyramid, size: int, clause: str) -> None:
        """Put a pyramid of another size from the stash in its place."""
        number = self.state.free_number(before.seat, size)
        assert number is not None, "only legal uses are done"
        after = replace(before, size=size, number=number)
        here, there = spot(before.cell), stash(before.seat)
        facts: Facts = {"size": before.size, "becomes": size}
        self.tell_pyramid(EffectKind.REMOVE, before, (here, there), clause, facts)
        self.tell_pyramid(EffectKind.PLACE, after, (there, here), clause)
        self.change_pyramid(before, after)

    def continue_turn(self) -> None:
        """Continue with the hand limit (DEC-4.10), the remaining uses of a crown, or the end of the turn."""
        state = self.state
        over = len(state.hand) - HAND_LIMIT
        if over > 0:
            self.tell_phase("DEC-4.10", Phase.DISCARD.value, cards=over)
            self.set(stage=Phase.DISCARD)
        elif state.use and state.use.left and any(True for _ in uses(state)):
            self.begin_use(state.use)
        else:
            self.end_turn()

    def begin_use(self, use: Use) -> None:
        self.set(stage=Phase.USE, use=use)
        self.tell_phase("DEC-4.3", Phase.USE.value, suit=use.suit, uses_left=use.left)

    def end_turn(self) -> None:
        state = self.state
        if state.use and state.use.card:
            card = state.use.card
            self.tell_card(EffectKind.REMOVE, card, hand(state.to_act), DISCARD, state.to_act, "DEC-4.2")
            self.set(discard=(*state.discard, card))
        following, turns = (state.to_act + 1) % state.seats, state.turns + 1
        self.set(use=None, stage=Phase.TURN, to_act=following, turns=turns)
        if state.options.max_turns and turns >= state.options.max_turns:
            self.end("max_turns")
        else:
            self.tell(EffectKind.TURN, seat=following, clause="DEC-3.4")

    def end(self, why: str) -> None:
        """End the game and tell the scores and the reason; a claim was told with its discarded aces."""
        for seat, points in enumerate(self.state.scores()):
            facts: Facts = {"pyramids": len(self.state.own(seat))}
            self.tell(EffectKind.SCORE, seat=seat, amount=points, clause="DEC-5.2", facts=facts)
        self.tell(EffectKind.END, clause="DEC-5.3", facts={"ended_by": why})
        self.set(stage=Phase.OVER, ended=why)

    def clear_void(self) -> None:
        """Destroy a pyramid in the void at once (DEC-2.4)."""
        for pyramid in self.state.pyramids:
            if self.state.ground.is_void(pyramid.cell):
                self.remove_pyramid(pyramid, "DEC-2.4", "in the void")

    def draw_cards(self, seat: int, count: int, clause: str) -> None:
        """Draw cards; the discard pile is shuffled when it is needed (DEC-4.12). Nobody sees the cards drawn."""
        got = 0
        while got < count and (self.state.pile or self.state.discard):
            self.refill()
            some = min(count - got, self.state.pile)
            self.set(pile=self.state.pile - some)
            got += some
        if got:
            facts: Facts = {"cards": got, "wanted": count}
            self.tell(EffectKind.TAKE, None, "", PILE, hand(seat), seat, amount=got, clause=clause, facts=facts)
        self.state = self.state.with_hand(seat, (*self.state.hands[seat], *[Held()] * got))

    def refill(self) -> None:
        if self.state.pile:
            return
        cards, reshuffles = len(self.state.discard), self.state.reshuffles + 1
        facts: Facts = {"phase": "reshuffle", "cards": cards, "reshuffles": reshuffles}
        self.tell(EffectKind.PHASE, clause="DEC-4.12", facts=facts)
        self.set(pile=cards, discard=(), reshuffles=reshuffles)

    def discard_cards(self, seat: int, cards: tuple[str, ...], clause: str) -> None:
        """Move cards from a hand to the discard pile."""
        for card in cards:
            self.state = self.state.without(seat, card)
            self.tell_card(EffectKind.REMOVE, card, hand(seat), DISCARD, seat, clause)
        self.set(discard=(*self.state.discard, *cards))


class DectanaDeed(TellingDeed[State, DectanaNarration]):
    narration = DectanaNarration

    @property
    def has_target(self) -> bool:
        return self.verb.has_target

    def touches(self, action: Action) -> tuple[str, ...]:
        """A pyramid is named by its space; a flat one also touches the space it points at."""
        named = (place for word in super().touches(action) for place in places_of(word))
        return tuple(dict.fromkeys(named))


def bad(clause: str, text: Sentence, given: str) -> Refusal:
    return Refusal(Code.BAD_ARGUMENT, clause, text, {"given": given[:30]})


def no_such_card(state: State, cards: tuple[str, ...], clause: str) -> Refusal | None:
    for card in cards:
        if card not in deck(state.options):
            text = say("there is no card “{card}” in this deck; write for example 2MK, AM or XL", card=card[:12])
            return bad(clause, text, card)
    return None


def not_in_hand(state: State, seat: int, cards: tuple[str, ...], clause: str) -> Refusal | None:
    """Refusal if the cards cannot be in the hand, by what is known (DEC-6.1)."""
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
    either = several(missing, Joint.OR)
    text = say("both copies of {missing} are elsewhere in plain view or in known hands", missing=either)
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"missing": missing})


def whole_hand(state: State, seat: int) -> tuple[str, ...]:
    """The cards of a hand, unknown ones last."""
    marks = [held.mark for held in state.hands[seat]]
    return tuple(sorted(marks, key=lambda mark: (mark == UNKNOWN, mark)))


CLAIM_STAGES = (Phase.TURN, Phase.USE, Phase.DISCARD)


def claims(state: State, seat: int) -> Iterator[Action]:
    """Every claim of three aces that is possible with the hand."""
    if state.stage not in CLAIM_STAGES or not state.may_end_now or len(state.hands[seat]) < 3:
        return
    showable = state.showable(seat)
    aces = [card for card in ACES if card in showable]
    for three in combinations_with_replacement(aces, 3):
        if state.can_show(seat, three):
            yield Action("end_game", ("+".join(three),))


def outcome_of(state: State) -> Outcome:
    scores = state.scores()
    if state.stage is not Phase.OVER:
        return Outcome(scores=scores)
    ranks = {seat: (points, len(state.own(seat))) for seat, points in enumerate(scores)}
    tied = scores.count(max(scores)) > 1
    return Outcome(True, leaders(ranks), scores, _reason(state, max(ranks.values()), tied), "DEC-5.3")


def _reason(state: State, best: tuple[int, int], tied: bool) -> Sentence:
    if state.ended == "max_turns":
        end = say("the last turn was played")
    else:
        end = say("{player} showed three aces", player=Person(int(state.ended.removeprefix("seat "))))
    points, pyramids = best
    scored = say("{end}; one point", "{end}; {count} points", end=end, count=points)
    if not tied:
        return scored
    return say(
        "{end} and one pyramid on the board", "{end} and {count} pyramids on the board", end=scored, count=pyramids
    )
