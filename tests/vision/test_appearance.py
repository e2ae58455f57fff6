"""The table teaches the eyes: what a believed table shows is known again, and a wrong belief is forgotten."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.engine.action import Action
from rules.pieces import Face, Kind, Rank, Suit
from rules.referee.change_evidence import Keyframe, believed
from rules.referee.detection_rates import NOTHING_LEARNED
from rules.table.evidence import TableEvidence
from rules.table.layout import Layout
from rules.table.observed import Identity, ObservedTable, Sighting
from tests.vision.test_witness import BEFORE, BOARD, MOVED, coins, shot, sighted
from vision.frame import Frame
from vision.witness.appearance import Appearances, PieceAppearance, Row
from vision.witness.tuning import WITNESS
from vision.witness.witness import FrameEvidence, Kept, is_hidden

SIDE = (Kind.COIN, Face.FRONT)
THREE, FOUR, FIVE = ((None, rank) for rank in (Rank.THREE, Rank.FOUR, Rank.FIVE))


def row(number: int, like: Row | None = None) -> Row:
    """A look of its own, or one nearly like another."""
    found = np.random.default_rng(number).normal(0, 1, 128)
    if like is not None:
        found = like + 0.01 * found
    return np.asarray(found / np.linalg.norm(found), np.float32)


def read(**doubts: float) -> Sighting:
    """A coin that the net takes for a three or a four."""
    return Sighting(Kind.COIN, 0.0, 0.0, Face.FRONT, identities={THREE: doubts["three"], FOUR: doubts["four"]})


def test_a_face_that_was_shown_is_known_again() -> None:
    known = Appearances().taught([(SIDE, THREE, row(1)), (SIDE, FOUR, row(2))])
    told = known.weighed(read(three=0.2, four=0.8), row(9, like=row(1)))
    assert told.best == THREE
    assert told.chance_of(*THREE) > 0.95


def test_what_was_never_shown_is_left_to_the_net() -> None:
    known = Appearances().taught([(SIDE, FIVE, row(1))])
    told = known.weighed(read(three=0.2, four=0.8), row(2))
    assert told.chance_of(*FOUR) == pytest.approx(0.8, abs=0.01)
    assert Appearances().weighed(read(three=0.2, four=0.8), row(2)).chance_of(*FOUR) == pytest.approx(0.8)


def test_what_the_net_did_not_think_of_may_still_be_known_by_its_look() -> None:
    known = Appearances().taught([(SIDE, FIVE, row(1)), (SIDE, THREE, row(2)), (SIDE, FOUR, row(3))])
    assert known.weighed(read(three=0.5, four=0.5), row(9, like=row(1))).best == FIVE


TILE = (Kind.TILE, Face.FRONT)
ACE_OF_CROWNS, TWO_OF_SUNS = (Suit.CROWNS, Rank.ACE), (Suit.SUNS, Rank.TWO)
ACE_OF_SUNS, FIVE_OF_SUNS = (Suit.SUNS, Rank.ACE), (Suit.SUNS, Rank.FIVE)


def drawn(identity: Identity) -> Row:
    """What is of one suit or of one value is alike in part."""
    suit, rank = identity
    assert suit is not None
    assert rank is not None
    found = row(ord(suit.value[0])) + row(1000 + rank)
    return np.asarray(found / np.linalg.norm(found), np.float32)


@pytest.mark.parametrize(("true", "chances"), [(FIVE_OF_SUNS, (0.6, 0.4)), (ACE_OF_SUNS, (0.8, 0.2))])
def test_a_face_that_was_never_shown_is_told_by_its_kin(true: Identity, chances: tuple[float, float]) -> None:
    """A five or an ace, the net wavers: it is drawn like the ace of crowns, or it is not."""
    doubtful = Sighting(
        Kind.TILE, 0.0, 0.0, Face.FRONT, identities=dict(zip((FIVE_OF_SUNS, ACE_OF_SUNS), chances, strict=True))
    )
    known = Appearances().taught([(TILE, ACE_OF_CROWNS, drawn(ACE_OF_CROWNS)), (TILE, TWO_OF_SUNS, drawn(TWO_OF_SUNS))])
    before = doubtful.chance_of(*true)
    told = known.weighed(doubtful, drawn(true))
    assert told.best == true
    assert told.chance_of(*true) > before


def test_no_kin_is_surer_than_one_in_ten() -> None:
    doubtful = Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, identities={FIVE_OF_SUNS: 0.999, ACE_OF_SUNS: 0.001})
    known = Appearances().taught([(TILE, ACE_OF_CROWNS, drawn(ACE_OF_CROWNS))])
    assert known.weighed(doubtful, drawn(ACE_OF_SUNS)).best == FIVE_OF_SUNS


def test_a_coin_that_looks_like_the_other_side_shows_that_side() -> None:
    back, suns = (Kind.COIN, Face.BACK), (Suit.SUNS, None)
    doubtful = read(three=0.6, four=0.4)
    known = Appearances().taught([(back, suns, row(1)), (back, (Suit.ARMS, None), row(3))])
    told = known.weighed(doubtful, row(9, like=row(1)))
    assert told.face is Face.BACK
    assert told.best == suns
    assert known.weighed(doubtful, row(2)).face is Face.FRONT, "it looks like nothing that was shown"
    both = known.taught([(SIDE, THREE, row(8, like=row(1)))])
    assert both.weighed(doubtful, row(9, like=row(1))).face is Face.FRONT, "this set's sides are alike"


def test_a_tile_on_which_something_stands_is_told_by_no_look() -> None:
    outline = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
    under = Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, center_px=(20.0, 20.0), outline_px=outline)
    pawn = Sighting(Kind.PAWN, 0.0, 0.0, center_px=(22.0, 25.0))
    assert is_hidden(under, [under, pawn])
    assert not is_hidden(under, [under, replace(pawn, center_px=(60.0, 25.0))])
    assert not is_hidden(pawn, [under, pawn])


def test_no_more_is_kept_than_is_new() -> None:
    once = Appearances().taught([(SIDE, THREE, row(1))])
    assert len(once.taught([(SIDE, THREE, row(9, like=row(1)))]).rows[SIDE][THREE]) == 1
    many = once.taught([(SIDE, THREE, row(number)) for number in range(2, 20)])
    assert len(many.rows[SIDE][THREE]) == WITNESS.appearance.kept


def looked(layout: Layout, strange: float = 0.0) -> list[PieceAppearance]:
    """What the eyes see of the coins, each suit with its own look; to `strange` they give no suit a chance."""
    shares = dict.fromkeys((Suit.SUNS, Suit.CROWNS), 0.01 if strange else 0.5)
    found: list[PieceAppearance] = []
    for placed in coins(layout):
        doubts: dict[Identity, float] = {(suit, None): share for suit, share in shares.items()}
        doubts |= {(Suit.ARMS, None): strange} if strange else {}
        suit = placed.shown.suit
        assert suit
        found.append((replace(sighted(placed), identities=doubts), row(100 + ord(suit.value[0]))))
    return found


def witness(layout: Layout, strange: float = 0.0) -> FrameEvidence:
    image, plane = shot(layout is MOVED)
    return FrameEvidence(Frame(image), plane, looked(layout, strange))


def known_by(layout: Layout, before: Keyframe | None, *done: str, shows: Layout | None = None) -> Keyframe | None:
    """The moment is believed to be this layout, after what was done."""
    eyes = witness(shows or layout)
    table = ObservedTable(tuple(s for s, _ in looked(shows or layout)))
    actions = tuple(Action(verb, ()) for verb in done)
    return believed(layout, BOARD, actions, TableEvidence(table, eyes), NOTHING_LEARNED, before)


def taught(moment: Keyframe | None) -> dict[Identity, int]:
    assert moment is not None
    assert isinstance(moment.remembered, Kept)
    faces = moment.remembered.looks.rows.get((Kind.COIN, Face.BACK), {})
    return {identity: len(rows) for identity, rows in faces.items()}


def test_every_visible_piece_of_a_believed_table_labels_itself() -> None:
    opening = known_by(BEFORE, None)
    assert taught(opening) == {(Suit.SUNS, None): 1, (Suit.CROWNS, None): 1}


def test_what_the_eyes_give_no_chance_is_not_learnt() -> None:
    eyes = witness(BEFORE, strange=0.98)
    kept = eyes.remember(BEFORE, BOARD, ObservedTable(()), None)
    assert kept is not None
    assert isinstance(kept, Kept)
    assert not kept.looks.rows


def test_a_wrong_belief_that_people_correct_is_forgotten() -> None:
    """A table is taken for another one, which teaches wrong names; people say what was done, and they are gone."""
    opening = known_by(BEFORE, None)
    right = taught(opening)
    swapped = {Suit.SUNS: Suit.CROWNS, Suit.CROWNS: Suit.SUNS}
    wrong = replace(
        BEFORE,
        pieces=tuple(
            p._replace(piece=replace(p.piece, suit=swapped[p.piece.suit])) if p in coins(BEFORE) and p.piece.suit else p
            for p in BEFORE.pieces
        ),
    )
    misled = known_by(wrong, opening, "wrong", shows=BEFORE)
    assert taught(misled) == dict.fromkeys(right, 2), "a wrong belief does teach"
    assert misled is not None
    after = misled.holding((Action("right", ()),))
    assert taught(after) == right
    assert taught(known_by(MOVED, after, "right")) == right


@pytest.mark.parametrize("kind", [Kind.PYRAMID, Kind.CARD])
def test_what_was_never_learnt_to_be_told_by_its_look_is_not(kind: Kind) -> None:
    known = Appearances().taught([((kind, None), (Suit.ARMS, None), row(1))])
    seen = Sighting(kind, 0, 0, identities={(Suit.CROWNS, None): 0.9, (Suit.ARMS, None): 0.1})
    assert known.weighed(seen, row(1)) == seen
