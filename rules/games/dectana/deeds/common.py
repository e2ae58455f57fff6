"""Base of the deeds of Dectana: argument values, common refusals and effects, the course of a turn, the end (DEC-5),
draws and discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from rules.engine import Action, Code, Effect, EffectKind, Outcome, Refusal, Spot
from rules.engine.action import LIST, PIECE, WORD, ParamType, PieceIcon
from rules.engine.argument_value import COLON, Value, each, in_a_row, one_of, word
from rules.engine.deed import Story, StoryDeed
from rules.engine.open_grid import Cell
from rules.engine.refusal import Facts
from rules.engine.values import replace
from rules.games.dectana.layout import DISCARD, PILE, card_piece, hand, pyramid_piece, spot, stash
from rules.games.dectana.opening import ACES, HAND_LIMIT, UNKNOWN, Held, Phase, Pyramid, State, deck, places_of
from rules.games.dectana.powers import uses
from rules.pieces import Kind, Size
from rules.pieces.piece import LOONEY_SIZES
from rules.sentence import Joint, Person, Sentence, say, several


def actor_of(state: State, ref: str) -> Pyramid | None:
    """The own pyramid named by an action; the first of equal ones."""
    return next((p for p in state.pyramids if p.seat == state.to_act and p.ref == ref), None)


def add_pyramid(state: State, size: int, cell: Cell, orient: str, seat: int) -> tuple[State, Pyramid]:
    number = state.free_number(seat, size)
    assert number is not None, "only called when the stash has one"
    fresh = Pyramid(seat, size, number, *cell, orient)
    return replace(state, pyramids=tuple(sorted((*state.pyramids, fresh)))), fresh


def change_pyramid(state: State, before: Pyramid, after: Pyramid | None) -> State:
    others = tuple(p for p in state.pyramids if p != before)
    return replace(state, pyramids=tuple(sorted((*others, after))) if after else others)


_SIZES = dict(zip("123", LOONEY_SIZES, strict=True))


def _size(digit: str) -> Size:
    if digit not in _SIZES:
        raise ValueError(digit)
    return _SIZES[digit]


def pyramid_value(code: str) -> Value:
    """1W@x0y1: a small pyramid that points west, by its space."""
    stands, _, cell = code.partition("@")
    return Value(Kind.PYRAMID, size=_size(stands[:-1]), place=cell, way=stands[-1:])


def share_value(code: str) -> Value:
    """s1-1S:2: two points or spaces for a small pyramid of the second seat that points south."""
    group, _, amount = code.partition(":")
    seat, _, stands = group.partition("-")
    pyramid = Value(Kind.PYRAMID, size=_size(stands[:-1]), way=stands[-1:])
    return in_a_row((in_a_row((Value(seat=int(seat[1:])), pyramid), COLON), word(amount)), " × ")


PYRAMID = ParamType(PIECE, pyramid_value)
PLAN = ParamType(LIST, each(share_value))
"""Share of each pyramid."""
SMALL_PYRAMID = PieceIcon(Kind.PYRAMID, size=Size.SMALL)
POWER = ParamType(WORD, one_of("power"))
NOTHING: Facts = {}


class DectanaDeed(StoryDeed[State]):
    @property
    def has_target(self) -> bool:
        return self.verb.has_target

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
    text = say(
        "both copies of {missing} are elsewhere in plain view or in known hands", missing=several(missing, Joint.OR)
    )
    return Refusal(Code.CONTRADICTS, "DEC-6.1", text, {"missing": missing})


def after_use(state: State, story: Story) -> State:
    """The state after one use: the void, the hand limit, then the next use or the next player."""
    use = state.use
    assert use is not None, "a use was made"
    state = replace(state, use=replace(use, left=use.left - 1, made=use.made + 1))
    if state.stage is Phase.REVEAL:
        return state
    return continue_turn(clear_void(state, story), story)


def continue_turn(state: State, story: Story) -> State:
    """Continue with the hand limit (DEC-4.10), the remaining uses of a crown, or the end of the turn."""
    over = len(state.hand) - HAND_LIMIT
    if over > 0:
        facts: Facts = {"phase": Phase.DISCARD.value, "cards": over}
        story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause="DEC-4.10", facts=facts))
        return replace(state, stage=Phase.DISCARD)
    if state.use and state.use.left and any(True for _ in uses(state)):
        state = replace(state, stage=Phase.USE)
        tell_stage(state, story, "DEC-4.3")
        return state
    return end_turn(state, story)


def tell_stage(state: State, story: Story, clause: str) -> None:
    facts: Facts = {"phase": state.stage.value}
    if state.use:
        facts = {**facts, "suit": state.use.suit, "uses_left": state.use.left}
    story.append(Effect(EffectKind.PHASE, seat=state.to_act, clause=clause, facts=facts))


def end_turn(state: State, story: Story) -> State:
    if state.use and state.use.card:
        card = state.use.card
        story.append(tell_card(EffectKind.REMOVE, card, hand(state.to_act), DISCARD, state.to_act, "DEC-4.2"))
        state = replace(state, discard=(*state.discard, card))
    following = (state.to_act + 1) % state.seats
    state = replace(state, use=None, stage=Phase.TURN, to_act=following, turns=state.turns + 1)
    if state.options.max_turns and state.turns >= state.options.max_turns:
        return end(state, "max_turns", story)
    story.append(Effect(EffectKind.TURN, seat=following, clause="DEC-3.4"))
    return state


def end(state: State, why: str, story: Story) -> State:
    """End the game and tell the scores and the reason; a claim was told with its discarded aces."""
    scores = state.scores()
    for seat, points in enumerate(scores):
        facts: Facts = {"pyramids": len(state.own(seat))}
        story.append(Effect(EffectKind.SCORE, seat=seat, amount=points, clause="DEC-5.2", facts=facts))
    story.append(Effect(EffectKind.END, clause="DEC-5.3", facts={"ended_by": why}))
    return replace(state, stage=Phase.OVER, ended=why)


def clear_void(state: State, story: Story) -> State:
    """Destroy a pyramid in the void at once (DEC-2.4)."""
    for pyramid in state.pyramids:
        if state.ground.is_void(pyramid.cell):
            way = spot(pyramid.cell), stash(pyramid.seat)
            story.append(tell_pyramid(state, EffectKind.REMOVE, pyramid, way, "DEC-2.4", {"why": "in the void"}))
            state = change_pyramid(state, pyramid, None)
    return state


def draw_cards(state: State, seat: int, count: int, story: Story, clause: str) -> State:
    """Draw cards; the discard pile is shuffled when it is needed (DEC-4.12). Nobody sees the cards drawn."""
    got = 0
    while got < count and (state.pile or state.discard):
        state = refill(state, story)
        some = min(count - got, state.pile)
        state = replace(state, pile=state.pile - some)
        got += some
    if got:
        facts: Facts = {"cards": got, "wanted": count}
        goal = hand(seat)
        taken = Effect(EffectKind.TAKE, None, "", PILE, goal, seat, amount=got, clause=clause, facts=facts)
        story.append(taken)
    return state.with_hand(seat, (*state.hands[seat], *[Held()] * got))


def refill(state: State, story: Story) -> State:
    if state.pile:
        return state
    facts: Facts = {"phase": "reshuffle", "cards": len(state.discard), "reshuffles": state.reshuffles + 1}
    story.append(Effect(EffectKind.PHASE, clause="DEC-4.12", facts=facts))
    return replace(state, pile=len(state.discard), discard=(), reshuffles=state.reshuffles + 1)


def discard_cards(state: State, seat: int, cards: tuple[str, ...], clause: str, story: Story) -> State:
    """Move cards from a hand to the discard pile."""
    for card in cards:
        state = state.without(seat, card)
        story.append(tell_card(EffectKind.REMOVE, card, hand(seat), DISCARD, seat, clause))
    return replace(state, discard=(*state.discard, *cards))


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
    ranks = [(points, len(state.own(seat))) for seat, points in enumerate(scores)]
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    tied = scores.count(max(scores)) > 1
    return Outcome(True, winners, scores, _reason(state, max(ranks), tied), "DEC-5.3")


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
